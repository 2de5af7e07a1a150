//! Files of features that are broken, made for another game, or far too large: a sentence each, in bounded time.

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::features::learn::{Plan, Stage, board_of, learn};
use ludex_arena::features::transfer::{carry, likeness};
use ludex_arena::features::{FeatureFile, load_features};
use ludex_game::Game;
use ludex_play::features::learn::Limits;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn game(name: &str, option: Option<&str>) -> Arc<dyn Game> {
    let options = option.into_iter().map(str::to_string).collect();
    catalog::load(&GameSpec { options, ..GameSpec::named(name) }).expect("a game of our own")
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn toml(features: &[&str]) -> String {
    let mut text = "game = \"hex\"\n[[player]]\n".to_string();
    for feature in features {
        text += &format!("[[player.features]]\nfeature = '{feature}'\nweight = 1.5\n");
    }
    text
}

#[test]
fn broken_files_are_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        ("a.toml", "game = ", "a.toml"),
        ("b.toml", "game = \"hex\"\nplayer = []\nwrong = 1\n", "unknown field `wrong`"),
        ("c.toml", &toml(&["rel:to=<{}>:pat=<els=[q{0}]>"]), "c.toml"),
        (
            "d.toml",
            "game=\"hex\"\n[[player]]\n[[player.features]]\nfeature='PassMove'\nweight=nan\n",
            "no number",
        ),
        ("e.fs", "rel:to=<{}>:pat=<els=[]>\n", "there are no weights beside it"),
        ("f.txt", "1.0\n", "`FeatureSet=` is missing"),
        ("g.def", "(game)", ""),
        ("h.png", "", "features are kept in"),
        ("i.toml", "game = \u{1}\u{2}", "no text"),
    ];
    for (name, text, said) in cases {
        let path = written(folder.path(), name, text);
        let fault = load_features(&path).expect_err(name).to_string();
        assert!(fault.contains(said) && fault.contains(name), "{name}: {fault}");
    }
    let fault = load_features(&folder.path().join("none.toml")).expect_err("absent").to_string();
    assert!(fault.contains("none.toml"), "{fault}");
    let large = "x".repeat(ludex_lang::features::MAX_FILE + 1);
    let path = written(folder.path(), "large.toml", &large);
    assert!(load_features(&path).expect_err("large").to_string().contains("too large"));
}

#[test]
fn features_of_another_game_are_refused_or_left_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = [
        "rel:to=<{}>:pat=<els=[R40{0}]>",
        "rel:to=<{}>:pat=<els=[f{0}]>",
        // A walk that leaves every board.
        "rel:to=<{}>:pat=<els=[f{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}]>",
        "rel:to=<{}>:pat=<els=[I9{0}]>",
    ];
    let path = written(folder.path(), "far.toml", &toml(&texts));
    let set = load_features(&path).expect("a set");
    let hex = game("hex", Some("Board Size/7x7"));
    for (number, said) in [(0, "no fixed region 40"), (3, "there is no piece 9")] {
        let path = written(folder.path(), "one.toml", &toml(&texts[number..=number]));
        let one = load_features(&path).expect("a set").judge(&*hex);
        let fault = one.map(|_| ()).expect_err("of another game").to_string();
        assert!(fault.contains(said), "{fault}");
    }
    let carried = carry(&set, Some(&*hex), &*game("y", None));
    assert_eq!(carried.set.players[0].features.len(), 1);
    assert_eq!(carried.left.len(), 3, "{:?}", carried.left);
    // Where there is no board there are no features.
    let wonders = game("7-wonders", None);
    let fault = set.judge(&*wonders).map(|_| ()).expect_err("no board").to_string();
    assert!(fault.contains("need a board"), "{fault}");
    assert!(board_of(&*wonders).is_err());
    // A walk that leaves every board is no fault: it never holds.
    let path = written(folder.path(), "walk.toml", &toml(&texts[2..3]));
    assert!(load_features(&path).expect("a set").judge(&*hex).is_ok());
}

#[test]
fn ten_thousand_features_are_refused_soon() {
    let mut texts = Vec::new();
    'all: for a in 0..6 {
        for b in 0..6 {
            for c in 0..6 {
                for d in 0..6 {
                    for test in ["f", "e", "-", "!f", "!e", "!-", "#", "!#"] {
                        if texts.len() == 10_000 {
                            break 'all;
                        }
                        texts.push(format!(
                            "rel:to=<{{}}>:pat=<els=[-{{}}, {test}{{{a}/6,{b}/6}}, f{{{c}/6,{d}/6}}]>"
                        ));
                    }
                }
            }
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "many.toml", &toml(&texts));
    let begun = Instant::now();
    let set = load_features(&path).expect("a set");
    let fault = set.judge(&*game("hex", None)).map(|_| ()).expect_err("too many").to_string();
    assert!(fault.contains("at most 1000 features, not 10000"), "{fault}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn rules_that_share_ludemes_are_more_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = toml(&["rel:to=<{}>:pat=<els=[f{0}]>"]);
    let file = FeatureFile::load(&written(folder.path(), "hex.toml", &text)).expect("a file");
    let to = |name: &str| likeness(&file, &GameSpec::named(name)).expect("a description");
    assert!(to("hex") > 0.99);
    assert!(to("y") > to("breakthrough"), "{} {}", to("y"), to("breakthrough"));
    assert!(to("havannah") > to("reversi"), "{} {}", to("havannah"), to("reversi"));
}

/// What was learned so far is handed over after every round, and going on from it ends where one run would have.
#[test]
fn learning_that_was_stopped_goes_on() {
    let plan = |rounds| Plan {
        game: game("tic-tac-toe", None),
        name: "tic-tac-toe".to_string(),
        options: Vec::new(),
        games: 4 * rounds,
        simulations: 50,
        rounds,
        limits: Limits { features: 4, samples: 40, ..Limits::default() },
        time: Duration::from_secs(600),
        matches: 0,
        seed: 3,
        threads: 1,
        stop: Default::default(),
    };
    let mut stages: Vec<Stage> = Vec::new();
    let keep = |stage: &Stage, stages: &mut Vec<Stage>| stages.push(stage.clone());
    let whole = learn(
        &plan(2),
        None,
        |_| {},
        |stage| {
            keep(stage, &mut stages);
            Ok(())
        },
    )
    .expect("learned");
    assert_eq!(stages.len(), 2);
    let again = learn(&plan(2), Some(stages[0].clone()), |_| {}, |_| Ok(())).expect("learned");
    assert_eq!(again.player, whole.player);
    assert_eq!(
        again.learned.map(|l| (l.rounds, l.games)),
        whole.learned.map(|l| (l.rounds, l.games))
    );
}
