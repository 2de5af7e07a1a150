//! Why a game cannot be built.

use crate::Size;

/// Why a built-in game cannot be built as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// There is no game of this name.
    #[error("there is no built-in game `{name}`{}", did_you_mean(.closest))]
    UnknownGame {
        /// The name given.
        name: String,
        /// The name that was probably meant.
        closest: Option<&'static str>,
    },
    /// The text is not a size.
    #[error("`{0}` is not a board size; sizes are columns by rows, such as `8x8`")]
    UnreadableSize(String),
    /// A side is too short or too long.
    #[error("board size {0} is out of range: each side is {least} to {most}", least = Size::SHORTEST, most = Size::LONGEST)]
    SizeOutOfRange(String),
    /// Too few or too many players.
    #[error("{game} is for {least} to {most} players, not {players}")]
    PlayersOutOfRange {
        /// The game's name.
        game: &'static str,
        /// How many were asked for.
        players: usize,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },
    /// A word that is not one of an option's values.
    #[error("`{given}` is not a value of `{option}`: {known}")]
    UnknownValue {
        /// The option's name.
        option: &'static str,
        /// What was given.
        given: String,
        /// The values it has.
        known: &'static str,
    },
    /// The game does not have the option.
    #[error("{game} has no option `{option}`")]
    NoSuchOption {
        /// The game's name.
        game: &'static str,
        /// The option's name.
        option: &'static str,
    },
}

fn did_you_mean(closest: &Option<&'static str>) -> String {
    match closest {
        Some(name) => format!(", did you mean `{name}`?"),
        None => String::new(),
    }
}
