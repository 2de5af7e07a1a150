//! Every board of the reference library, element by element against its ground truth.
//!
//! The files are looked for beside the workspace, or where `LUDEX_SHARED` says; without them the
//! test says so and passes.

mod faults;
mod read;
mod truth;

use ludex_board::{Board, Topology, graph_of};
use std::path::PathBuf;
use truth::Truth;

fn oracle() -> Option<PathBuf> {
    let shared = match std::env::var_os("LUDEX_SHARED") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let folder = shared.join("oracle/ludii");
    if folder.join("boards.csv").exists() {
        return Some(folder);
    }
    eprintln!("skipped: no ground truth at {}", folder.display());
    None
}

/// Games whose rules mention layers; their rows and columns are those of the ground.
const SPEAKS_OF_LAYERS: [&str; 1] = ["board/race/reach/Pylos.lud"];

#[test]
fn every_board_matches_the_ground_truth() {
    let Some(folder) = oracle() else {
        return;
    };
    let truths = Truth::read_all(&folder.join("boards.jsonl.xz"));
    let expressions = truth::expressions(&folder.join("boards.csv"));
    let mut wrong = Vec::new();
    for (text, example) in &expressions {
        let truth = &truths[example];
        let found = read::expression(text)
            .map_err(|e| e.to_string())
            .and_then(|expr| graph_of(&expr, truth.kind).map_err(|e| e.to_string()));
        let faults = match found {
            Ok(graph) if SPEAKS_OF_LAYERS.contains(&example.as_str()) => {
                truth.faults(&Topology::with_layers(graph))
            }
            Ok(graph) => truth.faults(&Topology::new(graph)),
            Err(message) => vec![message],
        };
        if !faults.is_empty() {
            wrong.push(format!("{example}: {}\n    {text}", faults.join("; ")));
        }
    }
    report(expressions.len(), &wrong);
}

#[test]
fn tracks_match_the_ground_truth() {
    let Some(folder) = oracle() else {
        return;
    };
    let truths = Truth::read_all(&folder.join("boards.jsonl.xz"));
    let mut wrong = Vec::new();
    let mut tracks = 0;
    for (text, example) in truth::expressions(&folder.join("boards.csv")) {
        if !text.starts_with("( mancalaBoard") && !text.starts_with("( surakartaBoard") {
            continue;
        }
        let found = read::expression(&text)
            .and_then(|expr| Board::from_expr(&expr, false).map_err(|e| e.to_string()));
        match found {
            Ok(board) if truths[&example].same_tracks(&board.tracks) => tracks += 1,
            Ok(_) => wrong.push(format!("{example}: tracks\n    {text}")),
            Err(message) => wrong.push(format!("{example}: {message}\n    {text}")),
        }
    }
    report(tracks + wrong.len(), &wrong);
}

fn report(total: usize, wrong: &[String]) {
    println!("{} of {total} boards match", total - wrong.len());
    assert!(wrong.is_empty(), "{} of {total} boards differ:\n{}", wrong.len(), wrong.join("\n"));
}
