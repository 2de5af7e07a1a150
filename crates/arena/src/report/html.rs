//! One page with every table and plot, complete in itself.

use std::fmt::Write as _;

use super::plot::{Bar, bars, curves, dots, escaped};
use super::{CellReport, MatchCourse, by_budget, groups, tables, times};
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
    let mean = tally.mean().unwrap_or(0.5);
    Bar { value: 100.0 * mean, low: 100.0 * interval.low, high: 100.0 * interval.high }
}

/// The page.
pub fn html(title: &str, reports: &[CellReport], courses: &[MatchCourse]) -> String {
    let mut out = String::new();
    let title = escaped(if title.is_empty() { "Results" } else { title });
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    out.push_str(&body(reports, courses));
    out.push_str("</body></html>\n");
    out
}

/// What the page holds below its title: tables and plots, for whoever has a page of his own to put them into.
pub fn body(reports: &[CellReport], courses: &[MatchCourse]) -> String {
    let mut out = String::new();
    for (heading, members) in groups(reports) {
        tables::section(heading.clone(), &members).write_html(&mut out);
        let rows: Vec<_> = members
            .iter()
            .filter(|report| report.tallies[0].matches > 0)
            .map(|report| {
                let paper = report.cell.paper.map(|(value, _)| value);
                (report.game.clone(), bar(&report.tallies[0]), paper)
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
    times::sections(reports).iter().for_each(|section| section.write_html(&mut out));
    milliseconds(&mut out, reports);
    if !courses.is_empty() {
        out.push_str(
            "<h2>Courses of matches</h2>\n<p>What each seat expected, choice by choice.</p>\n",
        );
    }
    for course in courses {
        let _ = writeln!(out, "<h3>{}</h3>\n{}", escaped(&course.title), course.svg());
    }
    out
}

/// How long each agent takes for a thousand simulations, game by game.
fn milliseconds(out: &mut String, reports: &[CellReport]) {
    let mut games: Vec<(String, Vec<(String, f64)>)> = Vec::new();
    for report in reports {
        for (name, milliseconds) in report.names.iter().zip(&report.milliseconds) {
            let Some(milliseconds) = *milliseconds else { continue };
            let index = games.iter().position(|(game, _)| *game == report.game);
            let index = index.unwrap_or_else(|| {
                games.push((report.game.clone(), Vec::new()));
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
