//! Drawing in proportion to weights.

use super::list::Listed;
use super::sampler::Sampler;
use super::vectors::Vector;
use super::weigh::{self, MAX_WORDS};
use super::{CodeTable, Record};
use crate::families::{Families, Place};
use crate::{Coding, Player, Rng};

/// Each move with a probability in proportion to its code's number.
#[derive(Debug, Default, Clone)]
pub struct Gibbs {
    /// The codes the numbers are for.
    pub coding: Coding,
    /// Positive numbers: for PPA `e^(k·w)`, kept up to date by whoever learns.
    pub odds: CodeTable,
    /// The sum of the odds at the last draw.
    total: f32,
    listed: Listed,
}

impl Gibbs {
    /// A sampler for these numbers.
    pub fn new(coding: Coding, odds: CodeTable) -> Self {
        Gibbs { coding, odds, total: 0.0, listed: Listed::default() }
    }
}

impl Sampler for Gibbs {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    #[inline(always)]
    fn draw<V: Vector>(
        &mut self,
        _: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        let odds = self.odds.whole_words(player);
        let (place, total) = by_odds::<V>(odds, families, &mut self.listed, rng);
        self.total = total;
        place
    }

    #[inline]
    fn total(&self) -> f32 {
        self.total
    }
}

/// Draws from families in proportion to odds by code; also gives the sum of all.
#[inline(always)]
pub(super) fn by_odds<V: Vector>(
    odds: &[f32],
    families: &mut Families,
    listed: &mut Listed,
    rng: &mut Rng,
) -> (Place, f32) {
    if families.is_dense() && families.words().len() <= MAX_WORDS {
        return weigh::draw::<V>(odds, families.words(), rng);
    }
    listed.gather::<V>(odds, families);
    let (index, total) = listed.draw::<V>(rng);
    (families.listed(index), total)
}

/// Odds are summed eight at a time: sums inside a block do not wait for one another, and how many blocks
/// there are is all that a processor has to guess.
const BLOCK: usize = 8;
/// Up to this many blocks their totals are kept, and nothing is guessed at all once they are summed.
const BLOCKS: usize = 8;

/// What the places of a block count that has `n` odds, for every `n`.
const INSIDE: [[f32; BLOCK]; BLOCK + 1] = {
    let mut inside = [[0.0; BLOCK]; BLOCK + 1];
    let mut n = 0;
    while n <= BLOCK {
        let mut place = 0;
        while place < n {
            inside[n][place] = 1.0;
            place += 1;
        }
        n += 1;
    }
    inside
};

/// The odds of one block; nothing beyond the end.
#[inline(always)]
fn block(odds: &[f32], from: usize) -> [f32; BLOCK] {
    let count = odds.len();
    let mut block = [0.0; BLOCK];
    if from + BLOCK <= count {
        for (offset, here) in block.iter_mut().enumerate() {
            *here = odds[from + offset];
        }
    } else {
        // A table instead of comparisons: those would become jumps that nobody can guess.
        let inside = &INSIDE[(count - from).min(BLOCK)];
        for (offset, here) in block.iter_mut().enumerate() {
            *here = odds[(from + offset).min(count - 1)] * inside[offset];
        }
    }
    block
}

#[inline(always)]
fn sum(o: [f32; BLOCK]) -> f32 {
    ((o[0] + o[1]) + (o[2] + o[3])) + ((o[4] + o[5]) + (o[6] + o[7]))
}

/// How many of the running sums of a block are at most `left`: the place where they pass it.
#[inline(always)]
fn find(o: [f32; BLOCK], left: f32) -> usize {
    let (a, b, c) = (o[0] + o[1], o[2] + o[3], o[4] + o[5]);
    let ab = a + b;
    let abc = ab + c;
    let sums = [o[0], a, a + o[2], ab, ab + o[4], abc, abc + o[6], f32::INFINITY];
    count_at_most(&sums, left)
}

#[inline(always)]
fn count_at_most(sums: &[f32; BLOCK], bound: f32) -> usize {
    let mut count = 0u32;
    for &sum in sums {
        count += u32::from(sum <= bound);
    }
    count as usize
}

/// Draws an index in proportion to the odds, of which there is at least one; also gives their sum.
#[inline]
pub fn draw(odds: &[f32], rng: &mut Rng) -> (usize, f32) {
    let count = odds.len();
    if count > BLOCK * BLOCKS {
        return draw_from_many(odds, rng);
    }
    let mut totals = [f32::INFINITY; BLOCKS];
    let mut total = 0.0;
    for (number, kept) in totals[..count.div_ceil(BLOCK)].iter_mut().enumerate() {
        total += sum(block(odds, number * BLOCK));
        *kept = total;
    }
    let drawn = unit(rng) * total;
    // Rounding can lead past the last block, or past the last place of it.
    let passed = count_at_most(&totals, drawn).min((count - 1) / BLOCK);
    let before = if passed == 0 { 0.0 } else { totals[passed - 1] };
    let index = passed * BLOCK + find(block(odds, passed * BLOCK), drawn - before);
    (index.min(count - 1), total)
}

fn draw_from_many(odds: &[f32], rng: &mut Rng) -> (usize, f32) {
    let count = odds.len();
    let total: f32 = (0..count.div_ceil(BLOCK)).map(|at| sum(block(odds, at * BLOCK))).sum();
    let mut left = unit(rng) * total;
    let mut at = 0;
    while at + BLOCK < count {
        let here = sum(block(odds, at));
        if left < here {
            break;
        }
        left -= here;
        at += BLOCK;
    }
    ((at + find(block(odds, at), left)).min(count - 1), total)
}

/// A number in `[0, 1)` with all the digits a single-precision number has.
#[inline]
fn unit(rng: &mut Rng) -> f32 {
    (rng.next() >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
}
