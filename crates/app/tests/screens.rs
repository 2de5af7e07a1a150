//! What boards look like in a terminal, kept as text; and what a person at `ludex play` can say.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::expect_file;

fn ludex(arguments: &[&str], locale: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).env("LC_ALL", locale);
    command
}

fn shown(arguments: &[&str], locale: &str) -> String {
    let output = ludex(arguments, locale).output().expect("ludex runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Plays by a pipe and gives back everything printed.
fn played(arguments: &[&str], typed: &[u8]) -> String {
    let mut child = ludex(arguments, "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ludex runs");
    child.stdin.take().expect("piped").write_all(typed).expect("ludex reads");
    String::from_utf8(child.wait_with_output().expect("ludex ends").stdout).expect("text")
}

/// Ten games: the start, and a position after some moves with the last one marked.
#[test]
fn boards_look_as_they_were_looked_at() {
    let games: [(&str, &[&str]); 10] = [
        ("hex", &["F6", "E7", "G5"]),
        ("chess", &["E2-E4", "E7-E5", "G1-F3"]),
        ("go", &["Q16", "D4"]),
        ("kalah", &["C1"]),
        ("backgammon", &["dice 5 1"]),
        ("shogi", &[]),
        ("nine-mens-morris", &["Hand1:0-A1", "Hand2:0-D1", "Hand1:0-D2"]),
        ("connect4.kif", &["drop 4"]),
        ("havannah", &["H8"]),
        ("tablut", &[]),
    ];
    for (game, moves) in games {
        let mut arguments = vec!["show", game];
        if !moves.is_empty() {
            arguments.push("--moves");
            arguments.extend(moves);
        }
        let mut screen = shown(&["show", game], "C.UTF-8");
        if !moves.is_empty() {
            screen = format!("{screen}\n{}", shown(&arguments, "C.UTF-8"));
        }
        let plain = shown(&arguments, "C");
        assert!(plain.is_ascii(), "{plain}");
        expect_file![
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/screens")
                .join(game)
                .with_extension("txt")
        ]
        .assert_eq(&format!("{screen}\n{plain}"));
    }
}

#[test]
fn sides_that_are_to_be_joined_are_shown_on_small_boards_too() {
    for size in ["7x7", "9x9"] {
        let screen = shown(&["show", "hex", "--option", &format!("Board Size/{size}")], "C.UTF-8");
        assert!(screen.contains('¹') && screen.contains('²'), "{screen}");
    }
}

#[test]
fn play_opens_with_the_rules_and_says_who_is_who() {
    let screen = played(&["play", "hex", "--simulations", "5"], b"quit\n");
    for words in ["two opposite sides", "You play P1", "plays P2", "Good-bye"] {
        assert!(screen.contains(words), "no `{words}` in {screen}");
    }
}

#[test]
fn what_is_no_text_is_a_bad_move_and_not_the_end() {
    let screen = played(&["play", "hex", "--simulations", "5"], b"\xff\xfe\nF6\nwhy\nquit\n");
    assert!(screen.contains("Type `moves`"), "{screen}");
    assert!(screen.contains("P1 plays F6"), "{screen}");
    assert!(screen.contains("of 5 simulations"), "{screen}");
}

#[test]
fn words_without_brackets_are_understood() {
    let screen = played(&["play", "connect4.kif", "--simulations", "5"], b"drop 4\nquit\n");
    assert!(screen.contains("P1 plays (drop 4)"), "{screen}");
}

#[test]
fn a_game_is_saved_loaded_and_resigned() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.trial");
    let file = file.to_str().expect("a path");
    let typed = format!("F6\nsave {file}\nquit\n");
    let first = played(&["play", "hex", "--human", "all"], typed.as_bytes());
    assert!(first.contains("Saved 1 moves"), "{first}");
    let typed = format!("load {file}.no\nload {file}\nresign\n");
    let second = played(&["play", "hex", "--human", "all"], typed.as_bytes());
    for words in ["Cannot read", "Loaded 1 moves", "P2 resigns", "P1 wins"] {
        assert!(second.contains(words), "no `{words}` in {second}");
    }
    let other =
        played(&["play", "nogo", "--human", "all"], format!("load {file}\nquit\n").as_bytes());
    assert!(other.contains("is a record of hex, not of nogo"), "{other}");
    assert!(shown(&["show", file], "C").contains("F6"));
}

#[test]
fn a_swap_is_explained() {
    let screen = played(&["play", "hex", "--human", "all"], b"F6\nmoves\nquit\n");
    let swap = screen.split_whitespace().find(|word| word.to_lowercase().contains("swap"));
    let swap = swap.unwrap_or_else(|| panic!("no swap in {screen}"));
    let screen =
        played(&["play", "hex", "--human", "all"], format!("F6\n{swap}\nquit\n").as_bytes());
    assert!(screen.contains("That swaps the sides"), "{screen}");
}
