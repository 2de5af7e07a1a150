//! Long work with the interpreter let go, while the thread that asked listens for Ctrl-C.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludex_lud::patience::{from_now_on, while_wanted};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::{InternalError, panicked, plain};

/// Ctrl-C is looked for so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(15);
/// Whoever was interrupted hears of it after so long, whether the work has ended or not.
const LONGEST_FAREWELL: Duration = Duration::from_millis(20);
/// As much memory for nested calls as a program's first thread has.
const STACK: usize = 8 << 20;

/// Work on a thread of its own.
pub struct Work<T> {
    done: Mutex<Receiver<PyResult<T>>>,
    unwanted: Arc<AtomicBool>,
}

impl<T: Send + 'static> Work<T> {
    /// Begins it. A panic of the work is an exception.
    pub fn begin(work: impl FnOnce() -> PyResult<T> + Send + 'static) -> PyResult<Work<T>> {
        let (sender, done) = channel();
        let unwanted = Arc::new(AtomicBool::new(false));
        let is_unwanted = unwanted.clone();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            // Slow rules ask by themselves whether anybody still waits.
            let wanted = move || !is_unwanted.load(Ordering::Relaxed);
            let result = catch_unwind(AssertUnwindSafe(|| while_wanted(wanted, work)));
            // Where nobody waits any more, what was found is of no use.
            let _ = sender.send(match result {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err(PyKeyboardInterrupt::new_err(())),
                Err(panic) => Err(panicked(panic)),
            });
        });
        thread.map_err(plain)?;
        Ok(Work { done: Mutex::new(done), unwanted })
    }

    /// Waits for its end. Whoever interrupts makes `raise` be called, and hears of it soon after, whether the work has
    /// ended or not.
    pub fn wait(&self, py: Python<'_>, raise: impl FnOnce() + Send) -> PyResult<T> {
        py.detach(move || {
            let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
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
                    return Err(interrupt);
                }
            }
        })
    }

    /// Nobody wants it any more: slow rules are given up, and whoever waits does so only a little longer.
    fn give_up(&self) {
        self.unwanted.store(true, Ordering::Relaxed);
    }
}

/// Does work on a thread of its own. Whoever interrupts makes `raise` be called, which tells the work to end; what is
/// under way (a match, a game of a slow rule set) may take longer than he has patience for and is then left to end by
/// itself. A panic of the work is an exception.
pub fn wait<T: Send + 'static>(
    py: Python<'_>,
    raise: impl FnOnce() + Send,
    work: impl FnOnce() -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let work = Work::begin(work)?;
    let raised = AtomicBool::new(false);
    let result = work.wait(py, || {
        raise();
        work.give_up();
        raised.store(true, Ordering::Relaxed);
    });
    if raised.into_inner() {
        py.detach(|| {
            let done = work.done.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = done.recv_timeout(LONGEST_FAREWELL);
        });
    }
    result
}

thread_local! {
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    static INTERRUPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// From now on slow rules that are worked out on this thread listen for Ctrl-C, and unwind when they hear it.
#[inline]
pub fn listen() {
    if !LISTENS.get() {
        LISTENS.set(true);
        from_now_on(|| match Python::attach(|py| py.check_signals()) {
            Ok(()) => true,
            Err(interrupt) => {
                INTERRUPT.set(Some(interrupt));
                false
            }
        });
    }
}

/// What was heard on this thread while slow rules were worked out.
pub fn heard() -> PyErr {
    INTERRUPT.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}
