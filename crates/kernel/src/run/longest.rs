//! Rules that allow only the longest runs of moves.

use super::board::{Board, Outcome};
use super::{Kernel, Step};

/// Runs are not followed further than this.
const MAX_RUN: u32 = 100;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Whether no move of a part of the plan leads to a longer run than this one does.
    pub(super) fn is_longest(&self, b: &Board<W, S>, step: Step, part: usize) -> bool {
        let mut others = Vec::new();
        self.each_of(b, &self.code.longest[part], &mut |other| others.push(other));
        if others.len() < 2 {
            return true;
        }
        let own = self.run_after(b, step, 0);
        others.iter().all(|&other| self.run_after(b, other, 0) <= own)
    }

    /// How many moves the mover can make in a row, this one first.
    fn run_after(&self, b: &Board<W, S>, step: Step, depth: u32) -> u32 {
        let mut look = *b;
        // Whether the mover himself has another move is found out below.
        self.play(&mut look, step, true);
        if look.prev != look.mover || look.outcome != Outcome::Open || depth > MAX_RUN {
            return 1;
        }
        let mut most = 0;
        self.each_candidate(&look, |next| most = most.max(self.run_after(&look, next, depth + 1)));
        match most {
            // Without a move the game is over, or the player passes, which is one more.
            0 if self.end_is_deferred(look.prev as usize - 1) => 1,
            0 => 2,
            most => 1 + most,
        }
    }
}
