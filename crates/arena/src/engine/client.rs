//! A program as a player: told what was played, asked for moves, never believed.

use std::time::{Duration, Instant};

use ludex_game::{Game, Move, Player, State, Turn};
use ludex_play::search::{Budget, Stop};

use super::notation::{board_size, coordinates, from_coordinates, from_vertex, vertex};
use super::process::Process;
use super::{EngineSpec, Protocol};

/// Why an engine cannot go on. All but [`Fault::Unfit`] and [`Fault::Stopped`] lose it the game.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be started.
    #[error("it could not be started: {0}")]
    Start(std::io::Error),
    /// It is gone.
    #[error("it ended in the middle of the game ({0})")]
    Ended(String),
    /// It says nothing.
    #[error("it gave no answer in time")]
    Silent,
    /// It said something that is no answer.
    #[error("it answered `{0}`, which is no answer")]
    Garbage(String),
    /// It refused a command that it must know.
    #[error("it refused `{command}`: {answer}")]
    Refused {
        /// What it was told.
        command: String,
        /// What it said.
        answer: String,
    },
    /// It cheated.
    #[error("it played `{0}`, which is not legal")]
    Illegal(String),
    /// It gave up.
    #[error("it resigned")]
    Resigned,
    /// The protocol cannot say what this game needs.
    #[error("{0}")]
    Unfit(String),
    /// Somebody else ended the match.
    #[error("the match was stopped")]
    Stopped,
}

/// A program in a game. Its process lives as long as this.
pub struct Engine {
    spec: EngineSpec,
    process: Process,
    stop: Stop,
    /// Moves since the start in coordinates, which UCI is told all over again before each search.
    history: Vec<String>,
}

/// What a line of an answer may show of itself in a sentence.
fn shown(line: &str) -> String {
    let short: String = line.chars().filter(|letter| !letter.is_control()).take(60).collect();
    if short.len() < line.len() { format!("{short}…") } else { short }
}

impl Engine {
    /// Starts the program and has it set up the game.
    pub fn start(spec: &EngineSpec, game: &dyn Game, stop: Stop) -> Result<Engine, Fault> {
        let info = game.info();
        let name = spec.protocol.name();
        if info.hidden {
            let why = format!("`{name}` would show an engine what is hidden in {}", info.name);
            return Err(Fault::Unfit(why));
        }
        if spec.protocol != Protocol::Lines && info.players != 2 {
            let why = format!("`{name}` is for two players, {} has {}", info.name, info.players);
            return Err(Fault::Unfit(why));
        }
        let begins = game.turn(&game.start());
        if spec.protocol != Protocol::Lines
            && !matches!(begins, Turn::Players(all) if all.len() == 1)
        {
            let why = format!("`{name}` has no words for the first turn of {}", info.name);
            return Err(Fault::Unfit(why));
        }
        let process = Process::start(&spec.command)?;
        let mut engine = Engine { spec: spec.clone(), process, stop, history: Vec::new() };
        engine.set_up(game)?;
        Ok(engine)
    }

    /// When an answer is too late.
    fn until(&self, more: Duration) -> Instant {
        Instant::now() + more + Duration::from_secs_f64(self.spec.timeout)
    }

    fn set_up(&mut self, game: &dyn Game) -> Result<(), Fault> {
        let setup: Vec<String> =
            self.spec.setup.split(';').map(|part| part.trim().to_string()).collect();
        let setup = setup.iter().filter(|part| !part.is_empty());
        match self.spec.protocol {
            Protocol::Lines => self.lines("new", Duration::ZERO).map(|_| ()),
            Protocol::Gtp => {
                let start = game.start();
                let size = match game.turn(&start) {
                    Turn::Players(players) => {
                        players.first().map(|first| board_size(&texts(game, &start, first)).0)
                    }
                    _ => None,
                };
                if let Some(size) = size {
                    self.gtp(&format!("boardsize {size}"), Duration::ZERO)?;
                }
                self.gtp("clear_board", Duration::ZERO)?;
                // The rules know no komi; an engine that cannot do without is not told of any.
                match self.gtp("komi 0", Duration::ZERO) {
                    Ok(_) | Err(Fault::Refused { .. }) => {}
                    Err(fault) => return Err(fault),
                }
                for command in setup {
                    self.gtp(command, Duration::ZERO)?;
                }
                Ok(())
            }
            Protocol::Uci => {
                self.uci("uci", "uciok")?;
                for option in setup {
                    let (name, value) = option.split_once('=').unwrap_or((option, ""));
                    let (name, value) = (name.trim(), value.trim());
                    self.process.send(&format!("setoption name {name} value {value}"))?;
                }
                self.process.send("ucinewgame")?;
                self.uci("isready", "readyok")
            }
        }
    }

    /// Tells the engine what was played, its own moves included where the protocol wants them.
    pub fn played(
        &mut self,
        game: &dyn Game,
        state: &State,
        own: Player,
        joint: &[Move],
    ) -> Result<(), Fault> {
        match game.turn(state) {
            Turn::Over => Ok(()),
            Turn::Chance if self.spec.protocol == Protocol::Lines => {
                let outcome = game.move_text(state, None, joint[0]);
                self.lines(&format!("play {outcome}"), Duration::ZERO).map(|_| ())
            }
            Turn::Chance => Err(self.unfit(game, "chance")),
            Turn::Players(players) if self.spec.protocol == Protocol::Lines => {
                for (player, &mv) in players.into_iter().zip(joint) {
                    let text = game.move_text(state, Some(player), mv);
                    self.lines(&format!("play {text}"), Duration::ZERO)?;
                }
                Ok(())
            }
            Turn::Players(players) => match (players.first(), joint) {
                (Some(player), [mv]) => self.told(game, state, own, player, *mv),
                _ => Err(self.unfit(game, "moves at the same time")),
            },
        }
    }

    fn unfit(&self, game: &dyn Game, what: &str) -> Fault {
        let (name, game) = (self.spec.protocol.name(), &game.info().name);
        Fault::Unfit(format!("`{name}` has no words for {what}, which {game} has"))
    }

    fn told(
        &mut self,
        game: &dyn Game,
        state: &State,
        own: Player,
        player: Player,
        mv: Move,
    ) -> Result<(), Fault> {
        if self.spec.protocol == Protocol::Uci {
            let legal = coordinates(game, state, player);
            let text = legal.iter().find(|(_, legal)| *legal == mv).map(|(text, _)| text.clone());
            self.history.push(text.unwrap_or_else(|| "0000".to_string()));
            return Ok(());
        }
        // An engine that generated a move has played it already.
        if player == own {
            return Ok(());
        }
        let text = vertex(&game.move_text(state, Some(player), mv), self.spec.letters);
        self.gtp(&format!("play {} {text}", colour(player)), Duration::ZERO).map(|_| ())
    }

    /// Asks for a move of the player whose turn it is.
    pub fn choose(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        budget: Budget,
    ) -> Result<Move, Fault> {
        let time = budget.time.unwrap_or_default();
        let said = match self.spec.protocol {
            Protocol::Lines => self.ask_lines(player, budget)?,
            Protocol::Gtp => self.gtp(&format!("genmove {}", colour(player)), time)?,
            Protocol::Uci => self.ask_uci(budget)?,
        };
        let said = said.trim();
        let found = match self.spec.protocol {
            Protocol::Lines => {
                let legal = texts(game, state, player);
                legal.iter().find(|(text, _)| text == said).map(|(_, mv)| *mv)
            }
            Protocol::Gtp if said.eq_ignore_ascii_case("resign") => return Err(Fault::Resigned),
            Protocol::Gtp => from_vertex(said, &texts(game, state, player), self.spec.letters),
            Protocol::Uci => from_coordinates(said, &coordinates(game, state, player)),
        };
        found.ok_or_else(|| Fault::Illegal(shown(said)))
    }

    fn ask_lines(&mut self, player: Player, budget: Budget) -> Result<String, Fault> {
        let mut command = format!("go P{}", player.index() + 1);
        if let Some(count) = budget.simulations {
            command += &format!(" simulations {count}");
        }
        if let Some(time) = budget.time {
            command += &format!(" time {}", time.as_secs_f64());
        }
        let answer = self.lines(&command, budget.time.unwrap_or_default())?;
        let best = answer.iter().find_map(|line| line.strip_prefix("bestmove "));
        best.map(str::to_string).ok_or_else(|| Fault::Garbage(shown(&answer.join(" "))))
    }

    fn ask_uci(&mut self, budget: Budget) -> Result<String, Fault> {
        let mut position = "position startpos".to_string();
        if !self.history.is_empty() {
            position += &format!(" moves {}", self.history.join(" "));
        }
        self.process.send(&position)?;
        let mut command = "go".to_string();
        if let Some(count) = budget.simulations {
            command += &format!(" nodes {count}");
        }
        if let Some(time) = budget.time {
            command += &format!(" movetime {}", time.as_millis().max(1));
        }
        self.process.send(&command)?;
        let until = self.until(budget.time.unwrap_or_default());
        loop {
            let line = self.process.line(until, &self.stop)?;
            if let Some(best) = line.trim().strip_prefix("bestmove") {
                return Ok(best.split_whitespace().next().unwrap_or("").to_string());
            }
        }
    }

    /// Sends a command of UCI and waits for the word that answers it; other lines mean nothing to us.
    fn uci(&mut self, command: &str, answer: &str) -> Result<(), Fault> {
        self.process.send(command)?;
        let until = self.until(Duration::ZERO);
        while self.process.line(until, &self.stop)?.trim() != answer {}
        Ok(())
    }

    /// The lines of an answer of our own protocol.
    fn lines(&mut self, command: &str, more: Duration) -> Result<Vec<String>, Fault> {
        self.process.send(command)?;
        let until = self.until(more);
        let mut answer = Vec::new();
        loop {
            let line = self.process.line(until, &self.stop)?;
            match line.as_str() {
                "" => break,
                _ if answer.len() > 100_000 => return Err(Fault::Garbage(shown(&line))),
                _ => answer.push(line),
            }
        }
        match answer.first() {
            Some(first) if first.starts_with("error") => {
                Err(Fault::Refused { command: command.to_string(), answer: shown(first) })
            }
            _ => Ok(answer),
        }
    }

    /// What an engine of GTP answers to a command.
    fn gtp(&mut self, command: &str, more: Duration) -> Result<String, Fault> {
        self.process.send(command)?;
        let until = self.until(more);
        let mut first = self.process.line(until, &self.stop)?;
        while first.trim().is_empty() {
            first = self.process.line(until, &self.stop)?;
        }
        let answer =
            first.trim_start_matches(['=', '?']).trim_start_matches(|c: char| c.is_ascii_digit());
        let answer = answer.trim().to_string();
        let refused = match first.chars().next() {
            Some('=') => false,
            Some('?') => true,
            _ => return Err(Fault::Garbage(shown(&first))),
        };
        while !self.process.line(until, &self.stop)?.trim().is_empty() {}
        match refused {
            true => Err(Fault::Refused { command: command.to_string(), answer: shown(&answer) }),
            false => Ok(answer),
        }
    }
}

fn colour(player: Player) -> &'static str {
    if player.index() == 0 { "b" } else { "w" }
}

fn texts(game: &dyn Game, state: &State, player: Player) -> Vec<(String, Move)> {
    let mut moves = Vec::new();
    game.moves(state, player, &mut moves);
    moves.iter().map(|&mv| (game.move_text(state, Some(player), mv), mv)).collect()
}
