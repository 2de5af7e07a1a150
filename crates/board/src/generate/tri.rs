//! Boards on the triangular grid.

use super::hex::in_star;
use super::{check_dim, check_size, enclosing, join_at_unit, outline_of_six, rows_and_columns};
use crate::BoardError;
use crate::geometry::{Point, Polygon};
use crate::graph::{Graph, SiteType};

/// Outline of a triangular board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriShape {
    /// The same number of rows and columns.
    Square,
    /// Rows and columns.
    Rectangle,
    /// A rhombus on its corner.
    Diamond,
    /// A triangle.
    Triangle,
    /// A hexagon.
    Hexagon,
    /// A six-pointed star.
    Star,
    /// A hexagon whose sides alternate between two lengths that differ by one.
    Limping,
    /// A rhombus stretched upwards.
    Prism,
}

impl TriShape {
    /// The shape with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Square" => TriShape::Square,
            "Rectangle" => TriShape::Rectangle,
            "Diamond" => TriShape::Diamond,
            "Triangle" => TriShape::Triangle,
            "Hexagon" => TriShape::Hexagon,
            "Star" => TriShape::Star,
            "Limping" => TriShape::Limping,
            "Prism" => TriShape::Prism,
            _ => return None,
        })
    }
}

/// A triangular board; `b` is the second dimension of shapes that have one.
pub fn tri(shape: TriShape, a: i32, b: Option<i32>, kind: SiteType) -> Result<Graph, BoardError> {
    let more = enclosing(kind);
    let d = check_dim(a)? + more;
    // A triangle lies in half a square of this size; the others have fewer corners than the rest says.
    check_size(if shape == TriShape::Triangle { (d + 2) * (d + 2) } else { 16 * d * d })?;
    match shape {
        TriShape::Hexagon => Ok(hexagon(d)),
        TriShape::Triangle => Ok(points(0..d, |_| 0..d, |r, c| r <= c)),
        TriShape::Diamond => diamond(d, d, false),
        TriShape::Prism => diamond(d, check_dim(b.unwrap_or(a))? + more, true),
        TriShape::Square => rectangle(d, d),
        TriShape::Rectangle => rectangle(d, check_dim(b.unwrap_or(a))? + more),
        TriShape::Star => {
            let d = d - more;
            Ok(points(0..4 * d + 1, |_| 0..4 * d + 1, |r, c| in_star(d, r, c)))
        }
        TriShape::Limping => limping(a),
    }
}

/// The points of the grid inside a polygon.
pub fn tri_within(polygon: &Polygon) -> Result<Graph, BoardError> {
    within(polygon, 2)
}

/// A triangular board whose sides have these many points, turning left at each corner (right for a
/// negative length); missing sides repeat the given ones.
pub fn tri_from_sides(sides: &[i32]) -> Result<Graph, BoardError> {
    if let &[a, b] = sides
        && a == b - 1
    {
        return limping(a);
    }
    within(&outline_of_six(sides, grid_point)?, 2)
}

fn limping(a: i32) -> Result<Graph, BoardError> {
    within(&outline_of_six(&[a, a + 1], grid_point)?, i64::from(a.max(0)))
}

fn within(polygon: &Polygon, margin: i64) -> Result<Graph, BoardError> {
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let (rows, columns) = rows_and_columns(&polygon, margin)?;
    let mut found = Vec::new();
    for row in rows {
        for column in columns.clone() {
            let p = grid_point(row, column);
            if polygon.contains(p) {
                found.push(p);
            }
        }
    }
    let mut graph = join_at_unit(&found);
    graph.reorder();
    Ok(graph)
}

fn grid_point(row: i64, column: i64) -> Point {
    let (row, column) = (row as f64, column as f64);
    Point::flat(column - 0.5 * row, 3f64.sqrt() / 2.0 * row)
}

fn points(
    rows: std::ops::Range<i64>,
    columns: impl Fn(i64) -> std::ops::Range<i64>,
    keep: impl Fn(i64, i64) -> bool,
) -> Graph {
    let mut found = Vec::new();
    for r in rows {
        found.extend(columns(r).filter(|&c| keep(r, c)).map(|c| grid_point(r, c)));
    }
    let mut graph = join_at_unit(&found);
    graph.reorder();
    graph
}

fn rectangle(rows: i64, columns: i64) -> Result<Graph, BoardError> {
    check_size(rows * columns)?;
    Ok(points(0..rows, |r| (r + 1) / 2..columns + r / 2, |_, _| true))
}

fn diamond(rows: i64, columns: i64, prism: bool) -> Result<Graph, BoardError> {
    let side = if prism { rows + columns - 1 } else { rows };
    check_size(side * side)?;
    let up = 3f64.sqrt() / 2.0;
    let mut found = Vec::new();
    for row in 0..side {
        for column in 0..side {
            if !prism || (row - column).abs() < rows {
                let (r, c) = (row as f64, column as f64);
                found.push(Point::flat(up * (c - r), (r + c) * 0.5));
            }
        }
    }
    let mut graph = join_at_unit(&found);
    graph.reorder();
    Ok(graph)
}

/// The hexagon of side `d`: rows joined along, then each row to the longer one beside it.
fn hexagon(d: i64) -> Graph {
    let rows = 2 * d - 1;
    let half = rows / 2;
    let mut graph = Graph::new();
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for row in 0..rows {
        let columns = (row - half).max(0)..=(half + row).min(rows - 1);
        lines.push(columns.map(|c| graph.add_vertex(grid_point(row, c))).collect());
    }
    for line in &lines {
        for pair in line.windows(2) {
            graph.add_edge(pair[0], pair[1]);
        }
    }
    let half = half as usize;
    let mut join_to_longer = |shorter: &[usize], longer: &[usize]| {
        for (n, &v) in shorter.iter().enumerate() {
            graph.add_edge(v, longer[n]);
            graph.add_edge(v, longer[n + 1]);
        }
    };
    for n in 0..half {
        join_to_longer(&lines[n], &lines[n + 1]);
    }
    for n in half + 1..lines.len() {
        join_to_longer(&lines[n], &lines[n - 1]);
    }
    graph.make_faces(false);
    graph.reorder();
    graph
}
