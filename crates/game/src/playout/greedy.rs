//! Playing the best move most of the time.

use super::{CodeTable, Kernel, Record};
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
}

impl Kernel for Greedy {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    #[inline]
    fn explores(&mut self, rng: &mut Rng) -> bool {
        coin(self.epsilon, rng)
    }

    #[inline]
    fn pick(&mut self, _: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize {
        let scores = self.scores.of(player);
        best(codes.len(), |index| scores[codes[index] as usize], rng)
    }

    const SETS: bool = true;

    #[inline]
    fn pick_from_sets(&mut self, player: Player, sets: &[u64], rng: &mut Rng) -> u32 {
        super::sets::best(self.scores.whole_words(player), sets, rng)
    }
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
