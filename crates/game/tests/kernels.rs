//! The compact form of a game is the same game as the general form: the same moves by text, the same
//! positions and the same results on random walks, the same numbers of move sequences.

use ludex_game::conformance::agree;
use ludex_game::lud::kernel::kernel;
use ludex_game::lud::{Ludemes, compile};
use ludex_game::{Game, Rng, erase, perft};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use std::path::PathBuf;
use std::sync::Arc;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games/lud")
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("a folder");
    let paths = files.map(|entry| entry.expect("an entry").path());
    let described = paths.filter(|path| path.extension().is_some_and(|e| e == "lud"));
    let mut names: Vec<String> =
        described.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    names
}

fn general(name: &str, options: &[String]) -> Ludemes {
    let text = std::fs::read_to_string(folder().join(format!("{name}.lud"))).expect("readable");
    let description = read(&text, SourceId(0), &Library::default(), options).expect("readable");
    Ludemes::new(compile(&description).expect("compiles")).expect("playable")
}

/// Games that must have a kernel: a refusal would be a loss nobody notices.
const EXPECTED: [&str; 26] = [
    "alquerque",
    "amazons",
    "ataxx",
    "brandub",
    "chess",
    "lines-of-action",
    "breakthrough",
    "clobber",
    "connect-four",
    "dodgem",
    "domineering",
    "english-draughts",
    "fox-and-geese",
    "gomoku",
    "hasami-shogi",
    "knightthrough",
    "misere-breakthrough",
    "misere-domineering",
    "misere-knightthrough",
    "mu-torere",
    "pong-hau-ki",
    "squava",
    "surakarta",
    "tic-tac-toe",
    "wolf-and-sheep",
    "yavalath",
];

#[test]
fn expected_games_have_kernels() {
    let mut refused = Vec::new();
    for name in names() {
        if let Err(reason) = kernel(&general(&name, &[])) {
            println!("{name}: {reason}");
            if EXPECTED.contains(&name.as_str()) {
                refused.push(format!("{name}: {reason}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Both forms of one game, side by side.
struct Pair {
    name: String,
    general: Arc<dyn Game>,
    kernel: Arc<dyn Game>,
}

fn pairs() -> Vec<Pair> {
    let pair = |name: String| {
        let general = general(&name, &[]);
        let kernel = kernel(&general).ok()?;
        Some(Pair { name, general: erase(general), kernel })
    };
    names().into_iter().filter_map(pair).collect()
}

#[test]
fn random_walks_agree() {
    let mut faults = Vec::new();
    for pair in pairs() {
        for seed in 0..2 {
            let (general, kernel) = (&*pair.general, &*pair.kernel);
            if let Err(fault) = agree(general, kernel, &mut Rng::seeded(seed), 100) {
                faults.push(fault.to_string());
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn numbers_of_move_sequences_agree() {
    for pair in pairs() {
        let mut depth = 1;
        while perft(&*pair.kernel, &pair.kernel.start(), depth + 1)[depth] < 1_000 && depth < 4 {
            depth += 1;
        }
        let (general, kernel) = (&pair.general, &pair.kernel);
        let expected = perft(&**general, &general.start(), depth);
        assert_eq!(perft(&**kernel, &kernel.start(), depth), expected, "{}", pair.name);
    }
}
