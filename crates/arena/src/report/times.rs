//! How long agents take for their simulations: cells where one agent has all seats to itself.

use std::fmt::Write as _;

use super::CellReport;

/// One experiment's times: a row for each game, a column for each agent.
struct Times<'a> {
    experiment: &'a str,
    budget: &'a str,
    agents: Vec<&'a str>,
    games: Vec<(&'a str, Vec<Option<&'a CellReport>>)>,
}

/// One agent's figures in one game; ratios are to the first agent's.
struct Figures {
    milliseconds: Option<f64>,
    ratio: Option<f64>,
    paper: Option<f64>,
}

/// Whether a cell is there for its times: who plays alone wins every match.
pub fn is_timing(report: &CellReport) -> bool {
    report.cell.names.len() == 1
}

fn gathered(reports: &[CellReport]) -> Vec<Times<'_>> {
    let mut all: Vec<Times> = Vec::new();
    for report in reports.iter().filter(|report| is_timing(report)) {
        let cell = &report.cell;
        let same =
            |times: &Times| times.experiment == cell.experiment && times.budget == cell.budget;
        let at = all.iter().position(same).unwrap_or_else(|| {
            let (experiment, budget) = (cell.experiment.as_str(), cell.budget.as_str());
            all.push(Times { experiment, budget, agents: Vec::new(), games: Vec::new() });
            all.len() - 1
        });
        all[at].add(report);
    }
    all
}

impl<'a> Times<'a> {
    fn add(&mut self, report: &'a CellReport) {
        let (name, game) = (report.cell.names[0].as_str(), report.cell.game.as_str());
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
    format!("{title}: CPU milliseconds for 1000 simulations, {} a move", times.budget)
}

/// Aligned columns.
pub fn text(reports: &[CellReport]) -> String {
    let mut out = String::new();
    for times in gathered(reports) {
        let mut lines = vec![times.header()];
        lines.extend(times.rows());
        let _ = writeln!(out, "{}", heading(&times));
        let columns = lines[0].len();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for line in &lines {
            let mut shown = format!("{:<1$}", line[0], widths[0]);
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                let _ = write!(shown, "  {cell:>width$}");
            }
            let _ = writeln!(out, "{}", shown.trim_end());
        }
        out.push('\n');
    }
    out
}

/// A Markdown table with its heading.
pub fn markdown(reports: &[CellReport]) -> String {
    let mut out = String::new();
    for times in gathered(reports) {
        let header = times.header();
        let _ = writeln!(out, "### {}\n\n| {} |", heading(&times), header.join(" | "));
        let _ = writeln!(out, "|---|{}", "---:|".repeat(header.len() - 1));
        for row in times.rows() {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        out.push('\n');
    }
    out
}
