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
    exploring: bool,
}

impl Greedy {
    /// A kernel for these numbers.
    pub fn new(coding: Coding, epsilon: f32, scores: CodeTable) -> Self {
        Greedy { coding, epsilon, scores, exploring: false }
    }

    #[inline]
    fn draw(&self, player: Player, codes: &[u32], rng: &mut Rng) -> usize {
        if self.exploring {
            return rng.below(codes.len() as u32) as usize;
        }
        let scores = self.scores.of(player);
        best(codes.len(), |index| scores[codes[index] as usize], rng)
    }
}

impl Kernel for Greedy {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    #[inline]
    fn pick(&mut self, _: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize {
        self.exploring = coin(self.epsilon, rng);
        self.draw(player, codes, rng)
    }

    /// The coin is not tossed again: a refused move must not make exploring rarer.
    #[inline]
    fn pick_again(
        &mut self,
        _: usize,
        _: &Record,
        player: Player,
        codes: &[u32],
        rng: &mut Rng,
    ) -> usize {
        self.draw(player, codes, rng)
    }
}

/// True with this probability.
#[inline]
pub(super) fn coin(probability: f32, rng: &mut Rng) -> bool {
    (rng.next() >> 40) < (f64::from(probability) * (1u64 << 24) as f64) as u64
}

/// The index below `count` with the highest value; one of them, drawn evenly, where several have it.
#[inline]
pub(super) fn best(count: usize, value: impl Fn(usize) -> f32, rng: &mut Rng) -> usize {
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
