//! Every built-in game goes through the one test that says what a game is.

use ludex_game::conformance::{Effort, check, check_with};
use ludex_games::{Options, builtin, names};

#[test]
fn every_game_keeps_the_contract() {
    for (seed, name) in (0..).zip(names()) {
        let game = builtin(name, &Options::default()).unwrap();
        check(&*game, seed).unwrap();
    }
}

#[test]
fn every_board_size_keeps_the_contract() {
    let effort = Effort { games: 2, plies: 60, draws: 2000, playouts: 300 };
    for size in ["3x3", "4x7", "5x4", "9x9", "16x3", "11x11", "13x13", "16x16"] {
        for (seed, name) in (0..).zip(names().filter(|name| *name != "7-wonders")) {
            let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
            check_with(&*builtin(name, &options).unwrap(), seed, effort)
                .unwrap_or_else(|fault| panic!("{size}: {fault}"));
        }
    }
}
