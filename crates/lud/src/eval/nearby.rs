//! Site sets by where they lie: around sites, in a direction, between, in sight.

use crate::ctx::Ctx;
use crate::ir::{Around, Int, Neighbour, Region, Sight, SitesBetween, SitesDirection};
use crate::sites::SiteSet;
use crate::topo::{Dir, Plane, SiteType};

impl Ctx<'_> {
    fn neighbour_fits(&self, filter: Neighbour, what: i32) -> bool {
        let shared = self.g.players + 1;
        let mover = self.s.mover;
        let owner = self.g.owner(what as u16);
        let enemy = if self.g.teams {
            (1..shared).contains(&owner)
                && owner != mover
                && self.team_of(owner) != self.team_of(mover)
        } else {
            owner != mover && owner > 0 && owner < shared
        };
        match filter {
            Neighbour::Empty => what == 0,
            Neighbour::NotEmpty => what != 0,
            Neighbour::Own => what != 0 && (owner == mover || owner == shared),
            Neighbour::NotOwn => what != 0 && owner != mover && owner != shared,
            Neighbour::Enemy => what != 0 && enemy,
            Neighbour::NotEnemy if self.g.teams => what != 0 && (enemy || owner == shared),
            Neighbour::NotEnemy => what != 0 && (owner == mover || owner == shared),
        }
    }

    pub(super) fn around(&mut self, around: &Around) -> SiteSet {
        let distance = self.int(&around.distance).max(0) as usize;
        let saved = (self.v.from, self.v.to);
        let mut out = SiteSet::new();
        if let Region::One(at) = &around.at {
            let site = self.int(at);
            if site == -1 {
                return out;
            }
            self.add_around(around, distance, site, &mut out);
            (self.v.from, self.v.to) = saved;
            match self.bool(&around.include_self) {
                true => out.insert(site),
                false => out.remove(site),
            }
            return out;
        }
        let centres = self.region(&around.at);
        for site in centres.iter() {
            self.add_around(around, distance, site, &mut out);
        }
        (self.v.from, self.v.to) = saved;
        match self.bool(&around.include_self) {
            true => out.union_with(&centres),
            false => out.subtract(&centres),
        }
        out
    }

    /// Adds the sites around one that are meant.
    fn add_around(&mut self, around: &Around, distance: usize, site: i32, out: &mut SiteSet) {
        let plane = self.plane(around.kind);
        if site < 0 || site >= plane.count as i32 {
            return;
        }
        if around.cond.is_none()
            && around.filter.is_none()
            && matches!(around.distance, Int::Const(_))
        {
            let near = |site| neighbours(plane, site, around.dir, distance).collect();
            let known = around.known.get(|| (0..plane.count as i32).map(near).collect());
            match out.is_empty() {
                true => out.clone_from(&known[site as usize]),
                false => out.union_with(&known[site as usize]),
            }
            return;
        }
        self.v.from = site;
        for to in neighbours(plane, site, around.dir, distance) {
            self.v.to = to;
            let fits = around.cond.as_ref().is_none_or(|cond| self.bool(cond));
            let meant = |filter| self.neighbour_fits(filter, self.what(around.kind, to));
            if fits && around.filter.is_none_or(meant) {
                out.insert(to);
            }
        }
    }

    pub(super) fn in_direction(&mut self, wanted: &SitesDirection) -> SiteSet {
        let starts = self.sites(&wanted.from);
        let distance = self.int(&wanted.distance);
        let kind = wanted.kind;
        let plane = self.plane(kind);
        let mut out = SiteSet::new();
        for site in starts {
            if site < 0 {
                return out;
            }
            if site >= plane.count as i32 {
                continue;
            }
            let saved = self.v.to;
            if self.bool(&wanted.included) {
                out.insert(site);
            }
            for dir in self.dirs(&wanted.dirs, kind, site) {
                for radial in plane.radials(site, dir) {
                    for &to in radial.sites[1..].iter().take(distance.max(0) as usize) {
                        self.v.to = to;
                        if self.bool(&wanted.stop) {
                            if self.bool(&wanted.stop_included) {
                                out.insert(to);
                            }
                            break;
                        }
                        out.insert(to);
                    }
                }
            }
            self.v.to = saved;
        }
        out
    }

    /// Whether a site is among them.
    pub(super) fn lies_in_direction(&mut self, wanted: &SitesDirection, aim: i32) -> bool {
        let starts = self.sites(&wanted.from);
        let distance = self.int(&wanted.distance).max(0) as usize;
        let plane = self.plane(wanted.kind);
        let known = starts.into_iter().take_while(|&site| site >= 0);
        let saved = self.v.to;
        for site in known.filter(|&site| site < plane.count as i32) {
            if site == aim && self.bool(&wanted.included) {
                return true;
            }
            for dir in self.dirs(&wanted.dirs, wanted.kind, site) {
                let found = plane.radials(site, dir).any(|radial| {
                    let line = &radial.sites[1..];
                    let at = line.iter().take(distance).position(|&to| to == aim);
                    at.is_some_and(|at| self.reaches(wanted, &line[..=at]))
                });
                self.v.to = saved;
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// Whether nothing stops on the way to the last site of a line.
    fn reaches(&mut self, wanted: &SitesDirection, line: &[i32]) -> bool {
        for (n, &to) in line.iter().enumerate() {
            self.v.to = to;
            if self.bool(&wanted.stop) {
                return n + 1 == line.len() && self.bool(&wanted.stop_included);
            }
        }
        true
    }

    pub(super) fn between(&mut self, wanted: &SitesBetween) -> SiteSet {
        let (from, to) = (self.int(&wanted.from), self.int(&wanted.to));
        let kind = wanted.kind;
        let plane = self.plane(kind);
        let count = plane.count as i32;
        let mut out = SiteSet::new();
        if !(0..count).contains(&from) || !(0..count).contains(&to) {
            return out;
        }
        let saved = (self.v.from, self.v.to, self.v.between);
        (self.v.from, self.v.to) = (from, to);
        if self.bool(&wanted.from_included) {
            out.insert(from);
        }
        if self.bool(&wanted.to_included) {
            out.insert(to);
        }
        'search: for dir in self.dirs(&wanted.dirs, kind, from) {
            for radial in plane.radials(from, dir) {
                let Some(end) = radial.sites.iter().skip(1).position(|&s| s == to) else {
                    continue;
                };
                for &site in radial.sites[1..=end].iter().rev() {
                    self.v.between = site;
                    if self.bool(&wanted.cond) {
                        out.insert(site);
                    }
                }
                break 'search;
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    pub(super) fn line_of_sight(
        &mut self,
        sight: Sight,
        kind: SiteType,
        from: i32,
        dirs: &crate::ir::Directions,
    ) -> SiteSet {
        let plane = self.plane(kind);
        let mut out = SiteSet::new();
        if from < 0 || from >= plane.count as i32 {
            return out;
        }
        for dir in self.dirs(dirs, kind, from) {
            for radial in plane.radials(from, dir) {
                let line = &radial.sites[1..];
                let blocker = line.iter().position(|&s| self.what(kind, s) != 0);
                let free = &line[..blocker.unwrap_or(line.len())];
                match sight {
                    Sight::Empty => free.iter().for_each(|&s| out.insert(s)),
                    Sight::Farthest => free.last().into_iter().for_each(|&s| out.insert(s)),
                    Sight::Piece => blocker.into_iter().for_each(|at| out.insert(line[at])),
                }
            }
        }
        out
    }

    /// Where walks end, one entry per walk that stays on the board.
    pub fn walk_ends(
        &mut self,
        kind: SiteType,
        from: i32,
        walks: &[Vec<crate::ir::Turn>],
        all_rotations: bool,
    ) -> Vec<i32> {
        if from < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let supported = self.plane(kind).supported(crate::ir::Relation::Orthogonal);
        let starts = if all_rotations { supported } else { &supported[..supported.len().min(1)] };
        let mut out = Vec::new();
        for &start in starts {
            for walk in walks {
                out.extend(self.walk_from(kind, from, start, walk).last());
            }
        }
        out
    }

    pub(super) fn expand(
        &self,
        kind: SiteType,
        base: SiteSet,
        steps: i32,
        dir: Option<Dir>,
    ) -> SiteSet {
        expanded(self.plane(kind), base, steps, dir)
    }
}

/// The sites at a distance from one along lines.
fn neighbours(
    plane: &Plane,
    site: i32,
    dir: Dir,
    distance: usize,
) -> impl Iterator<Item = i32> + '_ {
    plane.radials(site, dir).filter_map(move |line| line.sites.get(distance).copied())
}

/// A set of sites and all that are so many steps from them at most.
pub(crate) fn expanded(plane: &Plane, base: SiteSet, steps: i32, dir: Option<Dir>) -> SiteSet {
    let dir = dir.unwrap_or(Dir::ADJACENT);
    let mut edge = base.clone();
    let mut out = base;
    for _ in 0..steps.max(0) {
        // Only from sites reached last can there be new ones.
        let near = edge.iter().flat_map(|site| plane.steps(site, dir)).copied();
        edge = near.filter(|&to| !out.contains(to)).collect();
        if edge.is_empty() {
            break;
        }
        out.union_with(&edge);
    }
    out
}
