//! The Go Text Protocol, version 2, for Go and whatever else is played by placing stones on vertices.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use ludex_game::{Move, Player, Turn};
use ludex_play::search::Budget;
use ludex_play::timing::TimeLeft;

use super::input::{Kind, Line, listen};
use super::notation::{board_size, from_vertex, vertex};
use super::{Service, Session};
use crate::experiment::VERSION;

const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
];

fn kind(text: &str) -> Kind {
    let words = text.split_whitespace().skip_while(|word| word.parse::<u64>().is_ok());
    match words.take(1).next() {
        Some("genmove" | "reg_genmove") => Kind::Search,
        Some("quit") => Kind::Halt,
        _ => Kind::Other,
    }
}

/// A session and what GTP keeps beside it.
struct Gtp<'a> {
    session: Session,
    service: &'a Service<'a>,
    /// What the clock of both was set to; nothing where there is none.
    settings: Option<Settings>,
    /// What the clocks show.
    clocks: [Option<TimeLeft>; 2],
}

/// A number of seconds or stones.
fn number(word: Option<&&str>) -> Option<f64> {
    word?.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// A clock as `time_settings` has it.
#[derive(Clone, Copy)]
struct Settings {
    main: Duration,
    /// After the main time, so many stones are to be played in each period.
    period: Duration,
    stones: u32,
}

impl Settings {
    /// A clock at the start, or where a period of its own begins.
    fn clock(self) -> TimeLeft {
        match self.main.is_zero() {
            true => self.next_period(),
            false => TimeLeft { left: self.main, ..TimeLeft::default() },
        }
    }

    fn next_period(self) -> TimeLeft {
        TimeLeft { left: self.period, moves: Some(self.stones), ..TimeLeft::default() }
    }
}

pub fn serve(
    session: Session,
    service: &Service,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut gtp = Gtp { session, service, settings: None, clocks: [None; 2] };
    for line in listen(input, kind) {
        // Comments, tabs and control characters are as the protocol says.
        let text = line.text.split('#').next().unwrap_or("").replace('\t', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let (id, words) = match words.split_first() {
            Some((first, rest)) if first.parse::<u64>().is_ok() => (*first, rest),
            _ => ("", &words[..]),
        };
        let Some((&command, arguments)) = words.split_first() else { continue };
        match gtp.answer(command, arguments, &line) {
            Ok(text) => write!(out, "={id} {text}\n\n")?,
            Err(fault) => write!(out, "?{id} {}\n\n", fault.replace('\n', " "))?,
        }
        out.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

impl Gtp<'_> {
    fn answer(&mut self, command: &str, words: &[&str], line: &Line) -> Result<String, String> {
        let nothing = Ok(String::new());
        match command {
            "protocol_version" => Ok("2".to_string()),
            "name" => Ok(format!("Ludex ({})", self.session.game().info().name)),
            "version" => Ok(VERSION.to_string()),
            "known_command" => {
                Ok(words.first().is_some_and(|word| COMMANDS.contains(word)).to_string())
            }
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => nothing,
            "boardsize" => self.resize(words).map(|()| String::new()),
            "clear_board" => {
                self.clocks = [self.settings.map(Settings::clock); 2];
                self.done(|session| session.restart())
            }
            "komi" => match words.first().and_then(|word| word.parse::<f64>().ok()) {
                Some(0.0) => nothing,
                Some(_) => Err("the rules of this game have no komi".to_string()),
                None => Err("komi not a float".to_string()),
            },
            "play" => self.play(words).map(|()| String::new()),
            "genmove" => self.think(words, line).map(|(player, mv, text)| {
                self.session.play(player, mv);
                text
            }),
            "reg_genmove" => self.think(words, line).map(|(_, _, text)| text),
            "undo" => self.done(|session| session.undo()).map_err(|_| "cannot undo".to_string()),
            "showboard" => {
                Ok(format!("\n{}", self.board().replace("\n\n", "\n \n").trim_end_matches('\n')))
            }
            "time_settings" => self.time_settings(words).map(|()| String::new()),
            "time_left" => self.time_left(words).map(|()| String::new()),
            _ => Err("unknown command".to_string()),
        }
    }

    fn board(&self) -> String {
        self.session.game().show(self.session.state(), None)
    }

    fn done(
        &mut self,
        change: impl FnOnce(&mut Session) -> Result<(), super::SessionError>,
    ) -> Result<String, String> {
        change(&mut self.session).map(|()| String::new()).map_err(|fault| fault.to_string())
    }

    fn resize(&mut self, words: &[&str]) -> Result<(), String> {
        let size = words.first().and_then(|word| word.parse::<usize>().ok());
        let size = size.ok_or("boardsize not an integer")?;
        self.done(|session| session.restart())?;
        if let Ok(first) = self.session.next()
            && board_size(&self.session.moves(first)) == (size, size)
        {
            return Ok(());
        }
        let game = (self.service.resize)(size).ok_or("unacceptable size")?;
        self.session = self.session.with_game(game).map_err(|fault| fault.to_string())?;
        Ok(())
    }

    /// `b` and `black` move first.
    fn player(word: Option<&&str>) -> Result<Player, String> {
        match word.map(|word| word.to_ascii_lowercase()).as_deref() {
            Some("b" | "black") => Ok(Player(0)),
            Some("w" | "white") => Ok(Player(1)),
            _ => Err("invalid color".to_string()),
        }
    }

    /// Makes it a player's turn: GTP lets colours play out of turn, which is the others passing.
    fn give_turn(&mut self, player: Player) -> Result<(), String> {
        let next = self.session.next().map_err(|fault| fault.to_string())?;
        if next == player {
            return Ok(());
        }
        let moves = self.session.moves(next);
        let pass = from_vertex("pass", &moves, self.service.letters);
        let pass = pass.ok_or_else(|| format!("it is the turn of {next}"))?;
        self.session.play(next, pass);
        match self.session.turn() {
            Turn::Players(players) if players.contains(player) => Ok(()),
            _ => {
                let _ = self.session.undo();
                Err(format!("it is the turn of {next}"))
            }
        }
    }

    fn play(&mut self, words: &[&str]) -> Result<(), String> {
        let player = Self::player(words.first())?;
        let said = *words.get(1).ok_or("invalid vertex")?;
        let turns = self.session.next().ok();
        self.give_turn(player)?;
        let moves = self.session.moves(player);
        match from_vertex(said, &moves, self.service.letters) {
            Some(mv) => {
                self.session.play(player, mv);
                Ok(())
            }
            None => {
                if turns != Some(player) {
                    let _ = self.session.undo();
                }
                Err("illegal move".to_string())
            }
        }
    }

    fn think(&mut self, words: &[&str], line: &Line) -> Result<(Player, Move, String), String> {
        let player = Self::player(words.first())?;
        self.give_turn(player)?;
        let begun = Instant::now();
        let budget = self.budget(player);
        let choice = self.session.think(player, budget, line.stop.clone(), |_, _, _| {});
        self.count_time(player, begun.elapsed());
        let text = self.session.game().move_text(self.session.state(), Some(player), choice.mv);
        Ok((player, choice.mv, vertex(&text, self.service.letters)))
    }

    /// What the clock gives for a move, never more than a budget that was asked for besides.
    fn budget(&self, player: Player) -> Budget {
        let usual = self.service.budget;
        let Some(clock) = self.clocks[player.index().min(1)] else { return usual };
        let expected = match clock.moves {
            Some(_) => 0.0,
            None => self.session.expected_moves(player),
        };
        let share = clock.share(expected);
        let time = match self.service.asked {
            true => usual.time.map_or(share, |time| time.min(share)),
            false => share,
        };
        Budget { time: Some(time), ..usual }
    }

    /// Takes what a move took off a clock, for programs that set clocks and do not tell what they show.
    fn count_time(&mut self, player: Player, used: Duration) {
        let clock = &mut self.clocks[player.index().min(1)];
        let (Some(shown), Some(settings)) = (*clock, self.settings) else { return };
        let next = shown.after(used).filter(|next| !next.left.is_zero() && next.moves != Some(0));
        // What a period leaves over is lost, and the next one begins.
        *clock = next.or((settings.stones > 0).then(|| settings.next_period())).or(Some(shown));
    }

    /// `main period stones`: the clock of both; a period without stones means that there is none.
    fn time_settings(&mut self, words: &[&str]) -> Result<(), String> {
        let number = |at: usize| number(words.get(at));
        let (Some(main), Some(period), Some(stones)) = (number(0), number(1), number(2)) else {
            return Err("time_settings needs three numbers".to_string());
        };
        let seconds = |value: f64| Duration::from_secs_f64(value.clamp(0.0, 86_400.0));
        let endless = period > 0.0 && stones == 0.0;
        let settings =
            Settings { main: seconds(main), period: seconds(period), stones: stones as u32 };
        let timed = !endless && (main > 0.0 || (period > 0.0 && stones > 0.0));
        self.settings = timed.then_some(settings);
        self.clocks = [self.settings.map(Settings::clock); 2];
        Ok(())
    }

    /// `color seconds stones`: what is left, for so many stones or for the rest of the game.
    fn time_left(&mut self, words: &[&str]) -> Result<(), String> {
        let number = |at: usize| number(words.get(at));
        let (Some(seconds), Some(stones)) = (number(1), number(2)) else {
            return Err("time_left needs a color and two numbers".to_string());
        };
        let player = Self::player(words.first())?;
        let left = Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0));
        let moves = (stones > 0.0).then_some(stones as u32);
        self.clocks[player.index()] = Some(TimeLeft { left, moves, ..TimeLeft::default() });
        Ok(())
    }
}
