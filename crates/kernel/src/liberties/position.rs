//! A position, and how a move changes it.

use super::board::{Board, EMPTY, HowMany, Kept, Look, Touching};
use super::plan::{Ending, FACTS, Freedom, JOINED, LINED, PASSED, STUCK, TAKEN};
use super::rules::Liberties;
use super::shown::Shown;
use crate::history::History;
use ludex_game::{Ends, mix};
use ludex_lud::ir::Repetition;

/// All that the future depends on.
#[derive(Debug)]
pub struct Position<const C: usize> {
    pub board: Board<C>,
    pub history: History,
    pub scores: [i32; 2],
    /// Zero or one.
    pub mover: u8,
    /// Passes in a row.
    pub passes: u8,
    /// Players have changed seats.
    pub swapped: bool,
    /// Moves played.
    pub moves: u16,
    pub ending: Ending,
    /// The last move; playouts that end the game do not keep it.
    pub last: Option<Ends>,
    /// The empty sites, while a playout by a sampler keeps them.
    pub open: [u64; OPEN_WORDS],
    pub keeps_open: bool,
    /// The facts about the last move, where its end waits for the next player's search for a move.
    pub waiting: Option<u16>,
    /// The most stones that were ever on the board.
    pub most: u16,
    /// What is kept while every position is shown.
    pub shown: Shown,
}

/// As many words of sites as there are at most.
pub const OPEN_WORDS: usize = 8;

impl<const C: usize> Clone for Position<C> {
    fn clone(&self) -> Self {
        Position { history: self.history.clone(), shown: self.shown.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        let mut history = std::mem::take(&mut self.history);
        let mut shown = std::mem::take(&mut self.shown);
        history.clone_from(&other.history);
        shown.clone_from(&other.shown);
        *self = Position { history, shown, ..*other };
    }
}

/// Distinguishes positions before and after players change seats.
const SWAPPED: u64 = 0x7A5C_11D3_0E86_92BF;

impl<const C: usize, const D: usize> Liberties<C, D> {
    /// The hash by which a position is known not to come back; of situations also who came there, after how
    /// many passes, and whether by the first move, before which nobody had moved.
    #[inline(always)]
    pub(super) fn known_by(&self, p: &Position<C>, hash: u64, (passes, moves): (u8, u16)) -> u64 {
        match self.plan.no_repeat {
            Some(Repetition::Situational) => {
                let turn = u64::from(p.mover) << 8 | u64::from(passes) << 16;
                hash ^ mix(turn | (1 + u64::from(moves == 0)))
            }
            _ if p.swapped => hash ^ SWAPPED,
            _ => hash,
        }
    }

    /// Notes the position that a move has led to, with how it stood before the move.
    #[inline(always)]
    fn note(&self, p: &mut Position<C>, before: (u8, u16)) {
        if self.plan.no_repeat.is_some() {
            let hash = self.known_by(p, p.board.hash, before);
            p.history.note(hash);
        }
    }

    /// Whether a stone may come to an empty site.
    #[inline(always)]
    pub(super) fn allows(&self, p: &Position<C>, site: usize, look: &Look) -> bool {
        let plan = &self.plan;
        let lives = look.free.count() > 0 || look.joins_free;
        let free = match plan.freedom {
            Freedom::NotAsked => true,
            Freedom::BeforeTaking => lives,
            Freedom::AfterTaking => lives || (plan.takes && look.taken != 0),
        };
        if !free || (plan.spares && look.taken != 0) {
            return false;
        }
        if plan.no_repeat.is_none() {
            return true;
        }
        let taken = if plan.takes { look.taken } else { 0 };
        let hash = self.ground.hash_after(&p.board, p.mover, site, taken);
        !p.history.has(self.known_by(p, hash, (p.passes, p.moves)))
    }

    /// Whether a site is legal for whoever moves.
    pub(super) fn is_legal(&self, p: &Position<C>, site: usize) -> bool {
        if site >= self.ground.sites || p.board.colour[site] != EMPTY {
            return false;
        }
        let look = match self.ground.is_plain(&p.board, p.mover, site) {
            true => Look { free: Touching::default(), joins_free: true, taken: 0 },
            false => self.ground.look::<HowMany>(&p.board, p.mover, site),
        };
        self.allows(p, site, &look)
    }

    /// Whether whoever moves has a site to move to.
    pub(super) fn any_site(&self, p: &Position<C>) -> bool {
        (0..self.ground.sites).any(|site| self.is_legal(p, site))
    }

    pub(super) fn may_swap(&self, p: &Position<C>) -> bool {
        self.plan.swap && p.moves == 1
    }

    /// Places a stone where that is allowed and gives the facts about it; the turn is over afterwards.
    #[inline(always)]
    pub(super) fn place<K: Kept>(
        &self,
        p: &mut Position<C>,
        site: usize,
        look: &Look,
        lifted: impl FnMut(u16),
    ) -> usize {
        let mover = p.mover as usize & 1;
        let taken = if self.plan.takes { look.taken } else { 0 };
        let before = p.board.stones[1 - mover];
        let touch = self.ground.place::<K>(&mut p.board, p.mover, site, look.free, taken, lifted);
        p.most = p.most.max(p.board.stones[0] + p.board.stones[1]);
        let was = (p.passes, p.moves);
        p.passes = 0;
        p.moves += 1;
        let mut facts = 0;
        if taken != 0 {
            facts = TAKEN;
            let stones = i32::from(before - p.board.stones[1 - mover]);
            p.scores[mover] += stones * self.plan.points[0];
            p.scores[1 - mover] += stones * self.plan.points[1];
        }
        if let Some(joins) = &self.plan.joins {
            facts |= if touch.count_ones() >= joins.needed[mover] { JOINED } else { 0 };
        }
        if self.plan.lined.is_some() && self.completes_line(p, site) {
            facts |= LINED;
        }
        // After a swap the same stones move again, and what they reach is not noted.
        if !(p.swapped && p.moves == 3) {
            self.note(p, was);
        }
        facts
    }

    /// A player passes; gives the facts about it.
    pub(super) fn pass(&self, p: &mut Position<C>) -> usize {
        let was = (p.passes, p.moves);
        p.passes = p.passes.saturating_add(1);
        p.moves += 1;
        if !(p.swapped && p.moves == 3) {
            self.note(p, was);
        }
        if p.passes >= 2 { PASSED } else { 0 }
    }

    /// Players change seats.
    pub(super) fn swap(&self, p: &mut Position<C>) {
        p.swapped = !p.swapped;
        let was = (p.passes, p.moves);
        p.passes = 0;
        p.moves += 1;
        self.note(p, was);
    }

    fn completes_line(&self, p: &Position<C>, site: usize) -> bool {
        let Some(lined) = &self.plan.lined else { return false };
        let own = |at: &&u16| p.board.colour[**at as usize & (C - 1)] == p.mover;
        let run = |sites: &[u16]| sites.iter().take_while(own).count() as i32;
        lined.ways.of[site].iter().any(|way| {
            let ahead = 1 + run(&way.ahead);
            let fits =
                |length: i32| length == lined.length || !lined.exact && length > lined.length;
            (!lined.exact || way.behind.is_empty()) && fits(ahead)
                || way.behind.iter().any(|behind| fits(ahead + run(behind)))
        })
    }

    /// Ends the game or gives the turn to the other player. Where `defers_end`, whether he has a move is found
    /// out when he looks for one; then this gives true.
    #[inline(always)]
    pub(super) fn settle(&self, p: &mut Position<C>, facts: usize, defers_end: bool) -> bool {
        let endings = &self.plan.endings[p.mover as usize & 1];
        let (mut ending, stuck) = (endings[facts % FACTS], endings[(facts | STUCK) % FACTS]);
        let late = u32::from(p.moves) >= self.plan.limit;
        let mover = p.mover;
        p.mover ^= 1;
        if ending != stuck {
            if defers_end && !late && ending == Ending::Open {
                return true;
            }
            ending = if self.any_site(p) { ending } else { stuck };
        }
        if ending != Ending::Open || late {
            self.end(p, ending, mover);
        }
        false
    }

    /// The game ends after a move of a player; he stays the mover.
    #[cold]
    pub(super) fn end(&self, p: &mut Position<C>, ending: Ending, mover: u8) {
        p.mover = mover;
        p.ending = match ending {
            Ending::Scores => self.by_scores(p),
            Ending::Open => Ending::Drawn,
            decided => decided,
        };
    }
}
