//! Depth-one expectimax: every own move, judged after what the others might do at the same time.
//!
//! The hidden part of the position is drawn a few times; in each drawing the others move at random,
//! and every own move is answered by the same drawings, so that they differ by nothing but themselves.

use std::sync::Arc;

use ludex_game::{Game, Move, Player, PlayerSet, Rng, State, Turn};

use crate::agent::{Agent, Choice};
use crate::evolve::Formula;
use crate::search::Budget;

/// How many draws judge a decision, unless said otherwise.
pub const SAMPLES: usize = 11;

/// Judges a position for a player by a formula over the game's attributes.
pub struct Judge {
    formula: Formula,
    attributes: Vec<f32>,
    stack: Vec<f64>,
}

impl Judge {
    /// A judge for a game that has the attributes the formula names.
    pub fn new(game: &dyn Game, formula: Formula) -> Judge {
        let attributes = vec![0.0; game.attributes().len()];
        Judge { formula, attributes, stack: Vec::new() }
    }

    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f64 {
        if !game.info().hidden && game.turn(state) == Turn::Over {
            return self.certain(game, state, player);
        }
        game.attribute_values(state, player, &mut self.attributes);
        let value = self.formula.value(&self.attributes, &mut self.stack);
        // Overflow has no order; it must not beat a real value.
        if value.is_nan() { f64::NEG_INFINITY } else { value }
    }

    /// A game that is over and hid nothing needs no judgement.
    fn certain(&mut self, game: &dyn Game, state: &State, player: Player) -> f64 {
        let mut payoffs = [0.0; PlayerSet::CAPACITY];
        let payoffs = &mut payoffs[..game.info().players];
        game.payoffs(state, payoffs);
        let most = payoffs.iter().copied().fold(0.0, f32::max);
        let least = payoffs.iter().copied().fold(1.0, f32::min);
        match payoffs[player.index()] {
            own if own == most && own > least => f64::INFINITY,
            own if own == most => 0.0,
            _ => f64::NEG_INFINITY,
        }
    }
}

/// Plays the move with the largest value summed over a few draws.
pub struct ExpectimaxAgent {
    game: Arc<dyn Game>,
    judge: Judge,
    samples: usize,
    rng: Rng,
    scratch: Scratch,
}

struct Scratch {
    state: State,
    moves: Vec<Move>,
    buffer: Vec<Move>,
    totals: Vec<f64>,
}

impl ExpectimaxAgent {
    /// A player who judges by `formula`, with `samples` draws for each decision.
    pub fn new(game: Arc<dyn Game>, formula: Formula, samples: usize, rng: &mut Rng) -> Self {
        let judge = Judge::new(&*game, formula);
        let scratch = Scratch {
            state: game.start(),
            moves: Vec::new(),
            buffer: Vec::new(),
            totals: Vec::new(),
        };
        ExpectimaxAgent { game, judge, samples: samples.max(1), rng: rng.split(), scratch }
    }

    /// Plays by another formula from now on.
    pub fn set_formula(&mut self, formula: Formula) {
        self.judge.formula = formula;
    }

    /// Starts a new stream of random numbers.
    pub fn reseed(&mut self, rng: Rng) {
        self.rng = rng;
    }

    fn best(&mut self, state: &State, player: Player) -> Move {
        let game = &*self.game;
        let Turn::Players(players) = game.turn(state) else { return Move::default() };
        let scratch = &mut self.scratch;
        scratch.moves.clear();
        game.moves(state, player, &mut scratch.moves);
        if scratch.moves.len() == 1 {
            return scratch.moves[0];
        }
        scratch.totals.clear();
        scratch.totals.resize(scratch.moves.len(), 0.0);
        // Where nothing is hidden and nobody moves at the same time, all draws are alike.
        let alike = !game.info().hidden && players.len() == 1;
        let samples = if alike { 1 } else { self.samples };
        let own = players.into_iter().position(|other| other == player).unwrap_or(0);
        for _ in 0..samples {
            let drawn = game.determinize(state, player, &mut self.rng);
            let mut joint = [Move::default(); PlayerSet::CAPACITY];
            for (slot, other) in joint.iter_mut().zip(players) {
                if other != player {
                    *slot = game.random_move(&drawn, other, &mut self.rng, &mut scratch.buffer);
                }
            }
            for (&mv, total) in scratch.moves.iter().zip(&mut scratch.totals) {
                joint[own] = mv;
                scratch.state.copy_from(&drawn);
                game.apply(&mut scratch.state, &joint[..players.len()]);
                let rng = &mut self.rng;
                *total += settled(game, &mut self.judge, &mut scratch.state, player, rng);
            }
        }
        let mut best = 0;
        let mut ties = 1;
        for (index, total) in scratch.totals.iter().enumerate().skip(1) {
            if *total > scratch.totals[best] {
                (best, ties) = (index, 1);
            } else if alike && *total == scratch.totals[best] {
                // Without draws every game would be the same; equal moves are drawn from instead.
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = index;
                }
            }
        }
        scratch.moves[best]
    }
}

/// The value of a position once the turn is complete: the player's own further decisions are his best
/// ones, others' are random.
fn settled(
    game: &dyn Game,
    judge: &mut Judge,
    state: &mut State,
    player: Player,
    rng: &mut Rng,
) -> f64 {
    while game.mid_turn(state) {
        let Some(mover) = game.turn(state).mover() else { break };
        if mover == player {
            return best_settled(game, judge, state, player, rng);
        }
        let mv = game.random_move(state, mover, rng, &mut Vec::new());
        game.apply(state, &[mv]);
    }
    judge.value(game, state, player)
}

fn best_settled(
    game: &dyn Game,
    judge: &mut Judge,
    state: &State,
    player: Player,
    rng: &mut Rng,
) -> f64 {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let mut best = f64::NEG_INFINITY;
    for mv in moves {
        let mut after = state.clone();
        game.apply(&mut after, &[mv]);
        best = best.max(settled(game, judge, &mut after, player, rng));
    }
    best
}

impl Agent for ExpectimaxAgent {
    fn choose(&mut self, state: &State, player: Player, _: Budget) -> Choice {
        Choice { mv: self.best(state, player), report: None }
    }
}
