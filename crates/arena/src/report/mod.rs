//! Tables and plots of what a store keeps.

mod courses;
mod html;
pub mod plot;
mod table;
mod tables;
mod times;

use std::collections::{BTreeMap, BTreeSet};

pub use courses::{MatchCourse, courses};
pub use html::{body, html};
pub use tables::{csv, markdown, text};

use crate::ArenaError;
use crate::experiment::{Store, StoredCell};
use crate::stats::{Interval, Tally};
use table::Legend;

/// Everything tables say about one cell.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// The cell.
    pub cell: StoredCell,
    /// The game as tables call it: with the key of its rules where the store knows several under its name.
    pub game: String,
    /// The entrants as tables call them: with their text where the store knows several under one name.
    pub names: Vec<String>,
    /// How many play the game; zero as long as no match was finished.
    pub seats: usize,
    /// Which versions on which machines played.
    pub played: BTreeSet<String>,
    /// Games lost by other things than the rules.
    pub forfeits: u64,
    /// Each entrant's points.
    pub tallies: Vec<Tally>,
    /// Each entrant's milliseconds for a thousand simulations, where he ran any.
    pub milliseconds: Vec<Option<f64>>,
    /// Mean plies of a match.
    pub mean_plies: f64,
}

impl CellReport {
    /// The 95% interval of the first entrant's mean.
    pub fn interval(&self) -> Interval {
        self.tallies[0].interval()
    }

    /// Whether our interval contains the paper's figure; `None` without a figure or without matches.
    pub fn agrees(&self) -> Option<bool> {
        let (value, _) = self.cell.paper?;
        (self.tallies[0].matches > 0).then(|| self.interval().contains(value / 100.0))
    }

    /// The entrants as a heading: `PPA vs UCT`.
    pub fn pairing(&self) -> String {
        self.names.join(" vs ")
    }

    /// Whether the cell is there for its times: who has all seats to himself wins every match.
    pub fn is_timing(&self) -> bool {
        self.names.len() == 1 && !self.alone()
    }

    /// Whether the game is a puzzle for one, where nobody is beaten.
    fn alone(&self) -> bool {
        self.seats == 1
    }

    /// What makes a table of cells: the experiment, the pairing, the budget and the seed.
    fn heading(&self) -> String {
        let cell = &self.cell;
        let seed = cell.seed.as_deref().unwrap_or("unknown");
        let text = format!("{}, {}, seed {seed}", self.pairing(), cell.budget);
        match cell.experiment.as_str() {
            "" => text,
            title => format!("{title}: {text}"),
        }
    }
}

/// Reads a store.
pub fn gather(store: &Store) -> Result<Vec<CellReport>, ArenaError> {
    let mut reports = Vec::new();
    for cell in store.cells()? {
        let entrants = cell.names.len();
        if entrants == 0 || [cell.specs.len(), cell.agents.len()] != [entrants; 2] {
            return Err(ArenaError::Unusable {
                path: cell.experiment,
                reason: format!("cell {} of the store does not say who plays", cell.id),
            });
        }
        reports.push(gather_cell(store, cell)?);
    }
    tell_apart(&mut reports);
    Ok(reports)
}

fn gather_cell(store: &Store, cell: StoredCell) -> Result<CellReport, ArenaError> {
    let entrants = cell.names.len();
    let mut tallies = vec![Tally::default(); entrants];
    let mut thinking = vec![(0.0, 0u64); entrants];
    let (mut plies, mut played) = (0u64, BTreeSet::new());
    let matches = store.matches(cell.id)?;
    for finished in &matches {
        plies += u64::from(finished.plies);
        let machine = finished.machine.as_deref().unwrap_or("a machine that was not recorded");
        played.insert(format!("version {} on {machine}", finished.version));
        for (index, (tally, &points)) in tallies.iter_mut().zip(&finished.points).enumerate() {
            // Where there are more entrants than seats, some sit a match out.
            if finished.seating.contains(&index) {
                tally.add(points);
            }
        }
        for (&entrant, seat) in finished.seating.iter().zip(&finished.seats) {
            if let Some((seconds, simulations)) = thinking.get_mut(entrant) {
                *seconds += seat.thinking.as_secs_f64();
                *simulations += seat.simulations;
            }
        }
    }
    let rate = |(seconds, simulations): (f64, u64)| {
        (simulations > 0).then(|| 1e6 * seconds / simulations as f64)
    };
    Ok(CellReport {
        tallies,
        milliseconds: thinking.into_iter().map(rate).collect(),
        mean_plies: plies as f64 / matches.len().max(1) as f64,
        game: cell.game.clone(),
        names: cell.names.clone(),
        seats: matches.first().map_or(0, |finished| finished.seating.len()),
        played,
        forfeits: matches.iter().filter(|finished| finished.forfeit.is_some()).count() as u64,
        cell,
    })
}

/// Gives different games and agents different names, so that nothing is taken together that differs.
fn tell_apart(reports: &mut [CellReport]) {
    let mut rules: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    let mut agents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for cell in reports.iter().map(|report| &report.cell) {
        rules.entry(cell.game.clone()).or_default().insert(cell.rules.clone());
        for (name, agent) in cell.names.iter().zip(&cell.agents) {
            agents.entry(name.clone()).or_default().insert(agent.clone());
        }
    }
    for report in reports {
        match &report.cell.rules {
            None => report.game += " (rules unknown)",
            Some(key) if rules[&report.cell.game].len() > 1 => {
                report.game += &format!(" (rules {key})");
            }
            Some(_) => {}
        }
        for (at, name) in report.cell.names.iter().enumerate() {
            if agents[name].len() > 1 {
                report.names[at] += &format!(" ({})", report.cell.specs[at]);
            }
        }
    }
}

/// The cells of each pairing, budget and seed, which make one table, in order.
fn groups(reports: &[CellReport]) -> Vec<(String, Vec<&CellReport>)> {
    let mut groups: Vec<(String, Vec<&CellReport>)> = Vec::new();
    for report in reports.iter().filter(|report| !report.is_timing()) {
        let heading = report.heading();
        match groups.iter_mut().find(|(known, members)| {
            *known == heading && members[0].cell.agents == report.cell.agents
        }) {
            Some((_, members)) => members.push(report),
            None => groups.push((heading, vec![report])),
        }
    }
    groups
}

/// What the agents of a table are.
fn legend(members: &[&CellReport]) -> Vec<Legend> {
    let mut all: Vec<Legend> = Vec::new();
    for report in members {
        let texts = report.cell.specs.iter().zip(&report.cell.agents);
        for (name, (short, full)) in report.names.iter().zip(texts) {
            let agent = Legend { name: name.clone(), short: short.clone(), full: full.clone() };
            if !all.contains(&agent) {
                all.push(agent);
            }
        }
    }
    all
}

/// Which versions and machines played the matches of a table.
fn played(members: &[&CellReport]) -> Vec<String> {
    let all: BTreeSet<&String> = members.iter().flat_map(|report| &report.played).collect();
    all.into_iter().cloned().collect()
}

/// Over all games of a pairing at one budget: the mean of the first entrant, with its interval.
fn overall(members: &[&CellReport]) -> Tally {
    let mut tally = Tally::default();
    for report in members {
        tally.join(&report.tallies[0]);
    }
    tally
}

/// Win rates by budget, for each pairing that was played with several.
fn by_budget(reports: &[CellReport]) -> BTreeMap<String, Vec<(f64, Tally)>> {
    let mut curves: BTreeMap<String, BTreeMap<u64, Tally>> = BTreeMap::new();
    for report in reports.iter().filter(|report| !report.is_timing()) {
        if let Some(simulations) = report.cell.simulations {
            let seed = report.cell.seed.as_deref().unwrap_or("unknown");
            let curve = curves.entry(format!("{}, seed {seed}", report.pairing())).or_default();
            curve.entry(simulations).or_default().join(&report.tallies[0]);
        }
    }
    let points = |curve: BTreeMap<u64, Tally>| {
        curve.into_iter().map(|(budget, tally)| (budget as f64, tally)).collect::<Vec<_>>()
    };
    curves
        .into_iter()
        .filter(|(_, curve)| curve.len() > 1)
        .map(|(name, curve)| (name, points(curve)))
        .collect()
}
