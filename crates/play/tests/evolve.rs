//! Formulas and their evolution.

use ludex_game::Rng;
use ludex_play::evolve::{
    Batch, Config, Evolution, Formula, Judged, Node, Operators, Replacement, Scheme,
};

fn names() -> Vec<String> {
    ["Xa", "own pieces", "opponent's pieces", "turn"].map(str::to_string).to_vec()
}

fn all_operators() -> Operators {
    Operators { divide: true, min_max: true, choice: true }
}

fn many(config: &Config, seed: u64) -> Vec<Formula> {
    Evolution::new(config.clone(), names().len(), seed).ask()
}

fn value(formula: &Formula, attributes: &[f32]) -> f64 {
    formula.value(attributes, &mut Vec::new())
}

#[test]
fn texts_lead_back() {
    let config = Config { population: 400, operators: all_operators(), ..Config::default() };
    for formula in many(&config, 1) {
        let text = formula.to_text(&names());
        let read =
            Formula::parse(&text, &names()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, formula, "{text}");
    }
}

#[test]
fn simplified_formulas_are_equal() {
    let config = Config { population: 400, operators: all_operators(), ..Config::default() };
    let rng = &mut Rng::seeded(5);
    for formula in many(&config, 2) {
        let simple = formula.simplified();
        for _ in 0..5 {
            let attributes: Vec<f32> = (0..4).map(|_| rng.below(9) as f32).collect();
            let (a, b) = (value(&formula, &attributes), value(&simple, &attributes));
            let near = (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()));
            assert!(
                near || !a.is_finite(),
                "{} and {}",
                formula.to_text(&names()),
                simple.to_text(&names())
            );
        }
    }
}

#[test]
fn many_positions_at_once_have_the_same_values() {
    let config = Config { population: 100, operators: all_operators(), ..Config::default() };
    let rng = &mut Rng::seeded(6);
    let mut batch = Batch::new(4);
    for formula in many(&config, 3) {
        let count = 1 + rng.below(40);
        let rows: Vec<Vec<f32>> =
            (0..count).map(|_| (0..4).map(|_| rng.below(9) as f32 - 3.0).collect()).collect();
        batch.clear();
        rows.iter().for_each(|row| batch.push(row));
        let mut values = Vec::new();
        batch.values(&formula, |index, value| {
            assert_eq!(index, values.len());
            values.push(value);
        });
        let singly: Vec<f64> = rows.iter().map(|row| value(&formula, row)).collect();
        assert_eq!(values, singly, "{}", formula.to_text(&names()));
    }
}

#[test]
fn products_are_collected() {
    let text = "(Xa + 1) * (Xa - 1) + 2 * Xa - Xa - Xa + max(2, 3) * turn";
    let formula = Formula::parse(text, &names()).unwrap();
    assert_eq!(formula.simplified().to_text(&names()), "Xa * Xa + 3 * turn - 1");
    let nothing = Formula::parse("Xa - Xa", &names()).unwrap();
    assert_eq!(nothing.simplified().to_text(&names()), "0");
}

#[test]
fn faults_in_formulas_are_named() {
    let fault = |text: &str| Formula::parse(text, &names()).unwrap_err().to_string();
    assert_eq!(fault("Xb + 1"), "`Xb` is not an attribute of this game, did you mean `Xa`?");
    assert_eq!(fault("Xa + "), "expected a number, a name or `(` at column 6 of the formula");
    assert_eq!(fault("(Xa"), "expected `)` at column 4 of the formula");
    assert_eq!(fault("min(Xa)"), "expected `,` at column 7 of the formula");
    assert_eq!(fault("Xa turn"), "expected the end at column 4 of the formula");
    assert_eq!(fault(&"(".repeat(100_000)), "the formula is nested too deeply");
    assert_eq!(fault(&"-".repeat(100_000)), "the formula is nested too deeply");
    assert!(Formula::from_nodes(vec![Node::Add, Node::Constant(1.0)]).is_none());
    assert!(Formula::from_nodes(Vec::new()).is_none());
}

/// How near a formula comes to `x² + y` on a grid.
fn closeness(formula: &Formula) -> f64 {
    let mut error = 0.0;
    for x in -3..=3i8 {
        for y in -3..=3i8 {
            let wanted = f64::from(x) * f64::from(x) + f64::from(y);
            let found = value(formula, &[f32::from(x), f32::from(y), 0.0, 0.0]);
            error += (wanted - found).abs().min(1e6);
        }
    }
    -error
}

fn run(mut evolution: Evolution, births: u64) -> Evolution {
    while evolution.births() < births {
        let asked = evolution.ask();
        if asked.is_empty() {
            break;
        }
        let judged = asked.iter().map(|formula| closeness(formula).into()).collect();
        evolution.tell(asked, judged);
    }
    evolution
}

fn configs() -> Vec<Config> {
    let usual =
        Config { population: 60, generations: 40, subtree_mutation: 0.1, ..Config::default() };
    let generational = Scheme::Generational { elite: 2 };
    vec![
        usual.clone(),
        Config { scheme: generational, ..usual.clone() },
        Config { replacement: Replacement::IfNotWorse, parsimony: 0.01, ..usual.clone() },
        Config { operators: all_operators(), deepest: 6, tournament: 4, ..usual },
    ]
}

#[test]
fn evolution_gets_better_and_keeps_its_limits() {
    for config in configs() {
        let first = run(Evolution::new(config.clone(), 4, 7), 1);
        let last = run(Evolution::new(config.clone(), 4, 7), u64::MAX);
        let (before, after) = (first.best().unwrap().fitness(), last.best().unwrap().fitness());
        assert!(after > before, "{config:?}: {before} {after}");
        assert_eq!(last.births(), last.last_birth());
        assert_eq!(last.population().len(), config.population);
        let deepest = last.population().iter().map(|one| one.formula.depth()).max().unwrap();
        assert!(deepest <= config.deepest.max(config.initial_depths.1));
    }
}

#[test]
fn a_run_that_stopped_goes_on_as_if_it_had_not() {
    for config in configs() {
        let whole = run(Evolution::new(config.clone(), 4, 11), u64::MAX);
        let part = run(Evolution::new(config.clone(), 4, 11), 700);
        let restored = Evolution::restored(config, 4, 11, part.past().clone());
        let resumed = run(restored, u64::MAX);
        assert_eq!(resumed.population(), whole.population());
        assert_eq!(resumed.best(), whole.best());
    }
}

#[test]
fn first_populations_are_ramped() {
    let config = Config { population: 100, ..Config::default() };
    let formulas = many(&config, 3);
    let depths: Vec<usize> = formulas.iter().map(Formula::depth).collect();
    for depth in 2..=6 {
        assert!(depths.contains(&depth));
    }
    assert!(depths.iter().all(|depth| (1..=6).contains(depth)));
}

#[test]
fn nobody_is_born_twice_and_families_stay_small() {
    let config = Config { population: 8, generations: 20, crowding: 0.3, ..Config::default() };
    let mut evolution = Evolution::new(config, 4, 3);
    while let asked @ [_, ..] = &evolution.ask()[..] {
        let asked = asked.to_vec();
        // A match for each number from -4 to 5; the formula wins where its value is larger.
        let judged = asked.iter().map(|formula| {
            let won = |bar: i8| value(formula, &[1.0, 2.0, 0.5, 3.0]) > f64::from(bar);
            let achieved: Vec<bool> = (-4..=5).map(won).collect();
            let fitness = achieved.iter().filter(|won| **won).count() as f64 / 10.0;
            Judged { fitness, achieved }
        });
        let judged = judged.collect();
        let all_new = evolution.past().known.len() + asked.len();
        evolution.tell(asked, judged);
        assert_eq!(evolution.past().known.len(), all_new);
    }
    // Those who came later than the first population are no twins of each other.
    let born_later: Vec<_> = evolution.population().iter().filter(|one| one.born >= 8).collect();
    for (at, one) in born_later.iter().enumerate() {
        let twin =
            born_later[..at].iter().find(|other| other.judged.achieved == one.judged.achieved);
        assert!(twin.is_none(), "{one:?} {twin:?}");
    }
}

#[test]
fn formulas_that_order_alike_are_one() {
    let known = |texts: &[&str]| {
        let mut evolution = Evolution::new(Config::default(), names().len(), 1);
        let formulas = texts.iter().map(|text| Formula::parse(text, &names()).unwrap()).collect();
        evolution.tell(formulas, vec![Judged::default(); texts.len()]);
        evolution.past().known.len()
    };
    assert_eq!(known(&["Xa + turn", "2 * turn + Xa * 2 - 1", "turn - (0 - Xa) + 0.5"]), 1);
    assert_eq!(known(&["Xa + turn", "0 - Xa - turn", "Xa + 2 * turn", "min(Xa, turn)", "Xa"]), 5);
    assert_eq!(known(&["min(Xa, turn)", "max(Xa, turn)", "min(Xa, turn) + Xa"]), 3);
}
