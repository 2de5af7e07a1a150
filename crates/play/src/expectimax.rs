//! Depth-one expectimax: every own move, judged after what the others might do at the same time.
//!
//! The hidden part of the position is drawn a few times; in each drawing the others move at random,
//! and every own move is answered by the same drawings, so that they differ by nothing but themselves.

use std::sync::Arc;

use ludex_game::{Families, Game, Move, Player, PlayerSet, Rng, State, Turn};

use crate::agent::{Agent, Choice};
use crate::evolve::{Batch, Formula};
use crate::search::Budget;

/// How many draws judge a decision, unless said otherwise.
pub const SAMPLES: usize = 11;

/// Judges positions for a player by a formula over the game's attributes.
struct Judge {
    formula: Formula,
    attributes: Vec<f32>,
    stack: Vec<f64>,
    /// Positions that are judged together, and whose totals their values belong to.
    waiting: Batch,
    owners: Vec<usize>,
}

impl Judge {
    fn new(game: &dyn Game, formula: Formula) -> Judge {
        let count = game.attributes().len();
        Judge {
            formula,
            attributes: vec![0.0; count],
            stack: Vec::new(),
            waiting: Batch::new(count),
            owners: Vec::new(),
        }
    }

    /// The value of a position, now.
    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f64 {
        if let Some(value) = certain(game, state, player) {
            return value;
        }
        game.attribute_values(state, player, &mut self.attributes);
        ordered(self.formula.value(&self.attributes, &mut self.stack))
    }

    /// Adds the value of a position to the total of `owner`, at once or when [`Judge::settle`] is called.
    fn add(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        owner: usize,
        totals: &mut [f64],
    ) {
        if let Some(value) = certain(game, state, player) {
            totals[owner] += value;
            return;
        }
        game.attribute_values(state, player, &mut self.attributes);
        self.waiting.push(&self.attributes);
        self.owners.push(owner);
    }

    /// Judges all positions that wait.
    fn settle(&mut self, totals: &mut [f64]) {
        let owners = &self.owners;
        self.waiting.values(&self.formula, |index, value| totals[owners[index]] += ordered(value));
        self.waiting.clear();
        self.owners.clear();
    }
}

/// Overflow has no order; it must not beat a real value.
fn ordered(value: f64) -> f64 {
    if value.is_nan() { f64::NEG_INFINITY } else { value }
}

/// A game that is over and hid nothing needs no judgement.
fn certain(game: &dyn Game, state: &State, player: Player) -> Option<f64> {
    if game.info().hidden || game.turn(state) != Turn::Over {
        return None;
    }
    let mut payoffs = [0.0; PlayerSet::CAPACITY];
    let payoffs = &mut payoffs[..game.info().players];
    game.payoffs(state, payoffs);
    let most = payoffs.iter().copied().fold(0.0, f32::max);
    let least = payoffs.iter().copied().fold(1.0, f32::min);
    Some(match payoffs[player.index()] {
        own if own == most && own > least => f64::INFINITY,
        own if own == most => 0.0,
        _ => f64::NEG_INFINITY,
    })
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
    /// For each move the first one that cannot be told from it by attributes.
    judged_as: Vec<usize>,
    keys: Vec<u64>,
    families: Families,
    totals: Vec<f64>,
}

impl Scratch {
    /// Finds which moves need no judgement of their own.
    fn compare_moves(&mut self, game: &dyn Game, state: &State, player: Player) {
        self.keys.clear();
        let course = game.course();
        let key = |&mv: &Move| match course {
            Some(course) => course.attribute_key(state, player, mv),
            None => mv.0,
        };
        self.keys.extend(self.moves.iter().map(key));
        let first = |key: &u64| self.keys.iter().position(|other| other == key).unwrap_or(0);
        self.judged_as.clear();
        self.judged_as.extend(self.keys.iter().map(first));
    }
}

impl ExpectimaxAgent {
    /// A player who judges by `formula`, with `samples` draws for each decision.
    pub fn new(game: Arc<dyn Game>, formula: Formula, samples: usize, rng: &mut Rng) -> Self {
        let judge = Judge::new(&*game, formula);
        let scratch = Scratch {
            state: game.start(),
            moves: Vec::new(),
            judged_as: Vec::new(),
            keys: Vec::new(),
            families: Families::default(),
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
        scratch.compare_moves(game, state, player);
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
                    *slot = game.random_move(&drawn, other, &mut self.rng, &mut scratch.families);
                }
            }
            for (owner, &mv) in scratch.moves.iter().enumerate() {
                if scratch.judged_as[owner] != owner {
                    continue;
                }
                joint[own] = mv;
                scratch.state.copy_from(&drawn);
                game.apply(&mut scratch.state, &joint[..players.len()]);
                if mid_turn(game, &scratch.state) {
                    let rng = &mut self.rng;
                    let value = settled(game, &mut self.judge, &mut scratch.state, player, rng);
                    scratch.totals[owner] += value;
                } else {
                    let totals = &mut scratch.totals;
                    self.judge.add(game, &scratch.state, player, owner, totals);
                }
            }
        }
        self.judge.settle(&mut scratch.totals);
        for (owner, &judged_as) in scratch.judged_as.iter().enumerate() {
            scratch.totals[owner] = scratch.totals[judged_as];
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

fn mid_turn(game: &dyn Game, state: &State) -> bool {
    game.course().is_some_and(|course| course.mid_turn(state))
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
    while mid_turn(game, state) {
        let Some(mover) = game.turn(state).mover() else { break };
        if mover == player {
            return best_settled(game, judge, state, player, rng);
        }
        let mv = game.random_move(state, mover, rng, &mut Families::default());
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
