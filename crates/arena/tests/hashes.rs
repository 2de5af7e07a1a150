//! Positions with one hash have one future: whose turn it is and what is legal.

mod common;

use std::collections::HashMap;

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::library::files_below;
use ludex_game::{Game, Move, Rng, State, Turn};

/// Short random games from random positions of a longer one, so that many positions are met again by other ways.
fn positions(game: &dyn Game, rng: &mut Rng, visit: &mut dyn FnMut(&State)) {
    let mut trunk = game.start();
    for _ in 0..4 {
        for _ in 0..16 {
            let mut state = trunk.clone();
            for _ in 0..5 {
                if !step(game, &mut state, rng) {
                    break;
                }
                visit(&state);
            }
        }
        for _ in 0..9 {
            step(game, &mut trunk, rng);
        }
    }
}

fn step(game: &dyn Game, state: &mut State, rng: &mut Rng) -> bool {
    let joint: Vec<Move> = match game.turn(state) {
        Turn::Over => return false,
        Turn::Chance => vec![game.sample_chance(state, rng)],
        Turn::Players(players) => players
            .into_iter()
            .map(|player| {
                let mut moves = Vec::new();
                game.moves(state, player, &mut moves);
                moves[rng.below(moves.len() as u32) as usize]
            })
            .collect(),
    };
    game.apply(state, &joint);
    true
}

/// Whose turn it is and what is legal.
fn future(game: &dyn Game, state: &State) -> (Turn, Vec<Move>) {
    let turn = game.turn(state);
    let mut moves = Vec::new();
    if let Turn::Players(players) = turn {
        players.into_iter().for_each(|player| game.moves(state, player, &mut moves));
    }
    moves.sort_unstable();
    (turn, moves)
}

/// Two positions of a game that have one hash and not one future, in words.
fn two_futures(name: &str, game: &dyn Game) -> Option<String> {
    let (mut seen, mut rng) = (HashMap::new(), Rng::seeded(7));
    let mut fault = None;
    positions(game, &mut rng, &mut |state| {
        let now = future(game, state);
        let before = seen.entry(game.hash(state)).or_insert_with(|| now.clone());
        if *before != now {
            let shown = game.show(state, None);
            fault = Some(format!("{name}: {before:?} and {now:?} in\n{shown}"));
        }
    });
    fault
}

#[test]
fn one_hash_one_future() {
    let faults = catalog::builtins().filter_map(|spec| {
        let game = catalog::load(&spec).expect("a built-in game");
        two_futures(&spec.name, &*game)
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// `LUDEX_EVERY` says how many games are left out between two.
#[test]
fn one_hash_one_future_in_a_library() {
    let Some(library) = common::ludeme_library() else {
        return eprintln!("skipped: no library of ludeme games is here");
    };
    let every = std::env::var("LUDEX_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut files = Vec::new();
    files_below(&library.join("lud/board"), "lud", &mut files).expect("descriptions");
    let (mut faults, mut played) = (Vec::new(), 0);
    for file in files.iter().step_by(every) {
        let name = file.display().to_string();
        let mut spec = GameSpec::named(name.clone());
        spec.defs = Some(library.join("def"));
        if let Ok(game) = catalog::load(&spec) {
            faults.extend(two_futures(&name, &*game));
            played += 1;
        }
    }
    assert!(played > 0, "no description could be played");
    assert!(faults.is_empty(), "{} of {played}:\n{}", faults.len(), faults.join("\n\n"));
}

/// The position after these moves, each named by its text; nothing where one of them is not legal.
fn after(game: &dyn Game, texts: &[&str]) -> Option<State> {
    let mut state = game.start();
    for text in texts {
        let player = game.turn(&state).mover()?;
        let mv = game.parse_move(&state, player, text).ok()?;
        game.apply(&mut state, &[mv]);
    }
    Some(state)
}

/// Two ways to one position, and whether the rules can tell them apart.
const WAYS: [(&str, [&str; 3], [&str; 3], bool); 5] = [
    ("breakthrough.lud", ["A2-A3", "A7-A6", "C2-C3"], ["C2-C3", "A7-A6", "A2-A3"], false),
    ("lines-of-action", ["B1-B3", "A2-C2", "D1-D3"], ["D1-D3", "A2-C2", "B1-B3"], false),
    ("tablut", ["A6-A7", "E4-F4", "I6-I7"], ["I6-I7", "E4-F4", "A6-A7"], false),
    ("gomoku", ["A1", "B2", "C3"], ["C3", "B2", "A1"], false),
    // Whether a pawn may be taken in passing depends on the last move.
    ("chess", ["A2-A3", "A7-A6", "C2-C3"], ["C2-C3", "A7-A6", "A2-A3"], true),
];

#[test]
fn ways_to_one_position_have_one_hash() {
    for (name, one, other, told_apart) in WAYS {
        let spec = GameSpec::named(name.to_string());
        let game = catalog::load(&spec).expect("a built-in game");
        let (one, other) = (after(&*game, &one), after(&*game, &other));
        let (one, other) = (one.expect(name), other.expect(name));
        assert_eq!(future(&*game, &one), future(&*game, &other), "{name}");
        assert_eq!(game.hash(&one) != game.hash(&other), told_apart, "{name}");
    }
}
