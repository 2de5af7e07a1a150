//! Long work with the interpreter let go, while the thread that asked listens for Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ludex_play::search::Stop;
use pyo3::prelude::*;

use crate::error::panicked;

/// Ctrl-C is looked for so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Does work on a thread of its own. Whoever interrupts raises `stop`, which the work must obey; then the exception is
/// his. A panic of the work is an exception, too.
pub fn wait<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, done) = channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped at the end of the work, however it ends.
                let _sender = sender;
                work()
            });
            let mut interrupted = None;
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(BETWEEN_LOOKS) {
                if interrupted.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.raise();
                    interrupted = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| Err(panicked(panic)));
            interrupted.map_or(result, Err)
        })
    })
}
