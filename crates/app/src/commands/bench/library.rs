//! `ludex bench --library`: how fast games are that nobody chose, drawn at random from a library.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_game::playout::Style;
use ludex_game::{Game, Rng};
use ludex_play::spec::PlayoutSpec;
use serde::Serialize;

use super::{REFERENCE_SECONDS, Tally, reference_seconds, single_playouts};
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};
use crate::progress;

/// Ratios that a game should reach; shares of games are printed for each.
const MARKS: [f64; 3] = [40.0, 10.0, 3.0];

/// So many games with the least ratio are named in any case.
const SLOWEST: usize = 10;

/// The stream of the seed that draws games; playouts have streams of their own.
const DRAW: u64 = u64::MAX;

/// A game of the sample. Rates are scaled to the reference machine.
#[derive(Serialize)]
struct Row {
    game: String,
    machine: &'static str,
    kind: &'static str,
    plies_per_s: f64,
    mean_plies: f64,
    /// How many times faster than listing every move by the general evaluator.
    speedup: f64,
    ludii_plies_per_s: Option<f64>,
    ratio: Option<f64>,
    refusal: String,
}

impl Row {
    /// What the game is judged by: the ratio where there is one.
    fn figure(&self) -> f64 {
        self.ratio.unwrap_or(self.speedup)
    }
}

/// How figures are distributed.
#[derive(Serialize)]
struct Spread {
    what: &'static str,
    of: String,
    games: usize,
    least: f64,
    /// The figure that nine games of ten reach.
    nine_in_ten: f64,
    median: f64,
    most: f64,
    /// The share of games that reach 40, 10 and 3.
    reaching: [f64; MARKS.len()],
}

/// Measures a sample.
pub fn run(args: &BenchArgs, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let figures = args.ludii.as_deref().map(read_figures).transpose()?;
    let defs = args.options.defs.clone().unwrap_or_else(|| folder.join("def"));
    let defines = Defines::read(&defs)?;
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    let games = drawn(args, folder, figures.as_ref())?;
    let bar = progress::of_games(games.len() as u64);
    for name in games {
        let file = folder.join("lud").join(format!("{name}.lud"));
        let ludii = figures.as_ref().and_then(|all| all.get(&name).copied());
        match measure(args, &defines, &file, &name, ludii, scale) {
            Ok(row) => {
                if args.json {
                    json_line(out, &row)?;
                }
                rows.push(row);
            }
            Err(error) => failed.push(format!("{name}: {error}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let spreads = spreads(&rows);
    if args.json {
        return spreads.iter().try_for_each(|spread| json_line(out, spread));
    }
    print(&mut rows, &spreads, out)?;
    failed.iter().try_for_each(|line| Ok(writeln!(out, "Not measured: {line}")?))
}

/// Plies per second by path; lines that give no number are headings.
fn read_figures(file: &Path) -> anyhow::Result<BTreeMap<String, f64>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let line = |line: &str| {
        let mut fields = line.split('\t');
        Some((fields.next()?.to_string(), fields.next()?.trim().parse::<f64>().ok()?))
    };
    let figures: BTreeMap<_, _> =
        text.lines().filter(|line| !line.starts_with('#')).filter_map(line).collect();
    anyhow::ensure!(!figures.is_empty(), "{} has no figures", file.display());
    Ok(figures)
}

/// The games of the sample, by their paths below `lud`.
fn drawn(
    args: &BenchArgs,
    folder: &Path,
    figures: Option<&BTreeMap<String, f64>>,
) -> anyhow::Result<Vec<String>> {
    let descriptions = folder.join("lud");
    let mut files = Vec::new();
    files_below(&descriptions, "lud", &mut files)?;
    files.sort();
    let name = |file: &Path| {
        let below = file.strip_prefix(&descriptions).unwrap_or(file).with_extension("");
        below.to_str().map(str::to_string)
    };
    let mut names: Vec<String> = files.iter().filter_map(|file| name(file)).collect();
    if let Some(figures) = figures {
        names.retain(|name| figures.contains_key(name));
    }
    anyhow::ensure!(!names.is_empty(), "no games to draw below {}", descriptions.display());
    if let Some(sample) = args.sample {
        Rng::stream(args.seed, DRAW).shuffle(&mut names);
        names.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
    }
    Ok(names)
}

fn measure(
    args: &BenchArgs,
    defines: &Defines,
    file: &Path,
    name: &str,
    ludii: Option<f64>,
    scale: f64,
) -> anyhow::Result<Row> {
    let text = read_text(file)?;
    let compile = || {
        let compiled = defines.compile(&text, &args.options.options);
        compiled.map_err(|error| anyhow::anyhow!("{}", error.message))
    };
    let optimised = ludex_kernel::fastest(compile()?)?;
    let standard = ludex_kernel::standard(compile()?)?;
    let playouts = |game: &dyn Game, style| {
        let rng = Rng::stream(args.seed, 0);
        single_playouts(game, &PlayoutSpec::default(), style, args.seconds, rng)
    };
    let rate = |tally: Tally| tally.plies as f64 / tally.cpu * scale;
    let fast = playouts(&*optimised, Style::Optimised);
    let slow = playouts(&*standard, Style::Standard);
    let info = optimised.info();
    Ok(Row {
        game: name.to_string(),
        machine: info.machine.name(),
        kind: info.playout.name(),
        plies_per_s: rate(fast),
        mean_plies: fast.plies as f64 / fast.playouts.max(1) as f64,
        speedup: rate(fast) / rate(slow),
        ludii_plies_per_s: ludii,
        ratio: ludii.map(|ludii| rate(fast) / ludii),
        refusal: info.refusal.clone(),
    })
}

/// A figure of a row, where there is one.
type Figure = fn(&Row) -> Option<f64>;

/// Ratios and speed-ups of all games and of those of each machine.
fn spreads(rows: &[Row]) -> Vec<Spread> {
    let mut machines: Vec<&str> = rows.iter().map(|row| row.machine).collect();
    machines.sort_unstable();
    machines.dedup();
    let figures: [(&str, Figure); 2] =
        [("times Ludii", |row| row.ratio), ("times listing", |row| Some(row.speedup))];
    let mut all = Vec::new();
    for (what, figure) in figures {
        let of = |machine: Option<&str>| {
            let those = rows.iter().filter(|row| machine.is_none_or(|name| name == row.machine));
            spread(what, machine.unwrap_or("all"), those.filter_map(figure).collect())
        };
        all.extend(of(None));
        all.extend(machines.iter().filter_map(|machine| of(Some(machine))));
    }
    all
}

fn spread(what: &'static str, of: &str, mut figures: Vec<f64>) -> Option<Spread> {
    figures.sort_by(f64::total_cmp);
    let games = figures.len();
    let (&least, &most) = (figures.first()?, figures.last()?);
    let share = |mark: f64| figures.iter().filter(|&&f| f >= mark).count() as f64 / games as f64;
    Some(Spread {
        what,
        of: of.to_string(),
        games,
        least,
        nine_in_ten: figures[games / 10],
        median: (figures[(games - 1) / 2] + figures[games / 2]) / 2.0,
        most,
        reaching: MARKS.map(share),
    })
}

fn print(rows: &mut [Row], spreads: &[Spread], out: &mut dyn Write) -> anyhow::Result<()> {
    rows.sort_by(|a, b| a.figure().total_cmp(&b.figure()));
    let slow = rows.partition_point(|row| row.figure() < MARKS[2]).max(SLOWEST.min(rows.len()));
    let header = ["slowest games", "machine", "plies/s", "plies", "× listing", "× Ludii", "cause"];
    let mut slowest = table(&header, &[2, 3, 4, 5]);
    for row in &rows[..slow] {
        slowest.add_row([
            row.game.clone(),
            row.machine.to_string(),
            grouped(row.plies_per_s),
            grouped(row.mean_plies),
            format!("{:.1}", row.speedup),
            row.ratio.map_or(String::new(), |ratio| format!("{ratio:.1}")),
            row.refusal.clone(),
        ]);
    }
    let header =
        ["figure", "machine", "games", "least", "9 in 10", "median", "most", "≥40", "≥10", "≥3"];
    let mut summary = table(&header, &[2, 3, 4, 5, 6, 7, 8, 9]);
    for spread in spreads {
        let [forty, ten, three] = spread.reaching.map(|share| format!("{:.0}%", share * 100.0));
        let numbers = [spread.least, spread.nine_in_ten, spread.median, spread.most];
        let [least, nine, median, most] = numbers.map(|number| format!("{number:.1}"));
        let games = spread.games.to_string();
        let (what, of) = (spread.what.to_string(), spread.of.clone());
        summary.add_row([what, of, games, least, nine, median, most, forty, ten, three]);
    }
    writeln!(out, "{slowest}\n\n{summary}")?;
    writeln!(out, "Plies per CPU second of one thread, scaled to the reference machine.")?;
    Ok(())
}
