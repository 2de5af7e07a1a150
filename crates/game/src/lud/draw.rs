//! A random legal move without the list of all: placements are counted and picked, and conditions
//! on the position after a move are tried only for the move that was drawn.
//!
//! Every candidate is as likely as every other, and a candidate that turns out illegal is put aside
//! and another drawn; so every legal move is as likely as every other, as if all had been listed.

use super::action::NONE;
use super::ctx::Ctx;
use super::ir::{Add, Bool, Moves, MovesKind};
use super::moves::Mv;
use super::rules::forced_pass;
use super::sites::SiteSet;
use crate::Rng;

/// What must hold and what follows, for all moves of a part of the rules.
#[derive(Clone, Default)]
struct Terms<'g> {
    /// Conditions on the position after the move, the innermost first, each with the number of
    /// consequences from the outside that come only later.
    after: Vec<(&'g Bool, usize)>,
    /// Consequences from the inside to the outside.
    then: Vec<u32>,
}

/// Pieces that may be placed on any of these sites, if the condition of the rule holds there.
struct Placing<'g> {
    add: &'g Add,
    what: i32,
    count: i32,
    sites: SiteSet,
    terms: Terms<'g>,
}

/// Moves among which all legal ones are.
#[derive(Default)]
struct Candidates<'g> {
    placings: Vec<Placing<'g>>,
    /// Moves with the number of their terms.
    listed: Vec<(Mv, usize)>,
    terms: Vec<Terms<'g>>,
}

impl<'g> Ctx<'g> {
    /// A legal move drawn from all with equal chances; the forced pass where there is none.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> Mv {
        let g = self.g;
        let mover = self.s.mover;
        let phase = &g.phases[self.s.phases[mover as usize] as usize];
        let mut all = Candidates::default();
        self.gather(&phase.play, &Terms::default(), &mut all);
        if g.meta.swap && self.s.moves - self.s.initial_moves == g.players - 1 {
            let last = self.s.movers.iter().rev().find(|&&m| i32::from(m) != mover).copied();
            if let Some(last) = last {
                let swap = self.swap_players(mover, i32::from(last));
                all.listed.push((swap, usize::MAX));
            }
        }
        while let Some(candidate) = all.draw(rng) {
            if let Some(mv) = self.admitted(candidate, &all) {
                return mv;
            }
        }
        forced_pass(mover)
    }

    /// Adds the candidates of a generator. Whatever is neither a placement nor a combination of
    /// simpler generators is listed as usual.
    fn gather(&mut self, moves: &'g Moves, outer: &Terms<'g>, all: &mut Candidates<'g>) {
        let mut terms = outer.clone();
        terms.then.splice(0..0, moves.then);
        match &moves.kind {
            MovesKind::All(parts) => {
                for part in parts {
                    self.gather(part, &terms, all);
                }
            }
            MovesKind::If(cond, yes, no) => {
                if self.bool(cond) {
                    self.gather(yes, &terms, all);
                } else if let Some(no) = no {
                    self.gather(no, &terms, all);
                }
            }
            MovesKind::Do(wanted) if wanted.next.is_none() => {
                if let Some(cond) = &wanted.if_afterwards {
                    terms.after.insert(0, (cond, terms.then.len()));
                }
                self.gather(&wanted.prior, &terms, all);
            }
            MovesKind::Add(add) if is_plain(add) => self.gather_sites(add, terms, all),
            _ => {
                // The list already holds what follows these moves themselves.
                terms.then = outer.then.clone();
                let number = all.terms.len();
                let list = self.moves(moves);
                all.listed.extend(list.into_iter().map(|mv| (mv, number)));
                all.terms.push(terms);
            }
        }
    }

    fn gather_sites(&mut self, add: &'g Add, terms: Terms<'g>, all: &mut Candidates<'g>) {
        let count = self.int(&add.count);
        let what = self.int(&add.what[0]);
        if let Some(region) = &add.region
            && count >= 1
            && what != NONE
        {
            let sites = self.region(region);
            all.placings.push(Placing { add, what, count, sites, terms });
        }
    }

    /// The move of a candidate, if it is legal.
    fn admitted(&mut self, candidate: Candidate, all: &Candidates<'g>) -> Option<Mv> {
        let none = Terms::default();
        let (mut mv, terms) = match candidate {
            Candidate::Listed(mv, number) => (mv, all.terms.get(number).unwrap_or(&none)),
            Candidate::Place(number, site) => {
                let placing = &all.placings[number];
                (self.placed(placing, site)?, &placing.terms)
            }
        };
        let own = mv.then.len();
        for (cond, later) in &terms.after {
            mv.then.truncate(own);
            mv.then.extend(&terms.then[..terms.then.len() - later]);
            if !self.is_certain(cond) && !self.holds_after(&mv, cond) {
                return None;
            }
        }
        mv.then.truncate(own);
        mv.then.extend(&terms.then);
        let meta = self.g.meta.no_repeat.is_some() || self.g.meta.no_suicide;
        (!meta || self.passes_meta(&mv)).then_some(mv)
    }

    /// The move that places a piece on a site, if the rule allows it there.
    fn placed(&mut self, placing: &Placing<'g>, site: i32) -> Option<Mv> {
        let saved = (self.v.from, self.v.to);
        self.v.to = site;
        let fits = placing.add.cond.as_ref().is_none_or(|cond| self.bool(cond));
        let mv = fits.then(|| self.add_at(placing.add, placing.what, site, placing.count, saved));
        (self.v.from, self.v.to) = saved;
        mv
    }
}

/// Whether a placement gives one plain move for each site.
fn is_plain(add: &Add) -> bool {
    add.site.is_none() && add.effect.is_none() && add.what.len() == 1
}

/// A candidate that was drawn and is a candidate no more.
enum Candidate {
    /// A move and the number of its terms.
    Listed(Mv, usize),
    /// The number of a placing and a site.
    Place(usize, i32),
}

impl Candidates<'_> {
    fn draw(&mut self, rng: &mut Rng) -> Option<Candidate> {
        let listed = self.listed.len();
        let placed: usize = self.placings.iter().map(|p| p.sites.len()).sum();
        if listed + placed == 0 {
            return None;
        }
        let mut nth = rng.below((listed + placed) as u32) as usize;
        if nth < listed {
            let (mv, number) = self.listed.swap_remove(nth);
            return Some(Candidate::Listed(mv, number));
        }
        nth -= listed;
        for (number, placing) in self.placings.iter_mut().enumerate() {
            let here = placing.sites.len();
            if nth < here {
                let site = placing.sites.nth(nth as u32)?;
                placing.sites.remove(site);
                return Some(Candidate::Place(number, site));
            }
            nth -= here;
        }
        None
    }
}
