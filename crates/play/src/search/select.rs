//! Choosing among the moves tried at a node.

use ludex_game::Rng;

use super::table::Edge;

/// What to do at a node: go on by an edge, or try a move for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The edge with this index.
    Tried(usize),
    /// Any move without an edge.
    Untried,
}

/// The best of the edges by UCB1, and of the value an untried move has if there is one.
#[inline]
pub fn select(
    c: f32,
    visits: u32,
    edges: &[Edge],
    untried: Option<f32>,
    tie_margin: f32,
    rng: &mut Rng,
) -> Pick {
    let explore = (visits.max(1) as f32).ln() * c * c;
    let value = |edge: &Edge| edge.upper_bound(explore);
    if tie_margin > 0.0 {
        return select_with_ties(edges.iter().map(value), untried, tie_margin, rng);
    }
    let (mut best, mut best_value) = (Pick::Untried, untried.unwrap_or(f32::NEG_INFINITY));
    // Values first, several at once in a vector register; their maximum after.
    let mut values = [0.0f32; CHUNK];
    for (chunk, edges) in edges.chunks(CHUNK).enumerate() {
        for (slot, edge) in values.iter_mut().zip(edges) {
            *slot = value(edge);
        }
        for (index, &value) in values[..edges.len()].iter().enumerate() {
            if value > best_value {
                (best, best_value) = (Pick::Tried(chunk * CHUNK + index), value);
            }
        }
    }
    best
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
