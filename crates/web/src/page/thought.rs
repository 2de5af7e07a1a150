//! Searches that run for the page: each on a thread of its own, watched by whoever reads its events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludex_desk::{Question, Told, think};
use ludex_play::search::Stop;
use tokio::sync::watch;

use crate::server::give_way;

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
            let thinking = std::panic::AssertUnwindSafe(|| think(question, obeyed, found));
            send.send_replace(match std::panic::catch_unwind(thinking) {
                Ok(Ok(told)) => News::Found(Arc::new(told)),
                Ok(Err(fault)) => News::Failed(fault),
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
