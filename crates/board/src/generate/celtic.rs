//! Boards of interlaced squares with rounded borders, like a Celtic knot.

use super::{check_dim, check_size, rows_and_columns};
use crate::BoardError;
use crate::geometry::{Point, Polygon, signed_bend};
use crate::graph::{Graph, middle};
use crate::topology::perimeters;
use std::f64::consts::PI;

/// A knot of rows and columns.
pub fn celtic(rows: i32, columns: i32) -> Result<Graph, BoardError> {
    let (rows, columns) = (check_dim(rows)?, check_dim(columns)?);
    check_size(8 * rows * columns)?;
    Ok(knot(0..=rows - 1, 0..=columns - 1, None))
}

/// A knot of the squares whose middles are inside a polygon.
pub fn celtic_within(polygon: &Polygon) -> Result<Graph, BoardError> {
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let (rows, columns) = rows_and_columns(&polygon, 1)?;
    Ok(knot(rows, columns, Some(&polygon)))
}

type Range = std::ops::RangeInclusive<i64>;

fn knot(rows: Range, columns: Range, within: Option<&Polygon>) -> Graph {
    let half = 1.0 / 2f64.sqrt();
    let step = 2.0 * half;
    let mut graph = Graph::new();
    for row in rows {
        for column in columns.clone() {
            let centre = Point::flat(column as f64 * step, row as f64 * step);
            if within.is_some_and(|polygon| !polygon.contains(centre)) {
                continue;
            }
            for (dx, dy) in [(half, 0.0), (0.0, half), (-half, 0.0), (0.0, -half)] {
                graph.find_or_add_vertex(Point::flat(centre.x + dx, centre.y + dy));
            }
        }
    }
    graph.join_neighbours();
    graph.make_faces(true);
    if let Some(border) = perimeters(&graph).into_iter().next() {
        round_border(&mut graph, &border);
    }
    graph.reorder();
    graph
}

/// Adds a rounded cell at every second stretch of the border.
fn round_border(graph: &mut Graph, border: &[usize]) {
    let len = border.len();
    let vertex = |n: usize| border[n % len];
    let bends: Vec<f64> = (0..len)
        .map(|n| {
            let at = |n: usize| graph.vertices[vertex(n)].at;
            signed_bend(at(n + len - 1), at(n), at(n + 1))
        })
        .collect();
    for n in key_points(&bends) {
        let (b, c, d, e) = (vertex(n + len - 1), vertex(n), vertex(n + 1), vertex(n + 2));
        if bends[(n + 1) % len] < -0.25 * PI {
            bridge(graph, c, d, e);
        } else {
            bulge(graph, b, c, d, bends[n]);
        }
    }
}

/// Sharp left turns, and every second vertex of a straight run after one.
fn key_points(bends: &[f64]) -> Vec<usize> {
    let mut run = 0;
    let mut keys = Vec::new();
    for (n, &bend) in bends.iter().enumerate() {
        if bend > 0.25 * PI {
            keys.push(n);
            run = 0;
        } else if bend.abs() < 0.1 * PI {
            run += 1;
            if run % 2 == 0 {
                keys.push(n);
            }
        }
    }
    keys
}

/// Spans an inner corner with a curve.
fn bridge(graph: &mut Graph, c: usize, d: usize, e: usize) {
    let at = |v: usize| graph.vertices[v].at;
    let long = |v: Point| Point::flat(v.x * 1.25, v.y * 1.25);
    let curve = [long(at(d).vector_to(at(e)).unit()), long(at(d).vector_to(at(c)).unit())];
    graph.add_curved_edge(c, e, Some(curve));
    graph.find_or_add_face(&[d, c, e]);
}

/// Adds a new outer vertex and the two curves that lead to it.
fn bulge(graph: &mut Graph, b: usize, c: usize, d: usize, bend: f64) {
    let at = |v: usize| graph.vertices[v].at;
    let (pb, pc, pd) = (at(b), at(c), at(d));
    let outwards = if bend.abs() < 0.1 * PI {
        let along = pc.vector_to(pd);
        Point::flat(along.y, -along.x)
    } else {
        pb.vector_to(pc)
    };
    let mid = middle(pc, pd);
    let beyond = |by: f64| Point::flat(mid.x + by * outwards.x, mid.y + by * outwards.y);
    let (corner, tip) = (beyond(0.5), beyond(0.9));
    let x = graph.add_vertex(tip);
    let unit = outwards.unit();
    let start = Point::flat(unit.x * 1.333, unit.y * 1.333);
    graph.add_curved_edge(c, x, Some([start, corner.vector_to(pc).unit()]));
    graph.add_curved_edge(x, d, Some([corner.vector_to(pd).unit(), start]));
    graph.find_or_add_face(&[c, x, d]);
}
