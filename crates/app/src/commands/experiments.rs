//! `ludex run`, `ludex report` and `ludex reproduce`: experiments, their tables and plots.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use indicatif::ProgressBar;
use ludex_arena::experiment::{
    Experiment, Progress, RunOptions, RunSummary, Store, paper_table, run as play,
};
use ludex_arena::report::{self, CellReport};
use ludex_arena::stats::Tally;
use serde::Serialize;

use crate::cli::{
    Cluster, ExperimentArgs, MergeArgs, ReportArgs, ReportFormat, ReproduceArgs, RunArgs,
};
use crate::output::json_line;
use crate::progress;

/// Runs an experiment file.
pub fn run(args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = &args.file;
    if let Some(Cluster::Ray) = args.on {
        refuse_beside_ray(&args.how)?;
        return run_on_ray(args);
    }
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let experiment = Experiment::read(&path.display().to_string(), &text)?;
    let store = args.how.store.clone().unwrap_or_else(|| path.with_extension("sqlite"));
    let folder = path.parent().unwrap_or(Path::new("."));
    run_and_report(experiment, &store, folder, &args.how, out)
}

/// Refuses what the Python package would not hear.
fn refuse_beside_ray(how: &ExperimentArgs) -> anyhow::Result<()> {
    for (given, name) in
        [(!how.only.is_empty(), "--only"), (how.json, "--json"), (how.threads > 1, "--threads")]
    {
        if given {
            bail!("`{name}` does not go with `--on ray`");
        }
    }
    Ok(())
}

/// Hands the run to the Python package, which knows Ray.
fn run_on_ray(args: &RunArgs) -> anyhow::Result<()> {
    let mut command = std::process::Command::new(python());
    command.args(["-m", "ludex.arena", "run"]).arg(&args.file);
    let mut option = |name: &str, value: Option<std::ffi::OsString>| {
        if let Some(value) = value {
            command.arg(name).arg(value);
        }
    };
    option("--address", args.address.clone().map(Into::into));
    option("--store", args.how.store.clone().map(Into::into));
    option("--games", args.how.games.map(|count| count.to_string().into()));
    option("--simulations", args.how.simulations.map(|count| count.to_string().into()));
    option("--rules", args.how.rules.clone().map(Into::into));
    let status = command.status().context(NO_PACKAGE)?;
    match status.code() {
        Some(0) => Ok(()),
        // Python itself ends with 1 where there is no such module; what it says about that was printed.
        Some(1 | 3) => bail!(NO_PACKAGE),
        Some(2) => bail!("the run could not be made as asked"),
        _ => bail!("the run ended early; the same command goes on where this one left off"),
    }
}

/// What somebody without the package is told.
const NO_PACKAGE: &str = "`--on ray` needs the Python package and Ray: pip install \".[ray]\" in the repository \
    (LUDEX_PYTHON names the interpreter that has them)";

fn python() -> String {
    std::env::var("LUDEX_PYTHON").unwrap_or_else(|_| "python3".to_string())
}

/// Joins the stores of an experiment's parts.
pub fn merge(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(part) = args.parts.iter().find(|part| !part.exists()) {
        bail!("there is no store {}", part.display());
    }
    let store = Store::open(&args.store)?;
    for part in &args.parts {
        let merged = store.absorb(part)?;
        let file = part.display().to_string();
        match args.json {
            true => json_line(out, &Added { file, added: merged.added, known: merged.known })?,
            false => {
                writeln!(out, "{file}: {} matches added, {} known", merged.added, merged.known)?;
            }
        }
    }
    Ok(())
}

/// What a store added to another, for programs.
#[derive(Serialize)]
struct Added {
    file: String,
    added: u64,
    known: u64,
}

/// Runs one of the papers' tables.
pub fn reproduce(args: &ReproduceArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(name) = args.table.strip_prefix("features/") {
        return super::features::figures(name, out);
    }
    let experiment = paper_table(&args.table)?;
    let file = format!("{}.sqlite", args.table.replace('/', "-"));
    let store = args.how.store.clone().unwrap_or_else(|| PathBuf::from(file));
    let folder = store.parent().unwrap_or(Path::new(".")).to_path_buf();
    run_and_report(experiment, &store, &folder, &args.how, out)
}

fn run_and_report(
    experiment: Experiment,
    path: &Path,
    folder: &Path,
    how: &ExperimentArgs,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut experiment = experiment.resized(how.games, how.simulations);
    if !how.only.is_empty() {
        experiment = experiment
            .only(&how.only)
            .map_err(|absent| anyhow!("the experiment has no game {}", absent.join(", ")))?;
    }
    let store = Store::open(path)?;
    warn(&store)?;
    let summary = run_with_bar(&experiment, &store, folder, how)?;
    // A store may keep other experiments, too.
    let mut reports = report::gather(&store)?;
    reports.retain(|report| {
        report.cell.experiment == experiment.title && summary.cells.contains(&report.cell.id)
    });
    print_report(&reports, how.json, out)?;
    for failure in &summary.failures {
        eprintln!("error: {failure}");
    }
    if !summary.failures.is_empty() {
        bail!("{} matches failed", summary.failures.len());
    }
    if summary.stopped {
        bail!("stopped; the same command goes on where this one left off");
    }
    Ok(())
}

fn run_with_bar(
    experiment: &Experiment,
    store: &Store,
    folder: &Path,
    how: &ExperimentArgs,
) -> anyhow::Result<RunSummary> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    // The first time matches under way are finished; the second time nothing is waited for.
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    let mut bar: Option<ProgressBar> = None;
    let (threads, rules) = (how.threads.into(), how.rules.as_deref());
    let options = RunOptions { threads, folder, rules, stop: &stop, share: how.share() };
    let summary = play(experiment, store, options, &mut |step| match step {
        Progress::Planned { total, finished } => {
            let shown = progress::of_games(total);
            shown.set_position(finished);
            shown.reset_eta();
            bar = Some(shown);
        }
        Progress::Learning { game, done, total } => {
            if done == total {
                eprintln!("learned policies for {total} opening positions of {game}");
            }
        }
        Progress::Match { .. } => {
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(summary?)
}

/// Says what the results of an earlier version cannot be told apart by.
fn warn(store: &Store) -> anyhow::Result<()> {
    if let Some(caution) = store.caution()? {
        eprintln!("warning: {caution}.");
    }
    Ok(())
}

/// Prints what a store keeps.
pub fn show(args: &ReportArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let format = format(args)?;
    let store = Store::open_to_read(&args.store)?;
    warn(&store)?;
    let reports = report::gather(&store)?;
    let text = match format {
        ReportFormat::Text => {
            let mut text = report::text(&reports);
            if args.of_match.is_some() {
                let courses = report::courses(&store, &reports, args.of_match)?;
                courses.iter().for_each(|course| text += &format!("\n{}", course.text()));
            }
            text.into_bytes()
        }
        ReportFormat::Markdown => report::markdown(&reports).into_bytes(),
        ReportFormat::Csv => report::csv(&reports).into_bytes(),
        ReportFormat::Html => {
            let courses = report::courses(&store, &reports, args.of_match)?;
            report::html(&store.title()?, &reports, &courses).into_bytes()
        }
        ReportFormat::Json => {
            let mut lines = Vec::new();
            print_report(&reports, true, &mut lines)?;
            lines
        }
    };
    match &args.output {
        Some(path) if path != Path::new("-") => std::fs::write(path, text)
            .with_context(|| format!("cannot write {}", path.display()))?,
        _ => out.write_all(&text)?,
    }
    Ok(())
}

/// How a report looks: as was said, or as the name of the output ends.
fn format(args: &ReportArgs) -> anyhow::Result<ReportFormat> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    Ok(match (args.json, args.format, output) {
        (true, _, _) => ReportFormat::Json,
        (false, Some(format), _) => format,
        (false, None, None) => ReportFormat::Text,
        (false, None, Some(path)) => match path.extension().and_then(|ending| ending.to_str()) {
            Some("txt") => ReportFormat::Text,
            Some("md") => ReportFormat::Markdown,
            Some("csv") => ReportFormat::Csv,
            Some("html" | "htm") => ReportFormat::Html,
            Some("json" | "jsonl") => ReportFormat::Json,
            _ => bail!(
                "the ending of {} says nothing about its format: use .txt, .md, .csv, .html or .jsonl, \
                 or say --format",
                path.display()
            ),
        },
    })
}

#[derive(Serialize)]
struct CellLine<'a> {
    experiment: &'a str,
    game: &'a str,
    budget: &'a str,
    agents: &'a [String],
    specs: &'a [String],
    /// The specs with every setting.
    full: &'a [String],
    rules: Option<&'a str>,
    seed: Option<&'a str>,
    clock: &'a str,
    games: u64,
    planned: u64,
    scores: Vec<Option<f64>>,
    ci95: Vec<[f64; 2]>,
    interval: String,
    wins: Vec<u64>,
    draws: Vec<u64>,
    losses: Vec<u64>,
    played: &'a BTreeSet<String>,
    paper: Option<f64>,
    agrees: Option<bool>,
}

fn print_report(reports: &[CellReport], json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    if !json {
        out.write_all(report::text(reports).as_bytes())?;
        return Ok(());
    }
    for report in reports {
        let cell = &report.cell;
        // Whoever has all seats to himself wins every match, which says nothing.
        let empty = vec![Tally::default(); report.tallies.len()];
        let tallies = if report.is_timing() { &empty } else { &report.tallies };
        let intervals = tallies.iter().map(|tally| tally.interval());
        let counts = |count: fn(&Tally) -> u64| tallies.iter().map(count).collect();
        let line = CellLine {
            experiment: &cell.experiment,
            game: &cell.game,
            budget: &cell.budget,
            agents: &cell.names,
            specs: &cell.specs,
            full: &cell.agents,
            rules: cell.rules.as_deref(),
            seed: cell.seed.as_deref(),
            clock: &cell.clock,
            games: report.tallies[0].matches,
            planned: cell.planned,
            scores: tallies.iter().map(Tally::mean).collect(),
            ci95: intervals.map(|interval| [interval.low, interval.high]).collect(),
            interval: report.interval().method.to_string(),
            wins: counts(|tally| tally.wins),
            draws: counts(|tally| tally.draws),
            losses: counts(|tally| tally.losses),
            played: &report.played,
            paper: cell.paper.map(|(value, _)| value),
            agrees: report.agrees(),
        };
        json_line(out, &line)?;
    }
    Ok(())
}
