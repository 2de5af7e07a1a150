//! Bit-parallel playouts have the same distribution as single ones.

use std::collections::BTreeMap;

use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Game, Rng};
use ludex_gdl::Bounds;
use ludex_gdl::{Engine, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif;

/// A race on a ring with a choice of steps, a die, and simultaneous moves: lengths and goals vary.
const RACE: &str = "
(role left) (role right) (role random)
(init (at left 0)) (init (at right 0))
(plus 0 1 1) (plus 1 1 2) (plus 2 1 3) (plus 3 1 4) (plus 4 1 5) (plus 5 1 6)
(plus 0 2 2) (plus 1 2 3) (plus 2 2 4) (plus 3 2 5) (plus 4 2 6)
(plus 0 3 3) (plus 1 3 4) (plus 2 3 5) (plus 3 3 6)
(<= (legal ?p (go ?n)) (person ?p) (true (at ?p ?x)) (plus ?x ?n ?y))
(person left) (person right)
(<= (legal ?p rest) (person ?p))
(legal random storm) (legal random calm) (legal random gale)
(<= (next (at ?p ?y)) (does ?p (go ?n)) (true (at ?p ?x)) (plus ?x ?n ?y) (not (does random storm)))
(<= (next (at ?p ?x)) (does ?p (go ?n)) (true (at ?p ?x)) (does random storm))
(<= (next (at ?p ?x)) (does ?p rest) (true (at ?p ?x)))
(<= (done ?p) (true (at ?p 6)))
(<= terminal (done ?p))
(<= (goal ?p 100) (done ?p) (other ?p ?q) (not (done ?q)))
(<= (goal ?p 50) (done ?p) (other ?p ?q) (done ?q))
(<= (goal ?p 0) (person ?p) (not (done ?p)))
(other left right) (other right left)
(goal random 0)
";

type Counts = BTreeMap<(Vec<i32>, u32), u64>;

fn game(engine: Engine) -> std::sync::Arc<dyn Game> {
    let checked = kif::read(SourceId(0), RACE).expect("the rules are right");
    let bounds = Bounds::default();
    compile("race", &checked.description, Some(engine), &bounds).expect("it compiles").into_game()
}

fn key(payoffs: &[f32], plies: u32) -> (Vec<i32>, u32) {
    (payoffs.iter().map(|payoff| (payoff * 100.0) as i32).collect(), plies.min(12))
}

fn single(game: &dyn Game, count: u64) -> Counts {
    let (mut rng, mut scratch) = (Rng::seeded(1), Scratch::default());
    let start = game.start();
    let mut state = start.clone();
    let mut payoffs = vec![0.0; game.info().players];
    let mut counts = Counts::new();
    for _ in 0..count {
        state.copy_from(&start);
        let sampling = &mut Sampling::default();
        let plies = game.playout(&mut state, sampling, Style::Optimised, &mut scratch, &mut rng);
        game.payoffs(&state, &mut payoffs);
        *counts.entry(key(&payoffs, plies)).or_default() += 1;
    }
    counts
}

/// Chi-squared statistic of two samples of equal size, and its degrees of freedom.
fn chi_squared(one: &Counts, other: &Counts) -> (f64, usize) {
    let mut keys: Vec<_> = one.keys().chain(other.keys()).collect();
    keys.sort();
    keys.dedup();
    let count = |counts: &Counts, key| counts.get(key).copied().unwrap_or(0) as f64;
    let terms = keys.iter().filter_map(|&key| {
        let (a, b) = (count(one, key), count(other, key));
        (a + b > 20.0).then(|| (a - b).powi(2) / (a + b))
    });
    let terms: Vec<f64> = terms.collect();
    (terms.iter().sum(), terms.len() - 1)
}

#[test]
fn outcomes_and_lengths_have_the_same_distribution() {
    let game = game(Engine::Network);
    let count = 40_000;
    let mut batch = Counts::new();
    let mut rng = Rng::seeded(2);
    let ran = game.playout_batch(&game.start(), &mut rng, count, &mut |payoffs, plies| {
        *batch.entry(key(payoffs, plies)).or_default() += 1;
    });
    assert!(ran);
    assert_eq!(batch.values().sum::<u64>(), count, "every playout that is started is reported");
    let (chi, freedom) = chi_squared(&single(&*game, count), &batch);
    // Mean and standard deviation of the statistic are the freedom and √(2·freedom).
    let bound = freedom as f64 + 4.5 * (2.0 * freedom as f64).sqrt();
    assert!(freedom > 10 && chi < bound, "{chi} with {freedom} degrees of freedom");
}

#[test]
fn both_engines_have_the_same_distribution() {
    let count = 6_000;
    let [one, other] =
        [Engine::Network, Engine::Datalog].map(|engine| single(&*game(engine), count));
    let (chi, freedom) = chi_squared(&one, &other);
    let bound = freedom as f64 + 4.5 * (2.0 * freedom as f64).sqrt();
    assert!(freedom > 5 && chi < bound, "{chi} with {freedom} degrees of freedom");
}

#[test]
fn the_same_seed_gives_the_same_batch() {
    let game = game(Engine::Network);
    let run = |seed| {
        let mut lengths = Vec::new();
        game.playout_batch(&game.start(), &mut Rng::seeded(seed), 1000, &mut |_, plies| {
            lengths.push(plies)
        });
        lengths
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}
