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
    /// Where the steps that the rule allows are kept.
    known: Option<usize>,
    /// The steps from one site.
    steps: Vec<i32>,
}

impl Ctx<'_> {
    fn begin_walk(&mut self, rule: &StepsBy, from: i32) -> Walk {
        let piece = self.piece(Some(rule.kind), from);
        let own = self.g.components[piece.what as usize].facing.unwrap_or(Dir::N);
        let facing = (piece.what != 0).then_some(own);
        let mut walk = Walk {
            reached: Vec::new(),
            seen: SiteSet::new(),
            facing,
            rotation: i32::from(piece.rotation),
            known: self.known_steps(rule),
            steps: Vec::new(),
        };
        self.steps_allowed(rule, &mut walk, from);
        for &to in &walk.steps {
            if !walk.seen.contains(to) {
                walk.seen.insert(to);
                walk.reached.push(to);
            }
        }
        walk.seen.insert(from);
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
            self.steps_allowed(rule, walk, site);
            for &to in &walk.steps {
                if !walk.seen.contains(to) {
                    walk.seen.insert(to);
                    next.push(to);
                }
            }
        }
        walk.reached = next;
    }

    /// Finds the steps from a site.
    fn steps_allowed(&mut self, rule: &StepsBy, walk: &mut Walk, from: i32) {
        walk.steps.clear();
        if let Some(known) = walk.known.and_then(|at| self.steps_kept(at, from)) {
            walk.steps.extend_from_slice(known);
            return;
        }
        let saved = (self.v.from, self.v.to);
        self.v.from = from;
        let turned = Some(walk.rotation);
        let dirs = self.dirs_turned(&rule.dirs, rule.kind, from, walk.facing, turned);
        let plane = self.plane(rule.kind);
        for dir in dirs {
            for &to in plane.steps(from, dir) {
                self.v.to = to;
                if self.bool(&rule.cond) {
                    walk.steps.push(to);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
        if let Some(at) = walk.known {
            self.keep_steps(at, from, &walk.steps);
        }
    }

    /// Number of steps to the nearest of some sites.
    pub(super) fn steps_by(&mut self, rule: &StepsBy, to: &Region) -> i32 {
        let from = self.int(&rule.from);
        let goals = self.region(to);
        if from < 0 || goals.is_empty() {
            return 0;
        }
        let count = self.plane(rule.kind).count;
        let goals = goals.below(count);
        if from >= count as i32 || goals.is_empty() {
            return INFINITY;
        }
        if goals.contains(from) {
            return 0;
        }
        let mut walk = self.begin_walk(rule, from);
        let mut steps = 1;
        while !walk.reached.is_empty() {
            if walk.reached.iter().any(|&site| goals.contains(site)) {
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
