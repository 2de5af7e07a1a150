//! Captures by position: between two, or surrounded.

use super::Builder;
use super::sets::mentions;
use crate::lud::action::NONE;
use crate::lud::ir::{Bool, Custodial as Between, Moves, Surround as Around};
use crate::lud::kernel::Built;
use crate::lud::kernel::code::{Custodial, Effect, Ray, Set, Surround, Var};
use crate::lud::topo::Dir;

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
        let custodial = Custodial { from, rays, min, max, target, friend, effect };
        Ok(Effect::Custodial(Box::new(custodial)))
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
        let ray = |radial: &crate::lud::topo::Radial| Ray {
            sites: radial.sites[1..].iter().map(|&site| site as u16).collect(),
            near: 0,
        };
        let of = |site: i32| plane.radials(site, dir).map(ray).collect();
        let table = (0..plane.count as i32).map(of).collect();
        self.ray_table(table)
    }
}
