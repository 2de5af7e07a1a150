//! Captures by position: between two, or surrounded.

use super::Builder;
use super::sets::mentions;
use crate::Built;
use crate::code::{Cond, Custodial, Effect, Flanking, Num, Ray, Set, Surround, Together, Var};
use ludex_lud::action::NONE;
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Bool, Custodial as Between, Moves, MovesKind, Surround as Around};
use ludex_lud::topo::Dir;

impl Builder<'_> {
    pub(super) fn custodial(&mut self, wanted: &Between) -> Built<Effect> {
        self.same_kind(wanted.kind)?;
        let (Some(min), Some(max)) =
            (self.fixed_int(&wanted.length.min), self.fixed_int(&wanted.length.max))
        else {
            return self.refuse("captures of a length that changes");
        };
        let from = self.num(&wanted.from)?;
        let (target, friend) = self.caught(&wanted.target, &wanted.friend)?;
        let effect = self.on_caught(&wanted.effect)?;
        let rays = self.open_rays(wanted.dir);
        let longest = self.code.rays[rays].iter().flatten().map(|ray| ray.sites.len()).max();
        let unlimited = min <= 1 && max as usize >= longest.unwrap_or(0) && max > 1;
        let single = min <= 1 && max == 1;
        let together = self.together(&effect).filter(|_| unlimited || single);
        let custodial = Custodial { from, rays, min, max, target, friend, effect, together };
        Ok(Effect::Custodial(Box::new(custodial)))
    }

    /// Pieces next to a site on both sides of it.
    pub(super) fn intervene(&mut self, wanted: &Between) -> Built<Effect> {
        self.same_kind(wanted.kind)?;
        let length = (self.fixed_int(&wanted.length.min), self.fixed_int(&wanted.length.max));
        if length != (Some(1), Some(1)) {
            return self.refuse("captures of several on both sides");
        }
        let saved = self.bound;
        self.bound = saved.with(Var::To);
        let effect = self.effect(&wanted.effect);
        self.bound = saved;
        if effect? != Effect::Remove(Set::One(Num::Var(Var::To))) {
            return self.refuse("captures on both sides that do something else");
        }
        let from = self.num(&wanted.from)?;
        let target = self.sites_where(&wanted.target, Var::To)?;
        let mut taken = self.nowhere();
        for tables in self.opposite_neighbours(wanted.dir)? {
            let sites = tables.map(|table| Num::Entry(self.numbers(table), Box::new(from.clone())));
            let caught = sites.clone().map(|site| Cond::Has(target.clone(), site));
            let [near, far] = sites.map(Set::One);
            let (pair, none) = (self.or(near, far), self.nowhere());
            taken = self.or(taken, Set::either(Cond::All(caught.into()), pair, none));
        }
        Ok(Effect::Remove(taken))
    }

    /// For every line through a site the two next sites on it: by number of the line, then by site.
    fn opposite_neighbours(&self, dir: Dir) -> Built<Vec<[Vec<i32>; 2]>> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut all: Vec<[Vec<i32>; 2]> = Vec::new();
        for site in 0..plane.count {
            let mut number = 0;
            for line in plane.lines(site as i32, dir) {
                let ends = match line.opposites.as_slice() {
                    [] => continue,
                    [back] => [line, &plane.radials[site][*back as usize]],
                    _ => return self.refuse("captures on lines that part"),
                };
                if number == all.len() {
                    all.push([vec![NONE; plane.count], vec![NONE; plane.count]]);
                }
                for (table, end) in all[number].iter_mut().zip(ends) {
                    table[site] = end.sites.get(1).copied().unwrap_or(NONE);
                }
                number += 1;
            }
        }
        Ok(all)
    }

    /// The effect on each caught piece as one on all of them.
    fn together(&mut self, effect: &Effect) -> Option<Together> {
        let here = Set::One(Num::Var(Var::Between));
        match effect {
            Effect::Remove(set) if *set == here => Some(Together::Removed),
            Effect::Flip(Num::Var(Var::Between)) => Some(Together::Flipped),
            Effect::Convert(set, into) => match set {
                set if *set == here => Some(Together::Converted(self.everywhere(), into.clone())),
                Set::And(one, of) if **one == here && matches!(**of, Set::Slot(_)) => {
                    Some(Together::Converted((**of).clone(), into.clone()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The sites from which a capture would catch something.
    pub(super) fn flanking(&mut self, wanted: &Between) -> Built<Set> {
        self.same_kind(wanted.kind)?;
        let (Some(min), Some(max)) =
            (self.fixed_int(&wanted.length.min), self.fixed_int(&wanted.length.max))
        else {
            return self.refuse("captures of a length that changes");
        };
        let (target, friend) = self.caught(&wanted.target, &wanted.friend)?;
        let taken = self.on_caught(&wanted.effect)?;
        // Something is caught only where the effect on it is something.
        let between = Set::One(Num::Var(Var::Between));
        let takes = taken == Effect::Remove(between) && self.never_empty(&target);
        let turns = taken == Effect::Flip(Num::Var(Var::Between)) && self.only_pieces_turn();
        if !(takes || turns) || min > 1 || max < 1 {
            return self.refuse("a question for captures of their own kind");
        }
        let steps = self.lines(wanted.dir)?;
        let plane = self.game.topo.plane(self.game.topo.default);
        let sites = 0..plane.count as i32;
        let lengths = sites.flat_map(|site| plane.radials(site, wanted.dir).map(|r| r.sites.len()));
        let longest = lengths.max().unwrap_or(0) as i32;
        Ok(Set::Flanking(Box::new(Flanking { steps, target, friend, max, longest })))
    }

    /// For every direction the relation of a site to the one before it on a line.
    fn lines(&mut self, dir: Dir) -> Built<Vec<usize>> {
        let plane = self.game.topo.plane(self.game.topo.default);
        let mut directions: Vec<(i32, Vec<(i32, i32)>)> = Vec::new();
        for site in 0..plane.count as i32 {
            for radial in plane.radials(site, dir) {
                let by = radial.sites.get(1).map_or(0, |next| next - site);
                // Lines must go by a constant difference, as far as they go.
                let straight = radial.sites.windows(2).all(|w| w[1] - w[0] == by);
                let goes_on = |w: &[i32]| plane.radials(w[0], dir).any(|r| r.sites.starts_with(w));
                if !straight || !radial.sites.windows(2).all(goes_on) {
                    return self.refuse("lines that bend");
                }
                if by != 0 {
                    match directions.iter_mut().find(|(known, _)| *known == by) {
                        // A catcher at the end leads back to the site that is asked for.
                        Some((_, pairs)) => pairs.push((site + by, site)),
                        None => directions.push((by, vec![(site + by, site)])),
                    }
                }
            }
        }
        Ok(directions.iter().map(|(_, pairs)| self.relation(pairs)).collect())
    }

    pub(super) fn surround(&mut self, wanted: &Around) -> Built<Effect> {
        self.same_kind(wanted.kind)?;
        let Some(except) = self.fixed_int(&wanted.except) else {
            return self.refuse("captures with exceptions that change");
        };
        let with = match &wanted.with {
            None => None,
            Some(with) => match self.fixed_int(with) {
                Some(0) => Some(super::sets::EMPTY),
                Some(what) => Some(self.slot_of(u16::try_from(what).unwrap_or(0))),
                None => return self.refuse("captures with a piece that is not known before"),
            },
        };
        let from = self.num(&wanted.from)?;
        let (target, friend) = self.caught(&wanted.target, &wanted.friend)?;
        let effect = self.on_caught(&wanted.effect)?;
        let rays = self.open_rays(wanted.relation);
        let except = except.max(0) as u32;
        let surround = Surround { from, rays, target, friend, except, with, effect };
        Ok(Effect::Surround(Box::new(surround)))
    }

    /// What is caught and what catches, as sets.
    fn caught(&mut self, target: &Bool, friend: &Bool) -> Built<(Set, Set)> {
        if mentions(target, Var::To) || mentions(friend, Var::Between) {
            return self.refuse("captures by what is caught and what catches together");
        }
        // Beyond the edge nothing may catch.
        let saved = std::mem::replace(&mut self.ctx.v.to, NONE);
        let beyond = self.ctx.bool(friend);
        self.ctx.v.to = saved;
        if beyond {
            return self.refuse("captures against the edge");
        }
        Ok((self.sites_where(target, Var::Between)?, self.sites_where(friend, Var::To)?))
    }

    /// Whether a set has occupied sites only.
    fn never_empty(&self, set: &Set) -> bool {
        match set {
            Set::Slot(slot) => self.code.slots.iter().skip(1).any(|s| s.0 == *slot || s.1 == *slot),
            Set::And(a, b) => self.never_empty(a) || self.never_empty(b),
            Set::Or(a, b) => self.never_empty(a) && self.never_empty(b),
            _ => false,
        }
    }

    /// Whether every piece has two states and no empty site ever has one.
    fn only_pieces_turn(&self) -> bool {
        let two = self.code.flips.iter().skip(1).all(|flips| flips.is_some());
        two && !self.game.mentions(&mut |part| {
            matches!(part, Part::Moves(moves) if matches!(moves.kind, MovesKind::SetState(_)))
        })
    }

    fn on_caught(&mut self, effect: &Moves) -> Built<Effect> {
        let saved = self.bound;
        self.bound = saved.with(Var::Between);
        let effect = self.effect(effect);
        self.bound = saved;
        effect
    }

    /// Rays of every site that may cross one another.
    fn open_rays(&mut self, dir: Dir) -> usize {
        let plane = self.game.topo.plane(self.game.topo.default);
        let ray = |radial: &ludex_lud::topo::Radial| Ray {
            sites: radial.sites[1..].iter().map(|&site| site as u16).collect(),
            near: 0,
        };
        let of = |site: i32| plane.radials(site, dir).map(ray).collect();
        let table = (0..plane.count as i32).map(of).collect();
        self.ray_table(table)
    }
}
