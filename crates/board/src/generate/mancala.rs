//! Boards of pits in rows, with or without a store at each end.

use super::{check_dim, check_size};
use crate::BoardError;
use crate::geometry::Point;
use crate::graph::{Graph, SiteType};
use crate::operate::union;

/// Where the stores of a mancala board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stores {
    /// There are none.
    None,
    /// Inside the board.
    Inner,
    /// At both ends.
    Outer,
}

impl Stores {
    /// The value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "None" => Stores::None,
            "Inner" => Stores::Inner,
            "Outer" => Stores::Outer,
            _ => return None,
        })
    }
}

/// Rows of pits from the bottom up. With outer stores, site 0 is the left store and the last site
/// the right one.
pub fn mancala(
    rows: i32,
    columns: i32,
    stores: Stores,
    number_of_stores: i32,
    kind: SiteType,
) -> Result<Graph, BoardError> {
    if !(2..=6).contains(&rows) {
        return Err(BoardError::MancalaRows(rows));
    }
    let width = check_dim(columns)?;
    check_size(i64::from(rows) * width)?;
    if stores == Stores::Inner || number_of_stores != 2 {
        return super::rectangle(rows, rows, super::Diagonals::Implied, kind);
    }
    let mut parts = Vec::new();
    for row in 0..rows {
        let mut pits = super::rectangle(1, columns, super::Diagonals::Implied, kind)?;
        pits.shift(0.0, f64::from(row), 0.0);
        parts.push(pits);
    }
    if stores == Stores::Outer {
        let (left, right) = store_places(rows, width as f32);
        parts.insert(0, single(left));
        parts.push(single(right));
    }
    Ok(union(parts, true))
}

/// How far the stores stand off the pits depends on the number of rows, for the eye only; but the
/// distances decide which pits count as their neighbours.
fn store_places(rows: i32, width: f32) -> (Point, Point) {
    let height = f64::from((rows - 1) as f32 / 2.0);
    let (left, right): (f32, f64) = match rows {
        2 => (-0.85, f64::from(width) + f64::from(-0.15f32)),
        3 => (-1.0, f64::from(width)),
        5 => (-1.0, f64::from(width + 0.1) + f64::from(-0.1f32)),
        _ => (-0.9, f64::from(width) + f64::from(-0.1f32)),
    };
    (Point::flat(f64::from(left), height), Point::flat(right, height))
}

fn single(at: Point) -> Graph {
    let mut graph = Graph::new();
    graph.add_vertex(at);
    graph
}
