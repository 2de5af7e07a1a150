//! Breakthrough and Knightthrough.

use super::{Cell, Naive};

/// Steps as (right, forward, may capture).
type Steps = &'static [(i32, i32, bool)];

pub const PAWN: Steps = &[(-1, 1, true), (0, 1, false), (1, 1, true)];
pub const KNIGHT: Steps = &[(-2, 1, true), (-1, 2, true), (1, 2, true), (2, 1, true)];

pub fn legal(game: &Naive, steps: Steps) -> Vec<Vec<Cell>> {
    let mut found = Vec::new();
    let up = if game.mover == 0 { 1 } else { -1 };
    for (column, row) in game.cells() {
        if game.at((column, row)) != game.own() {
            continue;
        }
        for &(right, forward, may_capture) in steps {
            let to = (column + right, row + up * forward);
            if game.at(to) == '.' || (may_capture && game.at(to) == game.foe()) {
                found.push(vec![(column, row), to]);
            }
        }
    }
    found
}

pub fn play(game: &mut Naive, cells: &[Cell]) {
    let far_row = if game.mover == 0 { game.height() - 1 } else { 0 };
    game.set(cells[1], game.own());
    game.set(cells[0], '.');
    game.decided = cells[1].1 == far_row;
}
