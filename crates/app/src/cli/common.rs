//! Arguments that several commands share, and readers of their values.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludex_arena::catalog::GameSpec;
use ludex_play::search::{Budget, Clock};
use ludex_play::timing::TimeLeft;

/// One game and its options.
#[derive(Args, Debug, Clone)]
pub struct GameArgs {
    /// A built-in name (see `ludex games`) or a path to a .lud or .kif file; for `show` also a record.
    pub game: String,
    #[command(flatten)]
    pub options: GameOptions,
}

/// Options that build a game.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Game options")]
pub struct GameOptions {
    /// Columns and rows of a built-in board, such as 6x6.
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Number of players, for games that leave it open.
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
    /// Board sides in 7 Wonders: A, B or mixed.
    #[arg(long, value_name = "SIDES")]
    pub sides: Option<String>,
    /// Select an option of a .lud file, such as "Board Size/9x9"; may be repeated.
    #[arg(long = "option", value_name = "CATEGORY/ITEM")]
    pub options: Vec<String>,
    /// Folder with the library of defines of .lud files.
    #[arg(long, value_name = "DIR", env = "LUDEX_DEFS")]
    pub defs: Option<PathBuf>,
    /// Engine for a .kif file: network or datalog.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

impl GameOptions {
    pub fn spec(&self, name: &str) -> GameSpec {
        GameSpec {
            name: name.to_string(),
            size: self.size.clone(),
            players: self.players,
            sides: self.sides.clone(),
            options: self.options.clone(),
            defs: self.defs.clone(),
            engine: self.engine.clone(),
            standard: false,
        }
    }
}

impl GameArgs {
    pub fn spec(&self) -> GameSpec {
        self.options.spec(&self.game)
    }
}

/// How long agents may think about a move.
#[derive(Args, Debug, Clone, Copy)]
#[command(next_help_heading = "Budget for each move")]
pub struct BudgetArgs {
    /// At most this many simulations. Without any budget `match` gives 1000 simulations, `play` and `engine` one second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub simulations: Option<u64>,
    /// At most this long, such as 1s, 250ms or 0.5.
    #[arg(long, value_name = "T", value_parser = duration)]
    pub time: Option<Duration>,
    /// What --time is counted by: the clock on the wall, or the processor time of the thinking threads, which
    /// is the same on a busy machine.
    #[arg(long, value_enum, default_value = "wall", requires = "time")]
    pub clock: ClockArg,
}

/// What time is counted by.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockArg {
    Wall,
    Cpu,
}

impl From<ClockArg> for Clock {
    fn from(clock: ClockArg) -> Clock {
        match clock {
            ClockArg::Wall => Clock::Wall,
            ClockArg::Cpu => Clock::Cpu,
        }
    }
}

impl BudgetArgs {
    /// The budget asked for, or `default` where none was.
    pub fn budget(self, default: Budget) -> Budget {
        match (self.simulations, self.time) {
            (None, None) => default,
            (simulations, time) => Budget { simulations, time, clock: self.clock.into() },
        }
    }
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0 and at most 86400".to_string()),
    }
}

pub(super) fn duration_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" | "0ms" => Ok(Duration::ZERO),
        text => duration(text),
    }
}

/// A time for a game, and after a plus what each move adds.
pub(super) fn game_clock(text: &str) -> Result<TimeLeft, String> {
    let (left, more) = match text.split_once('+') {
        Some((left, more)) => (duration(left)?, duration_or_none(more)?),
        None => (duration(text)?, Duration::ZERO),
    };
    Ok(TimeLeft { left, more, moves: None })
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.find(|c: char| c.is_alphabetic()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err("expected a time such as 1s, 250ms or 0.5".to_string()),
    };
    match number.trim().parse::<f64>().map(|number| number * scale) {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a time above zero and at most a day".to_string()),
    }
}
