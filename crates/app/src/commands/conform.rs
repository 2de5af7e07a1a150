//! `ludex conform`: GDL engines against recorded matches.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use ludex_arena::catalog::compile_kif_as;
use ludex_arena::conform::{conform_compiled, recorded_game};
use ludex_gdl::Engine;
use serde::Serialize;

use super::ggp::strictness;
use crate::cli::ConformArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    ok: bool,
    step: u64,
    reason: String,
}

pub fn run(args: &ConformArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let engine: Option<Engine> = args.engine.as_deref().map(str::parse).transpose()?;
    let (mut passed, mut failed) = (0, 0);
    for file in &args.records {
        let row = replay(args, file, engine);
        match row.ok {
            true => passed += 1,
            false => failed += 1,
        }
        match args.json {
            true => json_line(out, &row)?,
            false if row.ok => writeln!(out, "ok      {} ({} steps)", row.game, row.step)?,
            false => writeln!(out, "FAILED  {} at step {}: {}", row.game, row.step, row.reason)?,
        }
        out.flush()?;
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn replay(args: &ConformArgs, file: &Path, engine: Option<Engine>) -> Row {
    let mut row = Row {
        file: file.display().to_string(),
        game: String::new(),
        ok: false,
        step: 0,
        reason: String::new(),
    };
    let record = match std::fs::read_to_string(file) {
        Ok(record) => record,
        Err(error) => return Row { reason: error.to_string(), ..row },
    };
    let Some(key) = recorded_game(&record) else {
        return Row { reason: "the record does not begin with a game".to_owned(), ..row };
    };
    row.game = key;
    let rules = args.games.join(format!("{}.kif", row.game));
    let game = match compile_kif_as(&rules, engine, strictness(args.lenient)) {
        Ok(game) => game,
        Err(error) => return Row { reason: error.to_string(), ..row },
    };
    match conform_compiled(&game, &record) {
        Ok(steps) => Row { ok: true, step: steps, reason: game.engine().to_string(), ..row },
        Err(difference) => Row { step: difference.step, reason: difference.to_string(), ..row },
    }
}
