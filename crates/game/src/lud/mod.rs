//! Games from ludemes: the checked description is lowered to a compact typed form, and a general
//! evaluator plays it exactly, listing every change a move makes.

pub mod action;
mod attributes;
mod ctx;
mod dice;
mod draw;
mod eval;
mod facing;
pub mod game;
pub mod ir;
pub mod kernel;
mod look;
mod lower;
pub mod memo;
pub mod moves;
pub mod owned;
mod pick;
mod playable;
pub mod rules;
mod show;
pub mod sites;
pub mod state;
pub mod topo;

pub use ctx::{Binds, Chance, Ctx, Source};
pub use game::Compiled;
use ludex_lang::diagnostic::Diagnostic;
use ludex_lang::lud::{Description, check};
pub use playable::{Ludemes, Position};

/// Compiles a description, or says what is wrong with it or not supported.
pub fn compile(description: &Description) -> Result<Compiled, Box<Diagnostic>> {
    let kind = match description.game.head() {
        Some("match") => "Match",
        _ => "Game",
    };
    let call = check::check(&description.game, kind, &description.expansions).map_err(Box::new)?;
    lower::lower(description, &call)
}
