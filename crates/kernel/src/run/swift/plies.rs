//! Running swift plies.

use super::{
    ALL, Dash, EMPTY, FEW_FAMILIES, FOE, Family, Lane, MAX_FAMILIES, MAX_TERMS, MOST_CHANGES, OWN,
    Running, Size, Swift, Views,
};
use crate::code::NOWHERE;
use crate::run::Step;
use crate::run::board::Board;
use crate::run::eval::moved;
use ludex_game::Rng;
use ludex_game::bits::{Bits, Select};
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
        self.dash_until::<C, S>(b, rng, limit, |_, _, _, _| false)
    }

    /// The same until a move may decide the game.
    #[inline(always)]
    pub(in super::super) fn dash_to_decision<C: Select, const S: usize>(
        &self,
        b: &mut Board<W, S>,
        rng: &mut Rng,
        limit: u32,
    ) -> Dash {
        self.dash_until::<C, S>(b, rng, limit, |lane, other, own, foe| {
            let goal = self.deciding(lane, other, own, foe);
            goal.is_none_or(|goal| lane.ends_within(goal, own, foe))
        })
    }

    /// The same until something holds of the plies of whoever moves and of the other, and of the pieces of both.
    #[inline(always)]
    fn dash_until<C: Select, const S: usize>(
        &self,
        b: &mut Board<W, S>,
        rng: &mut Rng,
        limit: u32,
        until: impl Fn(&Lane<W>, &Lane<W>, Bits<W>, Bits<W>) -> bool,
    ) -> Dash {
        let mut dash = Dash { plies: 0, next: None };
        let calm = self.calm_plies(b).min(limit);
        if calm == 0 || !self.fits(b) {
            return dash;
        }
        let side = (b.mover as usize - 1) & 1;
        let colours = self.colours_of(b);
        let (mut own, mut foe) = (colours[side], colours[1 - side]);
        let (mut lane, mut other) = (&self.lanes[side], &self.lanes[1 - side]);
        let mut last = None;
        while dash.plies < calm && !until(lane, other, own, foe) {
            let Some((number, to)) = lane.draw::<C>(self, own, foe, rng) else {
                break;
            };
            let family = &lane.families[number];
            let after = lane.after(family, own, foe, to);
            if self.may_end(lane, to, after) {
                dash.next = Some(family.step(to));
                break;
            }
            (foe, own) = after;
            last = Some((family, to));
            (lane, other) = (other, lane);
            dash.plies += 1;
        }
        if let Some((family, to)) = last {
            // After an even number of plies it is the turn of whoever began.
            let turned = (side == 1) != (dash.plies % 2 == 1);
            let colours = if turned { [foe, own] } else { [own, foe] };
            self.write_back(b, colours, dash.plies, family.step(to));
        }
        dash
    }

    /// What a playout by a sampler plays on, where a position is no more than two colours.
    #[inline]
    pub(in super::super) fn enter<const S: usize>(&self, b: &Board<W, S>) -> Option<Running<W>> {
        let calm = self.calm_plies(b);
        if calm == 0 || !self.fits(b) {
            return None;
        }
        let side = (b.mover as usize - 1) & 1;
        let colours = self.colours_of(b);
        let (own, foe) = (colours[side], colours[1 - side]);
        Some(Running { own, foe, side: side as u8, plies: 0, calm, last: None })
    }

    /// Makes a board what it is after the plies that were played; `false` where there were none.
    pub(in super::super) fn leave<const S: usize>(
        &self,
        b: &mut Board<W, S>,
        running: &Running<W>,
    ) -> bool {
        let Some(step) = running.last else { return false };
        let colours = match running.side {
            0 => [running.own, running.foe],
            _ => [running.foe, running.own],
        };
        self.write_back(b, colours, running.plies, step);
        true
    }

    /// Calls `each` with the number of every family of whoever moves, how far its moves go and where they end.
    #[inline(always)]
    pub(in super::super) fn each_family(
        &self,
        running: &Running<W>,
        mut each: impl FnMut(u32, i32, Bits<W>),
    ) {
        let Running { own, foe, .. } = *running;
        let lane = &self.lanes[running.side as usize & 1];
        let flanked = lane.flank.as_ref().map(|flank| flank.sites(&self.views(own, foe)));
        for (number, family) in (0..).zip(&lane.families) {
            let ends = family.ends::<MAX_TERMS>(own, foe);
            let ends = flanked.map_or(ends, |flanked| ends & flanked);
            each(number, family.from.unwrap_or(0), ends);
        }
    }

    /// The move of a family that ends on a site.
    #[inline(always)]
    pub(in super::super) fn step_of(&self, running: &Running<W>, family: u32, to: usize) -> Step {
        let lane = &self.lanes[running.side as usize & 1];
        lane.families[family as usize].step(Bits::one(to))
    }

    /// Plays a move unless it must be played by all rules.
    #[inline(always)]
    pub(in super::super) fn advance(
        &self,
        running: &mut Running<W>,
        family: u32,
        to: usize,
    ) -> bool {
        let lane = &self.lanes[running.side as usize & 1];
        let (family, to) = (&lane.families[family as usize], Bits::one(to));
        let after = lane.after(family, running.own, running.foe, to);
        if running.plies >= running.calm || self.may_end(lane, to, after) {
            return false;
        }
        running.last = Some(family.step(to));
        (running.foe, running.own) = after;
        running.side ^= 1;
        running.plies += 1;
        true
    }

    /// The ends of all moves that may decide the game; nothing where that does not depend on ends alone.
    #[inline(always)]
    pub(in super::super) fn deciding_ends(&self, running: &Running<W>) -> Option<Bits<W>> {
        let side = running.side as usize & 1;
        let (lane, other) = (&self.lanes[side], &self.lanes[1 - side]);
        match running.plies < running.calm {
            true => self.deciding(lane, other, running.own, running.foe),
            false => None,
        }
    }

    #[inline(always)]
    fn deciding(
        &self,
        lane: &Lane<W>,
        other: &Lane<W>,
        own: Bits<W>,
        foe: Bits<W>,
    ) -> Option<Bits<W>> {
        if lane.vacant.is_empty() && !lane.stifles {
            return Some(lane.goal);
        }
        // What stands between may change sides anywhere.
        if lane.caught.is_some() {
            return None;
        }
        let views = self.views(own, foe);
        let many = |&view: &u8| views[view as usize % views.len()].len() > MOST_CHANGES;
        if !lane.vacant.iter().all(many) {
            return None;
        }
        if lane.stifles {
            if other.flank.is_some() {
                return None;
            }
            let moves = |family: &Family<W>| family.ends::<MAX_TERMS>(foe, own).len();
            let moves: u32 = other.families.iter().map(moves).sum();
            if moves <= other.most_lost {
                return None;
            }
        }
        Some(lane.goal)
    }

    /// Whether a move may end the game.
    #[inline(always)]
    fn may_end(&self, lane: &Lane<W>, to: Bits<W>, after: (Bits<W>, Bits<W>)) -> bool {
        let mut ends = !(to & lane.goal).is_empty();
        let mut at = 0;
        while at < lane.vacant.len() {
            let (view, views) = (lane.vacant[at] as usize, self.views(after.0, after.1));
            ends |= views[view % views.len()].is_empty();
            at += 1;
        }
        ends
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
    fn draw<C: Select>(
        &self,
        swift: &Swift<W>,
        own: Bits<W>,
        foe: Bits<W>,
        rng: &mut Rng,
    ) -> Option<(usize, Bits<W>)> {
        match self.size {
            Size::One => self.draw_of_one::<C, 2>(swift, own, foe, rng),
            Size::OneOfThree => self.draw_of_one::<C, MAX_TERMS>(swift, own, foe, rng),
            Size::UpToThree => self.draw_of::<C, 3, 2>(own, foe, rng),
            Size::Four => self.draw_of::<C, FEW_FAMILIES, 2>(own, foe, rng),
            Size::Many => self.draw_of::<C, MAX_FAMILIES, MAX_TERMS>(own, foe, rng),
        }
    }

    #[inline(always)]
    fn draw_of_one<C: Select, const T: usize>(
        &self,
        swift: &Swift<W>,
        own: Bits<W>,
        foe: Bits<W>,
        rng: &mut Rng,
    ) -> Option<(usize, Bits<W>)> {
        let mut ends = self.families[0].ends::<T>(own, foe);
        if let Some(flank) = &self.flank {
            ends &= flank.sites(&swift.views(own, foe));
        }
        let total = ends.count::<C>();
        (total > 0).then(|| (0, ends.nth::<C>(rng.below(total))))
    }

    /// The same of at most so many families of so many terms.
    #[inline(always)]
    fn draw_of<C: Select, const F: usize, const T: usize>(
        &self,
        own: Bits<W>,
        foe: Bits<W>,
        rng: &mut Rng,
    ) -> Option<(usize, Bits<W>)> {
        let count = if F <= FEW_FAMILIES { F } else { self.families.len() };
        let families = &self.families[..count];
        let (mut sets, mut until) = ([Bits::EMPTY; F], [0; F]);
        let (mut total, mut at) = (0, 0);
        while at < count {
            sets[at % F] = families[at].ends::<T>(own, foe);
            total += sets[at % F].count::<C>();
            until[at % F] = total;
            at += 1;
        }
        if total == 0 {
            return None;
        }
        let drawn = rng.below(total);
        let (mut number, mut before, mut at) = (0, 0, 1);
        let mut ends = sets[0];
        // Which family it is cannot be predicted, so nothing here may become a jump.
        while at < count {
            let below = until[(at - 1) % F];
            let past = drawn >= below;
            number = select_unpredictable(past, at, number);
            before = select_unpredictable(past, below, before);
            let mut word = 0;
            while word < W {
                ends.0[word] = select_unpredictable(past, sets[at % F].0[word], ends.0[word]);
                word += 1;
            }
            at += 1;
        }
        Some((number, ends.nth::<C>(drawn - before)))
    }

    /// Whether a move may end on one of these sites.
    #[inline(always)]
    fn ends_within(&self, goal: Bits<W>, own: Bits<W>, foe: Bits<W>) -> bool {
        if (own & self.brink).is_empty() {
            return false;
        }
        self.families.iter().any(|family| !(family.ends::<MAX_TERMS>(own, foe) & goal).is_empty())
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
}

impl<const W: usize> Family<W> {
    /// Where its moves end.
    #[inline(always)]
    fn ends<const T: usize>(&self, own: Bits<W>, foe: Bits<W>) -> Bits<W> {
        let mut ends = self.ends;
        let mut at = 0;
        while at < T {
            let term = &self.terms[at % MAX_TERMS];
            let (mut view, mut word) = (Bits::EMPTY, 0);
            while word < W {
                view.0[word] = own.0[word] & term.own ^ foe.0[word] & term.foe ^ term.rest;
                word += 1;
            }
            ends &= moved(view, term.by);
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
