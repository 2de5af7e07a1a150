//! Walls of bricks.

use super::{check_dim, check_size};
use crate::BoardError;
use crate::geometry::Point;
use crate::graph::Graph;

/// Outline of a brick board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrickShape {
    /// The same number of rows and columns.
    Square,
    /// Rows and columns.
    Rectangle,
    /// A square on its corner.
    Diamond,
    /// A diamond stretched upwards.
    Prism,
    /// Bricks wound around a half brick.
    Spiral,
    /// One column more than rows.
    Limping,
}

impl BrickShape {
    /// The shape with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "Square" => BrickShape::Square,
            "Rectangle" => BrickShape::Rectangle,
            "Diamond" => BrickShape::Diamond,
            "Prism" => BrickShape::Prism,
            "Spiral" => BrickShape::Spiral,
            "Limping" => BrickShape::Limping,
            _ => return None,
        })
    }
}

/// A board of bricks; `trim` cuts the bricks that stick out in half.
pub fn brick(shape: BrickShape, a: i32, b: Option<i32>, trim: bool) -> Result<Graph, BoardError> {
    let d = check_dim(a)?;
    let second = check_dim(b.unwrap_or(a))?;
    check_size(16 * d * d.max(second))?;
    let mut graph = Graph::new();
    match shape {
        BrickShape::Square | BrickShape::Rectangle => wall(&mut graph, d, second, trim),
        BrickShape::Limping => wall(&mut graph, d, d + 1, trim),
        BrickShape::Diamond => lozenge(&mut graph, d, 0, trim),
        BrickShape::Prism => lozenge(&mut graph, d, second, trim),
        BrickShape::Spiral => spiral(&mut graph, d),
    }
    graph.reorder();
    Ok(graph)
}

fn wall(graph: &mut Graph, rows: i64, columns: i64, trim: bool) {
    let width = columns * 2 + 1;
    for r in 0..rows {
        for c in (r % 2..width).step_by(2) {
            lay(graph, r, c, width, trim);
        }
    }
}

fn lozenge(graph: &mut Graph, side: i64, middle: i64, trim: bool) {
    let width = 2 * side;
    for r in 0..2 * side + 2 * middle {
        for c in ((r + 1) % 2..width).step_by(2) {
            let inside = r + c >= side - 1 && c - r < side && r + c < 3 * side - 1 && r - c <= side;
            if inside {
                lay(graph, r, c, width, trim);
            }
        }
    }
}

fn spiral(graph: &mut Graph, rings: i64) {
    half(graph, rings - 1, rings - 1);
    for ring in 1..rings {
        for n in (0..2 * ring).step_by(2) {
            upright(graph, rings - ring + n, rings - ring - 1);
            flat(graph, rings + ring - 1, rings - ring + n);
            upright(graph, rings - ring - 1 + n, rings + ring - 1);
            flat(graph, rings - ring - 1, rings - ring - 1 + n);
        }
    }
}

fn lay(graph: &mut Graph, row: i64, column: i64, width: i64, trim: bool) {
    if trim && column == 0 {
        half(graph, row, column + 1);
    } else if trim && column >= width - 1 {
        half(graph, row, column);
    } else {
        flat(graph, row, column);
    }
}

fn flat(graph: &mut Graph, row: i64, column: i64) {
    outline(graph, row, column, &[(0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, 0)]);
}

fn upright(graph: &mut Graph, row: i64, column: i64) {
    outline(graph, row, column, &[(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]);
}

fn half(graph: &mut Graph, row: i64, column: i64) {
    outline(graph, row, column, &[(0, 0), (0, 1), (1, 1), (1, 0)]);
}

fn outline(graph: &mut Graph, row: i64, column: i64, corners: &[(i64, i64)]) {
    let corners: Vec<usize> = corners
        .iter()
        .map(|&(x, y)| graph.find_or_add_vertex(Point::flat((column + x) as f64, (row + y) as f64)))
        .collect();
    for (n, &corner) in corners.iter().enumerate() {
        graph.find_or_add_edge(corner, corners[(n + 1) % corners.len()]);
    }
    graph.find_or_add_face(&corners);
}
