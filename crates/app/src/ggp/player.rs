//! One player for all managers: finds the match a message is about and watches the clock.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludex_play::search::Stop;
use ludex_play::spec::AgentSpec;

use super::limit::Limit;
use super::message::{self, Message, Rules, Start};
use super::thinker::{self, Request, Task};
use super::workshop::Workshop;

/// Clocks longer than this are not used to the full.
const LONGEST_CLOCK: u64 = 3600;

/// Matches thought about at once. More than one only while those that were given up come to an end.
const MOST_MATCHES: usize = 4;

/// How a player plays.
pub struct Settings {
    /// The name it gives.
    pub name: String,
    /// Who chooses its moves.
    pub agent: AgentSpec,
    /// Most simulations for a move; the clock alone decides where there is no limit.
    pub simulations: Option<u64>,
    /// Part of every clock that is kept for the way there and back.
    pub margin: Duration,
    /// Whether it thinks while others do.
    pub ponder: bool,
    /// The seed of everything random.
    pub seed: u64,
}

#[cfg(test)]
impl Settings {
    /// Quick answers, always the same.
    pub fn for_tests() -> Settings {
        Settings {
            name: "tester".to_owned(),
            agent: "uct".parse().expect("a known agent"),
            simulations: Some(20),
            margin: Duration::ZERO,
            ponder: false,
            seed: 1,
        }
    }
}

/// A player that can be asked from many threads at once.
pub struct GgpPlayer {
    settings: Arc<Settings>,
    current: Mutex<Option<Current>>,
    thinkers: Limit,
    workshop: Workshop,
}

/// The match under way. Its thinker ends when the requests do.
struct Current {
    id: String,
    play_clock: Duration,
    requests: Sender<Request>,
    stop: Stop,
}

impl Drop for Current {
    /// A search under way has nobody left to answer.
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// When to stop thinking and when to answer, whatever was found by then.
struct Deadlines {
    think: Instant,
    answer: Instant,
}

impl GgpPlayer {
    /// A player without a match.
    pub fn new(settings: Settings) -> Self {
        let (settings, thinkers) = (Arc::new(settings), Limit::new(MOST_MATCHES));
        GgpPlayer { settings, current: Mutex::new(None), thinkers, workshop: Workshop::new() }
    }

    /// The answer to a message.
    pub fn answer(&self, text: &str) -> String {
        let arrived = Instant::now();
        match message::read(text) {
            Some(Message::Info) => self.info(),
            Some(Message::Preview(rules)) => self.preview(rules),
            Some(Message::Start(start)) => self.start(*start, arrived),
            Some(Message::Play { id, moves }) => self.play(&id, moves, arrived),
            Some(Message::Stop { id }) => self.end(&id, "done"),
            Some(Message::Abort { id }) => self.end(&id, "aborted"),
            None => "unreadable".to_owned(),
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        // A panic in one match must not end all others.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self) -> String {
        let status = if self.current().is_some() { "busy" } else { "available" };
        format!("( ( name {} ) ( status {status} ) )", self.settings.name)
    }

    /// Begins to compile, so that a match of the same rules has its game at once.
    fn preview(&self, rules: Option<Box<Rules>>) -> String {
        let ordered = rules.and_then(|rules| self.workshop.order(&Arc::new(*rules)));
        if ordered.is_some() { "ready" } else { "busy" }.to_owned()
    }

    fn end(&self, id: &str, reply: &str) -> String {
        match self.current().take_if(|current| current.id == id) {
            Some(_) => reply.to_owned(),
            None => "busy".to_owned(),
        }
    }

    /// Prepares a match and thinks about its beginning. A match that was under way is given up: its
    /// manager is gone.
    fn start(&self, mut start: Start, arrived: Instant) -> String {
        let deadlines = self.deadlines(seconds(start.start_clock), arrived);
        let (id, play_clock) = (start.id.clone(), seconds(start.play_clock));
        let Some(rules) = start.rules.take().map(Arc::new) else { return "busy".to_owned() };
        // Thinkers that were given up need a moment to notice.
        self.current().take();
        let order = self.workshop.order(&rules);
        let (Some(place), Some(order)) = (self.thinkers.enter(), order) else {
            return "busy".to_owned();
        };
        let (reply, replies) = mpsc::channel();
        let role = start.role;
        let (settings, stop) = (self.settings.clone(), Stop::default());
        let task = Task { settings, role, rules, order, play_clock, stop: stop.clone() };
        let Ok(requests) = thinker::start(task, deadlines.think, reply, place) else {
            return "busy".to_owned();
        };
        *self.current() = Some(Current { id: id.clone(), play_clock, requests, stop });
        // Rules that take longer than the clock may yet be ready for the first move.
        let answer = last_reply(&replies, deadlines.answer).unwrap_or_else(|| "ready".to_owned());
        if answer == thinker::REFUSAL {
            self.end(&id, "");
        }
        answer
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, arrived: Instant) -> String {
        let (reply, replies) = mpsc::channel();
        let deadlines = {
            let current = self.current();
            let Some(current) = current.as_ref().filter(|current| current.id == id) else {
                return "busy".to_owned();
            };
            let deadlines = self.deadlines(current.play_clock, arrived);
            let request = Request { moves, deadline: deadlines.think, reply };
            // A thinker that is gone answers nothing, which is seen below.
            let _ = current.requests.send(request);
            deadlines
        };
        // The most common move of those who have nothing to say.
        last_reply(&replies, deadlines.answer).unwrap_or_else(|| "noop".to_owned())
    }

    /// Thinking leaves the whole margin of a clock, the answer at least half of it.
    fn deadlines(&self, clock: Duration, arrived: Instant) -> Deadlines {
        let kept = self.settings.margin.max(clock / 20).min(clock / 2);
        Deadlines { think: arrived + clock - kept, answer: arrived + clock - kept / 2 }
    }
}

fn seconds(clock: u64) -> Duration {
    Duration::from_secs(clock.min(LONGEST_CLOCK))
}

/// The last reply of a thinker that has finished, or the last one before a deadline.
fn last_reply(replies: &Receiver<String>, deadline: Instant) -> Option<String> {
    let mut last = None;
    while let Ok(reply) = replies.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        last = Some(reply);
    }
    last
}
