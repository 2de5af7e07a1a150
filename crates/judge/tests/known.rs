//! What is known of games comes out: who is better off under searches, and what draws do to it.

mod tools;

use std::path::Path;

use ludex_arena::catalog::GameSpec;
use ludex_judge::evaluate::DeadRules;
use ludex_judge::{Evaluation, Tier};
use tools::{judged, plan, value};

/// Seats and results of games between searches of so many simulations.
fn searched(game: GameSpec, agent: &str, simulations: u64, games: u64) -> Evaluation {
    let mut plan = plan(game, Tier::Searched);
    (plan.random_games, plan.games, plan.simulations) = (64, games, Some(simulations));
    plan.agent = agent.parse().unwrap();
    plan.dead_rules = DeadRules::Ignored;
    judged(&plan)
}

/// A built-in description with some of its text replaced, as a file.
fn changed(folder: &Path, name: &str, changes: &[(&str, &str)]) -> GameSpec {
    let mut text = ludex_games::ludemes::description(name).expect("a built-in game").to_string();
    for (before, after) in changes {
        assert!(text.contains(before), "{name} has no `{before}`");
        text = text.replacen(before, after, 1);
    }
    let file = folder.join(format!("{name}.lud"));
    std::fs::write(&file, text).unwrap();
    GameSpec::named(file.display().to_string())
}

/// How far the first seat is from even.
fn lean(found: &Evaluation) -> f64 {
    value(found, "first_seat") - 0.5
}

#[test]
fn who_goes_first_in_hex_is_better_off_and_much_less_so_with_swap() {
    let folder = tempfile::tempdir().unwrap();
    let small = ("<Size:cells>", "5");
    let without = [small, ("(meta (swap))", "")];
    let plain = searched(changed(folder.path(), "hex", &without), "uct", 4000, 60);
    assert!(plain.metrics["first_seat"].low.unwrap() > 0.6, "{:?}", plain.metrics["first_seat"]);
    let swapped = searched(changed(folder.path(), "hex", &[small]), "uct", 4000, 60);
    assert!(lean(&swapped).abs() < lean(&plain) / 2.0, "{:?}", swapped.metrics["first_seat"]);
}

#[test]
fn who_goes_first_in_gomoku_is_better_off_and_much_less_so_with_swap() {
    let folder = tempfile::tempdir().unwrap();
    let (small, agent) = (("(square 15)", "(square 9)"), "uct(solve) + uniform + decisive");
    let plain = searched(changed(folder.path(), "gomoku", &[small]), agent, 2000, 80);
    assert!(lean(&plain) > 0.05, "{:?}", plain.metrics["first_seat"]);
    let with = [small, ("(rules", "(rules (meta (swap))")];
    let swapped = searched(changed(folder.path(), "gomoku", &with), agent, 2000, 80);
    assert!(lean(&swapped).abs() < lean(&plain) / 2.0, "{:?}", swapped.metrics["first_seat"]);
}

#[test]
fn breakthrough_is_near_even() {
    let mut game = GameSpec::named("breakthrough");
    game.size = Some("6x6".to_string());
    let found = searched(game, "uct", 400, 200);
    assert!(lean(&found).abs() < 0.1, "{:?}", found.metrics["first_seat"]);
    assert_eq!(value(&found, "draws"), 0.0);
}
