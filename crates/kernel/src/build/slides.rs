//! Slides along lines and tracks, and shots.

use super::families::{LeafParts, Terms};
use super::sets::mentions;
use super::{Bound, Builder};
use crate::Built;
use crate::code::{Act, Effect, Node, Num, Ray, Set, Shape, TrackPath, Var};
use ludex_lud::action::NONE;
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, Cmp, Int, MovePart, Moves, Region, Shoot, Slide};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::Dir;

/// So many pieces of a kind are many.
const MANY: usize = 5;

impl Builder<'_> {
    pub(super) fn slide(&mut self, slide: &Slide, terms: &Terms) -> Built<Node> {
        if slide.stack
            || !(slide.decision || self.asking)
            || slide.trail.is_some()
            || slide.between.is_some()
        {
            return self.refuse("slides that leave something behind");
        }
        let (Some(min), Some(max)) =
            (self.fixed_int(&slide.distance.min), self.fixed_int(&slide.distance.max))
        else {
            return self.refuse("slides of a length that changes");
        };
        if slide.effect.as_ref().is_some_and(asks_between) {
            return self.refuse("effects of slides on what they pass");
        }
        if let Some(track) = &slide.track {
            return self.slide_on_track(slide, track, (min, max), terms);
        }
        let by_piece = !self.dirs_are_fixed(&slide.dirs, Bound::default());
        let mut leaf_parts = LeafParts::default();
        for (what, origin) in self.origins(&slide.from, by_piece)? {
            let dirs = self.directions(&slide.dirs, what)?;
            let rays = self.rays(&dirs, min, max)?;
            self.with_piece(what, |b| b.slide_from(&mut leaf_parts, slide, origin, rays, terms))?;
        }
        Ok(self.leaf(leaf_parts))
    }

    fn slide_from(
        &mut self,
        leaf_parts: &mut LeafParts,
        slide: &Slide,
        origin: Set,
        rays: usize,
        terms: &Terms,
    ) -> Built<()> {
        let origin = self.starting(&slide.from, origin)?;
        let go = self.passed(&slide.go, &origin, rays)?;
        let stop = match &slide.stop {
            Some(stop) => self.sites_where(stop, Var::To)?,
            None => self.nowhere(),
        };
        let to = match &slide.to {
            Some(to) => self.sites_where(to, Var::To)?,
            None => self.everywhere(),
        };
        let deed = self.deed(Act::Move, slide.effect.as_ref(), None, terms)?;
        let (go, stop) = (leaf_parts.operand(go)?, leaf_parts.operand(stop)?);
        match self.many_slide().then(|| self.glides(rays)).flatten() {
            None => leaf_parts.add(Shape::Slide { rays, go, stop, shot: false }, origin, to, deed),
            Some((limit, ways)) => {
                for (by, ends) in ways {
                    let shape = Shape::Glide { by, ends, limit, go, stop };
                    leaf_parts.add(shape, origin.clone(), to.clone(), deed)?;
                }
                Ok(())
            }
        }
    }

    /// Whether so many pieces slide alike that it pays to move all of them at once.
    fn many_slide(&self) -> bool {
        let Some(what) = self.from_what.filter(|_| !self.threat) else {
            return false;
        };
        let layer = &self.ctx.s.layers[self.game.topo.default as usize];
        layer.flat().iter().filter(|piece| piece.what == what).count() >= MANY
    }

    /// Rays as repeated steps by constant differences: how many at most, and for each difference where it
    /// may lead. Nothing where they are not like that.
    fn glides(&self, rays: usize) -> Option<(u16, Vec<(i32, SiteSet)>)> {
        let table = &self.code.rays[rays];
        let longest = table.iter().flatten().map(|ray| ray.sites.len()).max()?;
        let mut ways: Vec<(i32, SiteSet)> = Vec::new();
        for (site, of_site) in table.iter().enumerate() {
            let mut known = Vec::new();
            for ray in of_site.iter().filter(|ray| !ray.sites.is_empty()) {
                let by = i32::from(ray.sites[0]) - site as i32;
                if ray.near > 0 || known.contains(&by) || by.abs() >= 64 {
                    return None;
                }
                known.push(by);
                goes_on(table, site, by, &ray.sites, longest).then_some(())?;
                match ways.iter_mut().find(|way| way.0 == by) {
                    Some((_, ends)) => ends.insert(i32::from(ray.sites[0])),
                    None => ways.push((by, [i32::from(ray.sites[0])].into_iter().collect())),
                }
            }
        }
        (ways.len() <= 8).then_some((longest as u16, ways))
    }

    /// The sites that may be passed: there the site passed is also where a move could end.
    fn passed(&mut self, go: &Bool, origin: &Set, rays: usize) -> Built<Set> {
        let parts: &[Bool] = match go {
            Bool::And(parts) => parts,
            one => std::slice::from_ref(one),
        };
        let mut set = self.everywhere();
        for part in parts {
            let part = match self.merged_sites(part) {
                Ok(part) => part,
                // From one place few sites can be passed: they may be asked one by one.
                Err(refusal) => {
                    let Set::One(Num::Const(start)) = origin else {
                        return Err(refusal);
                    };
                    self.asked_along(part, *start, rays)?
                }
            };
            set = self.and(set, part);
        }
        Ok(set)
    }

    fn merged_sites(&mut self, cond: &Bool) -> Built<Set> {
        self.merged = true;
        let set = self.sites_where(cond, Var::Between);
        self.merged = false;
        set
    }

    fn asked_along(&mut self, cond: &Bool, start: i32, rays: usize) -> Built<Set> {
        if mentions(cond, Var::Between) {
            return self.refuse("slides that ask for what they pass");
        }
        let sites = self.code.rays[rays].get(start as usize).into_iter().flatten();
        let sites = sites.flat_map(|ray| ray.sites.iter().map(|&s| i32::from(s))).collect();
        let sites = self.fixed(sites);
        let asked = self.sites_where(cond, Var::To)?;
        let others = self.not(sites.clone());
        let few = self.and(sites, asked);
        Ok(self.or(few, others))
    }

    /// A slide that can only go to one place, as an effect.
    pub(super) fn slide_effect(&mut self, slide: &Slide) -> Built<Effect> {
        let plain = !slide.stack
            && slide.trail.is_none()
            && slide.between.is_none()
            && slide.track.is_none()
            && slide.to.is_none()
            && slide.from.cond.is_none()
            && slide.from.level.is_none();
        let free = self.fixed_bool(&slide.go) == Some(true);
        let stops = slide.stop.as_ref().map(|stop| self.fixed_bool(stop)) == Some(Some(true));
        let min = self.fixed_int(&slide.distance.min);
        let from = self.fixed_int(&slide.from.site);
        let (true, true, true, Some(min @ 1..), Some(from)) = (plain, free, stops, min, from)
        else {
            return self.refuse("slides as effects");
        };
        if self.fixed_int(&slide.distance.max).is_none_or(|max| max < min) {
            return self.refuse("slides as effects");
        }
        let dirs = self.dirs_are_fixed(&slide.dirs, Bound::default());
        let Some(dirs) = dirs.then(|| self.ctx.dirs(&slide.dirs, self.game.topo.default, from))
        else {
            return self.refuse("slides as effects in directions that change");
        };
        let plane = self.game.topo.plane(self.game.topo.default);
        let radials = dirs.iter().flat_map(|&dir| plane.radials(from, dir));
        let ends: Vec<i32> = radials.filter_map(|r| r.sites.get(min as usize).copied()).collect();
        let [to] = ends[..] else {
            return self.refuse("slides as effects to several places");
        };
        let mut all = Vec::new();
        if let Some(effect) = &slide.effect {
            // Start and end are known: they are what the effect's names mean.
            all.push(self.effect_between(effect, from, to)?);
        }
        all.push(Effect::Move(Num::Const(from), Num::Const(to)));
        Ok(Effect::All(all))
    }

    fn effect_between(&mut self, effect: &Moves, from: i32, to: i32) -> Built<Effect> {
        let saved = (self.bound, self.sites_known);
        self.bound = self.bound.with(Var::From).with(Var::To);
        self.sites_known = Some((from, to));
        let effect = self.effect(effect);
        (self.bound, self.sites_known) = saved;
        effect
    }

    pub(super) fn shoot(&mut self, shoot: &Shoot, terms: &Terms) -> Built<Node> {
        let what = self.fixed_int(&shoot.what).and_then(|what| self.piece(what));
        let (Some(what), true, None) = (what, shoot.decision, &self.origin) else {
            return self.refuse("shots of their own kind");
        };
        self.same_kind(shoot.kind)?;
        let dirs = vec![vec![shoot.dir]; self.code.board];
        let rays = self.rays(&dirs, 1, i32::MAX)?;
        let from = Set::One(self.num(&shoot.from)?);
        let from = self.on_board(from);
        if mentions(&shoot.to, Var::Between) {
            return self.refuse("shots that ask for what they pass");
        }
        let go = self.sites_where(&shoot.to, Var::To)?;
        let (all, none) = (self.everywhere(), self.nowhere());
        let deed = self.deed(Act::Add(what), None, None, terms)?;
        let mut leaf_parts = LeafParts::default();
        let (go, stop) = (leaf_parts.operand(go)?, leaf_parts.operand(none)?);
        leaf_parts.add(Shape::Slide { rays, go, stop, shot: true }, from, all, deed)?;
        Ok(self.leaf(leaf_parts))
    }

    /// The table of the rays of every site in its directions, none of which may cross another.
    pub(super) fn rays(&mut self, dirs: &[Vec<Dir>], min: i32, max: i32) -> Built<usize> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut table = Vec::new();
        for (site, dirs) in dirs.iter().enumerate() {
            let mut rays: Vec<Ray> = Vec::new();
            for radial in dirs.iter().flat_map(|&dir| plane.radials(site as i32, dir)) {
                let sites: Vec<u16> = radial.sites[1..]
                    .iter()
                    .take(max.max(0) as usize)
                    .map(|&site| site as u16)
                    .collect();
                let twice = |s: &u16| {
                    rays.iter().any(|ray| ray.sites.contains(s))
                        || sites.iter().filter(|other| *other == s).count() > 1
                        || usize::from(*s) == site
                };
                if sites.iter().any(twice) {
                    return self.refuse("lines that meet again");
                }
                if !sites.is_empty() {
                    rays.push(Ray { sites, near: (min - 1).max(0) as usize });
                }
            }
            table.push(rays);
        }
        Ok(self.ray_table(table))
    }

    pub(super) fn ray_table(&mut self, table: Vec<Vec<Ray>>) -> usize {
        let known = self.code.rays.iter().position(|rays| *rays == table);
        known.unwrap_or_else(|| {
            self.code.rays.push(table);
            self.code.rays.len() - 1
        })
    }

    fn slide_on_track(
        &mut self,
        slide: &Slide,
        name: &str,
        (min, max): (i32, i32),
        terms: &Terms,
    ) -> Built<Node> {
        if name != "AllTracks" || min > 1 || slide.from.cond.is_some() || slide.stop.is_none() {
            return self.refuse("slides along one track");
        }
        let captures = slide.to == Some(Bool::Const(false));
        if !captures || without_start(&slide.go) == slide.go {
            return self.refuse("slides along tracks other than to capture, past their own start");
        }
        let Some((what, origin)) = self.origins(&slide.from, false)?.pop() else {
            return Ok(Node::Nothing);
        };
        let paths: Vec<Vec<TrackPath>> =
            (0..self.code.board as i32).map(|site| self.track_paths(site, max)).collect();
        let most = paths.iter().map(Vec::len).max().unwrap_or(0);
        let has = |number: usize| -> SiteSet {
            let sites = paths.iter().enumerate().filter(|(_, paths)| paths.len() > number);
            sites.map(|(site, _)| site as i32).collect()
        };
        let starts: Vec<SiteSet> = (0..most).map(has).collect();
        self.code.paths.push(paths);
        let paths = self.code.paths.len() - 1;
        self.with_piece(what, |b| {
            // A piece may always pass the place it started from.
            let go = b.merged_sites(&without_start(&slide.go))?;
            let stop = slide
                .stop
                .as_ref()
                .map_or(Ok(Set::Slot(0)), |stop| b.sites_where(stop, Var::To))?;
            let all = b.everywhere();
            let deed = b.deed(Act::Move, slide.effect.as_ref(), None, terms)?;
            let mut leaf_parts = LeafParts::default();
            for (number, starts) in starts.into_iter().enumerate() {
                let starts = b.fixed(starts);
                let origin = b.and(origin.clone(), starts);
                let (go, stop) =
                    (leaf_parts.operand(go.clone())?, leaf_parts.operand(stop.clone())?);
                let shape = Shape::Track { paths, number, go, stop };
                leaf_parts.add(shape, origin, all.clone(), deed)?;
            }
            Ok(b.leaf(leaf_parts))
        })
    }

    /// The ways along all tracks from a site, as far as a slide may follow them.
    fn track_paths(&self, from: i32, max: i32) -> Vec<TrackPath> {
        let mut out = Vec::new();
        for track in &self.game.tracks {
            let length = track.sites.len();
            for start in (0..length).filter(|&n| track.sites[n] == from) {
                let mut path = Vec::new();
                let mut at = start;
                let mut bumps = track.bumps.get(at).copied().unwrap_or(0);
                let mut walked = 1;
                while track.next(at) != NONE && walked < length as i32 && walked <= max {
                    path.push((track.next(at) as u16, bumps > 0));
                    at = (at + 1) % length;
                    bumps += track.bumps.get(at).copied().unwrap_or(0);
                    walked += 1;
                }
                out.push(path);
            }
        }
        out
    }
}

/// Whether a ray is what steps by a difference lead to, until they end or are as many as may be.
fn goes_on(table: &[Vec<Ray>], site: usize, by: i32, sites: &[u16], longest: usize) -> bool {
    let next = |site: i32| {
        let rays = table.get(site as usize)?;
        let leads = |ray: &&Ray| ray.sites.first().is_some_and(|&to| i32::from(to) == site + by);
        rays.iter().find(leads).map(|_| site + by)
    };
    let steps = std::iter::successors(next(site as i32), |&site| next(site)).take(longest);
    steps.eq(sites.iter().map(|&site| i32::from(site)))
}

/// Whether an effect looks at what a move passed.
fn asks_between(effect: &Moves) -> bool {
    Part::Moves(effect).any(&mut |part| match part {
        Part::Int(n) => matches!(n, Int::Between),
        Part::Region(Region::OfMoves(of, _)) => *of == MovePart::Between,
        Part::Region(sites) => matches!(sites, Region::LastBetween | Region::Between(_)),
        _ => false,
    })
}

/// A condition without the allowance to pass the start.
fn without_start(go: &Bool) -> Bool {
    let is_start = |cond: &Bool| match cond {
        Bool::Compare(Cmp::Eq, a, b) => matches!(
            (&**a, &**b),
            (Int::Between | Int::To, Int::From) | (Int::From, Int::Between | Int::To)
        ),
        _ => false,
    };
    match go {
        Bool::Or(all) => Bool::Or(all.iter().filter(|c| !is_start(c)).cloned().collect()),
        other => other.clone(),
    }
}
