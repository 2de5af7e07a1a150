//! The library as yardstick: where a game's numbers lie among those of other games of its kind.
//!
//! The table that ships with the program holds figures only, one line for each game, made by
//! `ludex evaluate --library DIR --write FILE` over a folder of descriptions.

use std::fmt::Write as _;
use std::sync::LazyLock;

use ludex_game::Game;

use crate::Evaluation;

/// Numbers of random games that the table has, in the order of its columns.
pub const COLUMNS: [&str; 12] = [
    "first_seat",
    "balance",
    "completion",
    "draws",
    "unfinished",
    "length",
    "branching",
    "decision_factor",
    "decisions",
    "coverage",
    "repetition",
    "opening_variety",
];
/// A kind with fewer games than this is no yardstick; all games are, then.
const FEWEST: usize = 20;

/// What makes games comparable: how many play, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Players.
    pub players: usize,
    /// `cells`, `points`, `lines` or nothing.
    pub board: String,
}

impl Kind {
    /// The kind of a game.
    pub fn of(game: &dyn Game) -> Kind {
        let info = game.info();
        let known = ["cells", "points", "lines"];
        let board = known.iter().find(|kind| info.board.contains(**kind));
        let square = info.board.contains("square");
        let board = board.map_or(if square { "cells" } else { "-" }, |kind| kind);
        Kind { players: info.players, board: board.to_string() }
    }
}

/// Figures of many games.
#[derive(Clone, Debug, Default)]
pub struct Yardstick {
    rows: Vec<(Kind, Vec<Option<f64>>)>,
}

/// Where a number lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The share of games whose number is smaller, ties counted half, in percent.
    pub percentile: f64,
    /// Among how many games.
    pub among: usize,
}

impl Yardstick {
    /// The table that ships with the program.
    pub fn shipped() -> &'static Yardstick {
        static TABLE: LazyLock<Yardstick> =
            LazyLock::new(|| Yardstick::read(include_str!("yardstick.tsv")));
        &TABLE
    }

    /// Reads a table; lines that are not of its form are left out.
    pub fn read(text: &str) -> Yardstick {
        let row = |line: &str| {
            let mut fields = line.split('\t');
            let kind =
                Kind { players: fields.next()?.parse().ok()?, board: fields.next()?.to_string() };
            let numbers: Vec<Option<f64>> = fields.map(|field| field.parse().ok()).collect();
            (numbers.len() == COLUMNS.len()).then_some((kind, numbers))
        };
        Yardstick { rows: text.lines().filter_map(row).collect() }
    }

    /// How many games it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many games of a kind it has.
    fn alike(&self, kind: &Kind) -> usize {
        self.rows.iter().filter(|(other, _)| other == kind).count()
    }

    /// Which games percentiles of a kind are among, in words.
    pub fn basis(&self, kind: &Kind) -> String {
        let on = if kind.board == "-" { "without such a board" } else { &kind.board };
        let what = format!("for {} players, {on}", kind.players);
        match self.alike(kind) {
            few if few < FEWEST => format!(
                "percentiles are among all {} games of the table: only {few} are of the same kind ({what})",
                self.len()
            ),
            games => format!("percentiles are among {games} games of the same kind ({what})"),
        }
    }

    /// What all games have of a number.
    pub fn values(&self, metric: &str) -> Vec<f64> {
        let column = COLUMNS.iter().position(|name| *name == metric);
        let of = |column: usize| self.rows.iter().filter_map(move |(_, row)| row[column]);
        column.map_or(Vec::new(), |column| of(column).collect())
    }

    /// Where a number of random games lies among those of the games of this kind.
    pub fn standing(&self, kind: &Kind, metric: &str, value: f64) -> Option<Standing> {
        let column = COLUMNS.iter().position(|name| *name == metric)?;
        let all = self.alike(kind) < FEWEST;
        let rows = self.rows.iter().filter(|(other, _)| all || other == kind);
        let numbers: Vec<f64> = rows.filter_map(|(_, numbers)| numbers[column]).collect();
        if numbers.len() < FEWEST {
            return None;
        }
        let close = |other: &&f64| (**other - value).abs() < 5e-5;
        let ties = numbers.iter().filter(close).count() as f64;
        let below = numbers.iter().filter(|other| **other < value && !close(other)).count() as f64;
        let percentile = 100.0 * (below + ties / 2.0) / numbers.len() as f64;
        Some(Standing { percentile, among: numbers.len() })
    }
}

/// One line of a table.
pub fn line(kind: &Kind, evaluation: &Evaluation) -> String {
    let mut text = format!("{}\t{}", kind.players, kind.board);
    for name in COLUMNS {
        let _ = match evaluation.metrics.get(name) {
            Some(figure) => write!(text, "\t{:.4}", figure.value),
            None => write!(text, "\t-"),
        };
    }
    text
}

/// The first lines of a table: what it is and how it was made.
pub fn header(seed: u64) -> String {
    format!(
        "# Figures of random games of the descriptions of a library, in an order drawn by seed {seed}; made by\n\
         # `ludex evaluate --library DIR --write FILE`.\n# players\tboard\t{}\n",
        COLUMNS.join("\t")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_by_hand() {
        let mut text = header(1);
        for n in 0..40 {
            let numbers: Vec<String> = (0..COLUMNS.len()).map(|_| n.to_string()).collect();
            let players = if n < 25 { 2 } else { 3 };
            text += &format!("{players}\tcells\t{}\n", numbers.join("\t"));
        }
        let table = Yardstick::read(&text);
        assert_eq!(table.len(), 40);
        let kind = Kind { players: 2, board: "cells".to_string() };
        // 0 to 9 of 25 are smaller, 10 is a tie.
        let standing = table.standing(&kind, "length", 10.0).unwrap();
        assert_eq!((standing.percentile, standing.among), (42.0, 25));
        // Fifteen games for three are too few: all forty count.
        let rare = Kind { players: 3, ..kind.clone() };
        assert_eq!(table.standing(&rare, "length", -1.0).unwrap().among, 40);
        assert_eq!(table.standing(&rare, "drama", 0.0), None);
        assert!(table.basis(&kind).contains("among 25 games of the same kind"));
        assert!(table.basis(&rare).contains("among all 40 games of the table: only 15"));
    }

    #[test]
    fn the_shipped_table_is_one() {
        assert!(Yardstick::shipped().len() >= 60, "{}", Yardstick::shipped().len());
    }
}
