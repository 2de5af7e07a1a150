//! The thread that searches for one match. It says what it would play by now as it goes on thinking, and
//! it may be stuck in a simulation for as long as that takes: nobody waits for it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use ludex_arena::auto;
use ludex_game::{Game, Player, Rng, State};
use ludex_play::agent::Agent;
use ludex_play::search::{Budget, Stop, Watch};
use tokio::sync::mpsc::UnboundedSender;

use super::contest::{Contest, Step};
use super::player::Settings;
use crate::server::give_way;

/// How long it may take to notice a message while thinking without being asked.
const SLICE: Duration = Duration::from_millis(50);

/// Something to say to a game manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is good enough if the clock runs out now.
    SoFar(String),
    /// Nothing better will come.
    Final(String),
}

/// A question, the time it is to be answered by, and whom to tell.
#[derive(Clone)]
pub struct Asked {
    /// When thinking ends.
    pub deadline: Instant,
    /// Takes replies, each better than the one before.
    pub reply: UnboundedSender<Reply>,
}

/// Something to do for a thinker.
pub enum Job {
    /// These moves were made.
    Played(Vec<Step>),
    /// Choose our move in this position.
    Choose(State, Asked),
    /// Think about a position until a time or until there is something else to do, then say so.
    Ponder(State, Player, Instant, Option<UnboundedSender<Reply>>),
}

/// A thread that searches. It ends soon after this is dropped.
pub struct Thinker {
    jobs: Sender<Job>,
    stop: Stop,
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

impl Thinker {
    /// Starts a thinker for our part in a contest; fails where the agent does not suit the game.
    pub fn start(settings: &Settings, contest: &Contest) -> io::Result<Thinker> {
        let mut rng = Rng::seeded(settings.seed);
        let agent = auto::at_once(settings.agent.clone()).build(&contest.game, None, &mut rng);
        let mut agent = agent.map_err(io::Error::other)?;
        let stop = Stop::default();
        agent.obey(stop.clone());
        let (jobs, received) = mpsc::channel();
        let mind = Mind {
            agent,
            game: contest.game.clone(),
            player: contest.player,
            simulations: settings.simulations,
            stop: stop.clone(),
        };
        let work = move || {
            give_way();
            mind.work(&received);
        };
        std::thread::Builder::new().name("thinker".to_owned()).spawn(work)?;
        Ok(Thinker { jobs, stop })
    }

    /// Gives it something to do after what it has to do already.
    pub fn give(&self, job: Job) {
        // A thinker that panicked does nothing any more; the match goes on without it.
        let _ = self.jobs.send(job);
    }
}

struct Mind {
    agent: Box<dyn Agent>,
    game: Arc<dyn Game>,
    player: Player,
    simulations: Option<u64>,
    stop: Stop,
}

impl Mind {
    fn work(mut self, jobs: &Receiver<Job>) {
        let mut next = jobs.recv().ok();
        while let Some(job) = next.take().filter(|_| !self.stop.is_raised()) {
            match job {
                Job::Played(steps) => {
                    steps.iter().for_each(|step| self.agent.played(&step.before, &step.joint));
                }
                Job::Choose(state, asked) => self.choose(&state, &asked),
                Job::Ponder(state, player, until, done) => {
                    next = self.ponder(&state, player, until, jobs);
                    if let Some(done) = done {
                        let _ = done.send(Reply::Final("ready".to_owned()));
                    }
                }
            }
            next = next.or_else(|| jobs.recv().ok());
        }
    }

    /// Says what it would play again and again, and at last what it plays.
    fn choose(&mut self, state: &State, asked: &Asked) {
        let Some(left) = asked.deadline.checked_duration_since(Instant::now()) else { return };
        let budget = Budget { simulations: self.simulations, ..Budget::time(left) };
        let (game, player) = (self.game.clone(), self.player);
        let (here, reply) = (state.clone(), asked.reply.clone());
        self.agent.watched(Some(Watch::new(move |report| {
            let text = game.move_text(&here, Some(player), report.best);
            let _ = reply.send(Reply::SoFar(text));
        })));
        let chosen = self.agent.choose(state, self.player, budget).mv;
        self.agent.watched(None);
        let text = self.game.move_text(state, Some(self.player), chosen);
        // Where the signal was raised, somebody else may go on thinking about it.
        let _ = asked.reply.send(match self.stop.is_raised() {
            true => Reply::SoFar(text),
            false => Reply::Final(text),
        });
    }

    /// Thinks in slices; returns what there is to do instead.
    fn ponder(
        &mut self,
        state: &State,
        player: Player,
        until: Instant,
        jobs: &Receiver<Job>,
    ) -> Option<Job> {
        while !self.stop.is_raised() {
            match jobs.try_recv() {
                Ok(job) => return Some(job),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let budget = Budget { simulations: self.simulations, ..Budget::time(left.min(SLICE)) };
            self.agent.ponder(state, player, budget);
            // A fixed number of simulations is one search, not one for each slice.
            if self.simulations.is_some() {
                return None;
            }
        }
        None
    }
}
