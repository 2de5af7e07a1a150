//! Many games stepped at once, into arrays that the environment owns.

use std::sync::{Arc, Mutex, PoisonError};

use ludex_game::lanes::{Frame, Lanes, Plan, Refused, Renewal, Reward};
use ludex_game::planes::Planes;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::crew::Crew;
use crate::error::{IllegalActionError, guarded, plain};
use crate::game::Game;
use crate::observe;
use crate::source::Core;

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

/// An array that Python sees and steps write to, whoever holds it.
struct Buffer<T> {
    array: Py<PyArrayDyn<T>>,
    data: *mut T,
    len: usize,
}

// SAFETY: the memory belongs to the array, which lives as long as the buffer; it is written only inside methods that have
// the environment to themselves.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: the same.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T: Element + Default + Copy> Buffer<T> {
    fn new(py: Python<'_>, shape: Vec<usize>) -> Buffer<T> {
        let array = PyArrayDyn::<T>::zeros(py, shape, false);
        let (data, len) = (array.data(), array.len());
        Buffer { array: array.unbind(), data, len }
    }

    fn slice(&mut self) -> &mut [T] {
        // SAFETY: the array was made here with so many elements, laid out row by row.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.len) }
    }

    fn get<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDyn<T>> {
        self.array.bind(py).clone()
    }
}

/// All arrays of an environment.
struct Buffers {
    observation: Buffer<u8>,
    ended: Buffer<u8>,
    attributes: Buffer<f32>,
    mask: Buffer<bool>,
    reward: Buffer<f32>,
    terminated: Buffer<bool>,
    truncated: Buffer<bool>,
    mover: Buffer<i32>,
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
    /// The threads, where there are several: one for each part.
    crew: Option<Crew>,
    began: bool,
    #[pyo3(get)]
    closed: bool,
}

/// What one part of the lanes writes to.
struct Part<'a> {
    lanes: &'a mut Box<dyn Lanes>,
    frame: Frame<'a>,
    actions: &'a [i32],
    first: usize,
}

fn bytes(flags: &mut [bool]) -> &mut [u8] {
    let (data, len) = (flags.as_mut_ptr().cast::<u8>(), flags.len());
    // SAFETY: a bool is a byte, and only noughts and ones are written.
    unsafe { std::slice::from_raw_parts_mut(data, len) }
}

/// Takes the first so many elements off a slice.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let count = count.min(rest.len());
    let (first, others) = std::mem::take(rest).split_at_mut(count);
    *rest = others;
    first
}

impl Vector {
    fn sizes(&self) -> (usize, usize, usize) {
        let planes = self.plan.planes.as_ref().map_or(0, |planes| planes.len());
        let mask = if self.plan.masks { self.plan.space.len() as usize } else { 0 };
        (planes * self.seats, mask * self.seats, self.core.players())
    }

    /// The parts with what each of them writes to.
    fn split(&mut self) -> Vec<Part<'_>> {
        let (planes, mask, players) = self.sizes();
        let buffers = &mut self.buffers;
        let (mut observation, mut ended) = (buffers.observation.slice(), buffers.ended.slice());
        let (mut masks, mut reward) = (bytes(buffers.mask.slice()), buffers.reward.slice());
        let mut terminated = bytes(buffers.terminated.slice());
        let mut truncated = bytes(buffers.truncated.slice());
        let (mut mover, mut actions) = (buffers.mover.slice(), &self.actions[..]);
        let mut first = 0;
        let part = |lanes| {
            let lanes: &mut Box<dyn Lanes> = lanes;
            let count = lanes.len();
            let frame = Frame {
                observation: take(&mut observation, count * planes),
                ended: take(&mut ended, count * planes),
                mask: take(&mut masks, count * mask),
                reward: take(&mut reward, count * players),
                terminated: take(&mut terminated, count),
                truncated: take(&mut truncated, count),
                mover: take(&mut mover, count),
            };
            let (own, others) = actions.split_at(count * self.seats);
            actions = others;
            first += count;
            Part { lanes, frame, actions: own, first: first - count }
        };
        self.parts.iter_mut().map(part).collect()
    }

    /// Does something with every part, each on a thread of its own where there are several; what the first part refused
    /// is told.
    fn each_part(
        &mut self,
        work: impl Fn(&mut Part<'_>) -> Result<(), Refused> + Sync,
    ) -> Result<(), Refused> {
        let mut crew = self.crew.take();
        let result = share(crew.as_mut(), self.split(), |mut part| {
            work(&mut part).map_err(|refused| in_all(refused, part.first))
        });
        self.crew = crew;
        result
    }

    /// Every part finds out whether its choices are legal; only when all are does any part play.
    fn step_all(&mut self) -> Result<(), Refused> {
        self.each_part(|part| part.lanes.choose(part.actions))?;
        self.each_part(|part| part.lanes.step(&mut part.frame))
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
            Refused::Illegal { .. } => IllegalActionError::new_err(refused.to_string()),
            other => plain(other),
        }
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
        if let Ok(array) = actions.cast::<PyArrayDyn<i32>>() {
            check(array.shape(), array.is_c_contiguous())?;
            // SAFETY: nothing else runs while the values are copied.
            self.actions.copy_from_slice(unsafe { array.as_slice()? });
            return Ok(());
        }
        if let Ok(array) = actions.cast::<PyArrayDyn<i64>>() {
            check(array.shape(), array.is_c_contiguous())?;
            // SAFETY: the same.
            let given = unsafe { array.as_slice()? };
            for (slot, &action) in self.actions.iter_mut().zip(given) {
                *slot = i32::try_from(action).unwrap_or(i32::MAX);
            }
            return Ok(());
        }
        let given = match actions.getattr("dtype") {
            Ok(dtype) => format!("one of {dtype}"),
            Err(_) => format!("a {}", actions.get_type().name()?),
        };
        Err(PyTypeError::new_err(format!("{wanted}, not {given}")))
    }
}

/// Works on all parts, the threads of a crew each on one; the first refusal in order is the result.
fn share<T: Send>(
    crew: Option<&mut Crew>,
    parts: Vec<T>,
    work: impl Fn(T) -> Result<(), Refused> + Sync,
) -> Result<(), Refused> {
    let Some(crew) = crew else { return parts.into_iter().try_for_each(work) };
    let slots: Vec<_> = parts.into_iter().map(|part| Mutex::new((Some(part), Ok(())))).collect();
    crew.run(&|number| {
        let Some(slot) = slots.get(number) else { return };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = slot.0.take() {
            slot.1 = work(part);
        }
    });
    let mut slots = slots.into_iter().map(Mutex::into_inner);
    slots.try_for_each(|slot| slot.unwrap_or_else(PoisonError::into_inner).1)
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
        let threads = threads.clamp(1, count);
        let parts = (0..threads).map(|part| {
            let size = count * (part + 1) / threads - count * part / threads;
            core.game.clone().lanes(size, plan.clone())
        });
        let parts = parts.collect();
        let crew = if threads == 1 { None } else { Some(Crew::new(threads).map_err(plain)?) };
        let seats = if plan.together { core.players() } else { 1 };
        let buffers = Buffers::new(py, &core, &plan, count, observe);
        let actions = vec![0; count * seats];
        let (began, closed) = (false, false);
        Ok(Vector { core, parts, buffers, plan, count, seats, actions, crew, began, closed })
    }

    /// Begins all games anew, or those that `mask` names; environment `i` has random numbers of its own, which depend on
    /// the seed and on `i` alone.
    #[pyo3(signature = (seed, mask=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: u64,
        mask: Option<Bound<'_, PyArray1<bool>>>,
    ) -> PyResult<()> {
        self.open()?;
        let wanted = match &mask {
            Some(mask) if mask.len() != self.count => {
                let text = format!("`mask` has an entry for each of {} environments", self.count);
                return Err(PyValueError::new_err(text));
            }
            Some(mask) => mask.readonly().as_array().iter().copied().collect(),
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
            let drawn = share(crew, parts, |(lanes, first, out)| {
                lanes.draw(key, first, out);
                Ok(())
            });
            drawn.map_err(plain)
        })?;
        Ok(array)
    }

    /// The legal actions of all environments, one after the other, and where those of each begin.
    fn legal<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>) {
        let (mut offsets, mut numbers) = (vec![0], Vec::new());
        for lanes in &self.parts {
            for lane in 0..lanes.len() {
                for seat in 0..self.seats {
                    lanes.legal(lane, seat, &mut |number| numbers.push(number as i32));
                    offsets.push(numbers.len() as i32);
                }
            }
        }
        (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, numbers))
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

impl Buffers {
    fn new(py: Python<'_>, core: &Core, plan: &Plan, count: usize, observe: bool) -> Buffers {
        let players = core.players();
        let head = if plan.together { vec![count, players] } else { vec![count] };
        let with = |tail: &[usize]| [&head[..], tail].concat();
        let none = || with(&[0]);
        let shape = plan.planes.as_ref().map(|planes| match planes.grid() {
            Some((rows, columns)) => with(&[planes.names().len(), rows, columns]),
            None => with(&[planes.names().len(), planes.cells()]),
        });
        let ended = shape.clone().filter(|_| plan.renewal == Renewal::SameStep);
        let attributes = match observe && shape.is_none() {
            true => with(&[core.game.attributes().len()]),
            false => none(),
        };
        let mask = if plan.masks { with(&[plan.space.len() as usize]) } else { none() };
        Buffers {
            observation: Buffer::new(py, shape.unwrap_or_else(none)),
            ended: Buffer::new(py, ended.unwrap_or_else(none)),
            attributes: Buffer::new(py, attributes),
            mask: Buffer::new(py, mask),
            reward: Buffer::new(py, vec![count, players]),
            terminated: Buffer::new(py, vec![count]),
            truncated: Buffer::new(py, vec![count]),
            mover: Buffer::new(py, vec![count]),
        }
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
