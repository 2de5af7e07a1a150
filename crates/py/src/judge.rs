//! Rule sets judged as `ludex evaluate` judges them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex_arena::catalog::{GameSpec, Language};
use ludex_arena::engine::PlayerSpec;
use ludex_arena::experiment::Store;
use ludex_judge::{Figure, Plan, Tier, page, verdict};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agent;
use crate::error::{of_file, plain};
use crate::game::Game;
use crate::patience;
use crate::source::Source;

/// What is known about a game: numbers with intervals, a verdict in words, warnings.
#[pyclass(module = "ludex", frozen)]
pub struct Evaluation {
    found: ludex_judge::Evaluation,
    /// The page, with plots and example games.
    html: String,
}

#[pymethods]
impl Evaluation {
    /// What the game is called.
    #[getter]
    fn name(&self) -> &str {
        &self.found.name
    }

    /// How far the evaluation went: 0, 1 or 2.
    #[getter]
    fn tier(&self) -> u8 {
        self.found.tier.number()
    }

    /// How many games the main numbers come from.
    #[getter]
    fn games(&self) -> u64 {
        self.found.games
    }

    /// Who played them.
    #[getter]
    fn agent(&self) -> &str {
        &self.found.agent
    }

    /// The verdict in a sentence or two.
    #[getter]
    fn verdict(&self) -> &str {
        &self.found.verdict
    }

    /// What is wrong with the game, with evidence.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.found.warnings.clone()
    }

    /// All numbers by name: each with `value`, `low` and `high` (its 95% interval), `games`, `agent`, `seed`, its
    /// `percentile` among library games and its `meaning`.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, figure) in &self.found.metrics {
            all.set_item(name, facts(py, name, figure)?)?;
        }
        Ok(all)
    }

    /// The page as text.
    fn html(&self) -> &str {
        &self.html
    }

    /// Writes the page, with plots and example games that replay.
    fn to_html(&self, file: PathBuf) -> PyResult<()> {
        std::fs::write(&file, &self.html).map_err(|error| of_file(&file, &error))
    }

    /// All of it for people.
    fn table(&self) -> String {
        let mut text = format!("{}: {}\n", self.found.game, self.found.verdict);
        self.found.warnings.iter().for_each(|warning| text += &format!("  ! {warning}\n"));
        let width = self.found.metrics.keys().map(String::len).max().unwrap_or(0);
        for (name, figure) in &self.found.metrics {
            text += &format!("{name:width$}  {}\n", verdict::shown(name, figure));
        }
        text
    }

    fn __str__(&self) -> String {
        self.table()
    }

    fn __repr__(&self) -> String {
        format!("<ludex.Evaluation of {}: {}>", self.found.name, self.found.verdict)
    }
}

fn facts<'py>(py: Python<'py>, name: &str, figure: &Figure) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("value", figure.value)?;
    facts.set_item("low", figure.low)?;
    facts.set_item("high", figure.high)?;
    facts.set_item("games", figure.games)?;
    facts.set_item("agent", &figure.agent)?;
    facts.set_item("seed", figure.seed)?;
    facts.set_item("percentile", figure.percentile)?;
    facts.set_item("warning", &figure.warning)?;
    facts.set_item("meaning", verdict::meaning(name))?;
    Ok(facts)
}

/// Judges a game as `ludex evaluate` does.
#[pyfunction]
#[pyo3(signature = (game, *, tier=1, agent="uct", simulations=None, matches=1000, random_games=100_000, seconds=None,
    seed=1, threads=1, store=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn judge(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    tier: u8,
    agent: &str,
    simulations: Option<u64>,
    matches: u64,
    random_games: u64,
    seconds: Option<f64>,
    seed: u64,
    threads: usize,
    store: Option<PathBuf>,
) -> PyResult<Evaluation> {
    let wrong = || PyValueError::new_err("there are the tiers 0, 1 and 2");
    let tier = Tier::numbered(tier).ok_or_else(wrong)?;
    let PlayerSpec::Agent(agent) = agent::player(agent)? else {
        return Err(plain("games are judged by agents, not by other programs"));
    };
    let (spec, kept) = on_disk(game.get())?;
    let mut plan = Plan::new(spec, tier);
    (plan.agent, plan.simulations, plan.seed) = (agent, simulations, seed);
    (plan.games, plan.random_games) = (matches.max(2), random_games.max(1));
    plan.threads = crate::given::threads(threads)?;
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("`seconds` is a number of seconds"))?;
        plan.time = [time; 3];
    }
    let halted = Arc::new(AtomicBool::new(false));
    let halt = halted.clone();
    patience::wait(
        py,
        || halt.store(true, Ordering::Relaxed),
        move || {
            let _kept = kept;
            let path = store.unwrap_or_else(|| PathBuf::from(":memory:"));
            let store = Store::open(&path).map_err(plain)?;
            let found =
                ludex_judge::evaluate(&plan, &store, &halted, &mut |_| {}).map_err(plain)?;
            let html = page::html(&plan, &found, &store).map_err(plain)?;
            Ok(Evaluation { found, html })
        },
    )
}

/// The game as the command line names it. Rules that are text become a file for as long as the second part lives.
fn on_disk(game: &Game) -> PyResult<(GameSpec, Option<Folder>)> {
    let source = &game.core.source;
    let mut spec = source.spec.clone();
    let Some((text, language)) = &source.text else { return Ok((spec, None)) };
    // A file may have changed since, or have nothing to do with a text that is called so.
    if Source::named(spec.clone()).is_ok_and(|there| there.text == source.text) {
        return Ok((spec, None));
    }
    let folder = Folder::new()?;
    let ending = if *language == Language::Lud { "lud" } else { "kif" };
    let file = folder.0.join(format!("rules.{ending}"));
    std::fs::write(&file, text)?;
    spec.name = file.display().to_string();
    Ok((spec, Some(folder)))
}

/// A folder that is gone when it is not needed any more.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        static MADE: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("ludex-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
