//! The thread that keeps one match: it reads the rules, knows the position, and has a legal move at hand
//! whatever the search does. A panic here ends the match and nothing else.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use ludex_gdl::Cancel;
use ludex_lang::diagnostic::Diagnostic;
use tokio::sync::mpsc::UnboundedSender;

use super::catch_up::{CaughtUp, catch_up};
use super::contest::Contest;
use super::message::{self, Rules};
use super::player::Settings;
use super::thinker::{Asked, Job, Reply, Thinker};
use super::workshop::{Claim, Compiled, Workshop, give_memory_back, stand_in};
use crate::server::take_precedence;

/// The answer to a match that cannot be played.
pub const REFUSAL: &str = "busy";

/// Thinking unasked ends after this long: the manager may be gone.
const LONGEST_PONDERING: Duration = Duration::from_secs(60);

/// A manager that is this late for its own clocks is taken to be gone: nothing is compiled for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Something a keeper must attend to.
enum Event {
    /// Everybody's last moves, as the message has them; what is ours?
    Play(String, Asked),
    /// The game was made, or cannot be.
    Made(Option<Compiled>),
    /// It knows the moves so far.
    CaughtUp(Option<Box<CaughtUp>>),
    /// The match is over for us.
    Over,
}

/// What a match is about.
pub struct Task {
    /// How to play.
    pub settings: Arc<Settings>,
    /// Where games are made.
    pub workshop: Workshop,
    /// The message that began it.
    pub message: String,
    /// Our role.
    pub role: String,
    /// Time for each move.
    pub play_clock: Duration,
}

/// A match under way. It is over for us when this is dropped.
pub struct Keeper {
    events: Sender<Event>,
    cancel: Cancel,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.cancel.raise();
        let _ = self.events.send(Event::Over);
    }
}

impl Keeper {
    /// Begins a match; the beginning is thought about as long as asked.
    pub fn start(task: Task, asked: Asked) -> io::Result<Keeper> {
        let (events, received) = mpsc::channel();
        let cancel = Cancel::default();
        let own = Keeper { events: events.clone(), cancel: cancel.clone() };
        let events = Events { sender: events, received };
        std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
            // A legal move must be at hand whatever else is computed; it takes milliseconds.
            take_precedence();
            keep(task, asked, events, &cancel);
            if cancel.is_raised() {
                give_memory_back();
            }
        })?;
        Ok(own)
    }

    /// Asks for our move.
    pub fn play(&self, message: String, asked: Asked) {
        // A keeper that is gone answers nothing, which is seen by whoever waits.
        let _ = self.events.send(Event::Play(message, asked));
    }
}

struct Events {
    sender: Sender<Event>,
    received: Receiver<Event>,
}

fn keep(task: Task, asked: Asked, events: Events, cancel: &Cancel) {
    let refuse = |asked: &Asked| drop(asked.reply.send(Reply::Final(REFUSAL.to_owned())));
    let rules = match message::read_rules(&task.message, task.settings.strictness) {
        Ok(rules) => Arc::new(rules),
        Err(findings) => {
            refuse(&asked);
            return say(&task, &findings);
        }
    };
    say(&task, &rules.checked.warnings);
    let task = Task { message: String::new(), ..task };
    let begun = stand_in(&rules, cancel).and_then(|game| Contest::begin(game, &task.role));
    let Some(contest) = begun else { return refuse(&asked) };
    let mut table = Table {
        thinker: Thinker::start(&task.settings, &contest).ok(),
        contest,
        history: Vec::new(),
        made: false,
        claim: None,
        asked: None,
        ready: Some(asked.clone()),
        rules,
        task,
    };
    table.order(&events.sender);
    table.think_ahead(asked.deadline);
    drop(asked);
    table.attend(&events, cancel);
}

/// Tells whoever runs the player what is wrong with rules.
fn say(task: &Task, findings: &[Diagnostic]) {
    for found in findings {
        (task.settings.log)(&found.to_text(|_| &task.message, |_| "rules"));
    }
}

/// All that a keeper knows.
struct Table {
    task: Task,
    rules: Arc<Rules>,
    contest: Contest,
    thinker: Option<Thinker>,
    /// Everybody's moves since the beginning.
    history: Vec<Vec<String>>,
    /// Whether the game is the one that is to last.
    made: bool,
    claim: Option<Claim>,
    /// The question under way.
    asked: Option<Asked>,
    /// Whoever waits for the first thoughts to end.
    ready: Option<Asked>,
}

impl Table {
    fn order(&mut self, events: &Sender<Event>) {
        let events = events.clone();
        let told = move |game| drop(events.send(Event::Made(game)));
        self.claim = Some(self.task.workshop.order(&self.rules, Box::new(told)));
    }

    fn attend(&mut self, events: &Events, cancel: &Cancel) {
        let mut due = Instant::now();
        while !cancel.is_raised() {
            let asked = self.asked.as_ref().or(self.ready.as_ref());
            let clock = asked.map_or(due, |asked| asked.deadline.max(due));
            let patience = clock + self.task.play_clock + PATIENCE;
            let wait = match self.claim {
                Some(_) => patience.saturating_duration_since(Instant::now()),
                None => PATIENCE,
            };
            match events.received.recv_timeout(wait) {
                Ok(Event::Play(message, asked)) => {
                    due = asked.deadline;
                    self.play(&message, asked);
                    if !self.made && self.claim.is_none() {
                        self.order(&events.sender);
                    }
                }
                Ok(Event::Made(game)) => self.prepare(game, &events.sender, cancel),
                Ok(Event::CaughtUp(up)) => self.change_over(up),
                // Whatever is still being made is for nobody; it can be ordered again.
                Err(RecvTimeoutError::Timeout) => self.claim = None,
                Ok(Event::Over) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Makes the moves, says at once what is legal, and has the rest thought about.
    fn play(&mut self, message: &str, asked: Asked) {
        self.ready = None;
        if let Some(moves) = message::read_moves(message) {
            let steps = self.contest.advance(&moves);
            self.history.push(moves);
            self.give(Job::Played(steps));
        }
        let any = self.contest.any_move();
        self.asked = None;
        match self.contest.has_choice() {
            false => drop(asked.reply.send(Reply::Final(any))),
            true => {
                let _ = asked.reply.send(Reply::SoFar(any));
                self.give(Job::Choose(self.contest.state.clone(), asked.clone()));
                self.asked = Some(asked);
            }
        }
        if self.task.settings.ponder {
            // By then everybody has answered. Where it is our turn, this is about the reply just given:
            // what is learned of the moves below it serves the next one.
            let until = Instant::now() + (self.task.play_clock * 2).min(LONGEST_PONDERING);
            self.ponder(until, None);
        }
    }

    fn give(&self, job: Job) {
        if let Some(thinker) = &self.thinker {
            thinker.give(job);
        }
    }

    fn ponder(&self, until: Instant, done: Option<UnboundedSender<Reply>>) {
        let (state, player) = (self.contest.state.clone(), self.contest.worth_thinking_for());
        match (player, &self.thinker, done) {
            (Some(player), Some(thinker), done) => {
                thinker.give(Job::Ponder(state, player, until, done));
            }
            (_, _, Some(done)) => drop(done.send(Reply::Final("ready".to_owned()))),
            _ => {}
        }
    }

    /// Thinks about the beginning, and says so when that is over.
    fn think_ahead(&self, until: Instant) {
        let done = self.ready.as_ref().map(|ready| ready.reply.clone());
        // While the game is still being made, only the clock ends it: a better one is coming.
        let done = done.filter(|_| self.made || self.task.settings.simulations.is_some());
        self.ponder(until, done);
    }

    /// Has the moves so far made in the game that was made.
    fn prepare(&mut self, game: Option<Compiled>, events: &Sender<Event>, cancel: &Cancel) {
        let Some(game) = game else { return self.change_over(None) };
        let (role, settings) = (self.task.role.clone(), self.task.settings.clone());
        let events = events.clone();
        let told = move |up: Option<CaughtUp>| {
            let _ = events.send(Event::CaughtUp(up.map(Box::new)));
        };
        catch_up(game, role, settings, self.history.clone(), cancel.clone(), told);
    }

    /// Goes on with the game that was made; where there is none, the rules themselves go on being played.
    fn change_over(&mut self, up: Option<Box<CaughtUp>>) {
        self.made = true;
        self.claim = None;
        if let Some(mut up) = up {
            // Moves that came meanwhile.
            up.advance(&self.history);
            let CaughtUp { contest, thinker, .. } = *up;
            (self.contest, self.thinker) = (contest, thinker);
            if let Some(asked) = self.asked.take() {
                self.give(Job::Choose(self.contest.state.clone(), asked.clone()));
                self.asked = Some(asked);
            }
        }
        self.think_ahead_again();
    }

    fn think_ahead_again(&self) {
        if let Some(ready) = &self.ready {
            self.think_ahead(ready.deadline);
        }
    }
}
