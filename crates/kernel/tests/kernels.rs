//! The compact form of a game is the same game as the general form: the same moves by text, the same
//! positions and the same results on random walks, the same numbers of move sequences.

#[path = "../../lud/tests/common/mod.rs"]
mod common;

use common::{folder, general};
use ludex_game::conformance::{Effort, agree, check_with};
use ludex_game::playout::{
    CodeTable, Composed, Decisive, Gibbs, Recording, Sampling, Scratch, Style, single_winner,
};
use ludex_game::{Coding, Game, Move, Player, Rng, State, Turn, erase, perft};
use ludex_kernel::kernel;
use std::sync::Arc;

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("a folder");
    let paths = files.map(|entry| entry.expect("an entry").path());
    let described = paths.filter(|path| path.extension().is_some_and(|e| e == "lud"));
    let mut names: Vec<String> =
        described.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    names
}

/// Games that must have a kernel: a refusal would be a loss nobody notices.
const EXPECTED: [&str; 42] = [
    "alquerque",
    "amazons",
    "atarigo",
    "ataxx",
    "brandub",
    "breakthrough",
    "chess",
    "clobber",
    "connect-four",
    "dodgem",
    "domineering",
    "english-draughts",
    "fox-and-geese",
    "go",
    "gomoku",
    "halma",
    "hasami-shogi",
    "havannah",
    "hex",
    "international-draughts",
    "kalah",
    "knightthrough",
    "konane",
    "lines-of-action",
    "misere-breakthrough",
    "misere-domineering",
    "misere-knightthrough",
    "mu-torere",
    "nine-mens-morris",
    "nogo",
    "oware",
    "pong-hau-ki",
    "reversi",
    "squava",
    "surakarta",
    "tablut",
    "three-mens-morris",
    "tic-tac-toe",
    "wolf-and-sheep",
    "xiangqi",
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
        // The general form of Go on the whole board would take minutes.
        let options = if name == "go" { vec!["Board Size/9x9".to_string()] } else { Vec::new() };
        let general = general(&name, &options);
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

/// What a policy has learned of a move holds in either form: both give it the same code, plain and with features.
#[test]
fn codes_of_both_forms_are_the_same() {
    let mut faults = Vec::new();
    for Pair { name, general, kernel } in pairs() {
        let mut rng = Rng::seeded(3);
        let (mut a, mut b) = (general.start(), kernel.start());
        for ply in 0..60 {
            let Turn::Players(players) = general.turn(&a) else {
                if general.turn(&a) == Turn::Over {
                    break;
                }
                let thrown = general.sample_chance(&a, &mut rng);
                let text = general.move_text(&a, None, thrown);
                general.apply(&mut a, &[thrown]);
                let thrown = kernel.parse_chance(&b, &text).expect("the same dice");
                kernel.apply(&mut b, &[thrown]);
                continue;
            };
            let player = players.first().expect("a mover");
            let (ours, theirs) = (coded(&*kernel, &b, player), coded(&*general, &a, player));
            let counts =
                [&kernel, &general].map(|game| CODINGS.map(|c| game.code_count(player, c)));
            assert!(counts[0][1] >= 2 * counts[0][0], "{name} has no move features: {counts:?}");
            let codes = |moves: &[Coded]| {
                moves.iter().map(|(text, code, _)| (text.clone(), *code)).collect::<Vec<_>>()
            };
            if codes(&ours) != codes(&theirs) || counts[0] != counts[1] {
                let pairs = codes(&ours).into_iter().zip(codes(&theirs));
                let differs = pairs.into_iter().find(|(ours, theirs)| ours != theirs);
                faults.push(format!("{name}, ply {ply}: {counts:?} codes, {differs:?}"));
                break;
            }
            let drawn = rng.below(ours.len() as u32) as usize;
            kernel.apply(&mut b, &[ours[drawn].2]);
            general.apply(&mut a, &[theirs[drawn].2]);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const CODINGS: [Coding; 2] = [Coding::Plain, Coding::Features];

/// A move by its text, with its codes.
type Coded = (String, [u32; 2], Move);

/// The legal moves by text, with their codes.
fn coded(game: &dyn Game, state: &State, player: Player) -> Vec<Coded> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    let coded = |&mv: &Move| {
        let codes = CODINGS.map(|coding| game.code(state, player, mv, coding));
        (game.move_text(state, Some(player), mv), codes, mv)
    };
    let mut coded: Vec<Coded> = moves.iter().map(coded).collect();
    coded.sort();
    coded
}

/// Every law of the contract, among them that moves are drawn uniformly and that listed, drawn and recorded
/// playouts have the same results.
#[test]
fn kernels_keep_the_laws() {
    let effort = Effort { games: 2, plies: 12, draws: 600, playouts: 16 };
    for pair in pairs() {
        if let Err(fault) = check_with(&*pair.kernel, 5, effort) {
            panic!("{fault}");
        }
    }
}

/// Both forms have the same results when played out at random.
#[test]
fn playouts_of_both_forms_are_the_same_game() {
    for name in ["tic-tac-toe", "dodgem", "wolf-and-sheep", "pong-hau-ki"] {
        let general = general(name, &[]);
        let kernel = kernel(&general).expect("a kernel");
        let [a, b] = [erase(general), kernel].map(|game| results(&*game, 3_000));
        // Two samples of one distribution: squares of differences over sums follow chi-squared.
        let squares: f64 = a
            .iter()
            .zip(&b)
            .filter(|(x, y)| *x + *y > 0.0)
            .map(|(x, y)| (x - y).powi(2) / (x + y))
            .sum();
        assert!(squares < 25.0, "{name}: {a:?} and {b:?}");
    }
}

/// Machines that know winning moves as a set know the same ones as whoever tries each move.
#[test]
fn who_can_win_at_once_does() {
    let stones =
        ["connect-four", "gomoku", "havannah", "hex", "squava", "tic-tac-toe", "y", "yavalath"];
    let colours =
        ["breakthrough", "clobber", "domineering", "knightthrough", "pong-hau-ki", "reversi"];
    let others = ["atarigo", "dodgem", "misere-breakthrough", "misere-domineering", "nogo"];
    for name in stones.into_iter().chain(colours).chain(others) {
        let game = kernel(&general(name, &[])).expect("a kernel");
        let decisive = Composed::new(Sampling::default(), None, Decisive::Wins);
        let mut sampling = Sampling::Composed(Box::new(decisive));
        for seed in 0..8 {
            let (mut scratch, mut end) = (Scratch::default(), game.start());
            scratch.recording = Recording::Chosen;
            let rng = &mut Rng::seeded(seed);
            game.playout(&mut end, &mut sampling, Style::Optimised, &mut scratch, rng);
            let mut state = game.start();
            for step in scratch.record.steps() {
                let mut moves = Vec::new();
                game.moves(&state, step.player, &mut moves);
                let wins = |mv: Move| {
                    let (mut after, mut payoffs) = (state.clone(), [0.0; 2]);
                    game.apply(&mut after, &[mv]);
                    game.payoffs(&after, &mut payoffs);
                    game.turn(&after) == Turn::Over && payoffs[step.player.index()] == 1.0
                };
                let is_chosen =
                    |mv: &&Move| game.code(&state, step.player, **mv, Coding::Plain) == step.chosen;
                let &chosen = moves.iter().find(is_chosen).expect("a legal move");
                let can = moves.iter().any(|&mv| wins(mv));
                assert_eq!(wins(chosen), can, "{name}\n{}", game.show(&state, None));
                game.apply(&mut state, &[chosen]);
            }
            assert_eq!(game.turn(&state) == Turn::Over, game.turn(&end) == Turn::Over, "{name}");
        }
    }
}

/// Where it is left open what is legal until the winner is known, it is found out at all his choices.
#[test]
fn what_was_legal_is_known_of_the_winners_choices() {
    for name in ["atarigo", "chess", "go", "nogo"] {
        let game = kernel(&general(name, &[])).expect("a kernel");
        let odds = CodeTable::for_game(&*game, Coding::Plain, 1.0);
        let mut sampling = Sampling::Gibbs(Gibbs::new(Coding::Plain, odds));
        let mut compared = 0;
        // Most drawn games of Chess have no winner: as many are played as there is something to compare.
        for seed in 0..200 {
            if seed >= 12 && compared > 10 {
                break;
            }
            let (mut scratch, mut end, mut payoffs) = (Scratch::default(), game.start(), [0.0; 2]);
            scratch.recording = Recording::WinnersLegal;
            let rng = &mut Rng::seeded(seed);
            game.playout(&mut end, &mut sampling, Style::Optimised, &mut scratch, rng);
            game.payoffs(&end, &mut payoffs);
            let winner = single_winner(&payoffs);
            let mut state = game.start();
            for step in scratch.record.steps() {
                let legal = coded(&*game, &state, step.player);
                let chosen: Vec<&Coded> =
                    legal.iter().filter(|(_, codes, _)| codes[0] == step.chosen).collect();
                // Moves that share a code, such as promotions, cannot be told apart in a record.
                let &[&(_, _, mv)] = &chosen[..] else { break };
                if winner == Some(step.player) {
                    let mut recorded = Vec::new();
                    scratch.record.list_legal(step, &mut recorded);
                    let mut codes: Vec<u32> = legal.iter().map(|(_, codes, _)| codes[0]).collect();
                    recorded.sort_unstable();
                    codes.sort_unstable();
                    // The only legal move may be a pass that goes without saying.
                    assert!(recorded == codes || codes.len() < 2, "{name}: {recorded:?} {codes:?}");
                    compared += 1;
                }
                game.apply(&mut state, &[mv]);
            }
        }
        assert!(compared > 10, "{name}");
    }
}

/// How many playouts the first player wins, loses and draws.
fn results(game: &dyn Game, playouts: usize) -> [f64; 3] {
    let (mut scratch, mut rng) = (Scratch::default(), Rng::seeded(11));
    let mut counts = [0.0; 3];
    for _ in 0..playouts {
        let mut state = game.start();
        let sampling = &mut Sampling::default();
        game.playout(&mut state, sampling, Style::Optimised, &mut scratch, &mut rng);
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        counts[(payoffs[0] * 2.0) as usize] += 1.0;
    }
    counts
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
