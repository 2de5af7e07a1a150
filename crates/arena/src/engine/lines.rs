//! The protocol of our own: one command a line, an empty line after every answer.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use ludex_game::{Game, Player, State, Turn};
use ludex_play::search::{Budget, Report, Stop};
use serde::Serialize;
use serde_json::{Value, json};

use super::input::{Kind, Line, listen};
use super::{Service, Session, SessionError};

/// What a search has to do with a line.
fn kind(text: &str) -> Kind {
    let mut words = text.split_whitespace();
    match (words.next(), words.next()) {
        (Some("go"), Some("infinite")) => Kind::Endless,
        (Some("go"), _) => Kind::Search,
        (Some("stop" | "quit"), _) => Kind::Halt,
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
        let text = line.text.trim();
        if text.is_empty() {
            continue;
        }
        match answer(&mut session, service, &line, out)? {
            Ok(lines) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            // An answer has one line for each fault, and no empty one.
            Err(fault) => writeln!(out, "error {}", fault.replace('\n', " "))?,
        }
        writeln!(out)?;
        out.flush()?;
        if text == "quit" {
            break;
        }
    }
    Ok(())
}

/// The lines of an answer, or what is wrong with the command; a search writes what it finds at once.
fn answer(
    session: &mut Session,
    service: &Service,
    line: &Line,
    out: &mut dyn Write,
) -> io::Result<Result<Vec<String>, String>> {
    let text = line.text.trim();
    let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let none = Ok(Vec::new());
    let plain = |result: Result<(), SessionError>| match result {
        Ok(()) => Ok(Vec::new()),
        Err(fault) => Err(fault.to_string()),
    };
    Ok(match command {
        "new" => plain(session.restart()),
        "moves" => moves(session, rest),
        "play" => plain(play(session, rest)),
        "undo" => plain(session.undo()),
        "go" => return go(session, service, rest, line.stop.clone(), out),
        "turn" => Ok(vec![turn(session)]),
        "show" => Ok(show(session)),
        "stop" | "quit" => none,
        _ => Err(format!(
            "unknown command `{command}`; there are new, moves, play, stop, undo, go, turn, show and quit"
        )),
    })
}

/// `P2` as a player of this game.
fn player(session: &Session, text: &str) -> Option<Player> {
    let number: usize = text.strip_prefix(['P', 'p'])?.parse().ok()?;
    let seat = number.checked_sub(1).filter(|&seat| seat < session.game().info().players)?;
    Some(Player(seat as u8))
}

fn moves(session: &Session, rest: &str) -> Result<Vec<String>, String> {
    match session.turn() {
        Turn::Over => Ok(Vec::new()),
        Turn::Chance => Ok(session.outcomes()),
        Turn::Players(_) => {
            let named = match rest {
                "" => None,
                text => Some(player(session, text).ok_or_else(|| format!("nobody is `{text}`"))?),
            };
            let chosen = session.chosen(named).map_err(|fault| fault.to_string())?;
            Ok(session.moves(chosen).into_iter().map(|(text, _)| text).collect())
        }
    }
}

/// A move of the next player, or of the one who is named before it.
fn play(session: &mut Session, text: &str) -> Result<(), SessionError> {
    if let Some((word, rest)) = text.split_once(' ')
        && let Some(named) = player(session, word)
        && session.turn() != Turn::Chance
    {
        return session.play_text(Some(named), rest.trim());
    }
    session.play_text(None, text)
}

/// Whose turn it is, as programs read it.
#[derive(Serialize)]
struct TurnLine {
    players: Vec<usize>,
    chance: bool,
    terminal: bool,
    payoffs: Vec<f32>,
}

fn turn(session: &Session) -> String {
    let line = TurnLine {
        players: session.missing().iter().map(|player| player.index() + 1).collect(),
        chance: session.turn() == Turn::Chance,
        terminal: session.turn() == Turn::Over,
        payoffs: session.payoffs().unwrap_or_default(),
    };
    serde_json::to_string(&line).expect("numbers have a JSON form")
}

/// The position; a line of one blank stands for an empty one, which would end the answer.
fn show(session: &Session) -> Vec<String> {
    let board = session.game().show(session.state(), None);
    let line = |line: &str| if line.trim().is_empty() { " ".to_string() } else { line.to_string() };
    board.trim_matches('\n').lines().map(line).collect()
}

/// Thinks: `[Pn] [time S | simulations N | infinite]`, several limits together if wanted.
fn go(
    session: &mut Session,
    service: &Service,
    rest: &str,
    stop: Stop,
    out: &mut dyn Write,
) -> io::Result<Result<Vec<String>, String>> {
    let mut words = rest.split_whitespace().peekable();
    let named = words.next_if(|word| player(session, word).is_some());
    let named = named.and_then(|word| player(session, word));
    let budget = match budget(&mut words, service.budget) {
        Ok(budget) => budget,
        Err(fault) => return Ok(Err(fault)),
    };
    let chosen = match session.chosen(named) {
        Ok(player) => player,
        Err(fault) => return Ok(Err(fault.to_string())),
    };
    let begun = Instant::now();
    let mut written = Ok(());
    let mut info = |game: &dyn Game, state: &State, report: &Report| {
        let line = evidence(game, state, chosen, report, begun.elapsed());
        written = writeln!(out, "info {line}").and_then(|()| out.flush());
    };
    let choice = session.think(chosen, budget, stop, &mut info);
    if let Some(report) = &choice.report {
        info(session.game(), session.state(), report);
    }
    written?;
    let text = session.game().move_text(session.state(), Some(chosen), choice.mv);
    Ok(Ok(vec![format!("bestmove {text}")]))
}

fn budget<'a>(words: &mut impl Iterator<Item = &'a str>, usual: Budget) -> Result<Budget, String> {
    let mut asked = Budget { clock: usual.clock, ..Budget::default() };
    let mut said = false;
    while let Some(word) = words.next() {
        said = true;
        let number = |value: Option<&str>| value.and_then(|value| value.parse::<f64>().ok());
        match word {
            "infinite" => asked.simulations = Some(u64::MAX),
            "time" => match number(words.next()) {
                Some(seconds) if seconds > 0.0 && seconds <= 86_400.0 => {
                    asked.time = Some(Duration::from_secs_f64(seconds));
                }
                _ => return Err("`go time` needs a number of seconds".to_string()),
            },
            "simulations" => match words.next().and_then(|value| value.parse().ok()) {
                Some(count @ 1..) => asked.simulations = Some(count),
                _ => return Err("`go simulations` needs a number".to_string()),
            },
            _ => return Err(format!("`go` knows time, simulations and infinite, not `{word}`")),
        }
    }
    Ok(if said { asked } else { usual })
}

/// What a search found, as programs read it.
fn evidence(
    game: &dyn Game,
    state: &State,
    player: Player,
    report: &Report,
    time: Duration,
) -> Value {
    let text = |mv| game.move_text(state, Some(player), mv);
    let moves: Vec<Value> = report
        .moves
        .iter()
        .map(|one| json!({ "move": text(one.mv), "visits": one.visits, "mean": one.mean }))
        .collect();
    json!({
        "player": player.index() + 1,
        "simulations": report.simulations,
        "seconds": time.as_secs_f64(),
        "value": report.value(),
        "line": report.line_text(game, state),
        "moves": moves,
    })
}
