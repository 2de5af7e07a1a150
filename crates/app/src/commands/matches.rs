//! `ludex match`: agents against each other over all seatings.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use ludex_arena::{Series, catalog};
use ludex_play::search::Budget;
use serde::Serialize;

use crate::agents;
use crate::cli::MatchArgs;
use crate::output::{json_line, table};

#[derive(Serialize)]
struct Outcome<'a> {
    game: String,
    agents: &'a [String],
    games: u64,
    scores: Vec<f64>,
    ci95: Vec<[f64; 2]>,
    interval: String,
    seed: u64,
}

pub fn run(args: &MatchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = args.game.spec();
    let game = catalog::load(&spec)?;
    if game.info().players == 0 {
        bail!("{} has no players; `ludex play` shows how it goes", game.info().name);
    }
    let budget = args.budget.budget(Budget::simulations(1000));
    let contestants = args
        .agents
        .iter()
        .map(|text| agents::contestant(text, budget))
        .collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let series = Series {
        game,
        contestants,
        matches: args.games,
        seed: args.seed,
        threads: args.threads.into(),
    };
    let bar = progress(args.games);
    let mut unwritten = None;
    let tallies = series.play(|index, mut record| {
        bar.inc(1);
        record.trial.game = spec.to_string();
        if let Some(folder) = &args.records {
            let path = folder.join(format!("{:06}.trial", index + 1));
            let written = std::fs::write(&path, record.trial.to_string());
            unwritten = written.with_context(|| format!("cannot write {}", path.display())).err();
        }
        unwritten.is_none()
    })?;
    bar.finish_and_clear();
    if let Some(error) = unwritten {
        return Err(error);
    }
    let intervals: Vec<_> = tallies.iter().map(|tally| tally.interval()).collect();
    if args.json {
        let outcome = Outcome {
            game: spec.to_string(),
            agents: &args.agents,
            games: args.games,
            scores: tallies.iter().map(|tally| tally.mean()).collect(),
            ci95: intervals.iter().map(|interval| [interval.low, interval.high]).collect(),
            interval: intervals.first().map_or(String::new(), |found| found.method.to_string()),
            seed: args.seed,
        };
        return json_line(out, &outcome);
    }
    let mut table = table(&["agent", "score", "95% interval", "points"], &[1, 2, 3]);
    for ((agent, tally), interval) in args.agents.iter().zip(&tallies).zip(&intervals) {
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        table.add_row([
            agent.clone(),
            format!("{:.1}%", 100.0 * tally.mean()),
            format!("{low:.1}–{high:.1}% ({})", interval.method),
            format!("{} of {}", tally.points, tally.matches),
        ]);
    }
    writeln!(out, "{spec}, {} games, seed {}\n{table}", args.games, args.seed)?;
    Ok(())
}

/// A bar with the time left.
pub fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
