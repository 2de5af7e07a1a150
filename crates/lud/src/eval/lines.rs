//! Lines, connections, loops and patterns.

use crate::ctx::Ctx;
use crate::ir::{Bool, Line, Through};
use crate::sites::{Numbers, SiteSet};
use crate::topo::{Dir, Radial, SiteType};

/// What a line is made of and how it is judged.
struct LineRule<'a> {
    line: &'a Line,
    whats: Numbers,
    length: i32,
    exact: bool,
    contiguous: bool,
    /// Of so many kinds of piece at least.
    kinds: i32,
}

impl LineRule<'_> {
    fn is_mixed(&self, kinds: &[i32]) -> bool {
        self.kinds <= 1 || kinds.len() as i32 >= self.kinds
    }
}

/// How levels change along a line: from which, by how much, after how many steps.
#[derive(Clone, Copy)]
struct Slope {
    origin: i32,
    slope: i32,
    first: i32,
}

impl Ctx<'_> {
    /// Whether a line runs through one of the pivots.
    pub fn is_line(&mut self, line: &Line) -> bool {
        if self.g.stacking {
            return self.is_line_of_stacks(line);
        }
        let pivots = match &line.through {
            Through::One(site) => Numbers::from_slice(&[self.int(site)]),
            Through::Any(region) => self.line_pivots(line, region),
        };
        let contiguous = self.bool(&line.contiguous);
        let saved = self.v.to;
        for pivot in pivots {
            if pivot < 0 || pivot >= self.plane(line.kind).count as i32 {
                return false;
            }
            self.v.to = pivot;
            let fits = self.bool(&line.cond);
            self.v.to = saved;
            if !fits {
                return false;
            }
            let found = self.line_through(line, pivot, contiguous);
            self.v.to = saved;
            if found {
                return true;
            }
        }
        false
    }

    /// The length of the longest line of sites that fulfil a condition.
    pub(super) fn biggest_line(&mut self, kind: SiteType, dir: Dir, cond: &Bool) -> i32 {
        let plane = self.plane(kind);
        let saved = self.v.to;
        let mut fits = SiteSet::new();
        for site in 0..plane.count as i32 {
            self.v.to = site;
            if self.bool(cond) {
                fits.insert(site);
            }
        }
        self.v.to = saved;
        let run = |radial: &Radial| {
            radial.sites[1..].iter().take_while(|&&site| fits.contains(site)).count() as i32
        };
        let mut most = 0;
        for site in fits.iter() {
            let own = &plane.radials[site as usize];
            for radial in plane.lines(site, dir) {
                let back = radial.opposites.iter().map(|&n| run(&own[n as usize]));
                most = most.max(1 + run(radial) + back.sum::<i32>());
            }
        }
        most
    }

    fn line_pivots(&mut self, line: &Line, region: &crate::ir::Region) -> Numbers {
        let mut sites = self.sites(region);
        if let Some(whats) = &line.what {
            let whats: Numbers = whats.iter().map(|what| self.int(what)).collect();
            sites.retain(|&mut site| whats.contains(&self.what(line.kind, site)));
        }
        sites
    }

    fn line_whats(&mut self, line: &Line, pivot: i32) -> Numbers {
        match (&line.what, &line.who) {
            (Some(whats), _) => whats.iter().map(|what| self.int(what)).collect(),
            (None, None) => Numbers::from_slice(&[self.what(line.kind, pivot)]),
            (None, Some(who)) => {
                let who = self.int(who);
                let all = 1..self.g.components.len() as i32;
                all.filter(|&c| self.g.owner(c as u16) == who).collect()
            }
        }
    }

    fn line_through(&mut self, line: &Line, pivot: i32, contiguous: bool) -> bool {
        let whats = self.line_whats(line, pivot);
        if !whats.contains(&self.what(line.kind, pivot)) {
            return false;
        }
        if line.visible && self.is_covered(line.kind, pivot) {
            return false;
        }
        let rule = LineRule {
            line,
            whats,
            length: self.int(&line.length),
            exact: self.bool(&line.exact),
            contiguous,
            kinds: line.kinds.as_ref().map_or(1, |kinds| self.int(kinds)),
        };
        let both = self.bool(&line.opposites);
        let plane = self.plane(line.kind);
        for radial in plane.lines(pivot, line.dir) {
            let mut kinds = Vec::new();
            if rule.kinds > 1 {
                kinds.push(self.what(line.kind, pivot));
            }
            let (count, reached) = self.run(&rule, radial, 1, Some(pivot), &mut kinds);
            if reached {
                return true;
            }
            if radial.opposites.is_empty() || !both {
                if count == rule.length && rule.is_mixed(&kinds) {
                    return true;
                }
                continue;
            }
            for &opposite in &radial.opposites {
                let opposite = &plane.radials[pivot as usize][opposite as usize];
                let (total, reached) = self.run(&rule, opposite, count, None, &mut kinds);
                if reached || total == rule.length && rule.is_mixed(&kinds) {
                    return true;
                }
            }
        }
        false
    }

    /// Counts on along a radial; the second value says that the length was reached on the way. Of
    /// lines that must be seen, the reference asks only ahead of the pivot, `from`, whether balls hide
    /// the way from one site to the next.
    fn run(
        &mut self,
        rule: &LineRule<'_>,
        radial: &Radial,
        mut count: i32,
        mut from: Option<i32>,
        kinds: &mut Vec<i32>,
    ) -> (i32, bool) {
        let (kind, visible) = (rule.line.kind, rule.line.visible);
        for &site in &radial.sites[1..] {
            self.v.to = site;
            if visible && self.is_covered(kind, site) {
                break;
            }
            let what = self.what(kind, site);
            let hidden = visible && from.is_some_and(|from| self.hidden_between(kind, from, site));
            if rule.whats.contains(&what) && self.bool(&rule.line.cond) && !hidden {
                count += 1;
                from = from.map(|_| site);
                if rule.kinds > 1 && !kinds.contains(&what) {
                    kinds.push(what);
                }
                if !rule.exact && count == rule.length && rule.is_mixed(kinds) {
                    return (count, true);
                }
            } else if rule.contiguous {
                break;
            }
        }
        (count, false)
    }

    /// Lines over stacks: over their tops, over any of their pieces, or through their levels.
    fn is_line_of_stacks(&mut self, line: &Line) -> bool {
        let Through::One(through) = &line.through else {
            return false;
        };
        let pivot = self.int(through);
        let top = self.bool(&line.top);
        if pivot < 0 || pivot >= self.plane(line.kind).count as i32 {
            return false;
        }
        let rule = LineRule {
            line,
            whats: self.line_whats(line, pivot),
            length: self.int(&line.length),
            exact: self.bool(&line.exact),
            contiguous: true,
            kinds: 1,
        };
        if rule.length == 1 {
            return true;
        }
        if self.bool(&line.by_level) {
            return self.line_by_level(&rule, pivot);
        }
        if !self.stack_holds(&rule, pivot, top) {
            return false;
        }
        let plane = self.plane(line.kind);
        for radial in plane.lines(pivot, line.dir) {
            let (count, reached) = self.run_of_stacks(&rule, radial, 1, top);
            if reached || (radial.opposites.is_empty() && count == rule.length) {
                return true;
            }
            for &opposite in &radial.opposites {
                let opposite = &plane.radials[pivot as usize][opposite as usize];
                let (total, reached) = self.run_of_stacks(&rule, opposite, count, top);
                if reached || total == rule.length {
                    return true;
                }
            }
        }
        false
    }

    fn stack_holds(&self, rule: &LineRule<'_>, site: i32, top: bool) -> bool {
        let layer = self.s.layer(rule.line.kind);
        if top {
            return rule.whats.contains(&i32::from(layer.top(site).what));
        }
        let at = |level: i32| i32::from(layer.at(site, level).what);
        (0..layer.height(site)).any(|level| rule.whats.contains(&at(level)))
    }

    fn run_of_stacks(
        &mut self,
        rule: &LineRule<'_>,
        radial: &Radial,
        mut count: i32,
        top: bool,
    ) -> (i32, bool) {
        for &site in &radial.sites[1..] {
            self.v.to = site;
            if !self.stack_holds(rule, site, top) || !self.bool(&rule.line.cond) {
                break;
            }
            count += 1;
            if !rule.exact && count == rule.length {
                return (count, true);
            }
        }
        (count, false)
    }

    /// Lines through the levels of stacks: upright, level, falling and rising.
    fn line_by_level(&self, rule: &LineRule<'_>, pivot: i32) -> bool {
        let layer = self.s.layer(rule.line.kind);
        let height = layer.height(pivot);
        let fits =
            |site: i32, level: i32| rule.whats.contains(&i32::from(layer.at(site, level).what));
        if height >= rule.length {
            let below = (0..rule.length - 1).take_while(|n| fits(pivot, height - 2 - n));
            if 1 + below.count() as i32 == rule.length {
                return true;
            }
        }
        let origin = height - 1;
        if origin < 0 {
            return false;
        }
        let plane = self.plane(rule.line.kind);
        for radial in plane.lines(pivot, rule.line.dir) {
            for slope in [0, -1, 1] {
                let start = Slope { origin, slope, first: 0 };
                let (count, reached) = self.run_of_levels(rule, &radial.sites, start, 0);
                if reached || (radial.opposites.is_empty() && count == rule.length) {
                    return true;
                }
                for &opposite in &radial.opposites {
                    let opposite = &plane.radials[pivot as usize][opposite as usize];
                    let back = Slope { origin, slope: -slope, first: 1 };
                    let (total, reached) =
                        self.run_of_levels(rule, &opposite.sites[1..], back, count);
                    // A falling line counts only its first half at the end, as the reference does.
                    let end = if slope == -1 { count } else { total };
                    if reached || end == rule.length {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn run_of_levels(
        &self,
        rule: &LineRule<'_>,
        sites: &[i32],
        slope: Slope,
        mut count: i32,
    ) -> (i32, bool) {
        let layer = self.s.layer(rule.line.kind);
        let mut steps = slope.first;
        for &site in sites {
            let level = slope.origin + slope.slope * steps;
            if level == -1 {
                continue;
            }
            let what = i32::from(layer.at(site, level).what);
            if layer.height(site) <= level || !rule.whats.contains(&what) {
                break;
            }
            count += 1;
            steps += 1;
            if !rule.exact && count == rule.length {
                return (count, true);
            }
        }
        (count, false)
    }
}
