//! Bad input gets one clear line and an exit status, never a backtrace.

use std::process::{Command, Output};

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().expect("ludex runs")
}

/// Runs a command that must fail, and returns what it said.
fn complaint(arguments: &[&str]) -> String {
    let output = ludex(arguments);
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {:?}", output.status);
    assert!(said.starts_with("error: "), "{arguments:?}: {said}");
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE"), "{said}");
    said
}

#[test]
fn unknown_games_get_a_suggestion() {
    assert!(complaint(&["info", "breakthru"]).contains("breakthrough"));
    assert!(complaint(&["perft", "no-such-game-at-all", "--depth", "2"]).lines().count() == 1);
}

#[test]
fn what_cannot_be_judged_or_improved_is_said_at_once() {
    let says = |arguments: &[&str], words: &str| {
        let said = complaint(arguments);
        assert!(said.contains(words), "{arguments:?}: {said}");
    };
    says(&["evaluate", "no-such-game-at-all"], "no-such-game-at-all");
    says(&["evaluate", "breakthrough", "--sweep", "Board Size/77"], "is empty");
    says(&["evaluate", "hex", "--again", "1"], "give another");
    says(&["evaluate", "hex", "y", "--again", "2"], "at least 5");
    says(&["evaluate", "--library", "no-such-folder"], "--write FILE");
    says(&["evaluate", "hex", "--built-in", "--again", "2"], "--library");
    says(&["improve", "no-such-game-at-all"], "no built-in game");
    says(&["improve", "7-wonders"], "cannot be edited");
    says(&["improve", "gomoku", "--goal", "balanse"], "did you mean `balance`");
    says(&["improve", "gomoku", "--goal", ""], "the goal is empty");
}

#[test]
fn sizes_out_of_range_are_named() {
    for size in ["2x8", "8x99", "0x0", "banana", "8", "-3x4"] {
        let argument = format!("--size={size}");
        assert!(complaint(&["info", "nogo", &argument]).contains(size), "{size}");
    }
}

#[test]
fn budgets_and_counts_are_checked() {
    let base = ["match", "nogo", "--agents", "uct", "random"];
    for wrong in [
        &["--simulations", "0"][..],
        &["--games", "0"],
        &["--time", "0s"],
        &["--time", "soon"],
        &["--threads", "0"],
        &["--simulations", "many"],
    ] {
        complaint(&[&base, wrong].concat());
    }
    complaint(&["perft", "nogo", "--depth", "0"]);
    complaint(&["bench", "nogo", "--seconds", "-1"]);
}

#[test]
fn wrong_agents_and_seats_are_refused() {
    assert!(complaint(&["match", "nogo", "--agents", "utc", "random"]).contains("uct"));
    complaint(&["match", "nogo", "--agents", "uct(c=)", "random"]);
    complaint(&["match", "7-wonders", "--players", "9", "--agents", "random", "random"]);
    complaint(&["play", "nogo", "--human", "P3"]);
}

#[test]
fn runs_on_a_cluster_refuse_what_they_would_not_hear() {
    let base = ["run", "X.toml", "--on", "ray"];
    for wrong in [&["--json"][..], &["--only", "hex"], &["--threads", "2"]] {
        assert!(complaint(&[&base, wrong].concat()).contains(wrong[0]), "{wrong:?}");
    }
}

#[cfg(unix)]
#[test]
fn runs_on_a_cluster_need_the_package() {
    // An interpreter without the package ends with 1.
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(["run", "X.toml", "--on", "ray"]).env("LUDEX_PYTHON", "false");
    let said = command.output().expect("ludex runs").stderr;
    assert!(String::from_utf8_lossy(&said).contains("needs the Python package"));
}

#[test]
fn unreadable_files_are_named() {
    for file in ["no/such/file.lud", "no/such/file.kif"] {
        assert!(complaint(&["info", file]).contains(file));
    }
}

#[test]
fn more_agents_than_seats_take_turns() {
    let agents = ["match", "nogo", "--size", "4x4", "--agents", "random", "random", "random"];
    let output = ludex(&[&agents[..], &["--games", "12", "--json"]].concat());
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let scores: f64 =
        outcome["scores"].as_array().unwrap().iter().map(|score| score.as_f64().unwrap()).sum();
    assert!((scores - 1.5).abs() < 1e-9, "each of twelve games gives one point: {outcome}");
}

#[test]
fn a_match_repeats_with_its_seed() {
    let arguments = |threads| {
        ["match", "breakthrough", "--size", "5x5", "--agents", "uct", "uct + ppa", "--games", "6"]
            .into_iter()
            .chain(["--simulations", "60", "--seed", "4", "--json", "--threads", threads])
            .collect::<Vec<_>>()
    };
    let once = ludex(&arguments("1"));
    assert!(once.status.success());
    assert_eq!(once.stdout, ludex(&arguments("2")).stdout);
}

#[test]
fn components_of_7_wonders_are_checked_line_by_line() {
    let ours = include_str!("../../games/src/seven_wonders/components.toml");
    let folder = tempfile::tempdir().expect("a folder");
    let start = ours.find("[board.Olympia]").expect("Olympia");
    let end = start + 1 + ours[start + 1..].find("[board.").expect("another board");
    let without_board = format!("{}{}", &ours[..start], &ours[end..]);
    let cases = [
        (ours.replacen("after = [\"Baths\"]", "after = [\"Bathss\"]", 1), "Bathss"),
        (ours.replacen("shields = 1", "shields = -1", 1), "negative"),
        (without_board, "6 boards"),
    ];
    for (number, (text, message)) in cases.iter().enumerate() {
        let path = folder.path().join(format!("{number}.toml")).display().to_string();
        std::fs::write(&path, text).expect("a file");
        let checked = ludex(&["check", &path]);
        let said = String::from_utf8_lossy(&checked.stdout).to_string();
        assert_eq!(checked.status.code(), Some(1), "{said}");
        for said in
            [said, complaint(&["info", "7-wonders", "--option", &format!("Components/{path}")])]
        {
            assert!(said.contains(message) && said.contains('^') && said.contains(&path), "{said}");
        }
    }
    let path = folder.path().join("good.toml").display().to_string();
    std::fs::write(&path, ours).expect("a file");
    assert!(ludex(&["check", &path]).status.success());
    assert!(
        ludex(&["info", "7-wonders", "--option", &format!("Components/{path}")]).status.success()
    );
    assert!(complaint(&["info", "nogo", "--option", "Rules/Odd"]).contains("Rules/Odd"));
}

#[test]
fn what_is_there_but_no_game_is_named_as_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "nothing").expect("writable");
    for (name, words) in [(folder.path(), "is a folder"), (&notes, "a file of another kind")] {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .arg("info")
            .arg(name)
            .output()
            .expect("ludex runs");
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(said.contains(words) && !said.contains("did you mean"), "{said}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["info", "no-such.lud"])
        .output()
        .expect("ludex runs");
    let said = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
}
