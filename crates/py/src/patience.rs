//! Long work with the interpreter let go, while the thread that asked listens for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::{InternalError, panicked, plain};

/// Ctrl-C is looked for so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(15);
/// Whoever was interrupted hears of it after so long, whether the work has ended or not.
const LONGEST_FAREWELL: Duration = Duration::from_millis(20);
/// As much memory for nested calls as a program's first thread has.
const STACK: usize = 8 << 20;

/// Does work on a thread of its own. Whoever interrupts makes `raise` be called, which tells the work to end; what is
/// under way (a match, a game of a slow rule set) may take longer than he has patience for and is then left to end by
/// itself. A panic of the work is an exception.
pub fn wait<T: Send + 'static>(
    py: Python<'_>,
    raise: impl Fn() + Send,
    work: impl FnOnce() -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, done) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // Where nobody waits any more, what was found is of no use.
        let _ = sender.send(result.unwrap_or_else(|panic| Err(panicked(panic))));
    });
    thread.map_err(plain)?;
    py.detach(move || {
        loop {
            match done.recv_timeout(BETWEEN_LOOKS) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(InternalError::new_err("a thread ended without a word"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                raise();
                let _ = done.recv_timeout(LONGEST_FAREWELL);
                return Err(interrupt);
            }
        }
    })
}
