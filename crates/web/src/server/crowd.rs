//! All connections, and who has to go when there are too many.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::task::AbortHandle;

use super::Arrival;

/// What the server knows of one connection.
#[derive(Default)]
pub(super) struct Guest(Mutex<Doing>);

#[derive(Default)]
struct Doing {
    /// When the request under way began to arrive.
    first_byte: Option<Instant>,
    /// Whether it arrived and is being answered.
    served: bool,
    /// How long a byte takes to the other side and back.
    round_trip: std::time::Duration,
}

impl Guest {
    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes came in.
    pub fn heard(&self, round_trip: impl FnOnce() -> std::time::Duration) {
        let mut doing = self.doing();
        if doing.first_byte.is_none() {
            doing.first_byte = Some(Instant::now());
            doing.round_trip = round_trip();
        }
    }

    /// The head of a request is there.
    pub fn begin(&self) -> Arrival {
        let mut doing = self.doing();
        doing.served = true;
        let at = doing.first_byte.unwrap_or_else(Instant::now);
        Arrival { at, round_trip: doing.round_trip }
    }

    /// The answer is about to be sent.
    pub fn finish(&self) {
        *self.doing() = Doing::default();
    }
}

struct Present {
    guest: Arc<Guest>,
    since: Instant,
    task: AbortHandle,
}

/// The connections of a server.
pub(super) struct Crowd {
    present: Mutex<Vec<Present>>,
    most: usize,
}

impl Crowd {
    pub fn new(most: usize) -> Self {
        Crowd { present: Mutex::default(), most }
    }

    fn present(&self) -> MutexGuard<'_, Vec<Present>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in. Where there is no room, the one that has been there longest without being
    /// served has to go; it may be the new one.
    pub fn enter(&self, guest: Arc<Guest>, task: AbortHandle) {
        let mut present = self.present();
        present.retain(|one| !one.task.is_finished());
        present.push(Present { guest, since: Instant::now(), task });
        if present.len() > self.most {
            let idle = present.iter().enumerate().filter(|(_, one)| !one.guest.doing().served);
            if let Some((at, _)) = idle.min_by_key(|(_, one)| one.since) {
                present.swap_remove(at).task.abort();
            } else if let Some(new) = present.pop() {
                new.task.abort();
            }
        }
    }

    /// A connection ended.
    pub fn leave(&self, guest: &Arc<Guest>) {
        self.present().retain(|one| !Arc::ptr_eq(&one.guest, guest));
    }
}
