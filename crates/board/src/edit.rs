//! Taking elements out of a graph, renumbering them and moving them.

use super::geometry::Point;
use super::graph::{Graph, Pivot, SiteType, in_order};

impl Graph {
    /// Removes a vertex with all edges and faces that touch it; later elements move up by one.
    pub fn remove_vertex(&mut self, vertex: usize) {
        if vertex >= self.vertices.len() {
            return;
        }
        let faces = mask(self.faces.len(), &self.vertices[vertex].faces);
        self.drop_faces(&faces);
        let edges = mask(self.edges.len(), &self.vertices[vertex].edges);
        self.drop_edges(&edges);
        self.drop_vertex(vertex);
    }

    /// Removes an edge with the faces beside it.
    pub fn remove_edge(&mut self, edge: usize) {
        if edge >= self.edges.len() {
            return;
        }
        let beside: Vec<bool> = self.faces.iter().map(|f| f.edges.contains(&edge)).collect();
        self.drop_faces(&beside);
        let edges = mask(self.edges.len(), &[edge]);
        self.drop_edges(&edges);
    }

    /// Removes a face; with `orphans` also the edges that belong to no face afterwards.
    pub fn remove_face(&mut self, face: usize, orphans: bool) {
        if face >= self.faces.len() {
            return;
        }
        let around = self.faces[face].edges.clone();
        let faces = mask(self.faces.len(), &[face]);
        let orphaned: Vec<usize> = around
            .into_iter()
            .filter(|&e| {
                let edge = &self.edges[e];
                let beside = edge.left == Some(face) || edge.right == Some(face);
                beside && edge.other_face(face).is_none()
            })
            .collect();
        self.drop_faces(&faces);
        if orphans {
            let edges = mask(self.edges.len(), &orphaned);
            self.drop_edges(&edges);
        }
    }

    fn drop_faces(&mut self, gone: &[bool]) {
        if !gone.contains(&true) {
            return;
        }
        let renamed = compact(gone);
        let rename = |f: Option<usize>| f.and_then(|f| renamed[f]);
        for edge in &mut self.edges {
            edge.left = rename(edge.left);
            edge.right = rename(edge.right);
        }
        for vertex in &mut self.vertices {
            vertex.faces = vertex.faces.iter().filter_map(|&f| renamed[f]).collect();
        }
        retain(&mut self.faces, gone);
    }

    fn drop_edges(&mut self, gone: &[bool]) {
        if !gone.contains(&true) {
            return;
        }
        let renamed = compact(gone);
        for vertex in &mut self.vertices {
            vertex.edges = vertex.edges.iter().filter_map(|&e| renamed[e]).collect();
        }
        for face in &mut self.faces {
            face.edges = face.edges.iter().filter_map(|&e| renamed[e]).collect();
        }
        retain(&mut self.edges, gone);
    }

    fn drop_vertex(&mut self, vertex: usize) {
        let place = self.vertices[vertex].at;
        self.vertices.remove(vertex);
        let rename = |v: usize| if v > vertex { v - 1 } else { v };
        for edge in &mut self.edges {
            edge.a = rename(edge.a);
            edge.b = rename(edge.b);
        }
        for face in &mut self.faces {
            face.vertices.iter_mut().for_each(|v| *v = rename(*v));
        }
        for other in &mut self.vertices {
            other.pivot = match other.pivot {
                Some(Pivot::At(p)) if p == vertex => Some(Pivot::Gone(p, place)),
                Some(Pivot::At(p)) => Some(Pivot::At(rename(p))),
                pivot => pivot,
            };
        }
    }

    /// Removes dangling edges (once, from the last to the first) and then vertices without edges.
    pub fn trim(&mut self) {
        for e in (0..self.edges.len()).rev() {
            let degree = |v: usize| self.vertices[v].edges.len();
            if degree(self.edges[e].a) == 1 || degree(self.edges[e].b) == 1 {
                self.remove_edge(e);
            }
        }
        for v in (0..self.vertices.len()).rev() {
            let is_pivot = |v: usize| self.vertices.iter().any(|o| o.pivot == Some(Pivot::At(v)));
            if self.vertices[v].edges.is_empty() && !is_pivot(v) {
                self.remove_vertex(v);
            }
        }
    }

    /// Renumbers everything from bottom to top, and from left to right in each row.
    pub fn reorder(&mut self) {
        for kind in SiteType::ALL {
            self.reorder_kind(kind);
        }
    }

    /// Renumbers one kind of element from bottom to top and left to right.
    pub fn reorder_kind(&mut self, kind: SiteType) {
        let rank = |i: usize| {
            let at = self.at(kind, i);
            at.y * 100.0 + at.x
        };
        let mut order: Vec<usize> = (0..self.count(kind)).collect();
        order.sort_by(|&a, &b| in_order(rank(a), rank(b)));
        let mut renamed = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            renamed[old] = new;
        }
        match kind {
            SiteType::Vertex => self.rename_vertices(&order, &renamed),
            SiteType::Edge => self.rename_edges(&order, &renamed),
            SiteType::Cell => self.rename_faces(&order, &renamed),
        }
    }

    fn rename_vertices(&mut self, order: &[usize], renamed: &[usize]) {
        permute(&mut self.vertices, order);
        for edge in &mut self.edges {
            edge.a = renamed[edge.a];
            edge.b = renamed[edge.b];
        }
        for face in &mut self.faces {
            face.vertices.iter_mut().for_each(|v| *v = renamed[*v]);
        }
        for vertex in &mut self.vertices {
            if let Some(Pivot::At(p)) = vertex.pivot {
                vertex.pivot = Some(Pivot::At(renamed[p]));
            }
        }
    }

    fn rename_edges(&mut self, order: &[usize], renamed: &[usize]) {
        permute(&mut self.edges, order);
        for vertex in &mut self.vertices {
            vertex.edges.iter_mut().for_each(|e| *e = renamed[*e]);
        }
        for face in &mut self.faces {
            face.edges.iter_mut().for_each(|e| *e = renamed[*e]);
        }
    }

    fn rename_faces(&mut self, order: &[usize], renamed: &[usize]) {
        permute(&mut self.faces, order);
        for vertex in &mut self.vertices {
            vertex.faces.iter_mut().for_each(|f| *f = renamed[*f]);
        }
        for edge in &mut self.edges {
            edge.left = edge.left.map(|f| renamed[f]);
            edge.right = edge.right.map(|f| renamed[f]);
        }
    }

    /// Moves every vertex; the numbering stays.
    pub fn map_points(&mut self, place: impl Fn(Point) -> Point) {
        for vertex in &mut self.vertices {
            vertex.at = place(vertex.at);
        }
        self.recentre();
    }

    /// Moves the whole board.
    pub fn shift(&mut self, dx: f64, dy: f64, dz: f64) {
        self.map_points(|p| Point::new(p.x + dx, p.y + dy, p.z + dz));
    }

    /// Stretches the board from the origin.
    pub fn scale(&mut self, sx: f64, sy: f64, sz: f64) {
        self.map_points(|p| Point::new(p.x * sx, p.y * sy, p.z * sz));
    }

    /// Turns the board around its middle, counter-clockwise.
    pub fn rotate(&mut self, degrees: f64) {
        let theta = degrees.to_radians();
        let (low, high) = self.bounds();
        let (cx, cy) = (low.x + (high.x - low.x) / 2.0, low.y + (high.y - low.y) / 2.0);
        let (sin, cos) = (theta.sin(), theta.cos());
        self.map_points(|p| {
            let (dx, dy) = (p.x - cx, p.y - cy);
            Point::new(cx + dx * cos - dy * sin, cy + dy * cos + dx * sin, p.z)
        });
        for curve in self.edges.iter_mut().filter_map(|e| e.curve.as_mut()) {
            *curve = curve.map(|t| t.rotated(theta));
        }
    }

    /// Slants the board: the higher a vertex the more it moves sideways.
    pub fn skew(&mut self, amount: f64) {
        let low = self.bounds().0.y;
        self.map_points(|p| Point::new(p.x + (p.y - low) * amount, p.y, p.z));
    }
}

fn mask(len: usize, chosen: &[usize]) -> Vec<bool> {
    let mut mask = vec![false; len];
    for &index in chosen {
        mask[index] = true;
    }
    mask
}

/// New index of every element that stays.
fn compact(gone: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    gone.iter()
        .map(|&gone| {
            (!gone).then(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}

fn retain<T>(items: &mut Vec<T>, gone: &[bool]) {
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
}

fn permute<T>(items: &mut Vec<T>, order: &[usize]) {
    let mut old: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.iter().filter_map(|&i| old[i].take()));
}
