//! `ludex check`: rules files read and compiled, with what is wrong or not supported.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
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
        match defines.compile(&text, &args.options) {
            Ok(game) => row.game = game.name.to_string(),
            Err(error) => {
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
