//! Moves that only select sites, messages between players, and effects that look where a selection leads.

use super::Builder;
use super::families::{LeafParts, Terms};
use super::generators::Path;
use super::sets::{mentions, region_mentions};
use crate::Built;
use crate::code::{Act, Cond, Effect, Node, Num, Ray, Run, Set, Shape, Var};
use ludex_lud::ir::{
    Around, Cmp, Directional, Directions, Do, Int, Origin, Region, Select, SelectTo,
};
use ludex_lud::sites::SiteSet;
use ludex_lud::topo::{Dir, SiteType};

/// As many sites as a table of all pairs may have.
const MAX_PAIRED: i32 = 128;

impl Builder<'_> {
    pub(super) fn select(&mut self, select: &Select, terms: &Terms) -> Built<Node> {
        let decided = select.decision || self.asking;
        if !decided || select.level.is_some() || select.mover.is_some() {
            return self.refuse("selections of their own kind");
        }
        self.same_kind(select.kind)?;
        let here = matches!(&select.from, Region::One(site) if matches!(**site, Int::From));
        let origin = match (self.origin.clone(), here) {
            (Some(origin), true) => origin,
            (None, false) => self.region(&select.from)?,
            _ => return self.refuse("selections elsewhere for each piece"),
        };
        if mentions(&select.cond, Var::To) {
            return self.refuse("selections that call their start by another name");
        }
        // Hands have cells only.
        let on_board = select.kind != SiteType::Cell;
        let origin = if on_board { self.on_board(origin) } else { origin };
        let from = Origin {
            kind: None,
            site: Int::From,
            region: None,
            level: None,
            cond: Some(select.cond.clone()),
        };
        let mut leaf_parts = LeafParts::default();
        match &select.to {
            None => {
                let sites = self.starting(&from, origin)?;
                let deed = self.deed(Act::Select, None, None, terms)?;
                leaf_parts.add(Shape::Spot, sites.clone(), sites, deed)?;
            }
            Some(to) => {
                let pairs = self.selected_pairs(&select.from, to)?;
                let path = Path { from: &from, cond: &to.cond, effect: None, act: Act::Select };
                self.path(&mut leaf_parts, &path, origin, &pairs, terms)?;
            }
        }
        Ok(self.leaf(leaf_parts))
    }

    /// Which sites may be selected together.
    fn selected_pairs(&mut self, from: &Region, to: &SelectTo) -> Built<Vec<(i32, i32)>> {
        self.same_kind(to.kind)?;
        let region = from_start(from, &to.region);
        if to.level.is_some() || region_mentions(&region, Var::To) {
            return self.refuse("selections of their own kind");
        }
        let board = self.code.board as i32;
        let on_board = |site: i32| to.kind == SiteType::Cell || site < board;
        match self.fixed_rows(&region, Var::From) {
            Some(rows) => {
                Ok(pairs_of(&rows).into_iter().filter(|&(_, end)| on_board(end)).collect())
            }
            None => self.refuse("selections of sites that change"),
        }
    }

    /// Moves that say something.
    pub(super) fn messages(&mut self, vote: bool, texts: &[u16], terms: &Terms) -> Built<Node> {
        let mut leaf_parts = LeafParts::default();
        for &text in texts {
            let text = self.message(text)?;
            let act = if vote { Act::Vote(text) } else { Act::Propose(text) };
            let deed = self.deed(act, None, None, terms)?;
            let none = self.nowhere();
            leaf_parts.add(Shape::Pass, none.clone(), none, deed)?;
        }
        Ok(self.leaf(leaf_parts))
    }

    /// The number of a message.
    pub(super) fn message(&self, text: u16) -> Built<u8> {
        match text {
            _ if self.game.players > 2 => self.refuse("messages among several players"),
            text @ 0..8 => Ok(text as u8),
            _ => self.refuse("many different messages"),
        }
    }

    /// Numbers that are set first, and what then follows from them.
    pub(super) fn done_first(&mut self, wanted: &Do) -> Built<Effect> {
        let (Some(next), None) = (&wanted.next, &wanted.if_afterwards) else {
            return self.refuse("effects that must be tried");
        };
        let first = self.effect(&wanted.prior)?;
        let asked = self.asked;
        let second = self.effect(next)?;
        if self.asked != asked {
            return self.refuse("questions about earlier positions after an effect");
        }
        let is_number = |effect: &Effect| {
            use Effect::{SetCounter, SetNote, SetPending, SetScore};
            matches!(effect, SetNote(..) | SetScore(..) | SetCounter(_) | SetPending(_))
        };
        let numbers = match &first {
            Effect::All(all) | Effect::InTurn(all) => all.iter().all(is_number),
            one => is_number(one),
        };
        // With every change that follows, the numbers are set once more.
        match numbers && !second.any(&is_number) {
            true => Ok(match self.turning(&first, &second) {
                Some(turn) => Effect::Turn(turn),
                None => Effect::Do(Box::new(first), Box::new(second)),
            }),
            false => self.refuse("effects after other effects"),
        }
    }

    /// Numbers that note what stands on sites, and effects that take it all away and then put it on others of
    /// these sites: for each its number, where it is from and where it goes.
    fn turning(&self, first: &Effect, second: &Effect) -> Option<Vec<(u8, u16, u16)>> {
        let (Effect::InTurn(first), Effect::All(second)) = (first, second) else {
            return None;
        };
        let mut turn = Vec::new();
        for noted in first {
            let Effect::SetNote(note, Num::What(site)) = noted else {
                return None;
            };
            let Num::Const(from) = **site else {
                return None;
            };
            turn.push((*note, u16::try_from(from).ok()?, u16::MAX));
        }
        let (taken, put) = second.split_at_checked(turn.len())?;
        let mut gone = Vec::new();
        for effect in taken {
            let (note, Effect::Remove(set)) = if_noted(effect)? else {
                return None;
            };
            let from = self.only_site(set)?;
            turn.iter().any(|part| part.0 == note && part.1 == from).then(|| gone.push(from))?;
        }
        for effect in put {
            let (note, Effect::Add(Num::Note(what), Num::Const(to))) = if_noted(effect)? else {
                return None;
            };
            let part = turn.iter_mut().find(|part| part.0 == note && *what == note)?;
            part.2 = u16::try_from(*to).ok().filter(|_| part.2 == u16::MAX)?;
        }
        let sorted = |sites: &mut dyn Iterator<Item = u16>| {
            let mut sites: Vec<u16> = sites.collect();
            sites.sort_unstable();
            sites
        };
        let from = sorted(&mut turn.iter().map(|part| part.1));
        let to = sorted(&mut turn.iter().map(|part| part.2));
        let apart = from.windows(2).all(|w| w[0] != w[1]) && put.len() == turn.len();
        let whole = from == to && sorted(&mut gone.into_iter()) == from;
        (apart && whole && self.game.containers.len() == 1).then_some(turn)
    }

    fn only_site(&self, set: &Set) -> Option<u16> {
        let Set::Const(number) = set else {
            return None;
        };
        let mut sites = self.code.consts[*number].iter();
        let site = sites.next().filter(|_| sites.next().is_none())?;
        u16::try_from(site).ok()
    }

    /// What stands in a row from a site in the direction from one site to another.
    pub(super) fn directional(&mut self, wanted: &Directional) -> Built<Effect> {
        self.same_kind(wanted.kind)?;
        if mentions(&wanted.target, Var::From) || mentions(&wanted.target, Var::Between) {
            return self.refuse("captures in a row that look at other sites");
        }
        let from = self.num(&wanted.from)?;
        let target = self.sites_where(&wanted.target, Var::To)?;
        let saved = std::mem::replace(&mut self.bound, super::Bound::default().with(Var::To));
        let effect = self.effect(&wanted.effect);
        self.bound = saved;
        let (way, rays) = match &wanted.dirs {
            Directions::Absolute(dirs) => (Num::Const(0), vec![self.rays_in(dirs)]),
            Directions::FromTo(kind, a, b) => self.ways_between(*kind, a, b)?,
            _ => return self.refuse("captures in directions that change"),
        };
        Ok(Effect::Run(Box::new(Run { from, way, rays, target, effect: effect? })))
    }

    /// Which of several tables of rays leads from one site to another.
    fn ways_between(&mut self, kind: SiteType, a: &Int, b: &Int) -> Built<(Num, Vec<usize>)> {
        self.same_kind(kind)?;
        let sites = self.code.board as i32;
        if sites > MAX_PAIRED {
            return self.refuse("directions of the last move on a large board");
        }
        let mut lists: Vec<Vec<Dir>> = Vec::new();
        let mut numbers = Vec::new();
        for pair in 0..sites * sites {
            let dirs = self.ctx.dirs_between(kind, pair / sites, pair % sites, false);
            let known = lists.iter().position(|list| **list == *dirs);
            numbers.push(known.unwrap_or_else(|| {
                lists.push(dirs.to_vec());
                lists.len() - 1
            }) as i32);
        }
        let rays = lists.iter().map(|dirs| self.rays_in(dirs)).collect();
        let table = self.numbers(numbers);
        let (a, b) = (Box::new(self.num(a)?), Box::new(self.num(b)?));
        Ok((Num::Pair(table, sites, a, b), rays))
    }

    /// Rays of every site in several directions.
    fn rays_in(&mut self, dirs: &[Dir]) -> usize {
        let plane = self.game.topo.plane(self.game.topo.default);
        let ray = |radial: &ludex_lud::topo::Radial| Ray {
            sites: radial.sites[1..].iter().map(|&site| site as u16).collect(),
            near: 0,
        };
        let of = |site: i32| {
            dirs.iter().flat_map(|&dir| plane.radials(site, dir)).map(ray).collect::<Vec<_>>()
        };
        let table = (0..plane.count as i32).map(of).collect();
        self.ray_table(table)
    }
}

/// What follows where a number that is kept is not zero, and nothing else.
fn if_noted(effect: &Effect) -> Option<(u8, &Effect)> {
    let Effect::If(Cond::Compare(Cmp::Ne, a, b), yes, no) = effect else {
        return None;
    };
    match (a, b, &**no) {
        (Num::Const(0), Num::Note(note), Effect::Nothing)
        | (Num::Note(note), Num::Const(0), Effect::Nothing) => Some((*note, yes)),
        _ => None,
    }
}

/// The pairs of sites that rows of a table stand for.
pub(super) fn pairs_of(rows: &[SiteSet]) -> Vec<(i32, i32)> {
    let of =
        |(from, row): (usize, &SiteSet)| row.iter().map(|to| (from as i32, to)).collect::<Vec<_>>();
    rows.iter().enumerate().flat_map(of).collect()
}

/// A region around the one site where moves start, seen from any start.
fn from_start(from: &Region, region: &Region) -> Region {
    if let (Region::One(start), Region::Around(around)) = (from, region)
        && let Region::One(at) = &around.at
        && start == at
    {
        let at = Region::One(Box::new(Int::From));
        return Region::Around(Box::new(Around { at, ..(**around).clone() }));
    }
    region.clone()
}
