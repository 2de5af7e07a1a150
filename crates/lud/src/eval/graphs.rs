//! What the edges that pieces stand on make of the vertices: forests, trees, regular graphs.

use crate::ctx::Ctx;
use crate::ir::{GraphShape, Int};
use crate::sites::SiteSet;
use crate::topo::SiteType;

impl Ctx<'_> {
    /// Whether the edges of a player have a shape.
    pub(super) fn has_shape(&mut self, shape: &GraphShape, who: &Int) -> bool {
        let last = self.s.last.to;
        if last < 0 {
            return false;
        }
        let who = self.int(who);
        match shape {
            GraphShape::Tree => self.joined_by(self.edges_meant(who, last)).is_some(),
            GraphShape::SpanningTree => self.spans(self.edges_meant(who, last)),
            GraphShape::CaterpillarTree => {
                let edges = self.edges_meant(who, last);
                self.is_path_without_leaves(&edges) && self.spans(edges)
            }
            GraphShape::Regular { degree, odd, even } => {
                let (degree, odd, even) = (self.int(degree), self.bool(odd), self.bool(even));
                let edges = self.edges_meant(who, last);
                match self.common_degree(edges, degree as usize) {
                    Some(degree) if odd => degree % 2 == 1,
                    Some(degree) if even => degree.is_multiple_of(2),
                    common => common.is_some(),
                }
            }
            GraphShape::TreeCentre => self.is_tree_centre(who, last),
        }
    }

    /// The edges whose piece has the number of the player; for nobody, of the piece on the last site.
    fn edges_meant(&self, who: i32, last: i32) -> Vec<[i32; 2]> {
        let wanted = match who {
            0 => self.what(SiteType::Edge, last).max(1),
            who => who,
        };
        self.edges(|edge| self.what(SiteType::Edge, edge) == wanted)
    }

    fn edges(&self, is_meant: impl Fn(i32) -> bool) -> Vec<[i32; 2]> {
        let count = self.plane(SiteType::Edge).count as i32;
        let meant = (0..count).filter(|&edge| is_meant(edge));
        meant.filter_map(|edge| self.g.topo.edge_ends(edge)).collect()
    }

    /// The number of edges if they close no ring.
    fn joined_by(&self, edges: Vec<[i32; 2]>) -> Option<usize> {
        let mut head: Vec<usize> = (0..self.plane(SiteType::Vertex).count).collect();
        fn find(head: &[usize], mut at: usize) -> usize {
            while head[at] != at {
                at = head[at];
            }
            at
        }
        for &[a, b] in &edges {
            let (a, b) = (find(&head, a as usize), find(&head, b as usize));
            if a == b {
                return None;
            }
            head[a] = b;
        }
        Some(edges.len())
    }

    /// Whether edges make a tree that reaches every vertex.
    fn spans(&self, edges: Vec<[i32; 2]>) -> bool {
        let vertices = self.plane(SiteType::Vertex).count;
        self.joined_by(edges).is_some_and(|joined| joined + 1 == vertices)
    }

    /// Whether no vertex of a tree has more than two neighbours that are no leaves.
    fn is_path_without_leaves(&self, edges: &[[i32; 2]]) -> bool {
        let near = self.neighbours(edges);
        let inner = |&vertex: &i32| near[vertex as usize].len() > 1;
        near.iter().all(|around| around.iter().filter(inner).count() <= 2)
    }

    fn neighbours(&self, edges: &[[i32; 2]]) -> Vec<SiteSet> {
        let mut near = vec![SiteSet::new(); self.plane(SiteType::Vertex).count];
        for &[a, b] in edges {
            near[a as usize].insert(b);
            near[b as usize].insert(a);
        }
        near
    }

    /// The degree of all vertices if it is the same; nought asks for any.
    fn common_degree(&self, edges: Vec<[i32; 2]>, wanted: usize) -> Option<usize> {
        let degrees: Vec<usize> =
            self.neighbours(&edges).iter().map(|near| near.iter().count()).collect();
        let first = degrees.iter().copied().find(|&degree| degree > 0).unwrap_or(0);
        let degree = if wanted == 0 { first } else { wanted };
        degrees.iter().all(|&own| own == degree).then_some(degree)
    }

    /// Whether a vertex is the middle of its tree, or next to it where there are two.
    fn is_tree_centre(&self, who: i32, last: i32) -> bool {
        let everybody = who == self.g.players + 1;
        let edges = self.edges(|edge| match everybody {
            true => self.what(SiteType::Edge, edge) != 0,
            false => self.who(SiteType::Edge, edge) == who,
        });
        if last as usize >= self.plane(SiteType::Vertex).count {
            return false;
        }
        let near = self.neighbours(&edges);
        if self.joined_by(edges).is_none() {
            return false;
        }
        let tree = reached(&near, last);
        let root = tree.iter().next().unwrap_or(last);
        let alone = near[last as usize].is_empty();
        let centre = if alone { 0 } else { middle(&near, root, tree.iter().count()) };
        if last == centre {
            return true;
        }
        let degree = |vertex: i32| near[vertex as usize].iter().count();
        if degree(centre) == 1 && degree(last) == 1 {
            return true;
        }
        near[last as usize].contains(centre)
            && first_path(&near, last, &tree) == first_path(&near, centre, &tree)
    }
}

/// The vertices that are joined to one.
fn reached(near: &[SiteSet], from: i32) -> SiteSet {
    let mut seen: SiteSet = [from].into_iter().collect();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for next in near[at as usize].iter() {
            if !seen.contains(next) {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    seen
}

/// From a root towards the branch that has more than half of all vertices, as long as there is one.
fn middle(near: &[SiteSet], root: i32, count: usize) -> i32 {
    let (mut at, mut from) = (root, -1);
    loop {
        let larger = near[at as usize]
            .iter()
            .find(|&next| next != from && branch(near, next, at) > count / 2);
        match larger {
            Some(next) => (at, from) = (next, at),
            None => return at,
        }
    }
}

/// The vertices of the branch that begins at a vertex, seen from another.
fn branch(near: &[SiteSet], start: i32, from: i32) -> usize {
    let mut count = 0;
    let mut open = vec![(start, from)];
    while let Some((at, from)) = open.pop() {
        count += 1;
        open.extend(near[at as usize].iter().filter(|&next| next != from).map(|next| (next, at)));
    }
    count
}

/// How many vertices a walk passes that always goes on to the first neighbour not seen yet.
fn first_path(near: &[SiteSet], from: i32, tree: &SiteSet) -> usize {
    let mut left = tree.clone();
    let (mut at, mut length) = (from, 1);
    left.remove(at);
    while let Some(next) = near[at as usize].iter().find(|&next| left.contains(next)) {
        left.remove(next);
        at = next;
        length += 1;
    }
    length
}
