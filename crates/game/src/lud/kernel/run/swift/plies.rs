//! Running swift plies.

use super::{ALL, Dash, EMPTY, FOE, Family, Lane, MAX_FAMILIES, MAX_TERMS, OWN, Swift, Views};
use crate::Rng;
use crate::bits::{Bits, Select};
use crate::lud::kernel::code::NOWHERE;
use crate::lud::kernel::run::Step;
use crate::lud::kernel::run::board::Board;
use crate::lud::kernel::run::eval::moved;
use std::hint::select_unpredictable;

impl<const W: usize> Swift<W> {
    /// Plays random moves until one must be played by all rules, there is none, or the limit is reached.
    #[inline(always)]
    pub(in super::super) fn dash<C: Select, const S: usize>(
        &self,
        b: &mut Board<W, S>,
        rng: &mut Rng,
        limit: u32,
    ) -> Dash {
        let mut dash = Dash { plies: 0, next: None };
        let calm = self.calm_plies(b).min(limit);
        if calm == 0 || !self.fits(b) {
            return dash;
        }
        let mut side = (b.mover as usize - 1) & 1;
        let mut colours = self.colours_of(b);
        let mut last = None;
        while dash.plies < calm {
            let lane = &self.lanes[side];
            let (own, foe) = (colours[side], colours[1 - side]);
            let views = self.views(own, foe);
            let Some((number, to)) = lane.draw::<C>(&views, rng) else {
                break;
            };
            let family = &lane.families[number];
            let after = lane.after(family, own, foe, to);
            if lane.may_end(to, self.views(after.0, after.1)) {
                dash.next = Some(family.step(to));
                break;
            }
            (colours[side], colours[1 - side]) = after;
            last = Some((family, to));
            side = 1 - side;
            dash.plies += 1;
        }
        if let Some((family, to)) = last {
            self.write_back(b, colours, dash.plies, family.step(to));
        }
        dash
    }

    /// Sets of sites by what is on them.
    #[inline(always)]
    pub(super) fn views(&self, own: Bits<W>, foe: Bits<W>) -> Views<W> {
        let mut views = [Bits::EMPTY; ALL as usize + 1];
        let all = self.everywhere;
        views[OWN as usize] = own;
        views[FOE as usize] = foe;
        views[(OWN | FOE) as usize] = own | foe;
        views[EMPTY as usize] = all & !(own | foe);
        views[(EMPTY | OWN) as usize] = all & !foe;
        views[(EMPTY | FOE) as usize] = all & !own;
        views[ALL as usize] = all;
        views
    }

    /// How many plies may be played before a limit of turns or moves is near.
    #[inline(always)]
    fn calm_plies<const S: usize>(&self, b: &Board<W, S>) -> u32 {
        let moves = self.max_moves.saturating_sub(b.moves).saturating_sub(1);
        let turns = self.max_turns.saturating_sub(b.turns);
        moves.min(turns).max(0) as u32
    }
}

impl<const W: usize> Lane<W> {
    /// One of all moves, by family and end; nothing where there is none.
    #[inline(always)]
    fn draw<C: Select>(&self, views: &Views<W>, rng: &mut Rng) -> Option<(usize, Bits<W>)> {
        match self.width {
            1 => self.draw_by::<C, 1>(views, rng),
            2 => self.draw_by::<C, 2>(views, rng),
            _ => self.draw_by::<C, MAX_TERMS>(views, rng),
        }
    }

    #[inline(always)]
    fn draw_by<C: Select, const T: usize>(
        &self,
        views: &Views<W>,
        rng: &mut Rng,
    ) -> Option<(usize, Bits<W>)> {
        if let [family] = &*self.families {
            let mut ends = family.ends::<T>(views);
            if let Some(flank) = &self.flank {
                ends &= flank.sites(views);
            }
            let total = ends.count::<C>();
            return (total > 0).then(|| (0, ends.nth::<C>(rng.below(total))));
        }
        let mut sets = [Bits::EMPTY; MAX_FAMILIES];
        let mut until = [0; MAX_FAMILIES];
        let (mut total, mut at) = (0, 0);
        while at < self.families.len() {
            let ends = self.families[at].ends::<T>(views);
            total += ends.count::<C>();
            sets[at % MAX_FAMILIES] = ends;
            until[at % MAX_FAMILIES] = total;
            at += 1;
        }
        if total == 0 {
            return None;
        }
        let drawn = rng.below(total);
        let (mut number, mut before, mut at) = (0, 0, 1);
        // Which family it is cannot be predicted, so nothing here may become a jump.
        while at < self.families.len() {
            let below = until[(at - 1) % MAX_FAMILIES];
            let past = drawn >= below;
            number = select_unpredictable(past, at, number);
            before = select_unpredictable(past, below, before);
            at += 1;
        }
        Some((number, sets[number % MAX_FAMILIES].nth::<C>(drawn - before)))
    }

    /// The mover's and the other's pieces after a move.
    #[inline(always)]
    fn after(
        &self,
        family: &Family<W>,
        own: Bits<W>,
        foe: Bits<W>,
        to: Bits<W>,
    ) -> (Bits<W>, Bits<W>) {
        let from = moved(to, family.back) & family.starts;
        let (mut own, mut foe) = (own & !from | to, foe & !to);
        if !self.plain {
            own |= moved(to, family.beside.0) & family.beside.1 & !foe;
            foe &= !(moved(to, family.taken.0) & family.taken.1);
            if let Some(caught) = &self.caught {
                let turned = caught.sites(to.lowest(), foe, own);
                own |= turned;
                foe &= !turned;
            }
        }
        (own, foe)
    }

    /// Whether a move may end the game.
    #[inline(always)]
    fn may_end(&self, to: Bits<W>, views: Views<W>) -> bool {
        let mut ends = !(to & self.goal).is_empty();
        let mut at = 0;
        while at < self.vacant.len() {
            ends |= views[self.vacant[at] as usize % views.len()].is_empty();
            at += 1;
        }
        ends
    }
}

impl<const W: usize> Family<W> {
    /// Where its moves end.
    #[inline(always)]
    fn ends<const T: usize>(&self, views: &Views<W>) -> Bits<W> {
        let mut ends = self.ends;
        let mut at = 0;
        while at < T {
            let term = self.terms[at % MAX_TERMS];
            ends &= moved(views[term.view as usize % views.len()], term.by);
            at += 1;
        }
        ends
    }

    /// The move that ends on a site.
    #[inline(always)]
    pub(super) fn step(&self, to: Bits<W>) -> Step {
        let to = to.lowest() as i32;
        let from = to - self.from.unwrap_or(0);
        let between = self.between.map_or(NOWHERE, |by| to - by);
        Step { deed: self.deed, from, to, between }
    }
}
