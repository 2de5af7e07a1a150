//! Values of moves that depend on the moves just before.

use super::exp::exp;
use super::gibbs::draw;
use super::grams::{Contexts, GramTable};
use super::greedy::{best, coin};
use super::kernel::any;
use super::{CodeTable, Record, Sampler};
use crate::families::{Families, Place};
use crate::{Coding, Player, Rng};

/// How a move is drawn from values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// In proportion to `e^(k·value)`.
    Gibbs {
        /// How much values count.
        k: f32,
    },
    /// The highest value; with probability ε any move.
    Greedy {
        /// The probability of any move.
        epsilon: f32,
    },
}

/// A move's value is the mean of the values of the sequences it would end: of one move always, of more
/// where they were visited often enough.
#[derive(Clone, Debug)]
pub struct Ngram {
    /// The codes the values are for.
    pub coding: Coding,
    /// How a move is drawn.
    pub draw: Draw,
    /// The longest sequences.
    pub longest: usize,
    /// How often a sequence of two or more must have been visited to count.
    pub threshold: f32,
    /// The values of single moves.
    pub singles: CodeTable,
    /// The values of longer sequences.
    pub grams: GramTable,
    values: Vec<f32>,
    /// Whether this choice is of any move.
    exploring: bool,
}

impl Ngram {
    /// A kernel that knows no sequences yet.
    pub fn new(
        coding: Coding,
        draw: Draw,
        longest: usize,
        threshold: f32,
        singles: CodeTable,
    ) -> Self {
        let grams = GramTable::default();
        let (values, exploring) = (Vec::new(), false);
        Ngram { coding, draw, longest, threshold, singles, grams, values, exploring }
    }

    /// Puts what a draw needs of each code into `values`: odds to draw by, or values to compare.
    fn value_all(&mut self, record: &Record, player: Player, codes: &[u32]) {
        let ply = record.plies().wrapping_sub(1);
        let steps = record.steps();
        let contexts = Contexts::of(steps, ply, player, self.singles.players(), self.longest);
        let singles = self.singles.of(player);
        self.values.clear();
        self.values.extend(codes.iter().map(|&code| {
            let (mut sum, mut count) = (singles[code as usize], 1.0);
            for &context in contexts.hashes() {
                let (value, visits) = self.grams.get(context, code);
                if visits >= self.threshold && visits > 0.0 {
                    sum += value;
                    count += 1.0;
                }
            }
            sum / count
        }));
        if let Draw::Gibbs { k } = self.draw {
            for value in &mut self.values {
                *value = exp(k * *value);
            }
        }
    }

    fn index(&self, rng: &mut Rng) -> usize {
        let values = &self.values[..];
        match self.draw {
            Draw::Gibbs { .. } => draw(values, rng).0,
            Draw::Greedy { .. } => best(values.len(), |index| values[index], rng),
        }
    }
}

impl Sampler for Ngram {
    #[inline]
    fn coding(&self) -> Coding {
        self.coding
    }

    fn draw(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.exploring = match self.draw {
            Draw::Greedy { epsilon } => coin(epsilon, rng),
            Draw::Gibbs { .. } => false,
        };
        self.redraw(record, player, families, rng)
    }

    fn redraw(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        if self.exploring {
            return any(families, rng);
        }
        self.value_all(record, player, families.codes());
        families.nth(self.index(rng) as u32)
    }
}
