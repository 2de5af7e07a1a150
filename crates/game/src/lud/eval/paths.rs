//! How far it is by a given way of stepping.

use crate::lud::ctx::Ctx;
use crate::lud::ir::{Step, StepsBy};
use crate::lud::sites::SiteSet;
use crate::lud::topo::SiteType;

/// What the language means by a number without end.
const INFINITY: i32 = 1_000_000_000;

impl Ctx<'_> {
    /// The least number of steps to one of some sites.
    pub(super) fn steps_by(&mut self, wanted: &StepsBy) -> i32 {
        let from = self.int(&wanted.from);
        let goal = self.sites(&wanted.to);
        let count = self.plane(wanted.kind).count as i32;
        if from < 0 || goal.iter().all(|&site| site < 0) {
            return 0;
        }
        let goal: SiteSet = goal.into_iter().filter(|site| (0..count).contains(site)).collect();
        if from >= count || goal.is_empty() {
            return INFINITY;
        }
        if goal.contains(from) {
            return 0;
        }
        let mut seen = SiteSet::new();
        seen.insert(from);
        let (mut edge, mut steps) = (vec![from], 0);
        while !edge.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for site in edge {
                self.step_ends(wanted.kind, &wanted.step, site, |to| {
                    if !seen.contains(to) {
                        seen.insert(to);
                        next.push(to);
                    }
                });
            }
            if next.iter().any(|&site| goal.contains(site)) {
                return steps;
            }
            edge = next;
        }
        INFINITY
    }

    /// Calls `reach` for every site one step away.
    fn step_ends(&mut self, kind: SiteType, step: &Step, from: i32, mut reach: impl FnMut(i32)) {
        let saved = (self.v.from, self.v.to);
        self.v.from = from;
        for dir in self.dirs(&step.dirs, kind, from) {
            for &to in self.plane(kind).steps(from, dir) {
                self.v.to = to;
                if self.bool(&step.cond) {
                    reach(to);
                }
            }
        }
        (self.v.from, self.v.to) = saved;
    }
}
