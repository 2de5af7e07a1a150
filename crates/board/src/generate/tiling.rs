//! The semi-regular tilings, named by the polygons that meet at their corners.

use super::{Points, check_dim, check_size, outline_of_six, rows_and_columns};
use crate::BoardError;
use crate::geometry::{Point, Polygon};
use crate::graph::Graph;
use std::f64::consts::PI;

/// Tilings by the polygons around each corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tiling {
    /// A triangle and two dodecagons.
    T31212,
    /// A triangle, a square, a hexagon and a square.
    T3464,
    /// A square and two octagons.
    T488,
    /// Two triangles, a square, a triangle and a square.
    T33434,
    /// Four triangles and a hexagon.
    T33336,
    /// Three triangles and two squares.
    T33344,
    /// Triangles and hexagons in turn.
    T3636,
    /// A square, a hexagon and a dodecagon.
    T4612,
    /// Six triangles at some corners, triangles and squares at others.
    T333333_33434,
}

impl Tiling {
    /// The tiling with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "T31212" => Tiling::T31212,
            "T3464" => Tiling::T3464,
            "T488" => Tiling::T488,
            "T33434" => Tiling::T33434,
            "T33336" => Tiling::T33336,
            "T33344" => Tiling::T33344,
            "T3636" => Tiling::T3636,
            "T4612" => Tiling::T4612,
            "T333333_33434" => Tiling::T333333_33434,
            _ => return None,
        })
    }

    /// Corners around the middle of one patch, in the order in which they are first met.
    fn corners(self) -> Vec<[f64; 2]> {
        let u3 = 3f64.sqrt() / 2.0;
        match self {
            Tiling::T4612 | Tiling::T31212 => dodecagon(),
            Tiling::T3464 | Tiling::T333333_33434 => hexagon_and_ring(),
            Tiling::T488 => octagon(),
            Tiling::T33344 => vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Tiling::T3636 => {
                vec![[1.0, 0.0], [0.5, u3], [-0.5, u3], [-1.0, 0.0], [-0.5, -u3], [0.5, -u3]]
            }
            Tiling::T33336 => two_rings(),
            Tiling::T33434 => snub_patch(),
        }
    }

    /// Middle of the patch in this row and column.
    fn centre(self, row: i64, column: i64) -> Point {
        let (r, c) = (row as f64, column as f64);
        let s3 = 3f64.sqrt();
        let slanted = |across: f64, up: f64| Point::flat(across * (c - 0.5 * r), up * r);
        let on_corner = |across: f64, up: f64| Point::flat(across * (c - r), up * (r + c) * 0.5);
        match self {
            Tiling::T4612 => slanted(4.732_050_8, 4.732_050_8 * s3 / 2.0),
            Tiling::T31212 => slanted(3.732_050_8, 3.732_050_8 * s3 / 2.0),
            Tiling::T3636 => slanted(2.0, s3),
            Tiling::T33336 => {
                let (ux, uy) = (0.5, s3 / 2.0);
                Point::flat(c * 5.0 * ux - r * 4.0 * ux, r * 2.0 * uy + c * uy)
            }
            Tiling::T33344 => Point::flat(c + 0.5 * r, r * (1.0 + s3 / 2.0)),
            Tiling::T488 => {
                let width = 1.0 + 2.0 / 2f64.sqrt();
                Point::flat(c * width, r * width)
            }
            Tiling::T33434 => {
                let half = (1.0 + s3) / 2.0;
                Point::flat(half * (c - r), half * (r + c))
            }
            Tiling::T3464 => on_corner((3.0 + s3) / 2.0, 1.0 + s3),
            Tiling::T333333_33434 => on_corner(1.5 + s3, 2.0 + s3),
        }
    }
}

/// A board of patches of the tiling; `b` is the second dimension where there is one.
pub fn tiling(tiling: Tiling, a: i32, b: Option<i32>) -> Result<Graph, BoardError> {
    let d = check_dim(a)?;
    let columns = check_dim(b.unwrap_or(a))?;
    // A patch has at most 72 corners and shares most of them; the exact number is checked on the whole board.
    check_size(18 * d * d.max(columns))?;
    Ok(match tiling {
        Tiling::T488 | Tiling::T33344 => patches(tiling, d, columns, |_, _| true),
        Tiling::T33434 => patches(tiling, d, d, |_, _| true),
        Tiling::T3464 if b.is_some() => patches(tiling, d, columns, |_, _| true),
        Tiling::T3636 if b.is_some() => patches(tiling, 2 * d - 1, 2 * columns - 1, |_, _| true),
        _ => patches(tiling, 2 * d - 1, 2 * d - 1, |r, c| (r - c).abs() < d),
    })
}

/// The patches whose middles are inside a polygon. Tilings that have no such form give a board of
/// their usual size instead.
pub fn tiling_within(kind: Tiling, polygon: &Polygon) -> Result<Graph, BoardError> {
    match kind {
        Tiling::T488 | Tiling::T33344 | Tiling::T3636 | Tiling::T3464 => within(kind, polygon),
        Tiling::T33434 => {
            let mut graph = tiling(kind, 5, None)?;
            crate::operate::keep(&mut graph, polygon);
            Ok(graph)
        }
        Tiling::T333333_33434 => tiling(kind, 2, None),
        Tiling::T31212 | Tiling::T33336 | Tiling::T4612 => tiling(kind, 3, None),
    }
}

/// A board whose sides have these many patches.
pub fn tiling_from_sides(kind: Tiling, sides: &[i32]) -> Result<Graph, BoardError> {
    const STEPS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    match kind {
        Tiling::T488 => within(kind, &Polygon::from_sides(sides, &STEPS)),
        Tiling::T33344 | Tiling::T3636 | Tiling::T3464 => {
            within(kind, &outline_of_six(sides, |r, c| upright_centre(kind, r, c))?)
        }
        Tiling::T333333_33434 => tiling(kind, 2, None),
        _ => tiling(kind, 3, None),
    }
}

/// Middles of patches on boards cut out by a polygon: the big-hexagon tiling lies on its side there.
fn upright_centre(kind: Tiling, row: i64, column: i64) -> Point {
    if kind == Tiling::T3464 {
        let s3 = 3f64.sqrt();
        let (r, c) = (row as f64, column as f64);
        return Point::flat((1.0 + s3) * (c - 0.5 * r), (3.0 + s3) / 2.0 * r);
    }
    kind.centre(row, column)
}

fn within(kind: Tiling, polygon: &Polygon) -> Result<Graph, BoardError> {
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let (rows, columns) = rows_and_columns(&polygon, 2)?;
    let mut corners = kind.corners();
    if kind == Tiling::T3464 {
        corners.iter_mut().for_each(|c| c.reverse());
    }
    let mut points = Points::default();
    for row in rows {
        for column in columns.clone() {
            let centre = upright_centre(kind, row, column);
            if polygon.contains(centre) {
                points.add_around(centre, &corners);
            }
        }
    }
    Ok(points.joined())
}

fn patches(kind: Tiling, rows: i64, columns: i64, keep: impl Fn(i64, i64) -> bool) -> Graph {
    let corners = kind.corners();
    let mut points = Points::default();
    for row in 0..rows {
        for column in 0..columns {
            if keep(row, column) {
                points.add_around(kind.centre(row, column), &corners);
            }
        }
    }
    points.joined()
}

fn dodecagon() -> Vec<[f64; 2]> {
    let radius = 1.0 / (2.0 - 3f64.sqrt()).sqrt();
    (0..12)
        .map(|s| {
            let theta = PI / 12.0 + f64::from(s) / 12.0 * 2.0 * PI;
            [radius * theta.cos(), radius * theta.sin()]
        })
        .collect()
}

fn octagon() -> Vec<[f64; 2]> {
    let (u, v) = (0.5, (1.0 + 2.0 / 2f64.sqrt()) / 2.0);
    vec![[u, v], [v, u], [v, -u], [u, -v], [-u, -v], [-v, -u], [-v, u], [-u, v]]
}

/// A hexagon with its ring of squares and triangles.
fn hexagon_and_ring() -> Vec<[f64; 2]> {
    let uy = 3f64.sqrt() / 2.0;
    let mut corners = vec![[-0.5, uy], [0.5, uy], [1.0, 0.0], [0.5, -uy], [-0.5, -uy], [-1.0, 0.0]];
    let radius = (1.0 + uy) / 15f64.to_radians().cos();
    corners.extend((0..12).map(|n| {
        let theta = f64::from(15 + n * 30).to_radians();
        [radius * theta.cos(), radius * theta.sin()]
    }));
    corners
}

/// A hexagon with its ring of triangles.
fn two_rings() -> Vec<[f64; 2]> {
    const PLACES: [(i32, i32); 18] = [
        (-1, 1),
        (1, 1),
        (2, 0),
        (1, -1),
        (-1, -1),
        (-2, 0),
        (-2, 2),
        (0, 2),
        (2, 2),
        (3, 1),
        (4, 0),
        (3, -1),
        (2, -2),
        (0, -2),
        (-2, -2),
        (-3, -1),
        (-4, 0),
        (-3, 1),
    ];
    let uy = 3f64.sqrt() / 2.0;
    PLACES.iter().map(|&(x, y)| [f64::from(x) * 0.5, f64::from(y) * uy]).collect()
}

/// Four squares in a ring with triangles between them.
fn snub_patch() -> Vec<[f64; 2]> {
    let (u2, u3) = (0.5, 3f64.sqrt() / 2.0);
    vec![
        [-u2, -u2 - u3],
        [u2, -u2 - u3],
        [-u2 - u3, -u3],
        [u2 + u3, -u3],
        [0.0, -u2],
        [-2.0 * u2 - u3, 0.0],
        [-u3, 0.0],
        [u3, 0.0],
        [2.0 * u2 + u3, 0.0],
        [0.0, u2],
        [-u2 - u3, u3],
        [u2 + u3, u3],
        [-u2, u2 + u3],
        [u2, u2 + u3],
    ]
}
