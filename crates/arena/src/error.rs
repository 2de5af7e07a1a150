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
}
