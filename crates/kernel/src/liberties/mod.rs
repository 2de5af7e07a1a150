//! Games in which stones are placed and chains without liberties are taken or forbidden: a machine of its own.
//!
//! `board` keeps chains, their liberties and a hash of the position from move to move; `plan` is what `build` and
//! `ends` find out about the rules, or they say why the game is of another kind. Whether a stone would have a
//! liberty, take what it may not, or bring an earlier position back is asked for the site drawn only.

mod board;
mod build;
mod earlier;
mod ends;
mod plan;
mod playout;
mod position;
mod rules;
mod scores;
mod shown;

use super::{Built, Refusal};
use ludex_game::bits::EVERY_SIZE;
use ludex_game::{Game, erase};
use ludex_lud::playable::Ludemes;
use rules::Liberties;
use std::sync::Arc;

/// The game as a game of liberties, if it is one.
pub(super) fn liberties(general: &Ludemes) -> Built<Arc<dyn Game>> {
    let plan = build::build(general)?;
    let sites = plan.near.len();
    let most = plan.near.iter().map(Vec::len).max().unwrap_or(0);
    Ok(match (sites, most) {
        (..=127, ..=4) if EVERY_SIZE => erase(Liberties::<128, 4>::new(plan, general)),
        (..=127, ..=6) => erase(Liberties::<128, 6>::new(plan, general)),
        (..=511, ..=4) if EVERY_SIZE => erase(Liberties::<512, 4>::new(plan, general)),
        (..=511, ..=6) => erase(Liberties::<512, 6>::new(plan, general)),
        _ => {
            let words = format!("{sites} sites with up to {most} neighbours are too many");
            return Err(Refusal::new(words));
        }
    })
}
