//! How often moves are made and facts change, from a few random playouts.

use super::Network;
use super::flat::Flat;
use super::modes::Modes;
use super::position::{Position, ones};
use ludex_game::Rng;

/// Plies that are looked at.
const PLIES: usize = 1500;

/// A playout is given up after this many.
const LONGEST: usize = 300;

/// What random play is like.
#[derive(Debug)]
pub struct Sample {
    /// How often each move was made, numbered through all roles. No move counts nothing: what was not
    /// seen may still happen.
    pub moves: Vec<f32>,
    /// How often each fact changed in a ply.
    pub changes: Vec<f32>,
}

/// Plays at random for a while.
pub fn sample(network: &Network) -> Sample {
    let flat = Flat::new(&Modes::single(network));
    let mut firsts = vec![0];
    firsts.extend(network.moves.iter().map(Vec::len));
    (1..firsts.len()).for_each(|role| firsts[role] += firsts[role - 1]);
    let mut weights = vec![0.01; firsts[network.moves.len()]];
    let mut facts = vec![0u64; network.bases.len().div_ceil(64)];
    for (at, _) in network.bases.iter().enumerate().filter(|(_, base)| base.initially) {
        facts[at / 64] |= 1 << (at % 64);
    }
    let (mut changes, mut plies) = (vec![0.0; network.bases.len()], 0.0);
    let keys = vec![0; network.bases.len()];
    let start = Position::first(&flat, facts.into(), &keys, network.moves.len());
    let (mut position, mut length) = (start.clone(), 0);
    let mut rng = Rng::seeded(1);
    for _ in 0..PLIES {
        let joint = (0..network.moves.len()).map(|role| {
            let legal: Vec<usize> = ones(position.legal(&flat, role)).collect();
            let at = *legal.get(rng.below(legal.len().max(1) as u32) as usize)?;
            Some((firsts[role] + at) as u32)
        });
        let joint: Option<Vec<u32>> = joint.collect();
        match joint.filter(|_| length < LONGEST && !position.is_terminal(&flat)) {
            Some(joint) => {
                joint.iter().for_each(|&number| weights[number as usize] += 1.0);
                let before = position.facts.clone();
                position.advance(&flat, &keys, &joint);
                let changed: Vec<u64> =
                    before.iter().zip(&position.facts).map(|(old, new)| old ^ new).collect();
                ones(&changed).for_each(|base| changes[base] += 1.0);
                plies += 1.0;
                length += 1;
            }
            None => {
                position.clone_from(&start);
                length = 0;
            }
        }
    }
    changes.iter_mut().for_each(|count| *count /= f32::max(plies, 1.0));
    Sample { moves: weights, changes }
}
