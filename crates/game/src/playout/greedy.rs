//! Playing the best move most of the time.

use super::list::Listed;
use super::sampler::Sampler;
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
    listed: Listed,
}

impl Greedy {
    /// A sampler for these numbers.
    pub fn new(coding: Coding, epsilon: f32, scores: CodeTable) -> Self {
        Greedy { coding, epsilon, scores, exploring: false, listed: Listed::default() }
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
        let Greedy { scores, exploring, listed, .. } = self;
        by_score::<V>(scores.whole_words(player), families, *exploring, listed, rng)
    }
}

/// The move whose code has the highest score, one of them drawn evenly where several have it; any move if
/// `exploring`.
#[inline(always)]
pub(super) fn by_score<V: Vector>(
    scores: &[f32],
    families: &mut Families,
    exploring: bool,
    listed: &mut Listed,
    rng: &mut Rng,
) -> Place {
    if families.is_dense() && families.words().len() <= MAX_WORDS {
        return weigh::best::<V>(scores, families.words(), exploring, rng);
    }
    if exploring {
        return weigh::any::<V::Select>(families, rng);
    }
    listed.gather::<V>(scores, families);
    families.listed(listed.best::<V>(rng))
}

/// True with this probability.
#[inline]
pub(super) fn coin(probability: f32, rng: &mut Rng) -> bool {
    ((rng.next() >> 40) as f32) < probability * (1u32 << 24) as f32
}

/// The index of the highest of many values; one of them, drawn evenly, where several have it.
pub(super) fn best(values: &[f32], rng: &mut Rng) -> usize {
    let (mut top, mut first, mut ties) = (f32::NEG_INFINITY, 0, 0);
    for (index, &value) in values.iter().enumerate() {
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
    (first..values.len()).filter(|&index| values[index] == top).nth(wanted).unwrap_or(first)
}
