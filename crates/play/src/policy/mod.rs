//! Playout policies: what they play by, what they learn from a simulation, what they keep.
//!
//! A policy owns the tables of the kernel it plays by, so that learning writes where the next playout
//! reads. One policy serves one search thread.

mod uniform;

use ludex_game::playout::{Record, Recording, Sampling};
use ludex_game::{Coding, Player};

pub use uniform::Uniform;

/// A playout policy in the middle of its work.
pub trait PlayoutPolicy: Send {
    /// What the next playout plays by.
    fn sampling(&mut self) -> &mut Sampling;

    /// How much of a simulation the policy must see: search records the moves inside the tree by
    /// [`PlayoutPolicy::coding`], the playout records the rest.
    fn recording(&self) -> Recording {
        Recording::Nothing
    }

    /// The codes the policy learns by.
    fn coding(&self) -> Coding {
        Coding::Plain
    }

    /// Learns from one simulation, from the root to its end; not called where nothing is recorded.
    fn learn(&mut self, _record: &Record, _payoffs: &[f32]) {}

    /// A move was played: keeps, fades or forgets what was learned, before the next search begins.
    fn between_turns(&mut self) {}

    /// A match begins: forgets all.
    fn new_match(&mut self) {}
}

/// The one player who did best; `None` where the best is shared. Who plays alone wins by getting more
/// than half.
pub fn single_winner(payoffs: &[f32]) -> Option<Player> {
    if let [alone] = payoffs {
        return (*alone > 0.5).then_some(Player::FIRST);
    }
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut winners = payoffs.iter().enumerate().filter(|&(_, &payoff)| payoff == best);
    let (winner, _) = winners.next()?;
    winners.next().is_none().then_some(Player(winner as u8))
}
