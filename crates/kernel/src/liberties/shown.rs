//! Positions that are shown at every ply: whose stones stand where as sets, and all legal sites at once.
//!
//! Chains with one liberty are kept; there are few. A stone that comes to none of those liberties takes nothing, and whatever
//! chain it joins keeps another: it lives if a site beside it is empty or has a stone of the same player. An
//! earlier position that comes back without a capture has one stone more than this one, and differs from it by the key of that
//! stone; one that comes back by a capture is asked for by what it is known by.

use super::board::{Board, HowMany, Which};
use super::earlier::Earlier;
use super::plan::Freedom;
use super::position::{OPEN_WORDS, Position};
use super::rules::Liberties;
use crate::history::History;
use ludex_game::memory::expect;

type Words = [u64; OPEN_WORDS];

/// What is kept from ply to ply.
#[derive(Debug, Default)]
pub struct Shown {
    kept: bool,
    own: [Words; 2],
    tight: Vec<Tight>,
    earlier: Earlier,
}

/// A chain with one liberty, with what would change if it were taken: whoever asks that finds it here side by side.
#[derive(Clone, Copy, Debug)]
struct Tight {
    keys: u64,
    head: u16,
    liberty: u16,
    size: u16,
    /// How many of its stones touch the liberty.
    touches: u16,
}

impl Clone for Shown {
    fn clone(&self) -> Self {
        Shown { tight: self.tight.clone(), earlier: self.earlier.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        (self.kept, self.own) = (other.kept, other.own);
        self.tight.clone_from(&other.tight);
        self.earlier.clone_from(&other.earlier);
    }
}

impl Shown {
    #[inline(always)]
    pub fn is_kept(&self) -> bool {
        self.kept
    }

    /// Nothing is kept from now on.
    #[inline(always)]
    pub fn stop(&mut self) {
        self.kept = false;
    }

    /// A player's stones, if they are kept.
    #[inline(always)]
    pub fn own(&self, player: usize) -> Option<&Words> {
        self.own.get(player).filter(|_| self.kept)
    }

    /// Notes the chain of a head if it has one liberty, unless it is among those noted after the first so many.
    #[inline(always)]
    fn watch<const C: usize>(&mut self, b: &Board<C>, head: usize, known: usize) {
        if let Some(liberty) = b.only_liberty(head) {
            let head = head as u16;
            if self.tight[known..].iter().all(|chain| chain.head != head) {
                let (size, keys) = b.stones_of(head);
                let touches = b.liberties_of(head);
                self.tight.push(Tight { keys, head, liberty: liberty as u16, size, touches });
            }
        }
    }

    /// Asks for the memory of what the position after a player's stone will be compared with.
    #[inline(always)]
    pub fn expect_note<const C: usize>(&self, b: &Board<C>, player: u8) {
        self.tight.first().into_iter().for_each(expect);
        self.earlier.expect(b, player);
    }

    /// Remembers the position that was noted just now.
    #[inline(always)]
    pub fn note<const C: usize>(&mut self, b: &Board<C>, history: &History) {
        if self.kept {
            self.earlier.note(b, history);
        }
    }
}

#[inline(always)]
fn has(words: &Words, site: usize) -> bool {
    words[site / 64 % OPEN_WORDS] >> (site % 64) & 1 == 1
}

#[inline(always)]
fn insert(words: &mut Words, site: usize) {
    words[site / 64 % OPEN_WORDS] |= 1 << (site % 64);
}

#[inline(always)]
fn remove(words: &mut Words, site: usize) {
    words[site / 64 % OPEN_WORDS] &= !(1 << (site % 64));
}

#[inline(always)]
fn each_site(words: &Words, mut each: impl FnMut(usize)) {
    for (first, &word) in (0..).step_by(64).zip(words) {
        let mut left = word;
        while left != 0 {
            each(first + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

impl<const C: usize, const D: usize> Liberties<C, D> {
    /// Every position is shown from now on.
    pub(super) fn begin_showing(&self, p: &mut Position<C>) {
        let [first, second, _] = self.colour_words(p);
        self.ground.find_liberties(&mut p.board);
        let shown = &mut p.shown;
        (shown.kept, shown.own) = (true, [first, second]);
        shown.tight.clear();
        for own in [first, second] {
            each_site(&own, |stone| shown.watch(&p.board, p.board.head(stone as u16), 0));
        }
        shown.earlier.begin(&p.history, p.most);
    }

    /// Places a stone and keeps what is shown true.
    pub(super) fn place_shown(&self, p: &mut Position<C>, site: usize) -> usize {
        let look = self.ground.look::<Which>(&p.board, p.mover, site);
        let beside = self.ground.heads_beside(&p.board, site);
        let mover = p.mover as usize & 1;
        let mut lifted = [0; OPEN_WORDS];
        let facts = self.place::<Which>(p, site, &look, |stone| insert(&mut lifted, stone.into()));
        let shown = &mut p.shown;
        insert(&mut shown.own[mover], site);
        remove(&mut p.open, site);
        if look.taken != 0 {
            for (at, stones) in lifted.into_iter().enumerate() {
                p.open[at] |= stones;
                shown.own[1 - mover][at] &= !stones;
            }
        }
        // The chains beside the stone and its own are others than before; where stones were taken, any may have got liberties.
        let (tight, board) = (&mut shown.tight, &p.board);
        tight.retain(|chain| !beside.contains(&chain.head));
        if look.taken != 0 {
            tight.retain(|chain| board.only_liberty(chain.head.into()).is_some());
        }
        let kept = tight.len();
        shown.watch(board, board.head(site as u16), kept);
        self.ground.each_near(site, |stone| {
            if has(&shown.own[0], stone) || has(&shown.own[1], stone) {
                shown.watch(board, board.head(stone as u16), kept);
            }
        });
        facts
    }

    /// The sites where whoever moves may place a stone; nothing where that is not kept.
    pub(super) fn legal_words(&self, p: &Position<C>) -> Option<Words> {
        if !p.shown.kept {
            return None;
        }
        let (plan, empty) = (&self.plan, &p.open);
        let own = &p.shown.own[p.mover as usize & 1];
        let mut legal = *empty;
        if plan.freedom != Freedom::NotAsked {
            let lively = std::array::from_fn(|at| empty[at] | own[at]);
            let beside = self.ground.beside(&lively)?;
            legal = std::array::from_fn(|at| empty[at] & beside[at]);
        }
        if plan.no_repeat.is_some() {
            self.each_repeating(p, |site| remove(&mut legal, site));
        }
        let (mut taking, mut risky) = ([0; OPEN_WORDS], [0; OPEN_WORDS]);
        for chain in &p.shown.tight {
            let set = if has(own, chain.head.into()) { &mut risky } else { &mut taking };
            insert(set, chain.liberty.into());
        }
        if plan.freedom != Freedom::NotAsked {
            let only_risky = std::array::from_fn(|at| risky[at] & !taking[at]);
            each_site(&only_risky, |site| {
                let (mut free, mut beside) = (false, 0);
                self.ground.each_near(site, |near| {
                    free |= has(empty, near);
                    beside += u16::from(has(own, near));
                });
                // The stones beside it that belong to chains which have no other liberty; any other keeps one.
                let tight = p.shown.tight.iter().filter(|chain| usize::from(chain.liberty) == site);
                if !free && tight.map(|chain| chain.touches).sum::<u16>() == beside {
                    remove(&mut legal, site);
                }
            });
        }
        each_site(&taking, |site| match self.may_take(p, site) {
            true => insert(&mut legal, site),
            false => remove(&mut legal, site),
        });
        debug_assert!(
            (0..self.ground.sites).all(|site| has(&legal, site) == self.is_legal(p, site))
        );
        Some(legal)
    }

    /// Whether a stone may come to the only liberty of chains of the other player.
    #[inline(always)]
    fn may_take(&self, p: &Position<C>, site: usize) -> bool {
        let plan = &self.plan;
        if !plan.takes || plan.spares || plan.freedom == Freedom::BeforeTaking {
            return self.allows(p, site, &self.ground.look::<HowMany>(&p.board, p.mover, site));
        }
        if plan.no_repeat.is_none() {
            return true;
        }
        let (mover, foe) = (p.mover as usize & 1, 1 - (p.mover as usize & 1));
        let mut hash = self.ground.hash_after(&p.board, p.mover, site, 0);
        let mut stones = p.board.stones;
        stones[mover] += 1;
        for chain in &p.shown.tight {
            if usize::from(chain.liberty) == site && has(&p.shown.own[foe], chain.head.into()) {
                hash ^= chain.keys;
                stones[foe] -= chain.size;
            }
        }
        let hash = self.known_by(p, hash, (p.passes, p.moves));
        !p.shown.earlier.has(&p.history, stones, hash)
    }

    /// Calls `each` with sites where a stone that takes none brings an earlier position back.
    #[inline(always)]
    fn each_repeating(&self, p: &Position<C>, mut each: impl FnMut(usize)) {
        let stones = p.board.stones[0] + p.board.stones[1];
        if stones >= p.most {
            return;
        }
        let now = self.known_by(p, p.board.hash, (p.passes, p.moves));
        let asked = (p.mover as usize, p.board.stones, now);
        p.shown.earlier.each_site(&self.ground, &p.history, asked, &mut each);
    }
}
