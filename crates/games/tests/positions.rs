//! Hashes tell positions apart, and random play has exactly the results that enumeration says.

mod naive;

use std::collections::HashMap;
use std::sync::Arc;

use ludex_game::playout::{Recording, Sampling, Scratch, Style};
use ludex_game::{Game, Move, Player, Rng, State, Turn};
use ludex_games::{Options, builtin};
use naive::NAMES;

fn build(name: &str, size: &str) -> Arc<dyn Game> {
    let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
    builtin(name, &options).unwrap()
}

/// The positions one move further.
fn children(game: &dyn Game, state: &State) -> Vec<State> {
    let Some(player) = game.turn(state).mover() else { return Vec::new() };
    let mut moves: Vec<Move> = Vec::new();
    game.moves(state, player, &mut moves);
    let play = |&mv: &Move| {
        let mut child = state.clone();
        game.apply(&mut child, &[mv]);
        child
    };
    moves.iter().map(play).collect()
}

/// What a position is, as text: in these games the board and the mover say it all.
fn identity(game: &dyn Game, state: &State) -> String {
    format!("{:?}\n{}", game.turn(state), game.show(state, None))
}

/// Looks at random games and all they could have turned to, and wants one hash for each position.
fn hashes_are_faithful(name: &str, size: &str) {
    let game = build(name, size);
    let mut seen = HashMap::<u64, String>::new();
    let mut known = HashMap::<String, u64>::new();
    let mut rng = Rng::seeded(5);
    let mut look = |state: &State| {
        let (hash, identity) = (game.hash(state), identity(&*game, state));
        let same = seen.entry(hash).or_insert_with(|| identity.clone());
        assert_eq!(*same, identity, "{name} {size}: two positions share a hash");
        let hash_before = *known.entry(identity.clone()).or_insert(hash);
        assert_eq!(hash_before, hash, "{name} {size}: two hashes of\n{identity}");
    };
    for _ in 0..4 {
        let mut state = game.start();
        loop {
            look(&state);
            let next = children(&*game, &state);
            if next.is_empty() {
                break;
            }
            next.iter().for_each(&mut look);
            state = next[rng.below(next.len() as u32) as usize].clone();
        }
    }
    assert!(known.len() > 30, "{name} {size}: only {} positions", known.len());
}

#[test]
fn positions_have_one_hash_each() {
    for name in NAMES {
        for size in ["4x4", "8x8", "5x9"] {
            hashes_are_faithful(name, size);
        }
    }
}

#[test]
fn transpositions_meet() {
    let game = build("breakthrough", "8x8");
    let after = |texts: [&str; 4]| {
        let mut state = game.start();
        for (ply, text) in texts.into_iter().enumerate() {
            let mv = game.parse_move(&state, Player(ply as u8 % 2), text).unwrap();
            game.apply(&mut state, &[mv]);
        }
        game.hash(&state)
    };
    assert_eq!(
        after(["a2-a3", "h7-h6", "b2-b3", "g7-g6"]),
        after(["b2-b3", "g7-g6", "a2-a3", "h7-h6"])
    );
    assert_ne!(
        after(["a2-a3", "h7-h6", "b2-b3", "g7-g6"]),
        after(["a2-a3", "h7-h6", "b2-c3", "g7-g6"])
    );
}

/// The chance that the first player wins a random game, and the expected number of plies to come.
fn exact(game: &dyn Game, state: &State, known: &mut HashMap<u64, (f64, f64)>) -> (f64, f64) {
    if game.turn(state) == Turn::Over {
        let mut payoffs = [0.0; 2];
        game.payoffs(state, &mut payoffs);
        return (payoffs[0].into(), 0.0);
    }
    let hash = game.hash(state);
    if let Some(&value) = known.get(&hash) {
        return value;
    }
    let children = children(game, state);
    let values: Vec<(f64, f64)> = children.iter().map(|child| exact(game, child, known)).collect();
    let mean =
        |part: fn(&(f64, f64)) -> f64| values.iter().map(part).sum::<f64>() / values.len() as f64;
    let value = (mean(|value| value.0), 1.0 + mean(|value| value.1));
    known.insert(hash, value);
    value
}

fn sampled(game: &dyn Game, style: Style, recording: Recording, playouts: u32) -> (f64, f64) {
    let (start, mut state) = (game.start(), game.start());
    let (mut rng, mut scratch) = (Rng::seeded(11), Scratch::default());
    scratch.recording = recording;
    let (mut wins, mut plies) = (0.0, 0.0);
    for _ in 0..playouts {
        state.copy_from(&start);
        scratch.record.clear();
        let sampling = &mut Sampling::default();
        plies += f64::from(game.playout(&mut state, sampling, style, &mut scratch, &mut rng));
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        wins += f64::from(payoffs[0]);
    }
    (wins / f64::from(playouts), plies / f64::from(playouts))
}

#[test]
fn random_play_has_the_exact_chances() {
    let kinds = [
        (Style::Optimised, Recording::Nothing),
        (Style::Optimised, Recording::Chosen),
        (Style::Standard, Recording::Nothing),
    ];
    let playouts = 20_000;
    for name in NAMES {
        for size in ["3x3", "3x4", "4x3"] {
            let game = build(name, size);
            let (chance, plies) = exact(&*game, &game.start(), &mut HashMap::new());
            for (style, recording) in kinds {
                let (wins, mean_plies) = sampled(&*game, style, recording, playouts);
                let error = (chance * (1.0 - chance) / f64::from(playouts)).sqrt();
                let context = format!("{name} {size} {style:?} {recording:?}");
                assert!((wins - chance).abs() <= 4.5 * error + 1e-9, "{context}: {wins} {chance}");
                // Lengths vary by less than four plies on boards this small.
                let bound = 4.5 * 4.0 / f64::from(playouts).sqrt();
                assert!((mean_plies - plies).abs() < bound, "{context}: {mean_plies} {plies}");
            }
        }
    }
}
