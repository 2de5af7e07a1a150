//! Single shapes: polygons, stars, wedges, spirals and repeated outlines.

use super::{check_dim, check_size};
use crate::BoardError;
use crate::geometry::{Point, Polygon};
use crate::graph::{Graph, Pivot, SiteType};
use std::f64::consts::PI;

/// A regular polygon, or the star that joins its corners almost across.
pub fn regular(sides: i32, star: bool, kind: SiteType) -> Result<Graph, BoardError> {
    let n = check_dim(sides)?;
    check_size(n)?;
    let n = n as usize;
    if n < 3 {
        return Err(BoardError::TooFewSides(n));
    }
    let mut graph = Graph::new();
    circle(&mut graph, n);
    let step = if star { (n - 1) / 2 } else { 1 };
    for v in 0..n {
        graph.add_edge(v, (v + step) % n);
    }
    if kind == SiteType::Cell {
        graph.make_faces(true);
    }
    graph.reorder();
    Ok(graph)
}

/// `n` vertices on a circle of circumference `n`, counter-clockwise from the top (four of them as
/// an upright square).
pub(super) fn circle(graph: &mut Graph, n: usize) {
    let radius = n as f64 / (2.0 * PI);
    let offset = if n == 4 { PI / 4.0 } else { PI / 2.0 };
    for v in 0..n {
        let theta = offset + v as f64 / n as f64 * 2.0 * PI;
        graph.add_vertex(Point::flat(radius * theta.cos(), radius * theta.sin()));
    }
}

/// A triangle with its point up, cut into `rows` lines of `columns` vertices.
pub fn wedge(rows: i32, columns: i32) -> Result<Graph, BoardError> {
    let (rows, columns) = (check_dim(rows)?, check_dim(columns)?);
    check_size(rows * columns)?;
    let mut graph = Graph::new();
    let top = (rows - 1) as f64;
    graph.add_vertex(Point::flat(top, top));
    for r in 1..rows {
        let (left, right) = (top - r as f64, top + r as f64);
        for c in 0..columns {
            let t = c as f64 / (columns - 1).max(1) as f64;
            graph.add_vertex(Point::flat(left + t * (right - left), top - r as f64));
        }
    }
    let (rows, columns) = (rows as usize, columns as usize);
    if rows == 1 {
        return Ok(graph);
    }
    for c in 0..columns {
        graph.add_edge(0, c + 1);
    }
    for r in 1..rows {
        let from = (r - 1) * columns + 1;
        for c in 0..columns - 1 {
            graph.add_edge(from + c, from + c + 1);
        }
        if r < rows - 1 {
            for c in 0..columns {
                graph.add_edge(from + c, from + columns + c);
            }
        }
    }
    Ok(graph)
}

/// Outlines repeated in rows and columns, `across` and `up` apart.
pub fn repeat(
    rows: i32,
    columns: i32,
    across: Point,
    up: Point,
    outlines: &[Polygon],
) -> Result<Graph, BoardError> {
    let (rows, columns) = (check_dim(rows)?, check_dim(columns)?);
    let corners: usize = outlines.iter().map(|o| o.points.len()).sum();
    check_size(rows * columns * corners as i64)?;
    let mut graph = Graph::new();
    for row in 0..rows {
        for column in 0..columns {
            let (r, c) = (row as f64, column as f64);
            let (x, y) = (c * across.x + r * up.x, c * across.y + r * up.y);
            for points in outlines.iter().map(|o| &o.points) {
                for (n, a) in points.iter().enumerate() {
                    let b = points[(n + 1) % points.len()];
                    let va = graph.find_or_add_vertex(Point::flat(x + a.x, y + a.y));
                    let vb = graph.find_or_add_vertex(Point::flat(x + b.x, y + b.y));
                    if va != vb {
                        graph.find_or_add_edge(va, vb);
                    }
                }
            }
        }
    }
    graph.make_faces(false);
    graph.reorder();
    Ok(graph)
}

/// A spiral of `sites` vertices winding `turns` times around its first one.
pub fn spiral(turns: i32, sites: i32, clockwise: bool) -> Result<Graph, BoardError> {
    let sites = check_dim(sites)? as usize;
    let turns = check_dim(turns)? as usize;
    if sites > 1000 || turns > sites {
        return Err(BoardError::TooLarge(sites.max(turns)));
    }
    let thetas = spiral_angles(turns, sites);
    let mut graph = Graph::new();
    graph.add_vertex(Point::default());
    for &theta in &thetas[1..sites] {
        let x = if clockwise { -theta } else { theta } * theta.cos();
        graph.add_vertex(Point::flat(x, theta * theta.sin()));
    }
    for v in 0..sites - 1 {
        let at = |n: usize| graph.vertices[n].at;
        let along = at(v.saturating_sub(1)).vector_to(at(v + 1)).unit();
        let next = at(v).vector_to(at(v + 1)).unit();
        graph.add_curved_edge(v, v + 1, Some([along, next]));
    }
    for vertex in &mut graph.vertices {
        vertex.pivot = Some(Pivot::At(0));
    }
    Ok(graph)
}

/// Angle of every site: rings of growing size, smoothed twice.
fn spiral_angles(turns: usize, sites: usize) -> Vec<f64> {
    let mut thetas = vec![0.0];
    let mut steps = spiral_base(turns, sites);
    for ring in 1..=turns + 1 {
        let step = 2.0 * PI / steps as f64;
        let mut theta = 2.0 * PI * ring as f64;
        if ring <= 2 || ring % 2 == 1 {
            theta -= step / 2.0;
        }
        for _ in 0..steps {
            thetas.push(theta);
            theta += step;
        }
        if ring <= 2 {
            steps *= 2;
        }
        if thetas.len() > 4 * sites {
            break;
        }
    }
    thetas.resize(thetas.len().max(sites + 2), 0.0);
    for _ in 0..2 {
        for v in 2..sites {
            thetas[v] = (thetas[v - 1] + thetas[v + 1]) / 2.0;
        }
    }
    thetas[1] -= 0.5 * (thetas[2] - thetas[1]);
    thetas
}

/// How many sites the innermost ring has so that all fit into the turns.
fn spiral_base(turns: usize, sites: usize) -> usize {
    for base in 1..sites {
        let (mut steps, mut total) = (base, 1);
        for ring in 1..turns {
            total += steps;
            if total > sites {
                return base - 1;
            }
            if ring <= 2 {
                steps *= 2;
            }
        }
    }
    0
}
