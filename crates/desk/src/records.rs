//! Records of games: ours, and those of Ludii's form.

use ludex_arena::catalog::GameSpec;
use ludex_arena::ludemes::{Trial as Recorded, convert};
use ludex_game::{GameError, Trial};
use ludex_lud::Ludemes;
use serde::Deserialize;

use crate::ask::{Desk, Refusal};
use crate::shelf::{Shelf, Spec};
use crate::table::{Line, Table};

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Ours.
    #[default]
    Ludex,
    /// Ludii's.
    Ludii,
}

/// The game and the moves of a record in either form.
pub fn read(desk: &Desk, text: &str) -> Result<(Spec, Line), Refusal> {
    if text.trim_start().starts_with("game=") {
        return read_ludii(desk, &Recorded::parse(text));
    }
    let trial = Trial::read(text)?;
    let named: GameSpec = trial.game.parse().map_err(|e| Refusal::Asked(format!("{e}")))?;
    let spec = Spec::of(&named);
    let line = desk.open(spec.clone())?.line_of(&trial)?;
    Ok((spec, line))
}

fn read_ludii(desk: &Desk, trial: &Recorded) -> Result<(Spec, Line), Refusal> {
    let missing = || {
        let game = &trial.game;
        Refusal::Asked(format!(
            "the record is of {game}, which is neither built in nor in the library"
        ))
    };
    let name = desk.shelf.find(&trial.game).ok_or_else(missing)?;
    let spec = Spec { game: Some(name), options: trial.options.clone(), ..Spec::default() };
    let rules = rules(&desk.shelf, &spec)?;
    let line = convert::line_of(&rules, trial).map_err(|found| {
        let at = found.step.map_or(String::new(), |step| format!(" at move {}", step + 1));
        Refusal::Asked(format!("the record does not fit these rules{at}: {}", found.reason))
    })?;
    Ok((spec, line))
}

/// The rules of a game from ludemes, as its records need them.
fn rules(shelf: &Shelf, spec: &Spec) -> Result<Ludemes, Refusal> {
    let Some(compiled) = shelf.compiled(spec)? else {
        let reason = "only games described in ludemes have records of Ludii's form";
        return Err(Refusal::Asked(reason.to_string()));
    };
    Ok(Ludemes::new(compiled)?)
}

/// The game so far as a record.
pub fn write(shelf: &Shelf, table: &Table, line: &Line, format: Format) -> Result<String, Refusal> {
    match format {
        Format::Ludex => Ok(table.record(line)?.to_string()),
        Format::Ludii => {
            let spec = table.spec();
            let path = spec.game.as_deref().and_then(|game| game.strip_prefix("library/"));
            let path = match path {
                Some(path) => format!("/lud/{path}"),
                None => format!("/lud/{}.lud", table.name()),
            };
            // Moves are known to be legal, and a line of them is no longer than a table allows.
            table.state(line).map_err(|fault: GameError| fault)?;
            Ok(convert::record_of(&rules(shelf, spec)?, &path, &spec.options, line)?)
        }
    }
}
