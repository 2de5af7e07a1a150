//! From a game's name or file, with its options, to a game that can be played.

mod kif;
mod spec;
mod wonders;

use std::path::Path;
use std::sync::Arc;

use ludex_game::{Game, GameError, closest, erase};
use ludex_games::{GamesError, Options, ludemes};
use ludex_lud::{Ludemes, kernel};

use crate::ArenaError;
use crate::ludemes::Defines;
use crate::ludemes::library::read_text;

pub use kif::{FaultyRules, compile_kif};
pub use spec::{GameSpec, SpecError};
pub use wonders::read_components;

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A built-in game refused its name or options.
    #[error(transparent)]
    Builtin(#[from] GamesError),
    /// A rules file is wrong; the findings say where.
    #[error(transparent)]
    Faulty(#[from] FaultyRules),
    /// A game cannot be built as asked.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A rules file cannot be read.
    #[error("cannot read {path}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Rules that are nowhere.
    #[error(
        "there is no file {name} and no description of our own under this name; an experiment finds \
         the Base repository's rules in the folder that --rules or LUDEX_RULES names"
    )]
    NoRules {
        /// The file.
        name: String,
    },
    /// A built-in game does not have an option that was selected.
    #[error("{game} has no option `{option}`{known}")]
    NoSuchOption {
        /// The game.
        game: String,
        /// What was selected.
        option: String,
        /// What could be.
        known: &'static str,
    },
    /// A `.lud` file or its library cannot be used.
    #[error(transparent)]
    Rules(#[from] Box<ArenaError>),
}

/// Finds and builds a game: a file with rules, a game written in Rust, or one of our own
/// descriptions, in this order. `NAME.lud` is the description where both have the name.
pub fn load(spec: &GameSpec) -> Result<Arc<dyn Game>, CatalogError> {
    load_with(spec, None)
}

/// The same, with a folder where `.kif` files are looked for that are neither here nor among our own.
pub fn load_with(spec: &GameSpec, rules: Option<&Path>) -> Result<Arc<dyn Game>, CatalogError> {
    if spec.name.ends_with(".kif") {
        return kif::load(spec, rules);
    }
    if let Some(name) = spec.name.strip_suffix(".lud") {
        let path = Path::new(&spec.name);
        return match ludemes::description(name) {
            Some(text) if !path.exists() => from_ludemes(&spec.name, text, spec),
            _ => from_ludemes(&spec.name, &read_text(path).map_err(Box::new)?, spec),
        };
    }
    match ludemes::description(&spec.name) {
        Some(text) if !is_rust(&spec.name) => from_ludemes(&spec.name, text, spec),
        _ => from_rust(spec),
    }
}

fn from_rust(spec: &GameSpec) -> Result<Arc<dyn Game>, CatalogError> {
    let options = builtin_options(spec)?;
    ludex_games::builtin(&spec.name, &options).map_err(|error| match error {
        GamesError::UnknownGame { name, .. } => {
            let described = ludemes::DESCRIPTIONS.iter().map(|(name, _)| *name);
            let closest = closest(&name.to_lowercase(), ludex_games::names().chain(described));
            GamesError::UnknownGame { name, closest }.into()
        }
        other => other.into(),
    })
}

fn from_ludemes(name: &str, text: &str, spec: &GameSpec) -> Result<Arc<dyn Game>, CatalogError> {
    let defines = match &spec.defs {
        Some(folder) => Defines::read(folder).map_err(Box::new)?,
        None => Defines::none(),
    };
    let compiled = defines
        .compile(text, &spec.options)
        .map_err(|error| Box::new(ArenaError::Rules(defines.explain(&error, name, text))))?;
    match spec.standard {
        true => Ok(erase(Ludemes::new(compiled)?)),
        false => Ok(kernel::fastest(compiled)?),
    }
}

fn is_rust(name: &str) -> bool {
    ludex_games::names().any(|known| known.eq_ignore_ascii_case(name))
}

fn builtin_options(spec: &GameSpec) -> Result<Options, CatalogError> {
    let mut options = Options {
        size: spec.size.as_deref().map(str::parse).transpose()?,
        players: spec.players,
        sides: spec.sides.as_deref().map(str::parse).transpose()?,
        ..Options::default()
    };
    let wonders = spec.name.eq_ignore_ascii_case("7-wonders");
    for option in &spec.options {
        let (category, item) = option.split_once('/').unwrap_or((option, ""));
        match category.to_ascii_lowercase().as_str() {
            "components" if wonders => options.components = Some(read_components(Path::new(item))?),
            "payments" if wonders => options.payments = Some(item.parse()?),
            _ => {
                let known = match wonders {
                    true => {
                        "; there are Components/FILE.toml and Payments/cheapest or Payments/all"
                    }
                    false => "",
                };
                let (game, option) = (spec.name.clone(), option.clone());
                return Err(CatalogError::NoSuchOption { game, option, known });
            }
        }
    }
    Ok(options)
}

/// Every built-in game in its default form.
pub fn builtins() -> impl Iterator<Item = GameSpec> {
    let described = ludemes::DESCRIPTIONS.iter().map(|(name, _)| match is_rust(name) {
        true => format!("{name}.lud"),
        false => name.to_string(),
    });
    ludex_games::names().map(str::to_string).chain(described).map(GameSpec::named)
}
