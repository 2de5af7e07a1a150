//! Sowing seeds along a track.

use super::{Mv, Part};
use crate::action::{Action, Change, NONE};
use crate::ctx::Ctx;
use crate::game::Track;
use crate::ir::{Moves, Sow};

impl<'g> Ctx<'g> {
    fn sow_track(&mut self, sow: &Sow) -> Option<&'g Track> {
        let owner = sow.owner.as_ref().map_or(NONE, |owner| self.int(owner));
        let name = sow.track.as_deref();
        self.g.tracks.iter().find(|t| match name {
            None => true,
            Some(name) if owner == NONE => &*t.name == name,
            Some(name) => t.owner == owner && t.name.contains(name),
        })
    }

    pub(super) fn sow(&mut self, sow: &Sow) -> Vec<Mv> {
        let start = self.int(&sow.start);
        let count = match &sow.count {
            Some(count) => self.int(count),
            None if start >= 0 && self.g.stacking => self.s.layer(sow.kind).height(start),
            None if start >= 0 => i32::from(self.s.layer(sow.kind).top(start).count),
            None => 0,
        };
        let Some(track) = self.sow_track(sow) else {
            return Vec::new();
        };
        let mut at = track.place(start);
        let saved = (self.v.from, self.v.to, self.v.value);
        let mut m = Mv::empty();
        m.parts.reserve(count.clamp(0, 64) as usize);
        let mut sown = 0;
        self.v.from = start;
        if self.bool(&sow.origin) {
            self.sow_here(sow, &mut m);
            let per_hole = self.int(&sow.per_hole);
            for _ in 0..per_hole.max(0) {
                if sown < count {
                    m.push(self.seed(sow, start, start));
                }
                sown += 1;
            }
            self.v.to = start;
        }
        self.v.from = saved.0;
        if sown < count && !self.sow_along(sow, track, start, count, &mut at, &mut sown, &mut m) {
            (self.v.from, self.v.to, self.v.value) = saved;
            return Vec::new();
        }
        self.sow_capture(sow, track, start, at, &mut m);
        (self.v.from, self.v.to, self.v.value) = saved;
        vec![m]
    }

    #[allow(clippy::too_many_arguments, reason = "the sowing's running totals")]
    fn sow_along(
        &mut self,
        sow: &Sow,
        track: &Track,
        start: i32,
        count: i32,
        at: &mut usize,
        sown: &mut i32,
        m: &mut Mv,
    ) -> bool {
        let length = track.sites.len();
        let mut skipped = 0;
        let mut index = 0;
        while index < count {
            self.v.value = count - index;
            if *at >= length {
                return false;
            }
            let mut to = track.next(*at);
            self.v.to = to;
            let skips = sow.skip.as_ref().is_some_and(|skip| self.bool(skip));
            if skips && skipped < 10_000 {
                skipped += 1;
                *at = (*at + 1) % length;
                continue;
            }
            skipped = 0;
            if !sow.include_self && to == start {
                *at = (*at + 1) % length;
                to = track.next(*at);
            }
            let per_hole = self.int(&sow.per_hole);
            self.sow_here(sow, m);
            for _ in 0..per_hole.max(0) {
                if *sown < count {
                    m.push(self.seed(sow, start, to));
                }
                *sown += 1;
            }
            *at = (*at + 1) % length;
            index += 1;
            if *sown >= count {
                break;
            }
        }
        true
    }

    fn sow_here(&mut self, sow: &Sow, m: &mut Mv) {
        if let Some(effect) = &sow.sow_effect {
            for effect in self.moves(effect) {
                m.parts.extend(effect.parts);
            }
        }
    }

    fn seed(&self, sow: &Sow, from: i32, to: i32) -> Change {
        let kind = sow.kind;
        let (a, b) = (self.piece(Some(kind), from), self.piece(Some(kind), to));
        let differs = |a: i32, b: i32| if a == b || from == to { NONE } else { b };
        Change::Move {
            kind_from: kind,
            from,
            level_from: NONE,
            kind_to: kind,
            to,
            level_to: NONE,
            state: differs(i32::from(a.state), i32::from(b.state)),
            rotation: differs(i32::from(a.rotation), i32::from(b.rotation)),
            value: differs(a.value, b.value),
            stack: false,
        }
    }

    fn sow_capture(&mut self, sow: &Sow, track: &Track, start: i32, at: usize, m: &mut Mv) {
        let Some(effect) = &sow.effect else {
            return;
        };
        let caught = self
            .look_after(std::slice::from_ref(m), |c| c.sow_captures(sow, effect, track, start, at));
        m.parts.extend(caught.into_iter().map(Part::Do));
    }

    /// What a sowing just made captures, going back or on along the track.
    fn sow_captures(
        &mut self,
        sow: &Sow,
        effect: &Moves,
        track: &Track,
        start: i32,
        mut at: usize,
    ) -> Vec<Action> {
        let length = track.sites.len();
        let mut caught = Vec::new();
        let mut captures = 0;
        while sow.cond.as_ref().is_none_or(|cond| self.bool(cond)) {
            self.v.from = start;
            for capture in self.moves(effect) {
                if capture.ends_here() && !self.g.sequence_capture {
                    capture.each_change(&mut |action| caught.push(action.clone()));
                } else {
                    caught.extend(self.look(|c| c.apply_move(&capture)));
                }
            }
            if sow.backtracking.is_none() && sow.forward.is_none() {
                break;
            }
            if let Some(back) = &sow.backtracking {
                if !self.bool(back) {
                    break;
                }
                let prev = (at + length - 1) % length;
                let to = track.sites[prev];
                at = prev;
                self.v.to = to;
                if !self.bool(back) || to == start {
                    break;
                }
            }
            if let Some(forward) = &sow.forward {
                if !self.bool(forward) || track.next(at) == NONE {
                    break;
                }
                self.v.to = track.next(at);
                at = (at + 1) % length;
                if !self.bool(forward) {
                    break;
                }
            }
            captures += 1;
            if captures >= length {
                break;
            }
        }
        caught
    }
}
