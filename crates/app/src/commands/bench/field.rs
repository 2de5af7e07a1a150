//! `ludex bench --field`: our playouts beside the recorded figures of other systems.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::library::files_below;
use ludex_game::Rng;
use ludex_game::playout::Style;
use ludex_play::spec::PlayoutSpec;
use serde::{Deserialize, Serialize};

use super::{REFERENCE_SECONDS, reference_seconds, single_playouts};
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};
use crate::progress;

/// What other systems do.
const FIGURES: &str = include_str!("../../../../../experiments/field.toml");

#[derive(Deserialize)]
struct Field {
    game: Vec<Peers>,
}

/// The recorded figures of a game: playouts per second.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Peers {
    name: String,
    plies: f64,
    ludii: f64,
    regular_boardgames: Option<Measured>,
    open_spiel: Option<Measured>,
    hand_written: Option<f64>,
}

/// A figure of rules that may differ a little: how long its playouts are tells.
#[derive(Deserialize)]
struct Measured {
    rate: f64,
    plies: f64,
}

/// Ours, scaled to the reference machine, and how many times theirs it is.
#[derive(Serialize)]
struct Row {
    game: String,
    kind: String,
    machine: &'static str,
    playouts_per_s: f64,
    plies: f64,
    ludii_plies: f64,
    times_ludii: f64,
    /// By plies, since some of its games have moves of another grain.
    times_regular_boardgames: Option<f64>,
    times_open_spiel: Option<f64>,
    times_hand_written: Option<f64>,
}

/// Measures every recorded game that is found.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let field: Field = toml::from_str(FIGURES).context("the recorded figures cannot be read")?;
    let specs = found(args, &field.game)?;
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let bar = progress::of_games(specs.len() as u64);
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for (peers, spec) in specs {
        match measure(args, peers, &spec, scale) {
            Ok(row) if args.json => json_line(out, &row)?,
            Ok(row) => rows.push(row),
            Err(error) => failed.push(format!("{}: {error}", peers.name)),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !args.json {
        print(&rows, out)?;
    }
    for line in failed {
        writeln!(out, "Not measured: {line}")?;
    }
    Ok(())
}

/// Where the games are: in the folders given by their names, else among those that come with the program.
fn found<'p>(args: &BenchArgs, games: &'p [Peers]) -> anyhow::Result<Vec<(&'p Peers, GameSpec)>> {
    let mut files = Vec::new();
    for folder in &args.games {
        files_below(Path::new(folder), "lud", &mut files)?;
    }
    let own = || catalog::builtins().map(|spec| (own_name(&spec.name), spec.name)).collect();
    let by_name: BTreeMap<String, String> = match args.games.is_empty() {
        true => own(),
        // Of several files with one name the first counts, as folders of trials and tests come last.
        false => files
            .iter()
            .rev()
            .filter_map(|file| Some((stem(file)?, file.to_str()?.to_string())))
            .collect(),
    };
    let spec = |peers: &Peers| {
        let name = match args.games.is_empty() {
            true => peers.name.to_lowercase().replace(' ', "-").replace('\'', ""),
            false => peers.name.clone(),
        };
        Some(args.options.spec(by_name.get(&name)?))
    };
    Ok(games.iter().filter_map(|peers| Some((peers, spec(peers)?))).collect())
}

/// A built-in name without the ending that tells descriptions from games in Rust; descriptions come last.
fn own_name(name: &str) -> String {
    name.strip_suffix(".lud").unwrap_or(name).to_string()
}

fn stem(file: &Path) -> Option<String> {
    Some(file.file_stem()?.to_str()?.to_string())
}

fn measure(args: &BenchArgs, peers: &Peers, spec: &GameSpec, scale: f64) -> anyhow::Result<Row> {
    let game = catalog::load(spec)?;
    let (policy, rng) = (PlayoutSpec::default(), Rng::stream(args.seed, 0));
    let tally = single_playouts(&*game, &policy, Style::Optimised, args.seconds, rng);
    let rate = tally.playouts as f64 / tally.cpu * scale;
    let plies = tally.plies as f64 / tally.playouts.max(1) as f64;
    let by_plies = |peer: &Measured| rate * plies / (peer.rate * peer.plies);
    Ok(Row {
        game: peers.name.clone(),
        kind: game.info().playout.to_string(),
        machine: game.info().machine.name(),
        playouts_per_s: rate,
        plies,
        ludii_plies: peers.plies,
        times_ludii: rate / peers.ludii,
        times_regular_boardgames: peers.regular_boardgames.as_ref().map(by_plies),
        times_open_spiel: peers.open_spiel.as_ref().map(by_plies),
        times_hand_written: peers.hand_written.map(|theirs| rate / theirs),
    })
}

/// The figure of a row beside one of the other systems.
type Column = fn(&Row) -> Option<f64>;

fn print(rows: &[Row], out: &mut dyn Write) -> anyhow::Result<()> {
    let header = [
        "game",
        "kind",
        "machine",
        "playouts/s",
        "plies",
        "Ludii's plies",
        "× Ludii",
        "× Regular Boardgames",
        "× OpenSpiel",
        "× hand-written C++",
    ];
    let mut games = table(&header, &[3, 4, 5, 6, 7, 8, 9]);
    let times = |times: Option<f64>| times.map_or(String::new(), |times| format!("{times:.2}"));
    for row in rows {
        games.add_row([
            row.game.clone(),
            row.kind.clone(),
            row.machine.to_string(),
            grouped(row.playouts_per_s),
            grouped(row.plies),
            grouped(row.ludii_plies),
            times(Some(row.times_ludii)),
            times(row.times_regular_boardgames),
            times(row.times_open_spiel),
            times(row.times_hand_written),
        ]);
    }
    writeln!(out, "{games}")?;
    let columns: [(&str, Column); 4] = [
        ("Ludii", |row| Some(row.times_ludii)),
        ("Regular Boardgames", |row| row.times_regular_boardgames),
        ("OpenSpiel", |row| row.times_open_spiel),
        ("hand-written C++", |row| row.times_hand_written),
    ];
    for (peer, column) in columns {
        let mut all: Vec<f64> = rows.iter().filter_map(column).collect();
        all.sort_by(f64::total_cmp);
        if let (Some(least), Some(middle)) = (all.first(), all.get(all.len() / 2)) {
            let games = all.len();
            writeln!(out, "{peer}: median {middle:.1}, least {least:.2} times, {games} games")?;
        }
    }
    writeln!(out, "Playouts per CPU second of one thread, scaled to the reference machine.")?;
    Ok(())
}
