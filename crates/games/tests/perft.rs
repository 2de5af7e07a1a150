//! Perft figures from `games.perft`, each line with its own test of the same engine.

use ludex_game::perft;
use ludex_games::{Options, builtin};

#[test]
fn figures_of_another_system() {
    let mut game = None;
    let mut checked = 0;
    for line in include_str!("games.perft").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] | ["#", ..] => {}
            ["game", name, size] => {
                let options = Options { size: Some(size.parse().unwrap()), ..Options::default() };
                game = Some(builtin(name, &options).unwrap());
            }
            ["perft", counts @ ..] => {
                let game = game.as_ref().expect("a game before its figures");
                let counts: Vec<u64> = counts.iter().map(|text| text.parse().unwrap()).collect();
                let ours = perft(&**game, &game.start(), counts.len());
                assert_eq!(ours, counts, "{} {}", game.info().name, game.info().board);
                checked += 1;
            }
            _ => panic!("cannot read `{line}`"),
        }
    }
    assert_eq!(checked, 6);
}
