//! Steps, hops and leaps.

use super::Mv;
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Bool, Hop, Leap, Moves, Origin, Step};
use crate::sites::Numbers;
use crate::topo::{Dir, Radial, SiteType};
use smallvec::SmallVec;

/// A plain move of the top piece from one site to another.
pub(super) fn plain(kind: SiteType, from: i32, to: i32) -> Change {
    Change::Move {
        kind_from: kind,
        from,
        level_from: NONE,
        kind_to: kind,
        to,
        level_to: NONE,
        state: NONE,
        rotation: NONE,
        value: NONE,
        stack: false,
    }
}

/// The same with a level or the whole stack.
pub(super) fn levelled(kind: SiteType, from: i32, level: i32, to: i32, stack: bool) -> Change {
    Change::Move {
        kind_from: kind,
        from,
        level_from: level,
        kind_to: kind,
        to,
        level_to: NONE,
        state: NONE,
        rotation: NONE,
        value: NONE,
        stack,
    }
}

/// A hurdle on a radial: where it starts and how long it is.
struct Hurdle {
    start: usize,
    sites: Numbers,
    after: usize,
}

impl Ctx<'_> {
    /// The effects of an optional rule.
    pub(super) fn effects_of(&mut self, effect: Option<&Moves>) -> Vec<Mv> {
        effect.map_or_else(Vec::new, |effect| self.moves(effect))
    }

    fn allowed(&mut self, cond: Option<&Bool>) -> bool {
        cond.is_none_or(|cond| self.bool(cond))
    }

    fn level_of(&mut self, origin: &Origin) -> i32 {
        origin.level.as_ref().map_or(NONE, |level| self.int(level))
    }

    pub(super) fn step(&mut self, step: &Step) -> Vec<Mv> {
        let from = self.int(&step.from.site);
        let kind = step.from.kind.unwrap_or(self.g.topo.default);
        let plane = self.plane(kind);
        if from == NONE || from >= plane.count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to);
        let dirs = self.dirs(&step.dirs, kind, from);
        let level = self.level_of(&step.from);
        self.v.from = from;
        // A condition on the start that fails leaves the start bound.
        if !self.allowed(step.from.cond.as_ref()) {
            return Vec::new();
        }
        let mover = self.s.mover;
        let mut reached = Numbers::new();
        let mut out: Vec<Mv> = Vec::new();
        for dir in dirs {
            for &to in plane.steps(from, dir) {
                self.v.to = to;
                if self.misses(to) || !self.bool(&step.cond) || reached.contains(&to) {
                    continue;
                }
                reached.push(to);
                if !self.takes(to) {
                    continue;
                }
                let level = match level {
                    NONE if step.stack || !self.g.stacking => NONE,
                    NONE => self.height(Some(kind), from) - 1,
                    level => level,
                };
                let change = levelled(kind, from, level, to, step.stack);
                let m = Mv::of(change, step.decision);
                let effects = self.effects_of(step.effect.as_ref());
                out.push(m.after(effects).at(from, to).by(mover));
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    pub(super) fn hop(&mut self, hop: &Hop) -> Vec<Mv> {
        let from = self.int(&hop.from.site);
        let kind = hop.from.kind.unwrap_or(self.g.topo.default);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let saved = (self.v.from, self.v.to, self.v.between);
        let dirs = self.dirs(&hop.dirs, kind, from);
        let before = self.int(&hop.before);
        let (min, max) = (self.int(&hop.length.min), self.int(&hop.length.max));
        let after = self.int(&hop.after);
        self.v.from = from;
        let mut out = Vec::new();
        if min == 0 {
            self.hop_nothing(hop, kind, from, &dirs, &mut out);
        }
        if max > 0 {
            for &dir in &dirs {
                for radial in self.plane(kind).radials(from, dir) {
                    if self.misses_line(radial) {
                        continue;
                    }
                    if let Some(hurdle) = self.find_hurdle(hop, radial, before, (min, max)) {
                        self.hop_over(hop, kind, radial, &hurdle, (min, after), &mut out);
                    }
                }
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        let mover = self.s.mover;
        for m in &mut out {
            m.mover = mover;
        }
        out
    }

    fn hop_nothing(
        &mut self,
        hop: &Hop,
        kind: SiteType,
        from: i32,
        dirs: &[Dir],
        out: &mut Vec<Mv>,
    ) {
        let mut reached = Numbers::new();
        for &dir in dirs {
            for &to in self.plane(kind).steps(from, dir) {
                if !self.allowed(hop.from.cond.as_ref()) {
                    continue;
                }
                self.v.to = to;
                if self.misses(to) || !self.bool(&hop.go) || reached.contains(&to) {
                    continue;
                }
                reached.push(to);
                if !self.takes(to) {
                    continue;
                }
                let m = Mv::of(levelled(kind, from, NONE, to, hop.stack), hop.decision);
                let effects = self.effects_of(hop.effect.as_ref());
                out.push(m.after(effects).at(from, to));
            }
        }
    }

    /// The first hurdle along a radial that may be jumped.
    fn find_hurdle(
        &mut self,
        hop: &Hop,
        radial: &Radial,
        before: i32,
        (min, max): (i32, i32),
    ) -> Option<Hurdle> {
        let hurdle = hop.hurdle.as_ref()?;
        for (n, &site) in radial.sites.iter().enumerate().skip(1) {
            if !self.allowed(hop.from.cond.as_ref()) {
                continue;
            }
            self.v.between = site;
            if self.bool(hurdle) {
                let mut sites = Numbers::from_slice(&[site]);
                let mut next = n + 1;
                let mut broken = false;
                while next < radial.sites.len() && (sites.len() as i32) < max {
                    self.v.between = radial.sites[next];
                    if !self.bool(hurdle) {
                        broken = true;
                        break;
                    }
                    sites.push(radial.sites[next]);
                    next += 1;
                }
                let length = sites.len() as i32;
                if length < min || (broken && length == max) {
                    return None;
                }
                return Some(Hurdle { start: n, sites, after: next });
            }
            self.v.to = site;
            if n as i32 > before || !self.bool(&hop.go) {
                return None;
            }
        }
        None
    }

    fn hop_over(
        &mut self,
        hop: &Hop,
        kind: SiteType,
        radial: &Radial,
        hurdle: &Hurdle,
        (min, after): (i32, i32),
        out: &mut Vec<Mv>,
    ) {
        debug_assert!(hurdle.start >= 1);
        let from = radial.sites[0];
        let length = hurdle.sites.len() as i32;
        for short in (0..=(length - min).max(0)).rev() {
            let first = hurdle.after as i32 - short;
            for (n, &to) in radial.sites.iter().enumerate().skip(first.max(0) as usize) {
                self.v.to = to;
                if !self.bool(&hop.go) {
                    if hop.stop.as_ref().is_some_and(|stop| self.bool(stop)) && self.takes(to) {
                        let m = Mv::of(levelled(kind, from, NONE, to, hop.stack), hop.decision);
                        let effects = self.effects_of(hop.stop_effect.as_ref());
                        let mut m = m.after(effects).at(from, to);
                        m.between = SmallVec::from_slice(&hurdle.sites);
                        out.push(m);
                    }
                    break;
                }
                if hop.stop.is_none() && self.takes(to) {
                    let mut m = Mv::of(levelled(kind, from, NONE, to, hop.stack), hop.decision);
                    let effects = self.effects_of(hop.stop_effect.as_ref());
                    m = m.after(effects);
                    for &site in &hurdle.sites[..(length - short).max(0) as usize] {
                        self.v.between = site;
                        let effects = self.effects_of(hop.effect.as_ref());
                        m = m.after(effects);
                    }
                    m = m.at(from, to);
                    m.between = SmallVec::from_slice(&hurdle.sites);
                    out.push(m);
                }
                if n as i32 - hurdle.after as i32 + 1 > after - short {
                    break;
                }
            }
        }
    }

    pub(super) fn leap(&mut self, leap: &Leap) -> Vec<Mv> {
        let from = self.int(&leap.from.site);
        let kind = leap.from.kind.unwrap_or(self.g.topo.default);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let facing = if self.bool(&leap.forward) {
            self.g.components[self.what(kind, from).max(0) as usize].facing
        } else {
            None
        };
        let saved = (self.v.from, self.v.to);
        self.v.from = from;
        if !self.allowed(leap.from.cond.as_ref()) {
            return Vec::new();
        }
        let all = self.bool(&leap.rotations);
        let ends = self.walk_ends(kind, from, &leap.walks, all);
        let ends: crate::sites::SiteSet = ends.into_iter().collect();
        let mover = self.s.mover;
        let mut out = Vec::new();
        for to in ends.iter() {
            if facing.is_some_and(|dir| !self.is_ahead(kind, dir, from, to)) {
                continue;
            }
            self.v.to = to;
            if self.misses(to) || !self.bool(&leap.go) || !self.takes(to) {
                continue;
            }
            let m = Mv::of(plain(kind, from, to), leap.decision);
            let effects = self.effects_of(leap.effect.as_ref());
            out.push(m.after(effects).at(from, to).by(mover));
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// Whether a site lies in the half or quarter of the board that a direction points to.
    pub fn is_ahead(&self, kind: SiteType, dir: Dir, from: i32, to: i32) -> bool {
        let plane = self.plane(kind);
        let up = plane.row[to as usize] - plane.row[from as usize];
        let right = plane.column[to as usize] - plane.column[from as usize];
        match dir.0 {
            13 => up > 0,
            17 => up > 0 && right > 0,
            14 => right > 0,
            18 => up < 0 && right > 0,
            15 => up < 0,
            20 => up < 0 && right < 0,
            16 => right < 0,
            19 => up > 0 && right < 0,
            _ => false,
        }
    }
}
