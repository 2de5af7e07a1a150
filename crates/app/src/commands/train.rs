//! `ludex train`: an evaluation learned by self-play.

use std::io::Write;
use std::time::{Duration, Instant};

use ludex_arena::catalog;
use ludex_arena::train::{Plan, Round, Training, WeightsFile};
use serde::Serialize;

use crate::cli::TrainArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    #[serde(flatten)]
    round: Round,
}

pub fn run(args: &TrainArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let name = args.game.spec().to_string();
    let game = catalog::load(&args.game.spec())?;
    let plan = Plan {
        games: args.games,
        positions: args.positions,
        seed: args.seed,
        threads: args.threads.into(),
        ..Plan::default()
    };
    let file =
        args.out.clone().unwrap_or_else(|| format!("{}.weights.toml", file_name(&name)).into());
    let known = if file.exists() { Some(WeightsFile::load(&file)?) } else { None };
    let mut training = Training::new(game, plan, known.as_ref())?;
    let until = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    loop {
        let round = training.round();
        training.file(&name).save(&file)?;
        match args.json {
            true => json_line(out, &Line { game: &name, round })?,
            false => writeln!(
                out,
                "round {}: {} positions, surprise {:.3}, {:.0}% against the round before",
                round.round,
                round.samples,
                round.loss,
                100.0 * round.score
            )?,
        }
        out.flush()?;
        if Instant::now() >= until {
            break;
        }
    }
    if !args.json {
        let file = file.display();
        writeln!(out, "written to {file}; play it as `alphabeta + eval({file})`")?;
    }
    Ok(())
}

/// A game's name as part of a file's.
fn file_name(game: &str) -> String {
    let last = game.rsplit('/').next().unwrap_or(game);
    last.trim_end_matches(".lud").replace(|c: char| !c.is_alphanumeric() && c != '-', "-")
}
