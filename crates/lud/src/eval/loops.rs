//! Loops: rings of one colour around something.

use crate::ctx::Ctx;
use crate::ir::{Loop, Region};
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

impl Ctx<'_> {
    /// Whether the piece at the start closes a loop of its colour.
    pub fn is_loop(&mut self, wanted: &Loop) -> bool {
        let kind = wanted.kind;
        let from = match &wanted.starts {
            Some(region) => self.sites(region).first().copied().unwrap_or(-1),
            None => self.s.last.to,
        };
        if from < 0 || from >= self.plane(kind).count as i32 {
            return false;
        }
        let what = self.what(kind, from);
        if what <= 0 {
            return false;
        }
        let colour = match &wanted.colour {
            Some(colour) => self.int(colour),
            None => self.s.mover,
        };
        if wanted.path && self.g.components[what as usize].tile.is_some() {
            let starts = match &wanted.starts {
                Some(region) => self.sites(region),
                None => self.sites(&Region::LastTo),
            };
            return starts.iter().any(|&start| self.path_closes(colour, start));
        }
        let inside: Vec<i32> =
            wanted.surround.iter().flat_map(|who| self.players_of(who)).collect();
        let any = wanted.surround.is_empty();
        let outer = &self.g.outer;
        let plane = self.plane(kind);
        let starts: Vec<i32> = plane
            .steps(from, Dir::ADJACENT)
            .iter()
            .copied()
            .filter(|&to| !outer.contains(to) && (any || inside.contains(&self.who(kind, to))))
            .collect();
        let admits = |c: &Self, to: i32| any || inside.contains(&c.who(kind, to));
        for &origin in starts.iter().rev() {
            let enclosed = self.enclosed(kind, origin, what, any, &admits);
            let Some(group) = enclosed else { continue };
            if self.ring_closes(wanted, kind, &group, what, colour) {
                return true;
            }
        }
        false
    }

    /// The region around `origin` bounded by `what`, unless it reaches the border.
    pub(super) fn enclosed(
        &self,
        kind: SiteType,
        origin: i32,
        what: i32,
        any: bool,
        admits: &dyn Fn(&Self, i32) -> bool,
    ) -> Option<Vec<i32>> {
        let outer = &self.g.outer;
        let plane = self.plane(kind);
        let mut group = vec![origin];
        let mut seen = SiteSet::new();
        seen.insert(origin);
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            next += 1;
            for radial in plane.radials(site, Dir::ORTHOGONAL) {
                for &to in &radial.sites[1..] {
                    if seen.contains(to) {
                        continue;
                    }
                    if self.what(kind, to) == what {
                        break;
                    }
                    if any || (admits(self, to) && !outer.contains(to)) {
                        seen.insert(to);
                        group.push(to);
                    }
                    if outer.contains(to) {
                        return None;
                    }
                }
            }
        }
        Some(group)
    }

    pub(super) fn ring_closes(
        &mut self,
        wanted: &Loop,
        kind: SiteType,
        group: &[i32],
        what: i32,
        colour: i32,
    ) -> bool {
        let inside: SiteSet = group.iter().copied().collect();
        let plane = self.plane(kind);
        let mut ring: Vec<i32> = Vec::new();
        for &site in group {
            for &to in plane.steps(site, Dir::ORTHOGONAL) {
                if !inside.contains(to) && !ring.contains(&to) {
                    ring.push(to);
                }
            }
        }
        if ring.iter().any(|&site| self.who(kind, site) != colour) {
            return false;
        }
        // Walk the ring, dropping members that lead nowhere.
        let mut explored: Vec<i32> = Vec::new();
        let (mut at, mut previous) = (0, 0);
        while !ring.is_empty() {
            let site = ring[at.min(ring.len() - 1)];
            if self.what(kind, site) != what {
                ring.retain(|&s| s != site);
                at = previous;
                continue;
            }
            let mut onward = None;
            'search: for dir in self.dirs(&wanted.dirs, kind, site) {
                for &to in plane.steps(site, dir) {
                    if ring.contains(&to) && self.what(kind, to) == what {
                        onward = Some(to);
                        break 'search;
                    }
                }
            }
            match onward {
                None => {
                    ring.retain(|&s| s != site);
                    explored.retain(|&s| s != site);
                    at = previous;
                }
                Some(to) => {
                    explored.push(site);
                    if explored.len() == ring.len() {
                        return true;
                    }
                    if explored.len() > 4 * plane.count {
                        return false;
                    }
                    previous = at;
                    at = ring.iter().position(|&s| s == to).unwrap_or(0);
                }
            }
        }
        false
    }
}
