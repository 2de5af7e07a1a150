//! The machine that plays compiled code.

mod attributes;
mod board;
mod effects;
mod ends;
mod eval;
mod families;
mod lines;
mod play;
mod playout;
mod rules;
mod text;

use super::code::{Code, Leaf, NOWHERE, PASS, SWAP, Shape};
use crate::bits::Bits;
use crate::lud::attributes::Attributes;
use crate::lud::game::Compiled;
use crate::lud::sites::SiteSet;
use crate::lud::state::State;
use crate::{GameInfo, Move};
use board::Board;
use std::sync::Arc;

/// A position of a kernel.
#[derive(Clone, Debug)]
pub struct Position<const W: usize, const S: usize> {
    pub(super) board: Board<W, S>,
}

/// A game in its compact form: boards of up to `64 W` sites, positions of up to `S` sets.
#[derive(Debug)]
pub struct Kernel<const W: usize, const S: usize> {
    code: Code,
    game: Arc<Compiled>,
    info: GameInfo,
    start: Position<W, S>,
    consts: Vec<Bits<W>>,
    tables: Vec<Vec<Bits<W>>>,
    relations: Vec<Vec<(i32, Bits<W>)>>,
    leaves: Vec<Parts<W>>,
    everywhere: Bits<W>,
    attributes: Attributes,
}

/// The families of a leaf, those by constant offsets apart.
#[derive(Debug)]
struct Parts<const W: usize> {
    shifts: Vec<Shifted<W>>,
    /// Numbers of the others in the leaf.
    others: Vec<u16>,
}

/// A family by a constant offset.
#[derive(Clone, Copy, Debug)]
struct Shifted<const W: usize> {
    ends: Bits<W>,
    offset: i32,
    from: u8,
    to: u8,
    deed: u16,
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn new(code: Code, game: Arc<Compiled>, start: State) -> Self {
        let sets = |list: &[SiteSet]| list.iter().map(bits).collect::<Vec<_>>();
        let mut kernel = Kernel {
            consts: sets(&code.consts),
            tables: code.tables.iter().map(|table| sets(table)).collect(),
            relations: code
                .relations
                .iter()
                .map(|r| r.offsets.iter().map(|(by, ends)| (*by, bits(ends))).collect())
                .collect(),
            leaves: code.leaves.iter().map(parts).collect(),
            everywhere: Bits::first(code.sites),
            attributes: Attributes::new(&game, &start),
            info: text::info(&game, &code),
            start: Position { board: Board::default() },
            game,
            code,
        };
        kernel.start.board = kernel.board_of(&start);
        kernel
    }
}

fn bits<const W: usize>(set: &SiteSet) -> Bits<W> {
    set.iter().fold(Bits::EMPTY, |all, site| all | Bits::one(site as usize))
}

fn parts<const W: usize>(leaf: &Leaf) -> Parts<W> {
    let mut parts = Parts { shifts: Vec::new(), others: Vec::new() };
    for (number, family) in leaf.families.iter().enumerate() {
        match &family.shape {
            Shape::Shift(offset, ends) => parts.shifts.push(Shifted {
                ends: bits(ends),
                offset: *offset,
                from: family.from,
                to: family.to,
                deed: family.deed,
            }),
            _ => parts.others.push(number as u16),
        }
    }
    parts
}

/// A move in parts: what it does and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    deed: u16,
    from: i32,
    to: i32,
    between: i32,
}

impl Step {
    /// The pass of a player who has no move.
    fn pass() -> Self {
        Step { deed: PASS, from: NOWHERE, to: NOWHERE, between: NOWHERE }
    }

    /// The swap of seats.
    fn swap() -> Self {
        Step { deed: SWAP, ..Step::pass() }
    }

    fn packed(self) -> Move {
        let site = |site: i32| u64::from((site + 1) as u16);
        let sites = site(self.from) | site(self.to) << 16 | site(self.between) << 32;
        Move(sites | u64::from(self.deed) << 48)
    }

    fn of(mv: Move) -> Self {
        let site = |at: u32| i32::from((mv.0 >> at) as u16) - 1;
        Step { deed: (mv.0 >> 48) as u16, from: site(0), to: site(16), between: site(32) }
    }
}
