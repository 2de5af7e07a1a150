//! Values computed by hand on tiny games, and games that are broken on purpose.

mod tools;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_arena::catalog::GameSpec;
use ludex_arena::experiment::Store;
use ludex_judge::{JudgeError, Tier, evaluate};
use tools::{judged, near, plan, spec, value};

#[test]
fn three_cells_by_hand() {
    let found = judged(&plan(spec("fill.lud"), Tier::Random));
    // Three plies with three, two and one legal moves; P1 always fills the last cell.
    for (name, expected) in [
        ("length", 3.0),
        ("branching", 2.0),
        ("decisions", 2.0 / 3.0),
        ("decision_factor", 2.5),
        ("coverage", 1.0),
        ("repetition", 0.0),
        ("first_seat", 1.0),
        ("seat_2", 0.0),
        ("balance", 0.0),
        ("completion", 1.0),
        ("draws", 0.0),
        ("unfinished", 0.0),
        ("dead_pieces", 0.0),
        ("dead_sites", 0.0),
        ("game_tree", 3.0 * 2f64.log10()),
    ] {
        near(&found, name, expected);
    }
    let seat = &found.metrics["first_seat"];
    // Wilson's interval of 320 out of 320.
    assert!(
        (seat.low.unwrap() - 320.0 / (320.0 + 3.841_458_8)).abs() < 1e-6 && seat.high == Some(1.0)
    );
    assert_eq!((seat.games, seat.agent.as_str(), seat.seed), (320, "random", 1));
    let variety = value(&found, "opening_variety");
    assert!((2.8..=3.0).contains(&variety), "three first moves, all as likely: {variety}");
    assert!(found.warnings.iter().any(|text| text.contains("the first seat wins 100%")));
    let ends = &found.evidence.random.ends;
    assert_eq!(ends.keys().next().map(String::as_str), Some("P1 wins by placing"), "{ends:?}");
}

#[test]
fn draws_are_drawn() {
    let found = judged(&plan(spec("draw.lud"), Tier::Random));
    for (name, expected) in
        [("draws", 1.0), ("completion", 0.0), ("first_seat", 0.5), ("balance", 1.0)]
    {
        near(&found, name, expected);
    }
    assert!(found.warnings.iter().any(|text| text.contains("most games are drawn")));
}

#[test]
fn a_game_without_an_end_is_called_so() {
    let mut plan = plan(spec("endless.lud"), Tier::Searched);
    plan.random_games = 16;
    let found = judged(&plan);
    assert_eq!(found.tier, Tier::Random, "searches would never come back");
    near(&found, "unfinished", 1.0);
    assert!(found.warnings[0].starts_with("never ends"), "{:?}", found.warnings);
}

#[test]
fn what_is_never_used_is_named() {
    let found = judged(&plan(spec("dead.lud"), Tier::Random));
    assert_eq!(found.evidence.dead_pieces, ["Statue0"]);
    assert_eq!(found.evidence.dead_sites, ["C3"]);
    let dead: Vec<&str> = found
        .evidence
        .rules
        .iter()
        .flat_map(|rules| &rules.dead)
        .map(|rule| rule.text.as_str())
        .collect();
    assert!(dead.iter().any(|rule| rule.contains("Pass")), "{dead:?}");
    assert!(dead.iter().any(|rule| rule.contains("Line 4")), "{dead:?}");
    assert!(!dead.iter().any(|rule| rule.starts_with("(if (is Line 3) ")), "{dead:?}");
    assert!(found.warnings.iter().any(|text| text.contains("this rule is never used")));
}

#[test]
fn a_second_player_who_copies_is_found() {
    let found = judged(&plan(spec("copycat.lud"), Tier::Searched));
    let text = found.warnings.iter().find(|text| text.contains("the second player can copy"));
    assert!(text.is_some_and(|text| text.contains("100%")), "{:?}", found.warnings);
    let fair = judged(&plan(spec("fill.lud"), Tier::Searched));
    assert!(!fair.warnings.iter().any(|text| text.contains("copy")), "{:?}", fair.warnings);
}

#[test]
fn tic_tac_toe_is_drawn_under_search_and_not_by_chance() {
    let mut plan = plan(GameSpec::named("tic-tac-toe"), Tier::Searched);
    (plan.simulations, plan.games) = (Some(400), 20);
    let found = judged(&plan);
    assert!(value(&found, "random_draws") < 0.2);
    assert!(value(&found, "draws") > 0.6, "{}", value(&found, "draws"));
    for name in [
        "drama",
        "uncertainty",
        "decided_at",
        "lead_changes",
        "killer_moves",
        "clarity",
        "first_move_spread",
    ] {
        if name != "drama" && name != "decided_at" {
            assert!(found.metrics.contains_key(name), "{name}");
        }
    }
}

#[test]
fn many_players_chance_hidden_hands_and_moves_at_once() {
    let mut wonders = GameSpec::named("7-wonders");
    wonders.players = Some(3);
    let dice = judged(&plan(GameSpec::named("race-of-stones"), Tier::Random));
    assert!(value(&dice, "first_seat") > 0.4 && value(&dice, "decisions") < 1.0);
    assert!(value(&dice, "opening_variety") >= 1.0, "the first move comes after the first throw");
    for (game, seats) in [(spec("three.lud"), 3), (wonders, 3)] {
        let mut plan = plan(game.clone(), Tier::Ladder);
        (plan.random_games, plan.games, plan.simulations) = (16, 2, Some(4));
        plan.time[2] = Duration::from_millis(1);
        let found = judged(&plan);
        assert_eq!(found.players, seats, "{game}");
        assert!(found.metrics.contains_key(&format!("seat_{seats}")), "{game}");
        assert!(found.metrics.contains_key("uncertainty"), "{game}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.sqlite");
    let plan = plan(spec("fill.lud"), Tier::Searched);
    let whole = judged(&plan);
    let store = Store::open(&path).unwrap();
    let stop = AtomicBool::new(false);
    let stopped = evaluate(&plan, &store, &stop, &mut |step| {
        if let ludex_judge::evaluate::Step::Searched(done, _) = step
            && done >= 3
        {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(matches!(stopped, Err(JudgeError::Stopped)));
    let again = evaluate(&plan, &store, &AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(again.metrics, whole.metrics);
}

#[test]
fn games_that_cannot_be_judged_are_refused_in_words() {
    let store = Store::open(Path::new(":memory:")).unwrap();
    let plan = plan(GameSpec::named("no-such-game"), Tier::Random);
    let fault = evaluate(&plan, &store, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert!(fault.to_string().contains("no-such-game"), "{fault}");
}
