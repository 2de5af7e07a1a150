//! The rules of a match, as a referee needs them.

use std::path::Path;

use ludex_arena::catalog::FaultyRules;
use ludex_game::GameError;
use ludex_gdl::{Bounds, Compiled, Engine, compile};
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::kif::{self, Strictness};

/// Why there is no match.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The rules are faulty.
    #[error(transparent)]
    Faulty(#[from] FaultyRules),
    /// The rules cannot be played.
    #[error(transparent)]
    Game(#[from] GameError),
    /// There is nothing to play, or nobody to play it.
    #[error("{0}")]
    Nobody(&'static str),
}

/// Rules that are known to players by their text and to us by what they mean. They are evaluated directly: a
/// referee asks about one position at a time and must not wait for a network.
pub struct Ruled {
    /// The game's name, for people.
    pub name: String,
    /// What builds the game, as on the command line.
    pub spec: String,
    /// What warnings there are, as text.
    pub warnings: Vec<String>,
    pub(super) text: String,
    pub(super) machine: Compiled,
}

impl Ruled {
    /// Reads rules; `spec` is where they come from.
    pub fn new(spec: &str, text: &str, strictness: Strictness) -> Result<Ruled, RefereeError> {
        let shown = |found: &Diagnostic| found.to_text(|_| text, |_| spec);
        let faulty =
            |findings| FaultyRules { path: spec.to_owned(), text: text.to_owned(), findings };
        let checked = kif::read_as(SourceId(0), text, strictness).map_err(faulty)?;
        let name = Path::new(spec).file_stem();
        let name = name.map_or(spec.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let made = |bounds| compile(&name, &checked.description, Some(Engine::Datalog), &bounds);
        Ok(Ruled {
            machine: made(Bounds::hasty()).or_else(|_| made(Bounds::default()))?,
            spec: spec.to_owned(),
            warnings: checked.warnings.iter().map(shown).collect(),
            text: without_comments(text),
            name,
        })
    }

    /// The roles in the order of the rules, `random` included.
    pub fn roles(&self) -> &[String] {
        self.machine.role_names()
    }
}

/// Managers send rules on one line without comments.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
