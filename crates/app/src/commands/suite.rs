//! `ludex bench --suite`: what optimised playouts are worth, game by game and by kind, and the record of it;
//! `ludex bench --same`: whether they are playouts of the same game.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use ludex_arena::catalog;
use ludex_arena::same::{Choice, Sample};
use ludex_game::playout::Style;
use ludex_game::{Game, Rng};
use ludex_play::spec::PlayoutSpec;
use serde::Serialize;

use super::bench::{REFERENCE_SECONDS, reference_seconds, single_playouts};
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};

/// One game of the suite. Rates are scaled to the reference machine.
#[derive(Serialize)]
struct Row {
    game: String,
    kind: String,
    standard_per_s: f64,
    optimised_per_s: f64,
    speedup: f64,
    standard_plies: f64,
    optimised_plies: f64,
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

/// Both forms of a game.
struct Forms {
    name: String,
    standard: Arc<dyn Game>,
    optimised: Arc<dyn Game>,
}

/// The games asked for, or all built-in ones from ludemes that have an optimised playout.
fn forms(args: &BenchArgs) -> anyhow::Result<Vec<Forms>> {
    let specs = match args.games.is_empty() {
        true => catalog::builtins().collect(),
        false => args.games.iter().map(|name| args.options.spec(name)).collect::<Vec<_>>(),
    };
    let mut out = Vec::new();
    for spec in specs {
        let optimised = catalog::load(&spec)?;
        let info = optimised.info();
        let described = info.language == "lud" && info.playout != "listing";
        if args.games.is_empty() && !described {
            continue;
        }
        let standard = catalog::load(&catalog::GameSpec { standard: true, ..spec.clone() })?;
        out.push(Forms { name: spec.to_string(), standard, optimised });
    }
    Ok(out)
}

/// Measures the suite.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let policy: PlayoutSpec = args.policy.parse()?;
    let mut rows = Vec::new();
    for forms in forms(args)? {
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
    }
    match &args.record {
        Some(path) => keep(path, &rows, out),
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
        ["game", "kind", "standard/s", "optimised/s", "speed-up", "plies standard", "optimised"];
    let mut games = table(&header, &[2, 3, 4, 5, 6]);
    for row in rows {
        games.add_row([
            row.game.clone(),
            row.kind.clone(),
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

/// Writes the record and says what changed since the one before.
fn keep(path: &Path, rows: &[Row], out: &mut dyn Write) -> anyhow::Result<()> {
    let before = predecessor(path)?;
    let mut text = String::from(
        "game,kind,standard_per_s,optimised_per_s,speedup,standard_plies,optimised_plies\n",
    );
    for r in rows {
        text += &format!(
            "{},{},{:.1},{:.1},{:.3},{:.2},{:.2}\n",
            r.game.replace(',', ";"),
            r.kind,
            r.standard_per_s,
            r.optimised_per_s,
            r.speedup,
            r.standard_plies,
            r.optimised_plies
        );
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    match before {
        Some(before) => compare(&before, rows, out),
        None => Ok(writeln!(out, "No older record lies beside {}.", path.display())?),
    }
}

/// The latest record of the folder whose name comes before this one's.
fn predecessor(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(None);
    };
    let mut older = Vec::new();
    for entry in entries {
        let other = entry?.path();
        if other.extension().is_some_and(|e| e == "csv") && other.file_name() < path.file_name() {
            older.push(other);
        }
    }
    Ok(older.into_iter().max())
}

fn compare(before: &Path, rows: &[Row], out: &mut dyn Write) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(before)?;
    let rate = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Some((fields.first()?.to_string(), fields.get(3)?.parse::<f64>().ok()?))
    };
    let old: BTreeMap<String, f64> = text.lines().skip(1).filter_map(rate).collect();
    let mut changes = table(&["game", "before/s", "now/s", "change"], &[1, 2, 3]);
    for row in rows {
        let Some(&was) = old.get(&row.game.replace(',', ";")) else { continue };
        let change = format!("{:+.1}%", (row.optimised_per_s / was - 1.0) * 100.0);
        changes.add_row([row.game.clone(), grouped(was), grouped(row.optimised_per_s), change]);
    }
    writeln!(out, "Since {}:\n{changes}", before.display())?;
    Ok(())
}

/// Whether standard and optimised playouts are of the same game.
#[derive(Serialize)]
struct SameRow {
    game: String,
    policy: &'static str,
    playouts: u64,
    outcomes_p: f64,
    lengths_p: f64,
    standard_plies: f64,
    optimised_plies: f64,
    same: bool,
}

/// All tests together call the same game different with this probability.
const FALSE_ALARM: f64 = 0.01;

/// Tests outcomes and lengths of both forms, uniform and by a fixed policy.
pub fn same(args: &BenchArgs, playouts: u64, out: &mut dyn Write) -> anyhow::Result<()> {
    let forms = forms(args)?;
    let bound = FALSE_ALARM / (forms.len().max(1) * 4) as f64;
    let header = ["game", "policy", "outcomes p", "lengths p", "plies standard", "optimised", ""];
    let mut results = table(&header, &[2, 3, 4, 5]);
    let mut different = 0;
    for (number, forms) in forms.iter().enumerate() {
        for (choice, policy) in [(Choice::Uniform, "uniform"), (Choice::Biased, "biased")] {
            let draw = |game: &dyn Game, style, stream| {
                let mut rng = Rng::stream(args.seed, 2 * number as u64 + stream);
                Sample::draw(game, style, choice, playouts, &mut rng)
            };
            let standard = draw(&*forms.standard, Style::Standard, 0);
            let like = standard.like(&draw(&*forms.optimised, Style::Optimised, 1));
            let same = like.outcomes >= bound && like.lengths >= bound;
            different += u32::from(!same);
            let row = SameRow {
                game: forms.name.clone(),
                policy,
                playouts,
                outcomes_p: like.outcomes,
                lengths_p: like.lengths,
                standard_plies: like.plies[0],
                optimised_plies: like.plies[1],
                same,
            };
            if args.json {
                json_line(out, &row)?;
                continue;
            }
            results.add_row([
                row.game,
                policy.to_string(),
                format!("{:.4}", row.outcomes_p),
                format!("{:.4}", row.lengths_p),
                format!("{:.2}", row.standard_plies),
                format!("{:.2}", row.optimised_plies),
                if same { String::new() } else { "different".to_string() },
            ]);
        }
    }
    if !args.json {
        writeln!(out, "{results}")?;
    }
    anyhow::ensure!(different == 0, "{different} tests call the game a different one");
    Ok(())
}
