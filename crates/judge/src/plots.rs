//! Plots of an evaluation as SVG text, beside those that reports have.

use std::fmt::Write as _;

use ludex_arena::report::plot::{COLOURS, escaped};
use ludex_draw::Layout;
use ludex_game::Geometry;

use crate::figure::Moments;
use ludex_arena::course::Course;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;

/// Axes of a plot; values become places on the page.
struct Axes {
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
    /// What is told across.
    across: Across,
}

/// What numbers the axis across has.
#[derive(Clone, Copy, PartialEq)]
enum Across {
    /// Any.
    Any,
    /// Whole ones: there is no ply and a half.
    Whole,
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.x;
        LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low).max(1e-9)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.y;
        12.0 + (self.height - 46.0) * (1.0 - (value - low) / (high - low).max(1e-9))
    }

    fn open(&self, title: &str, below: &str) -> String {
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\">\n",
            self.height,
            escaped(title)
        );
        let mut told = None;
        for part in 0..=4 {
            let share = f64::from(part) / 4.0;
            let value = self.y.0 + share * (self.y.1 - self.y.0);
            let y = self.y(value);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                short(value)
            );
            let mut across = self.x.0 + share * (self.x.1 - self.x.0);
            if self.across == Across::Whole {
                across = across.floor();
                // Of few plies, one may be the nearest to several places.
                if told == Some(across) {
                    continue;
                }
                told = Some(across);
            }
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                self.x(across),
                self.height - 18.0,
                if self.across == Across::Whole { format!("{across:.0}") } else { short(across) }
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            self.height - 3.0,
            escaped(below)
        );
        out
    }
}

fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 10.0 || v == 0.0 => format!("{value:.0}"),
        v if v >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// How many games had which length.
pub fn histogram(lengths: &std::collections::BTreeMap<u32, u64>) -> String {
    let (Some((&low, _)), Some((&high, _))) = (lengths.first_key_value(), lengths.last_key_value())
    else {
        return String::new();
    };
    let width = ((high - low + 1).div_ceil(60)).max(1);
    let mut bins = vec![0u64; ((high - low) / width + 1) as usize];
    for (&plies, &games) in lengths {
        bins[((plies - low) / width) as usize] += games;
    }
    let total: u64 = bins.iter().sum();
    let share = |games: u64| 100.0 * games as f64 / total.max(1) as f64;
    let most = bins.iter().copied().map(share).fold(0.0, f64::max);
    let (x, y) = ((f64::from(low), f64::from(high + 1)), (0.0, most.max(1e-6)));
    let axes = Axes { height: 240.0, x, y, across: Across::Whole };
    let mut out = axes.open("Lengths of games", "plies (share of games in percent)");
    for (index, &games) in bins.iter().enumerate().filter(|(_, games)| **games > 0) {
        let from = f64::from(low + index as u32 * width);
        let (x, y) = (axes.x(from), axes.y(share(games)));
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            (axes.x(from + f64::from(width)) - x - 1.0).max(0.8),
            axes.y(0.0) - y,
            COLOURS[0]
        );
    }
    out + "</svg>\n"
}

/// Legal moves by ply, with the deviation of one turn as a band.
pub fn branching(by_ply: &[Moments]) -> String {
    // Plies that only the longest games reach say little about the game.
    let most_games = by_ply.iter().map(|moments| moments.count).max().unwrap_or(0);
    let enough = |moments: &&Moments| moments.count * 20 >= most_games.max(1);
    let turns = by_ply.iter().enumerate();
    // Where dice are thrown, nobody has a move.
    let shown: Vec<(usize, &Moments)> = turns.filter(|(_, moments)| enough(moments)).collect();
    let upper = |m: &Moments| m.mean().unwrap_or(0.0) + m.deviation().unwrap_or(0.0);
    let most = shown.iter().map(|(_, moments)| upper(moments)).fold(1.0, f64::max);
    let last = shown.last().map_or(2, |(at, _)| at + 1).max(2) as f64;
    let axes = Axes { height: 240.0, x: (1.0, last), y: (0.0, most), across: Across::Whole };
    let mut out = axes.open("Legal moves by ply", "ply (legal moves, mean and deviation)");
    let place = |at: usize, value: f64| {
        format!("{:.1},{:.1}", axes.x(at as f64 + 1.0), axes.y(value.max(0.0)))
    };
    let edge = |sign: f64| {
        let value =
            move |m: &Moments| m.mean().unwrap_or(0.0) + sign * m.deviation().unwrap_or(0.0);
        shown.iter().map(move |&(at, m)| (at, value(m))).collect::<Vec<_>>()
    };
    let band: Vec<String> = edge(1.0)
        .into_iter()
        .chain(edge(-1.0).into_iter().rev())
        .map(|(at, value)| place(at, value))
        .collect();
    let line: Vec<String> = edge(0.0).into_iter().map(|(at, value)| place(at, value)).collect();
    let colour = COLOURS[0];
    let _ = writeln!(
        out,
        "<polygon points=\"{}\" fill=\"{colour}\" opacity=\".18\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        band.join(" "),
        line.join(" ")
    );
    out + "</svg>\n"
}

/// The first player's expectation over some games, each stretched to the same width.
pub fn ribbons(courses: &[Course]) -> String {
    let (x, y) = ((0.0, 100.0), (0.0, 1.0));
    let axes = Axes { height: 260.0, x, y, across: Across::Any };
    let mut out = axes
        .open("Courses of games", "share of the game in percent (expectation of the first seat)");
    for course in courses.iter().filter(|course| course.values.len() > 1) {
        let last = (course.values.len() - 1) as f64;
        let points: Vec<String> = course
            .values
            .iter()
            .enumerate()
            .map(|(at, values)| {
                format!("{:.1},{:.1}", axes.x(100.0 * at as f64 / last), axes.y(values[0]))
            })
            .collect();
        let colour = match course.winner {
            Some(0) => COLOURS[0],
            Some(_) => COLOURS[1],
            None => "#888888",
        };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" \
             opacity=\".65\"/>",
            points.join(" ")
        );
    }
    out + "</svg>\n"
}

/// A board on which sites are the larger and the darker the higher their numbers.
pub fn heat(geometry: &Geometry, counts: &[u64]) -> String {
    let layout = Layout::new(geometry);
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut marks = String::new();
    for (site, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let Some(place) = layout.places.get(site) else { continue };
        let share = (count as f64 / most) as f32;
        let radius = place.r * (0.25 + 0.65 * share);
        let _ = write!(
            marks,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"#c8553d\" \
             fill-opacity=\"{:.2}\"/>",
            place.x,
            place.y,
            0.25 + 0.6 * share
        );
    }
    let board = ludex_draw::board(geometry, &layout);
    match board.rfind("</svg>") {
        Some(end) => format!("{}{marks}</svg>", &board[..end]),
        None => board,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_show_is_no_fault() {
        assert_eq!(histogram(&Default::default()), "");
        assert!(branching(&[]).ends_with("</svg>\n"));
        assert!(ribbons(&[]).ends_with("</svg>\n"));
    }

    #[test]
    fn turns_are_drawn_where_dice_are_thrown_between_them() {
        let (thrown, mut chosen) = (Moments::default(), Moments::default());
        chosen.add(8.0);
        let drawn = branching(&[thrown, chosen, thrown, chosen]);
        let line = drawn.split("<polyline points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(line.split(' ').count(), 2, "{line}");
        assert!(drawn.contains(">4</text>") && !drawn.contains(">1.8</text>"), "{drawn}");
    }

    #[test]
    fn every_length_is_in_a_bar() {
        let lengths = [(5, 1), (6, 3), (400, 1)].into_iter().collect();
        assert_eq!(histogram(&lengths).matches("<rect").count(), 2);
    }
}
