//! The thread that plays one match. It says at once what it would play and goes on thinking, so that
//! the clock never runs out without an answer; a panic here ends the match and nothing else.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use ludex_gdl::Engine;
use ludex_play::search::{Budget, Stop};

use super::contest::Contest;
use super::limit::Place;
use super::message::Rules;
use super::player::Settings;
use super::workshop::{Compiled, Order, compiled};

/// The answer to a match that cannot be played.
pub const REFUSAL: &str = "busy";

/// How long it may take to notice a message while thinking without being asked.
const SLICE: Duration = Duration::from_millis(50);

/// How long a request may wait while rules are being compiled.
const GLANCE: Duration = Duration::from_millis(10);

/// Thinking unasked ends after this long: the manager may be gone.
const LONGEST_PONDERING: Duration = Duration::from_secs(60);

/// A question for our move.
pub struct Request {
    /// Everybody's last moves.
    pub moves: Option<Vec<String>>,
    /// When thinking ends.
    pub deadline: Instant,
    /// Takes replies, each better than the one before; closed after the last.
    pub reply: Sender<String>,
}

/// What ended unasked thinking.
enum Idle {
    Quiet,
    Asked(Request),
    Abandoned,
}

/// What a thinker is to play.
pub struct Task {
    /// How it plays.
    pub settings: Arc<Settings>,
    /// Its role.
    pub role: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The game in the making.
    pub order: Arc<Order>,
    /// Time for each move.
    pub play_clock: Duration,
    /// Raised when the match is over for us.
    pub stop: Stop,
}

impl Task {
    fn begin(&self, game: Compiled) -> Option<Contest> {
        Contest::begin(&self.settings, game, &self.role, &self.stop)
    }
}

/// Starts a thinker. It ends when nobody can send it requests any more.
pub fn start(
    task: Task,
    deadline: Instant,
    reply: Sender<String>,
    place: Place,
) -> io::Result<Sender<Request>> {
    let (sender, requests) = mpsc::channel();
    std::thread::Builder::new().name("thinker".to_owned()).spawn(move || {
        let _place = place;
        match prepare(&task, deadline, &requests) {
            Prepared::Ready(contest) => {
                let _ = reply.send("ready".to_owned());
                run(*contest, &task, deadline, reply, &requests);
            }
            Prepared::Impossible => {
                let _ = reply.send(REFUSAL.to_owned());
            }
            Prepared::Abandoned => {}
        }
    })?;
    Ok(sender)
}

/// What came of the preparations.
enum Prepared {
    Ready(Box<Contest>),
    Impossible,
    Abandoned,
}

/// Waits for the game. Where it takes longer than the clocks, moves are made by direct evaluation of the
/// rules, which needs next to no preparation.
fn prepare(task: &Task, deadline: Instant, requests: &Receiver<Request>) -> Prepared {
    let mut stand_in: Option<Contest> = None;
    let mut history: Vec<Vec<String>> = Vec::new();
    loop {
        if let Some(finished) = task.order.wait(GLANCE) {
            let begun = finished.and_then(|game| task.begin(game));
            let Some(mut contest) = begun else { return Prepared::Impossible };
            history.iter().for_each(|moves| contest.advance(moves));
            return Prepared::Ready(Box::new(contest));
        }
        let request = match requests.try_recv() {
            Ok(request) => request,
            Err(TryRecvError::Disconnected) => return Prepared::Abandoned,
            Err(TryRecvError::Empty) => {
                if stand_in.is_none() && Instant::now() >= deadline {
                    stand_in = direct(task);
                }
                continue;
            }
        };
        history.extend(request.moves.clone());
        if stand_in.is_none() {
            stand_in = direct(task);
        }
        match &mut stand_in {
            Some(contest) => reply_to(contest, &task.settings, request),
            None => return Prepared::Impossible,
        }
    }
}

fn direct(task: &Task) -> Option<Contest> {
    task.begin(compiled(&task.rules, Some(Engine::Datalog))?)
}

fn run(
    mut contest: Contest,
    task: &Task,
    deadline: Instant,
    ready: Sender<String>,
    requests: &Receiver<Request>,
) {
    let mut idle = think_ahead(&mut contest, &task.settings, deadline, requests);
    drop(ready);
    loop {
        let request = match idle {
            Idle::Asked(request) => request,
            Idle::Abandoned => return,
            Idle::Quiet => match requests.recv() {
                Ok(request) => request,
                Err(_) => return,
            },
        };
        reply_to(&mut contest, &task.settings, request);
        idle = match task.settings.ponder {
            true => {
                // By then everybody has answered. Where it is our turn, this is about the reply just given:
                // what is learned of the moves below it serves the next one.
                let until = Instant::now() + task.play_clock.min(LONGEST_PONDERING);
                think_ahead(&mut contest, &task.settings, until, requests)
            }
            false => Idle::Quiet,
        };
    }
}

fn reply_to(contest: &mut Contest, settings: &Settings, request: Request) {
    if let Some(moves) = &request.moves {
        contest.advance(moves);
    }
    let _ = request.reply.send(contest.any_move());
    if let Some(left) = request.deadline.checked_duration_since(Instant::now()) {
        let budget = Budget { simulations: settings.simulations, ..Budget::time(left) };
        if let Some(chosen) = contest.choose(budget) {
            let _ = request.reply.send(chosen);
        }
    }
}

/// Thinks about the position in slices until a deadline, or until there is something to do.
fn think_ahead(
    contest: &mut Contest,
    settings: &Settings,
    until: Instant,
    requests: &Receiver<Request>,
) -> Idle {
    loop {
        match requests.try_recv() {
            Ok(request) => return Idle::Asked(request),
            Err(TryRecvError::Disconnected) => return Idle::Abandoned,
            Err(TryRecvError::Empty) => {}
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Idle::Quiet;
        }
        let budget = Budget { simulations: settings.simulations, ..Budget::time(left.min(SLICE)) };
        // A fixed number of simulations is one search, not one for each slice.
        if !contest.ponder(budget) || settings.simulations.is_some() {
            return Idle::Quiet;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::{self, Message};
    use super::*;

    const RACE: &str = "(role you) (role me) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal you (step ?n)) (true (at ?m)) (succ ?m ?n)) (legal me cheer) (legal me boo)
(<= (next (at ?n)) (does you (step ?n))) (<= terminal (true (at 3)))
(goal you 100) (goal me 0)";

    fn task() -> Task {
        let Some(Message::Start(start)) = message::read(&format!("(start m me ({RACE}) 1 1)"))
        else {
            panic!("a start")
        };
        Task {
            settings: Arc::new(Settings::for_tests()),
            role: start.role,
            rules: Arc::new(start.rules.expect("right rules")),
            order: Arc::default(),
            play_clock: Duration::from_secs(1),
            stop: Stop::default(),
        }
    }

    #[test]
    fn moves_are_legal_while_rules_are_still_being_compiled() {
        let (sender, requests) = mpsc::channel();
        let (reply, replies) = mpsc::channel();
        let thinking = std::thread::spawn(move || {
            let task = task();
            matches!(prepare(&task, Instant::now(), &requests), Prepared::Abandoned)
        });
        for moves in [None, Some(vec!["(step 1)".to_owned(), "boo".to_owned()])] {
            let deadline = Instant::now() + Duration::from_secs(1);
            let request = Request { moves, deadline, reply: reply.clone() };
            sender.send(request).expect("the thinker listens");
            let answer = replies.recv_timeout(Duration::from_secs(10)).expect("an answer");
            assert!(["cheer", "boo"].contains(&answer.as_str()), "{answer}");
        }
        drop(sender);
        assert!(thinking.join().expect("no panic"), "it ends when nobody asks any more");
    }

    #[test]
    fn a_compiled_game_begins_the_match() {
        let task = task();
        let (_sender, requests) = mpsc::channel();
        let order = super::super::workshop::Workshop::new().order(&task.rules).expect("a place");
        let task = Task { order, ..task };
        let prepared = prepare(&task, Instant::now() + Duration::from_secs(5), &requests);
        let Prepared::Ready(contest) = prepared else { panic!("the rules are right") };
        assert!(contest.is_our_turn());
    }
}
