//! What the tests of evaluations share; none of them uses all of it.
#![allow(dead_code)]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_arena::catalog::GameSpec;
use ludex_arena::experiment::Store;
use ludex_judge::{Evaluation, Plan, Tier, evaluate};

/// A game of the tests.
pub fn spec(name: &str) -> GameSpec {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
    GameSpec::named(folder.join(name).display().to_string())
}

/// Few games, small searches, and time enough for all of them.
pub fn plan(game: GameSpec, tier: Tier) -> Plan {
    let mut plan = Plan::new(game, tier);
    (plan.random_games, plan.games, plan.simulations) = (320, 24, Some(60));
    plan.threads = 2;
    plan.time = [Duration::from_secs(600); 3];
    plan
}

/// The evaluation of a plan, in a store that is forgotten.
pub fn judged(plan: &Plan) -> Evaluation {
    let store = Store::open(Path::new(":memory:")).unwrap();
    evaluate(plan, &store, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

/// A number that must be there.
pub fn value(found: &Evaluation, name: &str) -> f64 {
    let figure = found.metrics.get(name);
    figure.unwrap_or_else(|| panic!("{name} is missing")).value
}

/// A number that is as computed by hand.
pub fn near(found: &Evaluation, name: &str, expected: f64) {
    let value = value(found, name);
    assert!((value - expected).abs() < 1e-9, "{name} is {value}, by hand {expected}");
}
