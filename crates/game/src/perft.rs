//! Counting move sequences, the sharpest cheap test that two forms of a game are the same.

use crate::{Game, Move, PlayerSet, State, Turn};

/// The number of sequences of 1, 2, …, `depth` plies from a state. A finished game has none; a chance
/// turn counts one for each outcome and is only supported where the outcomes can be listed.
pub fn perft(game: &dyn Game, state: &State, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    if depth > 0 {
        count(game, state, &mut counts);
    }
    counts
}

fn count(game: &dyn Game, state: &State, counts: &mut [u64]) {
    let joints = joint_moves(game, state);
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    *here += joints.len() as u64;
    if deeper.is_empty() {
        return;
    }
    let mut child = state.clone();
    for joint in &joints {
        child.copy_from(state);
        game.apply(&mut child, joint);
        count(game, &child, deeper);
    }
}

/// Every combination of moves that the moving players can make.
pub fn joint_moves(game: &dyn Game, state: &State) -> Vec<Vec<Move>> {
    match game.turn(state) {
        Turn::Over => Vec::new(),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance_outcomes(state, &mut outcomes);
            outcomes.into_iter().map(|(outcome, _)| vec![outcome]).collect()
        }
        Turn::Players(players) => combinations(game, state, players),
    }
}

fn combinations(game: &dyn Game, state: &State, players: PlayerSet) -> Vec<Vec<Move>> {
    let mut joints = vec![Vec::new()];
    for player in players {
        let mut moves = Vec::new();
        game.moves(state, player, &mut moves);
        joints = joints
            .iter()
            .flat_map(|joint: &Vec<Move>| {
                moves.iter().map(|&mv| joint.iter().copied().chain([mv]).collect::<Vec<Move>>())
            })
            .collect();
    }
    joints
}
