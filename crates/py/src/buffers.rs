//! The arrays of an environment: Python sees them, and steps write to them.

use ludex_game::lanes::{Frame, Plan, Renewal};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::given::bytes;
use crate::source::Core;

/// An array that Python sees and steps write to, whoever holds it.
pub struct Buffer<T> {
    /// Keeps the memory: what Python sees is a view, which cannot be given another size.
    _owner: Py<PyArray1<T>>,
    array: Py<PyArrayDyn<T>>,
    data: *mut T,
    pub len: usize,
}

// SAFETY: the memory belongs to the owner, which lives as long as the buffer; it is written only inside methods that have
// the environment to themselves.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: the same.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T: Element + Default + Copy> Buffer<T> {
    fn new(py: Python<'_>, shape: Vec<usize>) -> PyResult<Buffer<T>> {
        let owner = vec![T::default(); shape.iter().product()].into_pyarray(py);
        let array = owner.reshape(shape)?;
        let (data, len) = (array.data(), array.len());
        Ok(Buffer { _owner: owner.unbind(), array: array.unbind(), data, len })
    }

    /// What it holds.
    pub fn slice(&mut self) -> &mut [T] {
        // SAFETY: the array was made here with so many elements, laid out row by row.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.len) }
    }

    fn get(&self, py: Python<'_>) -> Py<PyArrayDyn<T>> {
        self.array.clone_ref(py)
    }
}

/// The arrays as Python has them.
pub struct Arrays {
    /// Planes, or attributes of a game without planes.
    pub observation: Py<PyAny>,
    pub ended: Py<PyAny>,
    pub mask: Py<PyArrayDyn<bool>>,
    pub reward: Py<PyArrayDyn<f32>>,
    pub terminated: Py<PyArrayDyn<bool>>,
    pub truncated: Py<PyArrayDyn<bool>>,
    pub mover: Py<PyArrayDyn<i32>>,
}

/// All arrays of an environment.
pub struct Buffers {
    pub observation: Buffer<u8>,
    pub ended: Buffer<u8>,
    pub attributes: Buffer<f32>,
    pub ended_attributes: Buffer<f32>,
    pub mask: Buffer<bool>,
    pub reward: Buffer<f32>,
    pub terminated: Buffer<bool>,
    pub truncated: Buffer<bool>,
    pub mover: Buffer<i32>,
}

impl Buffers {
    /// Those of so many lanes.
    pub fn new(
        py: Python<'_>,
        core: &Core,
        plan: &Plan,
        count: usize,
        observe: bool,
    ) -> PyResult<Buffers> {
        let players = core.players();
        let head = if plan.together { vec![count, players] } else { vec![count] };
        let with = |tail: &[usize]| [&head[..], tail].concat();
        let none = || with(&[0]);
        let shape = plan.planes.as_ref().map(|planes| with(planes.shape()));
        let ended = shape.clone().filter(|_| plan.renewal == Renewal::SameStep);
        let attributes = match observe && shape.is_none() {
            true => with(&[core.game.attributes().len()]),
            false => none(),
        };
        let ended_attributes = match plan.renewal {
            Renewal::SameStep => attributes.clone(),
            _ => none(),
        };
        let mask = if plan.masks { with(&[plan.space.len() as usize]) } else { none() };
        Ok(Buffers {
            observation: Buffer::new(py, shape.unwrap_or_else(none))?,
            ended: Buffer::new(py, ended.unwrap_or_else(none))?,
            attributes: Buffer::new(py, attributes)?,
            ended_attributes: Buffer::new(py, ended_attributes)?,
            mask: Buffer::new(py, mask)?,
            reward: Buffer::new(py, vec![count, players])?,
            terminated: Buffer::new(py, vec![count])?,
            truncated: Buffer::new(py, vec![count])?,
            mover: Buffer::new(py, vec![count])?,
        })
    }

    /// What Python has of them.
    pub fn arrays(&self, py: Python<'_>, has_planes: bool) -> Arrays {
        let (observation, ended) = match has_planes {
            true => (self.observation.get(py).into_any(), self.ended.get(py).into_any()),
            false => (self.attributes.get(py).into_any(), self.ended_attributes.get(py).into_any()),
        };
        Arrays {
            observation,
            ended,
            mask: self.mask.get(py),
            reward: self.reward.get(py),
            terminated: self.terminated.get(py),
            truncated: self.truncated.get(py),
            mover: self.mover.get(py),
        }
    }

    /// What parts of the lanes write to that have so many lanes each.
    pub fn frames(&mut self, plan: &Plan, players: usize, parts: &[usize]) -> Vec<Frame<'_>> {
        let seats = if plan.together { players } else { 1 };
        let planes = plan.planes.as_ref().map_or(0, |planes| planes.len()) * seats;
        let mask = if plan.masks { plan.space.len() as usize } else { 0 } * seats;
        // As many for each lane as there are for all; none where planes are shown.
        let lanes = parts.iter().sum::<usize>().max(1);
        let width = self.attributes.len / lanes;
        let (mut attributes, mut at_end) = (self.attributes.slice(), self.ended_attributes.slice());
        let (mut observation, mut ended) = (self.observation.slice(), self.ended.slice());
        let (mut masks, mut reward) = (bytes(self.mask.slice()), self.reward.slice());
        let mut terminated = bytes(self.terminated.slice());
        let mut truncated = bytes(self.truncated.slice());
        let mut mover = self.mover.slice();
        let frame = |&count: &usize| Frame {
            observation: take(&mut observation, count * planes),
            attributes: take(&mut attributes, count * width),
            ended: take(&mut ended, count * planes),
            ended_attributes: take(&mut at_end, count * width),
            mask: take(&mut masks, count * mask),
            reward: take(&mut reward, count * players),
            terminated: take(&mut terminated, count),
            truncated: take(&mut truncated, count),
            mover: take(&mut mover, count),
        };
        parts.iter().map(frame).collect()
    }
}

/// Takes the first so many elements off a slice.
pub fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let count = count.min(rest.len());
    let (first, others) = std::mem::take(rest).split_at_mut(count);
    *rest = others;
    first
}
