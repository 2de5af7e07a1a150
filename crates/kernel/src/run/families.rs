//! Which moves there are: families counted, picked from and listed.

use super::board::Board;
use super::eval::Binds;
use super::leaves::{Glided, Jumped, Shifted};
use super::{Kernel, Step};
use crate::code::{Family, MAX_ACTIVE, NOWHERE, Node, Num, Shape};
use ludex_game::bits::Bits;

/// Room for the sets a leaf works out.
pub(super) const MAX_OPERANDS: usize = 32;

/// Numbers of the leaves whose families may be used this turn.
#[derive(Clone, Copy)]
pub(super) struct Active {
    leaves: [u16; MAX_ACTIVE],
    len: usize,
}

impl Active {
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.leaves[..self.len].iter().map(|&leaf| leaf as usize)
    }

    fn push(&mut self, leaf: usize) {
        self.leaves[self.len] = leaf as u16;
        self.len += 1;
    }
}

/// The sets a leaf has worked out.
pub(super) type Operands<const W: usize> = [Bits<W>; MAX_OPERANDS];

/// Moves of one family that share a start: where they end.
#[derive(Clone, Copy)]
pub(super) struct Bundle<const W: usize> {
    /// The family: shifts come first, then jumps, glides and the others.
    pub family: u16,
    /// The start, where all share one; of glides how far they go.
    pub origin: i32,
    /// The ends; the starts where those tell the ends.
    pub ends: Bits<W>,
}

/// A family made ready.
enum Member<'a, const W: usize> {
    Shift(&'a Shifted<W>),
    Jump(&'a Jumped<W>),
    Glide(&'a Glided<W>),
    Other(&'a Family),
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The leaves that a node comes down to.
    #[inline(always)]
    pub(super) fn active(&self, b: &Board<W, S>, v: &Binds, node: &Node) -> Active {
        let mut active = Active { leaves: [0; MAX_ACTIVE], len: 0 };
        match node {
            Node::Leaf(leaf) => active.push(*leaf),
            node => self.resolve(b, v, node, &mut active),
        }
        active
    }

    fn resolve(&self, b: &Board<W, S>, v: &Binds, node: &Node, active: &mut Active) {
        match node {
            Node::Nothing => {}
            Node::Leaf(leaf) => active.push(*leaf),
            Node::All(all) => all.iter().for_each(|n| self.resolve(b, v, n, active)),
            Node::If(cond, yes, no) => {
                let chosen = if self.cond(b, v, cond) { yes } else { no };
                self.resolve(b, v, chosen, active);
            }
            Node::Switch(number, all) => {
                if let Some(node) = self.switched(b, v, number, all) {
                    self.resolve(b, v, node, active);
                }
            }
            Node::First(all) => {
                for node in all {
                    if self.any_move(b, v, node) {
                        self.resolve(b, v, node, active);
                        return;
                    }
                }
            }
        }
    }

    /// The node of several that a number names.
    #[inline]
    pub(super) fn switched<'a>(
        &self,
        b: &Board<W, S>,
        v: &Binds,
        number: &Num,
        all: &'a [Node],
    ) -> Option<&'a Node> {
        all.get(self.num(b, v, number) as u32 as usize)
    }

    /// Whether a node has a move at all.
    pub(super) fn any_move(&self, b: &Board<W, S>, v: &Binds, node: &Node) -> bool {
        match node {
            Node::Nothing => false,
            Node::Leaf(leaf) => self.leaf_moves(b, v, *leaf),
            Node::All(all) | Node::First(all) => all.iter().any(|n| self.any_move(b, v, n)),
            Node::Switch(number, all) => {
                self.switched(b, v, number, all).is_some_and(|node| self.any_move(b, v, node))
            }
            Node::If(cond, yes, no) => {
                let chosen = if self.cond(b, v, cond) { yes } else { no };
                self.any_move(b, v, chosen)
            }
        }
    }

    fn leaf_moves(&self, b: &Board<W, S>, v: &Binds, leaf: usize) -> bool {
        let operands = self.operands(b, v, leaf);
        match self.leaves[leaf].tried {
            false => self.bundles(b, leaf, &operands, |bundle| !bundle.ends.is_empty()),
            true => self.legal_moves(b, leaf, &operands),
        }
    }

    /// Whether a leaf has a move that proves legal.
    fn legal_moves(&self, b: &Board<W, S>, leaf: usize, operands: &Operands<W>) -> bool {
        self.bundles(b, leaf, operands, |bundle| {
            let deed = self.deed_of(leaf, bundle.family) as usize;
            if bundle.ends.is_empty() || !self.code.deeds[deed].needs_proof() {
                return !bundle.ends.is_empty();
            }
            bundle.ends.iter().any(|to| {
                let step = self.step(b, leaf, operands, bundle.family, bundle.origin, to as i32);
                self.is_legal(b, step)
            })
        })
    }

    /// What the moves of a family do.
    fn deed_of(&self, leaf: usize, family: u16) -> u16 {
        match self.member(leaf, family) {
            Member::Shift(shift) => shift.deed,
            Member::Jump(jump) => jump.deed,
            Member::Glide(glide) => glide.deed,
            Member::Other(family) => family.deed,
        }
    }

    /// What the moves of a bundle do and, where they all go equally far, how far.
    #[inline(always)]
    pub(super) fn course(&self, leaf: usize, bundle: &Bundle<W>) -> (u16, Option<i32>) {
        match self.member(leaf, bundle.family) {
            Member::Shift(shift) => (shift.deed, Some(shift.offset)),
            Member::Jump(jump) => (jump.deed, Some(jump.by)),
            Member::Glide(glide) => (glide.deed, Some(glide.by * bundle.origin)),
            Member::Other(family) => match family.shape {
                Shape::Spot | Shape::Slide { shot: true, .. } => (family.deed, Some(0)),
                _ => (family.deed, None),
            },
        }
    }

    /// The shape of a family that is none of the whole sets.
    #[inline(always)]
    pub(super) fn shape_of(&self, leaf: usize, family: u16) -> Option<&Shape> {
        match self.member(leaf, family) {
            Member::Other(family) => Some(&family.shape),
            _ => None,
        }
    }

    /// A family of a leaf by its number in bundles.
    #[inline(always)]
    fn member(&self, leaf: usize, family: u16) -> Member<'_, W> {
        let (parts, family) = (&self.leaves[leaf], family as usize);
        if let Some(shift) = parts.shifts.get(family) {
            return Member::Shift(shift);
        }
        let family = family - parts.shifts.len();
        if let Some(jump) = parts.jumps.get(family) {
            return Member::Jump(jump);
        }
        let family = family - parts.jumps.len();
        if let Some(glide) = parts.glides.get(family) {
            return Member::Glide(glide);
        }
        let at = parts.others[family - parts.glides.len()];
        Member::Other(&self.code.leaves[leaf].families[at as usize])
    }

    /// The number of a family among bundles, by its place in the leaf.
    pub(super) fn numbered(&self, leaf: usize, at: usize) -> u16 {
        let families = &self.code.leaves[leaf].families;
        let rank = |shape: &Shape| match shape {
            Shape::Shift(..) => 0,
            Shape::Jump { .. } => 1,
            _ => 2,
        };
        let own = rank(&families[at].shape);
        let lower = families.iter().filter(|family| rank(&family.shape) < own).count();
        let before = families[..at].iter().filter(|family| rank(&family.shape) == own).count();
        (lower + before) as u16
    }

    #[inline(always)]
    pub(super) fn operands(&self, b: &Board<W, S>, v: &Binds, leaf: usize) -> Operands<W> {
        let mut out = [Bits::EMPTY; MAX_OPERANDS];
        self.fill(b, v, leaf, &mut out);
        out
    }

    /// Calls `found` with the moves of every family in turn, until it says that it has enough.
    #[inline(always)]
    pub(super) fn bundles(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        operands: &Operands<W>,
        mut found: impl FnMut(Bundle<W>) -> bool,
    ) -> bool {
        let parts = &self.leaves[leaf];
        for (number, family) in parts.shifts.iter().enumerate() {
            let ends = family.set(operands);
            if found(Bundle { family: number as u16, origin: NOWHERE, ends }) {
                return true;
            }
        }
        for (number, family) in parts.jumps.iter().enumerate() {
            let ends = family.set(operands);
            let number = (parts.shifts.len() + number) as u16;
            if found(Bundle { family: number, origin: NOWHERE, ends }) {
                return true;
            }
        }
        let before = parts.shifts.len() + parts.jumps.len();
        for (number, family) in parts.glides.iter().enumerate() {
            let number = (before + number) as u16;
            let found = |origin: i32, ends| found(Bundle { family: number, origin, ends });
            if family.each_length(operands, found) {
                return true;
            }
        }
        let families = &self.code.leaves[leaf].families;
        let before = before + parts.glides.len();
        for (number, &at) in parts.others.iter().enumerate() {
            let family = &families[at as usize];
            let number = (before + number) as u16;
            let (from, to) = (operands[family.from as usize], operands[family.to as usize]);
            let each = match &family.shape {
                Shape::Spot => {
                    if found(Bundle { family: number, origin: NOWHERE, ends: to }) {
                        return true;
                    }
                    continue;
                }
                Shape::Function(_) => {
                    if found(Bundle { family: number, origin: NOWHERE, ends: from }) {
                        return true;
                    }
                    continue;
                }
                Shape::Pass => {
                    if found(Bundle { family: number, origin: NOWHERE, ends: Bits::one(0) }) {
                        return true;
                    }
                    continue;
                }
                Shape::Track { paths, number: path, go, .. } => {
                    // Most runs are stopped before they may take anything.
                    let (leads, go) = (&self.leads[*paths][*path], operands[*go as usize]);
                    for origin in from.iter().filter(|&at| (leads[at] & !go).is_empty()) {
                        let ends = self.ends_from(b, &family.shape, origin as i32, operands, to);
                        if found(Bundle { family: number, origin: origin as i32, ends }) {
                            return true;
                        }
                    }
                    continue;
                }
                shape => shape,
            };
            for origin in from.iter() {
                let ends = self.ends_from(b, each, origin as i32, operands, to);
                if found(Bundle { family: number, origin: origin as i32, ends }) {
                    return true;
                }
            }
        }
        false
    }

    /// Where the moves of a family end that start from a site.
    pub(super) fn ends_from(
        &self,
        b: &Board<W, S>,
        shape: &Shape,
        origin: i32,
        operands: &Operands<W>,
        to: Bits<W>,
    ) -> Bits<W> {
        match shape {
            Shape::Table(table) => self.tables[*table][origin as usize] & to,
            Shape::Slide { rays, go, stop, .. } => {
                let (go, stop) = (operands[*go as usize], operands[*stop as usize]);
                self.rays[*rays].slid(origin, go, stop) & to
            }
            Shape::Hop(hop) => self.hopped(b, hop, origin, operands, to),
            Shape::Track { paths, number, go, stop } => {
                let (go, stop) = (operands[*go as usize], operands[*stop as usize]);
                self.tracked(*paths, *number, origin, go, stop) & to
            }
            Shape::Each(set) => {
                let v = Binds::path(origin, NOWHERE, NOWHERE);
                self.set(b, &v, set) & to
            }
            Shape::Spot
            | Shape::Pass
            | Shape::Function(_)
            | Shape::Shift(..)
            | Shape::Jump { .. }
            | Shape::Glide { .. } => Bits::EMPTY,
        }
    }

    /// The ends of one bundle again.
    #[inline(always)]
    pub(super) fn ends_of(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        operands: &Operands<W>,
        family: u16,
        origin: i32,
    ) -> Bits<W> {
        let family = match self.member(leaf, family) {
            Member::Shift(shift) => return shift.set(operands),
            Member::Jump(jump) => return jump.set(operands),
            Member::Glide(glide) => return glide.of_length(operands, origin),
            Member::Other(family) => family,
        };
        let to = operands[family.to as usize];
        match &family.shape {
            Shape::Spot => to,
            Shape::Function(_) => operands[family.from as usize],
            Shape::Pass => Bits::one(0),
            shape => self.ends_from(b, shape, origin, operands, to),
        }
    }

    /// The move of a family that ends on a site.
    #[inline(always)]
    pub(super) fn step(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        operands: &Operands<W>,
        family: u16,
        origin: i32,
        to: i32,
    ) -> Step {
        let family = match self.member(leaf, family) {
            Member::Shift(shift) => {
                let from = to - shift.offset;
                return Step { deed: shift.deed, from, to, between: NOWHERE };
            }
            Member::Jump(jump) => {
                let from = to - jump.by;
                return Step { deed: jump.deed, from, to, between: from + jump.over };
            }
            Member::Glide(glide) => {
                let from = to - glide.by * origin;
                return Step { deed: glide.deed, from, to, between: NOWHERE };
            }
            Member::Other(family) => family,
        };
        let deed = family.deed;
        match &family.shape {
            Shape::Spot | Shape::Slide { shot: true, .. } => {
                Step { deed, from: to, to, between: NOWHERE }
            }
            Shape::Hop(hop) => {
                let land = operands[family.to as usize];
                let between = self.hurdle_before(b, hop, origin, operands, land, to);
                Step { deed, from: origin, to, between }
            }
            Shape::Function(table) => {
                let end = self.code.numbers[*table][to as usize];
                Step { deed, from: to, to: end, between: NOWHERE }
            }
            Shape::Pass => Step { deed, from: NOWHERE, to: NOWHERE, between: NOWHERE },
            _ => Step { deed, from: origin, to, between: NOWHERE },
        }
    }
}
