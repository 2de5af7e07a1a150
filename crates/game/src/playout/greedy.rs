//! Playing the best move most of the time.

use super::kernel::Sampler;
use super::vectors::Vector;
use super::weigh::{self, MAX_WORDS};
use super::{CodeTable, Record};
use crate::families::{Families, Place};
use crate::{Coding, Player, Rng};

/// The move whose code has the highest number, ties drawn evenly; with probability ε any move.
#[derive(Debug, Default, Clone)]
pub struct Greedy {
    /// The codes the numbers are for.
    pub coding: Coding,
    /// The probability of playing any move.
    pub epsilon: f32,
    /// The numbers, kept up to date by whoever learns.
    pub scores: CodeTable,
    /// Whether this choice is of any move.
    exploring: bool,
}

impl Greedy {
    /// A sampler for these numbers.
    pub fn new(coding: Coding, epsilon: f32, scores: CodeTable) -> Self {
        Greedy { coding, epsilon, scores, exploring: false }
    }
}

impl Sampler for Greedy {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    #[inline(always)]
    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.exploring = coin(self.epsilon, rng);
        self.redraw::<V>(record, player, families, rng)
    }

    #[inline(always)]
    fn redraw<V: Vector>(
        &mut self,
        _: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        by_score::<V>(self.scores.whole_words(player), families, self.exploring, rng)
    }
}

/// The move whose code has the highest score, one of them drawn evenly where several have it; any move if
/// `exploring`.
#[inline(always)]
pub(super) fn by_score<V: Vector>(
    scores: &[f32],
    families: &mut Families,
    exploring: bool,
    rng: &mut Rng,
) -> Place {
    if families.is_dense() && families.words().len() <= MAX_WORDS {
        return weigh::best::<V>(scores, families.words(), exploring, rng);
    }
    if exploring {
        return weigh::any::<V::Select>(families.words(), rng);
    }
    let codes = families.codes();
    let index = best(codes.len(), |index| scores[codes[index] as usize], rng);
    families.nth(index as u32)
}

/// True with this probability.
#[inline]
pub(super) fn coin(probability: f32, rng: &mut Rng) -> bool {
    ((rng.next() >> 40) as f32) < probability * (1u32 << 24) as f32
}

/// The index below `count` with the highest value; one of them, drawn evenly, where several have it.
#[inline]
pub(super) fn best(count: usize, value: impl Fn(usize) -> f32, rng: &mut Rng) -> usize {
    if count > 64 {
        return best_of_many(count, value, rng);
    }
    let mut tops = [f32::NEG_INFINITY; 4];
    // Four at a time, the last one again where there are no more: nothing to guess but the number of rounds.
    for from in (0..count).step_by(4) {
        for (offset, top) in tops.iter_mut().enumerate() {
            let value = value((from + offset).min(count - 1));
            *top = if value > *top { value } else { *top };
        }
    }
    let top = tops.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let mut ties = 0u64;
    for index in 0..count {
        ties |= u64::from(value(index) == top) << index;
    }
    if ties.is_power_of_two() {
        return ties.trailing_zeros() as usize;
    }
    // Numbers that are no numbers have no best one; then nothing is preferred.
    let wanted = rng.below(ties.count_ones().max(1));
    for _ in 0..wanted {
        ties &= ties - 1;
    }
    (ties.trailing_zeros() as usize).min(count - 1)
}

fn best_of_many(count: usize, value: impl Fn(usize) -> f32, rng: &mut Rng) -> usize {
    let (mut top, mut first, mut ties) = (f32::NEG_INFINITY, 0, 0);
    for index in 0..count {
        let value = value(index);
        if value > top {
            (top, first, ties) = (value, index, 1);
        } else if value == top {
            ties += 1;
        }
    }
    if ties < 2 {
        return first;
    }
    let wanted = rng.below(ties) as usize;
    (first..count).filter(|&index| value(index) == top).nth(wanted).unwrap_or(first)
}
