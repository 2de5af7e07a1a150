//! Experiments: a file says what is played, a store keeps what was, a run plays what is missing.

mod file;
mod merge;
mod openings;
mod papers;
mod run;
mod schema;
mod share;
mod store;

pub use file::Experiment;
pub use merge::Merged;
pub use openings::{read_openings, write_openings};
pub use papers::{paper_table, paper_tables};
pub use run::{Progress, RunOptions, RunSummary, missing, run, run_until};
pub use share::{NoShard, Shard, Share};
pub use store::{Caution, Store, StoredCell, StoredGame, StoredMatch};

use std::sync::OnceLock;

use ludex_game::mix;
use ludex_play::search::{Budget, Clock};

use crate::catalog::{GameSpec, RulesKey};
use crate::engine::PlayerSpec;
use crate::stats::Sprt;

/// Somebody named in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// What tables call him.
    pub name: String,
    /// How he plays.
    pub spec: PlayerSpec,
    /// How long he may think about a move, where that is not what the cell says.
    pub budget: Option<Budget>,
}

/// The figure a paper gives for the first entrant of a cell, both in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperFigure {
    /// The win rate.
    pub value: f64,
    /// Half the width of its 95% interval, where the paper gives one.
    pub half_width: Option<f64>,
}

/// One game, one group of entrants, one budget: one figure of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The game.
    pub game: GameSpec,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// How long each may think about a move.
    pub budget: Budget,
    /// A match of so many plies ends as a tie; nothing leaves that to the game.
    pub plies: Option<u32>,
    /// How many matches are planned.
    pub matches: u64,
    /// The seed its matches' seeds come from.
    pub seed: u64,
    /// Stop early once this test knows its answer about the first entrant.
    pub sprt: Option<Sprt>,
    /// What a paper found.
    pub paper: Option<PaperFigure>,
}

/// What a cell comes down to once its game and its agents are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The content of the rules.
    pub rules: RulesKey,
    /// The entrants with every setting, and the content of the files they name.
    pub agents: Vec<String>,
}

impl Cell {
    /// All that decides how matches of this cell go, as text: two cells with the same key have the same
    /// matches, whatever file they come from and whatever games and agents are called there.
    pub fn key(&self, identity: &Identity) -> String {
        let (budget, agents) = (budget_text(self.budget), identity.agents.join(" vs "));
        let plies = self.plies.map_or(String::new(), |plies| format!(" | {plies} plies"));
        format!("rules {} | {agents} | {budget}{plies} | seed {}", identity.rules, self.seed)
    }
}

/// The seed of one match of the cell with this key.
fn seed_of_match(key: &str, number: u64) -> u64 {
    let cell = key.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    crate::match_seed(cell, number)
}

/// The machine that plays, in words; times depend on it.
pub fn machine_text() -> String {
    static MACHINE: OnceLock<String> = OnceLock::new();
    let describe = || {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let model = model.map_or("", |(_, model)| model.trim());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        let text = format!("{system} {processor}, {cores} processors, {model}");
        text.trim_end_matches([',', ' ']).to_string()
    };
    MACHINE.get_or_init(describe).clone()
}

/// The version of the program that plays.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A budget in words.
pub fn budget_text(budget: Budget) -> String {
    let simulations = budget.simulations.map(|count| format!("{count} simulations"));
    let clock = match budget.clock {
        Clock::Wall => "",
        Clock::Cpu => " of CPU time",
    };
    let time = budget.time.map(|time| format!("{} s{clock}", time.as_secs_f64()));
    match (simulations, time) {
        (Some(simulations), Some(time)) => format!("{simulations} or {time}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "1 simulation".to_string(),
    }
}
