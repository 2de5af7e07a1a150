//! The codes of moves with features, looked up cell by cell.

use super::{Cell, Naive, go};

/// The code of a move with its features, from the documented layout: in races a second row of kinds of
/// steps for those that capture; elsewhere the move's plain code, then the features in the low bits.
pub fn feature_code(game: &Naive, cells: &[Cell], plain: u32) -> u32 {
    match game.name.trim_start_matches("misere-") {
        "breakthrough" | "knightthrough" => {
            let (steps, ..) = step_and_start(game, cells);
            let words = ((game.width() * game.height()) as u32).div_ceil(64);
            let captures = u32::from(game.at(cells[1]) == game.foe());
            plain + 64 * words * steps * captures
        }
        "domineering" => 64 * plain + crowd(game, cells),
        _ => 256 * plain + colours(game, cells[0]),
    }
}

/// How many kinds of steps a race has, where a move starts, and which kind it is.
fn step_and_start(game: &Naive, cells: &[Cell]) -> (u32, u32, u32) {
    let right = cells.last().unwrap().0 - cells[0].0;
    let start = index(game, cells[0]);
    match game.name.trim_start_matches("misere-") {
        "breakthrough" => (3, start, (right + 1) as u32),
        _ => {
            let step = [-2, -1, 1, 2].iter().position(|&step| step == right).unwrap();
            (4, start, step as u32)
        }
    }
}

fn index(game: &Naive, (column, row): Cell) -> u32 {
    (row * game.width() + column) as u32
}

/// The plain code of a move: its cell, or, in races, one set of starting cells in whole words for each kind
/// of step.
pub fn plain_code(game: &Naive, cells: &[Cell]) -> u32 {
    match game.name.trim_start_matches("misere-") {
        "breakthrough" | "knightthrough" => {
            let (_, start, step) = step_and_start(game, cells);
            let words = ((game.width() * game.height()) as u32).div_ceil(64);
            64 * words * step + start
        }
        _ => index(game, cells[0]),
    }
}

/// Which of the six cells beside a domino are occupied or missing.
fn crowd(game: &Naive, domino: &[Cell]) -> u32 {
    let ((column, row), upright) = (domino[0], game.mover == 0);
    let around = if upright {
        [(0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, 2)]
    } else {
        [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]
    };
    let taken = around.map(|(right, up)| game.at((column + right, row + up)) != '.');
    taken.iter().enumerate().map(|(bit, &taken)| u32::from(taken) << bit).sum()
}

/// What stands to the left, to the right, below and above.
fn colours(game: &Naive, cell: Cell) -> u32 {
    let value = |other| ".12#".find(game.at(other)).unwrap() as u32;
    go::neighbours(cell).iter().enumerate().map(|(side, &other)| value(other) << (2 * side)).sum()
}
