//! Plots as SVG text: dots with error bars, curves, bars.

use std::fmt::Write as _;

/// Colours of things that must be told apart.
pub const COLOURS: [&str; 6] = ["#1f6f8b", "#c8553d", "#588157", "#7b4b94", "#b8860b", "#444444"];

/// A value with its interval, all in the units of the axis.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The value.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Text that may stand in a page.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const LEFT: f64 = 190.0;
const WIDTH: f64 = 720.0;

fn open_svg(height: f64, title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(title)
    )
}

fn label(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn line(out: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

/// Percentages with error bars, one row for each name; a paper's figure is a hollow diamond.
pub fn dots(title: &str, rows: &[(String, Bar, Option<f64>)]) -> String {
    let height = 50.0 + 24.0 * rows.len() as f64;
    let x = |percent: f64| LEFT + (WIDTH - LEFT - 20.0) * percent / 100.0;
    let mut out = open_svg(height, title);
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let style = if percent == 50.0 { "class=\"half\"" } else { "class=\"grid\"" };
        line(&mut out, (x(percent), 10.0), (x(percent), height - 30.0), style);
        label(&mut out, x(percent), height - 12.0, "middle", &format!("{percent:.0}%"));
    }
    for (index, (name, bar, paper)) in rows.iter().enumerate() {
        let y = 26.0 + 24.0 * index as f64;
        label(&mut out, LEFT - 10.0, y + 4.0, "end", name);
        let style = format!("stroke=\"{}\" stroke-width=\"2\"", COLOURS[0]);
        line(&mut out, (x(bar.low), y), (x(bar.high), y), &style);
        for end in [bar.low, bar.high] {
            line(&mut out, (x(end), y - 4.0), (x(end), y + 4.0), &style);
        }
        let (cx, colour) = (x(bar.value), COLOURS[0]);
        let _ = writeln!(out, "<circle cx=\"{cx:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>");
        if let Some(paper) = paper {
            let (cx, colour) = (x(*paper), COLOURS[1]);
            let _ = writeln!(
                out,
                "<path d=\"M{cx:.1} {:.1} l6 6 l-6 6 l-6 -6 z\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"2\"/>",
                y - 6.0
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Percentages over a logarithmic axis of budgets, a curve for each name.
pub fn curves(title: &str, curves: &[(String, Vec<(f64, Bar)>)]) -> String {
    let (top, height) = (20.0, 340.0);
    let budgets = curves.iter().flat_map(|(_, points)| points.iter().map(|(budget, _)| *budget));
    let low = budgets.clone().fold(f64::INFINITY, f64::min).max(1.0).ln();
    let high = budgets.clone().fold(1.0, f64::max).ln().max(low + 1e-9);
    let x = |budget: f64| 60.0 + (WIDTH - 240.0) * (budget.ln() - low) / (high - low);
    let y = |percent: f64| top + (height - top - 40.0) * (1.0 - percent / 100.0);
    let mut out = open_svg(height, title);
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let style = if percent == 50.0 { "class=\"half\"" } else { "class=\"grid\"" };
        line(&mut out, (60.0, y(percent)), (WIDTH - 180.0, y(percent)), style);
        label(&mut out, 52.0, y(percent) + 4.0, "end", &format!("{percent:.0}%"));
    }
    let mut ticks: Vec<f64> = budgets.collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    for budget in ticks {
        label(&mut out, x(budget), height - 20.0, "middle", &budget.to_string());
    }
    label(&mut out, (60.0 + WIDTH - 180.0) / 2.0, height - 4.0, "middle", "simulations a move");
    for (index, (name, points)) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let path: Vec<String> =
            points.iter().map(|(b, bar)| format!("{:.1},{:.1}", x(*b), y(bar.value))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (budget, bar) in points {
            let style = format!("stroke=\"{colour}\" stroke-width=\"1.5\"");
            line(&mut out, (x(*budget), y(bar.low)), (x(*budget), y(bar.high)), &style);
        }
        let row = top + 18.0 * index as f64;
        let style = format!("stroke=\"{colour}\" stroke-width=\"3\"");
        line(&mut out, (WIDTH - 165.0, row), (WIDTH - 145.0, row), &style);
        label(&mut out, WIDTH - 140.0, row + 4.0, "start", name);
    }
    out.push_str("</svg>\n");
    out
}

/// The course of a match: each name's share of the expected payoff by choice, as a curve between nought and 100%.
pub fn course(title: &str, names: &[String], values: &[Vec<f64>]) -> String {
    let (top, height) = (16.0, 190.0);
    let steps = values.len().max(2) as f64 - 1.0;
    let x = |step: usize| 60.0 + (WIDTH - 240.0) * step as f64 / steps;
    let y = |share: f64| top + (height - top - 30.0) * (1.0 - share);
    let mut out = open_svg(height, title);
    for percent in [0.0, 50.0, 100.0] {
        let style = if percent == 50.0 { "class=\"half\"" } else { "class=\"grid\"" };
        line(&mut out, (60.0, y(percent / 100.0)), (WIDTH - 180.0, y(percent / 100.0)), style);
        label(&mut out, 52.0, y(percent / 100.0) + 4.0, "end", &format!("{percent:.0}%"));
    }
    label(&mut out, x(0), height - 12.0, "start", "first choice");
    label(&mut out, WIDTH - 180.0, height - 12.0, "end", &format!("choice {}", values.len()));
    for (seat, name) in names.iter().enumerate() {
        let colour = COLOURS[seat % COLOURS.len()];
        let shares = values.iter().map(|shares| shares.get(seat).copied().unwrap_or(0.0));
        let points = shares.enumerate().map(|(at, share)| format!("{:.1},{:.1}", x(at), y(share)));
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.collect::<Vec<_>>().join(" ")
        );
        let row = top + 18.0 * seat as f64;
        let style = format!("stroke=\"{colour}\" stroke-width=\"3\"");
        line(&mut out, (WIDTH - 165.0, row), (WIDTH - 145.0, row), &style);
        label(&mut out, WIDTH - 140.0, row + 4.0, "start", name);
    }
    out.push_str("</svg>\n");
    out
}

/// Positive numbers as horizontal bars, a group for each name.
pub fn bars(title: &str, unit: &str, groups: &[(String, Vec<(String, f64)>)]) -> String {
    let rows: usize = groups.iter().map(|(_, members)| members.len()).sum();
    let height = 20.0 + 16.0 * rows as f64 + 10.0 * groups.len() as f64;
    let most = groups.iter().flat_map(|(_, members)| members).map(|(_, value)| *value);
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    let mut out = open_svg(height, title);
    let mut y = 10.0;
    for (group, members) in groups {
        label(&mut out, LEFT - 10.0, y + 12.0, "end", group);
        for (index, (name, value)) in members.iter().enumerate() {
            let width = (WIDTH - LEFT - 220.0) * value / most;
            let colour = COLOURS[index % COLOURS.len()];
            let _ = writeln!(
                out,
                "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"13\" fill=\"{colour}\"/>"
            );
            let text = format!("{value:.1} {unit}  {name}");
            label(&mut out, LEFT + width + 6.0, y + 11.0, "start", &text);
            y += 16.0;
        }
        y += 10.0;
    }
    out.push_str("</svg>\n");
    out
}
