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
    /// A file cannot be read, written or understood.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A game without attributes has nothing to make evaluations of.
    #[error("{game} names no attributes, so no evaluation can be evolved for it")]
    NoAttributes {
        /// The game.
        game: String,
    },
}
