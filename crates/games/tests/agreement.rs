//! The fast games against the naive ones: legal moves, codes, results and perft.

mod naive;

use std::sync::Arc;

use ludex_game::{Coding, Game, Player, Rng, Turn, perft};
use ludex_games::{Options, Size, builtin, names};
use naive::features::{feature_code, plain_code};
use naive::{Cell, NAMES, Naive, SIZES};
use proptest::prelude::*;

fn build(name: &str, width: usize, height: usize) -> Arc<dyn Game> {
    builtin(name, &Options { size: Some(Size::new(width, height).unwrap()), ..Options::default() })
        .unwrap()
}

#[test]
fn the_eight_are_there() {
    let known: Vec<&str> = names().collect();
    assert!(NAMES.iter().all(|name| known.contains(name)), "{known:?}");
}

/// Plays one random game in both and compares every position; returns the number of positions.
fn compare(name: &str, (width, height): (usize, usize), seed: u64) -> usize {
    let game = build(name, width, height);
    let mut naive = Naive::new(name, width, height);
    let mut state = game.start();
    let mut rng = Rng::seeded(seed);
    for ply in 0.. {
        let context = || format!("{name} {width}x{height} seed {seed} ply {ply}: {naive:?}");
        let legal = naive.legal();
        if legal.is_empty() {
            assert_eq!(game.turn(&state), Turn::Over, "{}", context());
            let mut payoffs = [0.5; 2];
            game.payoffs(&state, &mut payoffs);
            assert_eq!(Some(payoffs), naive.result(), "{}", context());
            assert!(ply <= game.info().max_plies, "{}", context());
            return ply as usize + 1;
        }
        let player = Player(naive.mover as u8);
        assert_eq!(game.turn(&state), Turn::of(player), "{}", context());
        compare_moves(&*game, &state, player, &naive, &legal, &context);
        let chosen = &legal[rng.below(legal.len() as u32) as usize];
        let mv = game.parse_move(&state, player, &naive.text(chosen)).unwrap();
        game.apply(&mut state, &[mv]);
        naive.play(chosen);
    }
    unreachable!("every game ends")
}

fn compare_moves(
    game: &dyn Game,
    state: &ludex_game::State,
    player: Player,
    naive: &Naive,
    legal: &[Vec<Cell>],
    context: &dyn Fn() -> String,
) {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let codes = |mv| [Coding::Plain, Coding::Features].map(|c| game.code(state, player, mv, c));
    let mut ours: Vec<_> =
        moves.iter().map(|&mv| (game.move_text(state, Some(player), mv), codes(mv))).collect();
    let mut theirs: Vec<_> = legal
        .iter()
        .map(|cells| {
            let plain = plain_code(naive, cells);
            (naive.text(cells), [plain, feature_code(naive, cells, plain)])
        })
        .collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs, "{}", context());
}

#[test]
fn random_games_agree_on_the_usual_sizes() {
    let mut positions = 0;
    for name in NAMES {
        for size in SIZES {
            let games = if size.0 * size.1 > 130 { 2 } else { 6 };
            positions += (0..games).map(|seed| compare(name, size, seed)).sum::<usize>();
        }
    }
    assert!(positions > 10_000, "only {positions} positions");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_games_agree_on_any_size(
        name in proptest::sample::select(&NAMES[..]),
        width in 3usize..=16,
        height in 3usize..=16,
        seed: u64,
    ) {
        compare(name, (width, height), seed);
    }
}

fn perft_agrees(name: &str) {
    let game = build(name, 8, 8);
    let counts = perft(&*game, &game.start(), 4);
    let naive = Naive::new(name, 8, 8);
    let expected: Vec<u64> = (1..=4).map(|depth| naive.perft(depth)).collect();
    assert_eq!(counts, expected, "{name}");
}

#[test]
fn perft_agrees_for_atarigo() {
    perft_agrees("atarigo");
}

#[test]
fn perft_agrees_for_nogo() {
    perft_agrees("nogo");
}

#[test]
fn perft_agrees_for_the_races() {
    for name in NAMES.into_iter().filter(|name| name.ends_with("through")) {
        perft_agrees(name);
    }
}

#[test]
fn perft_agrees_for_domineering() {
    perft_agrees("domineering");
    perft_agrees("misere-domineering");
}

#[test]
fn perft_agrees_from_random_positions() {
    for (seed, name) in (0..).zip(NAMES.repeat(5)) {
        let mut rng = Rng::seeded(seed);
        let (width, height) = (3 + rng.below(6) as usize, 3 + rng.below(6) as usize);
        let game = build(name, width, height);
        let mut naive = Naive::new(name, width, height);
        let mut state = game.start();
        for _ in 0..rng.below((width * height) as u32) {
            let legal = naive.legal();
            if legal.is_empty() {
                break;
            }
            let chosen = &legal[rng.below(legal.len() as u32) as usize];
            let player = Player(naive.mover as u8);
            let mv = game.parse_move(&state, player, &naive.text(chosen)).unwrap();
            game.apply(&mut state, &[mv]);
            naive.play(chosen);
        }
        let expected: Vec<u64> = (1..=3).map(|depth| naive.perft(depth)).collect();
        assert_eq!(perft(&*game, &state, 3), expected, "{name} {width}x{height} seed {seed}");
    }
}
