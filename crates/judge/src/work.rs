//! Work that threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use crate::JudgeError;

/// Who works, and until when.
#[derive(Clone, Copy, Debug)]
pub struct Hands<'a> {
    /// Threads.
    pub threads: usize,
    /// Once set, no further job is begun.
    pub stop: &'a AtomicBool,
}

impl Hands<'_> {
    /// Does jobs nought to `count` and returns what came of them, in that order; an error where it was told to stop.
    /// Every thread is fresh, so that its clock says what its jobs took.
    pub fn each<T: Send>(
        self,
        count: usize,
        job: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, JudgeError> {
        let next = AtomicU64::new(0);
        let mut done: Vec<Option<T>> = (0..count).map(|_| None).collect();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.threads.clamp(1, count.max(1)) {
                let (sender, next, job) = (sender.clone(), &next, &job);
                scope.spawn(move || {
                    while !self.stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed) as usize;
                        if number >= count || sender.send((number, job(number))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            receiver.into_iter().for_each(|(number, result)| done[number] = Some(result));
        });
        done.into_iter().collect::<Option<Vec<T>>>().ok_or(JudgeError::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_jobs() {
        let stop = AtomicBool::new(false);
        let hands = Hands { threads: 3, stop: &stop };
        assert_eq!(hands.each(50, |n| n * n).unwrap()[49], 49 * 49);
        let stopped = hands.each(500, |n| stop.fetch_or(n == 7, Ordering::Relaxed));
        assert!(matches!(stopped, Err(JudgeError::Stopped)));
    }
}
