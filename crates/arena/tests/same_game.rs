//! Optimised and standard playouts are of the same game: sampled here, in full by
//! `ludex bench --same 20000`.

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::same::{Choice, Sample};
use ludex_game::Rng;
use ludex_game::playout::Style;

/// Games of every kind of optimised playout that are quick enough to be played out often.
const GAMES: [&str; 6] = ["tic-tac-toe", "connect-four", "yavalath", "squava", "hex", "y"];

#[test]
fn outcomes_and_lengths_agree() {
    let bound = 0.001 / (GAMES.len() * 4) as f64;
    for (number, name) in GAMES.iter().enumerate() {
        let spec = GameSpec::named(name.to_string());
        let optimised = catalog::load(&spec).expect("a built-in game");
        let standard =
            catalog::load(&GameSpec { standard: true, ..spec }).expect("a built-in game");
        for choice in [Choice::Uniform, Choice::Biased] {
            let mut rng = Rng::stream(3, number as u64);
            let slow = Sample::draw(&*standard, Style::Standard, choice, 300, &mut rng);
            let fast = Sample::draw(&*optimised, Style::Optimised, choice, 6_000, &mut rng);
            let like = slow.like(&fast);
            assert!(
                like.outcomes >= bound && like.lengths >= bound,
                "{name}, {choice:?}: {like:?}"
            );
        }
    }
}
