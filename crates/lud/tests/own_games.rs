//! Our own descriptions: all load without any outside file, and the number of move sequences is
//! what other programs count.

use ludex_game::{Rng, Rules, Turn, erase, perft};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};
use std::collections::HashMap;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games/lud")
}

fn load(name: &str, options: &[String]) -> Result<Ludemes, String> {
    let text = std::fs::read_to_string(folder().join(format!("{name}.lud"))).expect("readable");
    let explain = |d: &ludex_lang::diagnostic::Diagnostic| d.to_text(|_| &text, |_| name);
    let description =
        read(&text, SourceId(0), &Library::default(), options).map_err(|d| explain(&d))?;
    let compiled = compile(&description).map_err(|d| explain(&d))?;
    Ludemes::new(compiled).map_err(|e| e.to_string())
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("a folder");
    let paths = files.map(|entry| entry.expect("an entry").path());
    let described = paths.filter(|path| path.extension().is_some_and(|e| e == "lud"));
    described.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect()
}

#[test]
fn all_load() {
    let names = names();
    let faults: Vec<String> = names.iter().filter_map(|name| load(name, &[]).err()).collect();
    assert!(faults.is_empty(), "{} do not load:\n{}", faults.len(), faults.join("\n"));
    assert!(names.len() >= 40);
}

/// What everybody expects to find.
#[test]
fn the_well_known_games_are_there() {
    let names = names();
    for name in [
        "amazons",
        "atarigo",
        "backgammon",
        "breakthrough",
        "chess",
        "clobber",
        "connect-four",
        "domineering",
        "english-draughts",
        "fanorona",
        "go",
        "gomoku",
        "halma",
        "havannah",
        "hex",
        "international-draughts",
        "kalah",
        "knightthrough",
        "konane",
        "lines-of-action",
        "ludo",
        "misere-breakthrough",
        "misere-domineering",
        "misere-knightthrough",
        "nine-mens-morris",
        "nogo",
        "oware",
        "reversi",
        "royal-game-of-ur",
        "shogi",
        "surakarta",
        "tablut",
        "tic-tac-toe",
        "xiangqi",
        "y",
        "yavalath",
    ] {
        assert!(names.iter().any(|known| known == name), "{name} is missing");
    }
}

/// Every game comes to an end when moves are drawn, and its payoffs are shares of the whole.
#[test]
fn all_play_to_the_end() {
    let mut rng = Rng::seeded(2);
    for name in names() {
        let game = load(&name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut state = game.start();
        let plies = game.playout_uniform(&mut state, &mut rng, 20_000, &mut Vec::new());
        assert!(plies > 0, "{name} is over at once");
        assert_eq!(game.turn(&state), Turn::Over, "{name} goes on after {plies} plies");
        let mut payoffs = vec![0.0; game.info().players];
        game.payoffs(&state, &mut payoffs);
        assert!(payoffs.iter().all(|p| (0.0..=1.0).contains(p)), "{name}: {payoffs:?}");
    }
}

#[test]
fn counts_of_move_sequences_are_known() {
    let table = std::fs::read_to_string(folder().join("perft.txt")).expect("readable");
    let mut faults = Vec::new();
    for line in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (game, counts) = line.split_once(':').expect("a colon");
        let (name, option) = game.split_once('/').unwrap_or((game, ""));
        let expected: Vec<u64> =
            counts.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        let expected: Vec<u64> = expected.into_iter().take_while(|&n| n <= 12_000).collect();
        let options: Vec<String> =
            Some(option).filter(|o| !o.is_empty()).map(str::to_string).into_iter().collect();
        match load(name, &options) {
            Ok(game) => {
                let game = erase(game);
                let found = perft(&*game, &game.start(), expected.len());
                if found != expected {
                    faults.push(format!("{name}: found {found:?}, expected {expected:?}"));
                }
            }
            Err(message) => faults.push(message),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Positions reached by drawing moves must be as likely as by listing them: the first moves drawn
/// from the start cover all legal ones evenly.
#[test]
fn drawing_moves_is_uniform() {
    for name in [
        "connect-four",
        "breakthrough",
        "knightthrough",
        "nine-mens-morris",
        "clobber",
        "hex",
        "squava",
    ] {
        let game = load(name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut state = game.start();
        let mut rng = Rng::seeded(7);
        for _ in 0..6 {
            let Turn::Players(players) = game.turn(&state) else {
                break;
            };
            let player = players.first().expect("somebody moves");
            let mut moves = Vec::new();
            game.moves(&state, player, &mut moves);
            moves.sort();
            moves.dedup();
            let mut next: HashMap<u64, usize> = HashMap::new();
            for &mv in &moves {
                let mut after = state.clone();
                game.apply(&mut after, &[mv]);
                next.insert(game.hash(&after), 0);
            }
            let throws = 60 * next.len();
            for _ in 0..throws {
                let mut after = state.clone();
                game.playout_uniform(&mut after, &mut rng, 1, &mut Vec::new());
                let seen = next.get_mut(&game.hash(&after)).expect("a legal move");
                *seen += 1;
            }
            let squares: f64 = next.values().map(|&n| (n as f64 - 60.0).powi(2) / 60.0).sum();
            let freedom = next.len() as f64 - 1.0;
            let limit = freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0;
            assert!(squares < limit, "{name}: {squares} of at most {limit}");
            let chosen = moves[rng.below(moves.len() as u32) as usize];
            game.apply(&mut state, &[chosen]);
        }
    }
}
