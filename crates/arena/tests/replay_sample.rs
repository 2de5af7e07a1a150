//! Games from ludemes against recorded games of the reference: a fixed sample, both records of each.
//! All records: `ludex replay --library DIR DIR/trials`.
//! The solutions of all puzzles, and games of our own that the reference has played with what the library hardly uses:
//! cards, payoffs, random moves and directions, the start of a turn.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;

use ludex_arena::ludemes::coverage::{Outcome, replay_file};
use ludex_arena::ludemes::library::{files_below, read_text};
use ludex_arena::ludemes::variants::{Extent, play_randomly};
use ludex_arena::ludemes::{Defines, Trial, convert, replay};
use ludex_game::{Move, Turn};
use ludex_lud::Ludemes;

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

/// Choices that need what few games have: moves along tracks of one kind, teams, tracks that turn back at their ends, comparisons inside
/// comparisons, names of sites, halves of a bracket from different options, regions drawn at random, regions of one name made of each other.
const RARE: [(&str, &str); 9] = [
    ("board/war/replacement/eliminate/all/Surakarta", "Version/Experimental 6x9"),
    ("board/race/escape/Senet", "Track/Boustrophedon"),
    (MINI_WARS, "Scenario/Sudden Death (4-player, 4-teams, square)"),
    (MINI_WARS, "Scenario/Random Small Map (2-player, hexagon)"),
    ("math/graph/Dots and Boxes", "Dual/Yes"),
    ("reconstruction/done/board/space/line/Nzengue (Large)", ""),
    ("reconstruction/done/board/war/leaping/lines/Smasandyutakankarikrida", ""),
    ("board/race/escape/Ghingskoot", ""),
    ("board/war/replacement/eliminate/target/Shogun", "Shogun Capture/Not Allowed"),
];
const MINI_WARS: &str = "board/war/replacement/eliminate/target/Mini Wars";

#[test]
fn choices_with_rare_rules_compile_and_play() {
    let Some(library) = unpacked() else {
        eprintln!("skipped: no recorded games at ../shared/oracle/ludii");
        return;
    };
    let defines = Defines::read(&library.join("def")).expect("the defines of the library");
    for (game, choice) in RARE {
        let text = read_text(&library.join(format!("lud/{game}.lud"))).expect("a description");
        let choices: Vec<String> = Some(choice)
            .filter(|choice| !choice.is_empty())
            .map(str::to_owned)
            .into_iter()
            .collect();
        let compiled = defines.compile(&text, &choices);
        let compiled =
            compiled.unwrap_or_else(|fault| panic!("{game} {choice}: {}", fault.message));
        let fastest = ludex_kernel::fastest(compiled).expect("playable");
        let played =
            play_randomly(&*fastest, Extent { games: 1, plies: 12, seed: 5 }, &mut || false);
        assert!(played.games == 1 && played.plies > 0, "{game} {choice}");
    }
}

/// A recorded game as a line of our moves, the line played by the fastest form of the game, and the line as a record that
/// replays like the first.
fn there_and_back(defines: &Defines, library: &Path, game: &str) -> Result<(), String> {
    let file = library.join(format!("trials/{game}/RandomTrial_0.txt"));
    let trial = Trial::parse(&read_text(&file).map_err(|e| e.to_string())?);
    let text = read_text(&library.join(format!("lud/{game}.lud"))).map_err(|e| e.to_string())?;
    let compiled = || defines.compile(&text, &trial.options).map_err(|e| e.message.clone());
    let rules = Ludemes::new(compiled()?).map_err(|e| e.to_string())?;
    let line = convert::line_of(&rules, &trial).map_err(|found| format!("{found:?}"))?;
    let fastest = ludex_kernel::fastest(compiled()?).map_err(|e| e.to_string())?;
    let mut state = fastest.start();
    for ply in &line {
        let joint: Result<Vec<Move>, String> = match fastest.turn(&state) {
            Turn::Players(players) => players
                .into_iter()
                .zip(ply)
                .map(|(player, text)| {
                    fastest.parse_move(&state, player, text).map_err(|e| format!("{text}: {e}"))
                })
                .collect(),
            _ => {
                Ok(vec![fastest.parse_chance(&state, &ply[0]).ok_or(format!("no chance {ply:?}"))?])
            }
        };
        fastest.apply(&mut state, &joint?);
    }
    let written = convert::record_of(&rules, &trial.game, &trial.options, &line);
    let written = Trial::parse(&written.map_err(|e| e.to_string())?);
    if (written.winner, &written.sizes) != (trial.winner, &trial.sizes) {
        return Err("another result, or other numbers of moves".to_string());
    }
    replay(&compiled()?, &written).map_err(|found| format!("written again: {found:?}"))
}

#[test]
fn records_become_lines_of_moves_and_records_again() {
    let Some(library) = unpacked() else {
        eprintln!("skipped: no recorded games at ../shared/oracle/ludii");
        return;
    };
    let defines = Defines::read(&library.join("def")).expect("the defines of the library");
    let every = if std::env::var_os("LUDEX_EVERY").is_some() { 1 } else { 6 };
    let (mut checked, mut random, mut faults) = (0, 0, Vec::new());
    for game in sample().into_iter().step_by(every) {
        match there_and_back(&defines, &library, game) {
            Ok(()) => checked += 1,
            // What was drawn then is not in the record.
            Err(fault) if fault.contains("random numbers other than dice") => random += 1,
            Err(fault) if fault.contains("does not say what was thrown") => random += 1,
            Err(fault) => faults.push(format!("{game}: {fault}")),
        }
    }
    println!("{checked} there and back, {random} with random numbers, {} otherwise", faults.len());
    assert!(faults.is_empty() && checked > 10, "{}", faults.join("\n"));
}
