//! Graphs made from a few numbers: the regular tilings in all their shapes, circles, spirals and
//! the rest.
//!
//! Every generator takes the kind of site the board is played on where that changes its size: a
//! board of 8×8 cells has 9×9 vertices, a board of 8×8 vertices has 8×8.

mod brick;
mod celtic;
mod concentric;
mod hex;
mod mancala;
mod quadhex;
mod shapes;
mod square;
mod tiling;
mod tri;

pub use brick::{BrickShape, brick};
pub use celtic::{celtic, celtic_within};
pub use concentric::{Joins, concentric_circles, concentric_polygons, concentric_target};
pub use hex::{HexShape, hex, hex_from_sides, hex_within};
pub use mancala::{Stores, mancala};
pub use quadhex::quadhex;
pub use shapes::{regular, repeat, spiral, wedge};
pub use square::{Diagonals, diamond, pyramid, rectangle, square_from_sides, square_within};
pub use tiling::{Tiling, tiling, tiling_from_sides, tiling_within};
pub use tri::{TriShape, tri, tri_from_sides, tri_within};

use super::BoardError;
use super::geometry::{Point, Polygon};
use super::graph::{Graph, SiteType};
use std::collections::HashMap;

/// Boards with more vertices than this are refused: a game on 4,000 cells takes hours.
pub const MAX_VERTICES: usize = 8_000;

/// Boards with more edges than this are refused.
pub const MAX_EDGES: usize = 20_000;

/// Places further from the origin than this are refused.
pub const MAX_COORDINATE: f64 = 100_000.0;

/// Refuses sizes that make no board or one beyond all use.
pub(crate) fn check_size(vertices: i64) -> Result<(), BoardError> {
    match usize::try_from(vertices) {
        Ok(1..=MAX_VERTICES) => Ok(()),
        Ok(n) if n > MAX_VERTICES => Err(BoardError::TooLarge(n)),
        _ => Err(BoardError::NoSites),
    }
}

/// A dimension as a number of rows; refuses what is not positive or too large to multiply.
pub(crate) fn check_dim(dim: i32) -> Result<i64, BoardError> {
    match dim {
        1..=10_000 => Ok(i64::from(dim)),
        d if d < 1 => Err(BoardError::NoSites),
        d => Err(BoardError::TooLarge(d as usize)),
    }
}

/// One more row of vertices is needed to enclose a row of cells.
fn enclosing(kind: SiteType) -> i64 {
    i64::from(kind == SiteType::Cell)
}

/// Points in order of their first appearance.
#[derive(Default)]
struct Points {
    list: Vec<Point>,
    near: HashMap<(i64, i64), Vec<usize>>,
}

/// Points of a tiling closer than this are the same corner.
const SAME_CORNER: f64 = 0.1;

impl Points {
    fn add(&mut self, p: Point) {
        let (cx, cy) = bucket(p, 1.0);
        let known = (-1..=1).any(|dx| {
            (-1..=1).any(|dy| {
                let here = self.near.get(&(cx + dx, cy + dy));
                here.is_some_and(|b| b.iter().any(|&i| self.list[i].distance(p) < SAME_CORNER))
            })
        });
        if !known {
            self.near.entry((cx, cy)).or_default().push(self.list.len());
            self.list.push(p);
        }
    }

    fn add_around(&mut self, centre: Point, corners: &[[f64; 2]]) {
        for corner in corners {
            self.add(Point::flat(centre.x + corner[0], centre.y + corner[1]));
        }
    }

    /// The graph that joins all points at distance one, numbered from the bottom left.
    fn joined(self) -> Graph {
        let mut graph = join_at_unit(&self.list);
        graph.reorder();
        graph
    }
}

fn bucket(p: Point, size: f64) -> (i64, i64) {
    ((p.x / size).floor() as i64, (p.y / size).floor() as i64)
}

/// The graph of the points in their order, joined where they are at distance one.
fn join_at_unit(points: &[Point]) -> Graph {
    let mut near: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (i, &p) in points.iter().enumerate() {
        near.entry(bucket(p, 1.02)).or_default().push(i);
    }
    let mut joins = Vec::new();
    for (a, &p) in points.iter().enumerate() {
        let (cx, cy) = bucket(p, 1.02);
        let start = joins.len();
        for key in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (cx + dx, cy + dy))) {
            for &b in near.get(&key).into_iter().flatten() {
                if b > a && (points[b].distance(p) - 1.0).abs() < 0.01 {
                    joins.push((a, b));
                }
            }
        }
        joins[start..].sort_unstable();
    }
    Graph::from_lists(points, &joins)
}

/// The rows and columns that may hold a point of the polygon, with a margin.
fn rows_and_columns(
    polygon: &Polygon,
    margin: i64,
) -> Result<(std::ops::RangeInclusive<i64>, std::ops::RangeInclusive<i64>), BoardError> {
    let (low, high) = polygon.bounds();
    let whole = |v: f64| v.clamp(-MAX_COORDINATE, MAX_COORDINATE) as i64;
    let rows = whole(low.y) - margin..=whole(high.y) + margin;
    let columns = whole(low.x) - margin..=whole(high.x) + margin;
    let size = |r: &std::ops::RangeInclusive<i64>| r.end() - r.start() + 1;
    check_size(size(&rows) * size(&columns))?;
    Ok((rows, columns))
}

/// The outline of a six-directional board with the given side lengths, walked from the origin.
/// A side counts the sites along it, both corners included.
fn outline_of_six(sides: &[i32], place: impl Fn(i64, i64) -> Point) -> Result<Polygon, BoardError> {
    const STEPS: [(i64, i64); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
    if sides.is_empty() {
        return Err(BoardError::NoSites);
    }
    let (mut row, mut column, mut heading) = (0, 0, 1);
    let mut points = vec![place(0, 0)];
    for n in 0..sides.len().max(5) {
        let side = i64::from(sides[n % sides.len()]);
        let length = if side < 0 { side + 1 } else { side - 1 };
        heading = (heading + if length < 0 { 5 } else { 1 }) % 6;
        if length > 0 {
            row += length * STEPS[heading].0;
            column += length * STEPS[heading].1;
            points.push(place(row, column));
        }
    }
    Ok(Polygon { points })
}
