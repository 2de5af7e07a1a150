//! Groups of connected sites: their number, size, liberties and territory.

use crate::ctx::Ctx;
use crate::ir::{Bool, Directions, GroupAt, Groups, Int, Who};
use crate::owned::Held;
use crate::sites::{Numbers, SiteSet};
use crate::topo::{Dir, SiteType};
use smallvec::{SmallVec, smallvec};

/// The sites of a group in the order they were found.
type Members = SmallVec<[i32; 32]>;

impl Ctx<'_> {
    /// The sites reached from `start` over sites for which `joins` holds.
    fn flood(
        &mut self,
        kind: SiteType,
        dirs: &Directions,
        start: i32,
        visible: bool,
        mut joins: impl FnMut(&mut Self, i32) -> bool,
    ) -> Members {
        let mut group: Members = smallvec![start];
        let mut seen = SiteSet::new();
        seen.insert(start);
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            next += 1;
            for dir in self.dirs(dirs, kind, site) {
                let plane = self.plane(kind);
                for &to in plane.steps(site, dir) {
                    let shown = || !visible || self.seen_together(kind, site, to);
                    if !seen.contains(to) && shown() && joins(self, to) {
                        seen.insert(to);
                        group.push(to);
                    }
                }
            }
        }
        group
    }

    fn holds_at(&mut self, cond: &Bool, to: i32) -> bool {
        self.v.to = to;
        self.bool(cond)
    }

    /// All groups of sites that satisfy the condition (occupied sites by default).
    pub fn all_groups(&mut self, groups: &Groups) -> Vec<Vec<i32>> {
        let saved = self.v.to;
        let kind = groups.kind;
        let default = Bool::Occupied(kind, Box::new(Int::To));
        let cond = groups.cond.as_ref().unwrap_or(&default);
        let mut seen = SiteSet::new();
        let mut out = Vec::new();
        let starts = match &groups.within {
            Some(region) => self.sites(region),
            None => (0..self.plane(kind).count as i32).collect(),
        };
        for site in starts {
            if seen.contains(site) || !self.holds_at(cond, site) {
                continue;
            }
            if groups.visible && self.is_covered(kind, site) {
                continue;
            }
            let joins = |c: &mut Self, to: i32| c.holds_at(cond, to);
            let group = self.flood(kind, &groups.dirs, site, groups.visible, joins);
            for &member in &group {
                seen.insert(member);
            }
            out.push(group.into_vec());
        }
        self.v.to = saved;
        out
    }

    /// Groups of the mover's pieces, or of all pieces that satisfy the condition.
    ///
    /// With each group comes the site that was looked at last.
    pub fn owned_groups(&mut self, groups: &Groups) -> Vec<(Vec<i32>, i32)> {
        let kind = groups.kind;
        let mover = self.s.mover;
        let count = self.plane(kind).count as i32;
        let players: Vec<i32> = match groups.cond {
            Some(_) => (0..=self.g.players + 1).collect(),
            None => vec![mover],
        };
        let saved = (self.v.from, self.v.to);
        let mut seen = SiteSet::new();
        let mut out = Vec::new();
        for player in players {
            for Held { site: from, .. } in self.owned(player) {
                if from >= count || seen.contains(from) {
                    continue;
                }
                (self.v.from, self.v.to) = (from, from);
                let joins = |c: &mut Self, to: i32| {
                    c.v.to = to;
                    match &groups.cond {
                        Some(cond) => c.bool(cond),
                        None => c.who(kind, to) == mover,
                    }
                };
                if !joins(self, from) {
                    continue;
                }
                let group = self.flood(kind, &groups.dirs, from, groups.visible, joins);
                for &member in &group {
                    seen.insert(member);
                }
                out.push((group.into_vec(), self.v.to));
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// Sizes of a player's groups, or of everybody's.
    pub fn group_sizes(
        &mut self,
        groups: &Groups,
        who: &Who,
        min: &Int,
        everybody: bool,
    ) -> Numbers {
        let kind = groups.kind;
        let who = self.players_of(who).first().copied().unwrap_or(-1);
        let min = self.int(min);
        let count = self.plane(kind).count as i32;
        let players: Vec<i32> = if everybody { (1..=self.g.players).collect() } else { vec![who] };
        let saved = (self.v.from, self.v.to);
        let mut seen = SiteSet::new();
        let mut out = Numbers::new();
        for player in players {
            for Held { site: from, .. } in self.owned(player) {
                if from >= count || seen.contains(from) {
                    continue;
                }
                self.v.from = from;
                let joins = |c: &mut Self, to: i32| {
                    let member = match &groups.cond {
                        Some(cond) => c.holds_at(cond, to),
                        None => c.who(kind, to) == who,
                    };
                    member || (everybody && c.what(kind, to) != 0)
                };
                let starts = match &groups.cond {
                    Some(cond) => self.bool(cond),
                    None => self.who(kind, from) == who,
                };
                let counts = everybody && self.what(kind, from) != 0;
                let covered = groups.visible && self.is_covered(kind, from);
                if !starts && !counts || covered {
                    continue;
                }
                let group = self.flood(kind, &groups.dirs, from, groups.visible, joins);
                for &member in &group {
                    seen.insert(member);
                }
                if group.len() as i32 >= min {
                    out.push(group.len() as i32);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// Sites of the group at a site (or of the groups at several).
    pub fn group_sites(&mut self, group: &GroupAt) -> SiteSet {
        let kind = group.kind;
        let starts = self.each_site(&group.at);
        let mut out = SiteSet::new();
        for from in starts {
            if from < 0 || from >= self.plane(kind).count as i32 {
                continue;
            }
            match self.known_group(group, from) {
                Some(Ok(known)) => out.union_with(known),
                Some(Err(asked)) => {
                    let found = self.group_from(group, from);
                    self.keep_group(asked, &found);
                    out.union_with(&found);
                }
                None => out.union_with(&self.group_from(group, from)),
            }
        }
        out
    }

    /// Sites of the group at a site of the board.
    fn group_from(&mut self, group: &GroupAt, from: i32) -> SiteSet {
        let kind = group.kind;
        let saved = (self.v.from, self.v.to);
        self.v.to = from;
        let mut out = SiteSet::new();
        if group.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
            let what = self.what(kind, from);
            self.v.from = from;
            let joins = |c: &mut Self, to: i32| match &group.cond {
                Some(cond) => c.holds_at(cond, to),
                None => c.what(kind, to) == what,
            };
            out = self.flood(kind, &group.dirs, from, group.visible, joins).into_iter().collect();
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// Empty neighbours of the group at a site; whoever needs no more than so many gets no more.
    pub fn liberties(&mut self, group: &GroupAt, enough: usize) -> i32 {
        let kind = group.kind;
        let Some(from) = self.each_site(&group.at).next() else {
            return 0;
        };
        if from < 0 {
            return 0;
        }
        let saved = (self.v.from, self.v.to);
        self.v.to = from;
        let starts = group.cond.as_ref().is_none_or(|cond| self.bool(cond));
        let (mut free, mut found) = (SiteSet::new(), 0);
        if starts {
            let what = self.what(kind, from);
            self.v.from = from;
            self.flood(kind, &group.dirs, from, false, |c, to| {
                if found >= enough {
                    return false;
                }
                let there = c.what(kind, to);
                let joins = |cond| c.holds_at(cond, to);
                if there == what && group.cond.as_ref().is_none_or(joins) {
                    return true;
                }
                if there == 0 && !free.contains(to) {
                    free.insert(to);
                    found += 1;
                }
                false
            });
        }
        (self.v.from, self.v.to) = saved;
        found as i32
    }

    /// Number of empty sites in regions that only a player's pieces border.
    pub fn territory(&mut self, kind: SiteType, who: i32, dir: Dir) -> i32 {
        let count = self.plane(kind).count as i32;
        let dirs = Directions::Absolute(vec![dir]);
        let mut seen = SiteSet::new();
        let mut total = 0;
        for site in 0..count {
            if seen.contains(site) || !self.is_empty(kind, site) {
                continue;
            }
            let group = self.flood(kind, &dirs, site, false, |c, to| c.is_empty(kind, to));
            let inside: SiteSet = group.iter().copied().collect();
            seen.union_with(&inside);
            let plane = self.plane(kind);
            let owned = group.iter().all(|&member| {
                let around = plane.steps(member, dir);
                around.iter().all(|&to| inside.contains(to) || self.who(kind, to) == who)
            });
            if owned {
                total += group.len() as i32;
            }
        }
        total
    }
}
