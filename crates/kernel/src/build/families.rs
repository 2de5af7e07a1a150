//! Leaves, families and deeds: how the parts of a plan are put together.

use super::Builder;
use super::sets::by_offset;
use crate::Built;
use crate::code::{
    Act, Cond, Deed, Effect, Family, Leaf, MAX_ACTIVE, NOWHERE, Node, Num, Set, Shape, Together,
    Var,
};
use ludex_lud::ir::Moves;
use ludex_lud::sites::SiteSet;

/// More offsets than these are looked up in a table instead.
pub(super) const MAX_OFFSETS: usize = 16;

/// The same where each start has one end.
const MAX_OFFSETS_OF_FUNCTION: usize = 4;
/// As many sets as a leaf may work out.
const MAX_OPERANDS: usize = 24;

/// What must hold and what follows, for all moves of a part of the rules.
#[derive(Clone, Default)]
pub(super) struct Terms {
    /// The effect that a die has been used, before all others.
    pub uses: Option<usize>,
    /// Effects from the inside to the outside.
    pub then: Vec<usize>,
    /// Conditions on the position after the move, the innermost first, each with the number of
    /// effects from the outside that come only later.
    pub after: Vec<(Cond, usize)>,
    /// Only the longest runs of this part of the plan are legal.
    pub longest: Option<usize>,
}

/// Families being put together.
#[derive(Default)]
pub(super) struct LeafParts {
    leaf: Leaf,
}

impl LeafParts {
    /// Whether all moves end on empty sites.
    pub(super) fn ends_empty(&self) -> bool {
        let ends = |family: &Family| &self.leaf.operands[family.to as usize];
        self.leaf.families.iter().all(|family| only_empty(ends(family)))
    }

    pub(super) fn operand(&mut self, set: Set) -> Built<u8> {
        let known = self.leaf.operands.iter().position(|s| *s == set);
        let at = known.unwrap_or_else(|| {
            self.leaf.operands.push(set);
            self.leaf.operands.len() - 1
        });
        match at >= MAX_OPERANDS {
            true => Err(crate::Refusal::new("too many site sets in one turn")),
            false => Ok(at as u8),
        }
    }

    pub(super) fn add(&mut self, shape: Shape, from: Set, to: Set, deed: u16) -> Built<()> {
        let (from, to) = (self.operand(from)?, self.operand(to)?);
        self.leaf.families.push(Family { shape, from, to, deed });
        Ok(())
    }
}

impl Builder<'_> {
    /// The node of families put together.
    pub(super) fn leaf(&mut self, leaf_parts: LeafParts) -> Node {
        if self.game.containers.len() > 1 {
            let crowded = |vacated: bool| {
                leaf_parts
                    .leaf
                    .families
                    .iter()
                    .any(|family| self.crowds(&leaf_parts.leaf, family, vacated))
            };
            let (at_all, otherwise) = (crowded(false), crowded(true));
            self.crowded |= otherwise;
            self.needs_vacated |= at_all && !otherwise;
        }
        if leaf_parts.leaf.families.is_empty() {
            return Node::Nothing;
        }
        self.code.leaves.push(leaf_parts.leaf);
        Node::Leaf(self.code.leaves.len() - 1)
    }

    /// Whether moves of a family may end where pieces like theirs stand, which would pile up in a game with
    /// hands; where the last move started may count as empty.
    fn crowds(&self, leaf: &Leaf, family: &Family, vacated: bool) -> bool {
        // What belongs to nobody may lie in a hand and at the end alike.
        let players = 1..=self.game.players;
        let common = self.game.components.iter().skip(1).any(|c| !players.contains(&c.owner));
        let deed = &self.code.deeds[family.deed as usize];
        let clear = |to: u8| {
            let to = &leaf.operands[to as usize];
            only_empty(to) || (self.excludes_own(to) && !common) || (vacated && only_vacated(to))
        };
        // A slide ends where it may pass or where it is stopped, and nowhere else.
        let apart = family.ends().all(clear)
            || matches!(family.shape, Shape::Slide { go, stop, .. } if clear(go) && clear(stop));
        matches!(deed.act, Act::Move | Act::Add(_)) && !apart
    }

    /// Whether the site where the last move started is empty: every move leaves one, and nothing is put there.
    pub(super) fn leaves_vacated(&self) -> bool {
        let moves = |deed: &Deed| matches!(deed.act, Act::Move | Act::Pass);
        let in_hand = |to: &Num| matches!(to, Num::Const(to) if *to >= self.code.board as i32);
        let puts = |effect: &Effect| match effect {
            Effect::Add(..) | Effect::Promote(..) | Effect::Convert(..) => true,
            Effect::Turn(_) | Effect::Asked(_) => true,
            Effect::Move(_, to) => !in_hand(to),
            _ => false,
        };
        // The first two deeds are the pass and the change of seats.
        let deeds = self.code.deeds.iter().skip(2);
        deeds.clone().all(moves) && !self.game.meta.swap && !self.code.any_effect(&puts)
    }

    /// All of several nodes; leaves are joined into one.
    pub(super) fn all_of(&mut self, nodes: Vec<Node>) -> Node {
        let mut out: Vec<Node> = Vec::new();
        for node in nodes {
            let node = match node {
                Node::Nothing => continue,
                Node::All(more) => {
                    out.extend(more);
                    continue;
                }
                node => node,
            };
            if let Node::Leaf(more) = node
                && out.iter().any(|n| matches!(n, Node::Leaf(into) if self.join(*into, more)))
            {
                continue;
            }
            out.push(node);
        }
        let node = match out.len() {
            0 => Node::Nothing,
            1 => out.remove(0),
            _ => Node::All(out),
        };
        self.wide |= node.width() > MAX_ACTIVE;
        node
    }

    /// Moves the families of one leaf into another, if there is room.
    fn join(&mut self, into: usize, more: usize) -> bool {
        let source = self.code.leaves[more].clone();
        let mut leaf_parts = LeafParts { leaf: self.code.leaves[into].clone() };
        for family in &source.families {
            let from = source.operands[family.from as usize].clone();
            let to = source.operands[family.to as usize].clone();
            let mut shape = family.shape.clone();
            for operand in shape.operands() {
                match leaf_parts.operand(source.operands[*operand as usize].clone()) {
                    Ok(number) => *operand = number,
                    Err(_) => return false,
                }
            }
            if leaf_parts.add(shape, from, to, family.deed).is_err() {
                return false;
            }
        }
        self.code.leaves[into] = leaf_parts.leaf;
        self.code.leaves[more] = Leaf::default();
        true
    }

    /// The number of a deed.
    pub(super) fn deed(
        &mut self,
        act: Act,
        effect: Option<&Moves>,
        check: Option<Cond>,
        terms: &Terms,
    ) -> Built<u16> {
        let before = match effect {
            None => None,
            Some(effect) => {
                let saved = self.bound;
                self.bound = saved.with(Var::From).with(Var::To);
                if self.jumps {
                    self.bound = self.bound.with(Var::Between);
                }
                let effect = self.effect(effect);
                self.bound = saved;
                Some(effect?)
            }
        };
        let replaced = Effect::Remove(Set::One(Num::Var(Var::To)));
        // Where a piece goes, what stood there is gone anyway.
        let stacks = self.game.stacking;
        let replaces = |e: &Effect| match e {
            _ if stacks => false,
            Effect::If(_, yes, no) => **yes == replaced && **no == Effect::Nothing,
            e => *e == replaced,
        };
        let before = before.filter(|e| *e != Effect::Nothing && !(act == Act::Move && replaces(e)));
        let then: Vec<usize> = terms.uses.iter().chain(&terms.then).copied().collect();
        let count = then.len();
        let after = terms.after.iter().map(|(cond, later)| (cond.clone(), count - later));
        let deed =
            Deed { act, before, then, check, after: after.collect(), longest: terms.longest };
        let floor = self.deed_floor;
        let known = self.code.deeds[floor..].iter().position(|d| *d == deed);
        let at = known.map(|at| at + floor).unwrap_or_else(|| {
            self.code.deeds.push(deed);
            self.code.deeds.len() - 1
        });
        u16::try_from(at).map_err(|_| crate::Refusal::new("too many kinds of move"))
    }

    /// Families for a relation of sites: one for each offset, or one by a table.
    pub(super) fn along(
        &mut self,
        leaf_parts: &mut LeafParts,
        pairs: &[(i32, i32)],
        (from, to): (Set, Set),
        deed: u16,
    ) -> Built<()> {
        let offsets = by_offset(pairs);
        let narrow = offsets.iter().all(|(offset, _)| offset.abs() < 64);
        let function = !self.threat && self.function(pairs).is_some();
        let most = if function { MAX_OFFSETS_OF_FUNCTION } else { MAX_OFFSETS };
        if offsets.len() <= most && narrow {
            for (offset, pairs) in offsets {
                let ends: SiteSet = pairs.iter().map(|&(_, to)| to).collect();
                leaf_parts.add(Shape::Shift(offset, ends), from.clone(), to.clone(), deed)?;
            }
            return Ok(());
        }
        if let Some(ends) = self.function(pairs)
            && !self.threat
        {
            return self.by_function(leaf_parts, ends, (from, to), deed);
        }
        let mut rows = vec![SiteSet::new(); self.code.sites];
        for &(from, to) in pairs {
            rows[from as usize].insert(to);
        }
        let table = self.table(rows);
        leaf_parts.add(Shape::Table(table), from, to, deed)
    }

    /// The end of every start, if each has no more than one.
    fn function(&self, pairs: &[(i32, i32)]) -> Option<Vec<i32>> {
        let mut ends = vec![NOWHERE; self.code.sites];
        for &(from, to) in pairs {
            let end = &mut ends[from as usize];
            if *end != NOWHERE {
                return None;
            }
            *end = to;
        }
        Some(ends)
    }

    /// One family for all pairs of a function.
    fn by_function(
        &mut self,
        leaf_parts: &mut LeafParts,
        ends: Vec<i32>,
        (from, to): (Set, Set),
        deed: u16,
    ) -> Built<()> {
        let pairs = || (0i32..).zip(&ends).filter(|(_, to)| **to != NOWHERE);
        let starts = self.fixed(pairs().map(|(from, _)| from).collect());
        let mut from = self.and(from, starts);
        if !self.is_everywhere(&to) {
            let back: Vec<(i32, i32)> = pairs().map(|(from, &to)| (to, from)).collect();
            let fitting = Set::Image(self.relation(&back), Box::new(to.clone()));
            from = self.and(from, fitting);
        }
        let table = self.numbers(ends);
        leaf_parts.add(Shape::Function(table), from, to, deed)
    }

    /// Whether a set has no site with a piece of the mover.
    fn excludes_own(&self, set: &Set) -> bool {
        let own = self.code.owner_slots[self.mover as usize];
        let mine = |slot: u8| {
            Some(slot) == own
                || self.code.slots.iter().skip(1).any(|s| s.0 == slot && Some(s.1) == own)
        };
        let of_pieces = |slot: u8| self.code.slots.iter().any(|s| s.0 == slot || s.1 == slot);
        match set {
            Set::Slot(slot) => of_pieces(*slot) && !mine(*slot),
            Set::Not(inner) => matches!(**inner, Set::Slot(slot) if Some(slot) == own),
            Set::And(a, b) => self.excludes_own(a) || self.excludes_own(b),
            Set::Or(a, b) | Set::If(_, a, b) => self.excludes_own(a) && self.excludes_own(b),
            Set::Where(inner, ..) => self.excludes_own(inner),
            _ => false,
        }
    }

    /// Whether a set has no site without a piece.
    pub(super) fn only_pieces(&self, set: &Set) -> bool {
        match set {
            Set::Slot(slot) => {
                *slot > 0
                    && self.code.slots.iter().any(|&(own, owner)| own == *slot || owner == *slot)
            }
            Set::And(a, b) => self.only_pieces(a) || self.only_pieces(b),
            Set::Or(a, b) | Set::If(_, a, b) => self.only_pieces(a) && self.only_pieces(b),
            Set::Where(inner, ..) => self.only_pieces(inner),
            _ => false,
        }
    }

    /// The set of the only kind of piece that stands on sites of a set.
    pub(super) fn only_kind(&self, set: &Set) -> Option<u8> {
        match set {
            Set::Slot(slot) => {
                let kinds = self.code.slots.iter().skip(1);
                let alone =
                    kinds.clone().filter(|(own, owner)| own == slot || owner == slot).count();
                (alone == 1 && kinds.clone().any(|(own, _)| own == slot)).then_some(*slot)
            }
            Set::And(a, b) => self.only_kind(a).or_else(|| self.only_kind(b)),
            _ => None,
        }
    }

    /// Whether all moves of a node end on empty sites.
    pub(super) fn ends_empty(&self, node: &Node) -> bool {
        match node {
            Node::Nothing => true,
            Node::Leaf(leaf) => {
                let leaf = &self.code.leaves[*leaf];
                let ends = |f: &Family| f.ends().all(|to| only_empty(&leaf.operands[to as usize]));
                leaf.families.iter().all(ends)
            }
            Node::All(all) | Node::First(all) | Node::Switch(_, all) => {
                all.iter().all(|n| self.ends_empty(n))
            }
            Node::If(_, yes, no) => self.ends_empty(yes) && self.ends_empty(no),
        }
    }

    /// Whether some families of a node must be tried.
    pub(super) fn is_tried(&self, node: &Node) -> bool {
        self.any_deed(node, &Deed::is_tried)
    }

    /// Whether moves of a node may be followed by others of the same player and leave all pieces where they are: a
    /// string of those need not have an end.
    pub(super) fn may_go_on(&self, node: &Node) -> bool {
        self.any_deed(node, &|deed| {
            let then = || deed.then.iter().map(|&at| &self.code.effects[at]);
            let goes_on = |effect: &Effect| {
                effect.any(&|effect| {
                    matches!(
                        effect,
                        Effect::Again | Effect::Next(_) | Effect::Seats | Effect::Asked(_)
                    )
                })
            };
            let takes = |effect: &Effect| {
                effect.any(&|effect| match effect {
                    // What is kept for the end of the turn is remembered.
                    Effect::Remove(_) | Effect::Remember(..) => true,
                    Effect::Custodial(taken) => taken.together == Some(Together::Removed),
                    _ => false,
                })
            };
            let adds = !matches!(deed.act, Act::Move | Act::Exchange | Act::Select | Act::Pass);
            then().any(goes_on) && !adds && !deed.before.iter().chain(then()).any(takes)
        })
    }

    fn any_deed(&self, node: &Node, is: &dyn Fn(&Deed) -> bool) -> bool {
        match node {
            Node::Nothing => false,
            Node::Leaf(leaf) => self.code.leaves[*leaf]
                .families
                .iter()
                .any(|family| is(&self.code.deeds[family.deed as usize])),
            Node::All(all) | Node::First(all) | Node::Switch(_, all) => {
                all.iter().any(|n| self.any_deed(n, is))
            }
            Node::If(_, yes, no) => self.any_deed(yes, is) || self.any_deed(no, is),
        }
    }
}

/// Whether a set has no other site than where the last move started.
fn only_vacated(set: &Set) -> bool {
    match set {
        Set::One(Num::LastFrom) => true,
        Set::And(a, b) => only_vacated(a) || only_vacated(b),
        Set::Where(inner, ..) => only_vacated(inner),
        _ => false,
    }
}

/// Whether a set has empty sites only.
pub(crate) fn only_empty(set: &Set) -> bool {
    match set {
        Set::Slot(slot) => *slot == 0,
        Set::And(a, b) => only_empty(a) || only_empty(b),
        Set::Or(a, b) => only_empty(a) && only_empty(b),
        Set::Where(inner, ..) => only_empty(inner),
        Set::If(_, a, b) => only_empty(a) && only_empty(b),
        _ => false,
    }
}
