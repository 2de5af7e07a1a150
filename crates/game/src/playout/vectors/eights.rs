//! Two vectors of eight numbers.

use super::{LANES, ROWS, Vector, Work, work_with_eights};
use crate::bits;
use std::arch::x86_64::*;

/// Values of this type exist only where [`bits::vectors`] was asked before, which is what makes every instruction in here
/// good.
#[derive(Clone, Copy)]
pub(in super::super) struct Pair(__m256, __m256);

/// How far each bit of a byte of a mask is from the sign of a lane.
const TO_SIGN: [[i32; 8]; 4] = {
    let mut shifts = [[0; 8]; 4];
    let mut bit = 0;
    while bit < 32 {
        shifts[bit / 8][bit % 8] = 31 - bit as i32;
        bit += 1;
    }
    shifts
};

/// The lanes one, two or four places further on (`12`, `8` and `0` bytes into what comes before), with those
/// of `before` coming in.
macro_rules! moved {
    ($pair:expr, $bytes:literal) => {{
        let Pair(low, high) = $pair;
        let (low, high) = (_mm256_castps_si256(low), _mm256_castps_si256(high));
        let before_low = _mm256_permute2x128_si256::<0x08>(low, low);
        let before_high = _mm256_permute2x128_si256::<0x21>(low, high);
        Pair(
            _mm256_castsi256_ps(_mm256_alignr_epi8::<$bytes>(low, before_low)),
            _mm256_castsi256_ps(_mm256_alignr_epi8::<$bytes>(high, before_high)),
        )
    }};
}

/// A byte of ones for every member of a byte.
#[inline(always)]
unsafe fn bytes(members: u16) -> u64 {
    // SAFETY: as for the type.
    unsafe { _pdep_u64(members.into(), 0x0101_0101_0101_0101) * 0xFF }
}

/// Eight packed numbers in the lanes of the members of a byte.
#[inline(always)]
unsafe fn spread(packed: *const f32, members: u16) -> __m256 {
    // SAFETY: as for the type; there are eight numbers.
    unsafe {
        let all = bytes(members);
        let from = _pdep_u64(0x0706_0504_0302_0100, all);
        let lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(from as i64));
        let numbers = _mm256_permutevar8x32_ps(_mm256_loadu_ps(packed), lanes);
        let kept = _mm256_cvtepi8_epi32(_mm_cvtsi64_si128(all as i64));
        _mm256_and_ps(numbers, _mm256_castsi256_ps(kept))
    }
}

/// The numbers in the lanes of the members of a byte, one after another.
#[inline(always)]
unsafe fn gather(numbers: __m256, members: u16, to: *mut f32) {
    // SAFETY: as for the type; there is room for eight numbers.
    unsafe {
        let from = _pext_u64(0x0706_0504_0302_0100, bytes(members));
        let lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(from as i64));
        _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(numbers, lanes));
    }
}

/// The members of a byte as signs of lanes, given the bits it is a byte of in every lane.
#[inline(always)]
unsafe fn signs(half: __m256i, byte: usize) -> __m256i {
    // SAFETY: as for the type; there are eight numbers.
    unsafe { _mm256_sllv_epi32(half, _mm256_loadu_si256(TO_SIGN[byte].as_ptr().cast())) }
}

impl Vector for Pair {
    type Mask = (__m256i, __m256i);
    type Select = bits::Bmi2;

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: as for the type; so below.
        unsafe { Pair(_mm256_set1_ps(number), _mm256_set1_ps(number)) }
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> Self {
        let at = numbers.as_ptr();
        // SAFETY: there are sixteen numbers.
        unsafe { Pair(_mm256_loadu_ps(at), _mm256_loadu_ps(at.add(8))) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        let at = to.as_mut_ptr();
        // SAFETY: there is room for sixteen numbers.
        unsafe {
            _mm256_storeu_ps(at, self.0);
            _mm256_storeu_ps(at.add(8), self.1);
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as for the type.
        unsafe { Pair(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as for the type.
        unsafe { Pair(_mm256_max_ps(self.0, other.0), _mm256_max_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn at_least(self, those: Self) -> u64 {
        // SAFETY: as for the type.
        unsafe {
            let low = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, those.0));
            let high = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(self.1, those.1));
            u64::from(low as u32 | (high as u32) << 8)
        }
    }

    #[inline(always)]
    fn running(self) -> Self {
        // SAFETY: as for the type.
        unsafe {
            let sums = self.add(moved!(self, 12));
            let sums = sums.add(moved!(sums, 8));
            let sums = sums.add(moved!(sums, 0));
            Pair(sums.0, _mm256_add_ps(sums.1, sums.0))
        }
    }

    #[inline(always)]
    fn top(self) -> f32 {
        // SAFETY: as for the type.
        unsafe {
            let eight = _mm256_max_ps(self.0, self.1);
            let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn masks(bits: u64) -> [Self::Mask; ROWS] {
        // SAFETY: as for the type.
        unsafe {
            let low = _mm256_set1_epi32(bits as i32);
            let high = _mm256_set1_epi32((bits >> 32) as i32);
            [
                (signs(low, 0), signs(low, 1)),
                (signs(low, 2), signs(low, 3)),
                (signs(high, 0), signs(high, 1)),
                (signs(high, 2), signs(high, 3)),
            ]
        }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, these: Self, those: Self) -> Self {
        // SAFETY: as for the type.
        unsafe {
            Pair(
                _mm256_blendv_ps(those.0, these.0, _mm256_castsi256_ps(mask.0)),
                _mm256_blendv_ps(those.1, these.1, _mm256_castsi256_ps(mask.1)),
            )
        }
    }

    #[inline(always)]
    fn expand(packed: &[f32; LANES], members: u16) -> Self {
        let (low, high, at) = (members & 0xFF, members >> 8, packed.as_ptr());
        // SAFETY: as for the type; at most eight numbers come before the second half.
        unsafe { Pair(spread(at, low), spread(at.add(low.count_ones() as usize), high)) }
    }

    #[inline(always)]
    fn compress(self, members: u16) -> Self {
        let (low, high, mut out) = (members & 0xFF, members >> 8, [0.0; LANES]);
        let at = out.as_mut_ptr();
        // SAFETY: as for the type; at most eight numbers come before the second half.
        unsafe {
            gather(self.0, low, at);
            gather(self.1, high, at.add(low.count_ones() as usize));
        }
        Self::load(&out)
    }

    #[inline(always)]
    fn gather(numbers: &[f32], at: &[u32; LANES]) -> Self {
        assert!(!numbers.is_empty());
        // SAFETY: as for the type; no place is beyond the last number.
        unsafe {
            let last = _mm256_set1_epi32((numbers.len() - 1).min(i32::MAX as usize) as i32);
            let low = _mm256_min_epu32(_mm256_loadu_si256(at.as_ptr().cast()), last);
            let high = _mm256_min_epu32(_mm256_loadu_si256(at.as_ptr().add(8).cast()), last);
            let numbers = numbers.as_ptr();
            Pair(_mm256_i32gather_ps::<4>(numbers, low), _mm256_i32gather_ps::<4>(numbers, high))
        }
    }

    fn apart<W: Work>(work: W) -> W::Output {
        // SAFETY: as for the type.
        unsafe { work_with_eights(work) }
    }
}
