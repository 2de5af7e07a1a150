//! `ludex run`, `ludex report` and `ludex reproduce`: experiments, their tables and plots.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use indicatif::ProgressBar;
use ludex_arena::experiment::{
    Experiment, Progress, RunOptions, RunSummary, Store, budget_text, paper_table, run as play,
};
use ludex_arena::report::{self, CellReport};
use serde::Serialize;

use super::matches::progress;
use crate::cli::{ExperimentArgs, ReportArgs, ReportFormat, ReproduceArgs, RunArgs};
use crate::output::json_line;

/// Runs an experiment file.
pub fn run(args: &RunArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = &args.file;
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let experiment = Experiment::read(&path.display().to_string(), &text)?;
    let store = args.how.store.clone().unwrap_or_else(|| path.with_extension("sqlite"));
    let folder = path.parent().unwrap_or(Path::new("."));
    run_and_report(experiment, &store, folder, &args.how, out)
}

/// Runs one of the papers' tables.
pub fn reproduce(args: &ReproduceArgs, out: &mut dyn Write) -> anyhow::Result<()> {
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
    let summary = run_with_bar(&experiment, &store, folder, how)?;
    // A store may keep other experiments, too.
    let mut reports = report::gather(&store)?;
    reports.retain(|report| {
        experiment.cells.iter().any(|cell| {
            let specs = cell.entrants.iter().map(|entrant| entrant.spec.to_string());
            report.cell.game == cell.game.to_string()
                && report.cell.budget == budget_text(cell.budget)
                && specs.eq(report.cell.specs.iter().cloned())
        })
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
    let options = RunOptions { threads, folder, rules, stop: &stop };
    let summary = play(experiment, store, options, &mut |step| match step {
        Progress::Planned { total, finished } => {
            let shown = progress(total);
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

/// Prints what a store keeps.
pub fn show(args: &ReportArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let reports = report::gather(&store)?;
    if args.json {
        return print_report(&reports, true, out);
    }
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    let format = args.format.unwrap_or(match extension {
        Some("md") => ReportFormat::Markdown,
        Some("csv") => ReportFormat::Csv,
        Some("html") => ReportFormat::Html,
        _ => ReportFormat::Text,
    });
    let text = match format {
        ReportFormat::Text => report::text(&reports),
        ReportFormat::Markdown => report::markdown(&reports),
        ReportFormat::Csv => report::csv(&reports),
        ReportFormat::Html => report::html(&store.title()?, &reports),
    };
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => std::fs::write(path, text)
            .with_context(|| format!("cannot write {}", path.display()))?,
    }
    Ok(())
}

#[derive(Serialize)]
struct CellLine<'a> {
    experiment: &'a str,
    game: &'a str,
    budget: &'a str,
    agents: &'a [String],
    specs: &'a [String],
    games: u64,
    planned: u64,
    scores: Vec<f64>,
    ci95: Vec<[f64; 2]>,
    interval: String,
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
        let intervals = report.tallies.iter().map(|tally| tally.interval());
        let line = CellLine {
            experiment: &cell.experiment,
            game: &cell.game,
            budget: &cell.budget,
            agents: &cell.names,
            specs: &cell.specs,
            games: report.tallies[0].matches,
            planned: cell.planned,
            scores: report.tallies.iter().map(|tally| tally.mean()).collect(),
            ci95: intervals.map(|interval| [interval.low, interval.high]).collect(),
            interval: report.interval().method.to_string(),
            paper: cell.paper.map(|(value, _)| value),
            agrees: report.agrees(),
        };
        json_line(out, &line)?;
    }
    Ok(())
}
