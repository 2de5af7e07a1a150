//! A position: a few sets of sites, what stands where, and whose turn it is.

use super::Kernel;
use crate::bits::Bits;
use crate::lud::kernel::build::HANDS;
use crate::lud::state::State;

/// How a game stands or ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::lud::kernel) enum Outcome {
    /// It goes on.
    #[default]
    Open,
    /// A player won.
    Won(u8),
    /// Nobody did.
    Drawn,
}

/// All that the future depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lud::kernel) struct Board<const W: usize, const S: usize> {
    /// Empty sites, then those of owners, then those of kinds of piece.
    pub sets: [Bits<W>; S],
    /// The piece on every site.
    pub what: [[u8; 64]; W],
    /// The state of the piece on every site.
    pub state: [[u8; 64]; W],
    /// How many pieces each place of a hand holds.
    pub held: [u8; HANDS],
    pub mover: u8,
    pub next: u8,
    pub prev: u8,
    pub outcome: Outcome,
    /// Phase of each player.
    pub phases: [u8; 2],
    /// The last moves, the latest lowest, two bits each: whether the first player made it, whether
    /// it was a pass.
    pub recent: u16,
    pub swapped: bool,
    /// The move being played decided who comes next.
    pub again: bool,
    pub last_pass: bool,
    pub last_from: i16,
    pub last_to: i16,
    /// Pending values: how many, and the last.
    pub pending_count: u8,
    pub pending: i16,
    pub turn_moves: u16,
    pub counter: i32,
    /// Moves played.
    pub moves: i32,
    pub turns: i32,
    pub scores: [i32; 2],
}

impl<const W: usize, const S: usize> Board<W, S> {
    /// Remembers who moved and whether it was a pass.
    #[inline]
    pub fn note(&mut self, mover: u8, pass: bool) {
        self.last_pass = pass;
        self.recent = self.recent << 2 | u16::from(mover & 1) << 1 | u16::from(pass);
    }
}

impl<const W: usize, const S: usize> Default for Board<W, S> {
    fn default() -> Self {
        Board {
            sets: [Bits::EMPTY; S],
            what: [[0; 64]; W],
            state: [[0; 64]; W],
            held: [0; HANDS],
            mover: 1,
            next: 2,
            prev: 2,
            outcome: Outcome::Open,
            phases: [0; 2],
            recent: 0,
            swapped: false,
            again: false,
            last_pass: false,
            last_from: -1,
            last_to: -1,
            pending_count: 0,
            pending: -1,
            turn_moves: 0,
            counter: 0,
            moves: 0,
            turns: 1,
            scores: [0; 2],
        }
    }
}

impl<const W: usize, const S: usize> Board<W, S> {
    /// A set of the position.
    #[inline(always)]
    pub fn set(&self, slot: u8) -> Bits<W> {
        self.sets[slot as usize % S]
    }

    /// The piece on a site of the board.
    #[inline(always)]
    pub fn what(&self, site: i32) -> u8 {
        let site = site as usize;
        self.what[site / 64 % W][site % 64]
    }

    /// The state of the piece on a site.
    #[inline(always)]
    pub fn state(&self, site: i32) -> u8 {
        let site = site as usize;
        self.state[site / 64 % W][site % 64]
    }

    /// How many pieces a place of a hand holds; hands come after the board.
    pub(super) fn held(&self, site: usize, board: usize) -> i32 {
        i32::from(self.held[(site - board) % HANDS])
    }

    #[inline(always)]
    pub(super) fn set_what(&mut self, site: i32, what: u8) {
        let site = site as usize;
        self.what[site / 64 % W][site % 64] = what;
    }

    #[inline(always)]
    pub(super) fn set_state(&mut self, site: i32, state: u8) {
        let site = site as usize;
        self.state[site / 64 % W][site % 64] = state;
    }

    /// Adds sites to a set or takes them out.
    #[inline(always)]
    pub(super) fn toggle(&mut self, slot: u8, sites: Bits<W>) {
        self.sets[slot as usize % S] ^= sites;
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    #[inline(always)]
    fn toggle_piece(&self, b: &mut Board<W, S>, what: u8, sites: Bits<W>) {
        let (own, owner) = self.code.slots[what as usize];
        b.toggle(own, sites);
        if own != owner {
            b.toggle(owner, sites);
        }
    }

    /// Puts a piece on an empty site.
    #[inline(always)]
    pub(super) fn put(&self, b: &mut Board<W, S>, site: i32, what: u8) {
        let here = Bits::one(site as usize);
        b.toggle(0, here);
        self.toggle_piece(b, what, here);
        b.set_what(site, what);
    }

    /// Takes the piece away from a site, if there is one.
    #[inline(always)]
    pub(super) fn take(&self, b: &mut Board<W, S>, site: i32) {
        let what = b.what(site);
        if what == 0 {
            return;
        }
        let here = Bits::one(site as usize);
        b.toggle(0, here);
        self.toggle_piece(b, what, here);
        b.set_what(site, 0);
        if self.states {
            b.set_state(site, 0);
        }
    }

    /// Moves a piece; what stood at the end is gone.
    #[inline(always)]
    pub(super) fn shift(&self, b: &mut Board<W, S>, from: i32, to: i32) {
        let what = b.what(from);
        if what == 0 || from == to {
            return;
        }
        if from as usize >= self.code.board {
            return self.drop_piece(b, from, to, what);
        }
        let (start, end) = (Bits::one(from as usize), Bits::one(to as usize));
        let old = b.what(to);
        if old == 0 {
            b.toggle(0, start | end);
        } else {
            self.toggle_piece(b, old, end);
            b.toggle(0, start);
        }
        self.toggle_piece(b, what, start | end);
        b.set_what(from, 0);
        b.set_what(to, what);
        if self.states {
            b.set_state(to, b.state(from));
            b.set_state(from, 0);
        }
    }

    /// Moves a piece out of a hand; another that stood at the end is gone.
    #[cold]
    fn drop_piece(&self, b: &mut Board<W, S>, from: i32, to: i32, what: u8) {
        let place = (from as usize - self.code.board) % HANDS;
        if b.held[place] <= 1 {
            self.take(b, from);
        }
        b.held[place] = b.held[place].saturating_sub(1);
        self.take(b, to);
        self.put(b, to, what);
    }

    /// The position that a state of the general evaluator is.
    pub(super) fn board_of(&self, state: &State) -> Board<W, S> {
        let mut b = Board::default();
        b.sets[0] = self.everywhere;
        for site in 0..self.code.sites as i32 {
            let piece = state.layer(self.game.kind_at(None, site)).top(site);
            if piece.what != 0 {
                self.put(&mut b, site, piece.what as u8);
                b.set_state(site, piece.state as u8);
                if site as usize >= self.code.board {
                    b.held[(site as usize - self.code.board) % HANDS] = piece.count as u8;
                }
            }
        }
        (b.mover, b.next, b.prev) = (state.mover as u8, state.next as u8, state.prev as u8);
        for player in 0..2 {
            b.phases[player] = state.phases.get(player + 1).copied().unwrap_or(0) as u8;
            b.scores[player] = state.scores.get(player + 1).copied().unwrap_or(0);
        }
        b.counter = state.counter;
        b.turns = state.turns;
        b.moves = state.moves - state.initial_moves;
        for &entry in &state.recent {
            b.note(entry >> 1, entry & 1 == 1);
        }
        b
    }
}
