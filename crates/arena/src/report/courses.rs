//! The course of a match of each cell: what the players expected, choice by choice.

use super::CellReport;
use super::plot;
use crate::ArenaError;
use crate::course::{Course, Payoffs};
use crate::experiment::{Store, StoredGame};

/// Matches of a cell that are looked through for the one with most drama.
const LOOKED_THROUGH: u64 = 200;
/// Cells beyond so many get no picture.
const MOST_CELLS: usize = 24;

/// The course of one match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchCourse {
    /// What it is of, in words.
    pub title: String,
    /// Who sat at each seat.
    pub seats: Vec<String>,
    /// What was expected.
    pub course: Course,
}

impl MatchCourse {
    /// As a picture.
    pub fn svg(&self) -> String {
        plot::course(&self.title, &self.seats, &self.course.values)
    }

    /// As text: a line for each choice, with a bar for the first seat's share.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.title);
        for (at, (mover, values)) in self.course.movers.iter().zip(&self.course.values).enumerate()
        {
            let bar = "█".repeat((values[0] * 40.0).round() as usize);
            out += &format!("{:>4}. P{} {bar:<40} {:.1}%\n", at + 1, mover + 1, 100.0 * values[0]);
        }
        out
    }
}

/// The course of match `number` of every cell, or of the most dramatic of its first ones. Matches without thoughts,
/// of stores of earlier versions and of players who do not search, have none.
pub fn courses(
    store: &Store,
    reports: &[CellReport],
    number: Option<u64>,
) -> Result<Vec<MatchCourse>, ArenaError> {
    let mut found = Vec::new();
    for report in reports.iter().take(MOST_CELLS) {
        let mut best: Option<(f64, StoredGame, Course)> = None;
        store.games(report.cell.id, |game| {
            let choosers = game.moves.iter().filter_map(|(who, _)| *who);
            let choices = choosers.zip(game.thoughts.iter().copied());
            let course = Course::new(choices, &game.payoffs, Payoffs::of(&game.payoffs));
            let drama = course.drama().unwrap_or(0.0);
            let wanted = number.is_none_or(|number| number == game.number);
            let more = best.as_ref().is_none_or(|(most, ..)| drama > *most);
            let go_on = game.number + 1 < number.map_or(LOOKED_THROUGH, |number| number + 1);
            if wanted && more && course.values.len() > 1 {
                best = Some((drama, game, course));
            }
            go_on
        })?;
        if let Some((drama, game, course)) = best {
            let name = |&entrant: &usize| report.names.get(entrant).cloned().unwrap_or_default();
            let title = format!(
                "{}, {}, match {}: drama {drama:.2}",
                report.game,
                report.pairing(),
                game.number
            );
            found.push(MatchCourse {
                title,
                seats: game.seating.iter().map(name).collect(),
                course,
            });
        }
    }
    Ok(found)
}
