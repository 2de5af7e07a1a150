//! Finding the faces of a graph by walking around them.

use super::geometry::{Point, segments_meet, signed_area};
use super::graph::{Face, Graph, centroid};

/// Longer walks are not faces but the outside of the board.
const MAX_SIDES: usize = 32;

impl Graph {
    /// Finds all faces anew: from every vertex along every incident edge, always taking the next
    /// edge clockwise, and keeping walks that close clockwise. With `avoid_crossings` a walk along
    /// an edge that meets another edge between its ends makes no face.
    pub fn make_faces(&mut self, avoid_crossings: bool) {
        self.clear_faces();
        let mut crossed = vec![None; self.edges.len()];
        for start in 0..self.vertices.len() {
            for nth in 0..self.vertices[start].edges.len() {
                let first = self.vertices[start].edges[nth];
                let Some(walk) = self.walk_face(start, first, avoid_crossings, &mut crossed) else {
                    continue;
                };
                let outline: Vec<Point> = walk.iter().map(|&v| self.vertices[v].at).collect();
                if signed_area(&outline) < 0.0 && self.find_face(&walk).is_none() {
                    self.add_face(&walk);
                }
            }
        }
    }

    /// Forgets all faces.
    pub fn clear_faces(&mut self) {
        self.faces.clear();
        for edge in &mut self.edges {
            edge.left = None;
            edge.right = None;
        }
        for vertex in &mut self.vertices {
            vertex.faces.clear();
        }
    }

    fn walk_face(
        &self,
        start: usize,
        first: usize,
        avoid_crossings: bool,
        crossed: &mut [Option<bool>],
    ) -> Option<Vec<usize>> {
        let height = self.vertices[start].at.z;
        let mut walk = vec![start];
        let (mut here, mut edge) = (start, first);
        while walk.len() <= MAX_SIDES {
            let previous = here;
            (here, edge) = self.next_on_level(here, edge, height)?;
            if here == start {
                return (walk.len() >= 3).then_some(walk);
            }
            if walk.contains(&here) {
                return None;
            }
            walk.push(here);
            if avoid_crossings && self.is_crossed(previous, here, crossed) {
                return None;
            }
        }
        None
    }

    /// The next edge around `here` after `edge` that stays on the level, and where it leads.
    fn next_on_level(&self, here: usize, edge: usize, height: f64) -> Option<(usize, usize)> {
        let incident = &self.vertices[here].edges;
        let (a, b) = (self.edges[edge].a, self.edges[edge].b);
        let at = incident.iter().position(|&e| self.edges[e].joins(a, b)).unwrap_or(0);
        (1..incident.len()).find_map(|m| {
            let candidate = incident[(at + m) % incident.len()];
            let next = self.edges[candidate].other_end(here);
            let level = (self.vertices[next].at.z - height).abs() < 0.0001;
            level.then_some((next, candidate))
        })
    }

    /// Whether an edge of lower number meets the edge between `a` and `b` away from common ends.
    fn is_crossed(&self, a: usize, b: usize, known: &mut [Option<bool>]) -> bool {
        let Some(index) = self.find_edge(a, b) else {
            return false;
        };
        if let Some(answer) = known[index] {
            return answer;
        }
        let flat = |v: usize| Point::flat(self.vertices[v].at.x, self.vertices[v].at.y);
        let (pa, pb) = (flat(a), flat(b));
        let answer = self.edges[..index].iter().any(|other| {
            let (qa, qb) = (flat(other.a), flat(other.b));
            let touching =
                [qa, qb].iter().any(|q| pa.distance(*q) < 0.001 || pb.distance(*q) < 0.001);
            !touching && segments_meet(pa, pb, qa, qb)
        });
        known[index] = Some(answer);
        answer
    }

    /// The face with exactly these corners in this cyclic order, in either sense.
    pub fn find_face(&self, corners: &[usize]) -> Option<usize> {
        let first = self.vertices.get(*corners.first()?)?;
        first.faces.iter().copied().filter(|&f| same_cycle(&self.faces[f].vertices, corners)).min()
    }

    /// Adds the face with these corners unless it is there already. `None` when two corners that
    /// follow each other are not joined, or a corner does not exist.
    pub fn find_or_add_face(&mut self, corners: &[usize]) -> Option<usize> {
        let known = corners.iter().all(|&v| v < self.vertices.len());
        if !known || corners.len() > self.vertices.len() {
            return None;
        }
        if let Some(face) = self.find_face(corners) {
            return Some(face);
        }
        self.add_face(corners)
    }

    fn add_face(&mut self, corners: &[usize]) -> Option<usize> {
        let index = self.faces.len();
        let side = |(n, &corner): (usize, &usize)| {
            self.find_edge(corner, corners[(n + 1) % corners.len()])
        };
        // No edge may know of the face before all are found.
        let edges: Vec<usize> = corners.iter().enumerate().map(side).collect::<Option<_>>()?;
        for (&corner, &e) in corners.iter().zip(&edges) {
            let edge = &mut self.edges[e];
            if edge.a == corner {
                edge.right = Some(index);
            } else {
                edge.left = Some(index);
            }
        }
        for &corner in corners {
            self.vertices[corner].faces.push(index);
        }
        self.faces.push(Face {
            vertices: corners.to_vec(),
            edges,
            at: centroid(&self.vertices, corners),
        });
        Some(index)
    }
}

fn same_cycle(a: &[usize], b: &[usize]) -> bool {
    let n = a.len();
    if b.len() != n {
        return false;
    }
    let Some(start) = a.iter().position(|&v| v == b[0]) else {
        return false;
    };
    (0..n).all(|i| a[(start + i) % n] == b[i]) || (0..n).all(|i| a[(start + n - i) % n] == b[i])
}
