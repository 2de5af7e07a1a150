//! Uniform playouts: a site is drawn, and only then looked at.
//!
//! A site that proves illegal is put aside and another drawn, so that every legal move is as likely as every
//! other and a player without one is found out by the way.

use super::board::{EMPTY, HowMany};
use super::plan::{Ending, STUCK};
use super::position::Position;
use super::rules::Liberties;
use ludex_game::Rng;

/// Sites in any order.
struct Sites<const C: usize> {
    list: [u16; C],
    count: usize,
}

impl<const C: usize> Sites<C> {
    /// The empty sites of a position.
    fn empty(p: &Position<C>, sites: usize) -> Self {
        let mut all = Sites { list: [0; C], count: 0 };
        (0..sites)
            .filter(|&site| p.board.colour[site] == EMPTY)
            .for_each(|site| all.push(site as u16));
        all
    }

    #[inline(always)]
    fn push(&mut self, site: u16) {
        self.list[self.count & (C - 1)] = site;
        self.count += 1;
    }

    /// Takes out a site by its place in the list.
    #[inline(always)]
    fn take(&mut self, at: usize) {
        self.count -= 1;
        self.list[at & (C - 1)] = self.list[self.count & (C - 1)];
    }
}

/// What a draw came to.
enum Drawn {
    /// A site was moved to; the facts about it.
    Placed(usize),
    Pass,
    /// There is no legal site.
    Nothing,
}

impl<const C: usize, const D: usize> Liberties<C, D> {
    /// Plays uniformly random moves and gives their number.
    pub(super) fn play_out(&self, p: &mut Position<C>, rng: &mut Rng, limit: u32) -> u32 {
        let mut plies = 0;
        // Only before the second move can seats be changed.
        while plies < limit && self.plan.swap && p.moves < 2 && p.ending == Ending::Open {
            self.play(p, self.draw(p, rng));
            plies += 1;
        }
        let left = limit - plies;
        plies
            + if self.plan.forbids_for_good() {
                let all = Sites::empty(p, self.ground.sites);
                let mut open = [Sites { ..all }, all];
                self.run(p, left, |rules, p| rules.draw_lasting(p, &mut open, rng))
            } else {
                let mut open = Sites::empty(p, self.ground.sites);
                self.run(p, left, |rules, p| rules.draw_and_place(p, &mut open, rng))
            }
    }

    /// Plays moves as they are drawn; an end that asks whether the next player can move waits for his draw.
    #[inline(always)]
    fn run(
        &self,
        p: &mut Position<C>,
        limit: u32,
        mut draw: impl FnMut(&Self, &mut Position<C>) -> Drawn,
    ) -> u32 {
        let mut plies = 0;
        let mut waiting = None;
        while plies < limit && p.ending == Ending::Open {
            let facts = match draw(self, p) {
                Drawn::Placed(facts) => facts,
                Drawn::Pass => self.pass(p),
                Drawn::Nothing => {
                    if self.ends_stuck(p, waiting) {
                        return plies;
                    }
                    self.pass(p)
                }
            };
            waiting = self.settle(p, facts, true).then_some(facts);
            plies += 1;
        }
        if p.ending == Ending::Open && waiting.is_some() && !self.any_site(p) {
            self.ends_stuck(p, waiting);
        }
        plies
    }

    /// Ends the game if the last move, of which these are the facts, ended it by leaving no move.
    #[cold]
    pub(super) fn ends_stuck(&self, p: &mut Position<C>, facts: Option<usize>) -> bool {
        let Some(facts) = facts else { return false };
        let mover = p.mover ^ 1;
        let ending = self.plan.endings[mover as usize & 1][facts | STUCK];
        if ending != Ending::Open {
            self.end(p, ending, mover);
        }
        ending != Ending::Open
    }

    /// Draws from the empty sites and, if one may, the pass.
    #[inline(always)]
    fn draw_and_place(&self, p: &mut Position<C>, open: &mut Sites<C>, rng: &mut Rng) -> Drawn {
        let passes = usize::from(self.plan.may_pass);
        let mut left = open.count;
        while left + passes > 0 {
            let at = rng.below((left + passes) as u32) as usize;
            if at >= left {
                return Drawn::Pass;
            }
            let site = open.list[at & (C - 1)] as usize;
            let look = self.ground.look::<HowMany>(&p.board, p.mover, site);
            if self.allows(p, site, &look) {
                open.take(at);
                return Drawn::Placed(
                    self.place::<HowMany>(p, site, &look, |site| open.push(site)),
                );
            }
            left -= 1;
            open.list.swap(at & (C - 1), left & (C - 1));
        }
        Drawn::Nothing
    }

    /// The same where a site that is forbidden to a player stays so: each has his own list.
    #[inline(always)]
    fn draw_lasting(&self, p: &mut Position<C>, open: &mut [Sites<C>; 2], rng: &mut Rng) -> Drawn {
        let own = &mut open[p.mover as usize & 1];
        let passes = usize::from(self.plan.may_pass);
        while own.count + passes > 0 {
            let at = rng.below((own.count + passes) as u32) as usize;
            if at >= own.count {
                return Drawn::Pass;
            }
            let site = own.list[at & (C - 1)] as usize;
            own.take(at);
            if p.board.colour[site & (C - 1)] != EMPTY {
                continue;
            }
            let look = self.ground.look::<HowMany>(&p.board, p.mover, site);
            if self.allows(p, site, &look) {
                return Drawn::Placed(self.place::<HowMany>(p, site, &look, |_| {}));
            }
        }
        Drawn::Nothing
    }

    /// The code of a legal move, all with the same probability.
    pub(super) fn draw(&self, p: &Position<C>, rng: &mut Rng) -> u32 {
        let swaps = u32::from(self.may_swap(p));
        let passes = u32::from(self.plan.may_pass);
        let mut open = Sites::empty(p, self.ground.sites);
        while open.count as u32 + swaps + passes > 0 {
            let at = rng.below(open.count as u32 + swaps + passes);
            match at.checked_sub(open.count as u32) {
                Some(0) if swaps > 0 => return Self::SWAP,
                Some(_) => return Self::PASS,
                None => {}
            }
            let site = open.list[at as usize & (C - 1)];
            if self.is_legal(p, site as usize) {
                return u32::from(site);
            }
            open.take(at as usize);
        }
        Self::PASS
    }
}
