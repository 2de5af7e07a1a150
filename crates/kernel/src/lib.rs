//! A second, compact form of a game: sets of sites in a few words, and families of moves that are counted
//! and picked instead of listed.
//!
//! `build` writes it from the same typed rules that the general evaluator runs, and proves while it does so
//! that nothing is lost: a rule it has no code for makes it refuse, with the reason in words, and the
//! general evaluator plays the game. `code` is what it writes, `run` is the machine that plays it, a full
//! [`Rules`](ludex_game::Rules) of its own with the same texts of moves.

mod build;
mod code;
mod history;
mod liberties;
mod run;
mod seeds;
mod stones;

use ludex_game::bits::EVERY_SIZE;
use ludex_game::{Game, GameError, erase};
use ludex_lud::game::{Compiled, Mode};
use ludex_lud::ir::MovesKind;
use ludex_lud::ir::visit::Part;
use ludex_lud::playable::Ludemes;
use std::fmt;
use std::sync::Arc;

use run::Unrepeated;
pub use run::{Kernel, Position};

/// Why a game has no kernel: the rule there is no code for, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Refusal(reason.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the compiler gives: a part of the code, or why there is none.
type Built<T> = Result<T, Refusal>;

/// A game in its fastest form: the kernel where the rules allow it, else the general evaluator.
pub fn fastest(game: Compiled) -> Result<Arc<dyn Game>, GameError> {
    let general = Ludemes::new(game)?;
    match kernel(&general) {
        Ok(kernel) => Ok(kernel),
        Err(refusal) => Ok(erase(general.without_kernel(&refusal.0))),
    }
}

/// A game as the general evaluator plays it. Whoever calls this leaves the evaluator's playouts compiled here, once.
pub fn standard(game: Compiled) -> Result<Arc<dyn Game>, GameError> {
    Ok(erase(Ludemes::new(game)?))
}

/// The fastest form of a game that has one of its own.
pub fn kernel(general: &Ludemes) -> Result<Arc<dyn Game>, Refusal> {
    let game = general.compiled();
    if game.is_match() {
        return Err(Refusal::new("several games"));
    }
    if game.board_sites() == 0 {
        return Err(Refusal::new("a board without sites"));
    }
    if game.mode != Mode::Alternating {
        return Err(Refusal::new("no players who move in turn"));
    }
    if game.random {
        return Err(Refusal::new("random numbers take part"));
    }
    if game.rolls_later {
        return Err(Refusal::new("dice that are thrown after a move"));
    }
    let labels = &game.topo.plane(game.topo.default).label;
    let distinct: rustc_hash::FxHashSet<&str> = labels.iter().map(|label| &**label).collect();
    if distinct.len() < labels.len() {
        return Err(Refusal::new("two sites have the same name"));
    }
    if game.large_pieces {
        return families(general);
    }
    let mut sowing = None;
    if game.counts {
        match seeds::seeds(general) {
            Ok(game) => return Ok(game),
            Err(refusal) => sowing = Some(refusal).filter(|_| sows(game)),
        }
    }
    if let Ok(game) = stones::stones(general).or_else(|_| liberties::liberties(general)) {
        return Ok(game);
    }
    families(general).map_err(|refusal| sowing.unwrap_or(refusal))
}

/// Whether seeds are sown, which the machine of seeds alone can do: its reason counts where it refuses.
fn sows(game: &Compiled) -> bool {
    game.mentions(
        &mut |part| matches!(part, Part::Moves(moves) if matches!(moves.kind, MovesKind::Sow(_))),
    )
}

/// The form by sets of sites and families of moves.
fn families(general: &Ludemes) -> Result<Arc<dyn Game>, Refusal> {
    let code = build::build(general)?;
    let (sites, slots) = (code.sites, code.slot_count);
    if let Some(kind) = general.compiled().meta.no_repeat {
        return Ok(match (sites, slots) {
            (..=64, ..=32) => erase(Unrepeated::new(Kernel::<1, 32>::new(code, general), kind)),
            (..=128, ..=16) if EVERY_SIZE => {
                erase(Unrepeated::new(Kernel::<2, 16>::new(code, general), kind))
            }
            (..=128, ..=64) => erase(Unrepeated::new(Kernel::<2, 64>::new(code, general), kind)),
            (..=384, ..=8) => erase(Unrepeated::new(Kernel::<6, 8>::new(code, general), kind)),
            _ => return Err(too_many(sites, slots)),
        });
    }
    Ok(match (sites, slots) {
        (..=64, ..=8) if EVERY_SIZE => erase(Kernel::<1, 8>::new(code, general)),
        (..=64, ..=32) => erase(Kernel::<1, 32>::new(code, general)),
        (..=64, ..=96) => erase(Kernel::<1, 96>::new(code, general)),
        (..=128, ..=16) if EVERY_SIZE => erase(Kernel::<2, 16>::new(code, general)),
        (..=128, ..=32) if EVERY_SIZE => erase(Kernel::<2, 32>::new(code, general)),
        (..=128, ..=64) => erase(Kernel::<2, 64>::new(code, general)),
        (..=256, ..=8) if EVERY_SIZE => erase(Kernel::<4, 8>::new(code, general)),
        (..=256, ..=32) if EVERY_SIZE => erase(Kernel::<4, 32>::new(code, general)),
        (..=384, ..=8) => erase(Kernel::<6, 8>::new(code, general)),
        _ => return Err(too_many(sites, slots)),
    })
}

fn too_many(sites: usize, slots: usize) -> Refusal {
    Refusal::new(format!("{sites} sites and {slots} sets of pieces are too many"))
}
