//! The inner loop of a policy: drawing one move among codes.
//!
//! Everything that learns lives to the right of this crate; it hands its tables to a kernel, and the
//! game runs the whole playout with the kernel known statically.

use super::{Composed, Gibbs, Greedy, Ngram, Patterns, Record};
use crate::{Coding, Player, Rng};

/// Draws a move.
pub trait Kernel {
    /// The codes this kernel understands.
    fn coding(&self) -> Coding {
        Coding::Plain
    }

    /// Asked once before every choice: whether this one is to be uniform. Such a choice is made without
    /// weighing, and where the game can, without listing.
    #[inline]
    fn explores(&mut self, _rng: &mut Rng) -> bool {
        false
    }

    /// The index of the chosen one among a player's codes, where the choice is not to be uniform;
    /// `record` holds the simulation so far.
    fn pick(&mut self, record: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize;

    /// Whether [`Kernel::pick_from_sets`] can be asked.
    const SETS: bool = false;

    /// As [`Kernel::pick`] from plain codes in sets; returns the code.
    #[inline]
    fn pick_from_sets(&mut self, _player: Player, _sets: &[u64], _rng: &mut Rng) -> u32 {
        unreachable!("a kernel that takes sets says how it picks from them")
    }

    /// Draws again within the same choice: the move that was at `removed` proved illegal, and the last one
    /// took its place. What is drawn in the end must follow the kernel's distribution over legal moves.
    #[inline]
    fn pick_again(
        &mut self,
        _removed: usize,
        record: &Record,
        player: Player,
        codes: &[u32],
        rng: &mut Rng,
    ) -> usize {
        // Drawing among the others in proportion to their weights is drawing among the legal ones.
        self.pick(record, player, codes, rng)
    }

    /// The sum of the odds at the last draw, where that is what the kernel drew by; zero otherwise.
    #[inline]
    fn total(&self) -> f32 {
        0.0
    }
}

/// Every move with the same probability, from the full list.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformListing(pub Coding);

impl Kernel for UniformListing {
    #[inline]
    fn coding(&self) -> Coding {
        self.0
    }

    #[inline]
    fn pick(&mut self, _: &Record, _: Player, codes: &[u32], rng: &mut Rng) -> usize {
        rng.below(codes.len() as u32) as usize
    }
}

/// The kernels, as one value that can cross a `dyn` boundary once per playout.
#[derive(Debug)]
pub enum Sampling {
    /// Every move with the same probability; recorded, if at all, by these codes.
    Uniform(Coding),
    /// In proportion to a table of odds.
    Gibbs(Gibbs),
    /// The best of a table of scores, most of the time.
    Greedy(Greedy),
    /// By values of sequences of moves.
    Ngram(Box<Ngram>),
    /// By geometric features. They look at positions, not at codes: where codes are all there is, this draws
    /// any move.
    Patterns(Box<Patterns>),
    /// Any of these, with stored replies or decisive moves before it.
    Composed(Box<Composed>),
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling::Uniform(Coding::Plain)
    }
}

/// One kernel chosen at each call: for where the choice costs nothing beside the work.
impl Kernel for Sampling {
    fn coding(&self) -> Coding {
        match self {
            Sampling::Uniform(coding) => *coding,
            Sampling::Gibbs(kernel) => kernel.coding(),
            Sampling::Greedy(kernel) => kernel.coding(),
            Sampling::Ngram(kernel) => kernel.coding(),
            Sampling::Patterns(_) => Coding::Plain,
            Sampling::Composed(kernel) => kernel.coding(),
        }
    }

    fn explores(&mut self, rng: &mut Rng) -> bool {
        match self {
            Sampling::Uniform(_) | Sampling::Gibbs(_) | Sampling::Patterns(_) => false,
            Sampling::Greedy(kernel) => kernel.explores(rng),
            Sampling::Ngram(kernel) => kernel.explores(rng),
            Sampling::Composed(kernel) => kernel.explores(rng),
        }
    }

    fn pick(&mut self, record: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize {
        match self {
            Sampling::Uniform(coding) => UniformListing(*coding).pick(record, player, codes, rng),
            Sampling::Gibbs(kernel) => kernel.pick(record, player, codes, rng),
            Sampling::Greedy(kernel) => kernel.pick(record, player, codes, rng),
            Sampling::Ngram(kernel) => kernel.pick(record, player, codes, rng),
            Sampling::Patterns(_) => UniformListing::default().pick(record, player, codes, rng),
            Sampling::Composed(kernel) => kernel.pick(record, player, codes, rng),
        }
    }

    fn pick_again(
        &mut self,
        removed: usize,
        record: &Record,
        player: Player,
        codes: &[u32],
        rng: &mut Rng,
    ) -> usize {
        match self {
            Sampling::Uniform(coding) => UniformListing(*coding).pick(record, player, codes, rng),
            Sampling::Gibbs(kernel) => kernel.pick_again(removed, record, player, codes, rng),
            Sampling::Greedy(kernel) => kernel.pick_again(removed, record, player, codes, rng),
            Sampling::Ngram(kernel) => kernel.pick_again(removed, record, player, codes, rng),
            Sampling::Patterns(_) => UniformListing::default().pick(record, player, codes, rng),
            Sampling::Composed(kernel) => kernel.pick_again(removed, record, player, codes, rng),
        }
    }
}
