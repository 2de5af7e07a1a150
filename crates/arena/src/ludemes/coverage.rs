//! Which games of a library are played exactly: every record replayed, summed up by game.

use super::library::{Defines, files_below, read_text};
use super::replay::replay;
use super::trial::{RecordedMove, Trial};
use ludex_lang::diagnostic::Severity;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How the replay of one record went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The game, by its path in the library without the extension.
    pub game: String,
    /// What came out.
    pub outcome: Outcome,
}

/// What came out of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything agreed, for so many moves.
    Same(usize),
    /// The description uses something that is not supported.
    Unsupported(String),
    /// The rules differ, or cannot be read.
    Different {
        /// The move, where it was in the middle of a game.
        step: Option<usize>,
        /// What differs.
        reason: String,
    },
}

/// Replays a record by the description that it names, in the library whose defines are given.
pub fn replay_file(defines: &Defines, library: &Path, file: &Path) -> Replayed {
    let different = |reason: String| Outcome::Different { step: None, reason };
    let trial = match read_text(file) {
        Ok(text) => Trial::parse(&text),
        Err(error) => {
            return Replayed { game: String::new(), outcome: different(error.to_string()) };
        }
    };
    // The record names its game by a path that ends in `lud/…`.
    let inner = trial.game.split_once("/lud/").map_or(trial.game.as_str(), |(_, rest)| rest);
    let path = description(library, inner, file);
    let game = place_of(file).unwrap_or_else(|| Path::new(inner).with_extension(""));
    let game = game.display().to_string();
    let meant = [inner.to_string(), format!("{game}.lud")];
    let moved = !meant.iter().any(|name| path == library.join("lud").join(name));
    let text = match read_text(&path) {
        Ok(text) => text,
        // The page is for everybody: it does not say where on this machine the library lies.
        Err(_) => {
            let outcome = different("the library has no such file".to_string());
            return Replayed { game, outcome };
        }
    };
    let outcome = match defines.compile(&text, &trial.options) {
        Err(error) if error.severity == Severity::Unsupported => {
            Outcome::Unsupported(error.message.clone())
        }
        Err(error) => different(format!("{}: {}", error.severity.word(), error.message)),
        Ok(compiled) => match replay(&compiled, &trial) {
            Ok(()) => Outcome::Same(trial.sizes.len().max(solved_in(&trial))),
            Err(found) if moved => different(format!(
                "the library has no such file any more, and the one that has the name elsewhere \
                 has other rules ({})",
                found.reason
            )),
            Err(found) => Outcome::Different { step: found.step, reason: found.reason },
        },
    };
    Replayed { game, outcome }
}

/// Moves of the solution of a puzzle, which is recorded without numbers of legal moves.
fn solved_in(trial: &Trial) -> usize {
    let set = |m: &&RecordedMove| m.actions.iter().any(|a| a.name == "Set");
    let decided = |m: &&RecordedMove| m.actions.iter().any(|a| a.field("decision").is_some());
    match trial.moves.iter().filter(set).filter(decided).count() {
        // Old solutions call nothing a decision.
        0 => trial.moves.iter().filter(set).count(),
        count => count,
    }
}

/// The game that a record belongs to by where it lies: a library keeps it in `trials/GAME/`.
fn place_of(file: &Path) -> Option<PathBuf> {
    let parts: Vec<_> = file.parent()?.components().collect();
    let trials = parts.iter().rposition(|part| part.as_os_str() == "trials")?;
    let game: PathBuf = parts[trials + 1..].iter().collect();
    (!game.as_os_str().is_empty()).then_some(game)
}

/// Where a description is: where the record says, or where the record lies, or, if it has moved since,
/// wherever the library has the only file of its name.
fn description(library: &Path, inner: &str, file: &Path) -> PathBuf {
    let path = library.join("lud").join(inner);
    if path.exists() {
        return path;
    }
    let beside =
        place_of(file).map(|game| library.join("lud").join(format!("{}.lud", game.display())));
    if let Some(beside) = beside.filter(|beside| beside.exists()) {
        return beside;
    }
    let mut files = Vec::new();
    if files_below(&library.join("lud"), "lud", &mut files).is_err() {
        return path;
    }
    files.retain(|file| file.file_name() == path.file_name());
    match files.as_slice() {
        [only] => only.clone(),
        _ => path,
    }
}

/// The table of all games, as a Markdown page.
pub fn page(replayed: &[Replayed]) -> String {
    let mut games: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for one in replayed {
        games.entry(&one.game).or_default().push(&one.outcome);
    }
    let all: Vec<(&str, String)> =
        games.iter().map(|(game, outcomes)| (*game, status(outcomes))).collect();
    let with = |word: &str| all.iter().filter(|(_, status)| status.starts_with(word)).count();
    let mut out = String::from(
        "# Coverage of the ludeme library\n\n\
         Written by `ludex replay --library DIR DIR/trials --coverage docs/coverage.md`: every recorded game is\n\
         played again, and must have the same number of legal moves in every position, the recorded move with\n\
         all its effects, and the same end and ranking. What is not supported is refused by name at load.\n\n\
         | games | replayed exactly | unsupported | different |\n|---|---|---|---|\n",
    );
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} |\n",
        all.len(),
        with("exact"),
        with("unsupported"),
        with("different")
    );
    write_reasons(&mut out, &all);
    out.push_str("## Every game\n\n| game | status |\n|---|---|\n");
    for (game, status) in &all {
        let _ = writeln!(out, "| {game} | {} |", status.replace('|', "\\|"));
    }
    out
}

fn status(outcomes: &[&Outcome]) -> String {
    let mut worst = "exact".to_owned();
    for outcome in outcomes {
        match outcome {
            Outcome::Same(_) => {}
            Outcome::Unsupported(reason) => {
                return format!("unsupported: {}", reason.trim_end_matches(" is not supported"));
            }
            Outcome::Different { step: Some(step), reason } => {
                worst = format!("different at move {step}: {reason}");
            }
            Outcome::Different { step: None, reason } => worst = format!("different: {reason}"),
        }
    }
    worst
}

/// What is missing, most wanted first.
fn write_reasons(out: &mut String, all: &[(&str, String)]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, status) in all {
        if let Some(reason) = status.strip_prefix("unsupported: ") {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let mut sorted: Vec<(usize, &str)> = reasons.into_iter().map(|(what, n)| (n, what)).collect();
    sorted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    if sorted.is_empty() {
        return;
    }
    out.push_str("## What is missing\n\n| games | ludeme |\n|---|---|\n");
    for (count, what) in sorted {
        let _ = writeln!(out, "| {count} | {} |", what.replace('|', "\\|"));
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_record_that_differs_spoils_its_game() {
        let one = |game: &str, outcome: Outcome| Replayed { game: game.into(), outcome };
        let page = page(&[
            one("a", Outcome::Same(3)),
            one("a", Outcome::Different { step: Some(4), reason: "x|y".into() }),
            one("b", Outcome::Unsupported("`(bet …)` is not supported".into())),
            one("c", Outcome::Same(1)),
        ]);
        assert!(page.contains("| 3 | 1 | 1 | 1 |"), "{page}");
        assert!(page.contains("| a | different at move 4: x\\|y |"));
        assert!(page.contains("| 1 | `(bet …)` |"));
    }
}
