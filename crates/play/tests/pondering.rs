//! Time over a game, and thinking in the opponent's time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex_game::{Game, Player, Rng};
use ludex_games::{Options, builtin};
use ludex_play::pondering::Seat;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;
use ludex_play::timing::expected_moves;

fn breakthrough() -> Arc<dyn Game> {
    let options = Options { size: Some("6x6".parse().unwrap()), ..Options::default() };
    builtin("breakthrough", &options).unwrap()
}

fn seat(game: &Arc<dyn Game>, line: &str) -> Seat {
    let spec: AgentSpec = line.parse().unwrap();
    Seat::new(spec.build(game, None, &mut Rng::seeded(3)).unwrap())
}

/// How much a player has seen of a position when he has thought about it for ten simulations.
fn visits(game: &Arc<dyn Game>, line: &str, pondering: Duration) -> u64 {
    let mut seat = seat(game, line);
    if pondering > Duration::ZERO {
        seat.ponder(game, &game.start());
        std::thread::sleep(pondering);
    }
    let (mut state, mut moves) = (game.start(), Vec::new());
    game.moves(&state, Player(0), &mut moves);
    seat.played(&state, &moves[..1]);
    game.apply(&mut state, &moves[..1]);
    let choice = seat.agent().choose(&state, Player(1), Budget::simulations(10));
    choice.report.unwrap().moves.iter().map(|found| found.visits).sum()
}

#[test]
fn what_was_found_in_the_opponents_time_is_there() {
    let game = breakthrough();
    for line in ["uct", "uct(tree)", "uct(threads=2)"] {
        let (without, with) =
            (visits(&game, line, Duration::ZERO), visits(&game, line, Duration::from_millis(300)));
        // How much more depends on how busy the machine is.
        assert!(without <= 10 && with > without, "{line}: {without}, {with}");
    }
}

#[test]
fn whoever_thinks_unasked_comes_back_at_once() {
    let game = breakthrough();
    for line in ["uct", "alphabeta", "ubfm", "random"] {
        let mut seat = seat(&game, line);
        seat.ponder(&game, &game.start());
        std::thread::sleep(Duration::from_millis(20));
        let begun = Instant::now();
        let choice = seat.agent().choose(&game.start(), Player(0), Budget::simulations(200));
        assert!(begun.elapsed() < Duration::from_secs(5), "{line}");
        let mut moves = Vec::new();
        game.moves(&game.start(), Player(0), &mut moves);
        assert!(moves.contains(&choice.mv), "{line}");
        // Nobody waits for a seat that is given up.
        seat.ponder(&game, &game.start());
        drop(seat);
    }
}

#[test]
fn fewer_moves_are_expected_late_in_a_game() {
    let game = breakthrough();
    let (mut state, mut rng, mut families) = (game.start(), Rng::seeded(1), Default::default());
    let early = expected_moves(&*game, &state, Player(0));
    for _ in 0..8 {
        let mover = game.turn(&state).mover().unwrap();
        let mv = game.random_move(&state, mover, &mut rng, &mut families);
        game.apply(&mut state, &[mv]);
    }
    let late = expected_moves(&*game, &state, Player(0));
    assert!((4.0..40.0).contains(&early) && late < early, "{early}, {late}");
}
