//! Leaves made ready: operands and families that are whole sets, in flat tables.

use super::Kernel;
use super::bits;
use super::board::Board;
use super::eval::{Binds, moved};
use super::families::{MAX_OPERANDS, Operands};
use crate::code::{Leaf, Set, Shape};
use ludex_game::bits::Bits;

/// A leaf made ready.
#[derive(Debug)]
pub(super) struct Parts<const W: usize> {
    operands: Vec<Operand>,
    /// Families by constant offsets.
    pub shifts: Vec<Shifted<W>>,
    /// Families by constant offsets over others.
    pub jumps: Vec<Jumped<W>>,
    /// Families that go on by constant offsets.
    pub glides: Vec<Glided<W>>,
    /// Numbers of the others in the leaf.
    pub others: Vec<u16>,
    /// Every family is one set.
    pub whole: bool,
    /// Some of its moves must be tried.
    pub tried: bool,
}

/// How an operand is worked out; the common ways first.
#[derive(Debug, PartialEq)]
pub(super) enum Operand {
    Slot(u8),
    Except(u8),
    Other(Set),
}

impl Operand {
    pub(super) fn of(set: &Set) -> Self {
        match set {
            Set::Slot(slot) => Operand::Slot(*slot),
            Set::Not(inner) => match **inner {
                Set::Slot(slot) => Operand::Except(slot),
                _ => Operand::Other(set.clone()),
            },
            other => Operand::Other(other.clone()),
        }
    }
}

/// A family by a constant offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shifted<const W: usize> {
    pub ends: Bits<W>,
    pub offset: i32,
    pub from: u8,
    pub to: u8,
    pub deed: u16,
}

/// A family by a constant offset over a site at another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jumped<const W: usize> {
    pub ends: Bits<W>,
    pub by: i32,
    pub over: i32,
    pub hurdle: u8,
    pub from: u8,
    pub to: u8,
    pub deed: u16,
}

/// A family that goes on by a constant offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glided<const W: usize> {
    pub ends: Bits<W>,
    pub by: i32,
    pub limit: i32,
    pub go: u8,
    pub stop: u8,
    pub from: u8,
    pub to: u8,
    pub deed: u16,
}

impl<const W: usize> Parts<W> {
    pub(super) fn of(leaf: &Leaf, tried: &[bool]) -> Self {
        let mut parts = Parts {
            operands: leaf.operands.iter().map(Operand::of).collect(),
            shifts: Vec::new(),
            jumps: Vec::new(),
            glides: Vec::new(),
            others: Vec::new(),
            whole: true,
            tried: leaf.families.iter().any(|family| tried[family.deed as usize]),
        };
        for (number, family) in leaf.families.iter().enumerate() {
            let (from, to, deed) = (family.from, family.to, family.deed);
            match &family.shape {
                Shape::Shift(offset, ends) => {
                    let (ends, offset) = (bits(ends), *offset);
                    parts.shifts.push(Shifted { ends, offset, from, to, deed });
                }
                Shape::Jump { by, over, ends, hurdle } => {
                    let (ends, by, over, hurdle) = (bits(ends), *by, *over, *hurdle);
                    parts.jumps.push(Jumped { ends, by, over, hurdle, from, to, deed });
                }
                Shape::Glide { by, ends, limit, go, stop } => {
                    let (ends, by, limit) = (bits(ends), *by, i32::from(*limit));
                    let (go, stop) = (*go, *stop);
                    parts.glides.push(Glided { ends, by, limit, go, stop, from, to, deed });
                    parts.whole = false;
                }
                shape => {
                    parts.whole &= matches!(shape, Shape::Spot | Shape::Function(_));
                    parts.others.push(number as u16);
                }
            }
        }
        let count = parts.shifts.len() + parts.jumps.len() + parts.others.len();
        parts.whole &= count <= super::playout::MAX_WHOLE;
        parts
    }
}

impl<const W: usize> Shifted<W> {
    /// Where its moves end.
    #[inline(always)]
    pub(super) fn set(&self, operands: &Operands<W>) -> Bits<W> {
        let from = operands[self.from as usize % MAX_OPERANDS];
        let to = operands[self.to as usize % MAX_OPERANDS];
        moved(from, self.offset) & self.ends & to
    }
}

impl<const W: usize> Jumped<W> {
    /// Where its moves end.
    #[inline(always)]
    pub(super) fn set(&self, operands: &Operands<W>) -> Bits<W> {
        let from = operands[self.from as usize % MAX_OPERANDS];
        let to = operands[self.to as usize % MAX_OPERANDS];
        let hurdle = operands[self.hurdle as usize % MAX_OPERANDS];
        moved(moved(from, self.over) & hurdle, self.by - self.over) & self.ends & to
    }
}

impl<const W: usize> Glided<W> {
    /// Calls `found` with every length and where moves of it end, until it says that it has enough.
    #[inline(always)]
    pub(super) fn each_length(
        &self,
        operands: &Operands<W>,
        mut found: impl FnMut(i32, Bits<W>) -> bool,
    ) -> bool {
        let to = operands[self.to as usize % MAX_OPERANDS];
        let go = operands[self.go as usize % MAX_OPERANDS];
        let stop = operands[self.stop as usize % MAX_OPERANDS];
        let from = operands[self.from as usize % MAX_OPERANDS];
        let mut front = moved(from, self.by) & self.ends;
        let mut length = 1;
        while length <= self.limit && !front.is_empty() {
            let past = front & go & !stop;
            if found(length, (past | (front & stop)) & to) {
                return true;
            }
            front = moved(past, self.by) & self.ends;
            length += 1;
        }
        false
    }

    /// Where moves of a length end.
    #[inline(always)]
    pub(super) fn of_length(&self, operands: &Operands<W>, length: i32) -> Bits<W> {
        let mut ends = Bits::EMPTY;
        self.each_length(operands, |at, set| {
            ends = set;
            at == length
        });
        ends
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Works out the sets of a leaf.
    #[inline(always)]
    pub(super) fn fill(&self, b: &Board<W, S>, v: &Binds, leaf: usize, operands: &mut Operands<W>) {
        for (slot, operand) in operands.iter_mut().zip(&self.leaves[leaf].operands) {
            *slot = self.operand(b, v, operand);
        }
    }

    /// Works out one set.
    #[inline(always)]
    pub(super) fn operand(&self, b: &Board<W, S>, v: &Binds, operand: &Operand) -> Bits<W> {
        match operand {
            Operand::Slot(slot) => b.set(*slot),
            Operand::Except(slot) => self.everywhere & !b.set(*slot),
            Operand::Other(set) => self.set(b, v, set),
        }
    }
}
