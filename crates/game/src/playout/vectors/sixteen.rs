//! One vector of sixteen numbers.

use super::{LANES, ROWS, Vector, Work, work_with_sixteen};
use crate::bits;
use std::arch::x86_64::*;

/// Values of this type exist only where [`bits::vectors`] was asked before, which is what makes every instruction in here
/// good.
#[derive(Clone, Copy)]
pub(in super::super) struct Whole(__m512);

/// The sums of all lanes and those so many lanes before.
macro_rules! with_those_before {
    ($sums:expr, $lanes:literal) => {{
        let nothing = _mm512_setzero_si512();
        let moved = _mm512_alignr_epi32::<{ 16 - $lanes }>(_mm512_castps_si512($sums), nothing);
        _mm512_add_ps($sums, _mm512_castsi512_ps(moved))
    }};
}

impl Vector for Whole {
    type Mask = __mmask16;
    type Select = bits::Bmi2;

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: as for the type; so below.
        unsafe { Whole(_mm512_set1_ps(number)) }
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> Self {
        // SAFETY: there are sixteen numbers.
        unsafe { Whole(_mm512_loadu_ps(numbers.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        // SAFETY: there is room for sixteen numbers.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as for the type.
        unsafe { Whole(_mm512_add_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as for the type.
        unsafe { Whole(_mm512_max_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn at_least(self, those: Self) -> u64 {
        // SAFETY: as for the type.
        unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, those.0).into() }
    }

    #[inline(always)]
    fn running(self) -> Self {
        // SAFETY: as for the type.
        unsafe {
            let sums = with_those_before!(self.0, 1);
            let sums = with_those_before!(sums, 2);
            let sums = with_those_before!(sums, 4);
            Whole(with_those_before!(sums, 8))
        }
    }

    #[inline(always)]
    fn top(self) -> f32 {
        // SAFETY: as for the type.
        unsafe {
            let all = self.0;
            let eight =
                _mm256_max_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps::<1>(all));
            let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn masks(bits: u64) -> [Self::Mask; ROWS] {
        [0, 1, 2, 3].map(|row| (bits >> (LANES * row)) as __mmask16)
    }

    #[inline(always)]
    fn select(mask: Self::Mask, these: Self, those: Self) -> Self {
        // SAFETY: as for the type.
        unsafe { Whole(_mm512_mask_blend_ps(mask, those.0, these.0)) }
    }

    #[inline(always)]
    fn expand(packed: &[f32; LANES], members: u16) -> Self {
        // SAFETY: as for the type.
        unsafe { Whole(_mm512_maskz_expand_ps(members, Self::load(packed).0)) }
    }

    #[inline(always)]
    fn compress(self, members: u16) -> Self {
        // SAFETY: as for the type.
        unsafe { Whole(_mm512_maskz_compress_ps(members, self.0)) }
    }

    #[inline(always)]
    fn gather(numbers: &[f32], at: &[u32; LANES]) -> Self {
        assert!(!numbers.is_empty());
        // SAFETY: as for the type; no place is beyond the last number.
        unsafe {
            let last = _mm512_set1_epi32((numbers.len() - 1).min(i32::MAX as usize) as i32);
            let at = _mm512_min_epu32(_mm512_loadu_si512(at.as_ptr().cast()), last);
            Whole(_mm512_i32gather_ps::<4>(at, numbers.as_ptr()))
        }
    }

    fn apart<W: Work>(work: W) -> W::Output {
        // SAFETY: as for the type.
        unsafe { work_with_sixteen(work) }
    }
}
