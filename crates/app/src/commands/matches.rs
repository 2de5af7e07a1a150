//! `ludex match`: agents against each other over all seatings.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, bail};
use ludex_arena::catalog::{self, Places};
use ludex_arena::experiment::{VERSION, budget_text, machine_text};
use ludex_arena::stats::Tally;
use ludex_arena::{MatchRecord, Series};
use ludex_play::search::{Budget, Stop};
use serde::Serialize;

use crate::agents;
use crate::cli::MatchArgs;
use crate::output::{json_line, table};
use crate::progress;

/// What a match is said to have been, for people and for programs.
#[derive(Serialize)]
struct Outcome<'a> {
    game: String,
    rules: String,
    agents: &'a [String],
    /// The agents with every setting.
    specs: Vec<String>,
    /// What `auto` chose, and why.
    chosen: Vec<String>,
    /// Games finished, which are fewer than planned where the match was stopped.
    games: u64,
    planned: u64,
    scores: Vec<Option<f64>>,
    ci95: Vec<[f64; 2]>,
    interval: String,
    wins: Vec<u64>,
    draws: Vec<u64>,
    losses: Vec<u64>,
    budget: String,
    seed: u64,
    version: &'a str,
    machine: String,
    /// Games that were lost by other things than the rules.
    forfeits: Vec<Lost>,
}

/// A game that somebody lost by resigning, hanging, ending, cheating or talking nonsense.
#[derive(Serialize)]
struct Lost {
    /// Its number, from one.
    game: u64,
    /// Who lost, by his place among the agents.
    agent: usize,
    reason: String,
}

pub fn run(args: &MatchArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let spec = args.game.spec();
    let found = catalog::find(&spec, Places::here())?;
    let players = found.game.info().players;
    if players == 0 {
        bail!("{} has no players; `ludex play` shows how it goes", found.game.info().name);
    }
    if let ([alone], 2..) = (&args.agents[..], players) {
        bail!(
            "{} has {players} players and `{alone}` would have every seat: name another agent, or the same \
             one again to let it play against itself",
            found.game.info().name
        );
    }
    let budget = args.budget.budget(Budget::simulations(1000));
    let contestants = args
        .agents
        .iter()
        .map(|text| agents::contestant(text, &found, budget))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (contestants, chosen): (Vec<_>, Vec<_>) = contestants.into_iter().unzip();
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let specs: Vec<String> = contestants.iter().map(|one| one.spec.full()).collect();
    let series = Series {
        game: found.game,
        contestants,
        matches: args.games,
        seed: args.seed,
        threads: args.threads.into(),
        stop: stop_on_interrupt()?,
    };
    let bar = progress::of_games(args.games);
    let mut unwritten = None;
    let (mut finished, mut forfeits): (u64, Vec<Lost>) = (0, Vec::new());
    let tallies = series.play(|index, record| {
        bar.inc(1);
        finished += 1;
        forfeits.extend(record.forfeit.as_ref().map(|lost| Lost {
            game: index + 1,
            agent: record.seating[lost.seat],
            reason: lost.reason.clone(),
        }));
        unwritten = write_record(args, &spec.to_string(), &specs, budget, index, record).err();
        unwritten.is_none()
    })?;
    bar.finish_and_clear();
    if let Some(error) = unwritten {
        return Err(error);
    }
    forfeits.sort_by_key(|lost| lost.game);
    let intervals: Vec<_> = tallies.iter().map(|tally| tally.interval()).collect();
    let counts = |count: fn(&Tally) -> u64| tallies.iter().map(count).collect();
    let outcome = Outcome {
        game: spec.to_string(),
        rules: found.rules.to_string(),
        agents: &args.agents,
        specs,
        chosen: chosen.into_iter().flatten().collect(),
        games: finished,
        planned: args.games,
        scores: tallies.iter().map(Tally::mean).collect(),
        ci95: intervals.iter().map(|interval| [interval.low, interval.high]).collect(),
        interval: intervals.first().map_or(String::new(), |found| found.method.to_string()),
        wins: counts(|tally| tally.wins),
        draws: counts(|tally| tally.draws),
        losses: counts(|tally| tally.losses),
        budget: budget_text(budget),
        seed: args.seed,
        version: VERSION,
        machine: machine_text(),
        forfeits,
    };
    match args.json {
        true => json_line(out, &outcome)?,
        false => print(&outcome, &tallies, out)?,
    }
    // What shells expect of a program that was interrupted.
    Ok(if finished < args.games { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Raised by Ctrl-C, so that what was played so far is still printed; the second time nothing is waited for.
fn stop_on_interrupt() -> anyhow::Result<Stop> {
    let stop = Stop::default();
    let asked = stop.clone();
    let handler = move || {
        if asked.is_raised() {
            std::process::exit(130);
        }
        asked.raise();
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

fn write_record(
    args: &MatchArgs,
    game: &str,
    specs: &[String],
    budget: Budget,
    index: u64,
    mut record: MatchRecord,
) -> anyhow::Result<()> {
    let Some(folder) = &args.records else { return Ok(()) };
    record.trial.game = game.to_string();
    for (seat, &who) in record.seating.iter().enumerate() {
        let text: Vec<&str> = specs[who].split_whitespace().collect();
        record.trial.notes.push(format!("P{} {}", seat + 1, text.join(" ")));
    }
    record.trial.notes.push(format!("budget {}", budget_text(budget)));
    record.trial.notes.push(format!("version {VERSION}"));
    let path = folder.join(format!("{:06}.trial", index + 1));
    std::fs::write(&path, record.trial.to_string())
        .with_context(|| format!("cannot write {}", path.display()))
}

fn print(outcome: &Outcome, tallies: &[Tally], out: &mut dyn Write) -> anyhow::Result<()> {
    let header = ["agent", "score", "95% interval", "won", "drawn", "lost", "points"];
    let mut table = table(&header, &[1, 2, 3, 4, 5, 6]);
    for (agent, tally) in outcome.agents.iter().zip(tallies) {
        let interval = tally.interval();
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        let range = format!("{low:.1}–{high:.1}% ({})", interval.method);
        let score = tally.mean().map(|mean| format!("{:.1}%", 100.0 * mean));
        table.add_row([
            agent.clone(),
            score.clone().unwrap_or_else(|| "–".to_string()),
            score.map_or("no games".to_string(), |_| range),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{} of {}", tally.points, tally.matches),
        ]);
    }
    let Outcome { game, games, planned, budget, seed, version, rules, .. } = outcome;
    let games = match games < planned {
        true => format!("stopped after {games} of {planned} games"),
        false => format!("{games} games"),
    };
    writeln!(
        out,
        "{game}, {games}, {budget} a move, seed {seed}, version {version}, rules {rules}"
    )?;
    writeln!(out, "{table}")?;
    for sentence in &outcome.chosen {
        writeln!(out, "{}", textwrap::fill(sentence, 100))?;
    }
    for Lost { game, agent, reason } in &outcome.forfeits {
        writeln!(out, "Game {game}: {} lost, {reason}.", outcome.agents[*agent])?;
    }
    Ok(())
}
