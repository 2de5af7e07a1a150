//! Results are what they say: kept by what was played, never by a name or a path.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::experiment::{Experiment, RunOptions, Share, Store, run};
use ludex_arena::report::{self, CellReport};

const GAME: &str = r#"
(game "Three" (players 2) (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"#;

const FILE: &str = r#"
title = "Own"
games = ["own.lud"]
matches = 4
simulations = 5

[agents]
A = "uct + mast"
B = "random"
"#;

/// Runs an experiment whose files lie in `folder`; returns how many matches were played.
fn play(text: &str, folder: &Path, store: &Path) -> u64 {
    let experiment = Experiment::read("own.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let (stop, store) = (AtomicBool::new(false), Store::open(store).unwrap());
    let options = RunOptions { threads: 1, folder, rules: None, stop: &stop, share: Share::All };
    run(&experiment, &store, options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}")).played
}

fn reports(store: &Path) -> Vec<CellReport> {
    report::gather(&Store::open_to_read(store).unwrap()).unwrap()
}

/// A folder with the game, and a store that is not there yet.
fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("own.lud"), GAME).unwrap();
    let store = folder.path().join("own.sqlite");
    (folder, store)
}

#[test]
fn edited_rules_are_another_game() {
    let (folder, store) = folder();
    assert_eq!(play(FILE, folder.path(), &store), 4);
    let file = folder.path().join("own.lud");
    std::fs::write(&file, format!("// A comment changes nothing.\n{GAME}")).unwrap();
    assert_eq!(play(FILE, folder.path(), &store), 0);
    std::fs::write(&file, GAME.replace("Mover Win", "Mover Loss")).unwrap();
    assert_eq!(play(FILE, folder.path(), &store), 4, "nothing is known of the new rules");
    let reports = reports(&store);
    assert_eq!(reports.len(), 2);
    assert!(reports.iter().all(|report| report.tallies[0].matches == 4));
    assert_ne!(reports[0].game, reports[1].game);
    let text = report::text(&reports);
    assert!(text.matches("own.lud (rules ").count() == 2 && !text.contains("\nall "), "{text}");
}

#[test]
fn the_same_rules_elsewhere_are_the_same_game() {
    let (folder, store) = folder();
    assert_eq!(play(FILE, folder.path(), &store), 4);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("moved.lud"), GAME).unwrap();
    let moved = FILE.replace("own.lud", "moved.lud");
    assert_eq!(play(&moved, elsewhere.path(), &store), 0, "neither name nor path counts");
}

#[test]
fn agents_under_one_name_are_kept_apart() {
    let (folder, store) = folder();
    play(FILE, folder.path(), &store);
    let changed = FILE.replace("uct + mast", "uct + mast(epsilon=0.2)");
    assert_eq!(play(&changed, folder.path(), &store), 4);
    let said_otherwise = FILE.replace("uct + mast", "uct(c = 0.4)+mast");
    assert_eq!(play(&said_otherwise, folder.path(), &store), 0, "the same agent in other words");
    let text = report::text(&reports(&store));
    assert!(
        text.contains("A (uct + mast) vs B") && text.contains("A (uct + mast(epsilon=0.2)) vs B")
    );
    assert!(text.contains("in full: uct(c=0.4, "), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("all ")), "nothing is pooled:\n{text}");
}

#[test]
fn seeds_are_marked() {
    let (folder, store) = folder();
    play(FILE, folder.path(), &store);
    assert_eq!(play(&format!("seed = 2\n{FILE}"), folder.path(), &store), 4);
    let reports = reports(&store);
    let text = report::text(&reports);
    assert!(
        text.contains("5 simulations, seed 1") && text.contains("5 simulations, seed 2"),
        "{text}"
    );
    assert!(report::csv(&reports).contains(",seed,"));
}

#[test]
fn paths_begin_at_the_experiment() {
    let (folder, store) = folder();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::rename(folder.path().join("own.lud"), folder.path().join("deep/own.lud")).unwrap();
    assert_eq!(play(&FILE.replace("own.lud", "deep/own.lud"), folder.path(), &store), 4);
}

#[test]
fn reports_of_own_experiments_have_no_paper_and_no_stray_cells() {
    let (folder, store) = folder();
    play(FILE, folder.path(), &store);
    let reports = reports(&store);
    for text in
        [report::text(&reports), report::markdown(&reports), report::html("Own", &reports, &[])]
    {
        assert!(!text.contains("paper"), "{text}");
        for said in ["seed 1", "version 0.", "processors", "uct(c=0.4, "] {
            assert!(text.contains(said), "no `{said}` in {text}");
        }
    }
    let page = report::html("Own", &reports, &[]);
    let body = page.split("</style>").nth(1).unwrap();
    assert!(!body.contains('|'), "{body}");
    let (header, cells) = (body.matches("<th>").count(), body.matches("<td>").count());
    assert_eq!(header, cells, "one row as long as its header");
}

#[test]
fn agents_alone_and_agents_without_games_have_no_score() {
    let (folder, store) = folder();
    let alone = format!("{FILE}\n[[pairings]]\nagents = [\"A\"]\n");
    play(&alone, folder.path(), &store);
    let all = reports(&store);
    assert!(all[0].is_timing());
    assert!(!report::csv(&all).contains(",1,1,"), "{}", report::csv(&all));
    let csv = report::csv(&all);
    assert!(csv.lines().nth(1).unwrap().contains("own.lud"), "{csv}");
}

#[test]
fn options_that_a_game_does_not_have_are_refused() {
    let refused = |text: &str| {
        let spec: GameSpec = text.parse().unwrap();
        match catalog::load(&spec) {
            Ok(_) => panic!("{text} was loaded"),
            Err(error) => error.to_string(),
        }
    };
    for text in ["hex --size 3x3", "hex --engine foo", "hex --players 3", "hex --sides A"] {
        assert!(refused(text).contains("hex has no option `--"), "{}", refused(text));
    }
    assert!(refused("connect4.kif --size 3x3").contains("--size"));
    assert!(refused("connect4.kif --option \"Board/3\"").contains("--option"));
    assert!(refused("nogo --engine datalog").contains("--engine"));
    assert!(refused("nogo --players 3").contains("players"));
    assert!(refused("hex --option \"No such/Option\"").contains("No such"));
}

#[test]
fn the_key_of_rules_is_their_content() {
    let key = |text: &str| {
        let spec: GameSpec = text.parse().unwrap();
        let found = catalog::find(&spec, Places::here());
        found.unwrap_or_else(|error| panic!("{text}: {error}")).rules
    };
    assert_eq!(key("nogo"), key("nogo --size 8x8"));
    assert_ne!(key("nogo"), key("nogo --size 7x7"));
    assert_ne!(key("nogo"), key("atarigo"));
    assert_ne!(key("breakthrough"), key("breakthrough.lud"));
    assert_eq!(key("7-wonders"), key("7-wonders --players 3"));
    assert_ne!(key("7-wonders"), key("7-wonders --sides B"));
    assert_eq!(key("connect4.kif"), key("connect4.kif --engine datalog"));
    assert_ne!(key("connect4.kif"), key("reversi.kif"));
}

/// The file was written by the program before results were kept by content.
fn old_store() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, _) = folder();
    let path = folder.path().join("old.sqlite");
    std::fs::write(&path, include_bytes!("stores/version2.sqlite")).unwrap();
    (folder, path)
}

const OLD: &str = r#"
title = "Old"
games = ["own.lud", "nogo --size 3x3"]
matches = 2
simulations = 5
seed = 7

[agents]
A = "uct"
B = "random"
"#;

#[test]
fn an_old_store_says_what_it_cannot_tell_apart_and_is_left_as_it_is() {
    let (_folder, path) = old_store();
    let before = std::fs::read(&path).unwrap();
    let store = Store::open_to_read(&path).unwrap();
    let caution = store.caution().unwrap().expect("it was kept by name").to_string();
    assert!(caution.contains("4 matches") && caution.contains("cannot be told apart"), "{caution}");
    let text = report::text(&report::gather(&store).unwrap());
    assert!(text.contains("own.lud (rules unknown)") && text.contains("seed 7"), "{text}");
    drop(store);
    assert_eq!(std::fs::read(&path).unwrap(), before, "looking changes nothing");
}

#[test]
fn an_old_store_goes_on_with_new_results_beside_the_old() {
    let (folder, path) = old_store();
    let old = Store::open_to_read(&path).unwrap().fingerprint().unwrap();
    assert_eq!(play(OLD, folder.path(), &path), 4, "the old matches are not continued");
    assert_eq!(play(OLD, folder.path(), &path), 0);
    let store = Store::open_to_read(&path).unwrap();
    let now = store.fingerprint().unwrap();
    assert!(now.len() == 8 && old.iter().all(|line| now.contains(line)), "nothing is overwritten");
    let reports = report::gather(&store).unwrap();
    assert_eq!(reports.iter().filter(|report| report.game.contains("rules unknown")).count(), 2);
    assert!(store.caution().unwrap().is_some());
}

#[test]
fn a_store_older_than_that_is_read_and_goes_on() {
    let (folder, path) = old_store();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "ALTER TABLE cells ADD COLUMN experiment TEXT NOT NULL DEFAULT '';
             ALTER TABLE cells ADD COLUMN names TEXT NOT NULL DEFAULT '';
             ALTER TABLE cells ADD COLUMN planned INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE cells ADD COLUMN paper REAL;
             ALTER TABLE cells ADD COLUMN paper_half_width REAL;
             UPDATE cells SET (experiment, names, planned) =
                 (SELECT experiment, names, planned FROM plans WHERE cell = id);
             DROP TABLE plans; PRAGMA user_version = 1;",
        )
        .unwrap();
    drop(connection);
    let before = reports(&path);
    assert!(before.len() == 2 && before.iter().all(|r| r.cell.planned == 2));
    assert_eq!(play(OLD, folder.path(), &path), 4);
    assert_eq!(reports(&path).len(), 4);
}

#[test]
fn a_store_that_does_not_say_who_plays_is_refused() {
    let (_folder, path) = old_store();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("UPDATE plans SET names = '[]'").unwrap();
    let told = report::gather(&Store::open_to_read(&path).unwrap()).unwrap();
    assert!(told.iter().all(|r| r.cell.names == r.cell.specs), "agents stand for their names");
    connection.execute_batch("UPDATE cells SET specs = '[]'").unwrap();
    drop(connection);
    let error = report::gather(&Store::open_to_read(&path).unwrap()).unwrap_err().to_string();
    assert!(error.contains("who plays"), "{error}");
}
