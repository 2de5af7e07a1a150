//! How far the moves of a generator are wanted: all of them, one drawn at random, or their number.
//!
//! A random move does not need the others. Every place in the code that could make a move asks first
//! whether it is taken; the n-th one is taken with chance 1/n, so that the last one taken is any of them
//! with equal chances, and hardly any is made in vain.

use super::ctx::Ctx;
use super::ir::Moves;
use super::moves::Mv;
use super::topo::Radial;
use ludex_game::Rng;

/// So many steps is a move worth that is made.
const MADE: u64 = 4;

/// What is wanted of the moves that generators find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Want {
    /// All.
    #[default]
    All,
    /// One drawn from all with equal chances: the last of those made.
    One,
    /// The one that has so many before it.
    Nth(u32),
    /// Only whether there are any.
    Count,
}

/// What is wanted, and what was seen so far.
#[derive(Clone, Debug)]
pub struct Pick {
    want: Want,
    seen: u32,
    /// Of those seen, how many ended on the site asked for.
    hits: u32,
    target: Option<i32>,
    /// Moves that end elsewhere need not be looked at: nobody asks whether there are any.
    skips: bool,
    /// Where chance comes from while one is drawn.
    pub(super) rng: Rng,
}

impl Default for Pick {
    fn default() -> Self {
        let rng = Rng::seeded(0);
        Pick { want: Want::All, seen: 0, hits: 0, target: None, skips: false, rng }
    }
}

impl Ctx<'_> {
    /// A move was found that ends on a site: whether it is to be made.
    #[inline]
    pub(super) fn takes(&mut self, to: i32) -> bool {
        match self.pick.want {
            Want::All => {
                self.work += MADE;
                true
            }
            Want::One => {
                self.work += 1;
                self.pick.seen += 1;
                self.pick.seen == 1 || self.pick.rng.below(self.pick.seen) == 0
            }
            Want::Nth(before) => {
                self.work += 1;
                self.pick.seen += 1;
                self.pick.seen == before + 1
            }
            Want::Count => {
                self.pick.seen += 1;
                self.pick.hits += u32::from(self.pick.target == Some(to));
                false
            }
        }
    }

    /// The only site whose moves have to be looked at.
    #[inline]
    pub(super) fn aim(&self) -> Option<i32> {
        let pick = &self.pick;
        if pick.want == Want::Count && pick.skips { pick.target } else { None }
    }

    /// Whether moves that end on a site need not be looked at.
    #[inline]
    pub(super) fn misses(&self, to: i32) -> bool {
        self.aim().is_some_and(|aim| aim != to)
    }

    /// Whether moves along a line need not be looked at.
    #[inline]
    pub(super) fn misses_line(&self, line: &Radial) -> bool {
        self.aim().is_some_and(|aim| !line.sites.contains(&aim))
    }

    /// Whether somebody who asks if there is a move knows by now. Where rules draw at random, all of them are looked
    /// at: what is drawn meanwhile stays drawn.
    #[inline]
    pub(super) fn answered(&self) -> bool {
        let pick = &self.pick;
        let found = if pick.target.is_some() { pick.skips && pick.hits > 0 } else { pick.seen > 0 };
        pick.want == Want::Count && found && !self.g.random
    }

    /// Does something with all moves looked at, for rules that ask whether there are any.
    pub(super) fn without_skipping<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let skips = std::mem::take(&mut self.pick.skips);
        let done = act(self);
        self.pick.skips = skips;
        done
    }

    /// Whether all moves are wanted.
    #[inline]
    pub(super) fn wants_all(&self) -> bool {
        self.pick.want == Want::All
    }

    /// How many moves were found so far where not all are wanted.
    #[inline]
    pub(super) fn seen(&self) -> u32 {
        self.pick.seen
    }

    /// Whether a generator that was asked when so many had been seen found none.
    #[inline]
    pub(super) fn found_none(&self, list: &[Mv], seen: u32) -> bool {
        list.is_empty() && self.pick.seen == seen
    }

    /// Of the moves made, leaves those that can still be wanted.
    pub(super) fn keep_last(&self, list: &mut Vec<Mv>) {
        if self.pick.want == Want::One && list.len() > 1 {
            list.drain(..list.len() - 1);
        }
    }

    /// What is wanted of moves that were all made.
    pub(super) fn thinned(&mut self, mut list: Vec<Mv>) -> Vec<Mv> {
        match self.pick.want {
            Want::All => {}
            Want::One | Want::Nth(_) => {
                let mut chosen = None;
                for (at, m) in list.iter().enumerate() {
                    if self.takes(m.to) {
                        chosen = Some(at);
                    }
                }
                match chosen {
                    Some(at) => {
                        list.swap(0, at);
                        list.truncate(1);
                    }
                    None => list.clear(),
                }
            }
            Want::Count => {
                for m in &list {
                    self.takes(m.to);
                }
                list.clear();
            }
        }
        list
    }

    /// Does something with all moves wanted.
    pub(super) fn with_all<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let want = std::mem::take(&mut self.pick.want);
        let done = act(self);
        self.pick.want = want;
        done
    }

    fn wanting<T>(
        &mut self,
        want: Want,
        target: Option<i32>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> (T, u32, u32) {
        let pick = &mut self.pick;
        let before = (pick.want, pick.seen, pick.hits, pick.target, pick.skips);
        (pick.want, pick.seen, pick.hits, pick.target) = (want, 0, 0, target);
        pick.skips = target.is_some();
        let done = act(self);
        let pick = &mut self.pick;
        let (seen, hits) = (pick.seen, pick.hits);
        (pick.want, pick.seen, pick.hits, pick.target, pick.skips) = before;
        (done, seen, hits)
    }

    /// One of the moves that a list-maker finds, drawn with equal chances, and how many there are.
    pub(super) fn one_of(&mut self, list: impl FnOnce(&mut Self) -> Vec<Mv>) -> (Option<Mv>, u32) {
        let (mut made, seen, _) = self.wanting(Want::One, None, list);
        (made.pop(), seen)
    }

    /// The move of a list-maker that has so many before it, and how many there are.
    pub(super) fn nth_of(
        &mut self,
        before: u32,
        list: impl FnOnce(&mut Self) -> Vec<Mv>,
    ) -> (Option<Mv>, u32) {
        let (mut made, seen, _) = self.wanting(Want::Nth(before), None, list);
        (made.pop(), seen)
    }

    /// Whether a generator finds a move at all, or one that ends on a site.
    pub(super) fn finds(&mut self, moves: &Moves, to: Option<i32>) -> bool {
        let (_, seen, hits) = self.wanting(Want::Count, to, |c| c.listed(moves));
        if to.is_some() { hits > 0 } else { seen > 0 }
    }
}
