//! Steps from each element to those around it, and the directions they go.

use crate::direction::{Direction, DirectionSet};
use crate::geometry::{Point, distance_to_line, side_of};
use crate::graph::{Graph, Pivot, SiteType, in_order};

/// A step to a neighbouring element.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub kind: SiteType,
    pub to: usize,
    pub at: Point,
    /// All that can be said about where it goes.
    pub directions: DirectionSet,
    /// The directions in which it is listed (a step found twice is listed as it was found first).
    pub listed: DirectionSet,
}

const SIDE: DirectionSet =
    DirectionSet::of(&[Direction::Orthogonal, Direction::Adjacent, Direction::All]);
const CORNER: DirectionSet =
    DirectionSet::of(&[Direction::Diagonal, Direction::Adjacent, Direction::All]);
const OFF_CORNER: DirectionSet =
    DirectionSet::of(&[Direction::OffDiagonal, Direction::Adjacent, Direction::All]);
const ACROSS: DirectionSet = DirectionSet::of(&[Direction::Diagonal, Direction::All]);

/// The steps from every element of one kind, clockwise from north.
pub(super) fn steps_of_kind(graph: &Graph, kind: SiteType) -> Vec<Vec<Step>> {
    let unit = graph.average_edge_length();
    let pivots = pivot_numbers(graph);
    (0..graph.count(kind))
        .map(|n| {
            let mut steps = Steps { graph, list: Vec::new() };
            match kind {
                SiteType::Vertex => steps.leave_vertex(n),
                SiteType::Edge => steps.leave_edge(n),
                SiteType::Cell => steps.leave_cell(n),
            }
            let mut list = steps.list;
            let from = graph.at(kind, n);
            name_compass(&mut list, from, unit);
            name_rotation(graph, kind, n, &mut list, &pivots);
            for step in &mut list {
                step.directions = step.directions.union(step.listed);
            }
            list.sort_by(|a, b| in_order(clockwise(from, a.at), clockwise(from, b.at)));
            list
        })
        .collect()
}

/// Angle clockwise from north, for sorting: a shade before north still counts as north.
pub(super) fn clockwise(from: Point, to: Point) -> f64 {
    use std::f64::consts::PI;
    let mut angle = PI / 2.0 - from.angle_to(to) + 0.0001;
    while angle < 0.0 {
        angle += 2.0 * PI;
    }
    angle
}

struct Steps<'a> {
    graph: &'a Graph,
    list: Vec<Step>,
}

impl Steps<'_> {
    fn add(&mut self, kind: SiteType, to: usize, directions: DirectionSet) {
        let known = self.list.iter_mut().find(|s| s.kind == kind && s.to == to);
        match known {
            Some(step) => step.directions = step.directions.union(directions),
            None => self.list.push(Step {
                kind,
                to,
                at: self.graph.at(kind, to),
                directions,
                listed: directions,
            }),
        }
    }

    fn add_all(&mut self, kind: SiteType, to: &[usize]) {
        to.iter().for_each(|&n| self.add(kind, n, SIDE));
    }

    fn leave_vertex(&mut self, v: usize) {
        let graph = self.graph;
        let vertex = &graph.vertices[v];
        for &e in &vertex.edges {
            self.add(SiteType::Vertex, graph.edges[e].other_end(v), SIDE);
        }
        for &f in &vertex.faces {
            if let Some(to) = opposite_corner(graph, v, f) {
                self.add(SiteType::Vertex, to, ACROSS);
            }
        }
        self.add_all(SiteType::Edge, &vertex.edges);
        self.add_all(SiteType::Cell, &vertex.faces);
    }

    fn leave_edge(&mut self, e: usize) {
        let graph = self.graph;
        let edge = &graph.edges[e];
        for v in [edge.a, edge.b] {
            for &other in graph.vertices[v].edges.iter().filter(|&&o| o != e) {
                self.add(SiteType::Edge, other, SIDE);
            }
        }
        self.add_all(SiteType::Vertex, &[edge.a, edge.b]);
        for face in [edge.left, edge.right].into_iter().flatten() {
            self.add(SiteType::Cell, face, SIDE);
        }
        for v in [edge.a, edge.b] {
            self.add_all(SiteType::Cell, &graph.vertices[v].faces);
        }
    }

    fn leave_cell(&mut self, f: usize) {
        let graph = self.graph;
        let face = &graph.faces[f];
        let mut used = vec![f];
        for &e in &face.edges {
            if let Some(other) = graph.edges[e].other_face(f) {
                used.push(other);
                self.add(SiteType::Cell, other, SIDE);
            }
        }
        for &v in &face.vertices {
            let straight = straightest(graph, f, v, &used);
            if let Some(other) = straight {
                used.push(other);
                self.add(SiteType::Cell, other, CORNER);
            }
        }
        for &v in &face.vertices {
            for &other in &graph.vertices[v].faces {
                if !used.contains(&other) {
                    used.push(other);
                    self.add(SiteType::Cell, other, OFF_CORNER);
                }
            }
        }
        for &v in &face.vertices {
            self.across_gap(f, v, &mut used);
        }
        self.add_all(SiteType::Vertex, &face.vertices);
        self.add_all(SiteType::Edge, &face.edges);
    }

    /// Cells straight behind the edge that leads away from a corner where three edges meet.
    fn across_gap(&mut self, f: usize, v: usize, used: &mut Vec<usize>) {
        let graph = self.graph;
        let face = &graph.faces[f];
        if graph.vertices[v].edges.len() != 3 {
            return;
        }
        let away = graph.vertices[v].edges.iter().find(|e| !face.edges.contains(e));
        let Some(&away) = away else {
            return;
        };
        let end = graph.edges[away].other_end(v);
        for &other in &graph.vertices[end].faces {
            if used.contains(&other) {
                continue;
            }
            let (from, to) = (face.at, graph.faces[other].at);
            let near = distance_to_line(graph.vertices[v].at, from, to);
            let far = distance_to_line(graph.vertices[end].at, from, to);
            if (near + far) / from.distance(to) <= 0.1 {
                used.push(other);
                self.add(SiteType::Cell, other, ACROSS);
            }
        }
    }
}

/// The corner of a cell that is most exactly opposite, seen through its middle.
fn opposite_corner(graph: &Graph, v: usize, f: usize) -> Option<usize> {
    let face = &graph.faces[f];
    if face.vertices.len() < 4 {
        return None;
    }
    let mut best = (None, 1_000_000.0);
    for &to in face.vertices.iter().filter(|&&to| to != v) {
        let off = distance_to_line(face.at, graph.vertices[v].at, graph.vertices[to].at);
        if off < best.1 {
            best = (Some(to), off);
        }
    }
    best.0
}

/// The unused cell at a corner whose middle is most nearly straight behind it.
fn straightest(graph: &Graph, f: usize, v: usize, used: &[usize]) -> Option<usize> {
    let mut best = (None, 1_000_000.0);
    for &other in &graph.vertices[v].faces {
        if used.contains(&other) {
            continue;
        }
        let off = distance_to_line(graph.vertices[v].at, graph.faces[f].at, graph.faces[other].at);
        if off < best.1 {
            best = (Some(other), off);
        }
    }
    best.0
}

fn height_change(from: Point, to: Point, unit: f64) -> i32 {
    let rise = to.z - from.z;
    if rise < -0.1 * unit { -1 } else { i32::from(rise > 0.1 * unit) }
}

fn compass_direction(from: Point, to: Point, unit: f64, fine: bool) -> Direction {
    let height = height_change(from, to, unit);
    if height != 0 && from.distance(to) < 0.1 * unit {
        return if height < 0 { Direction::D } else { Direction::U };
    }
    Direction::of_angle(from.angle_to(to), height, fine)
}

/// Gives each step its point of the compass: one of eight, or one of sixteen where eight would
/// give two steps the same.
fn name_compass(steps: &mut [Step], from: Point, unit: f64) {
    let mut used = DirectionSet::EMPTY;
    let mut fine = false;
    for step in steps.iter() {
        let direction = compass_direction(from, step.at, unit, false);
        if used.contains(direction) {
            fine = true;
            break;
        }
        used.insert(direction);
    }
    for step in steps {
        let direction = compass_direction(from, step.at, unit, fine);
        step.listed.insert(direction);
        let group = match direction.index() {
            Some(_) if Direction::COMPASS.contains(&direction) => Direction::SameLayer,
            Some(n) if n >= 9 => Direction::Upward,
            _ => Direction::Downward,
        };
        step.listed.insert(group);
    }
}

fn pivot_numbers(graph: &Graph) -> Vec<usize> {
    let mut pivots: Vec<usize> =
        (0..graph.vertices.len()).filter_map(|v| graph.pivot_point(v).map(|(p, _)| p)).collect();
    pivots.sort_unstable();
    pivots.dedup();
    pivots
}

/// What an element turns around: the pivot of its first vertex that has one.
fn pivot_of(graph: &Graph, kind: SiteType, n: usize) -> Option<Point> {
    let of_vertex = |v: usize| match graph.vertices[v].pivot? {
        Pivot::At(p) => Some(graph.vertices[p].at),
        Pivot::Gone(_, at) => Some(at),
    };
    match kind {
        SiteType::Vertex => of_vertex(n),
        SiteType::Edge => of_vertex(graph.edges[n].a).or_else(|| of_vertex(graph.edges[n].b)),
        SiteType::Cell => graph.faces[n].vertices.iter().find_map(|&v| of_vertex(v)),
    }
}

fn name_rotation(graph: &Graph, kind: SiteType, n: usize, steps: &mut [Step], pivots: &[usize]) {
    if kind == SiteType::Vertex && pivots.binary_search(&n).is_ok() {
        for step in steps {
            step.listed.insert(Direction::Out);
            step.listed.insert(Direction::Rotational);
        }
        return;
    }
    let Some(pivot) = pivot_of(graph, kind, n) else {
        return;
    };
    let from = graph.at(kind, n);
    let inwards = from.vector_to(pivot).unit();
    for step in steps {
        if step.directions.contains(Direction::Diagonal) {
            continue;
        }
        let along = from.vector_to(step.at).unit().dot(inwards);
        let sense = if along > 0.9 {
            Direction::In
        } else if along < -0.9 {
            Direction::Out
        } else if !joined_by_curve(graph, n, step.to) {
            continue;
        } else if side_of(from, pivot, step.at) > 0 {
            Direction::CW
        } else {
            Direction::CCW
        };
        step.listed.insert(sense);
        step.listed.insert(Direction::Rotational);
    }
}

/// Whether the vertices of these numbers are joined by a curved edge. Cells and edges ask with
/// their own numbers: on circular boards those go around together with the vertices.
fn joined_by_curve(graph: &Graph, a: usize, b: usize) -> bool {
    let Some(vertex) = graph.vertices.get(a) else {
        return false;
    };
    vertex.edges.iter().any(|&e| graph.edges[e].joins(a, b) && graph.edges[e].curve.is_some())
}
