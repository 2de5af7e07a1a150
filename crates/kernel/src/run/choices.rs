//! The moves of a position as families of codes, for whatever draws by weights.

use super::board::{Board, Outcome};
use super::eval::Binds;
use super::families::{Bundle, MAX_OPERANDS, Operands};
use super::{Kernel, Position, Step};
use crate::code::{Act, NOWHERE, Node, Shape};
use ludex_game::bits::Bits;
use ludex_game::{Families, Move, Place};
use ludex_lud::codes::{PASSES, SWAPS};

/// Marks the swap of seats among entries.
const SWAP_ENTRY: u64 = u64::MAX;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Writes the moves that sets allow; those that must be tried may be illegal.
    pub(super) fn write_families(&self, b: &Board<W, S>, out: &mut Families) {
        let plan = self.plan(b);
        if plan.tried {
            out.doubt();
        }
        let mut operands: Operands<W> = [Bits::EMPTY; MAX_OPERANDS];
        self.write_node(b, &plan.node, plan.tried, &mut operands, out);
        if self.may_swap(b) {
            out.push_one(self.codes.special(SWAPS), out.moves.len() as u32);
            out.moves.push(Move(SWAP_ENTRY));
        }
    }

    fn write_node(
        &self,
        b: &Board<W, S>,
        node: &Node,
        tried: bool,
        operands: &mut Operands<W>,
        out: &mut Families,
    ) {
        let v = Binds::default();
        match node {
            Node::Nothing => {}
            Node::Leaf(leaf) => self.write_leaf(b, *leaf, operands, out),
            Node::All(all) => all.iter().for_each(|n| self.write_node(b, n, tried, operands, out)),
            Node::If(cond, yes, no) => {
                let chosen = if self.cond(b, &v, cond) { yes } else { no };
                self.write_node(b, chosen, tried, operands, out);
            }
            Node::Switch(number, all) => {
                if let Some(node) = self.switched(b, &v, number, all) {
                    self.write_node(b, node, tried, operands, out);
                }
            }
            Node::First(all) => {
                let before = out.words().len();
                for (left, node) in (0..all.len()).rev().zip(all) {
                    self.write_node(b, node, tried, operands, out);
                    // All that was found may prove illegal, unless nothing comes after it.
                    let found = out.words().len() > before;
                    if found && (!tried || left == 0 || self.any_move(b, &v, node)) {
                        return;
                    }
                    out.truncate(before);
                }
            }
        }
    }

    #[inline(always)]
    fn write_leaf(
        &self,
        b: &Board<W, S>,
        leaf: usize,
        operands: &mut Operands<W>,
        out: &mut Families,
    ) {
        self.fill(b, &Binds::default(), leaf, operands);
        self.bundles(b, leaf, operands, |bundle| {
            if !bundle.ends.is_empty() {
                self.write_bundle(leaf, &bundle, out);
            }
            false
        });
    }

    #[inline(always)]
    fn write_bundle(&self, leaf: usize, bundle: &Bundle<W>, out: &mut Families) {
        let tag = out.moves.len() as u32;
        out.moves.push(entry(leaf, bundle));
        let (deed, distance) = self.course(leaf, bundle);
        match self.code.deeds[deed as usize].act {
            Act::Pass => return out.push_one(self.codes.special(PASSES), tag),
            Act::Propose(text) | Act::Vote(text) => {
                return out.push_one(self.codes.message(text.into()), tag);
            }
            _ => {}
        }
        match distance {
            Some(distance) => out.push_members(self.codes.first(distance), tag, bundle.ends),
            None => match self.shape_of(leaf, bundle.family) {
                Some(Shape::Function(table)) => bundle.ends.iter().for_each(|from| {
                    let to = self.code.numbers[*table][from];
                    out.push_one(self.codes.at(from as i32, to), tag);
                }),
                _ => bundle.ends.iter().for_each(|to| {
                    out.push_one(self.codes.at(bundle.origin, to as i32), tag);
                }),
            },
        }
    }

    /// The move of a place.
    #[inline]
    pub(super) fn member_step(&self, b: &Board<W, S>, families: &Families, at: Place) -> Step {
        let word = families.word(at);
        let entry = families.moves[word.tag as usize];
        if entry.0 == SWAP_ENTRY {
            return Step::swap();
        }
        let (leaf, family, origin) = parts(entry);
        let code = word.first + at.bit;
        let mut site = self.codes.end(code) as i32;
        match self.shape_of(leaf, family) {
            Some(Shape::Function(_)) => site -= self.codes.distance(code),
            Some(Shape::Hop(_)) => {
                let operands = self.operands(b, &Binds::default(), leaf);
                return self.step(b, leaf, &operands, family, origin, site);
            }
            _ => {}
        }
        self.step(b, leaf, &[Bits::EMPTY; MAX_OPERANDS], family, origin, site)
    }

    /// Plays a move in a playout; an end that the next search for a move finds waits for it.
    #[inline]
    pub(super) fn play_waiting(&self, position: &mut Position<W, S>, step: Step) {
        let b = &mut position.board;
        position.waiting = self.end_is_deferred(b.mover as usize - 1);
        Kernel::play(self, b, step, true);
    }

    // ----- two colours ------------------------------------------------------------------------

    #[inline]
    pub(super) fn enter_swift(&self, position: &mut Position<W, S>) {
        position.swift = self.swift.as_ref().and_then(|swift| swift.enter(&position.board));
    }

    /// Makes the board what it is after the plies played on two colours.
    pub(super) fn leave_swift(&self, position: &mut Position<W, S>) {
        if let (Some(swift), Some(running)) = (&self.swift, position.swift.take())
            && swift.leave(&mut position.board, &running)
        {
            position.waiting = self.end_is_deferred(position.board.prev as usize - 1);
        }
    }

    #[inline(always)]
    pub(super) fn swift_families(&self, running: &super::Running<W>, out: &mut Families) {
        let Some(swift) = &self.swift else { return };
        swift.each_family(running, |number, distance, ends| {
            out.push_set_within(self.codes.first(distance), number, ends, self.code.sites);
        });
    }

    /// Writes the moves of two colours that may win; `false` where that cannot be told from where they end.
    #[inline(always)]
    pub(super) fn swift_wins(
        &self,
        running: &super::Running<W>,
        families: &Families,
        out: &mut Families,
    ) -> bool {
        let Some(swift) = &self.swift else { return false };
        let Some(goal) = swift.deciding_ends(running) else { return false };
        out.clear();
        for word in families.words() {
            let first = self.codes.end(word.first);
            out.push(word.first, word.tag, word.bits & goal.0[first / 64 % W]);
        }
        out.doubt();
        true
    }

    /// Writes the moves that may win by where they end; `false` where any may.
    pub(super) fn hoped_for(
        &self,
        b: &Board<W, S>,
        families: &Families,
        out: &mut Families,
    ) -> bool {
        let Some(hopes) = self.hopes(b) else { return false };
        out.clear();
        out.moves.extend_from_slice(&families.moves);
        for word in families.words() {
            let bits = match self.codes.site(word.first) {
                Some(first) => {
                    let at = first as usize / 64;
                    hopes.0.get(at).map_or(word.bits, |hopes| word.bits & hopes)
                }
                None => word.bits,
            };
            out.push(word.first, word.tag, bits);
        }
        out.doubt();
        true
    }

    #[inline]
    pub(super) fn swift_member(
        &self,
        running: &super::Running<W>,
        families: &Families,
        at: Place,
    ) -> Step {
        let Some(swift) = &self.swift else { return Step::pass() };
        let word = families.word(at);
        swift.step_of(running, word.tag, self.codes.end(word.first + at.bit))
    }

    #[inline(always)]
    pub(super) fn play_swiftly(
        &self,
        position: &mut Position<W, S>,
        families: &Families,
        at: Place,
    ) {
        let (Some(swift), Some(running)) = (&self.swift, &mut position.swift) else { return };
        let word = families.word(at);
        let site = self.codes.end(word.first + at.bit);
        if swift.advance(running, word.tag, site) {
            return;
        }
        let step = swift.step_of(running, word.tag, site);
        self.leave_swift(position);
        self.play_waiting(position, step);
        if position.board.outcome == Outcome::Open {
            self.enter_swift(position);
        }
    }
}

/// A bundle in one word: what finds its moves again.
#[inline(always)]
fn entry<const W: usize>(leaf: usize, bundle: &Bundle<W>) -> Move {
    let place = (leaf as u64) << 48 | u64::from(bundle.family) << 32;
    Move(place | u64::from((bundle.origin + 1) as u32))
}

#[inline(always)]
fn parts(entry: Move) -> (usize, u16, i32) {
    ((entry.0 >> 48) as usize, (entry.0 >> 32) as u16, entry.0 as u32 as i32 - 1)
}

const _: () = assert!(NOWHERE == -1);
