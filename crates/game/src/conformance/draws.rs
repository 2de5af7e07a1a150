//! Random moves are uniform.

use std::collections::HashMap;

use super::{Fault, Walk};
use crate::{Families, Move, Player, Turn};

pub(super) fn check(walk: &mut Walk, draws: u32) -> Result<(), Fault> {
    let Turn::Players(players) = walk.game.turn(&walk.state) else { return Ok(()) };
    players.into_iter().try_for_each(|player| check_player(walk, player, draws))
}

fn check_player(walk: &mut Walk, player: Player, draws: u32) -> Result<(), Fault> {
    let law = "random moves are legal and uniform";
    let moves = walk.moves(player);
    let (mut families, mut counts) = (Families::default(), HashMap::<Move, u32>::new());
    for _ in 0..draws {
        let mv = walk.game.random_move(&walk.state, player, &mut walk.rng, &mut families);
        *counts.entry(mv).or_default() += 1;
    }
    let strange = counts.keys().find(|mv| !moves.contains(mv));
    walk.hold(strange.is_none(), law, || format!("{strange:?} is not legal for {player}"))?;
    let expected = f64::from(draws) / moves.len() as f64;
    if expected < 5.0 {
        return Ok(());
    }
    let deviation = |mv: &Move| f64::from(counts.get(mv).copied().unwrap_or(0)) - expected;
    let chi: f64 = moves.iter().map(|mv| deviation(mv).powi(2) / expected).sum();
    let bound = chi_squared_bound(moves.len() - 1);
    walk.hold(chi <= bound, law, || {
        format!("chi-squared is {chi:.1}, above {bound:.1}, over {} moves", moves.len())
    })
}

/// What a chi-squared statistic exceeds three times in a million, by the cube-root approximation of
/// Wilson and Hilferty.
pub fn chi_squared_bound(freedom: usize) -> f64 {
    let ninth = 2.0 / (9.0 * freedom.max(1) as f64);
    freedom as f64 * (1.0 - ninth + 4.5 * ninth.sqrt()).powi(3)
}
