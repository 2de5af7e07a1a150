//! From a game's name or file, with its options, to a game that can be played.

mod content;
mod faults;
mod kif;
mod spec;
mod wonders;
mod words;

use std::path::Path;
use std::sync::Arc;

use ludex_game::{Game, GameError, closest};
use ludex_games::seven_wonders::COMPONENTS;
use ludex_games::{GamesError, Options, ludemes};
use ludex_lang::lud::options::Category;

use crate::ArenaError;
use crate::ludemes::Defines;
use crate::ludemes::library::read_text;

pub use content::RulesKey;
pub use faults::{FaultyDescription, FaultyRules, in_characters};
pub use kif::{compile_kif, compile_kif_as};
pub use spec::{GameSpec, SpecError};
pub use wonders::read_components;
pub use words::{about, rules_in_words};

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A built-in game refused its name or options.
    #[error(transparent)]
    Builtin(#[from] GamesError),
    /// A rules file is wrong; the findings say where.
    #[error(transparent)]
    Faulty(#[from] FaultyRules),
    /// A description in ludemes is wrong or needs what is not built.
    #[error(transparent)]
    Description(#[from] Box<FaultyDescription>),
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
    /// Something that is there, but no rules.
    #[error(
        "{name} is {what}; a game is a built-in name (see `ludex games`) or a .lud or .kif file"
    )]
    NoGame {
        /// Its path.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// A game does not have an option that was selected.
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

/// A game that can be played, and what its results are kept under.
pub struct Found {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The content of its rules.
    pub rules: RulesKey,
    /// What can be chosen about it, each as the command line says it.
    pub options: Vec<String>,
}

/// Where the files that a game names are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// Where `.kif` files are looked for that are neither there nor among our own.
    pub rules: Option<&'a Path>,
}

impl Places<'static> {
    /// Wherever the program was started.
    pub fn here() -> Self {
        Places { folder: Path::new(""), rules: None }
    }
}

/// Finds and builds a game: a file with rules, a game written in Rust, or one of our own
/// descriptions, in this order. `NAME.lud` is the description where both have the name.
pub fn load(spec: &GameSpec) -> Result<Arc<dyn Game>, CatalogError> {
    find(spec, Places::here()).map(|found| found.game)
}

/// The same, with the key of its rules, and files looked for in other places.
pub fn find(spec: &GameSpec, places: Places) -> Result<Found, CatalogError> {
    if spec.name.ends_with(".kif") {
        refuse(spec, &[Setting::Size, Setting::Players, Setting::Sides, Setting::Option])?;
        return kif::load(spec, places);
    }
    match ludeme_text(spec, places)? {
        Some(text) => {
            refuse(spec, &[Setting::Size, Setting::Players, Setting::Sides, Setting::Engine])?;
            from_ludemes(&text, spec, places)
        }
        None => from_rust(spec, places),
    }
}

/// The text of a game's ludeme description; nothing where it comes from something else.
pub fn ludeme_text(spec: &GameSpec, places: Places) -> Result<Option<String>, CatalogError> {
    let described = ludemes::description(spec.name.strip_suffix(".lud").unwrap_or(&spec.name));
    let path = places.folder.join(&spec.name);
    Ok(match described {
        _ if spec.name.ends_with(".kif") => None,
        _ if !spec.name.ends_with(".lud") && is_rust(&spec.name) => None,
        _ if spec.name.ends_with(".lud") && path.exists() => {
            Some(read_text(&path).map_err(Box::new)?)
        }
        Some(text) => Some(text.to_string()),
        None if spec.name.ends_with(".lud") => Some(read_text(&path).map_err(Box::new)?),
        None => None,
    })
}

/// The language of rules that are given as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Ludemes.
    Lud,
    /// GDL.
    Gdl,
}

/// Builds a game from the text of its rules; of `spec`, the options count, and its name is what messages call it.
pub fn find_in_text(
    text: &str,
    language: Language,
    spec: &GameSpec,
    places: Places,
) -> Result<Found, CatalogError> {
    refuse(spec, &[Setting::Size, Setting::Players, Setting::Sides])?;
    match language {
        Language::Lud => {
            refuse(spec, &[Setting::Engine])?;
            from_ludemes(text, spec, places)
        }
        Language::Gdl => {
            refuse(spec, &[Setting::Option])?;
            kif::from_text(text.to_string(), spec)
        }
    }
}

/// Options that belong to one kind of game only.
#[derive(Clone, Copy)]
enum Setting {
    Size,
    Players,
    Sides,
    Option,
    Engine,
}

/// Refuses options that a game of this kind does not have, rather than play something else than was asked for.
fn refuse(spec: &GameSpec, settings: &[Setting]) -> Result<(), CatalogError> {
    let given = |setting: &Setting| match setting {
        Setting::Size => {
            spec.size.is_some().then_some(("--size", "; it is for games written in Rust"))
        }
        Setting::Players => {
            spec.players.is_some().then_some(("--players", "; it is for 7-wonders"))
        }
        Setting::Sides => spec.sides.is_some().then_some(("--sides", "; it is for 7-wonders")),
        Setting::Option => {
            (!spec.options.is_empty()).then_some(("--option", "; it is for .lud files"))
        }
        Setting::Engine => spec.engine.is_some().then_some(("--engine", "; it is for .kif files")),
    };
    match settings.iter().find_map(given) {
        Some((option, known)) => Err(CatalogError::NoSuchOption {
            game: spec.name.clone(),
            option: option.to_string(),
            known,
        }),
        None => Ok(()),
    }
}

fn from_rust(spec: &GameSpec, places: Places) -> Result<Found, CatalogError> {
    let (options, components) = builtin_options(spec, places)?;
    let game = ludex_games::builtin(&spec.name, &options).map_err(|error| match error {
        GamesError::UnknownGame { name, .. } if places.folder.join(&name).exists() => {
            let folder = places.folder.join(&name).is_dir();
            let what = if folder { "a folder" } else { "a file of another kind" };
            CatalogError::NoGame { name, what }
        }
        GamesError::UnknownGame { name, .. } => {
            let described = ludemes::DESCRIPTIONS.iter().map(|(name, _)| *name);
            let closest = closest(&name.to_lowercase(), ludex_games::names().chain(described));
            GamesError::UnknownGame { name, closest }.into()
        }
        other => CatalogError::from(other),
    })?;
    refuse(spec, &[Setting::Engine])?;
    let content = format!(
        "rust {} rules {} {} players {} {:?} {:?} {components}",
        game.info().name,
        ludex_games::RULES_VERSION,
        game.info().players,
        options.size.unwrap_or_default(),
        options.sides.unwrap_or_default(),
        options.payments.unwrap_or_default(),
    );
    let options: &[&str] = match spec.name.eq_ignore_ascii_case("7-wonders") {
        true => &[
            "--players: 3 to 7",
            "--sides: A, B, mixed",
            "--option \"Payments/…\": cheapest, all",
            "--option \"Components/FILE.toml\"",
        ],
        false => &["--size: 3x3 to 16x16"],
    };
    let options = options.iter().map(|option| option.to_string()).collect();
    Ok(Found { game, rules: RulesKey::of(&content), options })
}

fn from_ludemes(text: &str, spec: &GameSpec, places: Places) -> Result<Found, CatalogError> {
    let defines = match &spec.defs {
        Some(folder) => Defines::read(&places.folder.join(folder)).map_err(Box::new)?,
        None => Defines::none(),
    };
    let (compiled, content, categories) = defines
        .compile_with_content(text, &spec.options)
        .map_err(|error| Box::new(FaultyDescription::new(&defines, *error, &spec.name, text)))?;
    let game = match spec.standard {
        true => ludex_kernel::standard(compiled)?,
        false => ludex_kernel::fastest(compiled)?,
    };
    let option = |category: &Category| {
        let items: Vec<&str> = category.items.iter().map(|item| &*item.name).collect();
        format!("--option \"{}/…\": {}", category.heading, items.join(", "))
    };
    let options = categories.iter().map(option).collect();
    Ok(Found { game, rules: RulesKey::of(&format!("lud {content}")), options })
}

fn is_rust(name: &str) -> bool {
    ludex_games::names().any(|known| known.eq_ignore_ascii_case(name))
}

/// The options of a game written in Rust, and the key of the components it is built from.
fn builtin_options(spec: &GameSpec, places: Places) -> Result<(Options, RulesKey), CatalogError> {
    let mut components = RulesKey::of(COMPONENTS);
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
            "components" if wonders => {
                let path = places.folder.join(item);
                options.components = Some(read_components(&path)?);
                components = RulesKey::of(&read_text(&path).map_err(Box::new)?);
            }
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
    Ok((options, components))
}

/// Every built-in game in its default form.
pub fn builtins() -> impl Iterator<Item = GameSpec> {
    let described = ludemes::DESCRIPTIONS.iter().map(|(name, _)| match is_rust(name) {
        true => format!("{name}.lud"),
        false => name.to_string(),
    });
    ludex_games::names().map(str::to_string).chain(described).map(GameSpec::named)
}
