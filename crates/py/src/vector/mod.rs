//! Many games stepped at once, into arrays that the environment owns.

mod fleet;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludex_game::lanes::{Plan, Refused, Renewal, Reward};
use ludex_game::planes::Planes;
use ludex_lud::patience::while_wanted;
use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::buffers::{Arrays, Buffers};
use crate::error::{IllegalActionError, InternalError, guarded, panicked, plain};
use crate::game::Game;
use crate::given::{kind_of, room, slice_of, threads as so_many};
use crate::observe;
use crate::patience::{self, Work};
use crate::source::Core;
use fleet::Fleet;

/// Stands for an action that is too large or too small to be one.
const BEYOND: i32 = i32::MAX;

/// What a game that is being played takes besides its arrays, in bytes, at least.
const LANE: usize = 1024;

/// Random numbers from a seed.
#[pyclass(module = "ludex")]
pub struct Rng(ludex_game::Rng);

#[pymethods]
impl Rng {
    #[new]
    #[pyo3(signature = (seed=0))]
    fn new(seed: u64) -> Rng {
        Rng(ludex_game::Rng::seeded(seed))
    }

    /// Sixty-four random bits.
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number from nought to below one.
    fn random(&mut self) -> f64 {
        self.0.unit()
    }

    /// A whole number below a bound.
    fn below(&mut self, bound: u32) -> PyResult<u32> {
        match bound {
            0 => Err(PyValueError::new_err("there is no number below nought")),
            _ => Ok(self.0.below(bound)),
        }
    }
}

/// Many games stepped at once; `ludex.vector` makes one.
#[pyclass(module = "ludex")]
pub struct Vector {
    core: Arc<Core>,
    fleet: Whereabouts,
    arrays: Arrays,
    plan: Plan,
    count: usize,
    seats: usize,
    /// The first action that is too large or too small to be kept with the others.
    beyond: Option<i64>,
    began: bool,
    #[pyo3(get)]
    closed: bool,
}

/// Where the games are.
enum Whereabouts {
    Here(Box<Fleet>),
    /// Whoever was waiting for a step was interrupted; it is played to its end all the same.
    Away(Work<Box<Fleet>>),
    Nowhere,
}

/// Where the actions of each environment begin, and the actions.
type Ragged<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>);

/// Work that lasts so long is done on another thread, so that Ctrl-C is heard meanwhile.
const LONG: Duration = Duration::from_millis(10);

impl Vector {
    /// The games, once they are back from a step that somebody did not wait for.
    fn here(&mut self, py: Python<'_>) -> PyResult<Box<Fleet>> {
        self.open()?;
        match std::mem::replace(&mut self.fleet, Whereabouts::Nowhere) {
            Whereabouts::Here(fleet) => Ok(fleet),
            Whereabouts::Away(work) => self.wait(py, work),
            Whereabouts::Nowhere => {
                let text = "a step failed in the middle: make another environment";
                Err(InternalError::new_err(text))
            }
        }
    }

    fn wait(&mut self, py: Python<'_>, away: Work<Box<Fleet>>) -> PyResult<Box<Fleet>> {
        let interrupted = AtomicBool::new(false);
        let result = away.wait(py, || interrupted.store(true, Ordering::Relaxed));
        if interrupted.into_inner() {
            self.fleet = Whereabouts::Away(away);
        }
        result
    }

    /// Has something done with the games, on another thread if it may last. Where it fails in the middle, games must be begun anew.
    fn work<T: Send + 'static>(
        &mut self,
        py: Python<'_>,
        mut fleet: Box<Fleet>,
        work: impl FnOnce(&mut Fleet) -> T + Send + 'static,
    ) -> PyResult<T> {
        if fleet.took < LONG {
            // A step is never left half done, whoever interrupts.
            let done = guarded(|| Ok(py.detach(|| while_wanted(|| true, || work(&mut fleet)))));
            self.fleet = Whereabouts::Here(fleet);
            self.began &= done.is_ok();
            return done?.map_err(|_| InternalError::new_err("a step was given up"));
        }
        let told = Arc::new(Mutex::new(None));
        let tell = told.clone();
        let away = Work::begin(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut fleet)));
            *tell.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            Ok(fleet)
        })?;
        self.fleet = Whereabouts::Here(self.wait(py, away)?);
        let done = told.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.began &= matches!(done, Some(Ok(_)));
        match done {
            Some(done) => done.map_err(panicked),
            None => Err(InternalError::new_err("a step ended without a word")),
        }
    }

    fn open(&self) -> PyResult<()> {
        match self.closed {
            true => Err(PyValueError::new_err("this environment is closed")),
            false => Ok(()),
        }
    }

    fn refused(&self, refused: Refused) -> PyErr {
        match refused {
            Refused::Illegal { lane, action } if action == i64::from(BEYOND) => {
                let action = self.beyond.unwrap_or(action);
                IllegalActionError::new_err(Refused::Illegal { lane, action }.to_string())
            }
            Refused::Illegal { .. } => IllegalActionError::new_err(refused.to_string()),
            other => plain(other),
        }
    }

    /// Reads which lanes are meant.
    fn read_mask(&self, mask: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        let wanted = format!("`mask` is to be an array of bool with shape [{}]", self.count);
        let Ok(flags) = mask.cast::<PyArrayDyn<bool>>() else {
            return Err(PyTypeError::new_err(format!("{wanted}, not {}", kind_of(mask))));
        };
        if flags.shape() != [self.count] {
            return Err(PyValueError::new_err(format!("{wanted}, not {:?}", flags.shape())));
        }
        Ok(flags.readonly().as_array().iter().copied().collect())
    }

    /// Reads one action for each lane and seat.
    fn read_actions(&mut self, actions: &Bound<'_, PyAny>, slots: &mut [i32]) -> PyResult<()> {
        let shape = match self.plan.together {
            true => vec![self.count, self.seats],
            false => vec![self.count],
        };
        let wanted = format!("actions are an array of int32 with shape {shape:?}");
        let check = |given: &[usize], in_order: bool| {
            if given != shape {
                return Err(PyValueError::new_err(format!("{wanted}, not {given:?}")));
            }
            match in_order {
                true => Ok(()),
                false => Err(PyValueError::new_err(format!(
                    "{wanted}, laid out row by row without gaps; numpy.ascontiguousarray makes it so"
                ))),
            }
        };
        self.beyond = None;
        if let Ok(array) = actions.cast::<PyArrayDyn<i32>>() {
            check(array.shape(), array.is_c_contiguous())?;
            // SAFETY: nothing else runs while the values are copied.
            slots.copy_from_slice(unsafe { array.as_slice() }.map_err(misaligned)?);
            return Ok(());
        }
        if let Ok(array) = actions.cast::<PyArrayDyn<i64>>() {
            check(array.shape(), array.is_c_contiguous())?;
            // SAFETY: the same.
            let given = unsafe { array.as_slice() }.map_err(misaligned)?;
            for (slot, &action) in slots.iter_mut().zip(given) {
                *slot = i32::try_from(action).unwrap_or(BEYOND);
            }
            self.beyond = given.iter().copied().find(|&action| i32::try_from(action).is_err());
            return Ok(());
        }
        Err(PyTypeError::new_err(format!("{wanted}, not {}", kind_of(actions))))
    }
}

/// Numbers do not begin where a processor wants them: nothing else keeps an array that is laid out row by row from being read.
fn misaligned(_: impl std::fmt::Debug) -> PyErr {
    let text = "the numbers of the actions do not begin where a processor wants them; a copy's do";
    PyValueError::new_err(text)
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game, count, *, threads=1, autoreset="next_step", perspective="mover", channels=None,
        reward="balanced", masks=true, observe=true, simultaneous=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, Game>,
        count: usize,
        threads: usize,
        autoreset: &str,
        perspective: &str,
        channels: Option<Vec<String>>,
        reward: &str,
        masks: bool,
        observe: bool,
        simultaneous: Option<bool>,
    ) -> PyResult<Vector> {
        let core = game.get().core.clone();
        if count == 0 || core.players() == 0 {
            return Err(plain(
                "there is nobody to play: no environments, or a game without players",
            ));
        }
        core.ready(py)?;
        let survey = *core.survey();
        let planes = planes(&core, perspective, channels.as_deref(), observe)?;
        let plan = Plan {
            space: survey.space,
            planes,
            renewal: renewal(autoreset)?,
            reward: self::reward(reward)?,
            together: simultaneous.unwrap_or(survey.simultaneous),
            masks,
        };
        let seats = if plan.together { core.players() } else { 1 };
        let shown = plan.planes.as_ref().map_or(0, |planes| 2 * planes.len());
        let flags = if plan.masks { plan.space.len() as usize } else { 0 };
        room(count, seats * (shown + flags) + LANE, "environments")?;
        let threads = so_many(threads)?.min(count);
        let buffers = Buffers::new(py, &core, &plan, count, observe)?;
        let arrays = buffers.arrays(py, plan.planes.is_some());
        let (own, how) = (core.clone(), plan.clone());
        let work = move || Fleet::new(own, how, buffers, (count, threads)).map(Box::new);
        let fleet = Whereabouts::Here(patience::wait(py, || {}, work)?);
        let (began, closed, beyond) = (false, false, None);
        Ok(Vector { core, fleet, arrays, plan, count, seats, beyond, began, closed })
    }

    /// Begins all games anew, or those that `mask` names; environment `i` has random numbers of its own, which depend on
    /// the seed and on `i` alone.
    #[pyo3(signature = (seed, mask=None))]
    fn reset(slf: &Bound<'_, Self>, seed: u64, mask: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let (py, this) = (slf.py(), &mut *alone(slf)?);
        this.open()?;
        let wanted = match &mask {
            Some(mask) => this.read_mask(mask)?,
            None => vec![true; this.count],
        };
        if mask.is_some() && !this.began {
            return Err(PyValueError::new_err("reset all environments before some of them"));
        }
        let fleet = this.here(py)?;
        this.began = true;
        let begun = this.work(py, fleet, move |fleet| fleet.begin(seed, &wanted))?;
        begun.map_err(|refused| this.refused(refused))
    }

    /// Plays one action in every game. Where one is not legal, nothing is played in any.
    fn step(slf: &Bound<'_, Self>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, this) = (slf.py(), &mut *alone(slf)?);
        this.open()?;
        if !this.began {
            return Err(PyValueError::new_err("reset the environment before the first step"));
        }
        let mut fleet = this.here(py)?;
        if let Err(error) = this.read_actions(actions, &mut fleet.games.actions) {
            this.fleet = Whereabouts::Here(fleet);
            return Err(error);
        }
        let stepped = this.work(py, fleet, Fleet::step)?;
        stepped.map_err(|refused| this.refused(refused))
    }

    /// A legal action for every environment, each drawn with the same probability; -1 where there is none to take.
    fn sample_legal<'py>(
        slf: &Bound<'py, Self>,
        rng: &Bound<'py, Rng>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let (py, this) = (slf.py(), &mut *alone(slf)?);
        this.open()?;
        // Somebody else may be drawing from it.
        let busy = |_| PyRuntimeError::new_err("another thread is drawing these random numbers");
        let key = rng.try_borrow_mut().map_err(busy)?.0.next();
        let mut fleet = this.here(py)?;
        let shape = match this.plan.together {
            true => vec![this.count, this.seats],
            false => vec![this.count],
        };
        let array = PyArrayDyn::<i32>::zeros(py, shape, false);
        // SAFETY: the array was just made, and nobody else has it.
        let out = unsafe { slice_of(&array) };
        let drawn = guarded(|| {
            py.detach(|| fleet.draw(key, out));
            Ok(())
        });
        this.fleet = Whereabouts::Here(fleet);
        drawn.map(|()| array)
    }

    /// The legal actions of all environments, one after the other, and where those of each begin.
    fn legal<'py>(slf: &Bound<'py, Self>) -> PyResult<Ragged<'py>> {
        let (py, this) = (slf.py(), &mut *alone(slf)?);
        let fleet = this.here(py)?;
        let listed = guarded(|| Ok(py.detach(|| fleet.legal())));
        this.fleet = Whereabouts::Here(fleet);
        let (offsets, numbers) = listed?;
        Ok((offsets.into_pyarray(py), numbers.into_pyarray(py)))
    }

    /// Lets go of everything; nothing can be done with it afterwards.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        let this = &mut *alone(slf)?;
        this.closed = true;
        this.fleet = Whereabouts::Nowhere;
        Ok(())
    }

    /// What the planes show.
    #[getter]
    fn channels(&self) -> Vec<String> {
        match &self.plan.planes {
            Some(planes) => planes.names().to_vec(),
            None => self.core.game.attributes().to_vec(),
        }
    }

    /// Whether every player has an action, a mask and an observation in every step.
    #[getter]
    fn together(&self) -> bool {
        self.plan.together
    }

    /// The planes, or the attributes of a game without a board.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.observation.clone_ref(py)
    }

    /// The same of games that ended in this step.
    #[getter]
    fn final_observation(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.ended.clone_ref(py)
    }

    /// Which actions are legal.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyArrayDyn<bool>> {
        self.arrays.mask.clone_ref(py)
    }

    /// What every player got in this step.
    #[getter]
    fn reward(&self, py: Python<'_>) -> Py<PyArrayDyn<f32>> {
        self.arrays.reward.clone_ref(py)
    }

    /// Which games ended by their rules.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArrayDyn<bool>> {
        self.arrays.terminated.clone_ref(py)
    }

    /// Which games reached their limit of plies.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArrayDyn<bool>> {
        self.arrays.truncated.clone_ref(py)
    }

    /// Who moves.
    #[getter]
    fn current_player(&self, py: Python<'_>) -> Py<PyArrayDyn<i32>> {
        self.arrays.mover.clone_ref(py)
    }
}

/// An environment that nobody else is using at this moment.
fn alone<'py>(env: &Bound<'py, Vector>) -> PyResult<PyRefMut<'py, Vector>> {
    let text = "another thread is using this environment: each needs its own, or they take turns";
    env.try_borrow_mut().map_err(|_| PyRuntimeError::new_err(text))
}

fn planes(
    core: &Core,
    perspective: &str,
    channels: Option<&[String]>,
    observe: bool,
) -> PyResult<Option<Arc<Planes>>> {
    let planes = core.planes(observe::perspective(perspective)?).filter(|_| observe);
    let (Some(planes), Some(names)) = (planes, channels) else { return Ok(planes.cloned()) };
    if names.is_empty() {
        return Err(PyValueError::new_err(
            "`channels` names none; `observe=False` writes no planes",
        ));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen = planes.only(&names).map_err(|absent| {
        let known = planes.names().join(", ");
        PyValueError::new_err(format!("there is no channel `{absent}`; there are {known}"))
    })?;
    Ok(Some(Arc::new(chosen)))
}

fn renewal(name: &str) -> PyResult<Renewal> {
    match name {
        "next_step" => Ok(Renewal::NextStep),
        "same_step" => Ok(Renewal::SameStep),
        "disabled" => Ok(Renewal::Never),
        _ => Err(PyValueError::new_err(format!(
            "there is no autoreset `{name}`: \"next_step\", \"same_step\" or \"disabled\""
        ))),
    }
}

fn reward(name: &str) -> PyResult<Reward> {
    match name {
        "balanced" => Ok(Reward::Balanced),
        "goal" => Ok(Reward::Payoff),
        _ => Err(PyValueError::new_err(format!(
            "there is no payoff `{name}`: \"balanced\" (-1 to 1) or \"goal\" (0 to 1)"
        ))),
    }
}
