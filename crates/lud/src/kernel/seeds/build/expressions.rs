//! Numbers, conditions and regions over holes.

use super::{Builder, bits, name_of};
use crate::eval::fixed::region_is_fixed;
use crate::ir;
use crate::ir::{Bool, Int, Region, Who};
use crate::kernel::Built;
use crate::kernel::seeds::code::{Cond, Num, Set};

impl Builder<'_> {
    pub(super) fn var(&self, index: u16) -> usize {
        if index == u16::MAX { self.code.vars } else { index as usize }
    }

    pub(super) fn nums(&mut self, list: &[Int]) -> Built<Vec<Num>> {
        list.iter().map(|n| self.num(n)).collect()
    }

    pub(super) fn boxed(&mut self, n: &Int) -> Built<Box<Num>> {
        Ok(Box::new(self.num(n)?))
    }

    pub(super) fn num(&mut self, n: &Int) -> Built<Num> {
        Ok(match n {
            Int::Const(n) => Num::Const(*n),
            Int::From => Num::From,
            Int::To => Num::To,
            Int::Site => Num::Site,
            Int::Value => Num::Value,
            Int::Player => Num::Player,
            Int::Mover => Num::Mover,
            Int::Next => Num::Next,
            Int::Prev => Num::Prev,
            Int::LastFrom { after: false } => Num::LastFrom,
            Int::LastTo { after: false } => Num::LastTo,
            Int::Counter => Num::Counter,
            Int::Turns => Num::Turns,
            Int::Moves => Num::Moves,
            Int::MovesThisTurn => Num::TurnMoves,
            Int::PendingValue => Num::Pending,
            Int::Var(index) => Num::Var(self.var(*index)),
            Int::Score(player) => Num::Score(self.boxed(player)?),
            Int::PlayerValue(player) => Num::Worth(self.boxed(player)?),
            Int::CountAt(kind, region) => {
                let among = self.of_kind(*kind);
                match &**region {
                    Region::One(site) => Num::Count(among, self.boxed(site)?),
                    region => Num::CountIn(among, Box::new(self.set(region)?)),
                }
            }
            Int::CountSites(region) => Num::Size(Box::new(self.set(region)?)),
            Int::MapEntry(name, key, _) => {
                if self.game.maps.iter().flat_map(|m| &m.pairs).any(|&(key, _)| key < 0) {
                    return self.refuse("maps from below zero");
                }
                let entry = |key: i32| {
                    let n =
                        Int::MapEntry(name.clone(), Box::new(Int::Const(key)), Default::default());
                    self.ctx.int(&n)
                };
                let table = (0..self.game.map_keys()).map(entry).collect();
                Num::Table(table, self.boxed(key)?)
            }
            Int::HandSite(player, index) if matches!(**index, Int::Const(_)) => {
                let site = |player: i32| {
                    let n = Int::HandSite(Box::new(Int::Const(player)), index.clone());
                    self.ctx.int(&n)
                };
                let table: Vec<i32> = (0..=3).map(site).collect();
                if table[1] < 0 || table[2] < 0 {
                    return self.refuse("players without hands");
                }
                Num::Table(table, self.boxed(player)?)
            }
            Int::Binary(op, a, b) => Num::Binary(*op, self.boxed(a)?, self.boxed(b)?),
            Int::If(cond, yes, no) => {
                Num::If(Box::new(self.cond(cond)?), self.boxed(yes)?, self.boxed(no)?)
            }
            Int::OfBool(cond) => Num::OfBool(Box::new(self.cond(cond)?)),
            Int::Coord(..) | Int::RegionSite(..) if crate::eval::fixed::int_is_fixed(n) => {
                Num::Const(self.ctx.int(n))
            }
            other => return self.refuse(format!("the number `{}`", name_of(other))),
        })
    }

    pub(super) fn opt_cond(&mut self, cond: Option<&Bool>) -> Built<Option<Cond>> {
        cond.map(|cond| self.cond(cond)).transpose()
    }

    pub(super) fn conds(&mut self, all: &[Bool]) -> Built<Vec<Cond>> {
        all.iter().map(|cond| self.cond(cond)).collect()
    }

    pub(super) fn cond(&mut self, cond: &Bool) -> Built<Cond> {
        Ok(match cond {
            Bool::Const(value) => Cond::Const(*value),
            Bool::Not(a) => Cond::Not(Box::new(self.cond(a)?)),
            Bool::And(all) => Cond::And(self.conds(all)?),
            Bool::Or(all) => Cond::Or(self.conds(all)?),
            Bool::If(a, b, c) => {
                Cond::If(Box::new(self.cond(a)?), Box::new(self.cond(b)?), Box::new(self.cond(c)?))
            }
            Bool::Compare(cmp, a, b) => Cond::Compare(*cmp, self.num(a)?, self.num(b)?),
            Bool::In(sites, region) => Cond::In(self.nums(sites)?, self.set(region)?),
            Bool::SameRegion(a, b) => Cond::Same(self.set(a)?, self.set(b)?),
            Bool::Empty(kind, site) => {
                self.any_kind(Some(*kind))?;
                Cond::Empty(self.num(site)?)
            }
            Bool::Occupied(kind, site) => {
                self.any_kind(Some(*kind))?;
                Cond::Occupied(self.num(site)?)
            }
            Bool::IsMover(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Mover),
            Bool::IsNext(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Next),
            Bool::IsPrev(n) => Cond::Compare(ir::Cmp::Eq, self.num(n)?, Num::Prev),
            Bool::Odd(n) => Cond::Odd(self.num(n)?),
            Bool::Pending => Cond::Pending,
            Bool::Cycle => Cond::Cycle,
            Bool::WasPass => Cond::WasPass,
            Bool::Proposed(text) => Cond::Proposed(*text),
            Bool::Decided(text) => Cond::Decided(*text),
            Bool::NoMoves(_) if self.checking => return self.refuse("moves asked for afterwards"),
            Bool::NoMoves(Who::One(Int::Next)) => {
                self.asked[0] = true;
                Cond::NextStuck
            }
            Bool::NoMoves(Who::One(player)) => {
                self.asked[1] = true;
                Cond::Stuck(self.num(player)?)
            }
            Bool::AllSites(region, cond) => {
                Cond::AllSites(self.set(region)?, Box::new(self.cond(cond)?))
            }
            other => return self.refuse(format!("the condition `{}`", name_of(other))),
        })
    }

    pub(super) fn sets(&mut self, all: &[Region]) -> Built<Vec<Set>> {
        all.iter().map(|region| self.set(region)).collect()
    }

    pub(super) fn set(&mut self, region: &Region) -> Built<Set> {
        if region_is_fixed(region) {
            return Ok(Set::Const(bits(&self.ctx.region(region))));
        }
        Ok(match region {
            Region::One(site) => Set::One(self.num(site)?),
            Region::List(list) => Set::List(self.nums(list)?),
            Region::Owned(player, name, _) => {
                let parts = self.game.regions.iter().flat_map(|region| &region.parts);
                if !parts.into_iter().all(region_is_fixed) {
                    return self.refuse("regions that change");
                }
                let of = |player: i32| bits(&self.ctx.equipment_region(player, name.as_deref()));
                let sets = (0..=3).map(of).collect();
                Set::ByNumber(sets, self.num(player)?)
            }
            Region::Indexed(sets, n) => {
                Set::ByNumber(sets.iter().map(bits).collect(), self.num(n)?)
            }
            Region::Track(track, None, None) => {
                let of = |player: i32| {
                    let track = ir::TrackOf::new(Int::Const(player), track.name.clone());
                    bits(&self.ctx.region(&Region::Track(Box::new(track), None, None)))
                };
                let sets = (0..=3).map(of).collect();
                Set::ByNumber(sets, self.num(&track.player)?)
            }
            Region::Empty(kind) if *kind == self.game.topo.default => Set::Empty,
            Region::Pending => Set::Pending,
            Region::Named(all) | Region::Union(all) => Set::Union(self.sets(all)?),
            Region::Intersection(all) if !all.is_empty() => Set::Intersection(self.sets(all)?),
            Region::Difference(a, b) => {
                Set::Difference(Box::new(self.set(a)?), Box::new(self.set(b)?))
            }
            Region::If(cond, yes, no) => {
                let cond = Box::new(self.cond(cond)?);
                let yes = Box::new(self.set(yes)?);
                let no = match no {
                    Some(no) => Some(Box::new(self.set(no)?)),
                    None => None,
                };
                Set::If(cond, yes, no)
            }
            Region::Filter(base, cond) => {
                Set::Filter(Box::new(self.set(base)?), Box::new(self.cond(cond)?))
            }
            other => return self.refuse(format!("the sites `{}`", name_of(other))),
        })
    }
}
