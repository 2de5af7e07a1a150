//! Players, and what their searches find.

use std::path::Path;
use std::time::Duration;

use ludex_arena::engine::PlayerSpec;
use ludex_game::{Player, Rng, Turn};
use ludex_play::search::{Budget, Report, Stop};
use ludex_play::spec::AgentSpec;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::plain;
use crate::patience;
use crate::state::State;

/// Somebody who chooses actions: a line of text such as `uct + ppa(alpha=0.32)`, and how long he may think.
#[pyclass(module = "ludex", frozen)]
pub struct Agent {
    pub spec: AgentSpec,
    pub budget: Budget,
    pub seed: u64,
    text: String,
}

/// A budget from what Python says; a thousand simulations where it says nothing.
pub fn budget(simulations: Option<u64>, time: Option<f64>) -> PyResult<Budget> {
    if simulations.is_none() && time.is_none() {
        return Ok(Budget::simulations(1000));
    }
    let time = time.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| PyValueError::new_err("`time` is a number of seconds"))?;
    Ok(Budget { simulations, time, ..Budget::default() })
}

/// An agent's text, with the files that it names.
pub fn player(text: &str) -> PyResult<PlayerSpec> {
    let spec: PlayerSpec = text.parse().map_err(plain)?;
    spec.with_files(Path::new("")).map_err(plain)
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text="uct", *, simulations=None, time=None, threads=None, seed=0))]
    fn new(
        text: &str,
        simulations: Option<u64>,
        time: Option<f64>,
        threads: Option<usize>,
        seed: u64,
    ) -> PyResult<Agent> {
        let PlayerSpec::Agent(mut spec) = player(text)? else {
            return Err(plain("only `ludex.match` seats other programs"));
        };
        if let Some(threads) = threads {
            spec.set_threads(threads);
        }
        let text = spec.to_string();
        Ok(Agent { spec, budget: budget(simulations, time)?, seed, text })
    }

    /// Thinks about a position: about the move of whoever moves, or of the player named. The same seed finds the same.
    #[pyo3(signature = (state, player=None))]
    fn search(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        player: Option<i32>,
    ) -> PyResult<SearchResult> {
        let mut root = state.borrow().clone();
        let player = root.mover(player)?;
        let stop = Stop::default();
        let mut rng = Rng::seeded(self.seed);
        let game = root.core().game.clone();
        let mut agent = self.spec.build(&game, None, &mut rng).map_err(plain)?;
        agent.obey(stop.clone());
        let choice =
            patience::wait(py, &stop, || Ok(agent.choose(root.inner(), player, self.budget)))?;
        let report = choice.report.unwrap_or(Report { best: choice.mv, ..Report::default() });
        SearchResult::new(&mut root, player, report)
    }

    /// The action he plays.
    #[pyo3(signature = (state, player=None))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        player: Option<i32>,
    ) -> PyResult<i64> {
        Ok(self.search(py, state, player)?.best)
    }

    /// The agent as text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The agent as text with every setting.
    #[getter]
    fn full_text(&self) -> String {
        self.spec.full()
    }

    fn __repr__(&self) -> String {
        format!("ludex.Agent({:?})", self.text)
    }
}

/// What a search found. Arrays have an entry for each action that was tried, the best first.
#[pyclass(module = "ludex", frozen, get_all)]
pub struct SearchResult {
    /// The action to play.
    best: i64,
    /// Its text.
    best_text: String,
    /// How many simulations ran, or positions were looked at.
    simulations: u64,
    /// What the search expects the thinker to get, from 0 to 1.
    value: f64,
    /// Whether the result is proved.
    solved: bool,
    /// How many plies deep all moves were looked at, by searches that go by depth.
    depth: u32,
    /// The line of play that most simulations followed, as text.
    line: Vec<String>,
    actions: Actions,
    visits: Counts,
    values: Values,
    proved: Flags,
}

/// Numbers that become an array when Python asks for them.
macro_rules! arrays {
    ($($name:ident: $type:ty),*) => {$(
        #[derive(Clone)]
        struct $name(Vec<$type>);

        impl<'py> IntoPyObject<'py> for $name {
            type Target = PyArray1<$type>;
            type Output = Bound<'py, PyArray1<$type>>;
            type Error = std::convert::Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
                Ok(self.0.into_pyarray(py))
            }
        }

        impl<'py> IntoPyObject<'py> for &$name {
            type Target = PyArray1<$type>;
            type Output = Bound<'py, PyArray1<$type>>;
            type Error = std::convert::Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
                Ok(self.0.clone().into_pyarray(py))
            }
        }
    )*};
}

arrays!(Actions: i64, Counts: i64, Values: f64, Flags: bool);

impl SearchResult {
    fn new(root: &mut State, player: Player, report: Report) -> PyResult<SearchResult> {
        let game = root.core().game.clone();
        let mut number = |mv| root.number_of(player, mv).map_or(-1, i64::from);
        let best = number(report.best);
        let actions = report.moves.iter().map(|one| number(one.mv)).collect();
        let best_text = match game.turn(root.inner()) {
            Turn::Players(_) => game.move_text(root.inner(), Some(player), report.best),
            _ => String::new(),
        };
        Ok(SearchResult {
            best,
            best_text,
            simulations: report.simulations,
            value: report.value(),
            solved: report.solved,
            depth: report.depth,
            line: report.line_text(&*game, root.inner()),
            actions: Actions(actions),
            visits: Counts(report.moves.iter().map(|one| one.visits as i64).collect()),
            values: Values(report.moves.iter().map(|one| one.mean).collect()),
            proved: Flags(report.moves.iter().map(|one| one.proved).collect()),
        })
    }
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self) -> String {
        format!(
            "<ludex.SearchResult {} (value {:.3}, {} simulations)>",
            self.best_text, self.value, self.simulations
        )
    }
}
