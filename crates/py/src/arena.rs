//! Experiments as the command line runs them, and what cutting them up needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ludex_arena::experiment::{self, Experiment, Progress, RunOptions, Share, Store};
use ludex_arena::report::{self as tables, CellReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{of_file, plain};
use crate::given::positive;
use crate::guest::Raised;
use crate::patience;

/// An experiment file with what is said about it beside.
struct Plan {
    experiment: Experiment,
    folder: PathBuf,
    store: PathBuf,
}

impl Plan {
    fn read(
        file: &Path,
        store: Option<PathBuf>,
        games: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<Plan> {
        positive("games", games)?;
        positive("simulations", simulations)?;
        let text = std::fs::read_to_string(file).map_err(|error| of_file(file, &error))?;
        let experiment = Experiment::read(&file.display().to_string(), &text).map_err(plain)?;
        Ok(Plan {
            experiment: experiment.resized(games, simulations),
            folder: file.parent().unwrap_or(Path::new(".")).to_path_buf(),
            store: store.unwrap_or_else(|| file.with_extension("sqlite")),
        })
    }
}

/// Tells somebody in Python how far a run is. His first exception ends it.
struct Told {
    progress: Option<Py<PyAny>>,
    done: u64,
    planned: u64,
    raised: Raised,
}

impl Told {
    /// Whether the run may go on.
    fn hear(&mut self, step: Progress<'_>) -> bool {
        match step {
            Progress::Planned { total, finished } => self.planned = total - finished,
            Progress::Match { .. } => self.done += 1,
            Progress::Learning { .. } => return true,
        }
        let Some(progress) = self.progress.as_ref().filter(|_| self.done > 0) else { return true };
        let told = Python::attach(|py| progress.call1(py, (self.done, self.planned)).map(drop));
        let raised = told.err();
        let goes_on = raised.is_none();
        if let (Some(error), Ok(mut slot)) = (raised, self.raised.lock()) {
            slot.get_or_insert(error);
        }
        goes_on
    }
}

/// Runs what is missing of an experiment, or of the part `shard` of it, or of `jobs`; gives how many matches were played.
#[pyfunction]
#[pyo3(signature = (file, *, store=None, games=None, simulations=None, threads=1, rules=None, shard=None, jobs=None,
    progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn run_experiment(
    py: Python<'_>,
    file: PathBuf,
    store: Option<PathBuf>,
    games: Option<u64>,
    simulations: Option<u64>,
    threads: usize,
    rules: Option<PathBuf>,
    shard: Option<&str>,
    jobs: Option<Vec<(usize, u64)>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<u64> {
    let plan = Plan::read(&file, store, games, simulations)?;
    let shard = shard.map(|shard| shard.parse().map_err(plain)).transpose()?;
    let halted = Arc::new(AtomicBool::new(false));
    let halt = halted.clone();
    let raised = Raised::default();
    let mut told = Told { progress, done: 0, planned: 0, raised: raised.clone() };
    let summary = patience::wait(
        py,
        || halt.store(true, Ordering::Relaxed),
        move || {
            let share = match (shard, &jobs) {
                (Some(shard), _) => Share::Shard(shard),
                (None, Some(jobs)) => Share::Jobs(jobs),
                (None, None) => Share::All,
            };
            let store = Store::open(&plan.store).map_err(plain)?;
            let options = RunOptions {
                threads: crate::given::threads(threads)?,
                folder: &plan.folder,
                rules: rules.as_deref(),
                stop: &halted,
                share,
            };
            let mut tell = |step: Progress<'_>| {
                if !halted.load(Ordering::Relaxed) && !told.hear(step) {
                    halted.store(true, Ordering::Relaxed);
                }
            };
            experiment::run(&plan.experiment, &store, options, &mut tell).map_err(plain)
        },
    );
    if let Some(error) = raised.lock().ok().and_then(|mut raised| raised.take()) {
        return Err(error);
    }
    let summary = summary?;
    match summary.failures.first() {
        Some(failure) => Err(plain(failure)),
        None => Ok(summary.played),
    }
}

/// The matches that a run would play: each by the place of its cell in the experiment and its number there.
#[pyfunction]
#[pyo3(signature = (file, *, store=None, games=None, simulations=None, rules=None))]
pub fn missing_matches(
    py: Python<'_>,
    file: PathBuf,
    store: Option<PathBuf>,
    games: Option<u64>,
    simulations: Option<u64>,
    rules: Option<PathBuf>,
) -> PyResult<Vec<(usize, u64)>> {
    let plan = Plan::read(&file, store, games, simulations)?;
    let work = move || {
        let store = Store::open(&plan.store).map_err(plain)?;
        let (share, halted) = (Share::All, AtomicBool::new(false));
        let options = RunOptions {
            threads: 1,
            folder: &plan.folder,
            rules: rules.as_deref(),
            stop: &halted,
            share,
        };
        experiment::missing(&plan.experiment, &store, options).map_err(plain)
    };
    patience::wait(py, || {}, work)
}

/// Adds what other stores keep to a store; gives how many matches were new and how many were known.
#[pyfunction]
pub fn merge(py: Python<'_>, store: PathBuf, parts: Vec<PathBuf>) -> PyResult<(u64, u64)> {
    let work = move || {
        let store = Store::open(&store).map_err(plain)?;
        parts.iter().try_fold((0, 0), |(added, known), part| {
            let merged = store.absorb(part).map_err(plain)?;
            Ok((added + merged.added, known + merged.known))
        })
    };
    patience::wait(py, || {}, work)
}

/// Everything about every match of a store but when and how fast it was played.
#[pyfunction]
pub fn fingerprint(py: Python<'_>, store: PathBuf) -> PyResult<Vec<String>> {
    let read = move || Store::open_to_read(&store).and_then(|store| store.fingerprint());
    patience::wait(py, || {}, move || read().map_err(plain))
}

/// The tables of a store, as `format` says: "text", "markdown" or "csv".
#[pyfunction]
#[pyo3(signature = (store, format="text"))]
pub fn report(py: Python<'_>, store: PathBuf, format: &str) -> PyResult<String> {
    let write: fn(&[CellReport]) -> String = match format {
        "text" => tables::text,
        "markdown" => tables::markdown,
        "csv" => tables::csv,
        _ => {
            let text = format!("there is no format `{format}`: \"text\", \"markdown\" or \"csv\"");
            return Err(PyValueError::new_err(text));
        }
    };
    let work = move || {
        let store = Store::open_to_read(&store).map_err(plain)?;
        Ok(write(&tables::gather(&store).map_err(plain)?))
    };
    patience::wait(py, || {}, work)
}
