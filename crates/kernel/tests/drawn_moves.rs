//! The general form draws a random move while it finds them, or lists them all: every legal move must be as
//! likely as every other, throws of dice included.

#[path = "../../lud/tests/common/mod.rs"]
mod common;

use common::general;
use ludex_game::conformance::chi_squared_bound;
use ludex_game::{Move, Player, Rng, Rules, Turn};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, Position, compile};
use std::collections::HashMap;

/// What tells positions apart after one move.
fn key(position: &Position) -> String {
    let s = position.state();
    format!("{:?} {:?} {:?} {:?}", s.layers, (s.mover, s.next), s.scores, (s.last.from, s.last.to))
}

/// How likely each position is after the next decision, and how many plies that takes.
fn expected(game: &Ludemes, position: &Position) -> (HashMap<String, f64>, u32) {
    let mut all = HashMap::new();
    let mut add = |position: &Position, weight: f64| {
        let mut moves = Vec::new();
        game.moves(position, Player(0), &mut moves);
        for &mv in &moves {
            let mut next = position.clone();
            game.apply(&mut next, &[mv]);
            *all.entry(key(&next)).or_insert(0.0) += weight / moves.len() as f64;
        }
    };
    if game.turn(position) != Turn::Chance {
        add(position, 1.0);
        return (all, 1);
    }
    let mut outcomes: Vec<(Move, f64)> = Vec::new();
    assert!(game.chance_outcomes(position, &mut outcomes), "few throws");
    for (throw, weight) in outcomes {
        let mut thrown = position.clone();
        game.apply(&mut thrown, &[throw]);
        add(&thrown, weight);
    }
    (all, 2)
}

fn check(name: &str, game: &Ludemes, position: &Position, rng: &mut Rng) {
    let (expected, plies) = expected(game, position);
    compare(
        name,
        &expected,
        |next| game.playout_uniform(next, rng, plies, &mut Vec::new()),
        position,
    );
    compare(
        name,
        &expected,
        |next| game.playout_listing(next, rng, plies, &mut Vec::new()),
        position,
    );
}

/// Compares what follows a position in many playouts of one decision with what is expected.
fn compare(
    name: &str,
    expected: &HashMap<String, f64>,
    mut play: impl FnMut(&mut Position) -> u32,
    position: &Position,
) {
    let draws = 1200;
    let mut found = HashMap::<String, f64>::new();
    for _ in 0..draws {
        let mut next = position.clone();
        play(&mut next);
        *found.entry(key(&next)).or_default() += 1.0;
    }
    let strange = found.keys().find(|key| !expected.contains_key(*key));
    assert!(strange.is_none(), "{name}: an illegal move leads to {strange:?}");
    let (mut chi, mut classes) = (0.0, 0);
    for (key, chance) in expected.iter().filter(|(_, chance)| *chance * f64::from(draws) >= 5.0) {
        let wanted = chance * f64::from(draws);
        chi += (found.get(key).copied().unwrap_or(0.0) - wanted).powi(2) / wanted;
        classes += 1;
    }
    let bound = chi_squared_bound(classes);
    assert!(chi <= bound, "{name}: chi-squared is {chi:.1}, above {bound:.1}, over {classes}");
}

#[test]
fn every_legal_move_is_as_likely_as_every_other() {
    let names = [
        "backgammon",
        "royal-game-of-ur",
        "race-of-stones",
        "kalah",
        "oware",
        "halma",
        "english-draughts",
        "international-draughts",
        "fox-and-geese",
        "go",
        "chess",
        "reversi",
        "fanorona",
        "nine-mens-morris",
    ];
    for (number, name) in names.into_iter().enumerate() {
        let game = general(name, &[]);
        let mut rng = Rng::stream(7, number as u64);
        for plies in [0, 7] {
            let mut position = game.start();
            for _ in 0..plies {
                let mv = match game.turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => game.sample_chance(&position, &mut rng),
                    Turn::Players(_) => {
                        let mut moves = Vec::new();
                        game.moves(&position, Player(0), &mut moves);
                        moves[rng.below(moves.len() as u32) as usize]
                    }
                };
                game.apply(&mut position, &[mv]);
            }
            if game.turn(&position) != Turn::Over {
                check(name, &game, &position, &mut rng);
            }
        }
    }
}

/// Whoever draws a move before looking at all of them loses time where nearly all turn out illegal.
#[test]
fn moves_are_listed_where_drawing_them_does_not_pay() {
    // On the small board a man has two ways to go, one of them legal.
    let square = r#"(is Pattern {F R F R F} whats:{(id "Man" Mover)})"#;
    let aside = format!("(or {square} (= 1 (abs (- (last To) (last From)))))");
    for (size, cond, playout) in [(2, aside, "listing"), (4, format!("(not {square})"), "filter")] {
        let text = format!(
            r#"(game "Walk" (players 2)
                (equipment {{ (board (square {size})) (piece "Man" Each) }})
                (rules
                    (start {{ (place "Man1" coord:"A1") (place "Man2" coord:"A2") }})
                    (play
                        (do (move (from (sites Occupied by:Mover)) (to (sites Empty)))
                            ifAfterwards:{cond}))
                    (end (if (>= (count Moves) 60) (result Mover Draw)))))"#
        );
        let description = read(&text, SourceId(0), &Library::default(), &[]).expect("readable");
        let general = Ludemes::new(compile(&description).expect("compiles")).expect("playable");
        let game = general.without_kernel("the general evaluator alone is asked");
        assert_eq!(game.info().playout.name(), playout, "{}", game.info().playout_reason);
    }
}
