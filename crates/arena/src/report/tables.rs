//! The same table for people, for documents and for programs.

use std::fmt::Write as _;

use super::{CellReport, groups, overall, times};

const HEADER: [&str; 9] =
    ["game", "matches", "ours %", "95% interval", "method", "paper %", "agrees", "Elo", "plies"];

fn row(report: &CellReport) -> [String; 9] {
    let tally = &report.tallies[0];
    let interval = report.interval();
    let matches = match report.cell.planned {
        planned if planned > tally.matches => format!("{} of {planned}", tally.matches),
        _ => tally.matches.to_string(),
    };
    if tally.matches == 0 {
        let paper = paper(report);
        let none = String::new;
        return [
            report.cell.game.clone(),
            matches,
            none(),
            none(),
            none(),
            paper,
            none(),
            none(),
            none(),
        ];
    }
    let (elo, low, high) = tally.elo();
    [
        report.cell.game.clone(),
        matches,
        format!("{:.1}", report.percent()),
        format!("{:.1}–{:.1}", 100.0 * interval.low, 100.0 * interval.high),
        interval.method.to_string(),
        paper(report),
        match report.agrees() {
            Some(true) => "yes".to_string(),
            Some(false) => "no".to_string(),
            None => String::new(),
        },
        format!("{} ({} to {})", signed(elo), signed(low), signed(high)),
        format!("{:.0}", report.mean_plies),
    ]
}

fn paper(report: &CellReport) -> String {
    match report.cell.paper {
        Some((value, Some(half))) => format!("{value:.1} ± {half:.1}"),
        Some((value, None)) => format!("{value:.1}"),
        None => String::new(),
    }
}

fn signed(elo: f64) -> String {
    match elo {
        f64::INFINITY => "∞".to_string(),
        f64::NEG_INFINITY => "-∞".to_string(),
        elo => format!("{elo:+.0}"),
    }
}

/// The last row of a table of several games.
fn last_row(members: &[&CellReport]) -> Option<[String; 9]> {
    if members.len() < 2 {
        return None;
    }
    let tally = overall(members);
    let interval = tally.interval();
    let mut row: [String; 9] = Default::default();
    row[0] = "all".to_string();
    row[1] = tally.matches.to_string();
    row[2] = format!("{:.1}", 100.0 * tally.mean());
    row[3] = format!("{:.1}–{:.1}", 100.0 * interval.low, 100.0 * interval.high);
    row[4] = interval.method.to_string();
    let papers: Option<Vec<f64>> =
        members.iter().map(|report| report.cell.paper.map(|(value, _)| value)).collect();
    if let Some(papers) = papers {
        row[5] = format!("{:.1}", papers.iter().sum::<f64>() / papers.len() as f64);
    }
    Some(row)
}

fn rows(members: &[&CellReport]) -> Vec<[String; 9]> {
    members.iter().map(|report| row(report)).chain(last_row(members)).collect()
}

/// Everybody's share where more than two took part; the table itself says the first one's.
fn shares(report: &CellReport) -> Option<String> {
    if report.tallies.len() < 3 || report.tallies[0].matches == 0 {
        return None;
    }
    let share = |(name, tally): (&String, &crate::stats::Tally)| {
        let half = 100.0 * tally.interval().half_width();
        format!("{name} {:.1} ± {half:.1}", 100.0 * tally.mean())
    };
    let all: Vec<String> = report.cell.names.iter().zip(&report.tallies).map(share).collect();
    Some(format!("{}: {}", report.cell.game, all.join(", ")))
}

/// What the agents are, in a line each.
fn legend(members: &[&CellReport]) -> Vec<String> {
    let cell = &members[0].cell;
    cell.names.iter().zip(&cell.specs).map(|(name, spec)| format!("{name} = {spec}")).collect()
}

/// Aligned columns.
pub fn text(reports: &[CellReport]) -> String {
    let mut out = String::new();
    for (heading, members) in groups(reports) {
        let _ = writeln!(out, "{heading}");
        for agent in legend(&members) {
            let _ = writeln!(out, "  {agent}");
        }
        let mut lines = vec![HEADER.map(str::to_string)];
        lines.extend(rows(&members));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..HEADER.len()).map(|c| width(c).unwrap_or(0)).collect();
        for line in &lines {
            let _ = writeln!(out, "{}", aligned(line, &widths));
        }
        for shares in members.iter().filter_map(|report| shares(report)) {
            let _ = writeln!(out, "  {shares}");
        }
        out.push('\n');
    }
    out + &times::text(reports)
}

/// Names to the left, numbers to the right.
fn aligned(cells: &[String; 9], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let pad = " ".repeat(width - cell.chars().count());
        let _ = match column {
            0 => write!(line, "{cell}{pad}"),
            _ => write!(line, "  {pad}{cell}"),
        };
    }
    line.trim_end().to_string()
}

/// Markdown tables with headings.
pub fn markdown(reports: &[CellReport]) -> String {
    let mut out = String::new();
    for (heading, members) in groups(reports) {
        let _ = writeln!(out, "### {heading}\n");
        for agent in legend(&members) {
            let _ = writeln!(out, "- `{agent}`");
        }
        let _ = writeln!(out, "\n| {} |\n|---|{}", HEADER.join(" | "), "---:|".repeat(8));
        for row in rows(&members) {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        for shares in members.iter().filter_map(|report| shares(report)) {
            let _ = writeln!(out, "\n{shares}");
        }
        out.push('\n');
    }
    out + &times::markdown(reports)
}

/// One line for each cell and entrant, with all digits.
pub fn csv(reports: &[CellReport]) -> String {
    let mut out = String::from(
        "experiment,game,budget,agent,spec,matches,planned,points,mean,low,high,method,elo,\
         paper_percent,paper_half_width,ms_per_1000_simulations,mean_plies\n",
    );
    for report in reports {
        let cell = &report.cell;
        for (index, tally) in report.tallies.iter().enumerate() {
            let interval = tally.interval();
            let paper = cell.paper.filter(|_| index == 0);
            let number =
                |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let fields = [
                cell.experiment.clone(),
                cell.game.clone(),
                cell.budget.clone(),
                cell.names[index].clone(),
                cell.specs[index].clone(),
                tally.matches.to_string(),
                cell.planned.to_string(),
                tally.points.to_string(),
                tally.mean().to_string(),
                interval.low.to_string(),
                interval.high.to_string(),
                interval.method.to_string(),
                tally.elo().0.to_string(),
                number(paper.map(|(value, _)| value)),
                number(paper.and_then(|(_, half)| half)),
                number(report.milliseconds[index]),
                report.mean_plies.to_string(),
            ];
            let quoted: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
            let _ = writeln!(out, "{}", quoted.join(","));
        }
    }
    out
}

fn csv_field(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}
