//! The moves tried at a node of the tree, with what came of them.

use std::num::NonZeroU8;
use std::sync::atomic::{AtomicU64, Ordering};

use ludex_game::Move;

/// One move of a node and what the simulations through it were worth to the player who chose it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    /// How many simulations chose it here. With the highest bit set, the result is proved: then eight bits
    /// say which it is and the others count visits as far as they go.
    count: u32,
    /// Their mean payoff for the player to move; where the result is proved, the payoff itself.
    pub mean: f32,
}

const PROVED: u32 = 1 << 31;
const COUNTED: u32 = (1 << 23) - 1;
/// Added to the value of proved moves; their order among themselves stays.
const BELOW_ALL: f32 = -1e5;

impl Edge {
    /// A move that was never tried.
    #[inline]
    pub fn new(mv: Move) -> Self {
        Edge { mv, count: 0, mean: 0.0 }
    }

    /// How many simulations chose it here.
    #[inline]
    pub fn visits(&self) -> u32 {
        if self.count & PROVED == 0 { self.count } else { self.count & COUNTED }
    }

    /// What is added to the value of a move whose result is proved: nothing proved is searched while anything
    /// else is left.
    #[inline]
    pub fn below_all(&self) -> f32 {
        if self.count & PROVED == 0 { 0.0 } else { BELOW_ALL }
    }

    /// The count as exploration takes it: whatever is proved counts as visited very often.
    #[inline]
    pub fn weight(&self) -> f32 {
        self.count as f32
    }

    /// The result it is proved to lead to.
    #[inline]
    pub fn proof(&self) -> Option<Outcome> {
        let proved = self.count & PROVED != 0;
        proved.then(|| Outcome(NonZeroU8::MIN.saturating_add((self.count >> 23) as u8)))
    }

    /// Settles what it leads to, and what that is worth to whoever chooses it.
    pub fn prove(&mut self, outcome: Outcome, payoff: f32) {
        let number = u32::from(outcome.0.get() - 1) << 23;
        self.count = PROVED | number | self.visits().min(COUNTED);
        self.mean = payoff;
    }

    /// Counts a simulation that is under way as lost.
    #[inline]
    pub fn begin_loss(&mut self) {
        self.update(0.0, 1);
    }

    /// Puts what such a simulation came to in the place of the loss.
    #[inline]
    pub fn end_loss(&mut self, payoff: f32) {
        if self.count & PROVED == 0 {
            self.mean += payoff / self.count as f32;
        }
    }

    /// Counts simulations with this mean payoff.
    #[inline]
    pub fn update(&mut self, mean: f32, count: u32) {
        if self.count & PROVED != 0 {
            self.count += count.min(COUNTED - (self.count & COUNTED));
            return;
        }
        self.count += count;
        self.mean += (mean - self.mean) * count as f32 / self.count as f32;
    }
}

/// A result of the game, as a place in a list that the search keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome(pub NonZeroU8);

/// An edge that several threads read while one writes it. Count and mean are one word: whoever reads them, reads
/// what was written together.
#[derive(Debug, Default)]
pub struct EdgeCell {
    mv: AtomicU64,
    found: AtomicU64,
}

impl EdgeCell {
    /// What it holds.
    #[inline]
    pub fn load(&self) -> Edge {
        let found = self.found.load(Ordering::Relaxed);
        let mv = Move(self.mv.load(Ordering::Relaxed));
        Edge { mv, count: (found >> 32) as u32, mean: f32::from_bits(found as u32) }
    }

    /// Its move.
    #[inline]
    pub fn mv(&self) -> Move {
        Move(self.mv.load(Ordering::Relaxed))
    }

    /// Puts an edge here.
    #[inline]
    pub fn store(&self, edge: Edge) {
        self.mv.store(edge.mv.0, Ordering::Relaxed);
        self.store_found(edge);
    }

    /// Puts an edge here whose move is the same.
    #[inline]
    pub fn store_found(&self, edge: Edge) {
        let found = u64::from(edge.count) << 32 | u64::from(edge.mean.to_bits());
        self.found.store(found, Ordering::Relaxed);
    }
}

/// Where selection reads edges from: the tree, or one thread's own copy.
pub trait Found {
    /// Count and mean, whatever the move.
    fn found(&self) -> Edge;
}

impl Found for Edge {
    #[inline]
    fn found(&self) -> Edge {
        *self
    }
}

impl Found for EdgeCell {
    #[inline]
    fn found(&self) -> Edge {
        let found = self.found.load(Ordering::Relaxed);
        Edge { mv: Move(0), count: (found >> 32) as u32, mean: f32::from_bits(found as u32) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_leave_counts_alone() {
        let mut edge = Edge::new(Move(7));
        edge.update(0.25, 1);
        edge.update(1.0, 3);
        assert_eq!((edge.visits(), edge.mean, edge.proof()), (4, 0.8125, None));
        for number in [1, 2, 255] {
            let outcome = Outcome(NonZeroU8::new(number).unwrap());
            edge.prove(outcome, 0.5);
            edge.update(0.0, 1);
            assert_eq!((edge.proof(), edge.mean), (Some(outcome), 0.5));
        }
        assert_eq!(edge.visits(), 7);
        edge.update(0.0, u32::MAX);
        assert_eq!(edge.visits(), COUNTED);
        assert_eq!(size_of::<EdgeCell>(), 16);
    }

    #[test]
    fn a_loss_under_way_becomes_what_it_came_to() {
        let [mut plain, mut shared] = [Edge::new(Move(1)), Edge::new(Move(1))];
        for payoff in [1.0, 0.25, 0.5] {
            plain.update(payoff, 1);
        }
        // Three simulations overlap and end in another order.
        (0..3).for_each(|_| shared.begin_loss());
        assert_eq!((shared.visits(), shared.mean), (3, 0.0));
        [0.5, 1.0, 0.25].into_iter().for_each(|payoff| shared.end_loss(payoff));
        assert_eq!(shared.visits(), plain.visits());
        assert!((shared.mean - plain.mean).abs() < 1e-6, "{} {}", shared.mean, plain.mean);
    }

    #[test]
    fn what_is_put_into_a_cell_comes_out() {
        let cell = EdgeCell::default();
        let mut edge = Edge::new(Move(u64::MAX - 5));
        edge.update(0.375, 9);
        cell.store(edge);
        edge.update(1.0, 9);
        cell.store_found(edge);
        let out = cell.load();
        assert_eq!((out.mv, out.visits(), out.mean), (edge.mv, 18, edge.mean));
    }
}
