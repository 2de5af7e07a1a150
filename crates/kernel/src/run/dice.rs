//! Dice: a throw decides which of the kinds that rules tell apart lies there.

use super::Kernel;
use super::board::{Board, Outcome};
use super::eval::Binds;
use crate::code::Cond;
use ludex_game::{Move, Rng};

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Whether dice have to be thrown before anybody moves.
    #[inline(always)]
    pub(super) fn awaits_throw(&self, b: &Board<W, S>) -> bool {
        if self.code.throws.is_empty() || b.thrown || b.outcome != Outcome::Open {
            return false;
        }
        match &self.plan(b).throws {
            Cond::Const(always) => *always,
            cond => self.cond(b, &Binds::default(), cond),
        }
    }

    /// The dice are thrown.
    #[inline(always)]
    pub(super) fn throw(&self, b: &mut Board<W, S>, throw: Move) {
        (b.throw, b.thrown) = (self.code.throws[throw.0 as usize % self.code.throws.len()], true);
    }

    /// A random throw: each of them is as likely as any other.
    #[inline(always)]
    pub(super) fn throw_at_random(&self, b: &mut Board<W, S>, rng: &mut Rng) {
        let throw = rng.below(self.code.throws.len() as u32);
        self.throw(b, Move(throw.into()));
    }
}
