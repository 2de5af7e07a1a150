//! Games from ludemes against recorded games of the reference: a fixed sample, both records of each.
//! All records: `ludex replay --library DIR DIR/trials`.
//! The solutions of all puzzles, and games of our own that the reference has played with what the library hardly uses:
//! cards, payoffs, random moves and directions, the start of a turn.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::coverage::{Outcome, replay_file};
use ludex_arena::ludemes::library::files_below;

/// Where the solutions of puzzles lie.
const PUZZLES: &str = "puzzle/deduction";

fn sample() -> Vec<&'static str> {
    let lines = include_str!("replay_sample.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The library and the records of the sample, unpacked once; `None` where there is no archive.
fn unpacked() -> Option<PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(unpack_all).clone()
}

fn unpack_all() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archives = shared.join("oracle/ludii");
    if !archives.join("trials.tar.xz").exists() {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay-sample");
    let whole = sample().join("\n") + PUZZLES;
    if std::fs::read_to_string(folder.join("done")).is_ok_and(|done| done == whole) {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).ok()?;
    let games = sample().into_iter().chain([PUZZLES]);
    let wanted: String = games.map(|game| format!("trials/{game}\n")).collect();
    std::fs::write(folder.join("wanted"), wanted).ok()?;
    let unpack = |archive: &str| {
        let mut tar = Command::new("tar");
        tar.arg("-xJf").arg(archives.join(archive)).arg("-C").arg(&folder);
        tar
    };
    let library = unpack("library.tar.xz").status();
    let records = unpack("trials.tar.xz").arg("-T").arg(folder.join("wanted")).status();
    if !library.is_ok_and(|s| s.success()) || !records.is_ok_and(|s| s.success()) {
        panic!("the archives of recorded games cannot be unpacked");
    }
    std::fs::write(folder.join("done"), whole).ok()?;
    Some(folder)
}

fn fault(defines: &Defines, library: &Path, file: &Path) -> Option<String> {
    let replayed = replay_file(defines, library, file);
    let same = matches!(replayed.outcome, Outcome::Same(_));
    (!same).then(|| format!("{}: {:?}", file.display(), replayed.outcome))
}

fn differences(library: &Path, games: &[&str]) -> Vec<String> {
    let defines = Defines::read(&library.join("def")).expect("the defines of the library");
    let mut faults = Vec::new();
    for game in games {
        for number in 0..2 {
            let file = library.join(format!("trials/{game}/RandomTrial_{number}.txt"));
            faults.extend(fault(&defines, library, &file));
        }
    }
    faults
}

#[test]
fn the_sample_replays_exactly() {
    let games = sample();
    assert!(games.len() >= 150, "only {} games in the sample", games.len());
    let Some(library) = unpacked() else {
        eprintln!("skipped: no recorded games at ../shared/oracle/ludii");
        return;
    };
    let halves = games.split_at(games.len() / 2);
    let faults = thread::scope(|scope| {
        let first = scope.spawn(|| differences(&library, halves.0));
        let mut faults = differences(&library, halves.1);
        faults.extend(first.join().expect("the other half"));
        faults
    });
    assert!(faults.is_empty(), "{} records differ:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_solutions_of_all_puzzles_are_accepted() {
    let Some(library) = unpacked() else {
        eprintln!("skipped: no recorded games at ../shared/oracle/ludii");
        return;
    };
    let defines = Defines::read(&library.join("def")).expect("the defines of the library");
    let mut files = Vec::new();
    files_below(&library.join("trials").join(PUZZLES), "trl", &mut files).expect("solutions");
    assert_eq!(files.len(), 19);
    let faults: Vec<String> =
        files.iter().filter_map(|file| fault(&defines, &library, file)).collect();
    assert!(faults.is_empty(), "{} solutions differ:\n{}", faults.len(), faults.join("\n"));
}

/// `recorded/` is a library of our own games with records that the reference made of them.
#[test]
fn our_games_with_rare_rules_replay_exactly() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let mut files = Vec::new();
    files_below(&library.join("trials"), "txt", &mut files).expect("records");
    assert!(files.len() >= 5);
    let faults: Vec<String> =
        files.iter().filter_map(|file| fault(&Defines::none(), &library, file)).collect();
    assert!(faults.is_empty(), "{} records differ:\n{}", faults.len(), faults.join("\n"));
}
