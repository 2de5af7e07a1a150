//! Paths: chains of one player's edges, vertices or cells, open or closed.
//!
//! What lies on a ring is told by bridges: a site lies on a ring with another if no single link
//! between neighbours parts the two.

use crate::ctx::Ctx;
use crate::ir::Path;
use crate::sites::{Numbers, SiteSet};
use crate::topo::{Dir, SiteType};

/// Longer than any path.
const ENDLESS: i32 = 1_000_000_000;

/// The links between places that belong to a player.
struct Links {
    next: Vec<Vec<i32>>,
}

/// What is asked about a path, in numbers.
struct Asked {
    least: i32,
    most: i32,
    closed: bool,
}

impl Asked {
    fn exact(&self) -> bool {
        self.least == self.most
    }
}

impl Links {
    /// The places that no single link parts from a start, the start included.
    fn ringed(&self, start: i32) -> SiteSet {
        let mut depth = vec![0u32; self.next.len()];
        let mut low = depth.clone();
        let mut open: Vec<i32> = vec![start];
        // Places on the way, each with its parent and the neighbour to look at next.
        let mut way: Vec<(i32, i32, usize)> = vec![(start, -1, 0)];
        (depth[start as usize], low[start as usize]) = (1, 1);
        while let Some((at, parent, n)) = way.last_mut() {
            let (place, parent) = (*at as usize, *parent);
            if let Some(&to) = self.next[place].get(*n) {
                *n += 1;
                if to == parent {
                    continue;
                }
                if depth[to as usize] != 0 {
                    if open.contains(&to) {
                        low[place] = low[place].min(depth[to as usize]);
                    }
                    continue;
                }
                let below = depth[place] + 1;
                (depth[to as usize], low[to as usize]) = (below, below);
                open.push(to);
                way.push((to, place as i32, 0));
                continue;
            }
            way.pop();
            if parent >= 0 {
                low[parent as usize] = low[parent as usize].min(low[place]);
                if low[place] == depth[place] {
                    // A bridge leads here: what hangs on it is no part of the start's ring.
                    let at = open.iter().position(|&p| p == place as i32).unwrap_or(open.len());
                    open.truncate(at);
                }
            }
        }
        open.into_iter().collect()
    }

    /// How many links a way around has: from one end of a link to the other without the link itself.
    /// Of the places found the one with the least number is looked at first.
    fn way_around(&self, from: i32, to: i32) -> i32 {
        let mut steps = vec![ENDLESS; self.next.len()];
        let mut before = vec![0; self.next.len()];
        let mut looked = SiteSet::new();
        let mut found = SiteSet::new();
        found.insert(from);
        steps[from as usize] = 0;
        before[from as usize] = from;
        while let Some(at) = found.iter().next() {
            found.remove(at);
            if at == to {
                break;
            }
            if looked.contains(at) {
                continue;
            }
            looked.insert(at);
            for &next in &self.next[at as usize] {
                let itself = (at, next) == (from, to) || (at, next) == (to, from);
                if !itself && steps[next as usize] > steps[at as usize] + 1 {
                    steps[next as usize] = steps[at as usize] + 1;
                    before[next as usize] = at;
                    found.insert(next);
                }
            }
        }
        let (mut at, mut length) = (to, 0);
        while before[at as usize] != at && length <= self.next.len() as i32 {
            at = before[at as usize];
            length += 1;
        }
        length
    }

    /// How far a chain goes on from a place, whose links were so many before; endless where it forks.
    fn chain(&self, start: i32, from: i32, parent: i32, before: i32, most: i32) -> i32 {
        let (mut at, mut parent, mut length) = (from, parent, before);
        loop {
            let next = &self.next[at as usize];
            if length == most || next.is_empty() {
                return length;
            }
            if next.len() > 2 {
                return ENDLESS;
            }
            let Some(&on) = next.iter().find(|&&to| to != parent && to != start) else {
                return length;
            };
            (parent, at) = (at, on);
            length += 1;
        }
    }
}

impl Ctx<'_> {
    /// Whether a player's sites make a path of the wanted length through a site.
    pub(super) fn is_path(&mut self, path: &Path) -> bool {
        let site = self.int(&path.from);
        if site < 0 || site >= self.plane(path.kind).count as i32 {
            return false;
        }
        let who = self.int(&path.who);
        let asked = Asked {
            least: self.int(&path.length.min),
            most: self.int(&path.length.max),
            closed: self.bool(&path.closed),
        };
        match path.kind {
            SiteType::Edge => self.is_path_of_edges(site, who, &asked),
            kind => self.is_path_of_sites(kind, site, who, &asked),
        }
    }

    /// The edges of a player, each with its ends.
    fn edges_of(&self, who: i32) -> Vec<(i32, [i32; 2])> {
        let edges = 0..self.plane(SiteType::Edge).count as i32;
        let own = edges.filter(|&edge| self.who(SiteType::Edge, edge) == who);
        own.filter_map(|edge| Some((edge, self.g.topo.edge_ends(edge)?))).collect()
    }

    fn is_path_of_edges(&self, edge: i32, who: i32, asked: &Asked) -> bool {
        let Some([a, b]) = self.g.topo.edge_ends(edge) else {
            return false;
        };
        let own = self.edges_of(who);
        let mut links = Links { next: vec![Vec::new(); self.plane(SiteType::Vertex).count] };
        for (_, [from, to]) in &own {
            links.next[*from as usize].push(*to);
            links.next[*to as usize].push(*from);
        }
        let ringed = links.ringed(a);
        let ring = if ringed.contains(b) { ringed } else { SiteSet::new() };
        if !asked.closed {
            return ring.is_empty() && self.is_open_path(&own, (edge, [a, b]), asked);
        }
        let places = ring.len() as i32;
        let inside = |(_, [a, b]): &&(i32, [i32; 2])| ring.contains(*a) && ring.contains(*b);
        let edges = own.iter().filter(inside).count() as i32;
        let fits = match asked.exact() {
            true => places == asked.least,
            false => asked.most > 2 && places <= asked.most && places > 2,
        };
        if places == edges && fits {
            return true;
        }
        if edges <= places {
            return false;
        }
        let around = links.way_around(a, b) + 1;
        asked.exact() && around == asked.least || asked.most > 2 && around <= asked.most
    }

    /// Whether edges go on from both ends of one without a fork, and how far.
    fn is_open_path(
        &self,
        own: &[(i32, [i32; 2])],
        (edge, [a, b]): (i32, [i32; 2]),
        asked: &Asked,
    ) -> bool {
        let most = if asked.exact() { asked.least } else { asked.most };
        let limit = most.clamp(0, own.len() as i32 + 1) * 2;
        let mut passed = SiteSet::new();
        let mut reach = |from: i32| {
            let mut ends: Vec<(i32, i32)> = vec![(from, edge)];
            let mut depth = 0;
            while depth < limit {
                let mut further: Vec<(i32, i32)> = Vec::new();
                for &(at, by) in &ends {
                    for &(next, [x, y]) in own.iter().filter(|(next, _)| *next != by) {
                        let to = match (x == at, y == at) {
                            (true, _) => y,
                            (false, true) => x,
                            (false, false) => continue,
                        };
                        passed.insert(next);
                        if !further.contains(&(to, next)) {
                            further.push((to, next));
                        }
                    }
                }
                if further.is_empty() {
                    return depth;
                }
                ends = further;
                depth += 1;
            }
            limit - 1
        };
        let length = reach(a) + reach(b) + 1;
        let straight = passed.len() as i32 + 1 == length;
        match asked.exact() {
            true => length == asked.least && straight,
            false => asked.most > asked.least && length <= asked.most && straight,
        }
    }

    fn is_path_of_sites(&self, kind: SiteType, site: i32, who: i32, asked: &Asked) -> bool {
        let plane = self.plane(kind);
        let own = |at: i32| -> Vec<i32> {
            let near = plane.steps(at, Dir::ADJACENT).iter().copied();
            near.filter(|&to| to != at && self.who(kind, to) == who).collect()
        };
        let links = Links { next: (0..plane.count as i32).map(own).collect() };
        let near: Numbers = links.next[site as usize].iter().copied().collect();
        let one = match kind {
            SiteType::Vertex => asked.least == 1 || asked.most == 1,
            _ => asked.least == 1 && asked.most == 1,
        };
        if near.is_empty() && (asked.closed || one) {
            return !asked.closed;
        }
        let ringed = links.ringed(site);
        // A lonely site counts as the neighbour of the first.
        let beside = near.first().copied().unwrap_or(0);
        let places = if ringed.contains(beside) { ringed.len() as i32 } else { 0 };
        if asked.closed {
            return match asked.exact() {
                true => places == asked.least,
                false => places <= asked.most && places > 2,
            };
        }
        if places != 0 {
            return false;
        }
        let ranged =
            if kind == SiteType::Vertex { asked.most > asked.least } else { asked.most > 0 };
        if ranged {
            return true;
        }
        let most = asked.least.saturating_mul(2);
        match near.as_slice() {
            [_] => links.chain(site, site, -1, 0, most) + 1 == asked.least,
            [a, b] => {
                let (a, b) =
                    (links.chain(site, *a, -1, 1, most), links.chain(site, *b, *a, 1, most));
                a + b + 1 == asked.least
            }
            _ => false,
        }
    }
}
