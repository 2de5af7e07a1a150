//! Positions and moves of a kernel as the contract has them.

use super::board::Board;
use super::{Kernel, Position, Step};
use crate::code::Act;
use ludex_game::bits::Bits;
use ludex_game::{Detail, Ends, Move, MoveKind, Player, SetOf, View};
use ludex_lud::layer::Piece;
use ludex_lud::places::Numbering;
use ludex_lud::seen::{self, Stand, Tally};
use ludex_lud::topo::SiteType;

/// A position beside its rules.
struct On<'a, const W: usize, const S: usize> {
    kernel: &'a Kernel<W, S>,
    position: &'a Position<W, S>,
}

impl<const W: usize, const S: usize> Stand for On<'_, W, S> {
    fn pieces(&self, kind: SiteType, site: i32, each: &mut dyn FnMut(Piece)) {
        let (kernel, b) = (self.kernel, &self.position.board);
        if kind != kernel.game.kind_at(None, site) {
            return;
        }
        if let Some(die) = kernel.dice_at_start.iter().position(|(at, _)| *at == site) {
            return each(self.die(die));
        }
        if !(0..kernel.code.sites as i32).contains(&site) {
            return;
        }
        if kernel.stacks.is_some() {
            kernel.stack(b, site).for_each(each);
        } else if b.what(site) != 0 {
            each(kernel.piece(b, site));
        }
    }

    fn seat(&self, player: i32) -> Player {
        self.kernel.seat(&self.position.board, player as u8)
    }

    fn score(&self, player: i32) -> i32 {
        self.position.board.scores.get(player as usize - 1).copied().unwrap_or(0)
    }
}

impl<const W: usize, const S: usize> On<'_, W, S> {
    /// A die, as it fell.
    fn die(&self, die: usize) -> Piece {
        let (_, mut piece) = self.kernel.dice_at_start[die];
        if let Some(throw) = self.position.throw {
            piece.state = self.kernel.dice.faces(throw)[die] as i16;
        }
        piece
    }
}

/// A move about to be made: how it was decided, and what is on the board before it.
pub(super) struct Making<const W: usize> {
    decided: Ends,
    mover: u8,
    before: OnBoard<W>,
}

/// The sites of pieces that will not leave the board at the end of the turn.
#[derive(Clone, Copy, PartialEq, Eq)]
struct OnBoard<const W: usize> {
    own: Bits<W>,
    others: Bits<W>,
    /// How many there are, where sites hold several.
    piled: Option<Tally>,
}

impl<const W: usize> OnBoard<W> {
    fn tally(&self) -> Tally {
        self.piled.unwrap_or_else(|| {
            let own = self.own.len();
            Tally { all: own + self.others.len(), own }
        })
    }
}

impl<const W: usize> Making<W> {
    /// The move, now that it is made.
    #[inline]
    pub(super) fn made<const S: usize>(self, kernel: &Kernel<W, S>, after: &Board<W, S>) -> Ends {
        let after = kernel.pieces_on_board(after, self.mover);
        // Nothing is taken where all others stand as before.
        if after.others == self.before.others && after.piled == self.before.piled {
            return self.decided;
        }
        let (before, after) = (self.before.tally(), after.tally());
        Ends { kind: seen::kind_after(self.decided.kind, before, after), ..self.decided }
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The piece on a site as the general evaluator has it.
    pub(super) fn piece(&self, b: &Board<W, S>, site: i32) -> Piece {
        let what = u16::from(b.what(site));
        Piece {
            what,
            count: if self.piles { b.held(site as usize) as u16 } else { 1 },
            state: i16::from(b.state(site)),
            value: self.values.get(what as usize).copied().unwrap_or(0),
            ..Piece::default()
        }
    }

    pub(super) fn write_view(&self, position: &Position<W, S>, detail: Detail, out: &mut View) {
        let on = On { kernel: self, position };
        let places = self.game.places();
        match detail {
            Detail::Sets if self.holds_sets(places.numbering(0)) => {
                out.reset(places.geometry(&self.game), self.game.players as usize);
                self.copy_sets(position, out);
                seen::write_players(&self.game, &on, out);
            }
            _ if position.swift.is_some() => {
                let mut whole = position.clone();
                self.leave_swift(&mut whole);
                self.write_view(&whole, detail, out);
            }
            _ => seen::write(&self.game, &on, out),
        }
    }

    /// The sites of a player's pieces, where the sets of a position are those of a view.
    #[inline]
    pub(super) fn owned_words<'s>(
        &self,
        position: &'s Position<W, S>,
        player: Player,
    ) -> Option<&'s [u64]> {
        if !self.holds_sets(self.game.places().numbering(0)) {
            return None;
        }
        // A seat is changed back by the same exchange.
        let owner = self.seat(&position.board, player.0 + 1).0 + 1;
        let slot = (*self.code.owner_slots.get(owner as usize)?)?;
        let words = self.game.board_sites().div_ceil(64);
        let set = match (&self.swift, &position.swift) {
            (Some(swift), Some(running)) => swift.set(running, slot as usize)?,
            _ => &position.board.sets[slot as usize % S],
        };
        set.0.get(..words)
    }

    /// Whether the sets of a position are those of a view.
    fn holds_sets(&self, numbering: &Numbering) -> bool {
        numbering.is_plain()
            && self.stacks.is_none()
            && self.dice_at_start.is_empty()
            && !self.game.large_pieces
    }

    /// Copies the sets of a position, which may be in the course of a playout.
    fn copy_sets(&self, position: &Position<W, S>, out: &mut View) {
        let (b, mut sets) = (&position.board, position.board.sets);
        if let (Some(swift), Some(running)) = (&self.swift, &position.swift) {
            swift.write_sets(running, &mut sets);
        }
        let mut copy = |set: SetOf, bits: Bits<W>| {
            for (word, bits) in out.set_mut(set).iter_mut().zip(bits.0) {
                *word |= bits;
            }
        };
        for (owner, slot) in self.code.owner_slots.iter().enumerate() {
            let Some(slot) = *slot else { continue };
            let player = (1..=self.code.sides.len()).contains(&owner);
            let set = if player { SetOf::Owned(self.seat(b, owner as u8)) } else { SetOf::Neutral };
            copy(set, sets[slot as usize % S]);
        }
        for (what, &(own, _)) in self.code.slots.iter().enumerate().skip(1) {
            copy(SetOf::Kind(what as u16 - 1), sets[own as usize % S]);
        }
        let sites = 64 * W;
        for (at, word) in out.set_mut(SetOf::Empty).iter_mut().enumerate().take(sites / 64) {
            *word &= sets[0].0[at] | !self.everywhere.0[at];
        }
    }

    /// The ends of a legal move.
    fn ends_of_step(&self, b: &Board<W, S>, step: Step) -> Ends {
        let decided = self.decision(b, step);
        if !matches!(decided.kind, MoveKind::Place | MoveKind::Move) {
            return decided;
        }
        let deed = &self.code.deeds[step.deed as usize];
        let mut after = *b;
        self.clear_pending(&mut after);
        after.decided = None;
        self.act(&mut after, step, deed, deed.then.len());
        self.making(b, step).made(self, &after)
    }

    /// A move about to be made.
    #[inline]
    pub(super) fn making(&self, b: &Board<W, S>, step: Step) -> Making<W> {
        let before = self.pieces_on_board(b, b.mover);
        Making { decided: self.decision(b, step), mover: b.mover, before }
    }

    /// A move as far as its player decides it.
    fn decision(&self, b: &Board<W, S>, step: Step) -> Ends {
        let game = &self.game;
        let deed = &self.code.deeds[step.deed as usize];
        let kind = match deed.act {
            Act::Add(_) | Act::Place(..) | Act::Tile(..) => MoveKind::Place,
            Act::Copy => MoveKind::Move,
            Act::Move | Act::Lift(_) | Act::Exchange => {
                seen::moved_from(game, game.kind_at(None, step.from), step.from)
            }
            Act::Remove | Act::Pull(_)
                if game.owner(u16::from(b.what(step.to))) != i32::from(b.mover) =>
            {
                MoveKind::Capture
            }
            Act::Select if step.from != step.to => MoveKind::Move,
            Act::Remove | Act::Pull(_) | Act::Select => MoveKind::Other,
            Act::Promote(_) => MoveKind::Promote,
            Act::Propose(_) | Act::Vote(_) => MoveKind::Vote,
            Act::Pass => MoveKind::Pass,
            Act::Swap => MoveKind::Swap,
        };
        seen::ends(game, game.places().numbering(0), (step.from, step.to), [None, None], kind)
    }

    /// What is on the board and will not leave it at the end of the turn.
    #[inline]
    fn pieces_on_board(&self, b: &Board<W, S>, mover: u8) -> OnBoard<W> {
        let doomed = self.code.doomed.map_or(Bits::EMPTY, |slot| b.set(slot));
        let board = Bits::first(self.code.board) & !doomed;
        let own = self.code.owner_slots.get(mover as usize).copied().flatten();
        let own = own.map_or(Bits::EMPTY, |slot| b.set(slot)) & board;
        let others = board & !own & !b.set(0);
        let piled = self.code.piles.then(|| {
            if self.stacks.is_some() {
                let own = self.lying_on(b, self.kinds_of(mover), board) as u32;
                return Tally { all: self.lying_on(b, u64::MAX, board) as u32, own };
            }
            let held = |sites: Bits<W>| sites.iter().map(|site| b.held(site) as u32).sum::<u32>();
            let own = held(own);
            Tally { all: own + held(others), own }
        });
        OnBoard { own, others, piled }
    }

    /// The ends of a move, or of what happens by chance.
    pub(super) fn ends_at(&self, b: &Board<W, S>, player: Option<Player>, mv: Move) -> Ends {
        match player {
            Some(_) => self.ends_of_step(b, Step::of(mv)),
            None => Ends::nowhere(MoveKind::Roll),
        }
    }
}
