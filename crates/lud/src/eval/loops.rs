//! Loops: rings of one colour around something.

use crate::ctx::Ctx;
use crate::ir::{Loop, Region};
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

impl Ctx<'_> {
    /// Whether the piece at the start closes a loop of its colour.
    pub fn is_loop(&mut self, wanted: &Loop) -> bool {
        let from = self.loop_start(wanted);
        let what = self.loop_piece(wanted.kind, from);
        if wanted.path && what > 0 && self.g.components[what as usize].tile.is_some() {
            let colour = self.loop_colour(wanted);
            let starts = match &wanted.starts {
                Some(region) => self.sites(region),
                None => self.sites(&Region::LastTo),
            };
            return starts.iter().any(|&start| self.path_closes(colour, start));
        }
        self.closed_loop(wanted, from).is_some()
    }

    /// The sites inside the loop that the piece at the start closes, or as few sites of the loop as still close it.
    pub(super) fn loop_sites(&mut self, wanted: &Loop, inside: bool) -> SiteSet {
        let from = self.loop_start(wanted);
        let found = self.closed_loop(wanted, from);
        let sites = match found {
            None => Vec::new(),
            Some((group, _)) if inside => group,
            Some((_, ring)) => self.least_ring(wanted, ring),
        };
        sites.into_iter().collect()
    }

    fn loop_start(&mut self, wanted: &Loop) -> i32 {
        match &wanted.starts {
            Some(region) => self.sites(region).first().copied().unwrap_or(-1),
            None => self.s.last.to,
        }
    }

    /// The piece that closes a loop; below one: none.
    fn loop_piece(&self, kind: SiteType, from: i32) -> i32 {
        match (0..self.plane(kind).count as i32).contains(&from) {
            true => self.what(kind, from),
            false => 0,
        }
    }

    fn loop_colour(&mut self, wanted: &Loop) -> i32 {
        match &wanted.colour {
            Some(colour) => self.int(colour),
            None => self.s.mover,
        }
    }

    /// What the piece at the start encloses, and the ring around that.
    fn closed_loop(&mut self, wanted: &Loop, from: i32) -> Option<(Vec<i32>, Vec<i32>)> {
        let kind = wanted.kind;
        let what = self.loop_piece(kind, from);
        if what <= 0 {
            return None;
        }
        let colour = self.loop_colour(wanted);
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
            if let Some(ring) = self.ring_around(wanted, kind, &group, what, colour) {
                return Some((group, ring));
            }
        }
        None
    }

    /// Leaves sites of a ring out from its end, as long as the others can be walked from the first of them, one
    /// neighbour at a time, to one beside it. As in the reference, the site left out is the one whose number is the
    /// place in the ring.
    fn least_ring(&mut self, wanted: &Loop, ring: Vec<i32>) -> Vec<i32> {
        let kind = wanted.kind;
        let mut least = ring;
        for at in (0..least.len()).rev() {
            let mut rest = least.clone();
            if at < rest.len() {
                rest.remove(at);
            }
            let Some(&first) = rest.first() else {
                break;
            };
            let mut group = vec![first];
            let mut next = 0;
            while next < group.len() {
                let site = group[next];
                next += 1;
                let dirs = self.dirs(&wanted.dirs, kind, site);
                let plane = self.plane(kind);
                let new = |to: &&i32| rest.contains(to) && !group.contains(to);
                let found = dirs.iter().find_map(|&dir| plane.steps(site, dir).iter().find(new));
                group.extend(found.copied());
            }
            let last = group[group.len() - 1];
            let dirs = self.dirs(&wanted.dirs, kind, last);
            let plane = self.plane(kind);
            let closes = dirs.iter().any(|&dir| plane.steps(last, dir).contains(&first));
            if closes && group.len() == rest.len() {
                let number = at as i32;
                if let Some(place) = least.iter().position(|&site| site == number) {
                    least.remove(place);
                }
            }
        }
        least
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

    fn ring_around(
        &mut self,
        wanted: &Loop,
        kind: SiteType,
        group: &[i32],
        what: i32,
        colour: i32,
    ) -> Option<Vec<i32>> {
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
            return None;
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
                        return Some(ring);
                    }
                    if explored.len() > 4 * plane.count {
                        return None;
                    }
                    previous = at;
                    at = ring.iter().position(|&s| s == to).unwrap_or(0);
                }
            }
        }
        None
    }
}
