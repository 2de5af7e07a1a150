//! What never changes is worked out once, by the general evaluator itself.

use super::{Bound, Builder};
use crate::code::{Cond, Num, Var};
use ludex_lud::ir::{Bool, Channel, Cmp, Directions, Int, Ints, Region, Regions, RelativeDir, Who};
use ludex_lud::sites::SiteSet;

impl Builder<'_> {
    /// The number, if it never changes.
    pub(crate) fn fixed_int(&mut self, n: &Int) -> Option<i32> {
        self.int_is_fixed(n, Bound::default()).then(|| self.ctx.int(n))
    }

    /// The condition, if it never changes.
    pub(crate) fn fixed_bool(&mut self, cond: &Bool) -> Option<bool> {
        self.bool_is_fixed(cond, Bound::default()).then(|| self.ctx.bool(cond))
    }

    /// The sites, if they never change.
    pub(crate) fn fixed_region(&mut self, region: &Region) -> Option<SiteSet> {
        self.region_is_fixed(region, Bound::default()).then(|| self.ctx.region(region))
    }

    /// Several sets of sites, if they never change.
    pub(crate) fn fixed_regions(&mut self, regions: &Regions) -> Option<Vec<SiteSet>> {
        match regions {
            Regions::Static(sets) => Some(sets.clone()),
            Regions::List(list) => list.iter().map(|r| self.fixed_region(r)).collect(),
            Regions::Owned(player) => self.owned_regions(player),
        }
    }

    /// The regions of the mover's equipment.
    fn owned_regions(&mut self, player: &Int) -> Option<Vec<SiteSet>> {
        let player = self.fixed_int(player)?;
        if player != self.mover {
            return None;
        }
        let game = self.game;
        let mut out = Vec::new();
        for region in game.regions.iter().filter(|r| r.owner == player) {
            let parts: Option<Vec<SiteSet>> =
                region.parts.iter().map(|r| self.fixed_region(r)).collect();
            let parts = parts?;
            if region.plain {
                let mut all = SiteSet::new();
                parts.iter().for_each(|part| all.union_with(part));
                out.push(all);
            } else {
                out.extend(parts);
            }
        }
        Some(out)
    }

    /// The sites where a condition on one variable holds, if nothing else matters.
    pub(crate) fn fixed_sites(&mut self, cond: &Bool, var: Var) -> Option<SiteSet> {
        if !self.bool_is_fixed(cond, self.alone(var)) {
            return None;
        }
        let sites = 0..self.code.sites as i32;
        let ends = sites.filter(|&site| self.is_end(var, site));
        let ends: Vec<i32> = ends.collect();
        let holds = |&site: &i32| self.with_site(var, site, |c| c.bool(cond));
        Some(ends.into_iter().filter(holds).collect())
    }

    /// A number for every site, if nothing but the site matters.
    pub(crate) fn fixed_numbers(&mut self, n: &Int, var: Var) -> Option<Vec<i32>> {
        if !self.int_is_fixed(n, self.alone(var)) {
            return None;
        }
        let sites = 0..self.code.sites as i32;
        let value = |site| match self.is_end(var, site) {
            true => self.with_site(var, site, |c| c.int(n)),
            false => -1,
        };
        Some(sites.map(value).collect())
    }

    /// A set for every site, if nothing but the site matters.
    pub(super) fn fixed_rows(&mut self, region: &Region, var: Var) -> Option<Vec<SiteSet>> {
        if !self.region_is_fixed(region, self.alone(var)) {
            return None;
        }
        let sites = 0..self.code.sites as i32;
        Some(sites.map(|site| self.with_site(var, site, |c| c.region(region))).collect())
    }

    /// What something is for each player being next, where that alone matters.
    pub(super) fn by_next<T>(
        &mut self,
        mut of: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        if self.knows_next() {
            return None;
        }
        let (next, players) = (self.ctx.s.next, 1..=self.game.players);
        self.next_given = true;
        let mut value = |next: i32| {
            self.ctx.s.next = next;
            of(self)
        };
        let all = players.map(&mut value).collect();
        self.next_given = false;
        self.ctx.s.next = next;
        all
    }

    /// Whether the next player is known while code is written: of more than two some may be out already.
    pub(super) fn knows_next(&self) -> bool {
        self.next_given || self.choosing && self.game.players == 2
    }

    /// A variable and what means the same site.
    fn alone(&self, var: Var) -> Bound {
        match (var, self.merged) {
            (Var::To | Var::Between, true) => Bound::default().with(Var::To).with(Var::Between),
            (Var::To, false) if self.start_of.is_some() => {
                Bound::default().with(Var::From).with(Var::To)
            }
            _ => Bound::default().with(var),
        }
    }

    /// Whether a move of a known way can end on a site.
    fn is_end(&self, var: Var, site: i32) -> bool {
        match (&self.start_of, var) {
            (Some(starts), Var::To) => starts[site as usize] >= 0,
            _ => true,
        }
    }

    fn with_site<T>(
        &mut self,
        var: Var,
        site: i32,
        act: impl FnOnce(&mut ludex_lud::ctx::Ctx<'_>) -> T,
    ) -> T {
        if self.merged && matches!(var, Var::To | Var::Between) {
            let saved = (self.ctx.v.to, self.ctx.v.between);
            (self.ctx.v.to, self.ctx.v.between) = (site, site);
            let value = act(&mut self.ctx);
            (self.ctx.v.to, self.ctx.v.between) = saved;
            return value;
        }
        if let (Some(starts), Var::To) = (&self.start_of, var) {
            let saved = std::mem::replace(&mut self.ctx.v.from, starts[site as usize]);
            let value = self.with_value(var, site, act);
            self.ctx.v.from = saved;
            return value;
        }
        if let (Var::From, Some(what)) = (var, self.from_what) {
            return self.with_piece_at(what, site, |b| b.with_value(var, site, act));
        }
        self.with_value(var, site, act)
    }

    /// Evaluates something while a piece stands on a site.
    pub(super) fn with_piece_at<T>(
        &mut self,
        what: u16,
        site: i32,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let kind = self.game.topo.default as usize;
        let at = site as usize;
        let kept = self.ctx.s.layers[kind].flat().get(at).copied();
        let piece = ludex_lud::layer::Piece { what, count: 1, ..Default::default() };
        self.ctx.s.layers[kind].set(site, |slot| *slot = piece);
        let value = act(self);
        if let Some(kept) = kept {
            self.ctx.s.layers[kind].set(site, |slot| *slot = kept);
        }
        value
    }

    fn with_value<T>(
        &mut self,
        var: Var,
        site: i32,
        act: impl FnOnce(&mut ludex_lud::ctx::Ctx<'_>) -> T,
    ) -> T {
        let v = &mut self.ctx.v;
        let slot = match var {
            Var::From => &mut v.from,
            Var::To => &mut v.to,
            Var::Between => &mut v.between,
            Var::Site => &mut v.site,
            Var::Player => &mut v.player,
        };
        let saved = std::mem::replace(slot, site);
        let value = act(&mut self.ctx);
        let v = &mut self.ctx.v;
        match var {
            Var::From => v.from = saved,
            Var::To => v.to = saved,
            Var::Between => v.between = saved,
            Var::Site => v.site = saved,
            Var::Player => v.player = saved,
        }
        value
    }

    fn all_fixed(&self, all: &[&Int], vars: Bound) -> bool {
        all.iter().all(|n| self.int_is_fixed(n, vars))
    }

    pub(super) fn int_is_fixed(&self, n: &Int, vars: Bound) -> bool {
        match n {
            Int::Const(_) | Int::Mover | Int::TeamMover => true,
            Int::Next => self.knows_next(),
            Int::CountPips(owner) => self.throw.is_some() && self.int_is_fixed(owner, vars),
            Int::TrackMove(track, from, steps) => {
                !self.game.inner_loops
                    && self.all_fixed(&[&track.player, steps], vars)
                    && from.as_ref().is_none_or(|from| self.int_is_fixed(from, vars))
            }
            Int::StepsOnTrack(track, from, to) => {
                !self.game.inner_loops && self.all_fixed(&[&track.player, from, to], vars)
            }
            Int::Value => self.value.is_some(),
            Int::Pips => self.pips,
            Int::From => vars.has(Var::From),
            // Which piece a stack has lowest is not known from what moves.
            Int::At(Channel::What, ..) if self.code.stacks.is_some() => false,
            Int::At(Channel::What | Channel::Who, _, at, None) => {
                matches!(**at, Int::From) && vars.has(Var::From) && self.from_what.is_some()
            }
            Int::To => vars.has(Var::To),
            Int::Between => vars.has(Var::Between),
            Int::Site => vars.has(Var::Site),
            Int::Player => vars.has(Var::Player),
            Int::Column(_, a)
            | Int::Row(_, a)
            | Int::Layer(_, a)
            | Int::PhaseOf(_, a)
            | Int::MapEntry(_, a, _)
            | Int::PieceOf(_, a)
            | Int::Abs(a) => self.int_is_fixed(a, vars),
            Int::Coord(_, a, b) | Int::HandSite(a, b) | Int::Binary(_, a, b) => {
                self.all_fixed(&[a, b], vars)
            }
            Int::Ahead(_, site, steps, dirs) => {
                // The piece that stands at the start is known.
                let of_piece = matches!(**site, Int::From)
                    && self.from_what.is_some()
                    && self.dirs_of_piece_are_fixed(dirs, Bound::default());
                let of_move = vars.has(Var::From) && vars.has(Var::To) && is_way(dirs);
                self.all_fixed(&[site, steps], vars)
                    && (of_piece || of_move || self.dirs_are_fixed(dirs, vars))
            }
            Int::If(cond, a, b) => self.bool_is_fixed(cond, vars) && self.all_fixed(&[a, b], vars),
            Int::OfBool(cond) => self.bool_is_fixed(cond, vars),
            Int::RegionSite(region, at) => {
                self.region_is_fixed(region, vars) && self.int_is_fixed(at, vars)
            }
            Int::CountSites(region) | Int::CountNear(_, _, region) => {
                self.region_is_fixed(region, vars)
            }
            Int::Steps(_, _, from, to) => {
                self.int_is_fixed(from, vars) && self.region_is_fixed(to, vars)
            }
            Int::Sum(ints) | Int::Product(ints) | Int::MaxOf(ints) | Int::MinOf(ints) => {
                self.ints_are_fixed(ints, vars)
            }
            Int::SizeArray(ints) => self.ints_are_fixed(ints, vars),
            Int::ArrayValue(ints, at) => {
                self.ints_are_fixed(ints, vars) && self.int_is_fixed(at, vars)
            }
            _ => false,
        }
    }

    fn ints_are_fixed(&self, ints: &Ints, vars: Bound) -> bool {
        match ints {
            Ints::List(list) => list.iter().all(|n| self.int_is_fixed(n, vars)),
            Ints::Region(region) => self.region_is_fixed(region, vars),
            Ints::Difference(a, b) => self.ints_are_fixed(a, vars) && self.ints_are_fixed(b, vars),
            Ints::Intersection(all) | Ints::Union(all) => {
                all.iter().all(|ints| self.ints_are_fixed(ints, vars))
            }
            _ => false,
        }
    }

    pub(super) fn bool_is_fixed(&self, cond: &Bool, vars: Bound) -> bool {
        match cond {
            Bool::Const(_) => true,
            Bool::DiceEqual | Bool::DiceUsed => self.throw.is_some(),
            Bool::AnyDie(n) => self.throw.is_some() && self.int_is_fixed(n, vars),
            Bool::Not(a) => self.bool_is_fixed(a, vars),
            Bool::And(all) | Bool::Or(all) => all.iter().all(|c| self.bool_is_fixed(c, vars)),
            Bool::Xor(a, b) => self.bool_is_fixed(a, vars) && self.bool_is_fixed(b, vars),
            Bool::If(a, b, c) => [a, b, c].into_iter().all(|x| self.bool_is_fixed(x, vars)),
            Bool::Compare(_, a, b) => self.all_fixed(&[a, b], vars),
            Bool::SameRegion(a, b) => {
                self.region_is_fixed(a, vars) && self.region_is_fixed(b, vars)
            }
            Bool::In(sites, region) => {
                sites.iter().all(|n| self.int_is_fixed(n, vars))
                    && self.region_is_fixed(region, vars)
            }
            Bool::InInts(values, ints) => {
                values.iter().all(|n| self.int_is_fixed(n, vars)) && self.ints_are_fixed(ints, vars)
            }
            Bool::IsMover(n) | Bool::Odd(n) | Bool::Enemy(n) | Bool::Friend(n) => {
                self.int_is_fixed(n, vars)
            }
            Bool::IsNext(n) => self.knows_next() && self.int_is_fixed(n, vars),
            Bool::Related(_, _, site, region) => {
                self.int_is_fixed(site, vars) && self.region_is_fixed(region, vars)
            }
            _ => false,
        }
    }

    pub(super) fn region_is_fixed(&self, region: &Region, vars: Bound) -> bool {
        let all = |parts: &[Region]| parts.iter().all(|part| self.region_is_fixed(part, vars));
        match region {
            Region::Const(_) => true,
            Region::List(list) => list.iter().all(|n| self.int_is_fixed(n, vars)),
            Region::Array(ints) => self.ints_are_fixed(ints, vars),
            Region::Owned(player, name, _) => {
                self.int_is_fixed(player, vars) && self.equipment_is_fixed(name.as_deref(), vars)
            }
            Region::Named(parts) | Region::Union(parts) | Region::Intersection(parts) => all(parts),
            Region::Indexed(_, n) | Region::Start(n) | Region::Side(_, n) | Region::One(n) => {
                self.int_is_fixed(n, vars)
            }
            Region::Hand(who) => match &**who {
                Who::One(n) => self.int_is_fixed(n, vars),
                Who::Role(_) => true,
            },
            Region::Distance(_, _, from, range) => {
                self.all_fixed(&[from, &range.min, &range.max], vars)
            }
            Region::Walk(_, from, _, rotations) => {
                self.int_is_fixed(from, vars) && self.bool_is_fixed(rotations, vars)
            }
            Region::Difference(a, b) => {
                self.region_is_fixed(a, vars) && self.region_is_fixed(b, vars)
            }
            Region::If(cond, yes, no) => {
                self.bool_is_fixed(cond, vars)
                    && self.region_is_fixed(yes, vars)
                    && no.as_ref().is_none_or(|no| self.region_is_fixed(no, vars))
            }
            Region::Expand(_, base, steps, _) => {
                self.region_is_fixed(base, vars) && self.int_is_fixed(steps, vars)
            }
            Region::Filter(base, cond) => {
                self.region_is_fixed(base, vars) && self.bool_is_fixed(cond, vars.with(Var::Site))
            }
            Region::ForEachSite(base, inner) => {
                self.region_is_fixed(base, vars)
                    && self.region_is_fixed(inner, vars.with(Var::Site))
            }
            Region::Around(around) => {
                around.filter.is_none()
                    && self.region_is_fixed(&around.at, vars)
                    && self.int_is_fixed(&around.distance, vars)
                    && self.bool_is_fixed(&around.include_self, vars)
                    && around
                        .cond
                        .as_ref()
                        .is_none_or(|cond| self.bool_is_fixed(cond, vars.with(Var::To)))
            }
            Region::Direction(wanted) => {
                let within = vars.with(Var::To);
                self.region_is_fixed(&wanted.from, vars)
                    && self.dirs_are_fixed(&wanted.dirs, vars)
                    && self.bool_is_fixed(&wanted.included, vars)
                    && self.bool_is_fixed(&wanted.stop, within)
                    && self.bool_is_fixed(&wanted.stop_included, within)
                    && self.int_is_fixed(&wanted.distance, vars)
            }
            Region::Between(wanted) => {
                self.all_fixed(&[&wanted.from, &wanted.to], vars)
                    && self.dirs_are_fixed(&wanted.dirs, vars)
                    && self.bool_is_fixed(&wanted.from_included, vars)
                    && self.bool_is_fixed(&wanted.to_included, vars)
                    && self.bool_is_fixed(&wanted.cond, vars.with(Var::Between))
            }
            _ => false,
        }
    }

    /// Whether the regions of the equipment with a name are fixed. They may be made of one another, and a name that is part of
    /// another's means both: beyond some steps nothing is said to be fixed.
    fn equipment_is_fixed(&self, name: Option<&str>, asking: Bound) -> bool {
        let Some(within) = asking.deeper() else { return false };
        let named = |region: &&ludex_lud::game::EquipmentRegion| {
            name.is_none_or(|name| region.name.contains(name))
        };
        let regions = self.game.regions.iter().filter(named);
        regions.flat_map(|r| &r.parts).all(|part| self.region_is_fixed(part, within))
    }

    /// Whether directions depend on nothing but the site they start from.
    pub(super) fn dirs_are_fixed(&self, dirs: &Directions, vars: Bound) -> bool {
        match dirs {
            Directions::Absolute(_) => true,
            Directions::Relative { .. } | Directions::Random(..) => false,
            Directions::FromTo(_, a, b) => self.all_fixed(&[a, b], vars),
            Directions::If(cond, a, b) => {
                self.bool_is_fixed(cond, vars)
                    && self.dirs_are_fixed(a, vars)
                    && self.dirs_are_fixed(b, vars)
            }
            Directions::Union(a, b) | Directions::Difference(a, b) => {
                self.dirs_are_fixed(a, vars) && self.dirs_are_fixed(b, vars)
            }
        }
    }

    /// Whether directions depend on nothing but the site they start from and the piece that stands there.
    pub(super) fn dirs_of_piece_are_fixed(&self, dirs: &Directions, vars: Bound) -> bool {
        let fixed = |dirs| self.dirs_of_piece_are_fixed(dirs, vars);
        match dirs {
            Directions::Relative { dirs, .. } => {
                dirs.iter().all(|dir| matches!(dir, RelativeDir::Turned(_)))
            }
            Directions::If(cond, a, b) => self.bool_is_fixed(cond, vars) && fixed(a) && fixed(b),
            Directions::Union(a, b) | Directions::Difference(a, b) => fixed(a) && fixed(b),
            other => self.dirs_are_fixed(other, vars),
        }
    }
}

/// One of several by the player who is next, in order of players.
pub(super) fn of_next<T>(mut all: Vec<T>, choose: impl Fn(Cond, T, T) -> T) -> Option<T> {
    let mut chosen = all.pop()?;
    for (at, one) in all.into_iter().enumerate().rev() {
        let test = Cond::Compare(Cmp::Eq, Num::Next, Num::Const(at as i32 + 1));
        chosen = choose(test, one, chosen);
    }
    Some(chosen)
}

/// Whether directions are the way a move goes, or the way back.
fn is_way(dirs: &Directions) -> bool {
    matches!(dirs, Directions::Relative { dirs, .. }
        if matches!(dirs.first(), Some(RelativeDir::Same | RelativeDir::Opposite)))
}
