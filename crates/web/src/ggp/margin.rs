//! How much of a clock to keep for the way there and back, as measured.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What waking up late has cost lately. A machine that is busy, or a connection that is slow, is noticed
/// by the answers that were sent and by a pulse that does nothing but wake up.
pub struct Margin {
    least: Duration,
    lateness: Mutex<Lateness>,
}

struct Lateness {
    worst: Duration,
    seen: Instant,
}

/// After this long without anything as bad, half of it is forgotten.
const HALF_LIFE: Duration = Duration::from_secs(60);

/// When to stop thinking, and when to answer whatever was found by then.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// Thinking ends.
    pub think: Instant,
    /// The answer goes out.
    pub answer: Instant,
}

impl Margin {
    /// Never less than this.
    pub fn new(least: Duration) -> Self {
        let lateness = Lateness { worst: Duration::ZERO, seen: Instant::now() };
        Margin { least, lateness: Mutex::new(lateness) }
    }

    /// Something that should have happened at a time happens only now.
    pub fn late_since(&self, due: Instant) {
        let late = due.elapsed();
        let mut lateness = self.lateness.lock().unwrap_or_else(PoisonError::into_inner);
        let halvings = lateness.seen.elapsed().as_secs_f64() / HALF_LIFE.as_secs_f64();
        let faded = lateness.worst.mul_f64(0.5f64.powf(halvings));
        *lateness = Lateness { worst: late.max(faded), seen: Instant::now() };
    }

    fn worst(&self) -> Duration {
        self.lateness.lock().unwrap_or_else(PoisonError::into_inner).worst
    }

    /// The deadlines of a clock that runs since a request arrived. Thinking keeps to the whole margin, which
    /// allows for waking up late twice; the answer goes out in the middle of it. At most half of a clock
    /// is given away.
    pub fn deadlines(&self, clock: Duration, arrived: Instant, round_trip: Duration) -> Deadlines {
        let measured = self.least + round_trip * 2 + self.worst() * 3;
        let kept = measured.max(clock / 50).min(clock / 2);
        Deadlines { think: arrived + clock - kept, answer: arrived + clock - kept * 2 / 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_widens_the_margin_and_is_forgotten() {
        let margin = Margin::new(Duration::from_millis(100));
        let (clock, arrived) = (Duration::from_secs(10), Instant::now());
        let kept = |margin: &Margin| {
            let deadlines = margin.deadlines(clock, arrived, Duration::from_millis(20));
            assert!(deadlines.think < deadlines.answer && deadlines.answer < arrived + clock);
            arrived + clock - deadlines.think
        };
        assert_eq!(kept(&margin), Duration::from_millis(200).max(Duration::from_millis(140)));
        margin.late_since(Instant::now() - Duration::from_millis(300));
        assert!(kept(&margin) >= Duration::from_millis(1040));
        margin.lateness.lock().unwrap().seen -= HALF_LIFE * 6;
        margin.late_since(Instant::now());
        assert!(kept(&margin) < Duration::from_millis(400));
        margin.late_since(Instant::now() - Duration::from_secs(60));
        assert_eq!(kept(&margin), clock / 2);
    }
}
