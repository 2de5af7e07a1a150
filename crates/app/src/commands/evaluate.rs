//! `ludex evaluate`: is a game fair, alive, deep?

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use ludex_arena::catalog::GameSpec;
use ludex_arena::experiment::Store;
use ludex_judge::evaluate::{DeadRules, Step};
use ludex_judge::sweep::{self, Differs};
use ludex_judge::{Evaluation, Figure, Plan, Tier, evaluate, verdict};
use serde::Serialize;

use super::{agreement, library};
use crate::agents;
use crate::cli::{EvaluateArgs, JudgeArgs};
use crate::output::{json_line, table};
use crate::progress;

pub fn run(args: &EvaluateArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    match (&args.library, &args.write, args.again) {
        (_, _, Some(again)) => return agreement::run(args, again, out),
        (Some(library), Some(file), None) => return library::measure(args, library, file, out),
        (Some(_), None, None) => {
            bail!(
                "--library makes a table: say where with --write FILE, or compare seeds with --again SEED"
            )
        }
        (None, ..) => {}
    }
    let specs = specs(args)?;
    let Some(tier) = Tier::numbered(args.tier) else { bail!("there are the tiers 0, 1 and 2") };
    if args.html.is_some() && specs.len() > 1 {
        bail!("--html shows one game; name one, and leave out --sweep");
    }
    if let Some(path) = &args.html {
        is_writable(path)?;
    }
    let store = open(&args.how)?;
    let stop = stop_on_ctrl_c()?;
    let mut all = Vec::new();
    for spec in specs {
        let plan = plan(spec, tier, &args.how)?;
        let found = watched(&plan, &store, &stop)?;
        if args.json {
            json_line(out, &line(&found))?;
            out.flush()?;
        } else if args.sweep.is_empty() && args.games.len() == 1 {
            print(&found, out)?;
        }
        if let Some(path) = &args.html {
            let page = ludex_judge::page::html(&plan, &found, &store)?;
            std::fs::write(path, page)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        all.push(found);
    }
    if !args.json && all.len() > 1 {
        side_by_side(&all, out)?;
    }
    Ok(())
}

/// Says before anything is played that a file has no folder to stand in.
pub fn is_writable(path: &Path) -> anyhow::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            bail!("cannot write {}: there is no folder {}", path.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// The games that were named, each in all variants.
pub fn specs(args: &EvaluateArgs) -> anyhow::Result<Vec<GameSpec>> {
    let mut all = Vec::new();
    for name in &args.games {
        let spec = args.options.spec(name);
        match args.sweep.is_empty() {
            true => all.push(spec),
            false => all.extend(sweep::variants(&spec, &args.sweep)?),
        }
    }
    Ok(all)
}

/// The plan that the arguments make.
pub fn plan(game: GameSpec, tier: Tier, how: &JudgeArgs) -> anyhow::Result<Plan> {
    let mut plan = Plan::new(game, tier);
    plan.agent = agents::parse(&how.agent)?;
    plan.simulations = how.simulations;
    plan.games = how.matches;
    plan.random_games = how.random_games;
    plan.seed = how.seed;
    plan.dead_rules = DeadRules::Sought;
    if let Some(threads) = how.threads {
        plan.threads = threads.into();
    }
    if let Some(seconds) = how.seconds {
        // Whoever asks for less of what he asked for wants no more of what goes before.
        let asked = Duration::from_secs_f64(seconds);
        let usual = plan.time;
        plan.time = usual.map(|usual| usual.min(asked));
        plan.time[tier.number() as usize] = asked;
    }
    Ok(plan)
}

/// The store that was named; without a name one in this folder, or where that cannot be written, one that is forgotten.
pub fn open(how: &JudgeArgs) -> anyhow::Result<Store> {
    if let Some(path) = &how.store {
        return Ok(Store::open(path)?);
    }
    let path = PathBuf::from("evaluation.sqlite");
    match Store::open(&path) {
        Ok(store) => Ok(store),
        Err(error) => {
            eprintln!("warning: {error}; this run cannot be gone on with");
            Ok(Store::open(Path::new(":memory:"))?)
        }
    }
}

/// Raised by Ctrl-C: games under way are finished and kept; the second time nothing is waited for.
pub fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Judges a game, and tells how far it is.
pub fn watched(plan: &Plan, store: &Store, stop: &AtomicBool) -> anyhow::Result<Evaluation> {
    let bar = progress::bar("{pos}/{len} {msg}, {eta} left");
    let show = |done, planned, what: &'static str| {
        bar.set_length(planned);
        bar.set_position(done);
        bar.set_message(what);
    };
    let found = evaluate(plan, store, stop, &mut |step| match step {
        Step::Random(games) => show(games, plan.random_games, "random games"),
        Step::Searched(done, planned) => show(done, planned, "games between searches"),
        Step::Ladder(done, planned) => show(done, planned, "games of the ladder"),
        Step::Rules => show(0, 1, "rules tried"),
    });
    bar.finish_and_clear();
    Ok(found?)
}

/// An evaluation as JSON has it.
#[derive(Serialize)]
pub struct Line<'a> {
    game: &'a str,
    name: &'a str,
    players: usize,
    tier: u8,
    games: u64,
    agent: &'a str,
    seed: u64,
    verdict: &'a str,
    metrics: &'a BTreeMap<String, Figure>,
    warnings: &'a [String],
    ends: &'a BTreeMap<String, u64>,
}

/// An evaluation as JSON has it.
pub fn line(found: &Evaluation) -> Line<'_> {
    let counted = match &found.evidence.searched {
        Some(searched) => &searched.counted,
        None => &found.evidence.random,
    };
    Line {
        game: &found.game,
        name: &found.name,
        players: found.players,
        tier: found.tier.number(),
        games: found.games,
        agent: &found.agent,
        seed: found.seed,
        verdict: &found.verdict,
        metrics: &found.metrics,
        warnings: &found.warnings,
        ends: &counted.ends,
    }
}

fn print(found: &Evaluation, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{} — {}", found.game, found.verdict)?;
    for warning in &found.warnings {
        writeln!(out, "  ! {warning}")?;
    }
    let mut shown = table(&["", "value", "games", "percentile", "by", "meaning"], &[1, 2, 3]);
    for (name, figure) in &found.metrics {
        let doubt = figure.warning.as_ref().map_or("", |_| " ?");
        shown.add_row([
            name.clone(),
            format!("{}{doubt}", verdict::shown(name, figure)),
            figure.games.to_string(),
            figure.percentile.map_or(String::new(), |place| format!("{place:.0}")),
            figure.agent.clone(),
            verdict::meaning(name).to_string(),
        ]);
    }
    writeln!(out, "{shown}")?;
    writeln!(
        out,
        "95% intervals; seed {}; numbers with ? are not to be relied on; percentiles are among library games",
        found.seed
    )?;
    Ok(())
}

fn side_by_side(all: &[Evaluation], out: &mut dyn Write) -> anyhow::Result<()> {
    for found in all {
        writeln!(out, "{} — {}", found.game, found.verdict)?;
        for warning in &found.warnings {
            writeln!(out, "  ! {warning}")?;
        }
    }
    let names: Vec<String> = all.iter().map(|found| found.game.clone()).collect();
    let header: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
    let numbers: Vec<usize> = (1..header.len()).collect();
    let mut shown = table(&header, &numbers);
    for (name, cells) in sweep::table(all) {
        let cell = |(text, differs): (String, Differs)| match differs {
            Differs::Surely => format!("{text} *"),
            Differs::Perhaps => text,
        };
        shown.add_row(std::iter::once(name).chain(cells.into_iter().map(cell)));
    }
    writeln!(out, "{shown}")?;
    writeln!(
        out,
        "95% intervals, seed {}; * surely differs from the first column",
        all.first().map_or(0, |found| found.seed)
    )?;
    Ok(())
}
