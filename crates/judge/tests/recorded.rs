//! Numbers that the reference counts soundly, on games that it recorded: length, branching, decisions, coverage, balance
//! and completion, worked out from the records alone and counted by our observer while it replays them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::trial::Trial;
use ludex_game::{Game, Move, Turn};
use ludex_judge::observe::{Attention, Counted, Observer};

/// Games in turns without chance, in which where a move starts and ends says which it is.
const GAMES: [&str; 24] = [
    "board/space/line/Tic-Tac-Toe",
    "board/space/line/Gomoku",
    "board/space/line/Yavalath",
    "board/space/line/Squava",
    "board/space/line/Connect6",
    "board/space/connection/Hex",
    "board/space/connection/Havannah",
    "board/space/connection/Y (Hex)",
    "board/space/territory/Reversi",
    "board/space/blocking/Mu Torere",
    "board/space/blocking/Pong Hau K'i",
    "board/race/reach/Breakthrough",
    "board/race/reach/Knightthrough",
    "board/race/fill/Halma",
    "board/war/leaping/diagonal/English Draughts",
    "board/war/leaping/orthogonal/Konane",
    "board/war/replacement/stalemate/Clobber",
    "board/war/replacement/checkmate/shogi/Hasami Shogi",
    "board/war/custodial/Ludus Latrunculorum",
    "board/war/direction/linear/Fanorona",
    "board/hunt/Fox and Geese",
    "board/space/group/Lines of Action",
    "board/space/line/Three Men's Morris",
    "board/space/line/Dala",
];

fn library() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("LUDEX_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let archives = shared.join("oracle/ludii");
    if !archives.join("trials.tar.xz").exists() {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("judge-recorded");
    if !folder.join("done").exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let wanted: String = GAMES.map(|game| format!("trials/{game}\n")).concat();
        std::fs::write(folder.join("wanted"), wanted).ok()?;
        let unpack = |archive: &str| {
            let mut tar = Command::new("tar");
            tar.arg("-xJf").arg(archives.join(archive)).arg("-C").arg(&folder);
            tar
        };
        let library = unpack("library.tar.xz").status();
        let records = unpack("trials.tar.xz").arg("-T").arg(folder.join("wanted")).status();
        for unpacked in [library, records] {
            assert!(unpacked.is_ok_and(|status| status.success()), "archives cannot be unpacked");
        }
        std::fs::write(folder.join("done"), "").ok()?;
    }
    Some(folder)
}

/// What the record says by itself.
#[derive(Debug, PartialEq)]
struct Facts {
    length: f64,
    branching: f64,
    decisions: f64,
    coverage: f64,
    won: f64,
    drawn: f64,
    first_seat: f64,
}

fn by_record(trial: &Trial, sites: usize) -> Facts {
    let played = &trial.moves[trial.initial..];
    let sizes = &trial.sizes[..played.len()];
    let count = sizes.len() as f64;
    let mut covered = BTreeSet::new();
    for action in trial.moves.iter().flat_map(|recorded| &recorded.actions) {
        if matches!(action.name.as_str(), "Add" | "Move")
            && let Some(to) = action.number("to").filter(|&to| (to as usize) < sites && to >= 0)
        {
            covered.insert(to);
        }
    }
    let (first, second) = (trial.rankings[1], trial.rankings[2]);
    Facts {
        length: count,
        branching: sizes.iter().sum::<usize>() as f64 / count,
        decisions: sizes.iter().filter(|&&size| size > 1).count() as f64 / count,
        coverage: covered.len() as f64 / sites as f64,
        won: f64::from(u8::from(first != second)),
        drawn: f64::from(u8::from(first == second)),
        first_seat: if first < second { 1.0 } else { 0.5 * f64::from(u8::from(first == second)) },
    }
}

fn by_observer(counted: &Counted) -> Facts {
    Facts {
        length: counted.plies.mean().expect("a game"),
        branching: counted.branching.mean().expect("a turn"),
        decisions: counted.decisions.mean().expect("a turn"),
        coverage: counted.coverage.mean().expect("a board"),
        won: counted.won.mean().expect("a game"),
        drawn: counted.draws.mean().expect("a game"),
        first_seat: counted.seats[0].mean().expect("a game"),
    }
}

/// Replays a record through the contract; nothing where its moves are not told apart by their ends.
fn observed(game: &dyn Game, trial: &Trial) -> Option<Counted> {
    let mut observer = Observer::new(game);
    observer.begin(Attention::Board);
    let mut state = game.start();
    for recorded in &trial.moves[trial.initial..] {
        let Turn::Players(players) = game.turn(&state) else { return None };
        let player = players.first()?;
        let moves: Vec<Move> = observer.legal(&state, player).to_vec();
        let site = |site: Option<u32>| site.map_or(-1, |site| site as i32);
        let fits = |mv: &&Move| {
            let ends = game.ends(&state, Some(player), **mv);
            let (from, to) = (site(ends.from), site(ends.to));
            to == recorded.to && (from == recorded.from || from == -1)
        };
        let mut found = moves.iter().filter(fits);
        let (Some(&mv), None) = (found.next(), found.next()) else { return None };
        observer.ply(&state, &[mv]);
        game.apply(&mut state, &[mv]);
    }
    observer.end(&state);
    Some(observer.take())
}

#[test]
fn recorded_games_give_the_numbers_that_their_records_say() {
    let Some(library) = library() else {
        eprintln!("skipped: no recorded games at ../shared/oracle/ludii");
        return;
    };
    let (mut compared, mut apart) = (0, Vec::new());
    for name in GAMES {
        let mut spec =
            GameSpec::named(library.join(format!("lud/{name}.lud")).display().to_string());
        spec.defs = Some(library.join("def"));
        for number in 0..2 {
            let file = library.join(format!("trials/{name}/RandomTrial_{number}.txt"));
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let trial = Trial::parse(&text);
            spec.options = trial.options.clone();
            let game = catalog::load(&spec).expect("a game of the library");
            let Some(counted) = observed(&*game, &trial) else {
                apart.push(name);
                continue;
            };
            let sites = game.geometry().map_or(0, |geometry| {
                let board = |site: &&ludex_game::geometry::Site| {
                    site.container == 0 && site.element == geometry.sites[0].element
                };
                geometry.sites.iter().filter(board).count()
            });
            let (ours, theirs) = (by_observer(&counted), by_record(&trial, sites));
            assert_eq!(format!("{ours:.6?}"), format!("{theirs:.6?}"), "{name} {number}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared} compared; not told apart: {apart:?}");
}
