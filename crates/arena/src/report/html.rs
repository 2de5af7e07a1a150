//! One page with every table and plot, complete in itself.

use std::fmt::Write as _;

use super::plot::{Bar, bars, curves, dots, escaped};
use super::{CellReport, by_budget, groups, markdown};
use crate::stats::Tally;

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
td, th { padding: .25rem .7rem; border-bottom: 1px solid #8884; text-align: right; }
td:first-child, th:first-child { text-align: left; }
code { background: #8882; padding: .1rem .3rem; border-radius: 3px; }
svg { width: 100%; max-width: 45rem; display: block; font-size: 12px; }
svg text { fill: currentColor; }
.grid { stroke: #8884; } .half { stroke: #888; stroke-dasharray: 4 3; }
.no td { background: #c8553d22; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ddd; } }
";

fn bar(tally: &Tally) -> Bar {
    let interval = tally.interval();
    Bar { value: 100.0 * tally.mean(), low: 100.0 * interval.low, high: 100.0 * interval.high }
}

/// The page.
pub fn html(title: &str, reports: &[CellReport]) -> String {
    let mut out = String::new();
    let title = escaped(if title.is_empty() { "Results" } else { title });
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    for (heading, members) in groups(reports) {
        let _ = writeln!(out, "<h2>{}</h2>", escaped(&heading));
        table(&mut out, &members);
        let rows: Vec<_> = members
            .iter()
            .filter(|report| report.tallies[0].matches > 0)
            .map(|report| {
                let paper = report.cell.paper.map(|(value, _)| value);
                (report.cell.game.clone(), bar(&report.tallies[0]), paper)
            })
            .collect();
        if !rows.is_empty() {
            out.push_str(&dots(&heading, &rows));
            if rows.iter().any(|(_, _, paper)| paper.is_some()) {
                out.push_str("<p>Dots with 95% intervals are ours, diamonds the paper's.</p>\n");
            }
        }
    }
    let by_budget: Vec<_> = by_budget(reports)
        .into_iter()
        .map(|(name, points)| {
            (name, points.iter().map(|(budget, tally)| (*budget, bar(tally))).collect())
        })
        .collect();
    if !by_budget.is_empty() {
        out.push_str("<h2>Win rate against budget</h2>\n");
        out.push_str(&curves("Win rate against budget", &by_budget));
    }
    times(&mut out, reports);
    out.push_str("</body></html>\n");
    out
}

/// The Markdown table as a table of the page: written once, drawn twice.
fn table(out: &mut String, members: &[&CellReport]) {
    let owned: Vec<CellReport> = members.iter().map(|&report| report.clone()).collect();
    let text = markdown(&owned);
    let mut header = true;
    for line in text.lines() {
        if let Some(agent) = line.strip_prefix("- `") {
            let _ = writeln!(out, "<p><code>{}</code></p>", escaped(agent.trim_end_matches('`')));
        } else if line.starts_with("|---") {
            header = false;
        } else if let Some(row) = line.strip_prefix("| ") {
            let cells = row.trim_end_matches('|').trim_end().split(" | ");
            let tag = if header { "th" } else { "td" };
            if header {
                out.push_str("<table>\n");
            }
            let cells: String =
                cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.trim()))).collect();
            let class = if cells.contains("<td>no</td>") { " class=\"no\"" } else { "" };
            let _ = writeln!(out, "<tr{class}>{cells}</tr>");
        }
    }
    out.push_str("</table>\n");
}

/// How long each agent takes for a thousand simulations, game by game.
fn times(out: &mut String, reports: &[CellReport]) {
    let mut games: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    for report in reports {
        let cell = &report.cell;
        for (name, milliseconds) in cell.names.iter().zip(&report.milliseconds) {
            let Some(milliseconds) = *milliseconds else { continue };
            let index = games.iter().position(|(game, _)| *game == cell.game);
            let index = index.unwrap_or_else(|| {
                games.push((cell.game.clone(), Vec::new()));
                games.len() - 1
            });
            if games[index].1.iter().all(|(known, _)| known != name) {
                games[index].1.push((name.clone(), milliseconds));
            }
        }
    }
    if !games.is_empty() {
        out.push_str("<h2>Milliseconds for 1000 simulations</h2>\n");
        out.push_str(&bars("Milliseconds for 1000 simulations", "ms", &games));
    }
}
