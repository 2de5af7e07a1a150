//! Rings around a middle.

use super::shapes::circle;
use super::{check_dim, check_size};
use crate::BoardError;
use crate::geometry::{Point, SAME_POINT};
use crate::graph::{Graph, Pivot, SiteType, in_order};
use std::f64::consts::PI;

/// How concentric polygons are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joins {
    /// Vertices also in the middle of each side.
    pub midpoints: bool,
    /// Lines between the middles of sides.
    pub join_midpoints: bool,
    /// Lines between corners.
    pub join_corners: bool,
}

impl Default for Joins {
    fn default() -> Self {
        Joins { midpoints: true, join_midpoints: true, join_corners: false }
    }
}

/// Polygons inside each other, as Nine Men's Morris is played on.
pub fn concentric_polygons(
    sides: i32,
    rings: i32,
    joins: Joins,
    kind: SiteType,
) -> Result<Graph, BoardError> {
    let (sides, rings) = (check_dim(sides)? as usize, check_dim(rings)? as usize);
    check_size((2 * sides * rings) as i64)?;
    if sides < 3 {
        return Err(BoardError::TooFewSides(sides));
    }
    let mut graph = Graph::new();
    for ring in 0..rings {
        polygon_ring(&mut graph, sides, ring, joins.midpoints);
    }
    let per_side = if joins.midpoints { 2 } else { 1 };
    let per_ring = sides * per_side;
    if joins.midpoints && joins.join_midpoints || joins.join_corners {
        for ring in 0..rings - 1 {
            for side in 0..sides {
                let corner = ring * per_ring + side * per_side;
                if joins.join_corners {
                    graph.add_edge(corner, corner + per_ring);
                }
                let next = corner + 1 + per_ring;
                if joins.join_midpoints && next < graph.vertices.len() {
                    graph.add_edge(corner + 1, next);
                }
            }
        }
    }
    graph.reorder();
    if kind == SiteType::Cell {
        graph.make_faces(true);
    }
    Ok(graph)
}

fn polygon_ring(graph: &mut Graph, sides: usize, ring: usize, midpoints: bool) {
    let arc = 2.0 * PI / sides as f64;
    let first = PI / 2.0 + if sides.is_multiple_of(2) { arc / 2.0 } else { 0.0 };
    let radius = 1.0 + ring as f64 * if sides == 3 { 2.0 } else { 1.0 };
    let corner = |side: usize| {
        let theta = first + arc * side as f64;
        Point::flat(radius * theta.cos(), radius * theta.sin())
    };
    let start = graph.vertices.len();
    for side in 0..sides {
        let (a, c) = (corner(side), corner(side + 1));
        graph.find_or_add_vertex(a);
        if midpoints {
            graph.find_or_add_vertex(Point::flat((a.x + c.x) / 2.0, (a.y + c.y) / 2.0));
        }
    }
    let end = graph.vertices.len();
    for v in start..end {
        graph.add_edge(v, if v + 1 < end { v + 1 } else { start });
    }
}

/// A target: each ring is one cell.
pub fn concentric_target(rings: i32, kind: SiteType) -> Result<Graph, BoardError> {
    const STEPS: usize = 8;
    let rings = check_dim(rings)?;
    check_size(rings * STEPS as i64)?;
    if kind != SiteType::Cell {
        return Err(BoardError::CellsOnly);
    }
    let mut graph = Graph::new();
    for ring in 0..rings as usize {
        let radius = (ring + 1) as f64;
        for step in 0..STEPS {
            let theta = PI / 2.0 + 2.0 * PI / STEPS as f64 * step as f64;
            graph.find_or_add_vertex(Point::flat(radius * theta.cos(), radius * theta.sin()));
        }
        for v in 0..STEPS {
            let (a, b) = (ring * STEPS + v, ring * STEPS + (v + 1) % STEPS);
            let tangent = |v: usize| {
                let unit = graph.vertices[v].at.unit();
                Point::flat(-unit.y, unit.x)
            };
            let (ta, tb) = (tangent(a), tangent(b));
            graph.add_curved_edge(a, b, Some([ta, Point::flat(-tb.x, -tb.y)]));
        }
    }
    graph.make_faces(true);
    for (f, face) in graph.faces.iter_mut().enumerate() {
        let y = if f == 0 { 0.0 } else { -(f as f64) - 0.5 };
        face.at = Point::flat(0.0, y);
    }
    Ok(graph)
}

/// Circles of `per_ring` sites; with `stagger` every second ring is turned by half a site.
pub fn concentric_circles(
    per_ring: &[i32],
    stagger: bool,
    kind: SiteType,
) -> Result<Graph, BoardError> {
    let total: i64 = per_ring.iter().map(|n| i64::from(n.unsigned_abs())).sum();
    check_size(2 * total + 1)?;
    check_size(per_ring.len() as i64)?;
    if kind == SiteType::Cell {
        return Ok(rings_of_cells(per_ring, stagger));
    }
    if let &[sides] = per_ring {
        return ring_of_vertices(sides);
    }
    rings_of_vertices(per_ring, stagger)
}

fn ring_of_vertices(sides: i32) -> Result<Graph, BoardError> {
    let n = check_dim(sides)? as usize;
    if n < 3 {
        return Err(BoardError::TooFewSides(n));
    }
    let mut graph = Graph::new();
    circle(&mut graph, n);
    for v in 0..n {
        graph.add_edge(v, (v + 1) % n);
    }
    graph.reorder();
    Ok(graph)
}

/// A point of a ring and its angle.
#[derive(Clone, Copy)]
struct Sample {
    at: Point,
    theta: f64,
}

/// Angles of the sites of one ring, clockwise from the top.
fn ring_angles(ring: usize, count: i32, stagger: bool) -> Vec<f64> {
    let n = f64::from(count.abs());
    let offset = if stagger && ring % 2 == 1 { 2.0 * PI / n / 2.0 } else { 0.0 };
    (0..count.abs()).map(|step| PI / 2.0 + offset - 2.0 * PI * f64::from(step) / n).collect()
}

fn on_circle(radius: f64, theta: f64) -> Sample {
    Sample { at: Point::flat(radius * theta.cos(), radius * theta.sin()), theta }
}

/// Sorts a ring by angle and drops samples closer to their predecessor than `gap`.
fn tidy(ring: &mut Vec<Sample>, gap: f64) {
    ring.sort_by(|a, b| in_order(a.theta, b.theta));
    for n in (1..ring.len()).rev() {
        if ring[n].at.distance(ring[n - 1].at) < gap {
            ring.remove(n);
        }
    }
}

/// Curved edges around one ring.
fn join_ring(graph: &mut Graph, ring: &[Sample]) {
    let n = ring.len();
    if n < 2 {
        return;
    }
    for i in 0..n {
        let at = |k: usize| ring[(i + k) % n].at;
        let a = graph.find_or_add_vertex(at(0));
        let b = graph.find_or_add_vertex(at(1));
        if a == b || graph.find_edge(a, b).is_some() {
            continue;
        }
        let curve = [at(n - 1).vector_to(at(1)).unit(), at(2).vector_to(at(0)).unit()];
        graph.add_curved_edge(a, b, Some(curve));
    }
}

fn rings_of_cells(per_ring: &[i32], stagger: bool) -> Graph {
    let mut graph = Graph::new();
    graph.add_vertex(Point::default());
    let radii = |ring: usize| ((ring as f64 - 0.5).max(0.0), ring as f64 + 0.5);
    let spokes = |ring: usize| {
        let angles = ring_angles(ring, per_ring[ring], stagger);
        if angles.len() < 2 { Vec::new() } else { angles }
    };
    let mut lines: Vec<Vec<Sample>> = vec![Vec::new(); per_ring.len() + 1];
    for ring in 0..per_ring.len() {
        let (inner, outer) = radii(ring);
        for theta in spokes(ring) {
            let theta = principal(theta);
            lines[ring].push(on_circle(inner, theta));
            lines[ring + 1].push(on_circle(outer, theta));
        }
    }
    for line in &mut lines {
        tidy(line, SAME_POINT);
    }
    for sample in lines.iter().flatten() {
        graph.find_or_add_vertex(sample.at);
    }
    for line in &lines {
        join_ring(&mut graph, line);
    }
    for ring in 0..per_ring.len() {
        let (inner, outer) = radii(ring);
        for theta in spokes(ring) {
            let a = graph.find_or_add_vertex(on_circle(inner, theta).at);
            let b = graph.find_or_add_vertex(on_circle(outer, theta).at);
            if a != b {
                graph.find_or_add_edge(a, b);
            }
        }
    }
    for vertex in &mut graph.vertices {
        vertex.pivot = Some(Pivot::At(0));
    }
    graph.make_faces(true);
    graph
}

fn principal(mut theta: f64) -> f64 {
    while theta < -PI {
        theta += 2.0 * PI;
    }
    while theta > PI {
        theta -= 2.0 * PI;
    }
    theta
}

fn rings_of_vertices(per_ring: &[i32], stagger: bool) -> Result<Graph, BoardError> {
    // A first ring of more than one vertex leaves the middle empty.
    let mut counts = per_ring.to_vec();
    if counts[0].abs() > 1 {
        counts.insert(0, 0);
    }
    let mut rings: Vec<Vec<Sample>> = counts
        .iter()
        .enumerate()
        .map(|(ring, &count)| {
            ring_angles(ring, count, stagger)
                .into_iter()
                .map(|theta| on_circle(ring as f64, theta))
                .collect()
        })
        .collect();
    for ring in rings.iter_mut().skip(1) {
        tidy(ring, 0.1);
    }
    let mut graph = Graph::new();
    for sample in rings.iter().flatten() {
        graph.find_or_add_vertex(sample.at);
    }
    for (ring, count) in rings.iter().zip(&counts).skip(1) {
        if *count >= 2 {
            join_ring(&mut graph, ring);
        }
    }
    join_spokes(&mut graph, &rings, counts[0] == 0);
    if counts[0] != 0 {
        let middle = graph.find_vertex(Point::default()).ok_or(BoardError::NoSites)?;
        for vertex in &mut graph.vertices {
            vertex.pivot = Some(Pivot::At(middle));
        }
    }
    Ok(graph)
}

/// Joins each vertex to the one straight behind it on the next ring.
fn join_spokes(graph: &mut Graph, rings: &[Vec<Sample>], hollow: bool) {
    for ring in 0..rings.len() - 1 {
        for sample in &rings[ring] {
            let Some(a) = graph.find_vertex(sample.at) else {
                continue;
            };
            if ring == 0 {
                for next in &rings[1] {
                    if let Some(b) = graph.find_vertex(next.at) {
                        graph.find_or_add_edge(a, b);
                    }
                }
                continue;
            }
            let ratio = (ring + 1) as f64 / ring as f64;
            let behind = Point::flat(sample.at.x * ratio, sample.at.y * ratio);
            if let Some(b) = graph.find_vertex(behind) {
                graph.find_or_add_edge(a, b);
                if hollow {
                    graph.vertices[b].pivot = Some(Pivot::At(a));
                }
            }
        }
    }
}
