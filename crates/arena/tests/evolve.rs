//! Evolving evaluations by matches.

use std::path::{Path, PathBuf};

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::evolve::{FormulaFile, Plan, Run, Training, with_formula};
use ludex_game::{Game, Player};
use ludex_games::{Options, builtin};
use ludex_play::evolve::{Config, Formula};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

fn training(game: &str, opponent: &str, threads: usize) -> Training {
    let size = (game != "7-wonders").then(|| "5x5".parse().unwrap());
    let plan = Plan {
        opponent: opponent.parse().unwrap(),
        budget: Budget::simulations(5),
        samples: 3,
        configurations: 2,
        deals: 4,
        seed: 5,
        threads,
    };
    Training::new(builtin(game, &Options { size, ..Options::default() }).unwrap(), plan).unwrap()
}

fn small() -> Config {
    Config { population: 6, generations: 3, ..Config::default() }
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludex-evolve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn fitness_is_the_same_on_any_number_of_threads() {
    let names = training("7-wonders", "rule-ai", 1).game().attributes().to_vec();
    let formula = Formula::parse("Xvp + 2 * Xmil", &names).unwrap();
    let on = |threads| {
        let training = training("7-wonders", "rule-ai", threads);
        (training.judge(&formula), training.validate(&formula, 9))
    };
    assert_eq!(on(1), on(3));
}

/// The numbers of the first position, by name, from the first player's side.
fn numbers(game: &dyn Game) -> Vec<(String, f32)> {
    let mut values = vec![0.0; game.attributes().len()];
    game.attribute_values(&game.start(), Player::FIRST, &mut values);
    game.attributes().iter().cloned().zip(values).collect()
}

#[test]
fn games_from_text_have_attributes() {
    let of = |name: &str| numbers(&*catalog::load(&GameSpec::named(name)).unwrap());
    let described = of("breakthrough.lud");
    let general = GameSpec { standard: true, ..GameSpec::named("breakthrough.lud") };
    assert_eq!(numbers(&*catalog::load(&general).unwrap()), described);
    let kif = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl/breakthrough.kif");
    let facts = of(&kif.display().to_string());
    let value = |numbers: &[(String, f32)], name: &str| {
        let found = numbers.iter().find(|(known, _)| known == name);
        found.unwrap_or_else(|| panic!("{name} is not among {numbers:?}")).1
    };
    for side in ["own", "opponent's"] {
        let value = |name: &str| value(&described, &format!("{side} {name}"));
        let pieces = described.iter().find(|(name, _)| name.starts_with(&format!("{side} ")));
        assert_eq!(pieces.map(|(_, count)| *count), Some(16.0), "{described:?}");
        assert_eq!((value("mobility"), value("progress")), (22.0, 0.0), "{described:?}");
        assert_eq!((value("nearest to goal"), value("way to goal")), (6.0, 104.0));
    }
    assert_eq!((value(&described, "turn"), value(&facts, "own mobility")), (1.0, 22.0));
    assert_eq!(facts.iter().filter(|(_, count)| *count == 16.0).count(), 2, "{facts:?}");
}

#[test]
fn games_from_text_evolve() {
    for name in ["breakthrough.lud", "mu-torere"] {
        let game = catalog::load(&GameSpec::named(name)).unwrap();
        let plan = Plan { deals: 1, ..training("breakthrough", "random", 1).plan().clone() };
        let config = Config { population: 3, generations: 1, ..Config::default() };
        let mut run = Run::new(Training::new(game, plan).unwrap(), config, None).unwrap();
        run.go_on(|_| true).unwrap();
        assert!(run.best().is_some(), "{name}");
    }
}

#[test]
fn a_stopped_run_goes_on() {
    for (game, opponent) in [("7-wonders", "rule-ai"), ("breakthrough", "random")] {
        let run = |checkpoint| Run::new(training(game, opponent, 1), small(), checkpoint).unwrap();
        let mut whole = run(None);
        whole.go_on(|_| true).unwrap();
        let path = scratch(&format!("{game}.run.toml"));
        let _ = std::fs::remove_file(&path);
        let mut births = 0;
        loop {
            let mut part = run(Some(path.clone()));
            let mut left = 7;
            part.go_on(|progress| {
                left -= 1;
                births = progress.births;
                left > 0
            })
            .unwrap();
            if part.is_over() {
                assert_eq!(part.best(), whole.best());
                break;
            }
        }
        assert_eq!(births, 24);
        let other = Config { population: 8, ..small() };
        let refused = Run::new(training(game, opponent, 1), other, Some(path)).err().unwrap();
        assert!(refused.to_string().contains("it holds another run"), "{refused}");
    }
}

#[test]
fn formulas_are_kept_in_files() {
    let path = scratch("best.toml");
    let file = FormulaFile {
        game: "breakthrough --size 5x5".to_string(),
        formula: "\"own pieces\" - 1.5 * \"opponent's pieces\"".to_string(),
        fitness: Some(0.75),
        born: Some(3),
        seed: None,
    };
    file.save(&path).unwrap();
    assert_eq!(FormulaFile::load(&path).unwrap(), file);
    let text = format!("evolved(file=\"{}\")", path.display());
    let spec = with_formula(text.parse().unwrap(), Path::new("")).unwrap();
    assert_eq!(spec.to_string(), text);
    let AgentSpec::Evolved(evolved) = spec else { panic!("{text}") };
    assert_eq!(evolved.formula, Some(file.formula));
    let missing =
        with_formula("evolved(nowhere.toml)".parse().unwrap(), Path::new("")).unwrap_err();
    assert!(missing.to_string().starts_with("nowhere.toml: "), "{missing}");
    std::fs::write(&path, "game = 3").unwrap();
    assert!(FormulaFile::load(&path).is_err());
}
