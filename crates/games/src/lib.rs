//! Games written in Rust: eight board games on boards of any size from 3×3 to 16×16, and 7 Wonders.
//!
//! ```
//! use ludex_games::{Options, builtin};
//!
//! let game = builtin("breakthrough", &Options { size: Some("6x6".parse()?), ..Options::default() })?;
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
pub mod gdl;
mod grid;
mod hash;
pub mod ludemes;
pub mod seven_wonders;
mod sites;
mod size;
mod stones;
mod strings;
mod verdict;

use std::sync::Arc;

use ludex_game::bits::EVERY_SIZE;
use ludex_game::{Game, closest, erase};

use domineering::Domineering;
use forward::{Forward, Knights, Pawns, Walk};
use seven_wonders::components::Components;
use seven_wonders::{Payments, SevenWonders, Sides};
use stones::{Capture, Forbidden, Stones, Wins};
use verdict::Verdict;

pub use error::GamesError;
pub use size::Size;

/// What can be chosen when a built-in game is built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The size of the board; 8×8 if not said.
    pub size: Option<Size>,
    /// How many play 7 Wonders; three if not said.
    pub players: Option<usize>,
    /// The sides of the boards of 7 Wonders; A if not said.
    pub sides: Option<Sides>,
    /// The ways to pay that are listed in 7 Wonders; the cheapest if not said.
    pub payments: Option<Payments>,
    /// The cards and boards of 7 Wonders; those that come with the program if not said.
    pub components: Option<Components>,
}

impl Options {
    /// Refuses options that are for 7 Wonders.
    fn for_boards(&self, game: &'static str) -> Result<Size, GamesError> {
        let refuse = |option| Err(GamesError::NoSuchOption { game, option });
        match self {
            Options { players: Some(_), .. } => refuse("players"),
            Options { sides: Some(_), .. } => refuse("sides"),
            Options { payments: Some(_), .. } => refuse("payments"),
            Options { components: Some(_), .. } => refuse("components"),
            _ => Ok(self.size.unwrap_or_default()),
        }
    }
}

/// The version of the rules of the games written in Rust. Results are kept under it: it goes up whenever one
/// of these games is no longer the same game.
pub const RULES_VERSION: u32 = 1;

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
    ("atarigo", stones::<Wins>),
    ("breakthrough", |name, options| race::<Pawns>(name, options, Verdict::Normal)),
    ("misere-breakthrough", |name, options| race::<Pawns>(name, options, Verdict::Misere)),
    ("domineering", |name, options| dominoes(name, options, Verdict::Normal)),
    ("misere-domineering", |name, options| dominoes(name, options, Verdict::Misere)),
    ("knightthrough", |name, options| race::<Knights>(name, options, Verdict::Normal)),
    ("misere-knightthrough", |name, options| race::<Knights>(name, options, Verdict::Misere)),
    ("nogo", stones::<Forbidden>),
    ("7-wonders", wonders),
];

fn race<W: Walk>(
    name: &'static str,
    options: &Options,
    verdict: Verdict,
) -> Result<Arc<dyn Game>, GamesError> {
    let size = options.for_boards(name)?;
    Ok(match size.words() {
        1 => erase(Forward::<W, 1>::new(name, size, verdict)),
        2 => erase(Forward::<W, 2>::new(name, size, verdict)),
        3 if EVERY_SIZE => erase(Forward::<W, 3>::new(name, size, verdict)),
        _ => erase(Forward::<W, 4>::new(name, size, verdict)),
    })
}

fn dominoes(
    name: &'static str,
    options: &Options,
    verdict: Verdict,
) -> Result<Arc<dyn Game>, GamesError> {
    let size = options.for_boards(name)?;
    Ok(match size.words() {
        1 => erase(Domineering::<1>::new(name, size, verdict)),
        2 => erase(Domineering::<2>::new(name, size, verdict)),
        3 if EVERY_SIZE => erase(Domineering::<3>::new(name, size, verdict)),
        _ => erase(Domineering::<4>::new(name, size, verdict)),
    })
}

fn stones<L: Capture>(name: &'static str, options: &Options) -> Result<Arc<dyn Game>, GamesError> {
    let size = options.for_boards(name)?;
    Ok(match size.words() {
        1 => erase(Stones::<L, 1, 64>::new(name, size)),
        2 => erase(Stones::<L, 2, 128>::new(name, size)),
        3 if EVERY_SIZE => erase(Stones::<L, 3, 192>::new(name, size)),
        _ => erase(Stones::<L, 4, 256>::new(name, size)),
    })
}

fn wonders(name: &'static str, options: &Options) -> Result<Arc<dyn Game>, GamesError> {
    if options.size.is_some() {
        return Err(GamesError::NoSuchOption { game: name, option: "size" });
    }
    let players = options.players.unwrap_or(3);
    if !(3..=seven_wonders::components::MAX_PLAYERS).contains(&players) {
        return Err(GamesError::PlayersOutOfRange { game: name, players, least: 3, most: 7 });
    }
    let (sides, payments) =
        (options.sides.unwrap_or_default(), options.payments.unwrap_or_default());
    Ok(erase(match &options.components {
        Some(own) => SevenWonders::with_components(own.clone(), players, sides, payments),
        None => SevenWonders::new(players, sides, payments),
    }))
}
