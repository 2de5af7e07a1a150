//! What `auto` sees in games, and what it chooses for them.

use std::sync::Arc;
use std::time::Duration;

use ludex_arena::auto::{Book, choose};
use ludex_arena::catalog::{self, GameSpec};
use ludex_game::{Families, Game, Player, Rng};
use ludex_play::evaluation::{Evaluation, Features, Linear, Scratch, squash};
use ludex_play::search::Budget;
use ludex_play::survey::{Goal, Survey};

fn named(name: &str) -> Arc<dyn Game> {
    catalog::load(&GameSpec::named(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn agent(game: &Arc<dyn Game>) -> String {
    let budget = Budget::time(Duration::from_millis(50));
    choose(game, None, budget, Book::usual()).spec.to_string()
}

#[test]
fn goals_are_seen_and_accidents_are_not() {
    let goal = |name: &str| Survey::of(&*named(name)).goal;
    for name in ["breakthrough", "breakthrough.lud", "knightthrough.lud"] {
        assert_eq!(goal(name), Goal::Reach, "{name}");
    }
    assert_eq!(goal("lines-of-action"), Goal::Group);
    assert_eq!(goal("gomoku"), Goal::Line(5));
    // Games in which somebody cannot move any more end anywhere.
    for name in ["konane", "amazons", "clobber", "domineering.lud"] {
        assert_eq!(goal(name), Goal::Other, "{name}");
    }
}

#[test]
fn pieces_that_are_turned_over_are_seen() {
    assert!(Survey::of(&*named("reversi")).turned > 0.9);
    for name in ["breakthrough.lud", "chess", "hex", "go"] {
        assert_eq!(Survey::of(&*named(name)).turned, 0.0, "{name}");
    }
}

#[test]
fn games_are_played_by_what_suits_them() {
    for name in ["konane", "amazons", "hex", "connect-four"] {
        assert_eq!(agent(&named(name)), "uct(solve)", "{name}");
    }
    assert_eq!(agent(&named("reversi")), "uct(solve) + mast");
    for name in ["breakthrough.lud", "lines-of-action", "chess", "gomoku"] {
        assert!(agent(&named(name)).starts_with("alphabeta"), "{name}");
    }
}

#[test]
fn without_a_look_auto_is_the_same_for_all_games() {
    let at_once = |text: &str| ludex_arena::auto::at_once(text.parse().unwrap()).to_string();
    assert_eq!(at_once("auto"), "uct(c=0.7, solve, reuse=20, nodes=2000000)");
    assert!(at_once("auto(threads=2)").contains("threads=2"));
    assert!(at_once("auto + level(n=3)").starts_with("uct(c=0.7, solve"));
    assert_eq!(at_once("uct + mast"), "uct + mast");
}

/// What is measured anew in every position is the same whether the rest is kept from the last one or read whole.
#[test]
fn sides_to_join_and_kings_are_judged_where_there_are_some() {
    for (name, has, lacks) in [
        ("hex", "joining", "guard"),
        ("chess", "guard", "joining"),
        ("amazons", "nearer-slides", "joining"),
    ] {
        let game = named(name);
        let all = Features::new(&*game);
        let groups: Vec<&str> = all.groups().map(|(name, _)| name).collect();
        assert!(groups.contains(&has) && !groups.contains(&lacks), "{name}: {groups:?}");
        let features = Arc::new(all.only(|group| group == has || group == "mobility"));
        let weights: Arc<[f32]> = (0..features.len()).map(|at| 0.1 + 0.07 * at as f32).collect();
        let mut kept = Linear::new(features.clone(), weights.clone());
        let (mut rng, mut families) = (Rng::seeded(3), Families::default());
        let (mut state, mut values) = (game.start(), Vec::new());
        while let Some(mover) = game.turn(&state).mover().filter(|_| values.len() < 60) {
            let mut sum = 0.0;
            let add = |at: usize, value: f32| sum += weights[at] * value;
            let side = features.read(&*game, &state, Player(0), &mut Scratch::default(), add);
            let found = kept.value(&*game, &state, Player(0));
            assert!(
                (side * squash(sum) - found).abs() < 1e-3,
                "{name} after {} plies",
                values.len()
            );
            values.push(found);
            let drawn = game.random_move(&state, mover, &mut rng, &mut families);
            game.apply(&mut state, &[drawn]);
        }
        values.dedup();
        assert!(values.len() > 10, "{name}: {values:?}");
    }
}
