//! Players, and what their searches find.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ludex_arena::engine::PlayerSpec;
use ludex_game::{Move, Player, Rng, State as Position, Turn};
use ludex_play::guided::{Noise, Settings};
use ludex_play::search::{Budget, Clock, Report, Stop};
use ludex_play::spec::AgentSpec;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{guarded, plain};
use crate::game::same;
use crate::given::{positive, threads as so_many};
use crate::network::{self, Network, SearchBatch};
use crate::patience;
use crate::source::{Core, Pickled};
use crate::state::State;

/// Somebody who chooses actions: a line of text such as `uct + ppa(alpha=0.32)`, and how long he may think. With `prior`,
/// a callable `prior(observation, mask)` that judges positions in batches, a search plays nothing out and goes by that.
#[pyclass(module = "ludex", frozen)]
pub struct Agent {
    pub spec: AgentSpec,
    pub budget: Budget,
    pub seed: u64,
    /// Who judges positions for the search, and how he is asked.
    pub prior: Option<(Py<PyAny>, Settings)>,
    pub text: String,
}

/// A budget from what Python says; a thousand simulations where it says nothing.
pub fn budget(simulations: Option<u64>, time: Option<f64>) -> PyResult<Budget> {
    if simulations.is_none() && time.is_none() {
        return Ok(Budget::simulations(1000));
    }
    positive("simulations", simulations)?;
    let time = time.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| PyValueError::new_err("`time` is a number of seconds"))?;
    Ok(Budget { simulations, time, ..Budget::default() })
}

/// A clock by its name.
pub fn clock(name: &str) -> PyResult<Clock> {
    match name {
        "wall" => Ok(Clock::Wall),
        "cpu" => Ok(Clock::Cpu),
        _ => {
            let text = format!("there is no clock `{name}`: \"wall\" or \"cpu\"");
            Err(PyValueError::new_err(text))
        }
    }
}

/// An agent's text, with the files that it names.
pub fn player(text: &str) -> PyResult<PlayerSpec> {
    let spec: PlayerSpec = text.parse().map_err(plain)?;
    spec.with_files(Path::new("")).map_err(plain)
}

/// So many positions are judged at a time where nothing is said.
const BATCH: usize = 16;

/// How a search goes by a prior.
fn guidance(spec: &AgentSpec, batch: usize, noise: Option<(f32, f32)>) -> PyResult<Settings> {
    let AgentSpec::Search(found) = spec else {
        return Err(plain("a prior is for a search: `uct` or `uct(puct=1.25)`"));
    };
    let mut usual: AgentSpec = "uct".parse().map_err(plain)?;
    if let AgentSpec::Search(usual) = &mut usual {
        usual.search.prior_weight = found.search.prior_weight;
    }
    if *spec != usual {
        return Err(plain(format!(
            "a search with a prior plays nothing out, on one thread, and of its settings hears `puct` alone: \
             `{usual}`, not `{spec}`"
        )));
    }
    positive("batch", Some(batch as u64))?;
    let noise = noise.map(|(alpha, share)| Noise { alpha, share });
    let sound = |noise: &Noise| noise.alpha > 0.0 && (0.0..=1.0).contains(&noise.share);
    if noise.as_ref().is_some_and(|noise| !sound(noise)) {
        let text = "`noise` is a pair: a positive alpha, and a share from 0 to 1";
        return Err(PyValueError::new_err(text));
    }
    Ok(Settings { puct: found.search.prior_weight, batch, noise })
}

/// What a callable is called.
fn name_of(callable: &Bound<'_, PyAny>) -> PyResult<String> {
    if !callable.is_callable() {
        let text = "`prior` is called with arrays of observations and masks: give a callable";
        return Err(PyTypeError::new_err(text));
    }
    match callable.getattr("__name__") {
        Ok(name) => name.extract(),
        Err(_) => Ok(callable.get_type().name()?.to_string()),
    }
}

/// Positions in which one player is to move, and their game.
fn positions_of(given: &Bound<'_, PyAny>) -> PyResult<(Arc<Core>, Vec<Position>)> {
    let wanted = "positions are states of one game";
    let (mut core, mut all) = (None, Vec::new());
    for one in given.try_iter().map_err(|_| PyTypeError::new_err(wanted))? {
        let one = one?;
        let state = one.cast::<State>().map_err(|_| PyTypeError::new_err(wanted))?.borrow();
        let core = core.get_or_insert_with(|| state.core().clone());
        state.mover(None)?;
        // The same rules, loaded twice: what leads there is played once more.
        all.push(match Arc::ptr_eq(core, state.core()) || core.rules != state.core().rules {
            true => same(core, &state).map(|()| state.inner().clone())?,
            false => State::replayed(core, &state.text())?.inner().clone(),
        });
    }
    let core = core.ok_or_else(|| PyValueError::new_err("there are no positions to search"))?;
    Ok((core, all))
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text="uct", *, simulations=None, time=None, threads=None, seed=0, prior=None, batch=None,
        noise=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn new(
        text: &str,
        simulations: Option<u64>,
        time: Option<f64>,
        threads: Option<usize>,
        seed: u64,
        prior: Option<Bound<'_, PyAny>>,
        batch: Option<usize>,
        noise: Option<(f32, f32)>,
    ) -> PyResult<Agent> {
        let PlayerSpec::Agent(mut spec) = player(text)? else {
            return Err(plain("only `ludex.match` seats other programs"));
        };
        if let Some(threads) = threads {
            spec.set_threads(so_many(threads)?);
        }
        let mut text = spec.to_string();
        let prior = match prior {
            Some(prior) => {
                let settings = guidance(&spec, batch.unwrap_or(BATCH), noise)?;
                let name = name_of(&prior)?;
                text = match text.strip_suffix(')') {
                    Some(open) => format!("{open}, prior={name})"),
                    None => format!("{text}(prior={name})"),
                };
                Some((prior.unbind(), settings))
            }
            None if noise.is_some() || batch.is_some() => {
                return Err(plain("`batch` and `noise` are for agents with a `prior`"));
            }
            None => None,
        };
        Ok(Agent { spec, budget: budget(simulations, time)?, seed, prior, text })
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
        if let Some((callable, settings)) = &self.prior {
            let core = root.core().clone();
            let mut search = network::search(&core, *settings)?;
            let mut network = Network::new(callable.clone_ref(py), &core);
            let (roots, stop) = ([root.inner().clone()], Stop::default());
            // Here and not on another thread: libraries for networks keep threads of their own for each that calls them.
            let found = guarded(|| {
                py.detach(|| search.think(&mut network, &roots, self.budget, self.seed, &stop))
            })?;
            let report = found.into_iter().next().map(|one| one.report).unwrap_or_default();
            return guarded(|| SearchResult::new(&mut root, player, report));
        }
        let stop = Stop::default();
        let mut rng = Rng::seeded(self.seed);
        let game = root.core().game.clone();
        let (position, budget) = (root.inner().clone(), self.budget);
        let (spec, obeyed) = (self.spec.clone(), stop.clone());
        let work = move || {
            let mut agent = spec.build(&game, None, &mut rng).map_err(plain)?;
            agent.obey(obeyed);
            Ok(agent.choose(&position, player, budget))
        };
        let choice = patience::wait(py, || stop.raise(), work)?;
        let report = choice.report.unwrap_or(Report { best: choice.mv, ..Report::default() });
        guarded(|| SearchResult::new(&mut root, player, report))
    }

    /// Thinks about many states of one game side by side, each with the whole budget. Their new positions are judged
    /// together, so this is for agents with a `prior`.
    #[pyo3(signature = (positions, *, seed=None))]
    fn search_many(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        seed: Option<u64>,
    ) -> PyResult<SearchBatch> {
        let Some((callable, settings)) = &self.prior else {
            return Err(plain("only an agent with a `prior` searches many positions at once"));
        };
        let (core, roots) = positions_of(positions)?;
        let (seed, callable) = (seed.unwrap_or(self.seed), callable.clone_ref(py));
        network::search_all(py, &core, callable, *settings, roots, self.budget, seed)
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

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Pickled<'py, (&str, Bound<'py, PyDict>)>> {
        if self.prior.is_some() {
            let text =
                "an agent with a `prior` cannot be pickled; make it again where it is to play";
            return Err(PyTypeError::new_err(text));
        }
        let how = PyDict::new(py);
        how.set_item("simulations", self.budget.simulations)?;
        how.set_item("time", self.budget.time.map(|time| time.as_secs_f64()))?;
        how.set_item("seed", self.seed)?;
        Ok((py.import("ludex")?.getattr("_agent")?, (&self.text, how)))
    }
}

/// What a search found. Arrays have an entry for each action that was tried, the best first.
#[pyclass(module = "ludex", frozen)]
pub struct SearchResult {
    /// The action to play.
    #[pyo3(get)]
    best: i64,
    /// Its text.
    #[pyo3(get)]
    best_text: String,
    /// How many simulations ran, or positions were looked at.
    #[pyo3(get)]
    simulations: u64,
    /// What the search expects the thinker to get, from 0 to 1.
    #[pyo3(get)]
    value: f64,
    /// Whether the result is proved.
    #[pyo3(get)]
    solved: bool,
    /// How many plies deep all moves were looked at, by searches that go by depth.
    #[pyo3(get)]
    depth: u32,
    /// The line of play that most simulations followed, as text.
    #[pyo3(get)]
    line: Vec<String>,
    #[pyo3(get)]
    actions: Actions,
    #[pyo3(get)]
    visits: Counts,
    #[pyo3(get)]
    values: Values,
    #[pyo3(get)]
    proved: Flags,
    /// The position, and the line as moves: their numbers are worked out when somebody asks.
    root: State,
    moves: Vec<Vec<Move>>,
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
            root: root.clone(),
            moves: report.line,
            actions: Actions(actions),
            visits: Counts(report.moves.iter().map(|one| one.visits as i64).collect()),
            values: Values(report.moves.iter().map(|one| one.mean).collect()),
            proved: Flags(report.moves.iter().map(|one| one.proved).collect()),
        })
    }
}

#[pymethods]
impl SearchResult {
    /// The same line as actions; those of players who move at once follow each other.
    #[getter]
    fn line_actions(&self) -> PyResult<Actions> {
        guarded(|| {
            let mut state = self.root.clone();
            let before = state.history_len();
            for joint in self.moves.iter().take(self.line.len()) {
                state.play_moves(joint)?;
            }
            Ok(Actions(state.actions_since(before)))
        })
    }

    fn __repr__(&self) -> String {
        format!(
            "<ludex.SearchResult {} (value {:.3}, {} simulations)>",
            self.best_text, self.value, self.simulations
        )
    }
}
