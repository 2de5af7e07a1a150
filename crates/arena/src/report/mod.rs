//! Tables and plots of what a store keeps.

mod html;
mod plot;
mod tables;
mod times;

use std::collections::BTreeMap;

pub use html::html;
pub use tables::{csv, markdown, text};

use crate::ArenaError;
use crate::experiment::{Store, StoredCell};
use crate::stats::{Interval, Tally};

/// Everything tables say about one cell.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// The cell.
    pub cell: StoredCell,
    /// Each entrant's points.
    pub tallies: Vec<Tally>,
    /// Each entrant's milliseconds for a thousand simulations, where he ran any.
    pub milliseconds: Vec<Option<f64>>,
    /// Mean plies of a match.
    pub mean_plies: f64,
}

impl CellReport {
    /// The first entrant's mean in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.tallies[0].mean()
    }

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
        self.cell.names.join(" vs ")
    }
}

/// Reads a store.
pub fn gather(store: &Store) -> Result<Vec<CellReport>, ArenaError> {
    let mut reports = Vec::new();
    for cell in store.cells()? {
        let entrants = cell.names.len();
        let mut tallies = vec![Tally::default(); entrants];
        let mut thinking = vec![(0.0, 0u64); entrants];
        let mut plies = 0u64;
        let matches = store.matches(cell.id)?;
        for played in &matches {
            plies += u64::from(played.plies);
            for (tally, &points) in tallies.iter_mut().zip(&played.points) {
                tally.add(points);
            }
            for (&entrant, seat) in played.seating.iter().zip(&played.seats) {
                if let Some((seconds, simulations)) = thinking.get_mut(entrant) {
                    *seconds += seat.thinking.as_secs_f64();
                    *simulations += seat.simulations;
                }
            }
        }
        let rate = |(seconds, simulations): (f64, u64)| {
            (simulations > 0).then(|| 1e6 * seconds / simulations as f64)
        };
        reports.push(CellReport {
            tallies,
            milliseconds: thinking.into_iter().map(rate).collect(),
            mean_plies: plies as f64 / matches.len().max(1) as f64,
            cell,
        });
    }
    Ok(reports)
}

/// The cells of each pairing and budget, which make one table, in order.
fn groups(reports: &[CellReport]) -> Vec<(String, Vec<&CellReport>)> {
    let mut groups: Vec<(String, Vec<&CellReport>)> = Vec::new();
    for report in reports.iter().filter(|report| !times::is_timing(report)) {
        let cell = &report.cell;
        let heading = match cell.experiment.as_str() {
            "" => format!("{}, {}", report.pairing(), cell.budget),
            title => format!("{title}: {}, {}", report.pairing(), cell.budget),
        };
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, members)) => members.push(report),
            None => groups.push((heading, vec![report])),
        }
    }
    groups
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
    for report in reports {
        if let Some(simulations) = report.cell.simulations {
            let curve = curves.entry(report.pairing()).or_default();
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
