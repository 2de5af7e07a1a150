//! What can go wrong when a game is judged.

use ludex_arena::ArenaError;
use ludex_arena::catalog::CatalogError;

/// Why there is no judgement.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Playing went wrong.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The game cannot be had.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// An agent cannot play the game.
    #[error(transparent)]
    Game(#[from] ludex_game::GameError),
    /// There is nobody whose play could be judged.
    #[error("{game} has no players: nobody chooses a move, so there is nothing to judge")]
    NoPlayers {
        /// The game.
        game: String,
    },
    /// The run was told to stop.
    #[error("stopped; the same command goes on where this one left off")]
    Stopped,
    /// What was asked for makes no sense, in a sentence.
    #[error("{0}")]
    Asked(String),
    /// A file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        reason: String,
    },
    /// Rules that cannot be used, explained.
    #[error("{0}")]
    Rules(String),
}

impl JudgeError {
    /// A file that cannot be read or written.
    pub fn file(path: &std::path::Path, error: impl std::fmt::Display) -> Self {
        JudgeError::File { path: path.display().to_string(), reason: error.to_string() }
    }
}
