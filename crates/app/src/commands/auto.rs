//! `ludex auto`: what plays a game best, and why.

use std::io::Write;
use std::time::{Duration, Instant};

use ludex_arena::auto::{self, Book, GameEntry, Race};
use ludex_arena::catalog::{self, Found, Places};
use ludex_arena::train::{Plan, Training};
use ludex_play::evaluation::Weights;
use ludex_play::search::{Budget, Clock};
use ludex_play::survey::Survey;
use serde::Serialize;

use crate::cli::AutoArgs;
use crate::output::json_line;

#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    rules: String,
    survey: String,
    goal: &'a str,
    action: &'a str,
    branching: f64,
    plies: f64,
    captures: f64,
    agent: String,
    why: &'a str,
}

pub fn run(args: &AutoArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let name = args.game.spec().to_string();
    let found = catalog::find(&args.game.spec(), Places::here())?;
    let mut book = match &args.book {
        Some(path) if path.exists() => Book::load(path)?,
        Some(_) => Book::default(),
        None => Book::usual().clone(),
    };
    let survey = Survey::of(&*found.game);
    let budget = Budget { clock: Clock::Cpu, ..Budget::time(args.time) };
    if args.measure {
        let entry = measure(args, &name, &found, &survey, budget, out)?;
        book.put(entry);
        if let Some(path) = &args.book {
            book.save(path)?;
        }
    }
    let mut chosen = auto::choose_surveyed(&found.game, &survey, Some(&found.rules), budget, &book);
    if let Some(path) = &args.save {
        let saved = auto::save_weights(&mut chosen.spec, &name, path)?;
        anyhow::ensure!(saved, "`{}` judges no positions", chosen.spec);
    }
    if args.json {
        return json_line(
            out,
            &Line {
                game: &name,
                rules: found.rules.to_string(),
                survey: survey.words(),
                goal: survey.goal.word(),
                action: survey.action.word(),
                branching: survey.branching,
                plies: survey.plies,
                captures: survey.captures,
                agent: chosen.spec.full(),
                why: &chosen.why,
            },
        );
    }
    writeln!(out, "{name}, rules {}: {}", found.rules, survey.words())?;
    writeln!(out, "auto plays `{}`", chosen.spec)?;
    writeln!(out, "{}", textwrap::fill(&chosen.why, 100))?;
    Ok(())
}

/// Learns, plays the candidates, and says what was found.
fn measure(
    args: &AutoArgs,
    name: &str,
    found: &Found,
    survey: &Survey,
    budget: Budget,
    out: &mut dyn Write,
) -> anyhow::Result<GameEntry> {
    let plan = Plan { seed: args.seed, threads: args.threads.into(), ..Plan::default() };
    let mut learned: Option<Weights> = None;
    if args.minutes > 0.0
        && let Ok(mut training) = Training::new(found.game.clone(), plan, None)
    {
        let until = Instant::now() + Duration::from_secs_f64(60.0 * args.minutes);
        while Instant::now() < until {
            training.round();
        }
        learned = Some(training.file(name).weights());
    }
    let race =
        Race { matches: args.matches, budget, seed: args.seed, threads: args.threads.into() };
    let (agent, by_learned, how) =
        auto::measure(&found.game, survey, learned.as_ref(), &race, |standing| {
            let learned = if standing.learned { ", learned" } else { "" };
            eprintln!(
                "{}{learned}: {} of {} against {}",
                standing.agent, standing.tally.points, standing.tally.matches, standing.against
            );
        })?;
    writeln!(out, "{name}: {agent}, {how}")?;
    out.flush()?;
    let weights = learned.filter(|_| by_learned).map(|weights| weights.groups);
    Ok(GameEntry {
        rules: found.rules.to_string(),
        name: name.to_string(),
        agent,
        found: format!("{how}, {} ms of processor time a move", args.time.as_millis()),
        weights: weights.unwrap_or_default(),
    })
}
