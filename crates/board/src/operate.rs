//! Operations that make a graph out of others.

use super::BoardError;
use super::geometry::{Point, Polygon, crossing, distance_to_segment};
use super::graph::{Graph, Pivot, SiteType};

/// Vertices of merged graphs closer than this become one.
const SAME_WHEN_MERGED: f64 = 0.01;

/// Most edges a complete graph may have.
const MAX_COMPLETE: usize = 1_500;

/// Most pairs looked at when splitting edges; a board that needs more is a tangle.
const MAX_SPLITTING: usize = 20_000_000;

/// The graphs side by side, numbered one after the other. With `connect`, close vertices are
/// joined and the faces found anew.
pub fn union(graphs: Vec<Graph>, connect: bool) -> Graph {
    let mut graphs = graphs.into_iter();
    let mut all = graphs.next().unwrap_or_default();
    for other in graphs {
        append(&mut all, other);
    }
    if connect {
        connect_all(&mut all);
    }
    all
}

fn connect_all(graph: &mut Graph) {
    let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
    graph.join_close(&vertices);
    graph.make_faces(true);
}

fn append(all: &mut Graph, mut other: Graph) {
    let (v0, e0, f0) = (all.vertices.len(), all.edges.len(), all.faces.len());
    for vertex in &mut other.vertices {
        vertex.edges.iter_mut().for_each(|e| *e += e0);
        vertex.faces.iter_mut().for_each(|f| *f += f0);
        if let Some(Pivot::At(p)) = vertex.pivot {
            vertex.pivot = Some(Pivot::At(p + v0));
        }
    }
    for edge in &mut other.edges {
        edge.a += v0;
        edge.b += v0;
        edge.left = edge.left.map(|f| f + f0);
        edge.right = edge.right.map(|f| f + f0);
    }
    for face in &mut other.faces {
        face.vertices.iter_mut().for_each(|v| *v += v0);
        face.edges.iter_mut().for_each(|e| *e += e0);
    }
    all.vertices.append(&mut other.vertices);
    all.edges.append(&mut other.edges);
    all.faces.append(&mut other.faces);
}

/// A vertex or edge on its way into a new graph.
struct Parts {
    points: Vec<Point>,
    /// Number the pivot had in its own graph, and where it stood.
    pivots: Vec<Option<(usize, Point)>>,
    edges: Vec<(usize, usize, Option<[Point; 2]>)>,
}

impl Parts {
    fn assembled(self) -> Graph {
        let mut graph = Graph::new();
        for &point in &self.points {
            graph.add_vertex(point);
        }
        for (v, pivot) in self.pivots.iter().enumerate() {
            let place = pivot.map(|(_, at)| Point::flat(at.x, at.y));
            let found = place.and_then(|at| graph.find_vertex(at));
            graph.vertices[v].pivot = found.map(Pivot::At);
        }
        for (a, b, curve) in self.edges {
            let edge = graph.find_or_add_edge(a, b);
            if curve.is_some() {
                graph.edges[edge].curve = curve;
            }
        }
        graph.assemble();
        graph
    }
}

/// The graphs laid over each other: vertices at the same place become one, with the number of the
/// first; faces are found anew.
pub fn merge(graphs: Vec<Graph>, connect: bool) -> Graph {
    let mut parts = Parts { points: Vec::new(), pivots: Vec::new(), edges: Vec::new() };
    for graph in &graphs {
        let offset = parts.points.len();
        for v in 0..graph.vertices.len() {
            parts.points.push(graph.vertices[v].at);
            parts.pivots.push(graph.pivot_point(v));
        }
        let shifted = graph.edges.iter().map(|e| (e.a + offset, e.b + offset, e.curve));
        parts.edges.extend(shifted);
    }
    merge_coincident(&mut parts);
    let mut graph = parts.assembled();
    if connect {
        connect_all(&mut graph);
    }
    graph
}

fn merge_coincident(parts: &mut Parts) {
    let mut v = 0;
    while v < parts.points.len() {
        for other in (v + 1..parts.points.len()).rev() {
            if parts.points[v].coincides(parts.points[other], SAME_WHEN_MERGED) {
                merge_pair(parts, v, other);
            }
        }
        v += 1;
    }
}

fn merge_pair(parts: &mut Parts, survivor: usize, gone: usize) {
    let place = parts.points[survivor];
    for pivot in parts.pivots.iter_mut().flatten() {
        if pivot.0 == gone {
            *pivot = (survivor, place);
        }
    }
    parts.points.remove(gone);
    parts.pivots.remove(gone);
    let rename = |v: usize| match v.cmp(&gone) {
        std::cmp::Ordering::Less => v,
        std::cmp::Ordering::Equal => survivor,
        std::cmp::Ordering::Greater => v - 1,
    };
    for edge in &mut parts.edges {
        edge.0 = rename(edge.0);
        edge.1 = rename(edge.1);
    }
}

/// What all graphs have in common, numbered as in the first.
pub fn intersect(graphs: Vec<Graph>) -> Graph {
    let [first, others @ ..] = graphs.as_slice() else {
        return Graph::new();
    };
    if others.is_empty() {
        return first.clone();
    }
    let same = |a: Point, b: Point| a.coincides(b, SAME_WHEN_MERGED);
    let ends = |g: &Graph, e: usize| {
        let edge = &g.edges[e];
        (g.vertices[edge.a].at, g.vertices[edge.b].at)
    };
    let vertex_in = |g: &Graph, at: Point| g.vertices.iter().any(|v| same(v.at, at));
    let edge_in = |g: &Graph, (a, b): (Point, Point)| {
        (0..g.edges.len()).any(|e| {
            let (c, d) = ends(g, e);
            same(a, c) && same(b, d) || same(a, d) && same(b, c)
        })
    };
    let vertices: Vec<bool> =
        first.vertices.iter().map(|v| others.iter().all(|g| vertex_in(g, v.at))).collect();
    let edges: Vec<bool> =
        (0..first.edges.len()).map(|e| others.iter().all(|g| edge_in(g, ends(first, e)))).collect();
    selected(first, &vertices, |e| edges[e])
}

/// The chosen vertices and the chosen edges between them, as a new graph.
fn selected(graph: &Graph, vertices: &[bool], edge: impl Fn(usize) -> bool) -> Graph {
    let mut parts = Parts { points: Vec::new(), pivots: Vec::new(), edges: Vec::new() };
    let mut renamed = vec![None; vertices.len()];
    for (v, _) in vertices.iter().enumerate().filter(|(_, keep)| **keep) {
        renamed[v] = Some(parts.points.len());
        parts.points.push(graph.vertices[v].at);
        parts.pivots.push(None);
    }
    for e in (0..graph.edges.len()).filter(|&e| edge(e)) {
        let line = &graph.edges[e];
        if let (Some(a), Some(b)) = (renamed[line.a], renamed[line.b]) {
            parts.edges.push((a, b, None));
        }
    }
    parts.assembled()
}

/// Keeps what is inside the polygon.
pub fn keep(graph: &mut Graph, polygon: &Polygon) {
    cut(graph, polygon, true);
}

/// Removes what is inside the polygon, and finds the faces anew.
pub fn clip(graph: &mut Graph, polygon: &Polygon) {
    cut(graph, polygon, false);
}

fn cut(graph: &mut Graph, polygon: &Polygon, keep_inside: bool) {
    if polygon.points.len() < 3 {
        return;
    }
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    let stays: Vec<bool> =
        graph.vertices.iter().map(|v| polygon.contains(v.at) == keep_inside).collect();
    *graph = selected(graph, &stays, |_| true);
}

/// Removes the cells whose middles are inside the polygon.
pub fn hole(graph: &mut Graph, polygon: &Polygon) {
    if polygon.points.len() < 3 {
        return;
    }
    let mut polygon = polygon.clone();
    polygon.inflate(0.1);
    for f in (0..graph.faces.len()).rev() {
        if polygon.contains(graph.faces[f].at) {
            graph.remove_face(f, true);
        }
    }
}

/// Removes the vertices inside the polygon.
pub fn remove_within(graph: &mut Graph, polygon: &Polygon) {
    for v in (0..graph.vertices.len()).rev() {
        if polygon.contains(graph.vertices[v].at) {
            graph.remove_vertex(v);
        }
    }
}

/// Joins every two vertices; with `each_cell` only those of a common cell.
pub fn complete(graph: &mut Graph, each_cell: bool) -> Result<(), BoardError> {
    let pairs = graph.vertices.len() * graph.vertices.len() / 2;
    if each_cell {
        for f in 0..graph.faces.len() {
            let corners = graph.faces[f].vertices.clone();
            join_all(graph, &corners);
        }
        return Ok(());
    }
    if pairs > MAX_COMPLETE {
        return Err(BoardError::TooManyEdges(pairs));
    }
    graph.clear_faces();
    graph.edges.clear();
    for vertex in &mut graph.vertices {
        vertex.edges.clear();
    }
    let vertices: Vec<usize> = (0..graph.vertices.len()).collect();
    join_all(graph, &vertices);
    graph.make_faces(true);
    Ok(())
}

fn join_all(graph: &mut Graph, vertices: &[usize]) {
    for (n, &a) in vertices.iter().enumerate() {
        for &b in &vertices[n + 1..] {
            graph.find_or_add_edge(a, b);
        }
    }
}

/// A vertex for every face, joined where faces share an edge. A graph without faces is unchanged.
pub fn dual(graph: &Graph) -> Graph {
    if graph.vertices.is_empty() || graph.edges.is_empty() || graph.faces.is_empty() {
        return graph.clone();
    }
    let mut dual = Graph::new();
    for face in &graph.faces {
        dual.add_vertex(face.at);
    }
    for edge in &graph.edges {
        if let (Some(left), Some(right)) = (edge.left, edge.right) {
            dual.add_edge(left, right);
        }
    }
    dual.make_faces(false);
    dual.reorder();
    dual
}

/// Copies of the graph on top of each other, each vertex joined to the one below.
pub fn layers(count: usize, graph: &Graph) -> Graph {
    let n = graph.vertices.len();
    let mut all = graph.clone();
    for layer in 1..count {
        let mut copy = graph.clone();
        copy.shift(0.0, 0.0, layer as f64);
        let start = all.vertices.len();
        append(&mut all, copy);
        for v in 0..n {
            all.add_edge(start - n + v, start + v);
        }
    }
    all.reorder();
    all
}

/// Puts a vertex into every face with at least `min` corners and joins it to them.
pub fn subdivide(graph: &mut Graph, min: usize, kind: SiteType) {
    if kind == SiteType::Vertex {
        graph.make_faces(true);
    }
    for f in (0..graph.faces.len()).rev() {
        if graph.faces[f].vertices.len() < min {
            continue;
        }
        let middle = graph.add_vertex(graph.faces[f].at);
        for corner in graph.faces[f].vertices.clone() {
            graph.find_or_add_edge(middle, corner);
        }
    }
    if kind == SiteType::Cell {
        graph.make_faces(true);
    } else {
        graph.clear_faces();
    }
}

/// Puts vertices where edges cross or touch, and finds the faces anew.
pub fn split_crossings(graph: &mut Graph) -> Result<(), BoardError> {
    let mut work = 0;
    while let Some((a, b, at)) = first_crossing(graph) {
        split_pair(graph, a, b, at);
        work += (a + 1) * graph.edges.len();
        if work > MAX_SPLITTING {
            return Err(BoardError::TooManyEdges(graph.edges.len()));
        }
    }
    split_touching(graph)?;
    graph.make_faces(true);
    Ok(())
}

fn first_crossing(graph: &Graph) -> Option<(usize, usize, Point)> {
    let ends = |e: usize| {
        let edge = &graph.edges[e];
        (graph.vertices[edge.a].at, graph.vertices[edge.b].at)
    };
    (0..graph.edges.len()).find_map(|a| {
        let (a0, a1) = ends(a);
        (a + 1..graph.edges.len()).find_map(|b| {
            let (b0, b1) = ends(b);
            crossing(a0, a1, b0, b1).map(|at| (a, b, at))
        })
    })
}

fn split_pair(graph: &mut Graph, a: usize, b: usize, at: Point) {
    let ends = [graph.edges[a].a, graph.edges[a].b, graph.edges[b].a, graph.edges[b].b];
    let [aa, ab, ba, bb] = ends;
    // The edges tried before `b` have a say too.
    let tried = graph.edges[a + 1..=b].iter().flat_map(|e| [e.a, e.b]);
    let pivot = [ab, aa].into_iter().chain(tried).find_map(|v| graph.vertices[v].pivot);
    let new = graph.add_vertex(at);
    graph.vertices[new].pivot = pivot;
    graph.remove_edge(b);
    graph.remove_edge(a);
    graph.find_or_add_edge(aa, new);
    graph.find_or_add_edge(new, ab);
    graph.find_or_add_edge(ba, new);
    graph.find_or_add_edge(new, bb);
}

/// Splits every edge at the vertices that lie on it.
fn split_touching(graph: &mut Graph) -> Result<(), BoardError> {
    let mut work = 0;
    let mut e = 0;
    while e < graph.edges.len() {
        work += graph.vertices.len();
        if work > MAX_SPLITTING {
            return Err(BoardError::TooManyEdges(graph.edges.len()));
        }
        let touching: Vec<usize> = vertices_on(graph, e);
        if touching.is_empty() {
            e += 1;
            continue;
        }
        let (a, b) = (graph.edges[e].a, graph.edges[e].b);
        let pivot = graph.vertices[b].pivot.or(graph.vertices[a].pivot);
        // Every vertex on the line splits off the edge that then has this number.
        for v in touching {
            if pivot.is_some() {
                graph.vertices[v].pivot = pivot;
            }
            graph.remove_edge(e);
            graph.find_or_add_edge(a, v);
            graph.find_or_add_edge(v, b);
        }
        e = 0;
    }
    Ok(())
}

fn vertices_on(graph: &Graph, e: usize) -> Vec<usize> {
    let edge = &graph.edges[e];
    let (a, b) = (graph.vertices[edge.a].at, graph.vertices[edge.b].at);
    let near = 0.001;
    (0..graph.vertices.len())
        .filter(|&v| v != edge.a && v != edge.b)
        .filter(|&v| {
            let p = graph.vertices[v].at;
            let apart = p.distance_3d(a) >= near && p.distance_3d(b) >= near;
            apart && distance_to_segment(p, a, b) <= near
        })
        .collect()
}
