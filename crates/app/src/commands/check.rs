//! `ludex check`: rules files read and compiled, with what is wrong or not supported.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ludex_arena::catalog::compile_kif;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::{Rng, Turn};
use ludex_lang::diagnostic::Severity;
use serde::Serialize;

use crate::cli::CheckArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    status: &'static str,
    reason: String,
    playout: &'static str,
}

fn is_gdl(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "kif")
}

/// Plies of the random playout that shows whether a GDL game plays.
const PLIES: u32 = 100;

/// Compiles GDL rules and plays them at random for a while.
fn check_gdl(file: &Path, row: &mut Row, explained: &mut String) {
    let game = match compile_kif(file, None) {
        Ok(compiled) => compiled.into_game(),
        Err(error) => {
            *explained = format!("error: {error}\n");
            row.reason = error.to_string().lines().next().unwrap_or_default().to_string();
            (row.status, row.playout) = ("error", "");
            return;
        }
    };
    row.game = game.info().name.clone();
    row.playout = game.info().playout;
    let (mut state, mut rng) = (game.start(), Rng::seeded(1));
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..PLIES {
        joint.clear();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
            Turn::Players(players) => {
                for player in players {
                    moves.clear();
                    game.moves(&state, player, &mut moves);
                    joint.push(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
        }
        game.apply(&mut state, &joint);
    }
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defines = match &args.defs {
        Some(folder) => Defines::read(folder)?,
        None => Defines::none(),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut table = false;
    for path in &args.files {
        match path.is_dir() {
            true => {
                table = true;
                files_below(path, "lud", &mut files)?;
                files_below(path, "kif", &mut files)?;
            }
            false => files.push(path.clone()),
        }
    }
    let mut counts = [0usize; 3];
    for file in &files {
        let text = read_text(file)?;
        let name = file.display().to_string();
        let mut row = Row {
            file: name.clone(),
            game: String::new(),
            status: "ok",
            reason: String::new(),
            playout: "listing",
        };
        let mut explained = String::new();
        let compiled = (!is_gdl(file)).then(|| defines.compile(&text, &args.options));
        match compiled {
            None => check_gdl(file, &mut row, &mut explained),
            Some(Ok(game)) => row.game = game.name.to_string(),
            Some(Err(error)) => {
                row.status = match error.severity {
                    Severity::Unsupported => "unsupported",
                    _ => "error",
                };
                row.reason = error.message.clone();
                row.playout = "";
                explained = defines.explain(&error, &name, &text);
            }
        }
        let at = ["ok", "unsupported", "error"].iter().position(|s| *s == row.status);
        counts[at.unwrap_or(2)] += 1;
        match (args.json, table) {
            (true, _) => json_line(out, &row)?,
            (false, true) => writeln!(out, "{:<12} {}  {}", row.status, row.file, row.reason)?,
            (false, false) if row.status == "ok" => writeln!(out, "ok  {} ({name})", row.game)?,
            (false, false) => write!(out, "{explained}")?,
        }
    }
    if table && !args.json {
        let [ok, unsupported, wrong] = counts;
        writeln!(out, "{ok} compiled, {unsupported} unsupported, {wrong} failed")?;
    }
    let clean = counts[1] == 0 && counts[2] == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
