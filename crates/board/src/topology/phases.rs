//! Colouring: sites next to each other have different phases.

use crate::graph::{Graph, SiteType};
use std::collections::VecDeque;

/// The phase of every element. From the lowest element not yet coloured the colouring spreads to
/// neighbours, those next to several colours first; each takes the lowest phase free around it.
pub(super) fn phases(graph: &Graph, kind: SiteType) -> Vec<u8> {
    let around: Vec<Vec<usize>> =
        (0..graph.count(kind)).map(|n| neighbours(graph, kind, n)).collect();
    let mut phase: Vec<Option<u8>> = vec![None; around.len()];
    let seen = |phase: &[Option<u8>], n: usize| -> u8 {
        let near = around[n].iter().filter_map(|&m| phase[m]);
        near.fold(0, |set, p| set | 1 << p)
    };
    for start in 0..around.len() {
        if phase[start].is_some() {
            continue;
        }
        let mut visited = vec![false; around.len()];
        phase[start] = Some(0);
        let mut queue = VecDeque::from([start]);
        while let Some(here) = queue.pop_front() {
            if std::mem::replace(&mut visited[here], true) {
                continue;
            }
            let taken = seen(&phase, here);
            phase[here] = Some((0..4).find(|p| taken & (1 << p) == 0).unwrap_or(4));
            for &next in around[here].iter().filter(|&&n| !visited[n]) {
                if seen(&phase, next).count_ones() > 1 {
                    queue.push_front(next);
                } else {
                    queue.push_back(next);
                }
            }
        }
    }
    phase.into_iter().map(|p| p.unwrap_or(0)).collect()
}

fn neighbours(graph: &Graph, kind: SiteType, n: usize) -> Vec<usize> {
    let at_end = |v: usize| graph.vertices[v].edges.iter().copied();
    match kind {
        SiteType::Vertex => at_end(n).map(|e| graph.edges[e].other_end(n)).collect(),
        SiteType::Edge => {
            at_end(graph.edges[n].a).chain(at_end(graph.edges[n].b)).filter(|&e| e != n).collect()
        }
        SiteType::Cell => {
            graph.faces[n].edges.iter().filter_map(|&e| graph.edges[e].other_face(n)).collect()
        }
    }
}
