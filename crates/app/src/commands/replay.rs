//! `ludex replay`: recorded ludeme games, move by move.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::Context;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::coverage::{self, Outcome, Replayed, replay_file};
use ludex_arena::ludemes::library::files_below;
use serde::Serialize;

use crate::cli::ReplayArgs;
use crate::output::json_line;
use crate::progress;

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
            true => {
                files_below(path, "txt", &mut files)?;
                files_below(path, "trl", &mut files)?;
            }
            false => files.push(path.clone()),
        }
    }
    if files.is_empty() {
        anyhow::bail!("no records (.txt or .trl) there");
    }
    let (mut passed, mut failed) = (0, 0);
    let mut all: Vec<Option<Replayed>> = files.iter().map(|_| None).collect();
    let bar = progress::of_games(files.len() as u64);
    replay_all(&defines, &args.library, &files, |at, replayed| {
        let row = row(&files[at], &replayed);
        all[at] = Some(replayed);
        match row.ok {
            true => passed += 1,
            false => failed += 1,
        }
        bar.suspend(|| match args.json {
            true => json_line(out, &row),
            false if row.ok => Ok(writeln!(out, "ok      {} ({} moves)", row.game, row.step)?),
            false => Ok(writeln!(out, "FAILED  {} at {}: {}", row.game, row.step, row.reason)?),
        })?;
        bar.inc(1);
        Ok(out.flush()?)
    })?;
    bar.finish_and_clear();
    let all: Vec<Replayed> = all.into_iter().flatten().collect();
    writeln!(out, "{passed} passed, {failed} failed")?;
    if let Some(path) = &args.coverage {
        let written = std::fs::write(path, with_options(path, coverage::page(&all)));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The page of replayed records, with the table of options that it had.
fn with_options(path: &Path, page: String) -> String {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    match old.find(super::variants::HEADING) {
        Some(at) => format!("{}\n\n{}", page.trim_end(), &old[at..]),
        None => page,
    }
}

/// Replays records on all processors and gives each to `done` with its place in the list, as soon
/// as it is there.
fn replay_all(
    defines: &Defines,
    library: &Path,
    files: &[PathBuf],
    mut done: impl FnMut(usize, Replayed) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let (next, (send, receive)) = (AtomicUsize::new(0), mpsc::channel());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let take = || next.fetch_add(1, Ordering::Relaxed);
                let ours = std::iter::repeat_with(take).take_while(|at| *at < files.len());
                for at in ours {
                    let replayed = replay_file(defines, library, &files[at]);
                    if send.send((at, replayed)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        receive.into_iter().try_for_each(|(at, replayed)| done(at, replayed))
    })
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
