//! From a game's name or file, with its options, to a game that can be played.

mod spec;

use std::sync::Arc;

use ludex_game::Game;
use ludex_games::{GamesError, Options};

pub use spec::{GameSpec, SpecError};

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A built-in game refused its name or options.
    #[error(transparent)]
    Builtin(#[from] GamesError),
}

/// Finds and builds a game.
pub fn load(spec: &GameSpec) -> Result<Arc<dyn Game>, CatalogError> {
    Ok(ludex_games::builtin(&spec.name, &builtin_options(spec)?)?)
}

fn builtin_options(spec: &GameSpec) -> Result<Options, CatalogError> {
    Ok(Options {
        size: spec.size.as_deref().map(str::parse).transpose()?,
        players: spec.players,
        sides: spec.sides.as_deref().map(str::parse).transpose()?,
        ..Options::default()
    })
}

/// Every built-in game in its default form.
pub fn builtins() -> impl Iterator<Item = GameSpec> {
    ludex_games::names().map(GameSpec::named)
}
