//! What can go wrong when matches are planned, played and kept.

use std::path::PathBuf;

use crate::catalog::CatalogError;

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
    /// An experiment file is wrong; the text shows where.
    #[error("{0}")]
    Experiment(String),
    /// A game of an experiment cannot be had.
    #[error("{game}: {source}")]
    Catalog {
        /// The game as it was named.
        game: String,
        /// Why.
        source: CatalogError,
    },
    /// A program cannot play this game in its protocol.
    #[error("{engine} cannot play: {reason}")]
    Unfit {
        /// The engine.
        engine: String,
        /// Why not.
        reason: String,
    },
    /// A store was to be added to itself.
    #[error("{}: a store cannot be added to itself", .path.display())]
    Itself {
        /// The store.
        path: PathBuf,
    },
    /// A match was told to end before the game did.
    #[error("the match was stopped")]
    Stopped,
    /// A match ended the program's thread it was played on.
    #[error("the match of {game} with seed {seed} failed: {reason}")]
    Panicked {
        /// The game.
        game: String,
        /// The seed of the match.
        seed: u64,
        /// What the panic said.
        reason: String,
    },
    /// The store is some other kind of file.
    #[error("{} is not a result store of this program; it was left as it is", .path.display())]
    ForeignStore {
        /// The file.
        path: PathBuf,
    },
    /// The store was made by another version.
    #[error(
        "{} has store version {found}, this program writes version {expected}; it was left as it \
         is, choose another file with --store", .path.display()
    )]
    StoreVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// Ours.
        expected: i32,
    },
    /// The store cannot be written.
    #[error("{} cannot be written", .path.display())]
    UnwritableStore {
        /// The file.
        path: PathBuf,
    },
    /// There is no such store, and it cannot be made.
    #[error("{} cannot be opened: there is no such file or folder", .path.display())]
    NoStore {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left.
    #[error(
        "the disk is full, {} keeps what was finished before; make room and run again to go on",
        .path.display()
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Anything else about the store.
    #[cfg(feature = "matches")]
    #[error("{}: {source}", .path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What the database says.
        source: rusqlite::Error,
    },
    /// A file of learned opening policies cannot be used.
    #[error("{}: {reason}", .path.display())]
    Openings {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot read or write {}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no such table of a paper.
    #[error("there is no table `{name}`; there are {known}")]
    NoSuchTable {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A file cannot be read, written or understood.
    #[error("{path}: {reason}")]
    Unusable {
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
    /// Two stores have different results of one match.
    #[error(
        "{} has another result of match {number} of this cell (version {theirs}, here {ours}); nothing was \
         merged: {key}", .part.display()
    )]
    Conflict {
        /// The cell.
        key: String,
        /// The match.
        number: u64,
        /// The version that played ours.
        ours: String,
        /// The version that played the other.
        theirs: String,
        /// The other store.
        part: PathBuf,
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
