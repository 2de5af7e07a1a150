//! `ludex evolve`: an evaluation grown out of a game's attributes.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use ludex_arena::evolve::{FormulaFile, Plan, Progress, Run, Training};
use ludex_arena::{ArenaError, catalog};
use ludex_game::Game;
use ludex_play::evolve::{Config, MutationRate, Operators, Replacement, Scheme};
use ludex_play::search::Budget;
use ludex_play::spec::{AgentSpec, EvolvedSpec};
use serde::Serialize;

use crate::agents;
use crate::cli::{EvolveArgs, MutationPer};
use crate::output::json_line;
use crate::progress;

#[derive(Serialize)]
struct Outcome<'a> {
    game: String,
    seed: u64,
    opponent: &'a str,
    formula: &'a str,
    size: usize,
    fitness: f64,
    born: u64,
    validation: Option<f64>,
    ci95: Option<[f64; 2]>,
    validation_games: u64,
}

pub fn run(args: &EvolveArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = args.game.spec();
    let game = catalog::load(&spec)?;
    let plan = plan(args, &game)?;
    let opponent = plan.opponent.to_string();
    let config = config(args)?;
    let checkpoint = args.checkpoint.clone().unwrap_or_else(|| args.out.with_extension("run.toml"));
    if args.fresh && checkpoint.exists() {
        let unwritable = || format!("cannot remove {}", checkpoint.display());
        std::fs::remove_file(&checkpoint).with_context(unwritable)?;
    }
    let mut run = Run::new(Training::new(game.clone(), plan)?, config, Some(checkpoint.clone()))?;
    if run.is_over() {
        let kept = checkpoint.display();
        eprintln!(
            "the run kept in {kept} is finished; this is what it found. --fresh begins anew, more \
             --generations go on from it"
        );
    }
    watch(args, &mut run)?;
    let Some(best) = run.best().cloned() else { bail!("nothing was born") };
    let simple = best.formula.simplified();
    let formula = simple.to_text(game.attributes());
    let file = FormulaFile {
        game: spec.to_string(),
        formula: formula.clone(),
        fitness: Some(best.fitness()),
        born: Some(best.born),
        seed: Some(args.seed),
    };
    file.save(&args.out)?;
    let tally = (args.validate > 0).then(|| run.training().validate(&simple, args.validate));
    if args.json {
        let interval = tally.map(|tally| tally.interval());
        let outcome = Outcome {
            game: spec.to_string(),
            seed: args.seed,
            opponent: &opponent,
            formula: &formula,
            size: best.formula.size(),
            fitness: best.fitness(),
            born: best.born,
            validation: tally.and_then(|tally| tally.mean()),
            ci95: interval.map(|interval| [interval.low, interval.high]),
            validation_games: args.validate,
        };
        return json_line(out, &outcome);
    }
    let generation = best.born / u64::from(args.population);
    writeln!(out, "{spec}, seed {}", args.seed)?;
    writeln!(out, "fitness {:.3}, born in generation {generation}", best.fitness())?;
    writeln!(out, "formula {formula}")?;
    writeln!(out, "opponent {opponent}")?;
    if let Some(tally) = tally {
        let interval = tally.interval();
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        let mean = 100.0 * tally.mean().unwrap_or_default();
        writeln!(out, "validation {mean:.1}% ({low:.1}–{high:.1}%), {} games", tally.matches)?;
    }
    writeln!(
        out,
        "written to {}; play it as `evolved({})`",
        args.out.display(),
        args.out.display()
    )?;
    Ok(())
}

fn plan(args: &EvolveArgs, game: &Arc<dyn Game>) -> anyhow::Result<Plan> {
    let configurations = args.configurations.min(args.games);
    let mut plan = Plan {
        opponent: agents::parse("uct")?,
        budget: Budget::simulations(args.simulations),
        samples: args.samples.into(),
        configurations,
        deals: args.games.div_ceil(configurations),
        seed: args.seed,
        threads: args.threads.into(),
    };
    plan.opponent = match &args.opponent {
        Some(text) => agents::parse(text)?,
        None => match game.scripts() {
            Some(scripts) => agents::parse(scripts.yardstick())?,
            None => first_best(args, game, plan.clone())?,
        },
    };
    Ok(plan)
}

/// The best of the first population, judged by few matches against a weak search: an opponent that the
/// rest of the run has to surpass.
fn first_best(args: &EvolveArgs, game: &Arc<dyn Game>, plan: Plan) -> anyhow::Result<AgentSpec> {
    let short = Plan { configurations: 1, deals: args.games.min(60), ..plan };
    let only_first = Config { generations: 0, ..config(args)? };
    let mut run = Run::new(Training::new(game.clone(), short)?, only_first, None)?;
    run.go_on(|_| true)?;
    let Some(best) = run.best() else { bail!("nothing was born") };
    Ok(AgentSpec::Evolved(EvolvedSpec {
        formula: Some(best.formula.simplified().to_text(game.attributes())),
        samples: args.samples.into(),
        ..EvolvedSpec::default()
    }))
}

fn config(args: &EvolveArgs) -> anyhow::Result<Config> {
    let mut operators = Operators::default();
    for function in &args.functions {
        match function.trim() {
            "divide" => operators.divide = true,
            "min-max" => operators.min_max = true,
            "if" => operators.choice = true,
            other => bail!("`{other}` is not a function: divide, min-max or if"),
        }
    }
    let elite = |elite: u16| Scheme::Generational { elite: elite.into() };
    Ok(Config {
        population: args.population.into(),
        generations: args.generations as usize,
        scheme: args.generational.map_or(Scheme::SteadyState, elite),
        replacement: if args.if_not_worse { Replacement::IfNotWorse } else { Replacement::Always },
        crowding: args.crowding,
        tournament: args.tournament.into(),
        crossover: args.crossover,
        point_mutation: args.mutation,
        mutation_rate: match args.mutation_per {
            MutationPer::Child => MutationRate::PerChild,
            MutationPer::Node => MutationRate::PerNode,
        },
        subtree_mutation: args.subtree_mutation,
        parsimony: args.parsimony,
        deepest: args.depth.into(),
        operators,
        ..Config::default()
    })
}

/// Runs to the end with a bar, and a line in the log for each generation.
fn watch(args: &EvolveArgs, run: &mut Run) -> anyhow::Result<()> {
    let mut log = match &args.log {
        None => None,
        Some(path) => {
            let unwritable = || format!("cannot write {}", path.display());
            let file = OpenOptions::new().create(true).append(true).open(path);
            let mut file = file.with_context(unwritable)?;
            if file.metadata().is_ok_and(|about| about.len() == 0) {
                writeln!(file, "generation,best,mean,size").with_context(unwritable)?;
            }
            Some(file)
        }
    };
    let bar = progress::bar("{pos}/{len} births, {msg}, {eta} left");
    let mut unwritten = None;
    let mut begun = false;
    run.go_on(|progress: &Progress| {
        bar.set_length(progress.last_birth);
        // A run that goes on from a file has not spent time on what was done before.
        if std::mem::replace(&mut begun, true) {
            bar.set_position(progress.births);
        } else {
            bar.set_position(progress.births);
            bar.reset_eta();
        }
        let Progress { best, mean, size, .. } = progress;
        bar.set_message(format!("best {best:.3}, mean {mean:.3}, size {size:.0}"));
        if progress.births.is_multiple_of(u64::from(args.population))
            && let Some(log) = &mut log
        {
            let generation = progress.births / u64::from(args.population) - 1;
            let line = format!("{generation},{best:.4},{mean:.4},{size:.1}");
            unwritten = writeln!(log, "{line}").err();
        }
        unwritten.is_none()
    })
    .map_err(|error: ArenaError| anyhow::Error::from(error))?;
    bar.finish_and_clear();
    match unwritten {
        Some(error) => Err(error).context("cannot write the log"),
        None => Ok(()),
    }
}
