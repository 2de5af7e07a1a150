//! The inner loop of a policy: drawing one move among codes.
//!
//! Everything that learns lives to the right of this crate; it hands its tables to a kernel, and the
//! game runs the whole playout with the kernel known statically.

use super::Record;
use crate::{Coding, Player, Rng};

/// Draws a move.
pub trait Kernel {
    /// The codes this kernel understands.
    fn coding(&self) -> Coding {
        Coding::Plain
    }

    /// The index of the chosen one among a player's codes; `record` holds the simulation so far.
    fn pick(&mut self, record: &Record, player: Player, codes: &[u32], rng: &mut Rng) -> usize;
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
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling::Uniform(Coding::Plain)
    }
}
