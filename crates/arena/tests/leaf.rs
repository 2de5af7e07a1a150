//! Several playouts from each new node.

use std::sync::Arc;

use ludex_arena::catalog::{GameSpec, load};
use ludex_game::{Game, Player, Rng};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

fn connect4() -> Arc<dyn Game> {
    load(&GameSpec::named("connect4.kif")).expect("one of our own")
}

fn visits(agent: &str, simulations: u64) -> (u64, Vec<(u64, f64)>) {
    let game = connect4();
    let spec: AgentSpec = agent.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut agent = spec.build(&game, None, &mut Rng::seeded(3)).expect("it plays");
    let choice = agent.choose(&game.start(), Player::FIRST, Budget::simulations(simulations));
    let report = choice.report.expect("it searches");
    (report.simulations, report.moves.iter().map(|mv| (mv.visits, mv.mean)).collect())
}

#[test]
fn every_playout_of_a_leaf_counts() {
    let (simulations, moves) = visits("uct(leaf=64)", 10_000);
    assert_eq!(simulations, 10_000, "the budget is kept to the playout");
    // The root's first visit tries no move.
    let tried: u64 = moves.iter().map(|(visits, _)| visits).sum();
    assert!((9_900..=10_000).contains(&tried), "{tried}");
    let (_, single) = visits("uct", 10_000);
    for ((_, many), (_, one)) in moves.iter().zip(&single) {
        assert!((many - one).abs() < 0.12, "{many} against {one}");
    }
}

#[test]
fn playouts_that_learn_stay_single() {
    assert_eq!(visits("uct(leaf=64) + mast", 500), visits("uct + mast", 500));
}
