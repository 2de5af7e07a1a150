//! Sixteen numbers side by side: with the vectors of eight that today's processors have, or one by one.
//!
//! Everything is computed in the same order either way, so that what is drawn does not depend on the processor.

use super::blocks::Page;
use crate::bits::{self, Select};

/// Numbers side by side.
pub(super) const LANES: usize = 16;
/// Rows of a word.
pub(super) const ROWS: usize = 4;

/// The numbers of a row, lane by lane.
pub(super) type Lanes = [f32; LANES];

/// Sixteen numbers, and how bits are counted beside them.
pub trait Vector: Copy {
    /// Which of the lanes.
    type Mask: Copy;
    /// How bits are counted.
    type Select: Select;

    /// The same number in every lane.
    fn splat(number: f32) -> Self;
    /// Sixteen numbers from memory.
    fn load(numbers: &[f32; LANES]) -> Self;
    /// Sixteen numbers to memory.
    fn store(self, to: &mut [f32; LANES]);
    /// Sums.
    fn add(self, other: Self) -> Self;
    /// The larger ones.
    fn max(self, other: Self) -> Self;
    /// The lanes in which these are at least those, as bits.
    fn at_least(self, those: Self) -> u64;
    /// For each lane the sum up to it; first of neighbours, then of pairs, fours and eights.
    fn running(self) -> Self;
    /// The largest number.
    fn top(self) -> f32;
    /// The four rows of a word's members as masks.
    fn masks(bits: u64) -> [Self::Mask; ROWS];
    /// These numbers in some lanes, those in the others.
    fn select(mask: Self::Mask, these: Self, those: Self) -> Self;
    /// Numbers that are packed, in the lanes of a row's members in order; zero in the others.
    fn expand(packed: &[f32; LANES], members: u16) -> Self;
    /// The numbers in the lanes of a row's members, one after another; anything after them.
    fn compress(self, members: u16) -> Self;
    /// Does some work by these vectors, in a function of its own.
    fn apart<W: Work>(work: W) -> W::Output;
}

/// Work that is compiled once for each kind of vectors. `run` must be `#[inline(always)]`, and so must be all that it hands
/// vectors to, closures left out: what stays a function of its own does not know the processor.
pub trait Work {
    /// What the work gives.
    type Output;
    /// Does the work with these vectors.
    fn run<V: Vector>(self) -> Self::Output;
}

/// Does the work with the best vectors the processor has.
#[inline(always)]
pub(super) fn work<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if bits::has_vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { work_with_vectors(work) };
    }
    work.run::<Single>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn work_with_vectors<W: Work>(work: W) -> W::Output {
    work.run::<Pair>()
}

/// One number after another.
#[derive(Clone, Copy)]
pub(super) struct Single(Lanes);

impl Single {
    #[inline(always)]
    fn each(of: impl Fn(usize) -> f32) -> Self {
        Single(std::array::from_fn(of))
    }
}

impl Vector for Single {
    type Mask = u16;
    type Select = bits::Portable;

    #[inline(always)]
    fn splat(number: f32) -> Self {
        Single([number; LANES])
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> Self {
        Single(*numbers)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Single::each(|lane| self.0[lane] + other.0[lane])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        Single::each(|lane| larger(self.0[lane], other.0[lane]))
    }

    #[inline(always)]
    fn at_least(self, those: Self) -> u64 {
        let lanes = self.0.iter().zip(those.0).enumerate();
        lanes.fold(0, |found, (lane, (here, there))| found | u64::from(*here >= there) << lane)
    }

    #[inline(always)]
    fn running(self) -> Self {
        let mut sums = self.0;
        for step in [1, 2, 4, 8] {
            let before = sums;
            (step..LANES).for_each(|lane| sums[lane] += before[lane - step]);
        }
        Single(sums)
    }

    #[inline(always)]
    fn top(self) -> f32 {
        self.0
            .into_iter()
            .fold(f32::NEG_INFINITY, |top, number| if number > top { number } else { top })
    }

    #[inline(always)]
    fn masks(bits: u64) -> [u16; ROWS] {
        std::array::from_fn(|row| (bits >> (LANES * row)) as u16)
    }

    #[inline(always)]
    fn select(mask: u16, these: Self, those: Self) -> Self {
        Single::each(|lane| if mask >> lane & 1 == 1 { these.0[lane] } else { those.0[lane] })
    }

    #[inline(always)]
    fn expand(packed: &[f32; LANES], members: u16) -> Self {
        let mut out = [0.0; LANES];
        let mut from = packed.iter();
        each_bit(members.into(), |lane| out[lane] = *from.next().unwrap_or(&0.0));
        Single(out)
    }

    #[inline(always)]
    fn compress(self, members: u16) -> Self {
        let mut out = [0.0; LANES];
        let mut to = out.iter_mut();
        each_bit(members.into(), |lane| {
            to.next().into_iter().for_each(|to| *to = self.0[lane]);
        });
        Single(out)
    }

    fn apart<W: Work>(work: W) -> W::Output {
        work.run::<Self>()
    }
}

/// Calls `each` with every member of a set.
#[inline(always)]
pub(super) fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// The numbers of one row of a word.
#[inline(always)]
pub(super) fn row(page: &Page, row: usize) -> &Lanes {
    &page.as_chunks::<LANES>().0[row]
}

#[cfg(target_arch = "x86_64")]
pub(super) use eights::Pair;

/// Two vectors of eight. Values of this type exist only where [`bits::has_vectors`] was asked before, which is
/// what makes every instruction in here good.
#[cfg(target_arch = "x86_64")]
mod eights {
    use super::{LANES, ROWS, Vector, Work, work_with_vectors};
    use crate::bits;
    use std::arch::x86_64::*;

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
                let four =
                    _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
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

        fn apart<W: Work>(work: W) -> W::Output {
            // SAFETY: as for the type.
            unsafe { work_with_vectors(work) }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::Rng;

    struct Everything {
        numbers: Lanes,
        others: Lanes,
        bits: u64,
    }

    impl Work for Everything {
        type Output = (Vec<Lanes>, u64, f32);

        #[inline(always)]
        fn run<V: Vector>(self) -> Self::Output {
            let (here, there) = (V::load(&self.numbers), V::load(&self.others));
            let member = self.bits as u16;
            let mut found = vec![here.add(there), here.max(there), here.running(), V::splat(3.5)];
            found.extend(V::masks(self.bits).map(|mask| V::select(mask, here, there)));
            found.push(V::expand(&self.numbers, member));
            let packed = here.compress(member);
            let mut lanes: Vec<Lanes> = Vec::new();
            for vector in found {
                let mut out = [0.0; LANES];
                vector.store(&mut out);
                lanes.push(out);
            }
            let mut out = [0.0; LANES];
            packed.store(&mut out);
            out[member.count_ones() as usize..].fill(0.0);
            lanes.push(out);
            (lanes, here.at_least(there), here.top())
        }
    }

    #[test]
    fn vectors_compute_the_same() {
        if !bits::has_vectors() {
            return;
        }
        let mut rng = Rng::seeded(8);
        for _ in 0..20_000 {
            let mut lanes = || std::array::from_fn(|_| rng.below(9) as f32 * 0.37 - 1.1);
            let (numbers, others) = (lanes(), lanes());
            let bits = rng.next() & (rng.next() | rng.next());
            let one_by_one = Everything { numbers, others, bits }.run::<Single>();
            assert_eq!(work(Everything { numbers, others, bits }), one_by_one);
        }
    }
}
