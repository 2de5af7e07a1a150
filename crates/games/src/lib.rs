//! Games written in Rust: the eight of the first paper, on boards of any size.
//!
//! ```
//! use ludex_games::{Options, builtin};
//!
//! let game = builtin("breakthrough", &Options { size: Some("6x6".parse()?) })?;
//! assert_eq!(ludex_game::perft(&*game, &game.start(), 3), [16, 256, 4308]);
//! let slip = builtin("braekthrough", &Options::default()).err().unwrap();
//! assert_eq!(
//!     slip.to_string(),
//!     "there is no built-in game `braekthrough`, did you mean `breakthrough`?"
//! );
//! # Ok::<(), ludex_games::GamesError>(())
//! ```

mod attributes;
mod domineering;
mod error;
mod forward;
mod grid;
mod size;
mod verdict;

use std::sync::Arc;

use ludex_game::{Game, closest, erase};

use domineering::Domineering;
use forward::{Forward, Knights, Pawns, Walk};
use verdict::Verdict;

pub use error::GamesError;
pub use size::Size;

/// What can be chosen when a built-in game is built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The size of the board; 8×8 if not said.
    pub size: Option<Size>,
}

/// Every built-in game's name.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|&(name, _)| name)
}

/// Builds a built-in game.
pub fn builtin(name: &str, options: &Options) -> Result<Arc<dyn Game>, GamesError> {
    match BUILTINS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((name, build)) => build(name, options),
        None => {
            let closest = closest(&name.to_lowercase(), names());
            Err(GamesError::UnknownGame { name: name.to_string(), closest })
        }
    }
}

type Build = fn(&'static str, &Options) -> Result<Arc<dyn Game>, GamesError>;

const BUILTINS: &[(&str, Build)] = &[
    ("breakthrough", |name, options| race::<Pawns>(name, options, Verdict::Normal)),
    ("misere-breakthrough", |name, options| race::<Pawns>(name, options, Verdict::Misere)),
    ("domineering", |name, options| dominoes(name, options, Verdict::Normal)),
    ("misere-domineering", |name, options| dominoes(name, options, Verdict::Misere)),
    ("knightthrough", |name, options| race::<Knights>(name, options, Verdict::Normal)),
    ("misere-knightthrough", |name, options| race::<Knights>(name, options, Verdict::Misere)),
];

fn race<W: Walk>(
    name: &'static str,
    options: &Options,
    verdict: Verdict,
) -> Result<Arc<dyn Game>, GamesError> {
    let size = options.size.unwrap_or_default();
    Ok(match size.words() {
        1 => erase(Forward::<W, 1>::new(name, size, verdict)),
        2 => erase(Forward::<W, 2>::new(name, size, verdict)),
        3 => erase(Forward::<W, 3>::new(name, size, verdict)),
        _ => erase(Forward::<W, 4>::new(name, size, verdict)),
    })
}

fn dominoes(
    name: &'static str,
    options: &Options,
    verdict: Verdict,
) -> Result<Arc<dyn Game>, GamesError> {
    let size = options.size.unwrap_or_default();
    Ok(match size.words() {
        1 => erase(Domineering::<1>::new(name, size, verdict)),
        2 => erase(Domineering::<2>::new(name, size, verdict)),
        3 => erase(Domineering::<3>::new(name, size, verdict)),
        _ => erase(Domineering::<4>::new(name, size, verdict)),
    })
}
