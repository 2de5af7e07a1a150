//! Playouts: a whole game played by a policy that is known statically, without allocating.

mod kernel;
mod record;

pub use kernel::{Kernel, Sampling, UniformListing};
pub use record::{Record, Recording, Step};

use crate::{Listing, Move, Player, PlayerSet, Rng, Rules, Turn};

/// Which playout implementation to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// The fastest the rules allow: count and pick, rejection, incremental ends.
    #[default]
    Optimised,
    /// List every legal move, choose one.
    Standard,
}

/// Memory a caller lends to playouts; nothing in it carries meaning from one to the next except
/// [`Scratch::record`], which search fills with the moves of the tree and a playout continues.
#[derive(Default, Debug)]
pub struct Scratch {
    /// The moves of this simulation so far.
    pub record: Record,
    /// How much to record.
    pub recording: Recording,
    pub(crate) listing: Listing,
    pub(crate) buffer: Vec<Move>,
}

/// Runs one playout by a sampling kernel and returns the number of plies.
pub(crate) fn run<R: Rules, K: Kernel>(
    rules: &R,
    state: &mut R::State,
    kernel: &mut K,
    style: Style,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    for ply in 0..limit {
        let count = match rules.turn(state) {
            Turn::Over => return ply,
            Turn::Chance => {
                joint[0] = rules.sample_chance(state, rng);
                1
            }
            Turn::Players(players) => {
                scratch.record.begin_ply();
                for (slot, player) in joint.iter_mut().zip(players) {
                    *slot = choose(rules, state, player, kernel, style, scratch, rng);
                }
                players.len()
            }
        };
        rules.apply(state, &joint[..count]);
    }
    limit
}

/// Draws one player's move and records it.
#[inline]
fn choose<R: Rules, K: Kernel>(
    rules: &R,
    state: &R::State,
    player: Player,
    kernel: &mut K,
    style: Style,
    scratch: &mut Scratch,
    rng: &mut Rng,
) -> Move {
    let coding = kernel.coding();
    let listing = &mut scratch.listing;
    listing.clear();
    // Learning from the legal moves needs to know exactly which they are.
    if style == Style::Standard || scratch.recording == Recording::Legal {
        rules.list(state, player, coding, listing);
        let index = kernel.pick(&scratch.record, player, &listing.codes, rng);
        scratch.record.push(player, &listing.codes, index, scratch.recording);
        return listing.moves[index];
    }
    rules.candidates(state, player, coding, listing);
    loop {
        let index = kernel.pick(&scratch.record, player, &listing.codes, rng);
        if rules.admits(state, player, listing.moves[index]) {
            scratch.record.push(player, &listing.codes, index, scratch.recording);
            return listing.moves[index];
        }
        // Drawing again among the others, in proportion to their weights, is drawing among the legal ones.
        listing.moves.swap_remove(index);
        listing.codes.swap_remove(index);
    }
}

/// Runs one uniform playout that records the moves it chose.
pub(crate) fn run_uniform_recorded<R: Rules>(
    rules: &R,
    state: &mut R::State,
    coding: crate::Coding,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    for ply in 0..limit {
        let count = match rules.turn(state) {
            Turn::Over => return ply,
            Turn::Chance => {
                joint[0] = rules.sample_chance(state, rng);
                1
            }
            Turn::Players(players) => {
                scratch.record.begin_ply();
                for (slot, player) in joint.iter_mut().zip(players) {
                    *slot = rules.random_move(state, player, rng, &mut scratch.buffer);
                    let code = rules.code(state, player, *slot, coding);
                    scratch.record.push_chosen(player, code);
                }
                players.len()
            }
        };
        rules.apply(state, &joint[..count]);
    }
    limit
}
