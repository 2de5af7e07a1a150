//! Captures by position: between, beside, around, along.

use super::Mv;
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Bool, Custodial, Directional, Directions, Enclose, Int, Moves, Surround};
use crate::sites::{Numbers, SiteSet};
use crate::topo::{Dir, Radial, SiteType};
use smallvec::SmallVec;

/// Sites of a group.
type Chain = SmallVec<[i32; 64]>;

impl Ctx<'_> {
    fn at_between(&mut self, site: i32, cond: &Bool) -> bool {
        self.v.between = site;
        self.bool(cond)
    }

    fn at_to(&mut self, site: i32, cond: &Bool) -> bool {
        self.v.to = site;
        self.bool(cond)
    }

    pub(super) fn custodial(&mut self, c: &Custodial) -> Vec<Mv> {
        let from = self.int(&c.from);
        if from < 0 || from >= self.plane(c.kind).count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to, self.v.between);
        let (min, max) = (self.int(&c.length.min), self.int(&c.length.max));
        let mut out = Vec::new();
        for radial in self.plane(c.kind).radials(from, c.dir) {
            if max == 1 && min < 2 {
                self.sandwich_one(c, radial, &mut out);
            } else if max > 1 && min <= max {
                self.sandwich(c, radial, (min, max), &mut out);
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    fn sandwich_one(&mut self, c: &Custodial, radial: &Radial, out: &mut Vec<Mv>) {
        let [_, between, beyond, ..] = radial.sites[..] else {
            return;
        };
        if !self.at_between(between, &c.target) || !self.at_to(beyond, &c.friend) {
            return;
        }
        self.v.between = between;
        out.extend(self.moves(&c.effect));
        if let Some(last) = out.last_mut() {
            last.between = SmallVec::from_slice(&[between]);
        }
    }

    fn sandwich(
        &mut self,
        c: &Custodial,
        radial: &Radial,
        (min, max): (i32, i32),
        out: &mut Vec<Mv>,
    ) {
        let mut n = 1;
        while n < radial.sites.len() && n as i32 <= max {
            if !self.at_between(radial.sites[n], &c.target) {
                break;
            }
            n += 1;
        }
        if n == 1 || min >= n as i32 {
            return;
        }
        let beyond = radial.sites.get(n).copied().unwrap_or(NONE);
        if !self.at_to(beyond, &c.friend) {
            return;
        }
        let caught = &radial.sites[1..n];
        for &site in caught {
            self.v.between = site;
            out.extend(self.moves(&c.effect));
        }
        if let Some(last) = out.last_mut() {
            last.between = SmallVec::from_slice(caught);
        }
    }

    pub(super) fn intervene(&mut self, c: &Custodial) -> Vec<Mv> {
        let from = self.int(&c.from);
        if from < 0 || from >= self.plane(c.kind).count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to);
        let (min, max) = (self.int(&c.length.min), self.int(&c.length.max));
        let plane = self.plane(c.kind);
        let mut out = Vec::new();
        for radial in plane.lines(from, c.dir) {
            let near = self.run_of_targets(c, radial, max);
            if (near.len() as i32) < min || near.is_empty() {
                continue;
            }
            // Sites of several opposite radials pile up, as the reference has it.
            let mut far: Vec<i32> = Vec::new();
            let mut found = false;
            for &opposite in &radial.opposites {
                let opposite = &plane.radials[from as usize][opposite as usize];
                let run = self.run_of_targets(c, opposite, max);
                if max == 1 && min == 1 {
                    far = run;
                } else {
                    far.extend(run);
                }
                if (far.len() as i32) < min || far.len() as i32 > max || far.is_empty() {
                    continue;
                }
                for &site in &far {
                    self.v.to = site;
                    out.extend(self.moves(&c.effect));
                }
                found = true;
            }
            if found {
                for &site in &near {
                    self.v.to = site;
                    out.extend(self.moves(&c.effect));
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    fn run_of_targets(&mut self, c: &Custodial, radial: &Radial, max: i32) -> Vec<i32> {
        let mut run = Vec::new();
        for &site in radial.sites[1..].iter().take(max.max(0) as usize) {
            if !self.at_to(site, &c.target) {
                break;
            }
            run.push(site);
        }
        run
    }

    pub(super) fn surround(&mut self, s: &Surround) -> Vec<Mv> {
        let from = self.int(&s.from);
        let except = self.int(&s.except);
        let with = s.with.as_ref().map(|with| self.int(with));
        let plane = self.plane(s.kind);
        if from < 0 || from >= plane.count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to, self.v.between);
        let mut out = Vec::new();
        for radial in plane.radials(from, s.relation) {
            let Some(&site) = radial.sites.get(1) else {
                continue;
            };
            if !self.at_between(site, &s.target) {
                continue;
            }
            let mut open = 0;
            let mut with_found = false;
            for around in plane.radials(site, s.relation) {
                let Some(&friend) = around.sites.get(1) else {
                    continue;
                };
                if friend != from && !self.at_to(friend, &s.friend) {
                    open += 1;
                }
                let what = self.what(s.kind, friend);
                with_found |= with.is_none_or(|with| with == what);
                if open > except {
                    break;
                }
            }
            if open <= except && with_found {
                self.v.between = site;
                out.extend(self.moves(&s.effect));
                if let Some(last) = out.last_mut() {
                    last.between = SmallVec::from_slice(&[site]);
                }
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    pub(super) fn enclose(&mut self, e: &Enclose) -> Vec<Mv> {
        let from = self.int(&e.from);
        let kind = e.kind;
        if from < 0 || from >= self.plane(kind).count as i32 || self.what(kind, from) <= 0 {
            return Vec::new();
        }
        let saved = (self.v.to, self.v.between);
        let allowed = self.int(&e.exceptions);
        let starts = self.enclose_starts(e, from, allowed);
        let empties = mentions_empty(&e.target);
        let mut checked = SiteSet::new();
        let mut out = Vec::new();
        for start in starts {
            if checked.contains(start) {
                continue;
            }
            let Some(group) = self.enclosed_group(e, start, allowed, &mut checked) else {
                continue;
            };
            if !self.is_sealed(e, &group, empties) {
                continue;
            }
            for &site in &group {
                self.v.between = site;
                out.extend(self.moves(&e.effect));
            }
            if let Some(last) = out.last_mut() {
                last.between = SmallVec::from_slice(&group);
            }
        }
        (self.v.to, self.v.between) = saved;
        out
    }

    fn near(&mut self, dirs: &Directions, kind: SiteType, site: i32) -> Numbers {
        let plane = self.plane(kind);
        let dirs = self.dirs(dirs, kind, site);
        let all = dirs.iter().flat_map(|&dir| plane.steps(site, dir));
        all.copied().collect()
    }

    fn enclose_starts(&mut self, e: &Enclose, from: i32, allowed: i32) -> Numbers {
        let mut starts = Numbers::new();
        for site in self.near(&e.dirs, e.kind, from) {
            if starts.contains(&site) {
                continue;
            }
            let fits = self.at_between(site, &e.target);
            if fits || (allowed > 0 && self.what(e.kind, site) == 0) {
                starts.push(site);
            }
        }
        starts
    }

    fn enclosed_group(
        &mut self,
        e: &Enclose,
        start: i32,
        allowed: i32,
        checked: &mut SiteSet,
    ) -> Option<Chain> {
        let kind = e.kind;
        let mut left = allowed;
        if left > 0 && self.what(kind, start) == 0 {
            left -= 1;
        }
        let mut group = Chain::from_slice(&[start]);
        let mut inside = SiteSet::new();
        inside.insert(start);
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            for to in self.near(&e.dirs, kind, site) {
                if inside.contains(to) {
                    continue;
                }
                if self.at_between(to, &e.target) {
                    inside.insert(to);
                    group.push(to);
                } else if self.what(kind, to) == 0 {
                    if left == 0 {
                        return None;
                    }
                    left -= 1;
                    inside.insert(to);
                    group.push(to);
                }
            }
            checked.insert(site);
            next += 1;
        }
        Some(group)
    }

    fn is_sealed(&mut self, e: &Enclose, group: &[i32], empties: bool) -> bool {
        let kind = e.kind;
        let inside: SiteSet = group.iter().copied().collect();
        let mut wall: Vec<i32> = Vec::new();
        for &site in group {
            for to in self.near(&e.dirs, kind, site) {
                if inside.contains(to) || wall.contains(&to) {
                    continue;
                }
                let open =
                    if empties { self.at_between(to, &e.target) } else { self.what(kind, to) == 0 };
                if open {
                    return false;
                }
                wall.push(to);
            }
        }
        if !empties {
            return true;
        }
        // With empty sites inside, the wall must be one chain.
        let Some(&first) = wall.first() else {
            return false;
        };
        let mut site = first;
        while wall.len() != 1 {
            let around = self.plane(kind).steps(site, Dir::ALL);
            let Some(&to) = around.iter().find(|to| wall.contains(to)) else {
                return false;
            };
            wall.retain(|&s| s != site);
            site = to;
        }
        true
    }

    pub(super) fn directional(&mut self, d: &Directional) -> Vec<Mv> {
        let from = self.int(&d.from);
        let kind = d.kind;
        let plane = self.plane(kind);
        if from < 0 || from >= plane.count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to);
        let mut out = Vec::new();
        for dir in self.dirs(&d.dirs, kind, from) {
            for radial in plane.radials(from, dir) {
                for &site in &radial.sites[1..] {
                    if !self.at_to(site, &d.target) {
                        break;
                    }
                    let kept = self.v.from;
                    (self.v.from, self.v.to) = (NONE, site);
                    out.extend(self.moves(&d.effect));
                    self.v.from = kept;
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    pub(super) fn attract(&mut self, kind: SiteType, from: &Int, dir: Dir) -> Vec<Mv> {
        let from = self.int(from);
        if from < 0 {
            return Vec::new();
        }
        let mut out = Vec::new();
        for radial in self.plane(kind).radials(from, dir) {
            let mut pieces = Vec::new();
            for &site in &radial.sites[1..] {
                let what = self.what(kind, site);
                if what != 0 {
                    pieces.push(what);
                    out.push(Mv::of(removed(kind, site), false));
                }
            }
            for (&site, what) in radial.sites[1..].iter().zip(pieces) {
                out.push(Mv::of(placed(kind, site, what), false));
            }
        }
        out
    }

    pub(super) fn push_pieces(&mut self, kind: SiteType, from: &Int, dirs: &Directions) -> Vec<Mv> {
        let from = self.int(from);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let Some(&dir) = self.dirs(dirs, kind, from).first() else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for radial in self.plane(kind).radials(from, dir) {
            let mut carried = self.what(kind, from);
            out.push(Mv::of(removed(kind, from), false));
            for &site in &radial.sites[1..] {
                let what = self.what(kind, site);
                if what == 0 {
                    out.push(Mv::of(placed(kind, site, carried), false));
                    break;
                }
                out.push(Mv::of(removed(kind, site), false));
                out.push(Mv::of(placed(kind, site, carried), false));
                carried = what;
            }
        }
        out
    }
}

fn removed(kind: SiteType, to: i32) -> Change {
    Change::Remove { kind, to, level: NONE, applied: true }
}

fn placed(kind: SiteType, to: i32, what: i32) -> Change {
    Change::Add { kind, to, what, count: 1, state: NONE, rotation: NONE, value: NONE, stack: false }
}

/// Whether a condition asks for empty sites.
fn mentions_empty(cond: &Bool) -> bool {
    match cond {
        Bool::Empty(..) => true,
        Bool::Not(a) => mentions_empty(a),
        Bool::And(all) | Bool::Or(all) => all.iter().any(mentions_empty),
        Bool::If(a, b, c) => [a, b, c].into_iter().any(|x| mentions_empty(x)),
        _ => false,
    }
}

/// Kept beside the captures: what an effect does to the piece between.
pub fn default_capture(at: Int) -> Moves {
    use crate::ir::{MovesKind, Region, Remove};
    Moves {
        kind: MovesKind::Remove(Box::new(Remove {
            kind: None,
            at: Region::One(Box::new(at)),
            level: None,
            later: false,
            count: Int::Const(1),
            decision: false,
        })),
        then: None,
    }
}
