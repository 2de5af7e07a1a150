//! Boards of hexagonal cells.

use super::{Points, check_dim, check_size, outline_of_six, rows_and_columns};
use crate::BoardError;
use crate::geometry::{Point, Polygon};
use crate::graph::Graph;

/// Outline of a hexagonal board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HexShape {
    /// The same number of rows and columns.
    Square,
    /// Rows and columns.
    Rectangle,
    /// A rhombus on its corner, as Hex is played on.
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

impl HexShape {
    /// The shape with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Square" => HexShape::Square,
            "Rectangle" => HexShape::Rectangle,
            "Diamond" => HexShape::Diamond,
            "Triangle" => HexShape::Triangle,
            "Hexagon" => HexShape::Hexagon,
            "Star" => HexShape::Star,
            "Limping" => HexShape::Limping,
            "Prism" => HexShape::Prism,
            _ => return None,
        })
    }
}

/// A board of hexagonal cells; `b` is the second dimension of shapes that have one.
pub fn hex(shape: HexShape, a: i32, b: Option<i32>) -> Result<Graph, BoardError> {
    let d = check_dim(a)?;
    // About two corners for each cell.
    let corners = match shape {
        HexShape::Hexagon | HexShape::Limping => 6 * d * d,
        HexShape::Star => 16 * d * d,
        _ => 2 * (d + 1) * (d + 1),
    };
    check_size(corners)?;
    match (shape, b) {
        (HexShape::Hexagon, Some(b)) => hex_from_sides(&[a, b]),
        (HexShape::Hexagon, None) => Ok(hexagon(d)),
        (HexShape::Triangle, _) => Ok(cells(0..d, |_| 0..d, |r, c| r <= c)),
        (HexShape::Diamond, _) => diamond(d, d, false),
        (HexShape::Prism, b) => diamond(d, check_dim(b.unwrap_or(a))?, true),
        (HexShape::Star, _) => Ok(cells(0..4 * d + 1, |_| 0..4 * d + 1, |r, c| in_star(d, r, c))),
        (HexShape::Limping, _) => hex_from_sides(&[a, a + 1]),
        (HexShape::Square, _) => rectangle(d, d),
        (HexShape::Rectangle, b) => rectangle(d, check_dim(b.unwrap_or(a))?),
    }
}

/// The hexagons whose middles are inside a polygon.
pub fn hex_within(polygon: &Polygon) -> Result<Graph, BoardError> {
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let (rows, columns) = rows_and_columns(&polygon, 3)?;
    let mut points = Points::default();
    for row in rows {
        for column in columns.clone() {
            let centre = cell_centre(row, column);
            if polygon.contains(centre) {
                points.add_around(centre, &corners());
            }
        }
    }
    Ok(points.joined())
}

/// A hexagonal board whose sides have these many cells, turning left at each corner (right for a
/// negative length); missing sides repeat the given ones.
pub fn hex_from_sides(sides: &[i32]) -> Result<Graph, BoardError> {
    hex_within(&outline_of_six(sides, cell_centre)?)
}

/// Whether the cell belongs to a six-pointed star of triangles of side `d`.
pub(super) fn in_star(d: i64, r: i64, c: i64) -> bool {
    if r < d || (r > 2 * d && r <= 3 * d) {
        c >= d && c - r <= d
    } else if r <= 2 * d {
        r - c <= d && c < 3 * d + 1
    } else {
        c <= 3 * d && r - c <= d
    }
}

fn cell_centre(row: i64, column: i64) -> Point {
    let (across, up) = (3f64.sqrt(), 1.5);
    let (row, column) = (row as f64, column as f64);
    Point::flat(across * (column - 0.5 * row), up * row)
}

/// Corners of a hexagon standing on its corner, clockwise from the top.
fn corners() -> [[f64; 2]; 6] {
    let ux = 3f64.sqrt() / 2.0;
    [[0.0, 1.0], [ux, 0.5], [ux, -0.5], [0.0, -1.0], [-ux, -0.5], [-ux, 0.5]]
}

fn cells(
    rows: std::ops::Range<i64>,
    columns: impl Fn(i64) -> std::ops::Range<i64>,
    keep: impl Fn(i64, i64) -> bool,
) -> Graph {
    let mut points = Points::default();
    for r in rows {
        for c in columns(r) {
            if keep(r, c) {
                points.add_around(cell_centre(r, c), &corners());
            }
        }
    }
    points.joined()
}

fn rectangle(rows: i64, columns: i64) -> Result<Graph, BoardError> {
    check_size(2 * (rows + 1) * (columns + 1))?;
    Ok(cells(0..rows, |r| (r + 1) / 2..columns + r / 2, |_, _| true))
}

/// Rhombus of hexagons with flat tops; as a prism, `columns` rows more between its halves.
fn diamond(rows: i64, columns: i64, prism: bool) -> Result<Graph, BoardError> {
    let side = if prism { rows + columns - 1 } else { rows };
    check_size(2 * (side + 1) * (side + 1))?;
    let (across, up) = (1.5, 3f64.sqrt());
    let turned = corners().map(|[x, y]| [y, x]);
    let mut points = Points::default();
    for row in 0..side {
        for column in 0..side {
            if prism && (row - column).abs() >= rows {
                continue;
            }
            let (r, c) = (row as f64, column as f64);
            let centre = Point::flat(across * (c - r), up * (r + c) * 0.5);
            points.add_around(centre, &turned);
        }
    }
    Ok(points.joined())
}

/// The hexagon of side `d`, built from the zigzag lines under and over its rows: every row up to
/// the middle has a line below it, every row from the middle on has one above it.
fn hexagon(d: i64) -> Graph {
    let corners = corners();
    let rows = 2 * d - 1;
    let half = rows / 2;
    let mut graph = Graph::new();
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let below = (0..=half).map(|row| (row, [4, 3, 2]));
    let above = (half..rows).map(|row| (row, [5, 0, 1]));
    for (row, [left, middle, right]) in below.chain(above) {
        let columns = (row - half).max(0)..=(half + row).min(rows - 1);
        let last = *columns.end();
        let mut line = Vec::new();
        for column in columns {
            let centre = cell_centre(row, column);
            let ends = if column == last { vec![left, middle, right] } else { vec![left, middle] };
            for n in ends {
                let at = Point::flat(centre.x + corners[n][0], centre.y + corners[n][1]);
                line.push(graph.add_vertex(at));
            }
        }
        lines.push(line);
    }
    for line in &lines {
        for pair in line.windows(2) {
            graph.add_edge(pair[0], pair[1]);
        }
    }
    let middle = half as usize;
    for (n, pair) in lines.windows(2).enumerate() {
        // Lower lines grow, upper lines shrink: the uprights stand one place further left or right.
        let (lower, upper) = (&pair[0], &pair[1]);
        let (from, to): (usize, usize) = match n.cmp(&middle) {
            std::cmp::Ordering::Less => (0, 1),
            std::cmp::Ordering::Equal => (0, 0),
            std::cmp::Ordering::Greater => (1, 0),
        };
        let uprights = lower[from..].iter().step_by(2).zip(upper[to..].iter().step_by(2));
        for (&a, &b) in uprights {
            graph.add_edge(a, b);
        }
    }
    graph.make_faces(false);
    graph.reorder();
    graph
}
