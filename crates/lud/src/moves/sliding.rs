//! Slides along lines and tracks, and shots.

use super::Mv;
use super::stepping::{levelled, plain};
use crate::action::{Change, NONE};
use crate::ctx::Ctx;
use crate::ir::{Shoot, Slide};
use crate::sites::Numbers;
use crate::topo::{Radial, SiteType};
use smallvec::SmallVec;

impl Ctx<'_> {
    pub(super) fn slide(&mut self, slide: &Slide) -> Vec<Mv> {
        let from = self.int(&slide.from.site);
        if from == NONE {
            return Vec::new();
        }
        if let Some(track) = &slide.track {
            return self.slide_on_track(slide, track, from);
        }
        let kind = slide.from.kind.unwrap_or(self.g.topo.default);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let min = self.int(&slide.distance.min);
        let saved = (self.v.from, self.v.to, self.v.between);
        self.v.from = from;
        let dirs = self.dirs(&slide.dirs, kind, from);
        let level = match &slide.from.level {
            Some(level) => self.int(level),
            None => NONE,
        };
        let max = self.int(&slide.distance.max);
        if slide.from.cond.as_ref().is_some_and(|cond| !self.bool(cond)) {
            return Vec::new();
        }
        let mut out = Vec::new();
        for dir in dirs {
            for radial in self.plane(kind).radials(from, dir) {
                if slide.between.is_none() && self.misses_line(radial) {
                    continue;
                }
                self.v.between = saved.2;
                self.slide_along(slide, kind, radial, level, (min, max), &mut out);
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        let mover = self.s.mover;
        for m in &mut out {
            m.mover = mover;
        }
        out
    }

    fn slide_along(
        &mut self,
        slide: &Slide,
        kind: SiteType,
        radial: &Radial,
        level: i32,
        (min, max): (i32, i32),
        out: &mut Vec<Mv>,
    ) {
        let mut between = Numbers::new();
        for (n, &to) in radial.sites.iter().enumerate().skip(1) {
            if n as i32 > max {
                break;
            }
            self.v.to = to;
            if slide.stop.as_ref().is_some_and(|stop| self.bool(stop)) && min <= n as i32 {
                out.extend(self.slide_to(slide, kind, radial, n, level, true, &between));
                break;
            }
            self.v.between = to;
            if !self.bool(&slide.go) {
                break;
            }
            if min <= n as i32 {
                out.extend(self.slide_to(slide, kind, radial, n, level, false, &between));
            }
            between.push(to);
        }
    }

    /// The slide to the n-th site of a radial, if that site will do.
    #[allow(clippy::too_many_arguments, reason = "one slide, told in full")]
    fn slide_to(
        &mut self,
        slide: &Slide,
        kind: SiteType,
        radial: &Radial,
        n: usize,
        level: i32,
        stopped: bool,
        between: &[i32],
    ) -> Option<Mv> {
        let (from, to) = (radial.sites[0], radial.sites[n]);
        let fits = |c: &mut Self| slide.to.as_ref().is_none_or(|cond| c.bool(cond));
        // Effects on what is passed bind it, and the condition sees that.
        if slide.between.is_some() {
            let m = self.slide_move(slide, kind, radial, n, level, stopped, between);
            return (fits(self) && self.takes(to)).then(|| with_between(m, from, to, between));
        }
        if self.misses(to) || !fits(self) || !self.takes(to) {
            return None;
        }
        let m = self.slide_move(slide, kind, radial, n, level, stopped, between);
        Some(with_between(m, from, to, between))
    }

    #[allow(clippy::too_many_arguments, reason = "one slide, told in full")]
    fn slide_move(
        &mut self,
        slide: &Slide,
        kind: SiteType,
        radial: &Radial,
        n: usize,
        level: i32,
        stopped: bool,
        between: &[i32],
    ) -> Mv {
        let (from, to) = (radial.sites[0], radial.sites[n]);
        let plain_move = level == NONE && !slide.stack;
        let mut m = if plain_move {
            Mv::of(plain(kind, from, to), slide.decision)
        } else {
            Mv::of(levelled(kind, from, level, to, slide.stack), true)
        };
        if plain_move || stopped {
            let effects = self.effects_of(slide.effect.as_ref());
            m = m.after(effects);
        }
        if let Some(trail) = &slide.trail {
            let what = self.int(trail);
            for &site in &radial.sites[..n] {
                m.push(Change::Add {
                    kind,
                    to: site,
                    what,
                    count: 1,
                    state: NONE,
                    rotation: NONE,
                    value: NONE,
                    stack: false,
                });
            }
        }
        if let Some(effect) = &slide.between {
            for &site in between {
                self.v.between = site;
                let effects = self.moves(effect);
                m = m.after(effects);
            }
        }
        m
    }

    fn slide_on_track(&mut self, slide: &Slide, name: &str, from: i32) -> Vec<Mv> {
        let kind = slide.from.kind.unwrap_or(self.g.topo.default);
        let saved = (self.v.from, self.v.to, self.v.between);
        self.v.from = from;
        if slide.from.cond.as_ref().is_some_and(|cond| !self.bool(cond)) {
            return Vec::new();
        }
        let (min, max) = (self.int(&slide.distance.min), self.int(&slide.distance.max));
        let all = name == "AllTracks";
        let g = self.g;
        let mover = self.s.mover;
        let mut out: Vec<Mv> = Vec::new();
        for track in g.tracks.iter().filter(|t| all || &*t.name == name) {
            let length = track.sites.len();
            for start in (0..length).filter(|&n| track.sites[n] == from) {
                let mut at = start;
                let mut bumps = track.bumps.get(at).copied().unwrap_or(0);
                let mut walked = 1;
                while track.next(at) != NONE && walked < length as i32 && walked <= max {
                    let to = track.next(at);
                    self.v.to = to;
                    if bumps > 0 || !all {
                        let stops = slide.stop.as_ref().is_some_and(|stop| self.bool(stop));
                        if min <= walked && stops {
                            if self.takes(to) {
                                let m = Mv::of(plain(kind, from, to), slide.decision);
                                let effects = self.effects_of(slide.effect.as_ref());
                                out.push(m.after(effects).at(from, to).by(mover));
                            }
                            break;
                        }
                        // Whether a piece may pass is asked of sites behind it only.
                        let ends = slide.to.as_ref().is_none_or(|cond| self.bool(cond));
                        if min <= walked && !stops && ends && self.takes(to) {
                            let m = Mv::of(plain(kind, from, to), slide.decision);
                            out.push(m.at(from, to).by(mover));
                        }
                    }
                    if !self.can_pass(slide, to) {
                        break;
                    }
                    at = (at + 1) % length;
                    bumps += track.bumps.get(at).copied().unwrap_or(0);
                    walked += 1;
                }
            }
        }
        (self.v.from, self.v.to, self.v.between) = saved;
        out
    }

    fn can_pass(&mut self, slide: &Slide, site: i32) -> bool {
        self.v.between = site;
        self.bool(&slide.go)
    }

    pub(super) fn shoot(&mut self, shoot: &Shoot) -> Vec<Mv> {
        let from = self.int(&shoot.from);
        let what = self.int(&shoot.what);
        let kind = shoot.kind;
        if from < 0 || what < 0 || from >= self.plane(kind).count as i32 {
            return Vec::new();
        }
        let saved = (self.v.to, self.v.between);
        let mover = self.s.mover;
        let mut out = Vec::new();
        for radial in self.plane(kind).radials(from, shoot.dir) {
            self.v.between = saved.1;
            let mut between = Numbers::new();
            for &to in &radial.sites[1..] {
                self.v.to = to;
                if !self.bool(&shoot.to) {
                    break;
                }
                self.v.between = to;
                let add = Change::Add {
                    kind,
                    to,
                    what,
                    count: 1,
                    state: NONE,
                    rotation: NONE,
                    value: NONE,
                    stack: false,
                };
                let m = Mv::of(add, shoot.decision).by(mover);
                out.push(with_between(m, to, to, &between));
                between.push(to);
            }
        }
        (self.v.to, self.v.between) = saved;
        out
    }
}

fn with_between(m: Mv, from: i32, to: i32, between: &[i32]) -> Mv {
    let mut m = m.at(from, to);
    m.between = SmallVec::from_slice(between);
    m
}
