//! `ludex replay`: recorded ludeme games, move by move.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::coverage::{self, Outcome, Replayed, replay_file};
use ludex_arena::ludemes::library::files_below;
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
    if files.is_empty() {
        anyhow::bail!("no records (.txt) there");
    }
    let (mut passed, mut failed) = (0, 0);
    let mut all = Vec::with_capacity(files.len());
    for file in &files {
        let replayed = replay_file(&defines, &args.library, file);
        let row = row(file, &replayed);
        all.push(replayed);
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
    if let Some(path) = &args.coverage {
        let written = std::fs::write(path, coverage::page(&all));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn row(file: &Path, replayed: &Replayed) -> Row {
    let (ok, step, reason) = match &replayed.outcome {
        Outcome::Same(moves) => (true, *moves as i64, String::new()),
        Outcome::Unsupported(reason) => (false, -1, format!("unsupported: {reason}")),
        Outcome::Different { step, reason } => {
            (false, step.map_or(-1, |step| step as i64), reason.clone())
        }
    };
    Row { file: file.display().to_string(), game: replayed.game.clone(), ok, step, reason }
}
