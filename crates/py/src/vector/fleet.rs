//! The games of an environment, in as many parts as there are threads, with the arrays that they write to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludex_game::lanes::{Frame, Lanes, Plan, Refused};
use pyo3::prelude::*;

use crate::buffers::{Buffers, take};
use crate::crew::Crew;
use crate::error::plain;
use crate::source::Core;

/// All games with all they need: whoever has it can play without Python.
pub struct Fleet {
    pub games: Games,
    /// The threads, where there are several: one for each part.
    crew: Option<Crew>,
    /// How long the last step or the last beginning took.
    pub took: Duration,
}

/// The games in parts, and their arrays.
pub struct Games {
    core: Arc<Core>,
    parts: Vec<Box<dyn Lanes>>,
    buffers: Buffers,
    plan: Plan,
    seats: usize,
    /// What was chosen, by lane and seat.
    pub actions: Vec<i32>,
}

/// One part of the lanes, and what it works with.
struct Part<'a> {
    lanes: &'a mut Box<dyn Lanes>,
    frame: Frame<'a>,
    actions: &'a [i32],
    first: usize,
}

impl Fleet {
    /// So many games, divided among threads.
    pub fn new(
        core: Arc<Core>,
        plan: Plan,
        buffers: Buffers,
        (count, threads): (usize, usize),
    ) -> PyResult<Fleet> {
        let parts = (0..threads).map(|part| {
            let size = count * (part + 1) / threads - count * part / threads;
            core.game.clone().lanes(size, plan.clone())
        });
        let parts = parts.collect();
        let crew = if threads == 1 { None } else { Some(Crew::new(threads).map_err(plain)?) };
        let seats = if plan.together { core.players() } else { 1 };
        let games = Games { core, parts, buffers, plan, seats, actions: vec![0; count * seats] };
        Ok(Fleet { games, crew, took: Duration::MAX })
    }

    /// Begins the games anew that are wanted; game `i` has random numbers of its own, which depend on the seed and on `i` alone.
    pub fn begin(&mut self, seed: u64, wanted: &[bool]) -> Result<(), Refused> {
        let begun = Instant::now();
        for part in self.games.split() {
            let Part { lanes, mut frame, first, .. } = part;
            for lane in (0..lanes.len()).filter(|lane| wanted[first + lane]) {
                let rng = ludex_game::Rng::stream(seed, (first + lane) as u64);
                let begun = lanes.begin(lane, rng, &mut frame);
                begun.map_err(|refused| in_all(refused, first))?;
            }
        }
        self.took = begun.elapsed();
        Ok(())
    }

    /// Plays the actions. Every part finds out whether its choices are legal; only when all are does any part play. What the
    /// first part refused is told.
    pub fn step(&mut self) -> Result<(), Refused> {
        let begun = Instant::now();
        let result = step_parts(self.crew.as_mut(), self.games.split());
        self.took = begun.elapsed();
        result
    }

    /// Draws a legal action for every lane and seat.
    pub fn draw(&mut self, key: u64, mut out: &mut [i32]) {
        let games = &self.games;
        let (mut parts, mut first) = (Vec::with_capacity(games.parts.len()), 0);
        for lanes in &games.parts {
            parts.push((&**lanes, first, take(&mut out, lanes.len() * games.seats)));
            first += lanes.len();
        }
        let draw =
            |(lanes, first, out): (&dyn Lanes, usize, &mut [i32])| lanes.draw(key, first, out);
        let Some(crew) = &mut self.crew else { return parts.into_iter().for_each(draw) };
        let slots: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
        crew.run(&|number| {
            let part = slots.get(number).and_then(|slot| lock(slot).take());
            part.into_iter().for_each(draw);
        });
    }

    /// The legal actions of all lanes and seats, one after the other, and where those of each begin.
    pub fn legal(&self) -> (Vec<i32>, Vec<i32>) {
        let (mut offsets, mut numbers) = (vec![0], Vec::new());
        for lanes in &self.games.parts {
            for lane in 0..lanes.len() {
                for seat in 0..self.games.seats {
                    lanes.legal(lane, seat, &mut |number| numbers.push(number as i32));
                    offsets.push(numbers.len() as i32);
                }
            }
        }
        (offsets, numbers)
    }
}

impl Games {
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
