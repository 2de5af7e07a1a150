//! Atarigo and Nogo: strings are filled anew whenever anybody asks.

use super::{Cell, Naive};

const SIDES: [Cell; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

pub fn neighbours((column, row): Cell) -> [Cell; 4] {
    SIDES.map(|(right, up)| (column + right, row + up))
}

/// Whether the string of the stone on a cell has an empty cell beside it.
fn breathes(game: &Naive, stone: Cell) -> bool {
    let colour = game.at(stone);
    let (mut string, mut next) = (vec![stone], 0);
    while next < string.len() {
        for other in neighbours(string[next]) {
            if game.at(other) == '.' {
                return true;
            }
            if game.at(other) == colour && !string.contains(&other) {
                string.push(other);
            }
        }
        next += 1;
    }
    false
}

/// Whether the stone that was just put on a cell takes a hostile string's last liberty.
pub fn captures(game: &Naive, stone: Cell) -> bool {
    let hostile = |other: &Cell| game.at(*other) == game.foe();
    neighbours(stone).iter().filter(|other| hostile(other)).any(|&other| !breathes(game, other))
}

pub fn legal(game: &Naive, may_capture: bool) -> Vec<Vec<Cell>> {
    let mut board = game.clone();
    let mut found = Vec::new();
    for cell in game.cells().into_iter().filter(|&cell| game.at(cell) == '.') {
        board.set(cell, game.own());
        let legal = match captures(&board, cell) {
            true => may_capture,
            false => breathes(&board, cell),
        };
        if legal {
            found.push(vec![cell]);
        }
        board.set(cell, '.');
    }
    found
}
