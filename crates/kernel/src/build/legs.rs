//! Moves in one or two steps of their own directions, such as a knight's that may be blocked.

use super::carries::effect_of;
use super::families::{LeafParts, Terms};
use super::generators::Path;
use super::sets::mentions;
use super::{Bound, Builder};
use crate::Built;
use crate::code::{Act, Node, Set, Shape, Var};
use ludex_lud::ir::{Bool, ForEachDirection, FromTo, Int, Moves, MovesKind};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::Dir;
use std::collections::BTreeMap;

/// What is done in a direction once its conditions are taken off.
enum Body<'a> {
    /// The piece goes there.
    Go(&'a FromTo),
    /// A second step follows from there.
    On(&'a ForEachDirection),
}

/// As many ways of two steps as there may be.
const MAX_WAYS: usize = 24;

impl Builder<'_> {
    /// Moves of the piece of a loop for each direction.
    pub(super) fn legs(&mut self, each: &ForEachDirection, terms: &Terms) -> Built<Node> {
        let (Some(origin), Some(what)) = (self.origin.clone(), self.from_what) else {
            return self.refuse("directions where no piece stands");
        };
        self.one_step(each, &Int::From)?;
        let mut terms = terms.clone();
        let (body, conds) = self.body_of(&each.moves, &mut terms)?;
        let first = self.first_steps(each, what);
        match body {
            Body::Go(f) => {
                let cond = all_of(each.to.iter().chain(conds).chain([&f.cond]));
                self.goes_there(f)?;
                let (from, effect) = (&f.from, effect_of(f));
                let path = Path { from, cond: &cond, effect: effect.as_ref(), act: Act::Move };
                let mut leaf_parts = LeafParts::default();
                self.path(&mut leaf_parts, &path, origin, &first, &terms)?;
                Ok(self.leaf(leaf_parts))
            }
            Body::On(second) => {
                self.one_step(second, &Int::To)?;
                let (body, more) = self.body_of(&second.moves, &mut terms)?;
                let Body::Go(f) = body else {
                    return self.refuse("three directions one after another");
                };
                self.goes_there(f)?;
                let leg = all_of(each.to.iter().chain(conds));
                let end = all_of(second.to.iter().chain(more).chain([&f.cond]));
                if mentions(&leg, Var::From) || mentions(&end, Var::From) {
                    return self.refuse("conditions on the start of two steps");
                }
                let [leg, end] =
                    [self.sites_where(&leg, Var::To)?, self.sites_where(&end, Var::To)?];
                let ways = self.second_steps(second, what, &first);
                let deed = self.deed(Act::Move, effect_of(f).as_ref(), None, &terms)?;
                self.two_steps(&ways, origin, (leg, end), deed)
            }
        }
    }

    /// Whether a loop goes just one step from a place.
    fn one_step(&mut self, each: &ForEachDirection, from: &Int) -> Built<()> {
        if let Some(kind) = each.kind {
            self.same_kind(kind)?;
        }
        let start = match from {
            Int::To => matches!(each.from, Int::To),
            _ => matches!(each.from, Int::From),
        };
        let reach = (self.fixed_int(&each.distance.min), self.fixed_int(&each.distance.max));
        let fixed = self.dirs_of_piece_are_fixed(&each.dirs, Bound::default());
        match start && fixed && reach == (Some(1), Some(1)) {
            true => Ok(()),
            false => self.refuse("directions of their own kind"),
        }
    }

    /// What is done in a direction and under which conditions; what follows it is added to the terms.
    fn body_of<'m>(
        &mut self,
        mut moves: &'m Moves,
        terms: &mut Terms,
    ) -> Built<(Body<'m>, Vec<&'m Bool>)> {
        let mut conds = Vec::new();
        loop {
            if let Some(then) = moves.then {
                let effect = self.consequence(then)?;
                terms.then.insert(0, effect);
            }
            match &moves.kind {
                MovesKind::If(cond, yes, None) => {
                    conds.push(&**cond);
                    moves = yes;
                }
                MovesKind::FromTo(f) => return Ok((Body::Go(f), conds)),
                MovesKind::ForEachDirection(each) => return Ok((Body::On(each), conds)),
                _ => return self.refuse("several moves in a direction"),
            }
        }
    }

    /// Whether a move takes the piece of the loop to the site in its direction, and nothing else.
    fn goes_there(&mut self, f: &FromTo) -> Built<()> {
        let plain = f.decision
            && !f.stack
            && f.count.is_none()
            && f.rotations.is_none()
            && f.to_level.is_none()
            && f.to_region.is_none()
            && f.from.level.is_none()
            && f.from.region.is_none()
            && f.from.cond.is_none()
            && f.mover.is_none()
            && matches!(f.from.site, Int::From)
            && matches!(f.to, Int::To)
            && f.effect_if.as_ref().is_none_or(|cond| !mentions(cond, Var::From))
            && self.fixed_bool(&f.copy) == Some(false);
        for kind in [f.from.kind, f.to_kind].into_iter().flatten() {
            self.same_kind(kind)?;
        }
        match plain {
            true => Ok(()),
            false => self.refuse("moves of their own kind in a direction"),
        }
    }

    /// Starts and ends of the first steps of a piece.
    fn first_steps(&mut self, each: &ForEachDirection, what: u16) -> Vec<(i32, i32)> {
        let facing = self.game.components[what as usize].facing.unwrap_or(Dir::N);
        let mut out = Vec::new();
        for site in 0..self.code.board as i32 {
            self.steps_from(each, site, facing, |to| out.push((site, to)));
        }
        out
    }

    /// Starts, middles and ends of two steps; the second is seen the way the first one went.
    fn second_steps(
        &mut self,
        each: &ForEachDirection,
        what: u16,
        first: &[(i32, i32)],
    ) -> Vec<[i32; 3]> {
        let own = self.game.components[what as usize].facing.unwrap_or(Dir::N);
        let mut out = Vec::new();
        for &(site, leg) in first {
            let went = self.ctx.facing_of_step(self.game.topo.default, site, leg);
            self.steps_from(each, leg, went.unwrap_or(own), |to| out.push([site, leg, to]));
        }
        out
    }

    fn steps_from(
        &mut self,
        each: &ForEachDirection,
        site: i32,
        facing: Dir,
        mut found: impl FnMut(i32),
    ) {
        let kind = self.game.topo.default;
        let plane = self.game.topo.plane(kind);
        for dir in self.ctx.dirs_facing(&each.dirs, kind, site, Some(facing)) {
            for radial in plane.radials(site, dir) {
                if let Some(&to) = radial.sites.get(1) {
                    found(to);
                }
            }
        }
    }

    /// One family for each pair of differences of site numbers.
    fn two_steps(
        &mut self,
        ways: &[[i32; 3]],
        origin: Set,
        (leg, end): (Set, Set),
        deed: u16,
    ) -> Built<Node> {
        let mut by_offset: BTreeMap<(i32, i32), Vec<i32>> = BTreeMap::new();
        for &[from, over, to] in ways {
            let ends = by_offset.entry((over - from, to - from)).or_default();
            if ends.contains(&to) {
                return self.refuse("two steps that lead to the same place twice");
            }
            ends.push(to);
        }
        let far = |&(over, by): &(i32, i32)| over.abs() >= 64 || by.abs() >= 64;
        if by_offset.len() > MAX_WAYS || by_offset.keys().any(far) {
            return self.refuse("two steps in many ways");
        }
        let mut leaf_parts = LeafParts::default();
        let hurdle = leaf_parts.operand(leg)?;
        for ((over, by), ends) in by_offset {
            let ends: SiteSet = ends.into_iter().collect();
            let shape = Shape::Jump { by, over, ends, hurdle };
            leaf_parts.add(shape, origin.clone(), end.clone(), deed)?;
        }
        Ok(self.leaf(leaf_parts))
    }
}

fn all_of<'a>(conds: impl Iterator<Item = &'a Bool>) -> Bool {
    Bool::And(conds.cloned().collect())
}
