//! Values computed by hand of the numbers that only searches, ladders and special games have.

mod tools;

use std::time::Duration;

use ludex_judge::Tier;
use tools::{judged, near, plan, spec, value};

#[test]
fn a_forced_game_repeats_two_of_seven_positions() {
    let found = judged(&plan(spec("shuttle.lud"), Tier::Random));
    // Six plies give seven positions. After four and five plies both stand as they did at first and after one; after
    // six it is nobody's turn.
    for (name, expected) in [
        ("length", 6.0),
        ("branching", 1.0),
        ("decisions", 0.0),
        ("coverage", 1.0),
        ("repetition", 2.0 / 7.0),
        ("first_seat", 1.0),
        ("game_tree", 0.0),
        ("opening_variety", 1.0),
    ] {
        near(&found, name, expected);
    }
    assert!(!found.metrics.contains_key("decision_factor"), "nobody ever has a choice");
}

#[test]
fn a_game_that_is_known_from_the_start_by_hand() {
    let found = judged(&plan(spec("fill.lud"), Tier::Searched));
    // P1 has won whatever happens, and every search says so of every position.
    for (name, expected) in [
        ("first_seat", 1.0),
        ("first_seat_at_60", 1.0),
        ("first_seat_at_15", 1.0),
        ("first_seat_at_3", 1.0),
        ("drama", 0.0),
        ("uncertainty", 0.0),
        ("decided_at", 0.0),
        ("lead_changes", 0.0),
        ("killer_moves", 0.0),
        ("first_move_spread", 0.0),
        ("good_first_moves", 3.0),
        ("length", 3.0),
        ("branching", 2.0),
        ("random_length", 3.0),
        ("random_branching", 2.0),
    ] {
        near(&found, name, expected);
    }
    // No gain, so none that stayed. Where all moves are worth the same, all are looked at alike.
    assert!(!found.metrics.contains_key("permanence"));
    assert!(value(&found, "clarity") > 0.99, "{}", value(&found, "clarity"));
}

#[test]
fn one_good_first_move_of_three_by_hand() {
    let mut plan = plan(spec("fork.lud"), Tier::Searched);
    // So curious that the lost moves are looked at often enough for their values to count.
    (plan.agent, plan.simulations) = ("uct(c=4)".parse().unwrap(), Some(120));
    let found = judged(&plan);
    for (name, expected) in [
        ("length", 1.0),
        ("branching", 3.0),
        ("decision_factor", 3.0),
        ("decisions", 1.0),
        ("first_seat", 1.0),
        ("opening_variety", 1.0),
        ("good_first_moves", 1.0),
        // The values are one, nought and nought: their mean is a third, the squares of what they are off by 6/9.
        ("first_move_spread", (6.0 / 9.0 / 2.0f64).sqrt()),
    ] {
        near(&found, name, expected);
    }
    let random = &found.metrics["random_first_seat"];
    assert!(random.low.unwrap() < 1.0 / 3.0 && 1.0 / 3.0 < random.high.unwrap(), "{random:?}");
}

#[test]
fn thinking_longer_is_worth_nothing_where_the_seat_decides() {
    let mut plan = plan(spec("fill.lud"), Tier::Ladder);
    plan.time[2] = Duration::from_secs(20);
    (plan.games, plan.simulations) = (8, Some(16));
    let found = judged(&plan);
    // Both sides sit in the first seat equally often, and whoever does wins.
    for (name, expected) in [("luck", 0.5), ("skill_depth", 0.0), ("first_seat_at_64", 1.0)] {
        near(&found, name, expected);
    }
}

#[test]
fn a_game_for_one_has_a_score() {
    let found = judged(&plan(spec("alone.lud"), Tier::Random));
    for (name, expected) in
        [("score", 1.0), ("length", 2.0), ("branching", 1.5), ("unfinished", 0.0)]
    {
        near(&found, name, expected);
    }
    assert!(!found.metrics.contains_key("first_seat") && !found.metrics.contains_key("draws"));
}
