//! The Universal Chess Interface, for Chess and whatever else moves from square to square.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use ludex_game::{Game, Player, State};
use ludex_play::search::{Budget, Report, Stop};
use ludex_play::timing::TimeLeft;

use super::input::{Kind, Line, listen};
use super::notation::{coordinates, from_coordinates};
use super::{Service, Session};
use crate::experiment::VERSION;

/// What Chess begins with, which programs say instead of `startpos`.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn kind(text: &str) -> Kind {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("go") if words.any(|word| matches!(word, "infinite" | "ponder")) => Kind::Endless,
        Some("go") => Kind::Search,
        Some("stop" | "quit") => Kind::Halt,
        Some("ponderhit") => Kind::Hit,
        _ => Kind::Other,
    }
}

pub fn serve(
    mut session: Session,
    service: &Service,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    for line in listen(input, kind) {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words.split_first() {
            Some((&"uci", _)) => {
                let name = &session.game().info().name;
                writeln!(
                    out,
                    "id name Ludex {VERSION} ({name})\nid author the Ludex developers\n\
                     option name Ponder type check default false\nuciok"
                )?;
            }
            Some((&"isready", _)) => writeln!(out, "readyok")?,
            Some((&"ucinewgame", _)) => {
                if let Err(fault) = session.restart() {
                    writeln!(out, "info string {fault}")?;
                }
            }
            Some((&"position", rest)) => {
                if let Err(fault) = position(&mut session, rest) {
                    writeln!(out, "info string {}", fault.replace('\n', " "))?;
                }
            }
            Some((&"go", rest)) => go(&mut session, service, rest, &line, out)?,
            Some((&"quit", _)) => break,
            Some((&("stop" | "ponderhit" | "setoption" | "debug" | "register"), _)) | None => {}
            Some((other, _)) => writeln!(out, "info string unknown command {other}")?,
        }
        out.flush()?;
    }
    Ok(())
}

/// `startpos moves …`; what comes after a move that is not legal is not played.
fn position(session: &mut Session, words: &[&str]) -> Result<(), String> {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (from, moves) = words.split_at(at);
    if from != ["startpos"] && from.join(" ") != format!("fen {START}") {
        return Err("only positions by moves from the start are known".to_string());
    }
    session.restart().map_err(|fault| fault.to_string())?;
    for said in moves.iter().skip(1) {
        let player = session.next().map_err(|fault| fault.to_string())?;
        let legal = coordinates(session.game(), session.state(), player);
        let mv = from_coordinates(said, &legal).ok_or_else(|| format!("{said} is not legal"))?;
        session.play(player, mv);
    }
    Ok(())
}

fn go(
    session: &mut Session,
    service: &Service,
    words: &[&str],
    line: &Line,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Ok(player) = session.next() else {
        writeln!(out, "info string nobody is to move")?;
        return writeln!(out, "bestmove 0000");
    };
    let ponders = words.contains(&"ponder");
    let expected = || session.expected_moves(player);
    let mut budget = budget(words, player, service.budget, expected);
    let done = Stop::default();
    if ponders {
        let time = budget.time.unwrap_or_default();
        end_after_hit(time, line.hit.clone(), line.stop.clone(), done.clone());
        budget = Budget { time: None, simulations: Some(u64::MAX), ..budget };
    }
    let begun = Instant::now();
    let mut written = Ok(());
    let mut info = |game: &dyn Game, state: &State, report: &Report| {
        let line = evidence(game, state, report, begun.elapsed());
        written = writeln!(out, "info {line}").and_then(|()| out.flush());
    };
    let choice = session.think(player, budget, line.stop.clone(), &mut info);
    done.raise();
    if let Some(report) = &choice.report {
        info(session.game(), session.state(), report);
    }
    written?;
    let legal = coordinates(session.game(), session.state(), player);
    let text = legal.iter().find(|(_, mv)| *mv == choice.mv).map_or("0000", |(text, _)| text);
    writeln!(out, "bestmove {text}")
}

/// Ends a search of so long after the signal that what it took to be played was played.
fn end_after_hit(time: Duration, hit: Stop, stop: Stop, done: Stop) {
    const BETWEEN: Duration = Duration::from_millis(1);
    std::thread::spawn(move || {
        let mut end = None;
        while !done.is_raised() && !stop.is_raised() {
            if end.is_none() && hit.is_raised() {
                end = Some(Instant::now() + time);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return stop.raise();
            }
            std::thread::sleep(BETWEEN);
        }
    });
}

/// Time and nodes as a command says; a clock is shared among the moves to come.
fn budget(words: &[&str], player: Player, usual: Budget, expected: impl FnOnce() -> f64) -> Budget {
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<f64>().ok().filter(|number| *number >= 0.0)
    };
    let own = |names: [&str; 2]| number(names[player.index().min(1)]);
    let milliseconds =
        |value: f64| Duration::from_secs_f64((value / 1000.0).clamp(0.001, 86_400.0));
    if words.contains(&"infinite") {
        return Budget::simulations(u64::MAX);
    }
    let time = number("movetime").map(milliseconds).or_else(|| {
        let clock = TimeLeft {
            left: milliseconds(own(["wtime", "btime"])?),
            more: own(["winc", "binc"]).map_or(Duration::ZERO, milliseconds),
            moves: number("movestogo").filter(|moves| *moves >= 1.0).map(|moves| moves as u32),
        };
        let expected = if clock.moves.is_some() { 0.0 } else { expected() };
        Some(clock.share(expected))
    });
    let simulations = number("nodes").map(|nodes| nodes.max(1.0) as u64);
    match (simulations, time) {
        (None, None) => usual,
        (simulations, time) => Budget { simulations, time, clock: usual.clock },
    }
}

/// Nodes, time, the value on the scale of ratings, and the line of play.
fn evidence(game: &dyn Game, state: &State, report: &Report, time: Duration) -> String {
    let value = report.value().clamp(0.001, 0.999);
    let centipawns = (400.0 * (value / (1.0 - value)).log10()).round();
    let milliseconds = time.as_millis().max(1) as u64;
    let rate = 1000 * report.simulations / milliseconds;
    let line = line(game, state, report).join(" ");
    let (depth, nodes) = (report.line.len().max(1), report.simulations);
    format!(
        "depth {depth} score cp {centipawns} nodes {nodes} nps {rate} time {milliseconds} pv {line}"
    )
}

/// The expected line in coordinates, as far as it is legal.
fn line(game: &dyn Game, root: &State, report: &Report) -> Vec<String> {
    let (mut state, mut texts) = (root.clone(), Vec::new());
    for joint in &report.line {
        let ludex_game::Turn::Players(players) = game.turn(&state) else { break };
        let (Some(player), [mv]) = (players.first(), &joint[..]) else { break };
        let legal = coordinates(game, &state, player);
        let Some((text, _)) = legal.iter().find(|(_, legal)| legal == mv) else { break };
        texts.push(text.clone());
        game.apply(&mut state, joint);
    }
    texts
}
