//! Many games stepped at once, into arrays that the environment owns.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludex_game::lanes::{Frame, Lanes, Plan, Refused, Renewal, Reward};
use ludex_game::planes::Planes;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::buffers::{Buffers, take};
use crate::crew::Crew;
use crate::error::{IllegalActionError, guarded, plain};
use crate::game::Game;
use crate::given::{kind_of, room, threads as so_many};
use crate::observe;
use crate::source::Core;

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
    parts: Vec<Box<dyn Lanes>>,
    buffers: Buffers,
    plan: Plan,
    count: usize,
    seats: usize,
    actions: Vec<i32>,
    /// The first action that is too large or too small to be kept with the others.
    beyond: Option<i64>,
    /// The threads, where there are several: one for each part.
    crew: Option<Crew>,
    began: bool,
    #[pyo3(get)]
    closed: bool,
}

/// Where the actions of each environment begin, and the actions.
type Ragged<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>);

/// One part of the lanes, and what it works with.
struct Part<'a> {
    lanes: &'a mut Box<dyn Lanes>,
    frame: Frame<'a>,
    actions: &'a [i32],
    first: usize,
}

impl Vector {
    /// The parts with what each of them works with.
    fn split(&mut self) -> Vec<Part<'_>> {
        let counts: Vec<usize> = self.parts.iter().map(|lanes| lanes.len()).collect();
        let frames = self.buffers.frames(&self.plan, self.core.players(), &counts);
        let (mut actions, mut first) = (&self.actions[..], 0);
        let mut parts = Vec::with_capacity(counts.len());
        for (lanes, frame) in self.parts.iter_mut().zip(frames) {
            let count = lanes.len();
            let (own, others) = actions.split_at(count * self.seats);
            parts.push(Part { lanes, frame, actions: own, first });
            (actions, first) = (others, first + count);
        }
        parts
    }

    /// Every part finds out whether its choices are legal; only when all are does any part play. What the first part refused
    /// is told.
    fn step_all(&mut self) -> Result<(), Refused> {
        let mut crew = self.crew.take();
        let result = step_parts(crew.as_mut(), self.split());
        self.crew = crew;
        result
    }

    fn write_attributes(&mut self) {
        let width = self.core.game.attributes().len();
        if self.plan.planes.is_some() || self.buffers.attributes.len == 0 {
            return;
        }
        let movers: Vec<i32> = self.buffers.mover.slice().to_vec();
        let mut rows = self.buffers.attributes.slice().chunks_mut(width.max(1));
        let mut at = 0;
        for lanes in &self.parts {
            for lane in 0..lanes.len() {
                for seat in 0..self.seats {
                    let looks = if self.plan.together { seat } else { movers[at].max(0) as usize };
                    let Some(row) = rows.next() else { return };
                    lanes.attributes(lane, ludex_game::Player(looks as u8), row);
                }
                at += 1;
            }
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
    fn read_actions(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
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
            self.actions.copy_from_slice(unsafe { array.as_slice() }.map_err(misaligned)?);
            return Ok(());
        }
        if let Ok(array) = actions.cast::<PyArrayDyn<i64>>() {
            check(array.shape(), array.is_c_contiguous())?;
            // SAFETY: the same.
            let given = unsafe { array.as_slice() }.map_err(misaligned)?;
            for (slot, &action) in self.actions.iter_mut().zip(given) {
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

fn step_parts(crew: Option<&mut Crew>, parts: Vec<Part<'_>>) -> Result<(), Refused> {
    let slots: Vec<_> = parts.into_iter().map(|part| Mutex::new((part, Ok(())))).collect();
    let choose = |number: usize| {
        let Some(slot) = slots.get(number) else { return true };
        let (part, result) = &mut *lock(slot);
        *result = part.lanes.choose(part.actions);
        result.is_ok()
    };
    let play = |number: usize| {
        let Some(slot) = slots.get(number) else { return };
        let (part, result) = &mut *lock(slot);
        *result = part.lanes.step(&mut part.frame);
    };
    match crew {
        Some(crew) => crew.run_if(&choose, &play),
        None if (0..slots.len()).all(choose) => (0..slots.len()).for_each(play),
        None => {}
    }
    let results = slots.iter().map(|slot| {
        let (part, result) = &*lock(slot);
        result.map_err(|refused| in_all(refused, part.first))
    });
    results.into_iter().find(Result::is_err).unwrap_or(Ok(()))
}

/// Works on all parts, the threads of a crew each on one.
fn share<T: Send>(crew: Option<&mut Crew>, parts: Vec<T>, work: impl Fn(T) + Sync) {
    let Some(crew) = crew else { return parts.into_iter().for_each(work) };
    let slots: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
    crew.run(&|number| {
        let part = slots.get(number).and_then(|slot| lock(slot).take());
        part.into_iter().for_each(&work);
    });
}

fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same with the lane's number among all.
fn in_all(refused: Refused, first: usize) -> Refused {
    match refused {
        Refused::Illegal { lane, action } => Refused::Illegal { lane: lane + first, action },
        Refused::Over { lane } => Refused::Over { lane: lane + first },
        Refused::Together { lane } => Refused::Together { lane: lane + first },
    }
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
        let parts = (0..threads).map(|part| {
            let size = count * (part + 1) / threads - count * part / threads;
            core.game.clone().lanes(size, plan.clone())
        });
        let parts = parts.collect();
        let crew = if threads == 1 { None } else { Some(Crew::new(threads).map_err(plain)?) };
        let buffers = Buffers::new(py, &core, &plan, count, observe);
        let actions = vec![0; count * seats];
        let (began, closed, beyond) = (false, false, None);
        Ok(Vector {
            core,
            parts,
            buffers,
            plan,
            count,
            seats,
            actions,
            beyond,
            crew,
            began,
            closed,
        })
    }

    /// Begins all games anew, or those that `mask` names; environment `i` has random numbers of its own, which depend on
    /// the seed and on `i` alone.
    #[pyo3(signature = (seed, mask=None))]
    fn reset(&mut self, py: Python<'_>, seed: u64, mask: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        self.open()?;
        let wanted = match &mask {
            Some(mask) => self.read_mask(mask)?,
            None => vec![true; self.count],
        };
        if mask.is_some() && !self.began {
            return Err(PyValueError::new_err("reset all environments before some of them"));
        }
        self.began = true;
        let begun = guarded(|| {
            Ok(py.detach(|| {
                for part in self.split() {
                    let Part { lanes, mut frame, first, .. } = part;
                    for lane in 0..lanes.len() {
                        if wanted[first + lane] {
                            let rng = ludex_game::Rng::stream(seed, (first + lane) as u64);
                            let begun = lanes.begin(lane, rng, &mut frame);
                            begun.map_err(|refused| in_all(refused, first))?;
                        }
                    }
                }
                self.write_attributes();
                Ok(())
            }))
        })?;
        begun.map_err(|refused| self.refused(refused))
    }

    /// Plays one action in every game. Where one is not legal, nothing is played in any.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.open()?;
        if !self.began {
            return Err(PyValueError::new_err("reset the environment before the first step"));
        }
        self.read_actions(actions)?;
        let stepped = guarded(|| {
            Ok(py.detach(|| {
                let stepped = self.step_all();
                self.write_attributes();
                stepped
            }))
        })?;
        stepped.map_err(|refused| self.refused(refused))
    }

    /// A legal action for every environment, each drawn with the same probability; -1 where there is none to take.
    fn sample_legal<'py>(
        &mut self,
        py: Python<'py>,
        rng: &Bound<'py, Rng>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        self.open()?;
        let key = rng.borrow_mut().0.next();
        let shape = match self.plan.together {
            true => vec![self.count, self.seats],
            false => vec![self.count],
        };
        let array = PyArrayDyn::<i32>::zeros(py, shape, false);
        // SAFETY: the array was just made, and nobody else has it.
        let mut rest = unsafe { array.as_slice_mut()? };
        let (mut parts, mut first) = (Vec::with_capacity(self.parts.len()), 0);
        for lanes in &self.parts {
            parts.push((&**lanes, first, take(&mut rest, lanes.len() * self.seats)));
            first += lanes.len();
        }
        let crew = self.crew.as_mut();
        guarded(|| {
            py.detach(|| share(crew, parts, |(lanes, first, out)| lanes.draw(key, first, out)));
            Ok(())
        })?;
        Ok(array)
    }

    /// The legal actions of all environments, one after the other, and where those of each begin.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Ragged<'py>> {
        self.open()?;
        let (mut offsets, mut numbers) = (vec![0], Vec::new());
        for lanes in &self.parts {
            for lane in 0..lanes.len() {
                for seat in 0..self.seats {
                    lanes.legal(lane, seat, &mut |number| numbers.push(number as i32));
                    offsets.push(numbers.len() as i32);
                }
            }
        }
        Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, numbers)))
    }

    /// Lets go of everything; nothing can be done with it afterwards.
    fn close(&mut self) {
        self.closed = true;
        self.parts.clear();
        self.crew = None;
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
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.plan.planes {
            Some(_) => self.buffers.observation.get(py).into_any(),
            None => self.buffers.attributes.get(py).into_any(),
        }
    }

    /// The planes of games that ended in this step.
    #[getter]
    fn final_observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<u8>> {
        self.buffers.ended.get(py)
    }

    /// Which actions are legal.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<bool>> {
        self.buffers.mask.get(py)
    }

    /// What every player got in this step.
    #[getter]
    fn reward<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<f32>> {
        self.buffers.reward.get(py)
    }

    /// Which games ended by their rules.
    #[getter]
    fn terminated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<bool>> {
        self.buffers.terminated.get(py)
    }

    /// Which games reached their limit of plies.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<bool>> {
        self.buffers.truncated.get(py)
    }

    /// Who moves.
    #[getter]
    fn current_player<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<i32>> {
        self.buffers.mover.get(py)
    }
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
