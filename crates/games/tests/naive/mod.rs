//! The eight games once more, as slowly and plainly as they can be written: a board of characters,
//! every rule looked up cell by cell, nothing remembered. What the library does fast must agree.

#![allow(dead_code)] // Each test program uses its own part.

pub mod features;
mod go;
mod races;

/// Sizes at the limits, around the borders between words, and the usual ones.
pub const SIZES: [(usize, usize); 10] =
    [(3, 3), (5, 4), (4, 6), (8, 8), (3, 16), (13, 5), (9, 9), (11, 11), (13, 13), (16, 16)];

pub const NAMES: [&str; 8] = [
    "atarigo",
    "breakthrough",
    "misere-breakthrough",
    "domineering",
    "misere-domineering",
    "knightthrough",
    "misere-knightthrough",
    "nogo",
];

/// A cell as column and row, both from zero; rows grow upwards.
pub type Cell = (i32, i32);

#[derive(Clone, Debug)]
pub struct Naive {
    pub name: &'static str,
    /// `board[row][column]`: the players' pieces are `1` and `2`, empty is `.`.
    pub board: Vec<Vec<char>>,
    /// 0 or 1.
    pub mover: usize,
    /// Somebody got through or captured.
    pub decided: bool,
}

impl Naive {
    pub fn new(name: &str, width: usize, height: usize) -> Naive {
        let name = NAMES.iter().find(|known| **known == name).unwrap();
        let mut board = vec![vec!['.'; width]; height];
        if name.ends_with("through") {
            let rows = if height < 4 { 1 } else { 2 };
            for row in 0..rows {
                board[row] = vec!['1'; width];
                board[height - 1 - row] = vec!['2'; width];
            }
        }
        Naive { name, board, mover: 0, decided: false }
    }

    pub fn width(&self) -> i32 {
        self.board[0].len() as i32
    }

    pub fn height(&self) -> i32 {
        self.board.len() as i32
    }

    pub fn on_board(&self, (column, row): Cell) -> bool {
        (0..self.width()).contains(&column) && (0..self.height()).contains(&row)
    }

    /// What stands on a cell; `#` off the board.
    pub fn at(&self, cell: Cell) -> char {
        if self.on_board(cell) { self.board[cell.1 as usize][cell.0 as usize] } else { '#' }
    }

    pub fn set(&mut self, (column, row): Cell, what: char) {
        self.board[row as usize][column as usize] = what;
    }

    pub fn cells(&self) -> Vec<Cell> {
        let rows = 0..self.height();
        rows.flat_map(|row| (0..self.width()).map(move |column| (column, row))).collect()
    }

    pub fn own(&self) -> char {
        ['1', '2'][self.mover]
    }

    pub fn foe(&self) -> char {
        ['2', '1'][self.mover]
    }

    /// Every legal move as the cells it names, unless the game is decided.
    pub fn legal(&self) -> Vec<Vec<Cell>> {
        if self.decided {
            return Vec::new();
        }
        match self.name.trim_start_matches("misere-") {
            "breakthrough" => races::legal(self, races::PAWN),
            "knightthrough" => races::legal(self, races::KNIGHT),
            "domineering" => self.dominoes(),
            "atarigo" => go::legal(self, true),
            _ => go::legal(self, false),
        }
    }

    pub fn play(&mut self, cells: &[Cell]) {
        if self.name.ends_with("through") {
            races::play(self, cells);
        } else {
            for &cell in cells {
                self.set(cell, self.own());
            }
            self.decided = self.name == "atarigo" && go::captures(self, cells[0]);
        }
        self.mover = 1 - self.mover;
    }

    /// The payoffs, if the game is over.
    pub fn result(&self) -> Option<[f32; 2]> {
        if !self.legal().is_empty() {
            return None;
        }
        let loser = self.mover;
        let loser = if self.name.starts_with("misere") { 1 - loser } else { loser };
        Some(if loser == 0 { [0.0, 1.0] } else { [1.0, 0.0] })
    }

    /// The text of a move.
    pub fn text(&self, cells: &[Cell]) -> String {
        let join = if self.name.ends_with("domineering") { "/" } else { "-" };
        let names: Vec<String> = cells
            .iter()
            .map(|(column, row)| format!("{}{}", (b'a' + *column as u8) as char, row + 1))
            .collect();
        names.join(join)
    }

    /// The number of sequences of exactly so many plies.
    pub fn perft(&self, depth: usize) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let child = |cells: &Vec<Cell>| {
            let mut child = self.clone();
            child.play(cells);
            child.perft(depth - 1)
        };
        legal.iter().map(child).sum()
    }

    fn dominoes(&self) -> Vec<Vec<Cell>> {
        let (right, up) = if self.mover == 0 { (0, 1) } else { (1, 0) };
        let pairs = self.cells().into_iter().map(|(c, r)| vec![(c, r), (c + right, r + up)]);
        pairs.filter(|pair| pair.iter().all(|&cell| self.at(cell) == '.')).collect()
    }
}
