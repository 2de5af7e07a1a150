//! Instructions of playouts and search, counted under valgrind so that a busy machine counts the same,
//! with asserted answers so that nothing becomes fast by becoming wrong.
//!
//! `cargo bench -p ludex-arena --bench instructions` checks every answer and, where valgrind is installed, counts.

use std::process::Command;
use std::sync::Arc;

use ludex_arena::catalog::{self, GameSpec};
use ludex_game::playout::{Recording, Sampling, Scratch, Style};
use ludex_game::{Coding, Game, Rng};
use ludex_play::policy::{PolicyConfig, UniformSettings};
use ludex_play::search::{Budget, Search, SearchConfig};

/// A piece of work, how often it is done, and what must come out: plies and first player's wins of
/// playouts, or the visits and the place of the move that search prefers.
struct Case {
    name: &'static str,
    game: &'static str,
    work: Work,
    rounds: u64,
    answer: (u64, u64),
}

#[derive(Clone, Copy)]
enum Work {
    /// Uniform playouts, counted and picked.
    Playouts,
    /// Uniform playouts that list the moves with their feature codes and record them.
    Listing,
    /// Simulations of UCT with uniform playouts.
    Search,
}

const fn case(
    name: &'static str,
    game: &'static str,
    work: Work,
    rounds: u64,
    answer: (u64, u64),
) -> Case {
    Case { name, game, work, rounds, answer }
}

const CASES: &[Case] = &[
    case("playouts/atarigo", "atarigo", Work::Playouts, 2000, (79177, 971)),
    case("playouts/breakthrough", "breakthrough", Work::Playouts, 2000, (127229, 1023)),
    case("playouts/domineering", "domineering", Work::Playouts, 2000, (55772, 996)),
    case("playouts/knightthrough", "knightthrough", Work::Playouts, 2000, (67362, 960)),
    case("playouts/nogo", "nogo", Work::Playouts, 2000, (116925, 975)),
    case("listing/atarigo", "atarigo", Work::Listing, 500, (19878, 240)),
    case("listing/breakthrough", "breakthrough", Work::Listing, 500, (32601, 241)),
    case("listing/domineering", "domineering", Work::Listing, 500, (13948, 252)),
    case("listing/knightthrough", "knightthrough", Work::Listing, 500, (16955, 281)),
    case("listing/nogo", "nogo", Work::Listing, 500, (29255, 233)),
    case("ludemes/alquerque", "alquerque", Work::Playouts, 500, (19346, 205)),
    case("ludemes/amazons", "amazons", Work::Playouts, 100, (13658, 45)),
    case("ludemes/breakthrough", "breakthrough.lud", Work::Playouts, 1000, (65101, 507)),
    case("ludemes/chess", "chess", Work::Playouts, 2, (1098, 0)),
    case("ludemes/clobber", "clobber", Work::Playouts, 500, (32296, 252)),
    case("ludemes/connect-four", "connect-four", Work::Playouts, 2000, (42510, 1110)),
    case("ludemes/domineering", "domineering.lud", Work::Playouts, 1000, (27816, 494)),
    case("ludemes/english-draughts", "english-draughts", Work::Playouts, 100, (7208, 49)),
    case("ludemes/go", "go", Work::Playouts, 20, (12362, 13)),
    case("ludemes/gomoku", "gomoku", Work::Playouts, 200, (21874, 112)),
    case("ludemes/halma", "halma", Work::Playouts, 4, (5525, 1)),
    case("ludemes/havannah", "havannah", Work::Playouts, 200, (24387, 101)),
    case("ludemes/hex", "hex", Work::Playouts, 200, (21626, 108)),
    case("ludemes/knightthrough", "knightthrough.lud", Work::Playouts, 1000, (33646, 524)),
    case("ludemes/lines-of-action", "lines-of-action", Work::Playouts, 20, (4143, 9)),
    case("ludemes/nine-mens-morris", "nine-mens-morris", Work::Playouts, 50, (10519, 19)),
    case("ludemes/nogo", "nogo.lud", Work::Playouts, 20, (1486, 10)),
    case("ludemes/reversi", "reversi", Work::Playouts, 200, (12081, 89)),
    case("ludemes/tablut", "tablut", Work::Playouts, 20, (2426, 2)),
    case("ludemes/yavalath", "yavalath", Work::Playouts, 2000, (39037, 971)),
    case("search/breakthrough", "breakthrough", Work::Search, 2000, (313, 16)),
    case("search/domineering", "domineering", Work::Search, 2000, (128, 45)),
    case("search/nogo", "nogo", Work::Search, 2000, (88, 8)),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // Under valgrind this program runs itself with a case and a number of rounds.
    if let [_, flag, name, rounds] = &arguments[..]
        && flag == "--run"
    {
        let case = CASES.iter().find(|case| case.name == name).expect("a case's name");
        run(case, rounds.parse().expect("a number of rounds"));
        return;
    }
    let filter = arguments.iter().skip(1).find(|argument| !argument.starts_with('-'));
    let mut changed = 0;
    for case in CASES.iter().filter(|case| filter.is_none_or(|text| case.name.contains(text))) {
        let answer = run(case, case.rounds);
        if answer != case.answer {
            println!("{:24} gives {answer:?} instead of {:?}", case.name, case.answer);
            changed += 1;
        }
        let unit = if matches!(case.work, Work::Search) { "simulation" } else { "ply" };
        let units = if matches!(case.work, Work::Search) { case.rounds } else { answer.0 };
        match counted(case) {
            Some(count) => {
                println!("{:24} {:8.1} instructions/{unit}", case.name, count as f64 / units as f64)
            }
            None => println!("{:24} answer holds; valgrind is not there to count", case.name),
        }
    }
    assert_eq!(changed, 0, "answers changed");
}

/// The instructions of the case's rounds alone: twice as many rounds cost that much more.
fn counted(case: &Case) -> Option<u64> {
    let collect = |rounds: u64| {
        let myself = std::env::current_exe().ok()?;
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(myself)
            .args(["--run", case.name, &rounds.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("Collected"))?;
        line.rsplit(' ').next()?.parse::<u64>().ok()
    };
    Some(collect(2 * case.rounds)?.saturating_sub(collect(case.rounds)?))
}

fn run(case: &Case, rounds: u64) -> (u64, u64) {
    let game = catalog::load(&GameSpec::named(case.game)).expect("a built-in game");
    match case.work {
        Work::Playouts => play(&*game, Style::Optimised, Recording::Nothing, rounds),
        Work::Listing => play(&*game, Style::Standard, Recording::Legal, rounds),
        Work::Search => search(&game, rounds),
    }
}

fn play(game: &dyn Game, style: Style, recording: Recording, rounds: u64) -> (u64, u64) {
    let (start, mut state) = (game.start(), game.start());
    let (mut rng, mut scratch) = (Rng::seeded(1), Scratch::default());
    let mut sampling = Sampling::Uniform(Coding::Features);
    scratch.recording = recording;
    let (mut plies, mut wins) = (0, 0);
    for _ in 0..rounds {
        state.copy_from(&start);
        scratch.record.clear();
        plies += u64::from(game.playout(&mut state, &mut sampling, style, &mut scratch, &mut rng));
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        wins += payoffs[0] as u64;
    }
    (plies, wins)
}

fn search(game: &Arc<dyn Game>, simulations: u64) -> (u64, u64) {
    let policy = || PolicyConfig::Uniform(UniformSettings).build(&**game);
    let config = SearchConfig::default();
    let mut search = Search::new(game.clone(), config, policy, &mut Rng::seeded(1));
    let start = game.start();
    let mover = game.turn(&start).mover().expect("one player begins");
    let report = search.think(&start, mover, Budget::simulations(simulations));
    let mut moves = Vec::new();
    game.moves(&start, mover, &mut moves);
    let place = moves.iter().position(|&mv| mv == report.best).expect("a legal move");
    (report.moves[0].visits, place as u64)
}
