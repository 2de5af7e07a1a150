//! The same table for people, for documents and for programs.

use std::fmt::Write as _;

use super::table::{Section, Table};
use super::{CellReport, groups, legend, overall, played, times};
use crate::stats::Tally;

const HEADER: [&str; 10] = [
    "game",
    "matches",
    "won/drawn/lost",
    "ours %",
    "95% interval",
    "method",
    "paper %",
    "agrees",
    "Elo",
    "plies",
];

fn row(report: &CellReport) -> Vec<String> {
    let tally = &report.tallies[0];
    let matches = match report.cell.planned {
        planned if planned > tally.matches => format!("{} of {planned}", tally.matches),
        _ => tally.matches.to_string(),
    };
    let mut row = vec![report.game.clone(), matches];
    row.extend(figures(tally));
    row.push(paper(report));
    row.push(match report.agrees() {
        Some(true) => "yes".to_string(),
        Some(false) => "no".to_string(),
        None => String::new(),
    });
    let rating =
        |(elo, low, high)| format!("{} ({} to {})", signed(elo), signed(low), signed(high));
    row.push(tally.elo().filter(|_| !report.alone()).map_or(String::new(), rating));
    row.push(match tally.matches {
        0 => String::new(),
        _ => format!("{:.0}", report.mean_plies),
    });
    row
}

/// Wins, draws and losses, the mean, its interval and how that was found; nothing of no matches.
fn figures(tally: &Tally) -> [String; 4] {
    let Some(mean) = tally.mean() else { return Default::default() };
    let interval = tally.interval();
    [
        format!("{}/{}/{}", tally.wins, tally.draws, tally.losses),
        format!("{:.1}", 100.0 * mean),
        format!("{:.1}–{:.1}", 100.0 * interval.low, 100.0 * interval.high),
        interval.method.to_string(),
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
fn last_row(members: &[&CellReport]) -> Option<Vec<String>> {
    // Two forms of the rules of one game are not two games to be taken together.
    let again = |(at, report): (usize, &&CellReport)| {
        members[..at].iter().any(|earlier| earlier.cell.game == report.cell.game)
    };
    if members.len() < 2 || members.iter().enumerate().any(again) {
        return None;
    }
    let tally = overall(members);
    let mut row = vec!["all".to_string(), tally.matches.to_string()];
    row.extend(figures(&tally));
    let papers: Option<Vec<f64>> =
        members.iter().map(|report| report.cell.paper.map(|(value, _)| value)).collect();
    row.push(papers.map_or(String::new(), |papers| {
        format!("{:.1}", papers.iter().sum::<f64>() / papers.len() as f64)
    }));
    row.resize(HEADER.len(), String::new());
    Some(row)
}

/// Everybody's share where more than two took part; the table itself says the first one's.
fn shares(report: &CellReport) -> Option<String> {
    if report.tallies.len() < 3 {
        return None;
    }
    let share = |(name, tally): (&String, &Tally)| {
        let half = 100.0 * tally.interval().half_width();
        Some(format!("{name} {:.1} ± {half:.1}", 100.0 * tally.mean()?))
    };
    let all: Option<Vec<String>> = report.names.iter().zip(&report.tallies).map(share).collect();
    Some(format!("{}: {}", report.game, all?.join(", ")))
}

/// How many games ended before their rules ended them.
fn forfeits(report: &CellReport) -> Option<String> {
    let (game, count) = (&report.game, report.forfeits);
    (count > 0).then(|| {
        format!("{game}: {count} games were lost by resignation or by the fault of a program")
    })
}

/// One table.
pub(super) fn section(heading: String, members: &[&CellReport]) -> Section {
    let mut table = Table::new(&HEADER);
    table.rows = members.iter().map(|report| row(report)).chain(last_row(members)).collect();
    Section {
        heading,
        agents: legend(members),
        played: played(members),
        table: table.without_empty(&["paper %", "agrees", "Elo"]),
        after: members
            .iter()
            .flat_map(|report| shares(report).into_iter().chain(forfeits(report)))
            .collect(),
    }
}

fn sections(reports: &[CellReport]) -> Vec<Section> {
    let tables = groups(reports).into_iter().map(|(heading, members)| section(heading, &members));
    tables.chain(times::sections(reports)).collect()
}

/// Aligned columns.
pub fn text(reports: &[CellReport]) -> String {
    let mut out = String::new();
    sections(reports).iter().for_each(|section| section.write_text(&mut out));
    out
}

/// Markdown tables with headings.
pub fn markdown(reports: &[CellReport]) -> String {
    let mut out = String::new();
    sections(reports).iter().for_each(|section| section.write_markdown(&mut out));
    out
}

/// One line for each cell and entrant, with all digits.
pub fn csv(reports: &[CellReport]) -> String {
    let mut out = String::from(
        "experiment,game,budget,agent,spec,matches,planned,points,mean,low,high,method,elo,\
         paper_percent,paper_half_width,ms_per_1000_simulations,mean_plies,wins,draws,losses,\
         seed,clock,rules,full_spec,played_by\n",
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for report in reports {
        let cell = &report.cell;
        for (index, tally) in report.tallies.iter().enumerate() {
            // Whoever has all seats to himself wins every match, which says nothing.
            let tally = &if report.is_timing() { Tally::default() } else { *tally };
            let interval = tally.mean().map(|_| tally.interval());
            let paper = cell.paper.filter(|_| index == 0);
            let fields = [
                cell.experiment.clone(),
                cell.game.clone(),
                cell.budget.clone(),
                cell.names[index].clone(),
                cell.specs[index].clone(),
                report.tallies[index].matches.to_string(),
                cell.planned.to_string(),
                tally.points.to_string(),
                number(tally.mean()),
                number(interval.map(|interval| interval.low)),
                number(interval.map(|interval| interval.high)),
                interval.map_or(String::new(), |interval| interval.method.to_string()),
                number(tally.elo().filter(|_| !report.alone()).map(|(elo, _, _)| elo)),
                number(paper.map(|(value, _)| value)),
                number(paper.and_then(|(_, half)| half)),
                number(report.milliseconds[index]),
                report.mean_plies.to_string(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                cell.seed.clone().unwrap_or_default(),
                cell.clock.clone(),
                cell.rules.clone().unwrap_or_default(),
                cell.agents[index].clone(),
                report.played.iter().cloned().collect::<Vec<_>>().join("; "),
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
