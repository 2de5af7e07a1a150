//! Thinking in an opponent's time, on a thread of its own.

use std::sync::Arc;
use std::thread::JoinHandle;

use ludex_game::{Game, Move, State, Turn};

use crate::agent::Agent;
use crate::search::{Budget, Stop};

/// A tree that grows as long as an opponent thinks would fill the memory in the end.
const MOST: u64 = 5_000_000;

/// A player at the table, who may be thinking though others are to move.
pub struct Seat {
    agent: Option<Box<dyn Agent>>,
    pondering: Option<(Stop, JoinHandle<Box<dyn Agent>>)>,
}

impl Seat {
    /// Seats an agent.
    pub fn new(agent: Box<dyn Agent>) -> Seat {
        Seat { agent: Some(agent), pondering: None }
    }

    /// The agent, who stops thinking unasked.
    pub fn agent(&mut self) -> &mut dyn Agent {
        self.recall();
        &mut **self.agent.as_mut().expect("it is back from thinking")
    }

    fn recall(&mut self) {
        if let Some((stop, thread)) = self.pondering.take() {
            stop.raise();
            match thread.join() {
                Ok(agent) => self.agent = Some(agent),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }

    /// Lets the agent think about a position where somebody else is to move, until it is wanted again. Where parts of
    /// positions are hidden it does not: it would think with what the other one knows.
    pub fn ponder(&mut self, game: &Arc<dyn Game>, state: &State) {
        if game.info().hidden {
            return;
        }
        let Turn::Players(players) = game.turn(state) else { return };
        let (Some(mover), None) = (players.first(), &self.pondering) else { return };
        let Some(mut agent) = self.agent.take() else { return };
        let (stop, state) = (Stop::default(), state.clone());
        let signal = stop.clone();
        let thread = std::thread::spawn(move || {
            agent.obey(signal);
            agent.watched(None);
            agent.ponder(&state, mover, Budget::simulations(MOST));
            agent.obey(Stop::default());
            agent
        });
        self.pondering = Some((stop, thread));
    }

    /// Whether it thinks at this moment.
    pub fn is_pondering(&self) -> bool {
        self.pondering.as_ref().is_some_and(|(_, thread)| !thread.is_finished())
    }

    /// Learns which move was played, as [`Agent::played`] has it.
    pub fn played(&mut self, state: &State, joint: &[Move]) {
        self.agent().played(state, joint);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some((stop, _)) = &self.pondering {
            stop.raise();
        }
    }
}
