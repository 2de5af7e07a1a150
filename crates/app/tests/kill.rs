//! Whatever keeps its results can be killed at any moment: nothing that was finished is lost, nothing is done twice, and
//! the end is the same as without. Each is killed three times, or `LUDEX_KILLS` times.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludex_arena::experiment::Store;

fn kills() -> u32 {
    std::env::var("LUDEX_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

fn finish(folder: &Path, arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    assert!(start(folder, arguments).wait().expect("it ends").success(), "{arguments:?} fails");
    begun.elapsed()
}

/// Moments after the start, at random within a part of the time that a run takes.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        Moments(u64::from(std::process::id()) ^ 0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self, within: Duration) -> Duration {
        self.0 = ludex_game::mix(self.0.wrapping_add(1));
        within.mul_f64((self.0 % 1000) as f64 / 1000.0) + Duration::from_millis(5)
    }
}

/// Runs the command in a folder and kills it, again and again, with a look at the folder after each time.
fn kill_often(folder: &Path, arguments: &[&str], within: Duration, mut look: impl FnMut()) {
    let mut moments = Moments::new();
    for _ in 0..kills() {
        let mut child = start(folder, arguments);
        sleep(moments.next(within));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        look();
    }
}

const EXPERIMENT: &str = r#"
title = "To be killed"
games = ["breakthrough --size 6x6", "nogo --size 5x5"]
matches = 24
simulations = 60
seed = 5

[agents]
PPA = "uct + ppa"
UCT = "uct"
"#;
const PLANNED: usize = 48;

fn finished(store: &Path) -> Vec<String> {
    Store::open_to_read(store).and_then(|store| store.fingerprint()).unwrap_or_default()
}

#[test]
fn an_experiment_ends_with_exactly_the_planned_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, killed) = (folder.path(), folder.path().join("killed.sqlite"));
    std::fs::write(path.join("x.toml"), EXPERIMENT).expect("writable");
    let alone = finish(path, &["run", "x.toml", "--store", "whole.sqlite", "--threads", "1"]);
    let expected = finished(&path.join("whole.sqlite"));
    assert_eq!(expected.len(), PLANNED);

    let command = ["run", "x.toml", "--store", "killed.sqlite", "--threads", "2"];
    let mut kept = Vec::new();
    // Within the first third, so that something is left for the next time.
    kill_often(path, &command, alone.mul_f64(0.33), || {
        let now = finished(&killed);
        assert!(kept.iter().all(|line| now.contains(line)), "a finished match was lost");
        assert!(now.iter().all(|line| expected.contains(line)), "a match came out differently");
        kept = now;
    });
    finish(path, &command);
    assert_eq!(finished(&killed), expected);
}

/// A command that writes one file, with the lines of the file that depend on the clock.
fn ends_the_same(command: &[&str], file: &str, timed: &str) {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let alone = finish(whole.path(), command);
    // Learning goes on from whole rounds, so moments of its whole time are tried.
    kill_often(killed.path(), command, alone, || {});
    finish(killed.path(), command);
    let [expected, found] = [&whole, &killed].map(|folder| {
        let text = std::fs::read_to_string(folder.path().join(file)).expect("it was written");
        text.lines().filter(|line| !line.starts_with(timed)).collect::<Vec<_>>().join("\n")
    });
    assert_eq!(found, expected, "{command:?}");
}

#[test]
fn evolution_ends_with_the_same_formula() {
    let sizes = ["--generations", "4", "--population", "6", "--games", "10", "--validate", "0"];
    let command = [&["evolve", "breakthrough", "--size", "5x5", "--out", "best.toml"][..], &sizes];
    ends_the_same(&command.concat(), "best.toml", "\0");
}

#[test]
fn learning_features_ends_with_the_same_features() {
    let sizes = ["--games", "6", "--simulations", "30", "--rounds", "3", "--minutes", "10"];
    let command = [&["features", "learn", "tic-tac-toe", "--out", "f.toml"][..], &sizes].concat();
    ends_the_same(&command, "f.toml", "minutes");
    ends_the_same(&command, "f.samples", "\0");
}

#[test]
fn the_search_for_better_rules_loses_no_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let sizes = ["--minutes", "0.05", "--simulations", "5", "--threads", "2"];
    let command = [&["improve", "tic-tac-toe", "--out", "better"][..], &sizes].concat();
    let stores = || -> Vec<String> {
        let files = std::fs::read_dir(path.join("better")).into_iter().flatten().flatten();
        let stores = files.map(|file| file.path());
        let stores = stores.filter(|path| path.extension().is_some_and(|e| e == "sqlite"));
        stores.flat_map(|store| finished(&store)).collect()
    };
    let mut kept: Vec<String> = Vec::new();
    kill_often(path, &command, Duration::from_secs(3), || {
        let now = stores();
        assert!(kept.iter().all(|line| now.contains(line)), "a finished match was lost");
        kept = now;
    });
    finish(path, &command);
    let mut all = stores();
    assert!(kept.iter().all(|line| all.contains(line)) && !all.is_empty());
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!(all.len(), count, "a match was played twice");
}
