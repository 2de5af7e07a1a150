//! A position: a few sets of sites, what stands where, and whose turn it is.

use super::Kernel;
use super::ranks::Ranks;
use crate::build::{MOST_PLAYERS, NOTES};
use crate::code::{NOWHERE, Noted};
use ludex_game::bits::Bits;
use ludex_lud::state::State;

/// How a game stands or ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It goes on.
    #[default]
    Open,
    /// A player won.
    Won(u8),
    /// Nobody did.
    Drawn,
    /// More than two players played: their ranks tell.
    Ranked,
}

impl Outcome {
    /// A number of its own for each.
    pub fn number(self) -> u64 {
        match self {
            Outcome::Open => 0,
            Outcome::Drawn => 1,
            Outcome::Ranked => 2,
            Outcome::Won(player) => 3 + u64::from(player),
        }
    }
}

/// All that the future depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board<const W: usize, const S: usize> {
    /// Empty sites, then those of owners, then those of kinds of piece.
    pub sets: [Bits<W>; S],
    /// The piece on every site.
    pub what: [[u8; 64]; W],
    /// The state of the piece on every site.
    pub state: [[u8; 64]; W],
    /// How many pieces every site holds, where that may be more than one.
    pub held: [[u8; 64]; W],
    pub mover: u8,
    pub next: u8,
    pub prev: u8,
    pub outcome: Outcome,
    /// Phase of each player.
    pub phases: [u8; MOST_PLAYERS],
    /// The last moves, the latest lowest, four bits each: who made it, whether it was a pass.
    pub recent: u64,
    /// Who is in which place, where more than two play.
    pub ranks: Ranks,
    pub swapped: bool,
    /// The move being played decided who comes next.
    pub again: bool,
    pub last_pass: bool,
    /// The dice of this turn have been thrown.
    pub thrown: bool,
    /// The kind of throw that lies there.
    pub throw: u16,
    /// Which players passed last time for want of a move, where rules ask for it.
    pub stuck: u8,
    pub last_from: i16,
    pub last_to: i16,
    /// Pending values: how many, and the last.
    pub pending_count: u8,
    pub pending: i16,
    pub turn_moves: u16,
    /// For whom events were triggered, as bits.
    pub triggers: u8,
    /// What has been proposed, as bits of texts.
    pub proposed: u8,
    /// The vote of whoever voted first.
    pub vote: Option<u8>,
    /// What the votes of the last move decided.
    pub decided: Option<u8>,
    /// Numbers that are kept.
    pub notes: [i32; NOTES],
    pub counter: i32,
    /// Moves played.
    pub moves: i32,
    pub turns: i32,
    pub scores: [i32; MOST_PLAYERS],
    /// The position that was stored, in one number.
    pub stored: u64,
    /// Answers to questions that depend on earlier positions, as bits; given before they are needed.
    pub answers: u8,
}

impl<const W: usize, const S: usize> Board<W, S> {
    /// Remembers who moved and whether it was a pass.
    #[inline]
    pub fn note(&mut self, mover: u8, pass: bool) {
        self.last_pass = pass;
        self.recent = self.recent << 4 | u64::from(mover & 7) << 1 | u64::from(pass);
    }
}

impl<const W: usize, const S: usize> Default for Board<W, S> {
    fn default() -> Self {
        Board {
            sets: [Bits::EMPTY; S],
            what: [[0; 64]; W],
            state: [[0; 64]; W],
            held: [[0; 64]; W],
            mover: 1,
            next: 2,
            prev: 2,
            outcome: Outcome::Open,
            phases: [0; MOST_PLAYERS],
            recent: 0,
            ranks: Ranks::default(),
            swapped: false,
            again: false,
            last_pass: false,
            thrown: false,
            throw: 0,
            stuck: 0,
            last_from: -1,
            last_to: -1,
            pending_count: 0,
            pending: -1,
            turn_moves: 0,
            triggers: 0,
            proposed: 0,
            vote: None,
            decided: None,
            notes: [0; NOTES],
            counter: 0,
            moves: 0,
            turns: 1,
            scores: [0; MOST_PLAYERS],
            // No position has that number, not even an empty board.
            stored: 1,
            answers: 0,
        }
    }
}

impl<const W: usize, const S: usize> Board<W, S> {
    /// Takes a vote; with the second, what both want is decided.
    pub(super) fn vote(&mut self, text: u8) {
        match self.vote.take() {
            None => self.vote = Some(text),
            Some(first) => {
                self.proposed = 0;
                if first == text {
                    self.decided = Some(text);
                }
            }
        }
    }

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

    /// How many pieces a site holds, in games in which that may be more than one.
    #[inline(always)]
    pub(super) fn held(&self, site: usize) -> i32 {
        i32::from(self.held[site / 64 % W][site % 64])
    }

    #[inline(always)]
    pub(super) fn hold(&mut self, site: i32, count: i32) {
        let site = site as usize;
        self.held[site / 64 % W][site % 64] = count.min(255) as u8;
    }

    #[inline(always)]
    pub(super) fn set_what(&mut self, site: i32, what: u8) {
        let site = site as usize;
        self.what[site / 64 % W][site % 64] = what;
    }

    /// Adds sites to a set or takes them out.
    #[inline(always)]
    pub(super) fn toggle(&mut self, slot: u8, sites: Bits<W>) {
        self.sets[slot as usize % S] ^= sites;
    }
}

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// Gives the piece on a site a state.
    #[inline(always)]
    pub(super) fn set_state(&self, b: &mut Board<W, S>, site: i32, state: u8) {
        let at = site as usize;
        let old = std::mem::replace(&mut b.state[at / 64 % W][at % 64], state);
        for &(value, slot) in &self.code.states {
            if (value == old) != (value == state) {
                b.toggle(slot, Bits::one(at));
            }
        }
    }

    #[inline(always)]
    pub(super) fn toggle_piece(&self, b: &mut Board<W, S>, what: u8, sites: Bits<W>) {
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
        if self.piles {
            b.hold(site, 1);
        }
    }

    /// Takes the piece away from a site, if there is one; of a stack the one on top.
    #[inline(always)]
    pub(super) fn take(&self, b: &mut Board<W, S>, site: i32) {
        let what = b.what(site);
        if what == 0 {
            return;
        }
        if self.piles && self.stacks.is_some() {
            return self.pull(b, site, b.held(site as usize) as usize - 1);
        }
        let here = Bits::one(site as usize);
        b.toggle(0, here);
        self.toggle_piece(b, what, here);
        b.set_what(site, 0);
        if self.piles {
            b.hold(site, 0);
        }
        if self.states {
            self.set_state(b, site, 0);
        }
    }

    /// Moves a piece; what stood at the end is gone.
    #[inline(always)]
    pub(super) fn shift(&self, b: &mut Board<W, S>, from: i32, to: i32) {
        let what = b.what(from);
        if what == 0 || from == to {
            return;
        }
        if self.piles && (self.code.piles || from.max(to) as usize >= self.code.board) {
            return self.pile(b, from, to, what);
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
        if self.piles {
            b.hold(from, 0);
            b.hold(to, 1);
        }
        if self.states {
            self.set_state(b, to, b.state(from));
            self.set_state(b, from, 0);
        }
    }

    /// Pieces of a set become others, by the number of the piece.
    pub(super) fn convert(&self, b: &mut Board<W, S>, sites: Bits<W>, into: &[u8]) {
        for site in sites.iter().map(|site| site as i32) {
            let (old, here) = (b.what(site), Bits::one(site as usize));
            let new = into[old as usize];
            if new > 0 {
                self.toggle_piece(b, old, here);
                self.toggle_piece(b, new, here);
                b.set_what(site, new);
                if self.states {
                    self.set_state(b, site, 0);
                }
            }
        }
    }

    /// Moves one of the pieces on a site; like pieces pile up, others that stood at the end are gone.
    fn pile(&self, b: &mut Board<W, S>, from: i32, to: i32, what: u8) {
        if self.stacks.is_some() {
            return self.lift(b, from, b.held(from as usize) as usize - 1, to);
        }
        let (left, state) = (b.held(from as usize) - 1, b.state(from));
        if left < 1 {
            self.take(b, from);
        } else {
            b.hold(from, left);
        }
        if b.what(to) == what {
            b.hold(to, b.held(to as usize) + 1);
        } else {
            self.take(b, to);
            self.put(b, to, what);
        }
        if self.states {
            self.set_state(b, to, state);
        }
    }

    /// A piece goes where another stands, which comes where it was.
    pub(super) fn exchange(&self, b: &mut Board<W, S>, from: i32, to: i32) {
        let other = b.what(to);
        self.shift(b, from, to);
        self.add(b, from, other);
    }

    /// The position that a state of the general evaluator is.
    pub(super) fn board_of(&self, state: &State) -> Board<W, S> {
        let mut b = Board::default();
        b.sets[0] = self.everywhere;
        for &(value, slot) in &self.code.states {
            b.sets[slot as usize % S] = if value == 0 { self.everywhere } else { Bits::EMPTY };
        }
        for site in 0..self.code.sites as i32 {
            let layer = state.layer(self.game.kind_at(None, site));
            if self.stacks.is_some() {
                for level in 0..layer.height(site) {
                    self.push(&mut b, site, layer.at(site, level).what as u8);
                }
                continue;
            }
            let piece = layer.top(site);
            if piece.what != 0 {
                self.put(&mut b, site, piece.what as u8);
                self.set_state(&mut b, site, piece.state as u8);
                b.hold(site, i32::from(piece.count));
            }
        }
        (b.mover, b.next, b.prev) = (state.mover as u8, state.next as u8, state.prev as u8);
        for player in 0..self.game.players as usize {
            b.phases[player] = state.phases.get(player + 1).copied().unwrap_or(0) as u8;
            b.scores[player] = state.scores.get(player + 1).copied().unwrap_or(0);
        }
        for (note, noted) in b.notes.iter_mut().zip(&self.code.notes) {
            *note = match *noted {
                Noted::Player(player) => state.values.get(player as usize).copied(),
                Noted::Var(index) => state.vars.get(index as usize).copied(),
            }
            .unwrap_or(NOWHERE);
        }
        for (name, slot) in &self.code.remembered {
            for &value in state.remembered(name.as_deref()) {
                self.note_site(&mut b, *slot, value);
            }
        }
        b.ranks = Ranks::of_all(self.game.players);
        b.throw = self.code.throws.get(self.code.thrown_before).copied().unwrap_or(0);
        (b.last_from, b.last_to) = (state.last.from as i16, state.last.to as i16);
        b.counter = state.counter;
        b.turns = state.turns;
        b.moves = state.moves - state.initial_moves;
        for &entry in &state.recent {
            b.note(entry >> 1, entry & 1 == 1);
        }
        b
    }
}
