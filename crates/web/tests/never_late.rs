//! Never late, never illegal: our players under our referee with the shortest clocks, no grace, and a busy
//! loop for each core beside them.
//!
//! A short form runs with all other tests. The whole of it, 200 matches of at most 60 steps, takes about half
//! an hour: `LUDEX_GGP_MATCHES=200 cargo test -p ludex-web --test never_late -- --nocapture`.

#[path = "../../arena/tests/common/mod.rs"]
mod common;

use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_gdl::{Bounds, Engine, compile};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif::{self, Strictness};
use ludex_web::ggp::{GgpPlayer, Settings, serve};
use ludex_web::referee::{Clocks, Contestant, Event, Fault, MatchReport, Ruled, Tournament};
use ludex_web::server::listen;

/// Rules that take long to compile, puzzles, games of two to six roles, in turn and at once, with chance.
const GAMES: &[&str] = &[
    "chess",
    "sudokuGrade1",
    "blocker",
    "ticTacToe",
    "gt_two_thirds_6p",
    "beatMania",
    "alexChess",
    "blockerParallel",
    "breakthrough",
    "checkers",
    "chineseCheckers3",
    "chinook",
    "connectFour",
    "connectFourSimultaneous",
    "crisscross",
    "dotsAndBoxes",
    "eightPuzzle",
    "firefighter",
    "gt_prisoner",
    "hanoi",
    "hex",
    "kalaha6x2x4",
    "knightThrough",
    "lightsOut",
    "linesOfAction",
    "max_knights",
    "minichess",
    "nim3",
    "othello-comp2007",
    "pacman3p",
    "pentago",
    "quarto",
    "queens08lg",
    "reversi",
    "rubiksCube",
    "shmup",
    "skirmish",
    "snake_2009",
    "speedChess",
    "sudoku",
    "tictactoe_3d_6player",
    "ttcc4",
];

/// How many matches run where nobody asks for more.
const FEW: usize = 6;

fn own(seed: u64) -> Contestant {
    let settings = Settings { seed, name: format!("own-{seed}"), ..Settings::default() };
    let listener = listen(Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    let player = Arc::new(GgpPlayer::new(settings));
    std::thread::spawn(move || serve(listener, player));
    Contestant { name: format!("own-{seed}"), address }
}

fn load(folder: &Path, game: &str) -> Ruled {
    let path = folder.join(game).with_added_extension("kif");
    let text = std::fs::read_to_string(&path).expect("the oracle has it");
    Ruled::new(&path.display().to_string(), &text, Strictness::Strict).expect("right rules")
}

/// How busy the machine is, as it says itself.
fn load_average() -> String {
    std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned()
}

#[test]
fn no_answer_is_late_and_none_is_illegal() {
    let Some(oracle) = common::gdl_records() else {
        return eprintln!("skipped: the recorded matches are not there");
    };
    let asked = std::env::var("LUDEX_GGP_MATCHES").ok().and_then(|count| count.parse().ok());
    let count: usize = asked.unwrap_or(FEW);
    let chosen = &GAMES[..GAMES.len().min(count)];
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::black_box(0);
                }
            });
        }
        let reports = run(chosen, count, &oracle.join("games"), asked.is_some());
        over.store(true, Ordering::Relaxed);
        judge(&reports, count);
    });
}

/// Plays so many matches, four at a time.
fn run(games: &[&str], count: usize, folder: &Path, whole: bool) -> Vec<MatchReport> {
    let began = Instant::now();
    let tournament = Tournament {
        games: games.iter().map(|game| load(folder, game)).collect(),
        // Six roles need six players; four matches of two need eight.
        players: (1..=8).map(own).collect(),
        matches: count.div_ceil(games.len()),
        parallel: 4,
        clocks: Clocks {
            start: 2,
            play: 1,
            grace: Duration::ZERO,
            steps: if whole { 60 } else { 5 },
        },
        seed: 1,
        name: "late".to_owned(),
    };
    let reports = Mutex::new(Vec::new());
    let told = |event: Event<'_>| {
        let Event::Ended(report) = event else { return };
        let faults: Vec<String> = report
            .faults
            .iter()
            .enumerate()
            .flat_map(|(step, row)| {
                row.iter().flatten().map(move |fault| format!("{step}: {fault}"))
            })
            .collect();
        let mut reports = reports.lock().expect("no panic");
        reports.push(report.clone());
        println!(
            "{:4} {:4} s  {}: {} steps, slowest {:.3} s, goals {:?}, load {} {}",
            reports.len(),
            began.elapsed().as_secs(),
            report.id,
            report.moves.len(),
            report.slowest.as_secs_f64(),
            report.goals,
            load_average(),
            faults.join(", ")
        );
    };
    tournament.run(&told).expect("games and players");
    reports.into_inner().expect("no panic")
}

/// Whoever plays by the rules themselves has a legal move as soon as the first position is evaluated; nothing else can
/// be answered before. Of any recorded rules, not only those of the matches above.
#[test]
fn the_first_legal_moves_are_at_hand_at_once() {
    let Some(oracle) = common::gdl_records() else {
        return eprintln!("skipped: the recorded matches are not there");
    };
    let mut took: Vec<(Duration, String)> = Vec::new();
    for entry in std::fs::read_dir(oracle.join("games")).expect("a folder") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let attempt = |_| {
            let begun = ThreadTime::now();
            let checked = kif::read(SourceId(0), &text).expect("right rules");
            let engine = Some(Engine::Datalog);
            let game = compile("game", &checked.description, engine, &Bounds::hasty());
            assert!(game.is_ok(), "{}", path.display());
            begun.elapsed()
        };
        // The better of two: caches may be cold, and the machine busy.
        took.extend((0..2).map(attempt).min().map(|best| (best, path.display().to_string())));
    }
    took.sort();
    let (median, worst) = (&took[took.len() / 2], &took[took.len() - 1]);
    println!("{} rule sets: median {:?}, worst {worst:?}", took.len(), median.0);
    // Eight players on two processors have two seconds; the dev profile is several times slower than others.
    assert!(worst.0 < Duration::from_millis(500), "{worst:?}");
}

fn judge(reports: &[MatchReport], count: usize) {
    assert!(reports.len() >= count);
    let steps: usize = reports.iter().map(|report| report.moves.len()).sum();
    let slowest = reports.iter().map(|report| report.slowest).max().unwrap_or_default();
    let faults: Vec<&Fault> =
        reports.iter().flat_map(|report| &report.faults).flatten().flatten().collect();
    let illegal = faults.iter().filter(|fault| matches!(fault, Fault::Illegal(_))).count();
    let games: HashSet<&str> = reports.iter().map(|report| report.game.as_str()).collect();
    println!(
        "{} matches of {} games, {steps} steps, slowest answer {slowest:?}, {illegal} illegal, {} late or missing",
        reports.len(),
        games.len(),
        faults.len() - illegal
    );
    assert!(faults.is_empty(), "late, illegal or missing answers: {faults:?}");
}
