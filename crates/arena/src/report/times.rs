//! How long agents take for their simulations: cells where one agent has all seats to itself.

use super::table::{Section, Table};
use super::{CellReport, legend, played};

/// One experiment's times: a row for each game, a column for each agent.
struct Times<'a> {
    experiment: &'a str,
    budget: &'a str,
    seed: &'a str,
    agents: Vec<&'a str>,
    games: Vec<(&'a str, Vec<Option<&'a CellReport>>)>,
}

/// One agent's figures in one game; ratios are to the first agent's.
struct Figures {
    milliseconds: Option<f64>,
    ratio: Option<f64>,
    paper: Option<f64>,
}

fn gathered(reports: &[CellReport]) -> Vec<Times<'_>> {
    let mut all: Vec<Times> = Vec::new();
    for report in reports.iter().filter(|report| report.is_timing()) {
        let cell = &report.cell;
        let seed = cell.seed.as_deref().unwrap_or_default();
        let same = |times: &Times| {
            (times.experiment, times.budget, times.seed) == (&cell.experiment, &cell.budget, seed)
        };
        let at = all.iter().position(same).unwrap_or_else(|| {
            let (experiment, budget) = (cell.experiment.as_str(), cell.budget.as_str());
            all.push(Times { experiment, budget, seed, agents: Vec::new(), games: Vec::new() });
            all.len() - 1
        });
        all[at].add(report);
    }
    all
}

impl<'a> Times<'a> {
    fn add(&mut self, report: &'a CellReport) {
        let (name, game) = (report.names[0].as_str(), report.game.as_str());
        let column = self.agents.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.agents.push(name);
            self.agents.len() - 1
        });
        let row = self.games.iter().position(|(known, _)| *known == game).unwrap_or_else(|| {
            self.games.push((game, Vec::new()));
            self.games.len() - 1
        });
        let cells = &mut self.games[row].1;
        cells.resize(cells.len().max(column + 1), None);
        cells[column] = Some(report);
    }

    fn header(&self) -> Vec<String> {
        let mut header = vec!["game".to_string()];
        for (column, agent) in self.agents.iter().enumerate() {
            header.push(format!("{agent} ms"));
            if column > 0 {
                header.extend(["ratio".to_string(), "paper".to_string()]);
            }
        }
        header
    }

    /// For each agent of a game: milliseconds, and how many times the first agent's they are, with us
    /// and in the paper.
    fn figures(&self, row: usize) -> Vec<Figures> {
        let cells = &self.games[row].1;
        let ours = |column: usize| cells.get(column)?.as_ref()?.milliseconds[0];
        let paper = |column: usize| Some(cells.get(column)?.as_ref()?.cell.paper?.0);
        let ratio = |value: Option<f64>, base: Option<f64>| Some(value? / base?);
        (0..self.agents.len())
            .map(|at| Figures {
                milliseconds: ours(at),
                ratio: ratio(ours(at), ours(0)),
                paper: ratio(paper(at), paper(0)),
            })
            .collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(String::new(), |value| format!("{value:.digits$}"))
        };
        let mut rows = Vec::new();
        for (row, (game, _)) in self.games.iter().enumerate() {
            let mut line = vec![game.to_string()];
            for (column, figures) in self.figures(row).into_iter().enumerate() {
                line.push(number(figures.milliseconds, 1));
                if column > 0 {
                    line.extend([number(figures.ratio, 2), number(figures.paper, 2)]);
                }
            }
            rows.push(line);
        }
        let mut last = vec!["median".to_string(), String::new()];
        for column in 1..self.agents.len() {
            let figures = |pick: fn(&Figures) -> Option<f64>| {
                let all = (0..self.games.len()).filter_map(|row| pick(&self.figures(row)[column]));
                number(median(all.collect()), 2)
            };
            last.extend([String::new(), figures(|of| of.ratio), figures(|of| of.paper)]);
        }
        rows.push(last);
        rows
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => Some(values[middle]),
        _ => Some((values.get(middle.checked_sub(1)?)? + values[middle]) / 2.0),
    }
}

fn heading(times: &Times) -> String {
    let title = if times.experiment.is_empty() { "times" } else { times.experiment };
    let (budget, seed) = (times.budget, times.seed);
    format!("{title}: CPU milliseconds for 1000 simulations, {budget} a move, seed {seed}")
}

/// A table for each experiment.
pub fn sections(reports: &[CellReport]) -> Vec<Section> {
    let section = |times: Times| {
        let cells = || times.games.iter().flat_map(|(_, cells)| cells.iter().flatten().copied());
        let members: Vec<&CellReport> = cells().collect();
        let table = Table { header: times.header(), rows: times.rows() };
        Section {
            heading: heading(&times),
            agents: legend(&members),
            played: played(&members),
            table: table.without_empty(&["paper"]),
            after: Vec::new(),
        }
    };
    gathered(reports).into_iter().map(section).collect()
}
