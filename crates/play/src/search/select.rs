//! Choosing among the moves tried at a node.

use ludex_game::Rng;

use super::edge::Found;

/// What to do at a node: go on by an edge, or try a move for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The edge with this index.
    Tried(usize),
    /// Any move without an edge.
    Untried,
}

impl Pick {
    /// The edge, where no other move was to be had.
    pub fn tried(self) -> usize {
        match self {
            Pick::Tried(index) => index,
            // No value was a number.
            Pick::Untried => 0,
        }
    }
}

/// The best of the edges by UCB1, and of the value an untried move has if there is one.
#[inline]
pub fn select<E: Found>(
    c: f32,
    visits: u32,
    edges: &[E],
    untried: Option<f32>,
    tie_margin: f32,
    rng: &mut Rng,
) -> Pick {
    let explore = (visits.max(1) as f32).ln() * c * c;
    if tie_margin > 0.0 {
        let value = |edge: &E| {
            let edge = edge.found();
            upper_bound(edge.mean + edge.below_all(), edge.weight(), explore)
        };
        return select_with_ties(edges.iter().map(value), untried, tie_margin, rng);
    }
    let (mut best, mut best_value) = (Pick::Untried, untried.unwrap_or(f32::NEG_INFINITY));
    // What threads share is read one by one; then values, several at once in a vector register; their maximum
    // after.
    let (mut values, mut weights) = ([0.0f32; CHUNK], [0.0f32; CHUNK]);
    for (chunk, edges) in edges.chunks(CHUNK).enumerate() {
        for ((value, weight), edge) in values.iter_mut().zip(&mut weights).zip(edges) {
            let edge = edge.found();
            (*value, *weight) = (edge.mean + edge.below_all(), edge.weight());
        }
        for (value, weight) in values[..edges.len()].iter_mut().zip(&weights) {
            *value = upper_bound(*value, *weight, explore);
        }
        for (index, &value) in values[..edges.len()].iter().enumerate() {
            if value > best_value {
                (best, best_value) = (Pick::Tried(chunk * CHUNK + index), value);
            }
        }
    }
    best
}

/// Mean payoff and what exploration adds to it.
#[inline]
fn upper_bound(mean: f32, weight: f32, explore: f32) -> f32 {
    mean + (explore / weight).sqrt()
}

const CHUNK: usize = 64;

/// Draws among all choices within the margin of the best.
fn select_with_ties(
    values: impl Iterator<Item = f32> + Clone,
    untried: Option<f32>,
    margin: f32,
    rng: &mut Rng,
) -> Pick {
    let choices = values
        .enumerate()
        .map(|(index, value)| (Pick::Tried(index), value))
        .chain(untried.map(|value| (Pick::Untried, value)));
    let best = choices.clone().fold(f32::NEG_INFINITY, |best, (_, value)| best.max(value));
    let mut near = choices.filter(|(_, value)| *value >= best - margin);
    let drawn = rng.below(near.clone().count().max(1) as u32);
    near.nth(drawn as usize).map_or(Pick::Untried, |(pick, _)| pick)
}
