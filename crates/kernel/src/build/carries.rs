//! Moves from anywhere to anywhere, and promotions.

use super::Builder;
use super::families::{LeafParts, Terms};
use super::generators::Path;
use super::selects::pairs_of;
use super::sets::{EMPTY, mentions, region_mentions};
use crate::Built;
use crate::code::{Act, Node, Num, Set, Shape, Var};
use ludex_lud::ir::{Channel, FromTo, Int, Into_, Moves, MovesKind, Promote, Region};

/// How moves reach their ends.
enum Reach {
    /// From each start to the ends it is paired with.
    Pairs(Vec<(i32, i32)>),
    /// To a set that may depend on the start.
    Each(Set),
}

impl Builder<'_> {
    /// Whether one piece goes as it is, and not a copy of it.
    fn carries(&mut self, f: &FromTo) -> Built<bool> {
        let plain = (f.decision || self.asking)
            && !f.stack
            && f.count.is_none()
            && f.rotations.is_none()
            && f.to_level.is_none()
            && f.mover.is_none()
            && f.effect_if.as_ref().is_none_or(|cond| !mentions(cond, Var::From));
        let (Some(copy), true) = (self.fixed_bool(&f.copy), plain) else {
            return self.refuse("moves of several pieces at once");
        };
        for kind in [f.from.kind, f.to_kind].into_iter().flatten() {
            self.same_kind(kind)?;
        }
        Ok(!copy)
    }

    /// Moves from each site of a loop to one that depends on it alone.
    pub(super) fn carry_from(&mut self, sites: Set, f: &FromTo, terms: &Terms) -> Built<Node> {
        if !self.carries(f)? || f.from.level.is_some() || f.from.cond.is_some() {
            return self.refuse("moves from each site in a way of their own");
        }
        let region = match (&f.to_region, &f.from.region) {
            (Some(region), None) => region.clone(),
            (None, None) => Region::One(Box::new(f.to.clone())),
            _ => return self.refuse("moves from each site in a way of their own"),
        };
        let Some(rows) = self.fixed_rows(&region, Var::Site) else {
            return self.refuse("moves from each site to others that change");
        };
        let occupied = self.not(EMPTY);
        let origin = self.and(sites, occupied);
        let effect = effect_of(f);
        let path = Path { from: &f.from, cond: &f.cond, effect: effect.as_ref(), act: Act::Move };
        let mut leaf_parts = LeafParts::default();
        self.path(&mut leaf_parts, &path, origin, &pairs_of(&rows), terms)?;
        Ok(self.leaf(leaf_parts))
    }

    pub(super) fn carry(&mut self, f: &FromTo, terms: &Terms) -> Built<Node> {
        let copy = !self.carries(f)?;
        let mut origin = self.carried_from(f)?;
        let occupied = self.not(EMPTY);
        origin = self.and(origin, occupied);
        let region = match &f.to_region {
            Some(region) => region.clone(),
            None => Region::One(Box::new(f.to.clone())),
        };
        let act = match self.level_meant(f.from.level.as_ref())? {
            _ if copy => Act::Copy,
            Some(level) => Act::Lift(level),
            None => Act::Move,
        };
        let effect = effect_of(f);
        let path = Path { from: &f.from, cond: &f.cond, effect: effect.as_ref(), act };
        let mut leaf_parts = LeafParts::default();
        self.carry_along(&mut leaf_parts, &path, origin, &region, terms)?;
        if copy && (!leaf_parts.ends_empty() || self.game.containers.len() > 1) {
            return self.refuse("copies of pieces onto others");
        }
        Ok(self.leaf(leaf_parts))
    }

    /// Families of moves from a set to a region.
    pub(super) fn carry_along(
        &mut self,
        leaf_parts: &mut LeafParts,
        path: &Path<'_>,
        origin: Set,
        region: &Region,
        terms: &Terms,
    ) -> Built<()> {
        let (reach, target) = self.carried_to(region)?;
        match reach {
            Reach::Pairs(pairs) => self.path(leaf_parts, path, origin, &pairs, terms),
            Reach::Each(set) => {
                let shape = Shape::Each(Box::new(set));
                self.anywhere(leaf_parts, path, (origin, target), &shape, terms)
            }
        }
    }

    /// Families of moves that are not paired beforehand.
    fn anywhere(
        &mut self,
        leaf_parts: &mut LeafParts,
        path: &Path<'_>,
        (origin, target): (Set, Set),
        shape: &Shape,
        terms: &Terms,
    ) -> Built<()> {
        let origin = self.starting(path.from, origin)?;
        let (rectangles, late) = self.terms_of_path(path.cond);
        let check = self.check_of(&late)?;
        let deed = self.deed(path.act, path.effect, check, terms)?;
        for (from, to) in rectangles {
            let from = self.and(origin.clone(), from);
            let to = self.and(to, target.clone());
            leaf_parts.add(shape.clone(), from, to, deed)?;
        }
        Ok(())
    }

    fn carried_from(&mut self, f: &FromTo) -> Built<Set> {
        match (&f.from.region, self.origin.clone()) {
            (None, Some(origin)) if matches!(f.from.site, Int::From) => Ok(origin),
            (_, Some(_)) => self.refuse("moves of other pieces for each piece"),
            (Some(region), None) => self.region(region),
            (None, None) => Ok(Set::One(self.num(&f.from.site)?)),
        }
    }

    /// How moves reach a region: the same for every start, or one of its own for each.
    fn carried_to(&mut self, region: &Region) -> Built<(Reach, Set)> {
        if !region_mentions(region, Var::From) {
            let set = self.region(region)?;
            let all = self.everywhere();
            return Ok((Reach::Each(all), set));
        }
        if let Some(rows) = self.fixed_rows(region, Var::From) {
            let all = self.everywhere();
            return Ok((Reach::Pairs(pairs_of(&rows)), all));
        }
        let saved = self.bound;
        self.bound = saved.with(Var::From);
        let set = self.region(region);
        self.bound = saved;
        let all = self.everywhere();
        Ok((Reach::Each(set?), all))
    }

    pub(super) fn promotion(&mut self, promote: &Promote, terms: &Terms) -> Built<Node> {
        self.same_kind(promote.kind)?;
        if !promote.decision || self.origin.is_some() {
            return self.refuse("promotions of their own kind");
        }
        if let Into_::Pieces(pieces) = &promote.into
            && let [Int::MapEntry(name, key, _)] = pieces.as_slice()
            && let Int::At(Channel::What, _, site, None) = &**key
            && matches!(
                (&**site, &promote.at),
                (Int::LastTo { after: false }, Int::LastTo { after: false })
            )
        {
            return self.promotion_by_piece(name, terms);
        }
        let whats: Option<Vec<i32>> = match &promote.into {
            Into_::Pieces(pieces) => pieces.iter().map(|piece| self.fixed_int(piece)).collect(),
            Into_::Alike(..) => None,
            Into_::Named(names, owner) => self.fixed_int(owner).map(|owner| {
                let named = |name: &str| {
                    let is = |c: &ludex_lud::game::Component| {
                        c.owner == owner && !c.name.is_empty() && c.name.contains(name)
                    };
                    self.game.components.iter().position(is).map_or(0, |at| at as i32)
                };
                names.iter().map(|name| named(name)).collect()
            }),
        };
        let Some(whats) = whats else {
            return self.refuse("promotions into pieces that are not known before");
        };
        let site = Set::One(self.num(&promote.at)?);
        let mut leaf_parts = LeafParts::default();
        let whats = whats.into_iter().filter_map(|what| self.piece(what)).filter(|&what| what > 0);
        for what in whats.collect::<Vec<u8>>() {
            let deed = self.deed(Act::Promote(what), None, None, terms)?;
            leaf_parts.add(Shape::Spot, site.clone(), site.clone(), deed)?;
        }
        Ok(self.leaf(leaf_parts))
    }
}

impl Builder<'_> {
    /// A promotion of the piece that moved last into what a map has for it.
    fn promotion_by_piece(&mut self, name: &Option<Box<str>>, terms: &Terms) -> Built<Node> {
        let mut nodes = Vec::new();
        for what in 1..self.game.components.len() as u16 {
            let mut leaf_parts = LeafParts::default();
            let into = self.mapped(name, i32::from(what));
            let Some(into @ 1..) = self.piece(into) else {
                continue;
            };
            let slot = self.slot_of(what);
            let site = self.and(Set::One(Num::LastTo), slot);
            let deed = self.deed(Act::Promote(into), None, None, terms)?;
            leaf_parts.add(Shape::Spot, site.clone(), site, deed)?;
            nodes.push(self.leaf(leaf_parts));
        }
        Ok(self.all_of(nodes))
    }
}

/// What comes with a move from anywhere to anywhere, where it does.
pub(super) fn effect_of(f: &FromTo) -> Option<Moves> {
    let effect = f.effect.clone()?;
    Some(match &f.effect_if {
        None => effect,
        Some(cond) => {
            let kind = MovesKind::If(Box::new(cond.clone()), Box::new(effect), None);
            Moves { kind, then: None }
        }
    })
}
