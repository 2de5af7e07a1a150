//! Uniform choice without a list: families are counted, one of all moves is picked.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::families::{MAX_OPERANDS, Operands};
use super::{Kernel, Position, Step};
use crate::code::{NOWHERE, Node};
use ludex_game::bits::{Bits, Job, Select};
use ludex_game::{Move, Rng};

/// So many moves that prove illegal are drawn before all are listed.
const PATIENCE: u32 = 40;

/// As many parts of a plan as are looked at one after the other.
const MAX_PARTS: usize = 16;

/// As many families as are counted without a tally.
pub(super) const MAX_WHOLE: usize = 32;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// A legal move, all with the same probability; nothing where there is none.
    #[inline(always)]
    pub(super) fn draw<C: Select>(
        &self,
        b: &Board<W, S>,
        rng: &mut Rng,
        operands: &mut Operands<W>,
        tally: &mut Vec<Move>,
    ) -> Option<Step> {
        let plan = self.plan(b);
        if self.may_swap(b) {
            return self.draw_listed(b, rng, tally);
        }
        // Parts of which the first with a move counts, the next one last.
        let mut parts = [&plan.node; MAX_PARTS];
        let mut left = 1;
        while left > 0 {
            left -= 1;
            let node = self.decided(b, parts[left]);
            if let Node::First(more) = node
                && left + more.len() <= MAX_PARTS
            {
                for part in more.iter().rev() {
                    parts[left] = part;
                    left += 1;
                }
                continue;
            }
            let step = match self.whole_leaf(node) {
                Some(leaf) => self.draw_whole::<C>(b, leaf, rng, operands),
                None => self.draw_any::<C>(b, node, plan.tried && left > 0, rng, operands, tally),
            };
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// The part of a plan that conditions leave.
    #[inline(always)]
    fn decided<'a>(&'a self, b: &Board<W, S>, mut node: &'a Node) -> &'a Node {
        loop {
            node = match node {
                Node::If(cond, yes, no) => match self.cond(b, &Binds::default(), cond) {
                    true => yes,
                    false => no,
                },
                Node::Switch(number, all) => {
                    match self.switched(b, &Binds::default(), number, all) {
                        Some(node) => node,
                        None => return &Node::Nothing,
                    }
                }
                node => return node,
            };
        }
    }

    /// The leaf that a node is, if every family of it is one set and nothing must be tried.
    #[inline(always)]
    fn whole_leaf(&self, node: &Node) -> Option<usize> {
        match node {
            Node::Leaf(leaf) => {
                let parts = &self.leaves[*leaf];
                (parts.whole && !parts.tried).then_some(*leaf)
            }
            _ => None,
        }
    }

    /// The same where every family is one set and nothing must be tried.
    #[inline(always)]
    fn draw_whole<C: Select>(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        rng: &mut Rng,
        operands: &mut Operands<W>,
    ) -> Option<Step> {
        self.fill(b, &Binds::default(), leaf, operands);
        let mut counts = [0; MAX_WHOLE];
        let mut total = 0;
        self.bundles(b, leaf, operands, |bundle| {
            let count = bundle.ends.count::<C>();
            counts[bundle.family as usize % MAX_WHOLE] = count;
            total += count;
            false
        });
        if total == 0 {
            return None;
        }
        let mut nth = rng.below(total);
        let mut family = 0;
        while nth >= counts[family % MAX_WHOLE] {
            nth -= counts[family % MAX_WHOLE];
            family += 1;
        }
        let ends = self.ends_of(b, leaf, operands, family as u16, NOWHERE);
        let to = ends.select::<C>(nth) as i32;
        Some(self.step(b, leaf, operands, family as u16, NOWHERE, to))
    }

    /// The same in general; where `doubtful`, finding moves is not enough to leave the rest out, for all of
    /// them may prove illegal.
    #[inline(always)]
    fn draw_any<C: Select>(
        &self,
        b: &Board<W, S>,
        node: &Node,
        doubtful: bool,
        rng: &mut Rng,
        operands: &mut Operands<W>,
        tally: &mut Vec<Move>,
    ) -> Option<Step> {
        let v = Binds::default();
        tally.clear();
        let (total, single) = self.count::<C>(b, node, operands, tally);
        if total == 0 || (doubtful && !self.any_move(b, &v, node)) {
            return None;
        }
        for _ in 0..PATIENCE {
            let (leaf, family, origin, nth) = find(tally, rng.below(total));
            if !single {
                self.fill(b, &v, leaf, operands);
            }
            let ends = self.ends_of(b, leaf, operands, family, origin);
            let to = ends.select::<C>(nth) as i32;
            let step = self.step(b, leaf, operands, family, origin, to);
            if !self.tried[step.deed as usize] || self.is_legal(b, step) {
                return Some(step);
            }
        }
        self.draw_listed(b, rng, tally)
    }

    /// Counts the moves of a node by family and start; also whether they are all of one leaf, whose
    /// operands then are worked out.
    #[inline(always)]
    fn count<C: Select>(
        &self,
        b: &Board<W, S>,
        node: &Node,
        operands: &mut Operands<W>,
        tally: &mut Vec<Move>,
    ) -> (u32, bool) {
        let v = Binds::default();
        let (mut total, mut single) = (0, true);
        for (number, leaf) in self.active(b, &v, node).iter().enumerate() {
            single = number == 0;
            self.fill(b, &v, leaf, operands);
            self.bundles(b, leaf, operands, |bundle| {
                let count = bundle.ends.count::<C>();
                total += count;
                if count > 0 {
                    tally.push(entry(leaf, bundle.family, bundle.origin, count));
                }
                false
            });
        }
        (total, single)
    }

    /// The same from the list of all legal moves, where most candidates are illegal.
    #[cold]
    pub(super) fn draw_listed(
        &self,
        b: &Board<W, S>,
        rng: &mut Rng,
        list: &mut Vec<Move>,
    ) -> Option<Step> {
        list.clear();
        self.list_legal(b, list);
        let step = Step::of(list[rng.below(list.len() as u32) as usize]);
        (step != Step::pass() || self.any_legal(b)).then_some(step)
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
        let (kernel, board) = (self.kernel, &mut self.position.board);
        let mut operands: Operands<W> = [Bits::EMPTY; MAX_OPERANDS];
        // Until the first move is played, nothing waits to be asked.
        let (mut waiting, mut ply) = (false, 0);
        while ply < self.limit {
            if board.outcome != Outcome::Open {
                return ply;
            }
            // A throw is a ply of its own.
            if kernel.awaits_throw(board) {
                kernel.throw_at_random(board, self.rng);
                ply += 1;
                continue;
            }
            let mut drawn = None;
            if let Some(swift) = &kernel.swift {
                let dash = swift.dash::<C, S>(board, self.rng, self.limit - ply);
                if dash.plies > 0 {
                    waiting = kernel.end_is_deferred(board.prev as usize - 1);
                    ply += dash.plies;
                }
                drawn = dash.next;
                if ply == self.limit {
                    break;
                }
            }
            if drawn.is_none() {
                drawn = kernel.draw::<C>(board, self.rng, &mut operands, self.tally);
            }
            let step = match drawn {
                Some(step) => step,
                None if waiting => {
                    kernel.end_after_all(board);
                    return ply;
                }
                None => Step::pass(),
            };
            waiting = kernel.end_is_deferred(board.mover as usize - 1);
            kernel.play(board, step, true);
            ply += 1;
        }
        if waiting && board.outcome == Outcome::Open && !kernel.any_legal(board) {
            kernel.end_after_all(board);
        }
        self.limit
    }
}
