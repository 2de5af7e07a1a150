//! What time is counted by: the clock on the wall, or the processor time of whoever thinks.

use std::thread::ThreadId;
use std::time::Duration;

use crate::moment::Moment;

/// What a time budget is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Clock {
    /// The clock on the wall, which goes on while other programs have the processor.
    #[default]
    Wall,
    /// The processor time of the thinking threads, each by itself: on a busy machine everybody still thinks
    /// as long as was said.
    Cpu,
}

/// The end of a time that runs.
#[derive(Clone, Copy)]
pub(super) enum Deadline {
    Wall(Moment),
    /// So much processor time of the thread that began to count; another thread begins when it takes part.
    Cpu {
        time: Duration,
        begun: Duration,
        thread: ThreadId,
    },
}

impl Deadline {
    /// Begins to count.
    pub fn after(time: Duration, clock: Clock) -> Deadline {
        match clock {
            Clock::Wall => Deadline::Wall(Moment::now() + time),
            Clock::Cpu => {
                let thread = std::thread::current().id();
                Deadline::Cpu { time, begun: processor_time(), thread }
            }
        }
    }

    /// The same for the thread that asks.
    pub fn here(self) -> Countdown {
        let deadline = match self {
            Deadline::Cpu { time, thread, .. } if thread != std::thread::current().id() => {
                Deadline::after(time, Clock::Cpu)
            }
            deadline => deadline,
        };
        Countdown { deadline, next_look: 0 }
    }
}

/// A deadline that one thread keeps.
pub(super) struct Countdown {
    deadline: Deadline,
    /// Asking for processor time is a call of the system, dear beside a short simulation: it is asked again only
    /// when this many simulations are done.
    next_look: u64,
}

/// The host of a WebAssembly program is asked for the time once in so many simulations.
const ASKED_OF_THE_HOST: u64 = 8;

/// How long a search goes on without asking how much processor time it used.
const BETWEEN_LOOKS: Duration = Duration::from_micros(50);

impl Countdown {
    /// Whether it is over, after so many simulations.
    #[inline]
    pub fn is_over(&mut self, done: u64) -> bool {
        match self.deadline {
            // Asking the host of a WebAssembly program is dear, too.
            Deadline::Wall(_) if cfg!(target_arch = "wasm32") && done < self.next_look => false,
            Deadline::Wall(end) => {
                self.next_look = done + ASKED_OF_THE_HOST;
                Moment::now() >= end
            }
            Deadline::Cpu { .. } if done < self.next_look => false,
            Deadline::Cpu { time, begun, .. } => {
                let used = processor_time().saturating_sub(begun);
                let each = used.as_nanos() as u64 / done.max(1);
                self.next_look = done + BETWEEN_LOOKS.as_nanos() as u64 / each.max(1);
                used >= time
            }
        }
    }
}

/// What this thread used so far.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn processor_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

/// Nothing knows it there; the clock on the wall has to do.
#[cfg(target_arch = "wasm32")]
pub(super) fn processor_time() -> Duration {
    Moment::now().since_the_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_does_not_pass_while_a_thread_sleeps() {
        let rounds = |clock| {
            let mut countdown = Deadline::after(Duration::from_millis(20), clock).here();
            let sleeps = |round: &u64| {
                std::thread::sleep(Duration::from_millis(5));
                !countdown.is_over(*round)
            };
            (1..=20).take_while(sleeps).count()
        };
        assert!(rounds(Clock::Wall) <= 4);
        assert_eq!(rounds(Clock::Cpu), 20);
    }

    #[test]
    fn processor_time_is_over_when_it_is_used_up() {
        let time = Duration::from_millis(30);
        let (begun, mut done) = (processor_time(), 0);
        let mut countdown = Deadline::after(time, Clock::Cpu).here();
        while !countdown.is_over(done) {
            std::hint::black_box((0..100u64).fold(0, |sum, n| sum ^ std::hint::black_box(n)));
            done += 1;
        }
        let used = processor_time() - begun;
        assert!(used >= time && used < time + Duration::from_millis(10), "{used:?}");
    }

    #[test]
    fn another_thread_has_the_whole_time() {
        let deadline = Deadline::after(Duration::from_millis(5), Clock::Cpu);
        let (mut own, mut done) = (deadline.here(), 0);
        while !own.is_over(done) {
            done += 1;
        }
        assert!(!std::thread::spawn(move || deadline.here().is_over(1)).join().unwrap());
    }
}
