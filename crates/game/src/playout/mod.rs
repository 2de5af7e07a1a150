//! Playouts: a whole game played by a policy that is known statically, without allocating.

mod decisive;
mod exp;
mod gibbs;
mod grams;
mod greedy;
mod kernel;
mod ngram;
mod patterns;
mod record;
mod replies;
mod sets;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod wide;

use std::any::Any;

pub use decisive::Decisive;
pub use exp::{EXP_BOUND, exp};
pub use gibbs::{Gibbs, Odds, draw};
pub use grams::{Contexts, GramTable, MAX_GRAM};
pub use greedy::Greedy;
pub use kernel::{Kernel, Sampling, UniformListing};
pub use ngram::{Draw, Ngram};
pub use patterns::Patterns;
pub use record::{Record, Recording, Step};
pub use replies::{Composed, Replies};
pub use sets::{MAX_SETS, total_of_sets};
pub use tables::CodeTable;

use decisive::Probes;
pub(crate) use patterns::run_patterns;

use crate::{Coding, Listing, Move, Player, PlayerSet, Rng, Rules, Turn};

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
    /// Places in the listing that a decisive playout draws from, and their codes.
    places: Vec<usize>,
    place_codes: Vec<u32>,
    /// States of the game last played with decisive moves; only it knows their type.
    probes: Option<Box<dyn Any + Send>>,
}

/// Plays until the game is over or so many plies are played; `choose` fills in the moves of the players.
#[inline]
pub(crate) fn play_on<R: Rules + ?Sized>(
    rules: &R,
    state: &mut R::State,
    rng: &mut Rng,
    limit: u32,
    mut choose: impl FnMut(&R::State, PlayerSet, &mut [Move], &mut Rng),
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
                choose(state, players, &mut joint, rng);
                players.len()
            }
        };
        rules.apply(state, &joint[..count]);
    }
    limit
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
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        scratch.record.begin_ply();
        for (slot, player) in joint.iter_mut().zip(players) {
            *slot = choose(rules, state, player, kernel, style, scratch, rng);
        }
    })
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
    let (coding, recording) = (kernel.coding(), scratch.recording);
    let legal_needed = matches!(recording, Recording::Legal | Recording::Sets);
    let explores = kernel.explores(rng);
    if explores && !legal_needed && style == Style::Optimised {
        let mv = rules.random_move(state, player, rng, &mut scratch.buffer);
        if recording == Recording::Chosen {
            scratch.record.push_chosen(player, rules.code(state, player, mv, coding));
        }
        return mv;
    }
    let Scratch { record, listing, .. } = scratch;
    let sets_will_do = K::SETS && R::CODE_SETS > 0 && R::CODE_SETS <= MAX_SETS;
    if sets_will_do
        && style == Style::Optimised
        && coding == Coding::Plain
        && recording != Recording::Legal
        && !explores
    {
        let sets = &mut [0; MAX_SETS][..R::CODE_SETS];
        rules.code_sets(state, player, sets);
        let code = kernel.pick_from_sets(player, sets, rng);
        match recording {
            Recording::Sets => record.push_sets(player, sets, code, kernel.total()),
            Recording::Chosen => record.push_chosen(player, code),
            Recording::Nothing | Recording::Legal => {}
        }
        return rules.decode(state, player, code, coding);
    }
    if R::DECODES && style == Style::Optimised && legal_needed && !explores {
        let from = record.list_legal(|codes| rules.list_codes(state, player, coding, codes));
        let index = kernel.pick(record, player, record.listed(from), rng);
        let code = record.listed(from)[index];
        record.push_listed(player, from, index, kernel.total());
        return rules.decode(state, player, code, coding);
    }
    listing.clear();
    if R::DECODES && style == Style::Optimised && !explores {
        rules.list_codes(state, player, coding, &mut listing.codes);
        let index = kernel.pick(record, player, &listing.codes, rng);
        record.push(player, &listing.codes, index, recording);
        return rules.decode(state, player, listing.codes[index], coding);
    }
    // Learning from the legal moves needs to know exactly which they are.
    if style == Style::Standard || legal_needed {
        rules.list(state, player, coding, listing);
        let index = pick(kernel, explores, record, player, &listing.codes, rng);
        record.push(player, &listing.codes, index, recording);
        return listing.moves[index];
    }
    rules.candidates(state, player, coding, listing);
    let mut index = pick(kernel, explores, record, player, &listing.codes, rng);
    while !rules.admits(state, player, listing.moves[index]) {
        listing.moves.swap_remove(index);
        listing.codes.swap_remove(index);
        index = if explores {
            rng.below(listing.codes.len() as u32) as usize
        } else {
            kernel.pick_again(index, record, player, &listing.codes, rng)
        };
    }
    record.push(player, &listing.codes, index, recording);
    listing.moves[index]
}

/// The kernel's choice, or a uniform one where it explores.
#[inline]
fn pick<K: Kernel>(
    kernel: &mut K,
    explores: bool,
    record: &Record,
    player: Player,
    codes: &[u32],
    rng: &mut Rng,
) -> usize {
    if explores {
        return rng.below(codes.len() as u32) as usize;
    }
    kernel.pick(record, player, codes, rng)
}

/// Runs one playout that looks for decisive moves before it draws.
pub(crate) fn run_decisive<R: Rules>(
    rules: &R,
    state: &mut R::State,
    kernel: &mut Composed,
    style: Style,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let kept = scratch.probes.take().and_then(|probes| probes.downcast().ok());
    let mut probes: Box<Probes<R::State>> = kept.unwrap_or_else(|| Box::new(Probes::new(state)));
    let plies = play_on(rules, state, rng, limit, |state, players, joint, rng| {
        scratch.record.begin_ply();
        for (slot, player) in joint.iter_mut().zip(players) {
            *slot = if players.len() == 1 {
                choose_decisively(rules, state, player, kernel, scratch, &mut probes, rng)
            } else {
                choose(rules, state, player, kernel, style, scratch, rng)
            };
        }
    });
    scratch.probes = Some(probes);
    plies
}

/// Draws a lone mover's move among those that decide, or among all where none does.
fn choose_decisively<R: Rules>(
    rules: &R,
    state: &R::State,
    player: Player,
    kernel: &mut Composed,
    scratch: &mut Scratch,
    probes: &mut Probes<R::State>,
    rng: &mut Rng,
) -> Move {
    scratch.listing.clear();
    decisive::list(rules, state, player, kernel.coding(), kernel.decisive, scratch, probes);
    let Scratch { record, listing, places, place_codes, .. } = scratch;
    place_codes.clear();
    place_codes.extend(places.iter().map(|&at| listing.codes[at]));
    let index = places[kernel.pick(record, player, place_codes, rng)];
    record.push(player, &listing.codes, index, scratch.recording);
    listing.moves[index]
}

/// One uniform playout that lists every move and draws one.
pub fn play_listing<R: Rules + ?Sized>(
    rules: &R,
    state: &mut R::State,
    rng: &mut Rng,
    limit: u32,
    moves: &mut Vec<Move>,
) -> u32 {
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        for (slot, player) in joint.iter_mut().zip(players) {
            moves.clear();
            rules.moves(state, player, moves);
            *slot = moves[rng.below(moves.len() as u32) as usize];
        }
    })
}

/// Runs one uniform playout that records the moves it chose.
pub(crate) fn run_uniform_recorded<R: Rules>(
    rules: &R,
    state: &mut R::State,
    coding: Coding,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        scratch.record.begin_ply();
        for (slot, player) in joint.iter_mut().zip(players) {
            *slot = rules.random_move(state, player, rng, &mut scratch.buffer);
            let code = rules.code(state, player, *slot, coding);
            scratch.record.push_chosen(player, code);
        }
    })
}
