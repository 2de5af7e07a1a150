//! Connections between regions, and paths that are blocked.

use crate::ctx::Ctx;
use crate::ir::{Connected, Regions};
use crate::sites::SiteSet;

impl Ctx<'_> {
    pub(super) fn region_list(&mut self, regions: &Regions) -> Vec<SiteSet> {
        match regions {
            Regions::List(list) => list.iter().map(|region| self.region(region)).collect(),
            Regions::Static(sets) => sets.clone(),
            Regions::Owned(player) => {
                let player = self.int(player);
                let g = self.g;
                let mut out = Vec::new();
                for region in g.regions.iter().filter(|r| r.owner == player) {
                    let parts: Vec<SiteSet> = region.parts.iter().map(|r| self.region(r)).collect();
                    if region.plain {
                        let mut all = SiteSet::new();
                        for part in &parts {
                            all.union_with(part);
                        }
                        out.push(all);
                    } else {
                        out.extend(parts);
                    }
                }
                out
            }
        }
    }

    /// Whether the group at a site touches enough of the regions.
    pub fn is_connected(&mut self, wanted: &Connected) -> bool {
        let kind = wanted.kind;
        let from = self.int(&wanted.at);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return false;
        }
        let who = self.who(kind, from);
        if who <= 0 {
            return false;
        }
        let owner = match &wanted.regions {
            Regions::Owned(player) => self.int(player),
            _ => -1,
        };
        let mut regions = self.region_list(&wanted.regions);
        let needed = match &wanted.number {
            Some(number) => self.int(number),
            None => regions.len() as i32,
        };
        let mut touched = 0;
        let mut touch = |site: i32, regions: &mut Vec<SiteSet>| {
            let before = regions.len();
            regions.retain(|region| !region.contains(site));
            touched += (before - regions.len()) as i32;
            touched >= needed && touched > 0
        };
        if touch(from, &mut regions) {
            return true;
        }
        if who != owner && owner != -1 {
            return false;
        }
        let mut group = vec![from];
        let mut seen = SiteSet::new();
        seen.insert(from);
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            next += 1;
            for dir in self.dirs(&wanted.dirs, kind, site) {
                for &to in self.plane(kind).steps(site, dir) {
                    if seen.contains(to) {
                        continue;
                    }
                    seen.insert(to);
                    if self.who(kind, to) == who {
                        if touch(to, &mut regions) {
                            return true;
                        }
                        group.push(to);
                    }
                }
            }
        }
        false
    }

    /// Whether no path over empty sites and the player's own joins the regions any more, starting
    /// from the first of them.
    pub fn is_blocked(&mut self, wanted: &Connected) -> bool {
        let mut regions = self.region_list(&wanted.regions);
        let owner = match &wanted.regions {
            Regions::Owned(player) => self.int(player),
            _ => self.s.mover,
        };
        let needed = match &wanted.number {
            Some(number) => self.int(number),
            None => regions.len() as i32,
        };
        if regions.is_empty() {
            return true;
        }
        let starts = regions.remove(0);
        starts
            .iter()
            .all(|from| needed != 1 && !self.joins_from(wanted, owner, &regions, needed, from))
    }

    pub(super) fn joins_from(
        &mut self,
        wanted: &Connected,
        owner: i32,
        others: &[SiteSet],
        needed: i32,
        from: i32,
    ) -> bool {
        let kind = wanted.kind;
        let free = |c: &Self, site: i32| c.who(kind, site) == owner || c.what(kind, site) == 0;
        if !free(self, from) {
            return false;
        }
        let mut left: Vec<&SiteSet> = others.iter().collect();
        let mut joined = 1;
        let mut group = vec![from];
        let mut seen: SiteSet = [from].into_iter().collect();
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            next += 1;
            for dir in self.dirs(&wanted.dirs, kind, site) {
                for &to in self.plane(kind).steps(site, dir) {
                    if seen.contains(to) || !free(self, to) {
                        continue;
                    }
                    seen.insert(to);
                    group.push(to);
                    let before = left.len() as i32;
                    left.retain(|region| !region.contains(to));
                    // They are joined one after the other: a number below is never met.
                    let more = before - left.len() as i32;
                    if more > 0 && (joined + 1..=joined + more).contains(&needed) {
                        return true;
                    }
                    joined += more;
                }
            }
        }
        false
    }
}
