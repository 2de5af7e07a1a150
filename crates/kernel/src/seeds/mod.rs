//! Games of seeds in holes: a position is a count for each hole, and sowing is counting on.
//!
//! `build` writes the rules down over counts and sets of at most 64 holes, and refuses in words whatever
//! else they speak of; `run` plays them, finding all effects of a move before making them, as the general
//! evaluator does.

mod build;
mod code;
mod effects;
mod eval;
mod position;
mod rules;
mod run;
mod sift;

use super::Refusal;
use ludex_game::{Game, erase};
use ludex_lud::playable::Ludemes;
use std::sync::Arc;

/// The form of a game of seeds.
pub(super) fn seeds(general: &Ludemes) -> Result<Arc<dyn Game>, Refusal> {
    let code = build::build(general)?;
    Ok(erase(rules::Seeds::new(code, general)))
}
