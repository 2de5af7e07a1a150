//! The outlines of a board.

use crate::geometry::{Point, inside};
use crate::graph::Graph;

/// The outer outlines of a graph, one per separate part, each as vertices in walking order from
/// its leftmost vertex. Outlines inside others are left out.
pub fn perimeters(graph: &Graph) -> Vec<Vec<usize>> {
    let mut covered = vec![false; graph.vertices.len()];
    let mut outlines = Vec::new();
    while let Some(start) = leftmost(graph, &covered) {
        let outline = follow(graph, start);
        outline.iter().for_each(|&v| covered[v] = true);
        let polygon = places(graph, &outline);
        for (v, vertex) in graph.vertices.iter().enumerate() {
            if !covered[v] && inside(&polygon, vertex.at) {
                covered[v] = true;
            }
        }
        outlines.push(outline);
    }
    drop_nested(graph, &mut outlines);
    outlines
}

/// Positions of vertices.
pub(super) fn places(graph: &Graph, vertices: &[usize]) -> Vec<Point> {
    vertices.iter().map(|&v| graph.vertices[v].at).collect()
}

fn leftmost(graph: &Graph, covered: &[bool]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (v, vertex) in graph.vertices.iter().enumerate() {
        let further = best.is_none_or(|b| vertex.at.x < graph.vertices[b].at.x);
        if !covered[v] && further {
            best = Some(v);
        }
    }
    best
}

/// Walks around the outside, always taking the next edge on the same side.
fn follow(graph: &Graph, from: usize) -> Vec<usize> {
    let Some(mut edge) = first_edge(graph, from) else {
        return vec![from];
    };
    let mut outline = Vec::new();
    let mut here = from;
    // A walk visits each side of each edge at most once; anything longer is going in circles.
    for _ in 0..=2 * graph.edges.len() {
        outline.push(here);
        let previous = here;
        here = graph.edges[edge].other_end(here);
        let around = &graph.vertices[here].edges;
        let (a, b) = (graph.edges[edge].a, graph.edges[edge].b);
        let at = around.iter().position(|&e| graph.edges[e].joins(a, b)).unwrap_or(0);
        for n in 1..around.len() {
            edge = around[(at + n) % around.len()];
            if graph.edges[edge].other_end(here) != previous {
                break;
            }
        }
        if here == from {
            break;
        }
    }
    outline
}

fn first_edge(graph: &Graph, from: usize) -> Option<usize> {
    let at = graph.vertices[from].at;
    let mut best: Option<(usize, f64)> = None;
    for &e in &graph.vertices[from].edges {
        let to = graph.vertices[graph.edges[e].other_end(from)].at;
        let angle = (to.x - at.x).atan2(-(to.y - at.y));
        if best.is_none_or(|(_, least)| angle < least) {
            best = Some((e, angle));
        }
    }
    best.map(|(edge, _)| edge)
}

fn drop_nested(graph: &Graph, outlines: &mut Vec<Vec<usize>>) {
    for n in (0..outlines.len()).rev() {
        let start = graph.vertices[outlines[n][0]].at;
        let nested = outlines
            .iter()
            .enumerate()
            .any(|(m, other)| m != n && inside(&places(graph, other), start));
        if nested {
            outlines.remove(n);
        }
    }
}
