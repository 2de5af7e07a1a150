//! `ludex bench`: how fast playouts and searches are.

mod children;
mod field;
mod forms;
mod library;
mod record;
mod same;
mod suite;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_arena::catalog::{self, Places};
use ludex_arena::features::policy_with_files;
use ludex_game::playout::{Recording, Scratch, Style};
use ludex_game::{Game, PlayoutKind, Rng, Turn};
use ludex_play::search::{Budget, TableSize};
use ludex_play::spec::{AgentSpec, PlayoutSpec};
use serde::Serialize;

use crate::agents;
use crate::cli::BenchArgs;
use crate::output::{grouped, json_line, table};

/// CPU seconds that a billion steps of the generator took on the machine the recorded figures of other
/// systems come from; rates are compared after scaling by ours.
const REFERENCE_SECONDS: f64 = 0.97;

#[derive(Serialize)]
struct Row {
    game: String,
    policy: String,
    kind: String,
    machine: &'static str,
    playouts_per_s: f64,
    plies_per_s: f64,
    mean_plies: f64,
    playouts: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// Multiplies a rate to what the reference machine would show.
    scale: f64,
}

/// What one thread did.
#[derive(Default, Clone, Copy)]
struct Tally {
    pub playouts: u64,
    pub plies: u64,
    pub cpu: f64,
}

pub fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.portable {
        ludex_game::bits::use_portable_only();
    }
    if args.suite {
        return suite::run(args, out);
    }
    if let Some(folder) = &args.library {
        return library::run(args, folder, out);
    }
    if args.field {
        return field::run(args, out);
    }
    if let Some(playouts) = args.same {
        return same::run(args, playouts, out);
    }
    if args.children {
        return children::run(args, out);
    }
    if let Some(agent) = &args.agent {
        return searches(args, agent, out);
    }
    let policy = policy_with_files(args.policy.parse()?, Path::new(""))?;
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let header = [
        "game",
        "policy",
        "kind",
        "machine",
        "playouts/s",
        "plies/s",
        "mean plies",
        "scaled plies/s",
    ];
    let mut table = table(&header, &[4, 5, 6, 7]);
    for name in &args.games {
        let mut spec = args.options.spec(name);
        spec.standard = args.standard;
        let game = catalog::load(&spec)?;
        policy.check(&*game)?;
        for row in measure(args, &policy, &spec.to_string(), &game, scale) {
            if args.json {
                json_line(out, &row)?;
                continue;
            }
            table.add_row([
                row.game,
                row.policy,
                row.kind,
                row.machine.to_string(),
                grouped(row.playouts_per_s),
                grouped(row.plies_per_s),
                grouped(row.mean_plies),
                grouped(row.plies_per_s * row.scale),
            ]);
        }
    }
    if !args.json {
        writeln!(
            out,
            "{table}\nRates are per CPU second of one thread; scaled: what the reference machine would show (×{scale:.2})."
        )?;
    }
    Ok(())
}

fn measure(
    args: &BenchArgs,
    policy: &PlayoutSpec,
    name: &str,
    game: &Arc<dyn Game>,
    scale: f64,
) -> Vec<Row> {
    let row = |kind: String, tally: Tally, wall: Duration| Row {
        game: name.to_string(),
        policy: args.policy.clone(),
        kind,
        machine: game.info().machine.name(),
        playouts_per_s: tally.playouts as f64 / tally.cpu,
        plies_per_s: tally.plies as f64 / tally.cpu,
        mean_plies: tally.plies as f64 / tally.playouts.max(1) as f64,
        playouts: tally.playouts,
        cpu_seconds: tally.cpu,
        wall_seconds: wall.as_secs_f64(),
        scale,
    };
    let style = if args.standard { Style::Standard } else { Style::Optimised };
    let kind = if args.standard { PlayoutKind::Listing } else { game.info().playout };
    let started = Instant::now();
    let tally = on_threads(args.threads, |thread| {
        single_playouts(&**game, policy, style, args.seconds, Rng::stream(args.seed, thread))
    });
    let mut rows = vec![row(kind.to_string(), tally, started.elapsed())];
    if !args.standard && *policy == PlayoutSpec::default() {
        let started = Instant::now();
        let tally = on_threads(args.threads, |thread| {
            batch_playouts(&**game, args.seconds, Rng::stream(args.seed, thread))
        });
        if tally.playouts > 0 {
            rows.push(row("bit-parallel".to_string(), tally, started.elapsed()));
        }
    }
    rows
}

#[derive(Serialize)]
struct SearchRow {
    game: String,
    agent: String,
    simulations: u64,
    simulations_per_s: f64,
    nodes: usize,
    bytes_per_node: f64,
    cpu_seconds: f64,
    scale: f64,
}

/// Measures one search after another from the start position.
fn searches(args: &BenchArgs, agent: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let scale = reference_seconds() / REFERENCE_SECONDS;
    let header =
        ["game", "agent", "simulations", "simulations/s", "nodes", "bytes/node", "scaled/s"];
    let mut table = table(&header, &[2, 3, 4, 5, 6]);
    for name in &args.games {
        let spec = args.options.spec(name);
        let found = catalog::find(&spec, Places::here())?;
        // `auto` chooses as it would for a short thought.
        let short = Budget::time(Duration::from_millis(50));
        let (agent, _) = agents::for_game(agent, &found, short)?;
        let row = search(args, &spec.to_string(), &agent, &found.game, scale)?;
        if args.json {
            json_line(out, &row)?;
            continue;
        }
        table.add_row([
            row.game,
            row.agent,
            grouped(row.simulations as f64),
            grouped(row.simulations_per_s),
            grouped(row.nodes as f64),
            format!("{:.1}", row.bytes_per_node),
            grouped(row.simulations_per_s * scale),
        ]);
    }
    if !args.json {
        writeln!(out, "{table}")?;
    }
    Ok(())
}

fn search(
    args: &BenchArgs,
    name: &str,
    agent: &AgentSpec,
    game: &Arc<dyn Game>,
    scale: f64,
) -> anyhow::Result<SearchRow> {
    let budget = Budget { simulations: args.simulations, ..Budget::default() };
    let start = game.start();
    let Turn::Players(players) = game.turn(&start) else {
        anyhow::bail!("{name} does not begin with a player's move");
    };
    let player = players.first().unwrap_or_default();
    let mut rng = Rng::seeded(args.seed);
    let (mut simulations, mut last) = (0, TableSize::default());
    let mut cpu_seconds = 0.0;
    while simulations == 0 || cpu_seconds < args.seconds {
        // What is read and prepared for a whole match is no part of a search.
        let mut searcher = agent.build(game, None, &mut rng)?;
        let (started, began) = (ThreadTime::now(), Instant::now());
        let Some(report) = searcher.choose(&start, player, budget).report else {
            anyhow::bail!("the agent `{}` does not search", args.agent.as_deref().unwrap_or(""));
        };
        simulations += report.simulations;
        last = report.size;
        // Several threads are measured by the clock on the wall: what one of them takes says nothing.
        cpu_seconds += match agent.threads() {
            1 => started.elapsed().as_secs_f64(),
            _ => began.elapsed().as_secs_f64(),
        };
    }
    Ok(SearchRow {
        game: name.to_string(),
        agent: agent.to_string(),
        simulations,
        simulations_per_s: simulations as f64 / cpu_seconds,
        nodes: last.nodes,
        bytes_per_node: last.bytes as f64 / last.nodes.max(1) as f64,
        cpu_seconds,
        scale,
    })
}

/// Runs the same work on several threads and adds it up.
fn on_threads(threads: u16, work: impl Fn(u64) -> Tally + Sync) -> Tally {
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> =
            (0..u64::from(threads)).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().map(|thread| thread.join().expect("playouts do not panic")).fold(
            Tally::default(),
            |all, one| Tally {
                playouts: all.playouts + one.playouts,
                plies: all.plies + one.plies,
                cpu: all.cpu + one.cpu,
            },
        )
    })
}

/// Playouts by a policy that learns from each, as in a search.
fn single_playouts(
    game: &dyn Game,
    policy: &PlayoutSpec,
    style: Style,
    seconds: f64,
    mut rng: Rng,
) -> Tally {
    let start = game.start();
    let mut state = start.clone();
    let mut policy = policy.build(game);
    let mut payoffs = vec![0.0; game.info().players];
    let mut scratch = Scratch::default();
    scratch.recording = policy.recording();
    until(seconds, |tally| {
        state.copy_from(&start);
        scratch.record.clear();
        let plies = game.playout(&mut state, policy.sampling(), style, &mut scratch, &mut rng);
        if scratch.recording != Recording::Nothing {
            game.payoffs(&state, &mut payoffs);
            policy.learn(&scratch.record, &payoffs);
        }
        tally.playouts += 1;
        tally.plies += u64::from(plies);
    })
}

fn batch_playouts(game: &dyn Game, seconds: f64, mut rng: Rng) -> Tally {
    const BATCH: u64 = 4096;
    let start = game.start();
    let mut able = true;
    until(seconds, |tally| {
        able = able
            && game.playout_batch(&start, &mut rng, BATCH, &mut |_, plies| {
                tally.playouts += 1;
                tally.plies += u64::from(plies);
            });
        // A game that cannot is done at once.
        tally.cpu = if able { 0.0 } else { f64::INFINITY };
    })
}

/// Repeats the work until so many CPU seconds have passed; looks at the clock rarely.
fn until(seconds: f64, mut work: impl FnMut(&mut Tally)) -> Tally {
    let started = ThreadTime::now();
    let mut tally = Tally::default();
    let mut between_looks = 1u64;
    loop {
        for _ in 0..between_looks {
            work(&mut tally);
            if tally.cpu == f64::INFINITY {
                return Tally::default();
            }
        }
        let elapsed = started.elapsed().as_secs_f64();
        if elapsed >= seconds {
            return Tally { cpu: elapsed, ..tally };
        }
        // About a hundredth of the whole between looks.
        if elapsed < seconds / 100.0 {
            between_looks = (between_looks * 2).min(1 << 20);
        }
    }
}

/// CPU seconds of a billion steps of the generator here, measured on a tenth of that.
pub(super) fn reference_seconds() -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let started = ThreadTime::now();
        let mut rng = Rng::seeded(1);
        let sum = (0..100_000_000u32).fold(0u64, |sum, _| sum.wrapping_add(rng.next()));
        std::hint::black_box(sum);
        best = best.min(started.elapsed().as_secs_f64() * 10.0);
    }
    best
}
