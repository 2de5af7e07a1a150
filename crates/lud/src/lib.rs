//! Games from ludemes: the checked description is lowered to a compact typed form, and a general
//! evaluator plays it exactly, listing every change a move makes.

pub mod action;
pub mod attributes;
pub mod codes;
pub mod ctx;
pub mod dice;
mod draw;
mod ends;
pub mod eval;
mod facing;
pub mod game;
mod hidden;
pub mod ir;
pub mod layer;
mod look;
mod lower;
mod memo;
pub mod moves;
mod owned;
pub mod patience;
mod pick;
pub mod places;
pub mod playable;
mod position;
mod puzzle;
pub mod recall;
mod rules;
pub mod seen;
pub mod show;
pub mod sites;
pub mod state;
pub mod topo;

pub use action::Action;
pub use ctx::{Ctx, Source};
pub use game::{Compiled, Mode};
pub use lower::{Missing, Subgames};
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::{Description, check};
pub use moves::{Mv, flatten};
pub use playable::Ludemes;
pub use position::Position;
pub use puzzle::{MOST_VALUES, Puzzle, Solution, Verdict};

/// Compiles a description, or says what is wrong with it or not supported. There is nowhere to find
/// the games of a match.
pub fn compile(description: &Description) -> Result<Compiled, Box<Diagnostic>> {
    compile_with(description, &Nowhere)
}

/// Compiles a description; the games of a match are found by name.
pub fn compile_with(
    description: &Description,
    games: &dyn Subgames,
) -> Result<Compiled, Box<Diagnostic>> {
    let is_match = description.game.head() == Some("match");
    let kind = if is_match { "Match" } else { "Game" };
    let call = check::check(&description.game, kind, &description.expansions).map_err(Box::new)?;
    match is_match {
        true => lower::lower_match(description, &call, games, 0),
        false => lower::lower(description, &call),
    }
}

/// No games to be found.
struct Nowhere;

impl Subgames for Nowhere {
    fn find(&self, _name: &str, _options: &[String]) -> Result<Description, Missing> {
        Err(Missing::Unknown(Vec::new()))
    }
}
