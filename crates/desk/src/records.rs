//! Records of games: ours, and those of Ludii's form.

use ludex_arena::catalog::GameSpec;
use ludex_arena::ludemes::{Trial as Recorded, convert};
use ludex_game::{GameError, Trial};
use ludex_lud::Ludemes;
use serde::Deserialize;

use crate::ask::{Desk, Refusal};
use crate::course::Line;
use crate::shelf::{Language, Shelf, Spec};
use crate::table::Table;

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
    let spec = match enclosed(&trial.notes) {
        Some((text, language)) => Spec {
            text: Some(text),
            language: Some(language),
            options: named.options,
            ..Spec::default()
        },
        None => Spec::of(&named),
    };
    let line = desk.open(spec.clone())?.line_of(&trial)?;
    Ok((spec, line))
}

/// How a line of rules begins that a record encloses, since they are in no library.
fn mark(language: Language) -> &'static str {
    match language {
        Language::Lud => "rules.lud|",
        Language::Kif => "rules.kif|",
    }
}

/// The rules that a record encloses.
fn enclosed(notes: &[String]) -> Option<(String, Language)> {
    let found = [Language::Lud, Language::Kif].map(|language| {
        let lines = notes.iter().filter_map(|note| note.strip_prefix(mark(language)));
        (lines.map(|line| format!("{line}\n")).collect::<String>(), language)
    });
    found.into_iter().find(|(text, _)| !text.is_empty())
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
        Format::Ludex => {
            let mut trial = table.record(line)?;
            if let Spec { text: Some(text), language, .. } = table.spec() {
                let mark = mark(language.unwrap_or_default());
                trial.notes.extend(text.lines().map(|line| format!("{mark}{line}")));
            }
            Ok(trial.to_string())
        }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_record_of_rules_of_ones_own_is_opened_where_nobody_has_them() {
        let rules = "(game \"Own\"\n    (players 2)\n\n    (equipment {(board (square 4)) (piece \"Disc\" Each)})\n    \
            (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))\n";
        let ask = |desk: &Desk, what: &str, asked: Value| desk.ask(what, asked).expect("answered");
        let desk = Desk::new(Shelf::new(None), 1);
        let table = ask(&desk, "open", json!({ "text": rules, "options": [] }));
        let line = json!([["A1"], ["B2"], ["C3"]]);
        let asked = json!({ "table": table["id"], "line": line, "format": "ludex" });
        let record = ask(&desk, "record/write", asked);
        let elsewhere = Desk::new(Shelf::new(None), 2);
        let read = ask(&elsewhere, "record/read", json!({ "text": record["text"] }));
        assert_eq!(read["spec"]["text"], rules);
        assert_eq!(read["line"], line);
    }
}
