//! Weights from games: how often positions with a feature were won, by logistic regression.

use ludex_game::{Families, Game, Player, Rng, State, Turn};

use super::{Features, Scratch};

/// Positions as features, and what came of them.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    ends: Vec<usize>,
    features: Vec<(u32, f32)>,
    results: Vec<f32>,
}

impl Samples {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Adds a position and the payoffs of its game.
    pub fn push(
        &mut self,
        features: &Features,
        game: &dyn Game,
        state: &State,
        payoffs: &[f32],
        scratch: &mut Scratch,
    ) {
        // In games of two it is the mover who looks, whoever is named here.
        let Turn::Players(players) = game.turn(state) else { return };
        let Some(player) = players.first() else { return };
        let list = &mut self.features;
        let side = features.read(game, state, player, scratch, |at, value| {
            if value != 0.0 {
                list.push((at as u32, value));
            }
        });
        let viewer = if side > 0.0 { player } else { player.opponent() };
        self.ends.push(self.features.len());
        self.results.push(payoffs[viewer.index()]);
    }

    /// Adds all of another.
    pub fn extend(&mut self, other: &Samples) {
        let start = self.features.len();
        self.ends.extend(other.ends.iter().map(|end| end + start));
        self.features.extend(&other.features);
        self.results.extend(&other.results);
    }

    /// Keeps no more than so many of the last.
    pub fn keep_last(&mut self, count: usize) {
        let drop = self.len().saturating_sub(count);
        if drop == 0 {
            return;
        }
        let start = self.ends[drop - 1];
        self.features.drain(..start);
        self.ends.drain(..drop);
        self.results.drain(..drop);
        self.ends.iter_mut().for_each(|end| *end -= start);
    }

    /// The same positions by fewer features.
    pub fn only(&self, from: &Features, fewer: &Features) -> Samples {
        let mut places = vec![None; from.len()];
        for (name, old) in from.groups() {
            if let Some((_, new)) = fewer.groups().find(|(other, _)| *other == name) {
                old.zip(new).for_each(|(old, new)| places[old] = Some(new as u32));
            }
        }
        let mut samples = Samples { results: self.results.clone(), ..Samples::default() };
        for at in 0..self.len() {
            let kept = self
                .row(at)
                .iter()
                .filter_map(|&(place, value)| places[place as usize].map(|place| (place, value)));
            samples.features.extend(kept);
            samples.ends.push(samples.features.len());
        }
        samples
    }

    fn row(&self, at: usize) -> &[(u32, f32)] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.features[start..self.ends[at]]
    }

    /// The mean surprise at the results, in nats; what knows nothing has about 0.69.
    pub fn loss(&self, weights: &[f32]) -> f32 {
        let loss = |at: usize| {
            let (p, result) = (self.expected(weights, at), self.results[at]);
            -(result * p.ln() + (1.0 - result) * (1.0 - p).ln())
        };
        (0..self.len()).map(loss).sum::<f32>() / self.len().max(1) as f32
    }

    fn expected(&self, weights: &[f32], at: usize) -> f32 {
        let sum: f32 =
            self.row(at).iter().map(|&(place, value)| weights[place as usize] * value).sum();
        (1.0 / (1.0 + (-sum).exp())).clamp(1e-4, 1.0 - 1e-4)
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// How often all samples are gone through.
    pub epochs: usize,
    /// The length of the first steps.
    pub rate: f32,
    /// How much weights are drawn to what they were before, each time they are changed.
    pub hold: f32,
}

impl Default for Fit {
    fn default() -> Self {
        Fit { epochs: 4, rate: 0.1, hold: 1e-3 }
    }
}

impl Fit {
    /// Fits weights to samples by stochastic gradient descent, each weight with a step of its own.
    pub fn run(&self, samples: &Samples, weights: &mut [f32], rng: &mut Rng) {
        let before = weights.to_vec();
        let mut squares = vec![1.0f32; weights.len()];
        let mut order: Vec<usize> = (0..samples.len()).collect();
        for _ in 0..self.epochs {
            for at in (1..order.len()).rev() {
                order.swap(at, rng.below(at as u32 + 1) as usize);
            }
            for &at in &order {
                let error = samples.results[at] - samples.expected(weights, at);
                for &(place, value) in samples.row(at) {
                    let place = place as usize;
                    let held = self.hold * (before[place] - weights[place]);
                    let gradient = error * value + held;
                    squares[place] += gradient * gradient;
                    weights[place] += self.rate * gradient / squares[place].sqrt();
                }
            }
        }
    }
}

/// Whoever chooses moves while games for learning are played.
pub type Chooser<'a> = dyn FnMut(&State, Player) -> ludex_game::Move + 'a;

/// Plays one game and adds some of its positions. The first `opening` plies and one in `wild` of the others are
/// random, so that games differ and mistakes are seen to be some.
pub fn play_and_learn(
    game: &dyn Game,
    features: &Features,
    choose: &mut Chooser,
    (opening, wild): (u32, u32),
    rng: &mut Rng,
    samples: &mut Samples,
) -> Vec<f32> {
    /// Positions that are learned from, of each game: neighbours say the same.
    const OF_EACH: usize = 12;
    let (mut state, mut buffer, mut seen) = (game.start(), Families::default(), Vec::new());
    for ply in 0..game.info().max_plies.min(400) {
        let joint: Vec<_> = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => vec![game.sample_chance(&state, rng)],
            Turn::Players(players) => {
                let random = ply < opening || rng.below(wild) == 0;
                if ply >= opening {
                    seen.push(state.clone());
                }
                let moves = players.into_iter().map(|player| match random {
                    true => game.random_move(&state, player, rng, &mut buffer),
                    false => choose(&state, player),
                });
                moves.collect()
            }
        };
        game.apply(&mut state, &joint);
    }
    let mut payoffs = vec![0.0; game.info().players];
    game.payoffs(&state, &mut payoffs);
    let mut scratch = Scratch::default();
    for _ in 0..OF_EACH.min(seen.len()) {
        let drawn = seen.swap_remove(rng.below(seen.len() as u32) as usize);
        samples.push(features, game, &drawn, &payoffs, &mut scratch);
    }
    payoffs
}
