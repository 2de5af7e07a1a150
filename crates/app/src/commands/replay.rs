//! `ludex replay`: recorded ludeme games, move by move.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_arena::ludemes::{Defines, Trial, replay};
use serde::Serialize;

use crate::cli::ReplayArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    ok: bool,
    step: i64,
    reason: String,
}

pub fn run(args: &ReplayArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = Defines::read(&args.library.join("def"))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &args.trials {
        match path.is_dir() {
            true => files_below(path, "txt", &mut files)?,
            false => files.push(path.clone()),
        }
    }
    let (mut passed, mut failed) = (0, 0);
    for file in &files {
        let row = replay_file(&defines, &args.library, file);
        match row.ok {
            true => passed += 1,
            false => failed += 1,
        }
        match args.json {
            true => json_line(out, &row)?,
            false if row.ok => writeln!(out, "ok      {} ({} moves)", row.game, row.step)?,
            false => writeln!(out, "FAILED  {} at {}: {}", row.game, row.step, row.reason)?,
        }
        out.flush()?;
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn replay_file(defines: &Defines, library: &Path, file: &Path) -> Row {
    let mut row = Row {
        file: file.display().to_string(),
        game: String::new(),
        ok: false,
        step: -1,
        reason: String::new(),
    };
    let trial = match read_text(file) {
        Ok(text) => Trial::parse(&text),
        Err(error) => return Row { reason: error.to_string(), ..row },
    };
    // The record names its game by a path that ends in `lud/…`.
    let inner = trial.game.split_once("/lud/").map_or(trial.game.as_str(), |(_, rest)| rest);
    row.game = inner.trim_end_matches(".lud").to_owned();
    let text = match read_text(&library.join("lud").join(inner)) {
        Ok(text) => text,
        Err(error) => return Row { reason: error.to_string(), ..row },
    };
    let game = match defines.compile(&text, &trial.options) {
        Ok(game) => game,
        Err(error) => {
            let reason = format!("{}: {}", error.severity.word(), error.message);
            return Row { reason, ..row };
        }
    };
    match replay(&game, &trial) {
        Ok(()) => Row { ok: true, step: trial.sizes.len() as i64, ..row },
        Err(difference) => Row {
            step: difference.step.map_or(-1, |step| step as i64),
            reason: difference.reason,
            ..row
        },
    }
}
