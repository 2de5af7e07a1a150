//! `ludex improve`: a search for better rules.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use ludex_arena::experiment::Store;
use ludex_judge::edit::Keep;
use ludex_judge::goal::Goal;
use ludex_judge::improve::{Candidate, ImprovePlan, Improvement, Step, file_text, improve};
use ludex_judge::verdict;
use serde::Serialize;

use super::evaluate::stop_on_ctrl_c;
use crate::agents;
use crate::cli::ImproveArgs;
use crate::output::json_line;
use crate::progress;

pub fn run(args: &ImproveArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let plan = plan(args)?;
    std::fs::create_dir_all(&plan.folder)
        .with_context(|| format!("cannot write {}", plan.folder.display()))?;
    let store = Store::open(&plan.folder.join("improvement.sqlite"))?;
    let stop = stop_on_ctrl_c()?;
    let bar = progress::bar("{percent}% {msg}");
    bar.set_length(1000);
    let found = improve(&plan, &store, &stop, &mut |step| match step {
        Step::Searching { spent, attempts, kept, best } => {
            bar.set_position((1000.0 * spent) as u64);
            bar.set_message(format!("{attempts} attempts, {kept} kept, best {best:.3}"));
        }
        Step::Finalist { changes, games } => {
            let who = match changes {
                [] => "the original".to_string(),
                changes => changes.join("; "),
            };
            bar.set_message(format!("{games} games: {who}"));
        }
    });
    bar.finish_and_clear();
    let found = found?;
    let game = args.game.spec().to_string();
    write_all(&plan, &found, &game)?;
    if args.json {
        return json_line(out, &line(&found, &game));
    }
    Ok(out.write_all(words(&plan, &found, &game).as_bytes())?)
}

fn plan(args: &ImproveArgs) -> anyhow::Result<ImprovePlan> {
    let text = match args.goal.ends_with(".toml") {
        true => std::fs::read_to_string(&args.goal)
            .with_context(|| format!("cannot read {}", args.goal))?,
        false => args.goal.clone(),
    };
    if !(args.minutes > 0.0 && args.minutes <= 10_000.0) {
        bail!("--minutes is a number above 0 and at most 10000");
    }
    let spec = args.game.spec();
    let stem =
        Path::new(&spec.name).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}-improved")));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(ImprovePlan {
        goal: Goal::parse(&text)?,
        keep: Keep(args.keep.clone()),
        agent: agents::parse(&args.agent)?,
        simulations: args.simulations,
        seed: args.seed,
        threads: args.threads.map_or(processors, usize::from),
        time: Duration::from_secs_f64(60.0 * args.minutes),
        folder,
        game: spec,
    })
}

/// The best as `best.lud`, the archive as numbered files, and all of it in words.
fn write_all(plan: &ImprovePlan, found: &Improvement, game: &str) -> anyhow::Result<()> {
    let write = |name: String, text: String| {
        let path = plan.folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(best) = &found.best {
        write("best.lud".to_string(), file_text(best, &found.goal, game))?;
    }
    for (number, candidate) in found.archive.iter().enumerate() {
        let text = file_text(candidate, &found.goal, game);
        write(format!("archive-{:03}.lud", number + 1), text)?;
    }
    write("report.md".to_string(), words(plan, found, game))
}

#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    reached: bool,
    attempts: u64,
    cpu_seconds: f64,
    original: &'a Candidate,
    best: Option<&'a Candidate>,
    archive: usize,
}

fn line<'a>(found: &'a Improvement, game: &'a str) -> Line<'a> {
    Line {
        game,
        reached: found.reached,
        attempts: found.attempts,
        cpu_seconds: found.seconds,
        original: &found.original,
        best: found.best.as_ref(),
        archive: found.archive.len(),
    }
}

fn words(plan: &ImprovePlan, found: &Improvement, game: &str) -> String {
    let mut text = format!("# {game}, improved\n\n");
    let _ = match (&found.best, found.reached) {
        (Some(_), true) => writeln!(text, "The goal is reached.\n"),
        (Some(_), false) => writeln!(text, "The goal is not reached; this came nearest.\n"),
        (None, _) => writeln!(text, "No candidate raced to the end.\n"),
    };
    let _ = writeln!(text, "| | original | best |\n|---|---|---|");
    let value = |candidate: Option<&Candidate>, name: &str| {
        let figure = candidate.and_then(|candidate| candidate.metrics.get(name));
        figure.map_or("–".to_string(), |figure| {
            format!("{} ({} games, {})", verdict::shown(name, figure), figure.games, figure.agent)
        })
    };
    let mut names: Vec<&str> = found.goal.terms.iter().map(|term| term.metric.as_str()).collect();
    for more in ["length", "branching", "decided_at", "drama"] {
        if !names.contains(&more) {
            names.push(more);
        }
    }
    for name in names {
        let (old, new) = (value(Some(&found.original), name), value(found.best.as_ref(), name));
        let _ = writeln!(text, "| {} | {old} | {new} |", name.replace('_', " "));
    }
    if let Some(best) = &found.best {
        let _ = writeln!(
            text,
            "\nDistance from the original: {:.1}% of its words.\n\n## What changed\n",
            100.0 * best.distance
        );
        for change in &best.changes {
            let _ = writeln!(text, "- {change}");
        }
        let _ = writeln!(text, "\n## The rules\n\n```\n{}```", best.text);
    }
    let _ = writeln!(
        text,
        "\n## The search\n\n{} attempts, seed {}, {:.0} seconds of processor time; {} rule sets in the archive:\n",
        found.attempts,
        plan.seed,
        found.seconds,
        found.archive.len()
    );
    for (fate, count) in &found.fates {
        let _ = writeln!(text, "- {count} {fate}");
    }
    text.push('\n');
    for candidate in found.archive.iter().take(8) {
        let _ = writeln!(
            text,
            "- quality {:.3}, distance {:.1}%: {}",
            candidate.quality,
            100.0 * candidate.distance,
            match candidate.changes.is_empty() {
                true => "the original".to_string(),
                false => candidate.changes.join("; "),
            }
        );
    }
    text
}
