//! Experiments: a file says what is played, a store keeps what was, a run plays what is missing.

mod file;
mod openings;
mod papers;
mod run;
mod store;

pub use file::Experiment;
pub use openings::{read_openings, write_openings};
pub use papers::{paper_table, paper_tables};
pub use run::{Progress, RunOptions, RunSummary, run};
pub use store::{Store, StoredCell, StoredMatch};

use ludex_game::mix;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

use crate::catalog::GameSpec;
use crate::stats::Sprt;

/// Somebody named in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// What tables call him.
    pub name: String,
    /// How he plays.
    pub spec: AgentSpec,
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
    /// How many matches are planned.
    pub matches: u64,
    /// The seed its matches' seeds come from.
    pub seed: u64,
    /// Stop early once this test knows its answer about the first entrant.
    pub sprt: Option<Sprt>,
    /// What a paper found.
    pub paper: Option<PaperFigure>,
}

impl Cell {
    /// All that decides how matches of this cell go, as text: two cells with the same key have the same
    /// matches, whatever file they come from.
    pub fn key(&self) -> String {
        let specs: Vec<String> = self.entrants.iter().map(|e| e.spec.to_string()).collect();
        let budget = budget_text(self.budget);
        format!("{} | {} | {budget} | seed {}", self.game, specs.join(" vs "), self.seed)
    }

    /// The seed of one match.
    pub fn match_seed(&self, number: u64) -> u64 {
        let cell = self.key().bytes().fold(self.seed, |hash, byte| mix(hash ^ u64::from(byte)));
        crate::match_seed(cell, number)
    }
}

/// A budget in words.
pub fn budget_text(budget: Budget) -> String {
    let simulations = budget.simulations.map(|count| format!("{count} simulations"));
    let time = budget.time.map(|time| format!("{} s", time.as_secs_f64()));
    match (simulations, time) {
        (Some(simulations), Some(time)) => format!("{simulations} or {time}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "1 simulation".to_string(),
    }
}
