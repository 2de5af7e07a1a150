//! Evolving evaluations by matches.

use std::path::{Path, PathBuf};

use ludex_arena::evolve::{FormulaFile, Plan, Run, Training, with_formula};
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
        (training.fitness(&formula), training.validate(&formula, 9))
    };
    assert_eq!(on(1), on(3));
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
