//! What can go wrong when matches are planned, played and kept.

/// Why the arena stopped.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The number of seats does not fit the game.
    #[error("{game} has {players} players, not {seats}")]
    Seats {
        /// The game.
        game: String,
        /// How many play it.
        players: usize,
        /// How many were seated.
        seats: usize,
    },
    /// A game refused an agent.
    #[error(transparent)]
    Game(#[from] ludex_game::GameError),
    /// A file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Rules that cannot be used, explained.
    #[error("{0}")]
    Rules(String),
}

impl ArenaError {
    /// A file that cannot be read.
    pub fn file(path: &std::path::Path, source: std::io::Error) -> Self {
        ArenaError::File { path: path.to_owned(), source }
    }
}
