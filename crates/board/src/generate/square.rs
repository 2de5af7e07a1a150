//! Boards on the square grid.

use super::{check_dim, check_size, enclosing, join_at_unit, rows_and_columns};
use crate::BoardError;
use crate::geometry::{Point, Polygon};
use crate::graph::{Graph, SiteType};

/// Which diagonals of the squares are lines of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diagonals {
    /// None; pieces may still move diagonally.
    Implied,
    /// Both, meeting in a vertex in the middle.
    Solid,
    /// Both, crossing without a vertex.
    SolidNoSplit,
    /// One per square, alternating like on an Alquerque board.
    Alternating,
    /// One per square, around the middle.
    Concentric,
    /// Only those that start in the middle.
    Radiating,
}

impl Diagonals {
    /// The value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Implied" => Diagonals::Implied,
            "Solid" => Diagonals::Solid,
            "SolidNoSplit" => Diagonals::SolidNoSplit,
            "Alternating" => Diagonals::Alternating,
            "Concentric" => Diagonals::Concentric,
            "Radiating" => Diagonals::Radiating,
            _ => return None,
        })
    }
}

/// `rows` × `columns` sites.
pub fn rectangle(
    rows: i32,
    columns: i32,
    diagonals: Diagonals,
    kind: SiteType,
) -> Result<Graph, BoardError> {
    let (rows, columns) =
        (check_dim(rows)? + enclosing(kind), check_dim(columns)? + enclosing(kind));
    check_size(rows * columns)?;
    let mut graph = grid(rows, columns);
    add_diagonals(&mut graph, 0..=rows, 0..=columns, diagonals);
    graph.make_faces(false);
    graph.reorder();
    Ok(graph)
}

/// A pyramid of balls: each layer rests in the hollows of the one below.
pub fn pyramid(rows: i32, columns: i32, kind: SiteType) -> Result<Graph, BoardError> {
    let (rows, columns) =
        (check_dim(rows)? + enclosing(kind), check_dim(columns)? + enclosing(kind));
    check_size(rows * columns * rows)?;
    let mut graph = grid(rows, columns);
    let rise = 1.0 / 2f64.sqrt();
    for layer in 1..rows {
        let up = layer as f64;
        for row in 0..rows - layer {
            for column in 0..columns - layer {
                graph.find_or_add_vertex(Point::new(
                    up * 0.5 + column as f64,
                    up * 0.5 + row as f64,
                    up * rise,
                ));
            }
        }
    }
    graph.join_neighbours();
    graph.make_faces(false);
    graph.reorder();
    Ok(graph)
}

/// A square standing on its corner.
pub fn diamond(dim: i32, diagonals: Diagonals) -> Result<Graph, BoardError> {
    let d = check_dim(dim)?;
    check_size(4 * d * d)?;
    let outside = |r: i64, c: i64| r + c < d - 1 || c - r > d || r - c > d || r + c >= 3 * d;
    let mut points = Vec::new();
    for r in 0..2 * d {
        for c in 0..2 * d {
            if !outside(r, c) {
                points.push(Point::flat(c as f64, r as f64));
            }
        }
    }
    Ok(finish(&points, 0..=2 * d, 0..=2 * d, diagonals))
}

/// The grid points inside a polygon.
pub fn square_within(polygon: &Polygon, diagonals: Diagonals) -> Result<Graph, BoardError> {
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let (rows, columns) = rows_and_columns(&polygon, 2)?;
    let mut points = Vec::new();
    for row in rows.clone() {
        for column in columns.clone() {
            let p = Point::flat(column as f64, row as f64);
            if polygon.contains(p) {
                points.push(p);
            }
        }
    }
    Ok(finish(&points, rows, columns, diagonals))
}

/// The grid points inside the outline whose sides have these lengths, turning left at each corner
/// (right for a negative length).
pub fn square_from_sides(sides: &[i32], diagonals: Diagonals) -> Result<Graph, BoardError> {
    const STEPS: [[f64; 2]; 4] = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]];
    square_within(&Polygon::from_sides(sides, &STEPS), diagonals)
}

type Range = std::ops::RangeInclusive<i64>;

fn finish(points: &[Point], rows: Range, columns: Range, diagonals: Diagonals) -> Graph {
    let mut graph = join_at_unit(points);
    add_diagonals(&mut graph, rows, columns, diagonals);
    graph.make_faces(false);
    graph.reorder();
    graph
}

/// Rows and columns of points, each joined upwards and then to the right.
fn grid(rows: i64, columns: i64) -> Graph {
    let mut graph = Graph::new();
    for row in 0..rows {
        for column in 0..columns {
            graph.add_vertex(Point::flat(column as f64, row as f64));
        }
    }
    let number = |row: i64, column: i64| (row * columns + column) as usize;
    for row in 0..rows {
        for column in 0..columns {
            if row + 1 < rows {
                graph.add_edge(number(row, column), number(row + 1, column));
            }
            if column + 1 < columns {
                graph.add_edge(number(row, column), number(row, column + 1));
            }
        }
    }
    graph
}

fn add_diagonals(graph: &mut Graph, rows: Range, columns: Range, diagonals: Diagonals) {
    if diagonals == Diagonals::Implied {
        return;
    }
    let mid = |r: &Range| (r.start() + r.end()) / 2;
    let (mid_row, mid_column) = (mid(&rows), mid(&columns));
    if diagonals == Diagonals::Radiating {
        let half = |r: &Range| (r.end() - r.start()) / 2;
        radiate(graph, mid_row, mid_column, half(&rows).max(half(&columns)) + 1);
        return;
    }
    for r in rows {
        for c in columns.clone() {
            let corner = |dx: i64, dy: i64| Point::flat((c + dx) as f64, (r + dy) as f64);
            let found = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)]
                .map(|p| graph.find_vertex(p));
            let [Some(a), Some(b), Some(c4), Some(d)] = found else {
                continue;
            };
            let rising = match diagonals {
                Diagonals::Alternating => (r + c) % 2 == 0,
                _ => (r < mid_row) != (c < mid_column),
            };
            match diagonals {
                Diagonals::Solid => {
                    let x = graph.find_or_add_vertex(Point::flat(c as f64 + 0.5, r as f64 + 0.5));
                    for end in [a, b, c4, d] {
                        graph.find_or_add_edge(end, x);
                    }
                }
                Diagonals::SolidNoSplit => {
                    graph.find_or_add_edge(a, c4);
                    graph.find_or_add_edge(b, d);
                }
                _ if rising => {
                    graph.find_or_add_edge(a, c4);
                }
                _ => {
                    graph.find_or_add_edge(b, d);
                }
            }
        }
    }
}

fn radiate(graph: &mut Graph, mid_row: i64, mid_column: i64, steps: i64) {
    for n in 0..steps {
        for (dx, dy) in [(1, 1), (1, -1), (-1, -1), (-1, 1)] {
            // The row of the middle is used as its x: only square boards have radiating lines.
            let point =
                |k: i64| Point::flat((mid_row + k * dx) as f64, (mid_column + k * dy) as f64);
            if let (Some(a), Some(b)) =
                (graph.find_vertex(point(n)), graph.find_vertex(point(n + 1)))
            {
                graph.find_or_add_edge(a, b);
            }
        }
    }
}
