//! The compact form of a game is the same game as the general form: the same moves by text, the same
//! positions and the same results on random walks, the same numbers of move sequences.

use ludex_game::lud::kernel::kernel;
use ludex_game::lud::{Ludemes, compile};
use ludex_game::{Game, Rng, State, Turn, erase, perft};
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
const EXPECTED: [&str; 10] = [
    "breakthrough",
    "connect-four",
    "gomoku",
    "havannah",
    "hex",
    "knightthrough",
    "squava",
    "tic-tac-toe",
    "y",
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

/// The legal moves by text, in order.
fn texts(game: &dyn Game, state: &State) -> Vec<String> {
    let Turn::Players(players) = game.turn(state) else {
        return Vec::new();
    };
    let player = players.first().expect("somebody moves");
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let mut texts: Vec<String> =
        moves.iter().map(|&mv| game.move_text(state, Some(player), mv)).collect();
    texts.sort();
    texts
}

fn payoffs(game: &dyn Game, state: &State) -> Vec<f32> {
    let mut out = vec![0.0; game.info().players];
    game.payoffs(state, &mut out);
    out
}

/// Walks both forms along the same random moves and compares everything they show.
fn walk(pair: &Pair, rng: &mut Rng, limit: usize) -> Result<(), String> {
    let (mut a, mut b) = (pair.general.start(), pair.kernel.start());
    for ply in 0..limit {
        let (turn, other) = (pair.general.turn(&a), pair.kernel.turn(&b));
        let at = || format!("{} at ply {ply}:\n{}", pair.name, pair.general.show(&a, None));
        if turn != other {
            return Err(format!("{}: whose turn: {turn:?}, kernel {other:?}", at()));
        }
        if pair.general.show(&a, None) != pair.kernel.show(&b, None) {
            return Err(format!("{}: kernel shows\n{}", at(), pair.kernel.show(&b, None)));
        }
        let (list, other) = (texts(&*pair.general, &a), texts(&*pair.kernel, &b));
        if list != other {
            let only = |x: &[String], y: &[String]| {
                x.iter().filter(|t| !y.contains(t)).cloned().collect::<Vec<_>>().join(" ")
            };
            let (missing, more) = (only(&list, &other), only(&other, &list));
            let sizes = (list.len(), other.len());
            return Err(format!("{}: {sizes:?} moves; missing {missing}; more {more}", at()));
        }
        let Turn::Players(players) = turn else {
            let (payoff, other) = (payoffs(&*pair.general, &a), payoffs(&*pair.kernel, &b));
            return match payoff == other {
                true => Ok(()),
                false => Err(format!("{}: payoffs {payoff:?}, kernel {other:?}", at())),
            };
        };
        let player = players.first().expect("somebody moves");
        let chosen = &list[rng.below(list.len() as u32) as usize];
        let play = |game: &dyn Game, state: &mut State| {
            let mv = game.parse_move(state, player, chosen).expect("listed");
            game.apply(state, &[mv]);
        };
        play(&*pair.general, &mut a);
        play(&*pair.kernel, &mut b);
    }
    Ok(())
}

#[test]
fn random_walks_agree() {
    let mut faults = Vec::new();
    for pair in pairs() {
        for seed in 0..2 {
            if let Err(fault) = walk(&pair, &mut Rng::seeded(seed), 100) {
                faults.push(fault);
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
