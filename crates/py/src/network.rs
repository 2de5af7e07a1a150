//! Searches whose priors and values come from Python, many positions at a time.

use std::sync::Arc;

use ludex_arena::engine::Guest;
use ludex_game::planes::Perspective;
use ludex_game::{Move, Player, Rng, State as Position};
use ludex_play::agent::{Agent, Choice};
use ludex_play::guided::{Guided, Oracle, Question, Settings};
use ludex_play::search::{Budget, Stop};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::plain;
use crate::guest::Raised;
use crate::observe::{self, Easel};
use crate::source::Core;

/// A Python callable that judges positions: `prior(observation, mask)` gives preferences (logits) by action and values
/// from -1 to 1, one for each position as whoever moves sees it, or one for each player.
pub struct Network {
    callable: Py<PyAny>,
    core: Arc<Core>,
    easel: Easel,
}

impl Network {
    /// One for a game.
    pub fn new(callable: Py<PyAny>, core: &Arc<Core>) -> Self {
        Network { callable, core: core.clone(), easel: Easel::default() }
    }

    /// Planes of all positions, one after the other; of games without a board their attributes.
    fn observations<'py>(
        &mut self,
        py: Python<'py>,
        asked: &[Question<'_>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let shape = observe::shape(&self.core, Perspective::Mover);
        let size: usize = shape.iter().product();
        let all: Vec<usize> = std::iter::once(asked.len()).chain(shape).collect();
        let (core, easel) = (&self.core, &mut self.easel);
        let Some(planes) = core.planes(Perspective::Mover) else {
            let mut values = vec![0f32; asked.len() * size];
            for (one, row) in asked.iter().zip(values.chunks_exact_mut(size.max(1))) {
                core.game.attribute_values(one.state, one.player, row);
            }
            return Ok(values.into_pyarray(py).reshape(all)?.into_any());
        };
        let mut bytes = vec![0u8; asked.len() * size];
        for (one, out) in asked.iter().zip(bytes.chunks_exact_mut(size.max(1))) {
            easel.write(&*core.game, one.state, one.player, planes, out);
        }
        Ok(bytes.into_pyarray(py).reshape(all)?.into_any())
    }

    fn masks<'py>(&self, py: Python<'py>, asked: &[Question<'_>]) -> PyResult<Bound<'py, PyAny>> {
        let size = self.core.survey().space.len() as usize;
        let mut flags = vec![false; asked.len() * size];
        for (one, row) in asked.iter().zip(flags.chunks_exact_mut(size.max(1))) {
            one.actions.iter().for_each(|&action| row[action as usize] = true);
        }
        Ok(flags.into_pyarray(py).reshape([asked.len(), size])?.into_any())
    }

    fn ask(
        &mut self,
        py: Python<'_>,
        asked: &[Question<'_>],
        weights: &mut Vec<f32>,
        payoffs: &mut Vec<f32>,
    ) -> PyResult<()> {
        let (seen, masks) = (self.observations(py, asked)?, self.masks(py, asked)?);
        let answer = self.callable.bind(py).call1((seen, masks))?;
        let (logits, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            answer.extract().map_err(|_| {
                PyTypeError::new_err("a prior gives two arrays: preferences by action, and values")
            })?;
        let (count, size) = (asked.len(), self.core.survey().space.len() as usize);
        let logits = array(&logits, "preferences", &[&[count, size]])?;
        let players = self.core.players();
        let values = array(&values, "values", &[&[count], &[count, 1], &[count, players]])?;
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        for (one, row) in asked.iter().zip(logits.chunks_exact(size.max(1))) {
            let liked = || one.actions.iter().map(|&action| row[action as usize]);
            let best = liked().fold(f32::NEG_INFINITY, f32::max);
            let hopeless = liked().next().filter(|_| best == f32::NEG_INFINITY);
            let bad = liked().find(|one| one.is_nan() || *one == f32::INFINITY);
            if let Some(bad) = bad.or(hopeless) {
                let text = format!(
                    "a prior gave a legal action the preference {bad}: preferences are numbers, and \
                     -inf only where another legal action has more"
                );
                return Err(PyValueError::new_err(text));
            }
            weights.extend(one.actions.iter().map(|&action| (row[action as usize] - best).exp()));
        }
        let payoff = |value: f32| match players {
            1 => value,
            _ => (value + 1.0) / 2.0,
        };
        let per = values.len() / count.max(1);
        for (one, row) in asked.iter().zip(values.chunks_exact(per.max(1))) {
            if let Some(bad) = row.iter().find(|value| !is_value(**value)) {
                let text = format!("a prior gave the value {bad}: values are from -1 to 1");
                return Err(PyValueError::new_err(text));
            }
            for player in 0..players {
                payoffs.push(match (per == players && players > 1, player) {
                    (true, _) => payoff(row[player]),
                    (false, own) if own == one.player.index() => payoff(row[0]),
                    // What the others may expect is what he leaves them.
                    (false, _) => (1.0 - payoff(row[0])) / (players - 1).max(1) as f32,
                });
            }
        }
        Ok(())
    }
}

/// What Python gave as an array of float32 of one of these shapes.
fn array<'py>(
    given: &Bound<'py, PyAny>,
    what: &str,
    shapes: &[&[usize]],
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (given, numpy.getattr("float32")?))?;
    let array: PyReadonlyArrayDyn<'py, f32> = array.extract()?;
    let shape = array.as_array().shape().to_vec();
    if !shapes.contains(&&shape[..]) {
        let wanted = shapes.first().copied().unwrap_or_default();
        let text = format!("a prior's {what} are an array with shape {wanted:?}, not {shape:?}");
        return Err(PyValueError::new_err(text));
    }
    Ok(array)
}

impl Oracle for Network {
    type Error = PyErr;

    fn judge(
        &mut self,
        asked: &[Question<'_>],
        weights: &mut Vec<f32>,
        payoffs: &mut Vec<f32>,
    ) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match asked {
                [] => Ok(()),
                _ => self.ask(py, asked, weights, payoffs),
            }
        })
    }
}

/// A search by a network as a player of matches. Its first exception ends the series.
pub fn guest(
    name: String,
    callable: &Py<PyAny>,
    core: &Arc<Core>,
    settings: Settings,
    stop: &Stop,
    raised: &Raised,
) -> PyResult<Guest> {
    // Refused at once where the game cannot be searched so.
    search(core, settings)?;
    let (core, stop, raised) = (core.clone(), stop.clone(), raised.clone());
    let callable = Python::attach(|py| callable.clone_ref(py));
    Ok(Guest::new(name, move |_, rng: &mut Rng| {
        Box::new(Seated {
            search: search(&core, settings).ok(),
            network: Network::new(Python::attach(|py| callable.clone_ref(py)), &core),
            core: core.clone(),
            rng: rng.split(),
            stop: stop.clone(),
            raised: raised.clone(),
        })
    }))
}

/// Whether a number is from -1 to 1, but for what is lost by rounding.
fn is_value(number: f32) -> bool {
    number.abs() <= 1.001
}

/// A search of a game by a network.
pub fn search(core: &Arc<Core>, settings: Settings) -> PyResult<Guided> {
    let survey = core.survey();
    if survey.simultaneous {
        let name = &core.game.info().name;
        return Err(plain(format!("a prior cannot guide {name}: several players move at once")));
    }
    Guided::new(core.game.clone(), survey.space, settings).map_err(plain)
}

struct Seated {
    search: Option<Guided>,
    network: Network,
    core: Arc<Core>,
    rng: Rng,
    stop: Stop,
    raised: Raised,
}

impl Agent for Seated {
    fn choose(&mut self, state: &Position, player: Player, budget: Budget) -> Choice {
        let Seated { search, network, rng, stop, raised, .. } = self;
        let found = search.as_mut().map(|search| {
            search.think(network, std::slice::from_ref(state), budget, rng.next(), stop)
        });
        match found {
            Some(Ok(found)) if !found.is_empty() => {
                let report = found.into_iter().next().map(|one| one.report).unwrap_or_default();
                Choice { mv: report.best, report: Some(report) }
            }
            Some(Err(error)) => {
                if let Ok(mut raised) = raised.lock() {
                    raised.get_or_insert(error);
                }
                stop.raise();
                Choice { mv: self.any(state, player), report: None }
            }
            _ => Choice { mv: self.any(state, player), report: None },
        }
    }
}

impl Seated {
    /// A legal move, for a match that is given up before it is played.
    fn any(&self, state: &Position, player: Player) -> Move {
        let mut moves = Vec::new();
        self.core.game.moves(state, player, &mut moves);
        moves.first().copied().unwrap_or_default()
    }
}

/// What searches of many positions found, a row for each.
#[pyclass(module = "ludex", frozen)]
pub struct SearchBatch {
    /// How many simulations began with each action, `(n, A)`.
    #[pyo3(get)]
    visits: Py<PyArray2<i32>>,
    /// What whoever moves may expect, from 0 to 1, `(n,)`.
    #[pyo3(get)]
    values: Py<PyArray1<f32>>,
    /// The action to play, `(n,)`.
    #[pyo3(get)]
    best: Py<PyArray1<i32>>,
}

#[pymethods]
impl SearchBatch {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.best.bind(py).len().unwrap_or(0)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<ludex.SearchBatch of {} positions>", self.__len__(py))
    }
}

/// Searches positions side by side.
pub fn search_all(
    py: Python<'_>,
    core: &Arc<Core>,
    callable: Py<PyAny>,
    settings: Settings,
    roots: Vec<Position>,
    budget: Budget,
    seed: u64,
) -> PyResult<SearchBatch> {
    let (mut search, mut network) = (search(core, settings)?, Network::new(callable, core));
    let count = roots.len();
    let found = crate::error::guarded(|| {
        py.detach(|| search.think(&mut network, &roots, budget, seed, &Stop::default()))
    })?;
    let size = core.survey().space.len() as usize;
    let mut visits = vec![0i32; count * size];
    let (mut values, mut best) = (vec![0.5f32; count], vec![-1i32; count]);
    for (at, one) in found.iter().enumerate() {
        for (tried, &action) in one.report.moves.iter().zip(&one.actions) {
            visits[at * size + action as usize] = tried.visits as i32;
        }
        values[at] = one.value as f32;
        best[at] = one.actions.first().map_or(-1, |&action| action as i32);
    }
    Ok(SearchBatch {
        visits: visits.into_pyarray(py).reshape([count, size])?.unbind(),
        values: values.into_pyarray(py).unbind(),
        best: best.into_pyarray(py).unbind(),
    })
}
