//! Uniform choice without a list: families are counted, one of all moves is picked.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::families::Operands;
use super::{Kernel, Position, Step};
use crate::bits::{Bits, Job, Select};
use crate::{Move, Rng};

/// So many moves that prove illegal are drawn before all are listed.
const PATIENCE: u32 = 40;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// A legal move, all with the same probability.
    #[inline(always)]
    pub(super) fn draw<C: Select>(
        &self,
        b: &Board<W, S>,
        rng: &mut Rng,
        tally: &mut Vec<Move>,
    ) -> Step {
        let plan = self.plan(b);
        let v = Binds::default();
        let active = self.active(b, &v, &plan.node);
        let mut total = u32::from(self.may_swap(b));
        let swaps = total;
        tally.clear();
        let mut operands: Operands<W> = [Bits::EMPTY; 24];
        let mut single = true;
        for (number, leaf) in active.iter().enumerate() {
            single = number == 0;
            operands = self.operands(b, &v, &self.code.leaves[leaf]);
            self.bundles(b, leaf, &operands, |bundle| {
                let count = bundle.ends.count::<C>();
                total += count;
                tally.push(entry(leaf, bundle.family, bundle.origin, count));
                false
            });
        }
        if total == 0 {
            return Step::pass();
        }
        for _ in 0..PATIENCE {
            let mut nth = rng.below(total);
            if nth < swaps {
                return Step::swap();
            }
            nth -= swaps;
            let (leaf, family, origin, nth) = find(tally, nth);
            if !single {
                operands = self.operands(b, &v, &self.code.leaves[leaf]);
            }
            let ends = self.ends_of(b, leaf, &operands, family, origin);
            let to = ends.select::<C>(nth) as i32;
            let step = self.step(leaf, family, origin, to);
            if !plan.tried || self.is_legal(b, step) {
                return step;
            }
        }
        self.draw_listed(b, rng, tally)
    }

    /// The same from the list of all legal moves, where most candidates are illegal.
    #[cold]
    fn draw_listed(&self, b: &Board<W, S>, rng: &mut Rng, list: &mut Vec<Move>) -> Step {
        list.clear();
        self.list_legal(b, list);
        Step::of(list[rng.below(list.len() as u32) as usize])
    }
}

/// How many moves a family has from a start, in one word.
#[inline(always)]
fn entry(leaf: usize, family: u16, origin: i32, count: u32) -> Move {
    let place = (leaf as u64) << 48 | u64::from(family) << 32;
    Move(place | u64::from((origin + 1) as u16) << 16 | u64::from(count))
}

/// The entry that the n-th move belongs to, and its number there.
#[inline(always)]
fn find(tally: &[Move], mut nth: u32) -> (usize, u16, i32, u32) {
    for entry in tally {
        let count = entry.0 as u16;
        if nth < u32::from(count) {
            let origin = i32::from((entry.0 >> 16) as u16) - 1;
            return ((entry.0 >> 48) as usize, (entry.0 >> 32) as u16, origin, nth);
        }
        nth -= u32::from(count);
    }
    unreachable!("a move is drawn below the number of all")
}

/// A playout of uniformly random moves.
pub(super) struct Uniform<'a, const W: usize, const S: usize> {
    pub kernel: &'a Kernel<W, S>,
    pub position: &'a mut Position<W, S>,
    pub rng: &'a mut Rng,
    pub limit: u32,
    pub tally: &'a mut Vec<Move>,
}

impl<const W: usize, const S: usize> Job for Uniform<'_, W, S> {
    type Output = u32;

    #[inline(always)]
    fn run<C: Select>(self) -> u32 {
        let board = &mut self.position.board;
        for ply in 0..self.limit {
            if board.outcome != Outcome::Open {
                return ply;
            }
            let step = self.kernel.draw::<C>(board, self.rng, self.tally);
            self.kernel.play(board, step);
        }
        self.limit
    }
}

/// One uniformly random move.
pub(super) struct One<'a, const W: usize, const S: usize> {
    pub kernel: &'a Kernel<W, S>,
    pub position: &'a Position<W, S>,
    pub rng: &'a mut Rng,
    pub tally: &'a mut Vec<Move>,
}

impl<const W: usize, const S: usize> Job for One<'_, W, S> {
    type Output = Step;

    #[inline(always)]
    fn run<C: Select>(self) -> Step {
        self.kernel.draw::<C>(&self.position.board, self.rng, self.tally)
    }
}
