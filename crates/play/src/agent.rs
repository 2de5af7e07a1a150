//! Whoever chooses moves in a match.

use std::sync::Arc;

use ludex_game::{Game, Move, Player, Rng, State};

use crate::policy::PlayoutPolicy;
use crate::search::{Budget, Report, Search, SearchConfig};

/// A choice and, where the agent has any, its evidence.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// What a search found.
    pub report: Option<Report>,
}

/// A player of one match: asked for moves, told what everybody played.
pub trait Agent: Send {
    /// Chooses a move for `player`, whose turn it is. The agent may look only at what `player` knows.
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice;

    /// Learns which joint move was played in `state`, its own included.
    fn played(&mut self, _state: &State, _joint: &[Move]) {}
}

/// Plays every legal move with the same probability.
pub struct RandomAgent {
    game: Arc<dyn Game>,
    rng: Rng,
    moves: Vec<Move>,
}

impl RandomAgent {
    /// A random player of a game.
    pub fn new(game: Arc<dyn Game>, rng: &mut Rng) -> Self {
        RandomAgent { game, rng: rng.split(), moves: Vec::new() }
    }
}

impl Agent for RandomAgent {
    fn choose(&mut self, state: &State, player: Player, _: Budget) -> Choice {
        self.moves.clear();
        self.game.moves(state, player, &mut self.moves);
        let drawn = self.rng.below(self.moves.len() as u32) as usize;
        Choice { mv: self.moves[drawn], report: None }
    }
}

/// Plays what a tree search finds.
pub struct SearchAgent {
    search: Search,
    /// The budget of each part of the game, as a factor.
    parts: Vec<f64>,
}

impl SearchAgent {
    /// A searching player of a game; `policy` makes one playout policy for each thread.
    pub fn new(
        game: Arc<dyn Game>,
        config: SearchConfig,
        policy: impl FnMut() -> Box<dyn PlayoutPolicy>,
        rng: &mut Rng,
    ) -> Self {
        SearchAgent { search: Search::new(game, config, policy, rng), parts: Vec::new() }
    }

    /// Thinks longer or shorter in each part of the game (see `Rules::part`): the budget times a factor.
    pub fn with_parts(mut self, factors: Vec<f64>) -> Self {
        self.parts = factors;
        self
    }
}

impl Agent for SearchAgent {
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice {
        let factor = match &self.parts[..] {
            [] => 1.0,
            parts => parts[self.search.game().part(state).min(parts.len() - 1)],
        };
        let report = self.search.think(state, player, budget.scaled(factor));
        Choice { mv: report.best, report: Some(report) }
    }

    fn played(&mut self, _: &State, joint: &[Move]) {
        self.search.played(joint);
    }
}
