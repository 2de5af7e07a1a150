//! Distances counted in steps that a rule allows.

use crate::ctx::Ctx;
use crate::ir::{Range, Region, StepsBy};
use crate::sites::SiteSet;
use crate::topo::Dir;

/// Farther than any site, as the reference counts.
const INFINITY: i32 = 1_000_000_000;

/// A walk on its way: the sites reached last, all reached so far, and how the walker faces.
struct Walk {
    reached: Vec<i32>,
    seen: SiteSet,
    facing: Option<Dir>,
    rotation: i32,
}

impl Ctx<'_> {
    fn begin_walk(&mut self, rule: &StepsBy, from: i32) -> Walk {
        let piece = self.piece(Some(rule.kind), from);
        let own = self.g.components[piece.what as usize].facing.unwrap_or(Dir::N);
        let facing = (piece.what != 0).then_some(own);
        let mut walk = Walk {
            reached: Vec::new(),
            seen: [from].into_iter().collect(),
            facing,
            rotation: i32::from(piece.rotation),
        };
        for to in self.allowed_steps(rule, &walk, from) {
            if !walk.reached.contains(&to) {
                walk.reached.push(to);
            }
        }
        walk.reached.iter().for_each(|&site| walk.seen.insert(site));
        walk
    }

    fn walk_on(&mut self, rule: &StepsBy, walk: &mut Walk) {
        let mut next: Vec<i32> = Vec::new();
        for site in std::mem::take(&mut walk.reached) {
            if let Some(rotation) = &rule.rotation {
                let saved = self.v.value;
                self.v.value = walk.rotation;
                walk.rotation = self.int(rotation);
                self.v.value = saved;
            }
            for to in self.allowed_steps(rule, walk, site) {
                if !walk.seen.contains(to) && !next.contains(&to) {
                    next.push(to);
                }
            }
        }
        next.iter().for_each(|&site| walk.seen.insert(site));
        walk.reached = next;
    }

    fn allowed_steps(&mut self, rule: &StepsBy, walk: &Walk, from: i32) -> Vec<i32> {
        let saved = (self.v.from, self.v.to);
        self.v.from = from;
        let turned = Some(walk.rotation);
        let dirs = self.dirs_turned(&rule.dirs, rule.kind, from, walk.facing, turned);
        let plane = self.plane(rule.kind);
        let mut out = Vec::new();
        for dir in dirs {
            for &to in plane.steps(from, dir) {
                self.v.to = to;
                if self.bool(&rule.cond) {
                    out.push(to);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        out
    }

    /// Number of steps to the nearest of some sites.
    pub(super) fn steps_by(&mut self, rule: &StepsBy, to: &Region) -> i32 {
        let from = self.int(&rule.from);
        let mut goals = self.sites(to);
        goals.retain(|&mut site| site >= 0);
        if from < 0 || goals.is_empty() {
            return 0;
        }
        let count = self.plane(rule.kind).count as i32;
        goals.retain(|&mut site| site < count);
        if from >= count || goals.is_empty() {
            return INFINITY;
        }
        if goals.contains(&from) {
            return 0;
        }
        let mut walk = self.begin_walk(rule, from);
        let mut steps = 1;
        while !walk.reached.is_empty() {
            if walk.reached.iter().any(|site| goals.contains(site)) {
                return steps;
            }
            self.walk_on(rule, &mut walk);
            steps += 1;
        }
        INFINITY
    }

    /// The sites that so many steps reach.
    pub(super) fn distance_by(&mut self, rule: &StepsBy, range: &Range) -> SiteSet {
        let from = self.int(&rule.from);
        let (min, max) = (self.int(&range.min), self.int(&range.max));
        let mut out = SiteSet::new();
        if from < 0 || from >= self.plane(rule.kind).count as i32 || min < 0 {
            return out;
        }
        let mut walk = self.begin_walk(rule, from);
        let mut steps = 1;
        loop {
            if steps >= min {
                walk.reached.iter().for_each(|&site| out.insert(site));
            }
            if walk.reached.is_empty() || steps >= max {
                return out;
            }
            self.walk_on(rule, &mut walk);
            steps += 1;
        }
    }
}
