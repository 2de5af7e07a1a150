//! Games from ludemes against recorded games of the reference: a fixed sample, both records of each.
//! All records: `ludex replay --library DIR DIR/trials`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use ludex_arena::ludemes::Defines;
use ludex_arena::ludemes::coverage::{Outcome, replay_file};

fn sample() -> Vec<&'static str> {
    let lines = include_str!("replay_sample.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The library and the records of the sample, unpacked; `None` where there is no archive.
fn unpacked() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archives = shared.join("oracle/ludii");
    if !archives.join("trials.tar.xz").exists() {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay-sample");
    if std::fs::read_to_string(folder.join("done")).is_ok_and(|done| done == sample().join("\n")) {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).ok()?;
    let wanted: String = sample().iter().map(|game| format!("trials/{game}\n")).collect();
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
    std::fs::write(folder.join("done"), sample().join("\n")).ok()?;
    Some(folder)
}

fn differences(library: &Path, games: &[&str]) -> Vec<String> {
    let defines = Defines::read(&library.join("def")).expect("the defines of the library");
    let mut faults = Vec::new();
    for game in games {
        for number in 0..2 {
            let file = library.join(format!("trials/{game}/RandomTrial_{number}.txt"));
            let outcome = replay_file(&defines, library, &file).outcome;
            if !matches!(outcome, Outcome::Same(_)) {
                faults.push(format!("{game}, record {number}: {outcome:?}"));
            }
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
