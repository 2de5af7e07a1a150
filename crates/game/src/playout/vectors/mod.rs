//! Sixteen numbers side by side: in one vector, in the two of eight that nearly all of today's processors have, or one by one.
//!
//! Everything is computed in the same order either way, so that what is drawn does not depend on the processor.

#[cfg(target_arch = "x86_64")]
mod eights;
#[cfg(target_arch = "x86_64")]
mod sixteen;

use super::blocks::Page;
use crate::bits::{self, Select};
#[cfg(target_arch = "x86_64")]
use {crate::bits::Vectors, eights::Pair, sixteen::Whole};

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
    /// The numbers at these places; at places beyond the last one, the last. There is at least one.
    fn gather(numbers: &[f32], at: &[u32; LANES]) -> Self;
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
    match bits::vectors() {
        // SAFETY: the processor has just said that it has these instructions.
        Vectors::Sixteen => return unsafe { work_with_sixteen(work) },
        // SAFETY: as above.
        Vectors::Eight => return unsafe { work_with_eights(work) },
        Vectors::None => {}
    }
    work.run::<Single>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn work_with_eights<W: Work>(work: W) -> W::Output {
    work.run::<Pair>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn work_with_sixteen<W: Work>(work: W) -> W::Output {
    work.run::<Whole>()
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

    #[inline(always)]
    fn gather(numbers: &[f32], at: &[u32; LANES]) -> Self {
        Single::each(|lane| numbers[(at[lane] as usize).min(numbers.len() - 1)])
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
            let places = std::array::from_fn(|lane| (self.bits >> (3 * lane) & 31) as u32);
            found.push(V::gather(&self.numbers, &places));
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
        let vectors = bits::vectors();
        let mut rng = Rng::seeded(8);
        for _ in 0..20_000 {
            let mut lanes = || std::array::from_fn(|_| rng.below(9) as f32 * 0.37 - 1.1);
            let (numbers, others) = (lanes(), lanes());
            let bits = rng.next() & (rng.next() | rng.next());
            let one_by_one = Everything { numbers, others, bits }.run::<Single>();
            let all = || Everything { numbers, others, bits };
            if vectors != Vectors::None {
                // SAFETY: the processor has these instructions.
                assert_eq!(unsafe { work_with_eights(all()) }, one_by_one);
            }
            if vectors == Vectors::Sixteen {
                // SAFETY: as above.
                assert_eq!(unsafe { work_with_sixteen(all()) }, one_by_one);
            }
        }
    }
}
