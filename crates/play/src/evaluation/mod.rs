//! Judging a position without looking ahead: what a player can expect of it.
//!
//! [`Features`] says which numbers a game's positions have, read off its board, its pieces and its course;
//! [`Weights`] what each is worth, learned by self-play; [`Linear`] puts both together. A formula over a
//! game's own attributes is an evaluation too.

mod features;
mod guard;
mod joining;
pub mod learn;
mod linear;
mod lines;
mod measured;
mod mirror;
mod nearer;
mod shape;
mod spots;
mod start;
mod weights;

use ludex_game::{Game, Player, State, Turn};

pub use features::{Features, Scratch};
pub use linear::Linear;
pub(crate) use lines::Lines;
pub(crate) use mirror::base_name;
pub(crate) use shape::Grouping;
pub use weights::{WeightError, Weights};

use crate::evolve::Formula;

/// Judges positions.
pub trait Evaluation: Send {
    /// What a player can expect of a position that is not over, between -1 (he loses) and 1 (he wins).
    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f32;
}

/// From the logarithm of the odds to a value between -1 and 1.
#[inline]
pub fn squash(sum: f32) -> f32 {
    (0.5 * sum).tanh()
}

/// Judges by a formula over the game's own attributes; its values have no scale, so only their order and
/// sign count.
pub struct Attributed {
    formula: Formula,
    values: Vec<f32>,
    stack: Vec<f64>,
}

impl Attributed {
    /// Judges by a formula over the attributes of a game.
    pub fn new(game: &dyn Game, formula: Formula) -> Self {
        Attributed { formula, values: vec![0.0; game.attributes().len()], stack: Vec::new() }
    }
}

impl Evaluation for Attributed {
    fn value(&mut self, game: &dyn Game, state: &State, player: Player) -> f32 {
        game.attribute_values(state, player, &mut self.values);
        let value = self.formula.value(&self.values, &mut self.stack);
        if value.is_nan() { -1.0 } else { (value / (1.0 + value.abs())) as f32 }
    }
}

/// The payoff of a player where the game is over, as a value between -1 and 1.
pub fn final_value(game: &dyn Game, state: &State, player: Player) -> Option<f32> {
    if game.turn(state) != Turn::Over {
        return None;
    }
    let mut payoffs = [0.0; ludex_game::PlayerSet::CAPACITY];
    let payoffs = &mut payoffs[..game.info().players];
    game.payoffs(state, payoffs);
    Some(2.0 * payoffs[player.index()] - 1.0)
}
