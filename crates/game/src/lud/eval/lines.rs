//! Lines, connections, loops and patterns.

use crate::lud::ctx::Ctx;
use crate::lud::ir::{Connected, Line, Loop, Pattern, Regions, Through, Turn};
use crate::lud::sites::SiteSet;
use crate::lud::topo::{Dir, Radial, SiteType};

/// What a line is made of and how it is judged.
struct LineRule<'a> {
    line: &'a Line,
    whats: Vec<i32>,
    length: i32,
    exact: bool,
    contiguous: bool,
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
            Through::One(site) => vec![self.int(site)],
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

    fn line_pivots(&mut self, line: &Line, region: &crate::lud::ir::Region) -> Vec<i32> {
        let mut sites = self.sites(region);
        if let Some(whats) = &line.what {
            let whats: Vec<i32> = whats.iter().map(|what| self.int(what)).collect();
            sites.retain(|&site| whats.contains(&self.what(line.kind, site)));
        }
        sites
    }

    fn line_whats(&mut self, line: &Line, pivot: i32) -> Vec<i32> {
        match (&line.what, &line.who) {
            (Some(whats), _) => whats.iter().map(|what| self.int(what)).collect(),
            (None, None) => vec![self.what(line.kind, pivot)],
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
        let rule = LineRule {
            line,
            whats,
            length: self.int(&line.length),
            exact: self.bool(&line.exact),
            contiguous,
        };
        let both = self.bool(&line.opposites);
        let plane = self.plane(line.kind);
        for radial in plane.lines(pivot, line.dir) {
            let (count, reached) = self.run(&rule, radial, 1);
            if reached {
                return true;
            }
            if radial.opposites.is_empty() || !both {
                if count == rule.length {
                    return true;
                }
                continue;
            }
            for &opposite in &radial.opposites {
                let opposite = &plane.radials[pivot as usize][opposite as usize];
                let (total, reached) = self.run(&rule, opposite, count);
                if reached || total == rule.length {
                    return true;
                }
            }
        }
        false
    }

    /// Counts on along a radial; the second value says that the length was reached on the way.
    fn run(&mut self, rule: &LineRule<'_>, radial: &Radial, mut count: i32) -> (i32, bool) {
        for &site in &radial.sites[1..] {
            self.v.to = site;
            if rule.whats.contains(&self.what(rule.line.kind, site)) && self.bool(&rule.line.cond) {
                count += 1;
                if !rule.exact && count == rule.length {
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

    fn region_list(&mut self, regions: &Regions) -> Vec<SiteSet> {
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

    fn joins_from(
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
                    let before = left.len();
                    left.retain(|region| !region.contains(to));
                    joined += (before - left.len()) as i32;
                    if joined >= needed {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether the piece at the start closes a loop of its colour.
    pub fn is_loop(&mut self, wanted: &Loop) -> bool {
        let kind = wanted.kind;
        let from = match &wanted.starts {
            Some(region) => self.sites(region).first().copied().unwrap_or(-1),
            None => self.s.last.to,
        };
        if from < 0 || from >= self.plane(kind).count as i32 {
            return false;
        }
        let what = self.what(kind, from);
        if what <= 0 {
            return false;
        }
        let colour = match &wanted.colour {
            Some(colour) => self.int(colour),
            None => self.s.mover,
        };
        let inside: Vec<i32> =
            wanted.surround.iter().flat_map(|who| self.players_of(who)).collect();
        let any = wanted.surround.is_empty();
        let outer = &self.g.outer;
        let plane = self.plane(kind);
        let starts: Vec<i32> = plane
            .steps(from, Dir::ADJACENT)
            .iter()
            .copied()
            .filter(|&to| !outer.contains(to) && (any || inside.contains(&self.who(kind, to))))
            .collect();
        let admits = |c: &Self, to: i32| any || inside.contains(&c.who(kind, to));
        for &origin in starts.iter().rev() {
            let enclosed = self.enclosed(kind, origin, what, any, &admits);
            let Some(group) = enclosed else { continue };
            if self.ring_closes(wanted, kind, &group, what, colour) {
                return true;
            }
        }
        false
    }

    /// The region around `origin` bounded by `what`, unless it reaches the border.
    fn enclosed(
        &self,
        kind: SiteType,
        origin: i32,
        what: i32,
        any: bool,
        admits: &dyn Fn(&Self, i32) -> bool,
    ) -> Option<Vec<i32>> {
        let outer = &self.g.outer;
        let plane = self.plane(kind);
        let mut group = vec![origin];
        let mut seen = SiteSet::new();
        seen.insert(origin);
        let mut next = 0;
        while next < group.len() {
            let site = group[next];
            next += 1;
            for radial in plane.radials(site, Dir::ORTHOGONAL) {
                for &to in &radial.sites[1..] {
                    if seen.contains(to) {
                        continue;
                    }
                    if self.what(kind, to) == what {
                        break;
                    }
                    if any || (admits(self, to) && !outer.contains(to)) {
                        seen.insert(to);
                        group.push(to);
                    }
                    if outer.contains(to) {
                        return None;
                    }
                }
            }
        }
        Some(group)
    }

    fn ring_closes(
        &mut self,
        wanted: &Loop,
        kind: SiteType,
        group: &[i32],
        what: i32,
        colour: i32,
    ) -> bool {
        let inside: SiteSet = group.iter().copied().collect();
        let plane = self.plane(kind);
        let mut ring: Vec<i32> = Vec::new();
        for &site in group {
            for &to in plane.steps(site, Dir::ORTHOGONAL) {
                if !inside.contains(to) && !ring.contains(&to) {
                    ring.push(to);
                }
            }
        }
        if ring.iter().any(|&site| self.who(kind, site) != colour) {
            return false;
        }
        // Walk the ring, dropping members that lead nowhere.
        let mut explored: Vec<i32> = Vec::new();
        let (mut at, mut previous) = (0, 0);
        while !ring.is_empty() {
            let site = ring[at.min(ring.len() - 1)];
            if self.what(kind, site) != what {
                ring.retain(|&s| s != site);
                at = previous;
                continue;
            }
            let mut onward = None;
            'search: for dir in self.dirs(&wanted.dirs, kind, site) {
                for &to in plane.steps(site, dir) {
                    if ring.contains(&to) && self.what(kind, to) == what {
                        onward = Some(to);
                        break 'search;
                    }
                }
            }
            match onward {
                None => {
                    ring.retain(|&s| s != site);
                    explored.retain(|&s| s != site);
                    at = previous;
                }
                Some(to) => {
                    explored.push(site);
                    if explored.len() == ring.len() {
                        return true;
                    }
                    if explored.len() > 4 * plane.count {
                        return false;
                    }
                    previous = at;
                    at = ring.iter().position(|&s| s == to).unwrap_or(0);
                }
            }
        }
        false
    }

    /// Sites reached by a walk from a site, starting in a direction.
    pub fn walk_from(&self, kind: SiteType, from: i32, start: Dir, walk: &[Turn]) -> Vec<i32> {
        let plane = self.plane(kind);
        let supported = plane.supported(crate::lud::ir::Relation::Orthogonal);
        let turn = |dir: Dir, name: &'static str| {
            crate::lud::facing::turned(name, dir, supported).first().copied().unwrap_or(dir)
        };
        let mut dir = start;
        let mut site = from;
        let mut path = vec![from];
        for step in walk {
            match step {
                Turn::Left => dir = turn(dir, "FL"),
                Turn::Right => dir = turn(dir, "FR"),
                // Down to the north-west the reference goes down to the south-west.
                Turn::Forward => {
                    match plane.steps(site, if dir.0 == 50 { Dir(48) } else { dir }).last() {
                        Some(&to) => {
                            site = to;
                            path.push(to);
                        }
                        None => return Vec::new(),
                    }
                }
            }
        }
        path
    }

    /// Whether pieces stand along a walk from a site in any rotation.
    pub fn is_pattern(&mut self, pattern: &Pattern) -> bool {
        let kind = pattern.kind;
        let from = self.int(&pattern.from);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return false;
        }
        let whats: Vec<i32> = match &pattern.what {
            Some(whats) => whats.iter().map(|what| self.int(what)).collect(),
            None if self.what(kind, from) == 0 => return false,
            None => vec![self.what(kind, from)],
        };
        let starts = self.plane(kind).supported(crate::lud::ir::Relation::Orthogonal);
        starts.iter().any(|&start| {
            let path = self.walk_from(kind, from, start, &pattern.walk);
            !path.is_empty()
                && path
                    .iter()
                    .enumerate()
                    .all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()])
        })
    }

    /// The sites of all the rotations of a pattern that stand.
    pub fn pattern_sites(&mut self, pattern: &Pattern) -> SiteSet {
        let kind = pattern.kind;
        let from = self.int(&pattern.from);
        let mut out = SiteSet::new();
        if from < 0 || from >= self.plane(kind).count as i32 {
            return out;
        }
        let whats: Vec<i32> = match &pattern.what {
            Some(whats) => whats.iter().map(|what| self.int(what)).collect(),
            None => vec![self.what(kind, from)],
        };
        for &start in self.plane(kind).supported(crate::lud::ir::Relation::Orthogonal) {
            let path = self.walk_from(kind, from, start, &pattern.walk);
            let mut steps = path.iter().enumerate();
            if steps.all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()]) {
                path.into_iter().for_each(|site| out.insert(site));
            }
        }
        out
    }
}
