//! `ludex bench --suite`: what optimised playouts are worth, game by game and by kind.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use ludex_arena::features::policy_with_files;
use ludex_game::playout::Style;
use ludex_game::{Game, Rng};
use ludex_play::spec::PlayoutSpec;
use serde::Serialize;

use super::forms::{Forms, Games};
use super::{REFERENCE_SECONDS, record, reference_seconds, single_playouts};
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};

/// One game of the suite. Rates are scaled to the reference machine.
#[derive(Serialize)]
pub(super) struct Row {
    pub game: String,
    pub kind: String,
    pub machine: &'static str,
    pub standard_per_s: f64,
    pub optimised_per_s: f64,
    pub speedup: f64,
    pub standard_plies: f64,
    pub optimised_plies: f64,
}

/// Speed-ups of one kind of playout: the columns of the table.
#[derive(Serialize)]
struct Summary {
    playout: String,
    games: usize,
    min: f64,
    median: f64,
    mean: f64,
    max: f64,
}

/// Measures the suite.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let policy = policy_with_files(args.policy.parse()?, Path::new(""))?;
    let mut rows = Vec::new();
    let mut games = Games::asked(args)?;
    while let Some(forms) = games.next()? {
        policy.check(&*forms.optimised)?;
        let row = measure(args, &policy, &forms, scale);
        if args.json {
            json_line(out, &row)?;
        }
        rows.push(row);
    }
    let summaries = summaries(&rows);
    if args.json {
        for summary in &summaries {
            json_line(out, summary)?;
        }
    } else {
        print(&rows, &summaries, out)?;
        games.account(out)?;
    }
    match &args.record {
        Some(path) => record::keep(path, &rows, out),
        None => Ok(()),
    }
}

fn measure(args: &BenchArgs, policy: &PlayoutSpec, forms: &Forms, scale: f64) -> Row {
    let tally = |game: &dyn Game, style| {
        single_playouts(game, policy, style, args.seconds, Rng::stream(args.seed, 0))
    };
    let standard = tally(&*forms.standard, Style::Standard);
    let optimised = tally(&*forms.optimised, Style::Optimised);
    let rate = |playouts: u64, cpu: f64| playouts as f64 / cpu * scale;
    let mean = |plies: u64, playouts: u64| plies as f64 / playouts.max(1) as f64;
    let standard_per_s = rate(standard.playouts, standard.cpu);
    let optimised_per_s = rate(optimised.playouts, optimised.cpu);
    Row {
        game: forms.name.clone(),
        kind: forms.optimised.info().playout.to_string(),
        machine: forms.optimised.info().machine.name(),
        standard_per_s,
        optimised_per_s,
        speedup: optimised_per_s / standard_per_s,
        standard_plies: mean(standard.plies, standard.playouts),
        optimised_plies: mean(optimised.plies, optimised.playouts),
    }
}

fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        kinds.entry(&row.kind).or_default().push(row.speedup);
    }
    let all: Vec<f64> = rows.iter().map(|row| row.speedup).collect();
    kinds.into_iter().chain([("all", all)]).filter_map(|(kind, all)| summary(kind, all)).collect()
}

fn summary(playout: &str, mut speedups: Vec<f64>) -> Option<Summary> {
    speedups.sort_by(f64::total_cmp);
    let games = speedups.len();
    let (&min, &max) = (speedups.first()?, speedups.last()?);
    Some(Summary {
        playout: playout.to_string(),
        games,
        min,
        median: (speedups[(games - 1) / 2] + speedups[games / 2]) / 2.0,
        mean: speedups.iter().sum::<f64>() / games as f64,
        max,
    })
}

fn print(rows: &[Row], summaries: &[Summary], out: &mut dyn Write) -> anyhow::Result<()> {
    let header =
        ["game", "kind", "machine", "standard/s", "optimised/s", "speed-up", "plies", "optimised"];
    let mut games = table(&header, &[3, 4, 5, 6, 7]);
    for row in rows {
        games.add_row([
            row.game.clone(),
            row.kind.clone(),
            row.machine.to_string(),
            grouped(row.standard_per_s),
            grouped(row.optimised_per_s),
            format!("{:.2}", row.speedup),
            grouped(row.standard_plies),
            grouped(row.optimised_plies),
        ]);
    }
    let mut kinds = table(&["playout", "games", "min", "median", "mean", "max"], &[1, 2, 3, 4, 5]);
    for s in summaries {
        let two = |number: f64| format!("{number:.2}");
        let numbers = [two(s.min), two(s.median), two(s.mean), two(s.max)];
        let [min, median, mean, max] = numbers;
        kinds.add_row([s.playout.clone(), s.games.to_string(), min, median, mean, max]);
    }
    writeln!(out, "{games}\n\nSpeed-ups by kind of playout:\n{kinds}")?;
    writeln!(out, "Playouts per CPU second of one thread, scaled to the reference machine.")?;
    Ok(())
}
