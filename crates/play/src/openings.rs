//! Policies learned beforehand for the positions a match can begin with.
//!
//! A search runs long on every position with fewer than two moves; its tree is forgotten, the weights
//! its playout policy learned are kept. An agent that has them starts its first search of a match from
//! the weights of that position instead of from nothing.

use std::collections::HashMap;
use std::sync::Arc;

use ludex_game::{Game, Rng, State, Turn, joint_moves};

use crate::search::{Budget, Search};
use crate::spec::SearchSpec;

/// Weights of playout policies by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openings {
    weights: HashMap<u64, Vec<f32>>,
}

impl Openings {
    /// The weights for a position.
    pub fn get(&self, position: u64) -> Option<&[f32]> {
        self.weights.get(&position).map(Vec::as_slice)
    }

    /// Stores the weights for a position.
    pub fn insert(&mut self, position: u64, weights: Vec<f32>) {
        self.weights.insert(position, weights);
    }

    /// All positions with their weights, in an order that does not change.
    pub fn entries(&self) -> Vec<(u64, &[f32])> {
        let mut entries: Vec<_> = self.weights.iter().map(|(&p, w)| (p, w.as_slice())).collect();
        entries.sort_unstable_by_key(|&(position, _)| position);
        entries
    }

    /// Learns for every position with fewer than two moves; calls `learned` after each with how many are
    /// done and how many there are. Empty where the policy has no weights to keep.
    pub fn learn(
        game: &Arc<dyn Game>,
        spec: &SearchSpec,
        simulations: u64,
        seed: u64,
        mut learned: impl FnMut(usize, usize),
    ) -> Openings {
        let mut openings = Openings::default();
        let states = opening_states(&**game);
        for (index, state) in states.iter().enumerate() {
            let position = game.hash(state);
            if openings.get(position).is_none() {
                let mut rng = Rng::stream(seed, index as u64);
                if let Some(weights) = learn_one(game, spec, state, simulations, &mut rng) {
                    openings.insert(position, weights);
                }
            }
            learned(index + 1, states.len());
        }
        openings
    }
}

/// The start, and every position after one ply, where somebody is to move.
fn opening_states(game: &dyn Game) -> Vec<State> {
    let start = game.start();
    let after = joint_moves(game, &start).into_iter().map(|joint| {
        let mut state = start.clone();
        game.apply(&mut state, &joint);
        state
    });
    let after: Vec<State> = after.collect();
    let states = std::iter::once(start).chain(after);
    states.filter(|state| matches!(game.turn(state), Turn::Players(_))).collect()
}

fn learn_one(
    game: &Arc<dyn Game>,
    spec: &SearchSpec,
    state: &State,
    simulations: u64,
    rng: &mut Rng,
) -> Option<Vec<f32>> {
    let Turn::Players(players) = game.turn(state) else { return None };
    let mut config = spec.search;
    config.threads = 1;
    let mut search = Search::new(game.clone(), config, || spec.policy.build(&**game), rng);
    search.think(state, players.first()?, Budget::simulations(simulations));
    let policy = search.policies_mut().next()?;
    policy.weights().map(|weights| weights.values().to_vec())
}
