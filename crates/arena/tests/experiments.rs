//! Experiments run the same on any number of threads, go on where they stopped, and never touch files that
//! are not theirs.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ludex_arena::experiment::{
    Experiment, Merged, Progress, RunOptions, RunSummary, Share, Store, run, run_until,
};
use ludex_play::search::Stop;

const FILE: &str = r#"
title = "Small"
games = ["breakthrough --size 5x5", "domineering --size 4x4"]
matches = 6
simulations = 20
seed = 3

[agents]
PPA = "uct + ppa"
MAST = "uct + mast"
Random = "random"
"#;

fn small() -> Experiment {
    Experiment::read("small.toml", FILE).unwrap_or_else(|error| panic!("{error}"))
}

fn play(experiment: &Experiment, path: &Path, threads: usize) -> RunSummary {
    let (stop, store) = (AtomicBool::new(false), Store::open(path).unwrap());
    let options =
        RunOptions { threads, folder: Path::new("."), rules: None, stop: &stop, share: Share::All };
    run(experiment, &store, options, &mut |_| {}).unwrap()
}

fn fingerprint(path: &Path) -> Vec<String> {
    Store::open_to_read(path).unwrap().fingerprint().unwrap()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (one, three) = (folder.path().join("1.sqlite"), folder.path().join("3.sqlite"));
    let summary = play(&small(), &one, 1);
    assert_eq!((summary.played, summary.stopped), (36, false));
    play(&small(), &three, 3);
    assert_eq!(fingerprint(&one), fingerprint(&three));
    assert_eq!(fingerprint(&one).len(), 36);
}

#[test]
fn parts_that_are_merged_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    play(&small(), &file("whole"), 1);
    let all = Store::open(&file("all")).unwrap();
    for part in 1..=4 {
        let (path, stop) = (file(&format!("part-{part}")), AtomicBool::new(false));
        let share = Share::Shard(format!("{part}/4").parse().unwrap());
        let options =
            RunOptions { threads: 1, folder: Path::new("."), rules: None, stop: &stop, share };
        let store = Store::open(&path).unwrap();
        assert_eq!(run(&small(), &store, options, &mut |_| {}).unwrap().played, 9);
        assert_eq!(all.absorb(&path).unwrap(), Merged { added: 9, known: 0 });
        assert_eq!(all.absorb(&path).unwrap(), Merged { added: 0, known: 9 });
    }
    let itself = all.absorb(&file("all")).unwrap_err().to_string();
    assert!(itself.ends_with("a store cannot be added to itself"), "{itself}");
    assert_eq!(fingerprint(&file("all")), fingerprint(&file("whole")));
    assert_eq!(play(&small(), &file("all"), 1).played, 0);
}

#[test]
fn a_stopped_run_goes_on_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole.sqlite"), folder.path().join("parts.sqlite"));
    play(&small(), &whole, 2);
    let mut played = 0;
    for round in 1.. {
        let (stop, store) = (AtomicBool::new(false), Store::open(&parts).unwrap());
        let options = RunOptions {
            threads: 2,
            folder: Path::new("."),
            rules: None,
            stop: &stop,
            share: Share::All,
        };
        let mut matches = 0;
        let summary = run(&small(), &store, options, &mut |progress| {
            if let Progress::Match { .. } = progress {
                matches += 1;
                stop.store(matches >= 1, Ordering::Relaxed);
            }
        });
        let summary = summary.unwrap();
        played += summary.played;
        if !summary.stopped {
            assert!(round > 1, "it was interrupted at least once");
            break;
        }
    }
    assert_eq!(played, 36);
    assert_eq!(fingerprint(&parts), fingerprint(&whole));
    assert_eq!(play(&small(), &parts, 1).played, 0, "nothing is left to play");
}

#[test]
fn more_matches_continue_a_finished_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sqlite");
    play(&small().resized(Some(2), None), &path, 1);
    let before = fingerprint(&path);
    assert_eq!(play(&small().resized(Some(4), None), &path, 1).played, 12);
    let after = fingerprint(&path);
    assert!(before.iter().all(|line| after.contains(line)));
}

#[test]
fn a_sequential_test_stops_at_the_same_match_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "sprt = {{ elo0 = 0, elo1 = 200 }}\n{}",
        FILE.replace("matches = 6", "matches = 200")
            .replace("MAST = \"uct + mast\"\n", "")
            .replace(", \"domineering --size 4x4\"", "")
    );
    let experiment = Experiment::read("sprt.toml", &text).unwrap();
    let (one, three) = (folder.path().join("1.sqlite"), folder.path().join("3.sqlite"));
    play(&experiment, &one, 1);
    play(&experiment, &three, 3);
    let found = fingerprint(&one);
    assert!(found.len() < 100, "{} matches against a random player", found.len());
    assert_eq!(found, fingerprint(&three));
    assert_eq!(play(&experiment, &three, 2).played, 0);
}

fn refusal(path: &Path) -> String {
    match Store::open(path) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "not a database, but long enough to look like one could be here")
        .unwrap();
    assert!(refusal(&text).contains("not a result store"), "{}", refusal(&text));
    assert!(std::fs::read_to_string(&text).unwrap().starts_with("not a database"));

    let foreign = folder.path().join("foreign.sqlite");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let before = std::fs::read(&foreign).unwrap();
    assert!(refusal(&foreign).contains("not a result store"));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);

    let later = folder.path().join("later.sqlite");
    play(&small().resized(Some(1), None), &later, 1);
    let connection = rusqlite::Connection::open(&later).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    assert!(refusal(&later).contains("store version 99"));

    assert!(refusal(&folder.path().join("no/such/folder.sqlite")).contains("cannot be opened"));
    assert!(refusal(folder.path()).contains("cannot be written"));
    let missing = folder.path().join("missing.sqlite");
    assert!(Store::open_to_read(&missing).is_err());
    assert!(!missing.exists(), "looking does not make a store");
}

#[test]
fn a_full_disk_is_said_and_what_was_finished_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("full.sqlite");
    play(&small().resized(Some(1), None), &path, 1);
    let kept = fingerprint(&path);
    let store = Store::open(&path).unwrap();
    store.limit_size_for_tests();
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        threads: 2,
        folder: Path::new("."),
        rules: None,
        stop: &stop,
        share: Share::All,
    };
    let many = small().resized(Some(400), None);
    let error = run(&many, &store, options, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("disk is full"), "{error}");
    drop(store);
    let after = fingerprint(&path);
    assert!(kept.iter().all(|line| after.contains(line)));
}

#[test]
fn a_run_that_is_cut_gives_up_matches_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sqlite");
    let (stop, cut, store) = (AtomicBool::new(false), Stop::default(), Store::open(&path).unwrap());
    let options = RunOptions {
        threads: 2,
        folder: Path::new("."),
        rules: None,
        stop: &stop,
        share: Share::All,
    };
    let many = small().resized(Some(40), None);
    let summary = run_until(&many, &store, options, &cut, &mut |progress| {
        if let Progress::Match { .. } = progress {
            cut.raise();
        }
    });
    let summary = summary.unwrap();
    assert!(summary.stopped && summary.failures.is_empty(), "{summary:?}");
    assert!((1..240).contains(&summary.played), "{summary:?}");
    drop(store);
    assert_eq!(play(&many, &path, 2).played, 240 - summary.played);
    let whole = folder.path().join("whole.sqlite");
    play(&many, &whole, 2);
    assert_eq!(fingerprint(&path), fingerprint(&whole));
}

#[test]
fn faults_show_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sqlite");
    let text = FILE.replace("domineering --size 4x4", "dominering");
    let experiment = Experiment::read("x.toml", &text).unwrap();
    let (stop, store) = (AtomicBool::new(false), Store::open(&path).unwrap());
    let options = RunOptions {
        threads: 1,
        folder: Path::new("."),
        rules: None,
        stop: &stop,
        share: Share::All,
    };
    let error = run(&experiment, &store, options, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("did you mean `domineering`"), "{error}");
    assert!(store.fingerprint().unwrap().is_empty());
}

#[test]
fn reports_say_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sqlite");
    let text = FILE.replace("simulations = 20", "simulations = [5, 20]")
        + "[[pairings]]\nagents = [\"PPA\", \"Random\"]\npaper = { \"domineering --size 4x4\" = [1.5, 0.5] }\n";
    let experiment = Experiment::read("x.toml", &text).unwrap();
    play(&experiment, &path, 1);
    let store = Store::open_to_read(&path).unwrap();
    let reports = ludex_arena::report::gather(&store).unwrap();
    assert_eq!(reports.len(), 4);
    assert!(reports.iter().all(|report| report.tallies[0].matches == 6));
    assert_eq!(reports[1].agrees(), Some(false), "a searching player wins more than 1.5%");
    let text = ludex_arena::report::text(&reports);
    assert!(text.contains("Small: PPA vs Random, 20 simulations"), "{text}");
    assert!(text.contains("1.5 ± 0.5"), "{text}");
    let markdown = ludex_arena::report::markdown(&reports);
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| domineering")).count(), 2);
    let csv = ludex_arena::report::csv(&reports);
    // Commas inside quotation marks belong to a field.
    let fields = |line: &str| line.split('"').step_by(2).map(|out| out.matches(',').count()).sum();
    let columns: Vec<usize> = csv.lines().map(fields).collect();
    assert!(columns.len() == 9 && columns.iter().all(|&count| count == columns[0]), "{csv}");
    let page = ludex_arena::report::html(&store.title().unwrap(), &reports, &[]);
    assert!(page.contains("<h2>Win rate against budget</h2>"));
    assert!(page.contains("Milliseconds for 1000 simulations"));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn experiments_that_share_matches_keep_their_own_plans() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.sqlite");
    let other = FILE.replace("\"Small\"", "\"Large\"").replace("matches = 6", "matches = 8");
    play(&small(), &path, 1);
    let summary = play(&Experiment::read("large.toml", &other).unwrap(), &path, 1);
    assert_eq!(summary.played, 12, "two more for each of six cells");
    let reports = ludex_arena::report::gather(&Store::open_to_read(&path).unwrap()).unwrap();
    let of = |title: &str| reports.iter().filter(|r| r.cell.experiment == title).count();
    assert_eq!((of("Small"), of("Large")), (6, 6));
    assert!(reports.iter().all(|report| report.tallies[0].matches == 8));
    assert!(!ludex_arena::report::text(&reports).contains("8 of 6"));
}
