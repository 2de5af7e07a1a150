//! A game record: everything needed to play the same game again, as text people can read.
//!
//! ```text
//! ludex trial 1
//! game breakthrough --size 6x6
//! seed 42
//! # budget 0.1 s of CPU time
//! P1 a2-a3
//! P2 f5-e4
//! result 1 0
//! ```
//!
//! One line for each player's move; players who move at once have their lines one after another in
//! player order, and an outcome of chance is a line that starts with `chance`. Lines that start with `#` say
//! how the game came about and change nothing.

use std::fmt;

use crate::{Game, GameError, Move, Player, State, Turn};

const HEADER: &str = "ludex trial 1";

/// A record of one game.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Trial {
    /// What builds the game, as on the command line.
    pub game: String,
    /// The seed everything random came from.
    pub seed: u64,
    /// How the game came about: who played, for how long, in which version.
    pub notes: Vec<String>,
    /// Who chose what: a player, or `None` for chance, and the move's text.
    pub moves: Vec<(Option<Player>, String)>,
    /// The payoffs, if the game ended.
    pub result: Option<Vec<f32>>,
}

impl Trial {
    /// An empty record.
    pub fn new(game: impl Into<String>, seed: u64) -> Self {
        Trial { game: game.into(), seed, ..Trial::default() }
    }

    /// Adds the joint move about to be played in `state`.
    pub fn push(&mut self, game: &dyn Game, state: &State, joint: &[Move]) {
        let mut add = |who, mv| self.moves.push((who, game.move_text(state, who, mv)));
        match game.turn(state) {
            Turn::Over => {}
            Turn::Chance => add(None, joint[0]),
            Turn::Players(players) => {
                for (player, &mv) in players.into_iter().zip(joint) {
                    add(Some(player), mv);
                }
            }
        }
    }

    /// Reads a record's text.
    pub fn read(text: &str) -> Result<Trial, GameError> {
        let mut trial = Trial::default();
        for (index, line) in text.lines().enumerate() {
            let fault =
                |reason: &str| GameError::Record { line: index + 1, reason: reason.to_string() };
            let line = line.trim();
            if index == 0 {
                if line != HEADER {
                    return Err(fault("a record begins with `ludex trial 1`"));
                }
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "game" => trial.game = rest.to_string(),
                "seed" => {
                    trial.seed = rest.parse().map_err(|_| fault("the seed is a whole number"))?;
                }
                "#" => trial.notes.push(rest.trim().to_string()),
                _ if word.starts_with('#') => trial.notes.push(line[1..].trim().to_string()),
                "result" => {
                    let payoffs: Result<Vec<f32>, _> =
                        rest.split_whitespace().map(str::parse).collect();
                    let payoffs = payoffs.map_err(|_| fault("payoffs are numbers"))?;
                    trial.result = Some(payoffs);
                }
                "chance" => trial.moves.push((None, rest.to_string())),
                _ => {
                    let player = parse_player(word).ok_or_else(|| {
                        fault(
                            "expected `game`, `seed`, `result`, `chance` or a player such as `P1`",
                        )
                    })?;
                    trial.moves.push((Some(player), rest.to_string()));
                }
            }
        }
        if text.lines().next().is_none() {
            return Err(GameError::Record { line: 1, reason: "the record is empty".into() });
        }
        Ok(trial)
    }

    /// Plays the record through and returns every position, the first one included. Fails at the
    /// first move that is not legal, at moves after the end, and where the result is not the recorded one.
    pub fn replay(&self, game: &dyn Game) -> Result<Vec<State>, GameError> {
        let mut states = vec![game.start()];
        let mut moves = self.moves.iter().enumerate().peekable();
        while moves.peek().is_some() {
            let mut state = states[states.len() - 1].clone();
            let mut joint = Vec::new();
            match game.turn(&state) {
                Turn::Over => return Err(GameError::Over),
                Turn::Chance => {
                    let (at, (who, text)) = moves.next().expect("peeked");
                    let fault = |reason| GameError::Record { line: self.first_line() + at, reason };
                    if who.is_some() {
                        return Err(fault("it is chance's turn".to_string()));
                    }
                    let outcome = game.parse_chance(&state, text);
                    joint.push(
                        outcome.ok_or_else(|| fault(format!("chance cannot give `{text}`")))?,
                    );
                }
                Turn::Players(players) => {
                    for player in players {
                        let Some((_, (who, text))) = moves.next() else {
                            return Err(GameError::NotYourTurn(player));
                        };
                        if *who != Some(player) {
                            return Err(GameError::NotYourTurn(who.unwrap_or(player)));
                        }
                        joint.push(game.parse_move(&state, player, text)?);
                    }
                }
            }
            game.apply(&mut state, &joint);
            states.push(state);
        }
        self.check_result(game, &states[states.len() - 1])?;
        Ok(states)
    }

    fn check_result(&self, game: &dyn Game, last: &State) -> Result<(), GameError> {
        let Some(recorded) = &self.result else { return Ok(()) };
        let mut payoffs = vec![0.0; game.info().players];
        game.payoffs(last, &mut payoffs);
        if *recorded == payoffs {
            return Ok(());
        }
        let reason = format!("the recorded result is {recorded:?}, replaying gives {payoffs:?}");
        Err(GameError::Record { line: self.first_line() + self.moves.len(), reason })
    }

    /// The line of the first move, as this record is written.
    fn first_line(&self) -> usize {
        4 + self.notes.len()
    }
}

fn parse_player(word: &str) -> Option<Player> {
    let number: u8 = word.strip_prefix('P')?.parse().ok()?;
    number.checked_sub(1).map(Player)
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\ngame {}\nseed {}", self.game, self.seed)?;
        for note in &self.notes {
            writeln!(f, "# {note}")?;
        }
        for (who, text) in &self.moves {
            match who {
                Some(player) => writeln!(f, "{player} {text}")?,
                None => writeln!(f, "chance {text}")?,
            }
        }
        if let Some(result) = &self.result {
            let result: Vec<String> = result.iter().map(f32::to_string).collect();
            writeln!(f, "result {}", result.join(" "))?;
        }
        Ok(())
    }
}
