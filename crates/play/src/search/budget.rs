//! How long a search may think: the only place in this crate that reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A signal from another thread that thinking is of no use any more. All copies are one signal.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends searches that obey this signal after their simulation under way, now and from now on.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of one search; it stops at whichever comes first. A budget with neither limit thinks for
/// one simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// At most this many simulations.
    pub simulations: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
}

impl Budget {
    /// A budget of simulations.
    pub fn simulations(count: u64) -> Self {
        Budget { simulations: Some(count), time: None }
    }

    /// A budget of time.
    pub fn time(time: Duration) -> Self {
        Budget { simulations: None, time: Some(time) }
    }

    /// This budget made larger or smaller by a factor; at least one simulation stays.
    pub fn scaled(self, factor: f64) -> Self {
        let simulations =
            self.simulations.map(|count| ((count as f64 * factor).round() as u64).max(1));
        Budget { simulations, time: self.time.map(|time| time.mul_f64(factor.max(0.0))) }
    }

    /// The part of one of `workers` that share the budget.
    pub(super) fn share(self, worker: usize, workers: usize) -> Self {
        let split = |count: u64| {
            count / workers as u64 + u64::from((worker as u64) < count % workers as u64)
        };
        Budget { simulations: self.simulations.map(split), time: self.time }
    }

    pub(super) fn start(self, stop: &Stop) -> Meter<'_> {
        let simulations = match (self.simulations, self.time) {
            (Some(count), _) => count,
            (None, Some(_)) => u64::MAX,
            (None, None) => 1,
        };
        let deadline = self.time.map(|time| Instant::now() + time);
        Meter { simulations, deadline, stop, done: 0 }
    }
}

/// A running budget.
pub(super) struct Meter<'s> {
    simulations: u64,
    deadline: Option<Instant>,
    stop: &'s Stop,
    done: u64,
}

impl Meter<'_> {
    /// Whether one more simulation may run; counts it.
    #[inline]
    pub fn tick(&mut self) -> bool {
        let late = self.stop.is_raised()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        // A search that was asked for anything at all has something to show for it.
        if self.done >= self.simulations || (late && self.done > 0) {
            return false;
        }
        self.done += 1;
        true
    }

    /// How many simulations may still run, the one just counted included.
    pub fn left(&self) -> u64 {
        self.simulations - self.done + 1
    }

    /// Counts further simulations that ran with the last one.
    pub fn add(&mut self, count: u64) {
        self.done += count;
    }

    pub fn done(&self) -> u64 {
        self.done
    }
}
