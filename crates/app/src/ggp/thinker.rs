//! The thread that plays one match. It says at once what it would play and goes on thinking, so that
//! the clock never runs out without an answer; a panic here ends the match and nothing else.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use ludex_play::search::Budget;

use super::contest::Contest;
use super::limit::Place;
use super::message::Start;
use super::player::Settings;

/// The answer to a match that cannot be played.
pub const REFUSAL: &str = "busy";

/// How long it may take to notice a message while thinking without being asked.
const SLICE: Duration = Duration::from_millis(200);

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

/// Starts a thinker. It ends when nobody can send it requests any more.
pub fn start(
    settings: Arc<Settings>,
    start: Start,
    deadline: Instant,
    reply: Sender<String>,
    place: Place,
) -> io::Result<Sender<Request>> {
    let (sender, requests) = mpsc::channel();
    std::thread::Builder::new().name("thinker".to_owned()).spawn(move || {
        let _place = place;
        let play_clock = start.play_clock;
        match Contest::prepare(&settings, start) {
            Some(contest) => {
                let _ = reply.send("ready".to_owned());
                run(contest, &settings, play_clock, deadline, reply, &requests);
            }
            None => {
                let _ = reply.send(REFUSAL.to_owned());
            }
        }
    })?;
    Ok(sender)
}

fn run(
    mut contest: Contest,
    settings: &Settings,
    play_clock: u64,
    deadline: Instant,
    ready: Sender<String>,
    requests: &Receiver<Request>,
) {
    let mut idle = think_ahead(&mut contest, settings, deadline, requests);
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
        reply_to(&mut contest, settings, request);
        idle = match settings.ponder && !contest.is_our_turn() {
            true => {
                // By then everybody has answered.
                let until = Instant::now() + Duration::from_secs(play_clock.min(60));
                think_ahead(&mut contest, settings, until, requests)
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
        let budget = Budget { simulations: settings.simulations, time: Some(left) };
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
        let budget = Budget { simulations: settings.simulations, time: Some(left.min(SLICE)) };
        // A fixed number of simulations is one search, not one for each slice.
        if !contest.ponder(budget) || settings.simulations.is_some() {
            return Idle::Quiet;
        }
    }
}
