//! Searches that run for the page: each on a thread of its own, watched by whoever reads its events.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludex_desk::{Question, Told, think};
use ludex_lud::patience::{GivenUp, while_wanted};
use ludex_play::search::Stop;
use tokio::sync::watch;

use crate::server::give_way;

/// A search that should have ended so long ago is given up.
const LATE: Duration = Duration::from_secs(20);

/// A search under way, or finished and not yet read.
pub struct Thought {
    pub stop: Stop,
    pub news: watch::Receiver<News>,
    /// Whether somebody reads its events.
    pub read: AtomicBool,
    pub begun: Instant,
}

/// What is known of a search.
#[derive(Clone, Debug, Default)]
pub enum News {
    /// Nothing yet.
    #[default]
    Begun,
    /// What was found so far, or in the end.
    Found(Arc<Told>),
    /// It came to nothing.
    Failed(String),
}

/// Whether a search of so long is still wanted. It ends by itself between two simulations; a simulation under rules that never
/// come to an end does not.
fn wanted(time: Duration, stop: Stop) -> impl Fn() -> bool {
    let (begun, raised) = (Instant::now(), OnceCell::new());
    move || {
        let since = stop.is_raised().then(|| raised.get_or_init(Instant::now).elapsed());
        begun.elapsed() < time + LATE && since.is_none_or(|since| since < LATE)
    }
}

impl Thought {
    /// Starts a search.
    pub fn begin(question: Question) -> Thought {
        let (send, news) = watch::channel(News::Begun);
        let stop = Stop::default();
        let obeyed = stop.clone();
        std::thread::spawn(move || {
            give_way();
            let tell = send.clone();
            let found = move |told| drop(tell.send_replace(News::Found(Arc::new(told))));
            let wanted = wanted(question.wanted.time(), obeyed.clone());
            let think = || while_wanted(wanted, || think(question, obeyed, found));
            let thinking = std::panic::AssertUnwindSafe(think);
            send.send_replace(match std::panic::catch_unwind(thinking) {
                Ok(Ok(Ok(told))) => News::Found(Arc::new(told)),
                Ok(Ok(Err(fault))) => News::Failed(fault),
                Ok(Err(GivenUp)) => {
                    News::Failed("these rules take too long for a search".to_string())
                }
                Err(_) => {
                    News::Failed("the search failed; this is a fault of the program".to_string())
                }
            });
        });
        Thought { stop, news, read: AtomicBool::new(false), begun: Instant::now() }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        match &*self.news.borrow() {
            News::Begun => false,
            News::Found(told) => told.done,
            News::Failed(_) => true,
        }
    }

    /// Notes that somebody reads the events.
    pub fn reading(&self) {
        self.read.store(true, Ordering::Relaxed);
    }
}
