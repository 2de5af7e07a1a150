//! How long a search may think: with [`Clock`], the only place in this crate that reads a clock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Report;
use super::clock::{Clock, Countdown, Deadline, processor_time};
use crate::moment::Moment;

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

/// Somebody who looks on while a search runs: told several times a second what was found so far.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(&Report) + Send + Sync>);

impl Watch {
    /// Calls `told` from the searching thread, which goes on when it returns.
    pub fn new(told: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        Watch(Arc::new(told))
    }

    pub(crate) fn tell(&self, report: &Report) {
        (self.0)(report);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Whoever looks on is told so often, or less often where telling takes long: so many times what was spent on telling
/// is spent on the search before anything is told again.
const BETWEEN_LOOKS: Duration = Duration::from_millis(120);
const THINKING_FOR_TELLING: u32 = 80;

/// The clock is asked whether it is time for that once in so many simulations, but after each of the first:
/// there may never be more of them.
const SIMULATIONS_BETWEEN_ASKING: u64 = 8;
const FIRST_SIMULATIONS: u64 = 64;

/// The limits of one search; it stops at whichever comes first. A budget with neither limit thinks for
/// one simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// At most this many simulations.
    pub simulations: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
    /// By which clock.
    pub clock: Clock,
}

impl Budget {
    /// A budget of simulations.
    pub fn simulations(count: u64) -> Self {
        Budget { simulations: Some(count), ..Budget::default() }
    }

    /// A budget of time.
    pub fn time(time: Duration) -> Self {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// This budget made larger or smaller by a factor; at least one simulation stays.
    pub fn scaled(self, factor: f64) -> Self {
        let simulations =
            self.simulations.map(|count| ((count as f64 * factor).round() as u64).max(1));
        let time = self.time.map(|time| time.mul_f64(factor.max(0.0)));
        Budget { simulations, time, ..self }
    }

    /// Starts the clock. Whatever a search does from here on counts, tidying up included.
    pub(crate) fn running(self) -> Allowance {
        let simulations = match (self.simulations, self.time) {
            (Some(count), _) => count,
            (None, Some(_)) => u64::MAX,
            (None, None) => 1,
        };
        let deadline = self.time.map(|time| Deadline::after(time, self.clock));
        Allowance { simulations, deadline }
    }
}

/// A budget whose clock runs.
#[derive(Clone, Copy)]
pub(crate) struct Allowance {
    simulations: u64,
    deadline: Option<Deadline>,
}

impl Allowance {
    /// The part of one of `workers` that share it, for the thread that asks.
    pub fn share(self, worker: usize, workers: usize, stop: &Stop) -> Meter<'_> {
        let simulations = match self.simulations {
            u64::MAX => u64::MAX,
            count => count / workers as u64 + u64::from((worker as u64) < count % workers as u64),
        };
        let deadline = self.deadline.map(Deadline::here);
        Meter { simulations, deadline, stop, done: 0, next_look: None, may_tell: Duration::ZERO }
    }
}

/// One thread's part of it.
pub(crate) struct Meter<'s> {
    simulations: u64,
    deadline: Option<Countdown>,
    stop: &'s Stop,
    done: u64,
    /// When somebody who looks on is to be told again.
    next_look: Option<Moment>,
    /// The processor time from which on the search has had its due.
    may_tell: Duration,
}

impl Meter<'_> {
    /// Whether one more simulation may run; counts it.
    #[inline]
    pub fn tick(&mut self) -> bool {
        let done = self.done;
        let late =
            self.stop.is_raised() || self.deadline.as_mut().is_some_and(|end| end.is_over(done));
        // A search that was asked for anything at all has something to show for it.
        if self.done >= self.simulations || (late && self.done > 0) {
            return false;
        }
        self.done += 1;
        true
    }

    /// Tells somebody who looks on, if it is time for that; `tell` is given the number of simulations so far.
    #[inline]
    pub fn look(&mut self, tell: impl FnOnce(u64)) {
        let rarely = self.done > FIRST_SIMULATIONS;
        if rarely && !self.done.is_multiple_of(SIMULATIONS_BETWEEN_ASKING) {
            return;
        }
        let now = Moment::now();
        let Some(due) = self.next_look else {
            self.next_look = Some(now + BETWEEN_LOOKS);
            return;
        };
        if now < due {
            return;
        }
        self.next_look = Some(now + BETWEEN_LOOKS);
        let begun = processor_time();
        if begun >= self.may_tell {
            tell(self.done);
            let ended = processor_time();
            self.may_tell = ended + ended.saturating_sub(begun) * THINKING_FOR_TELLING;
        }
    }

    /// Whether a search that has looked at so many positions must end. The clock is read once in a while only.
    #[inline]
    pub fn is_over(&mut self, looked_at: u64) -> bool {
        const BETWEEN_READINGS: u64 = 64;
        if looked_at >= self.simulations {
            return true;
        }
        if looked_at >= BETWEEN_READINGS && looked_at - self.done < BETWEEN_READINGS {
            return false;
        }
        self.done = looked_at;
        self.stop.is_raised() || self.deadline.as_mut().is_some_and(|end| end.is_over(looked_at))
    }

    /// Whether time is up or the signal was raised, after so many rounds of a search that counts for itself.
    pub fn is_late(&mut self, rounds: u64) -> bool {
        self.stop.is_raised() || self.deadline.as_mut().is_some_and(|end| end.is_over(rounds))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn work_for(time: Duration) {
        let begun = processor_time();
        while processor_time() - begun < time {
            std::hint::black_box((0..100u64).fold(0, |sum, n| sum ^ std::hint::black_box(n)));
        }
    }

    #[test]
    fn telling_takes_less_than_a_fiftieth_however_long_it_takes() {
        let (stop, each) = (Stop::default(), Duration::from_millis(4));
        let mut meter = Budget::time(Duration::from_secs(60)).running().share(0, 1, &stop);
        let (begun, mut told) = (processor_time(), 0u32);
        while processor_time() - begun < Duration::from_millis(900) {
            assert!(meter.tick());
            work_for(Duration::from_micros(50));
            meter.look(|_| {
                told += 1;
                work_for(each);
            });
        }
        let share = (each * told).as_secs_f64() / (processor_time() - begun).as_secs_f64();
        assert!(told >= 1 && share <= 0.02, "told {told} times, {share:.3} of the time");
    }
}
