//! A random legal move without the list of all: placements are counted and picked, and conditions
//! on the position after a move are tried only for the move that was drawn.
//!
//! Every candidate is as likely as every other, and a candidate that turns out illegal is put aside
//! and another drawn; so every legal move is as likely as every other, as if all had been listed.

mod plan;

pub(super) use plan::Plan;

use plan::Most;

use super::action::NONE;
use super::ctx::Ctx;
use super::game::Compiled;
use super::ir::{Add, Bool, ForEachPiece, Moves, MovesKind, Region};
use super::moves::Mv;
use super::owned::Held;
use super::rules::forced_pass;
use super::sites::SiteSet;
use super::topo::SiteType;
use ludex_game::{PlayoutKind, Rng};
use smallvec::SmallVec;

/// What must hold and what follows, for all moves of a part of the rules.
#[derive(Clone, Default)]
struct Terms<'g> {
    /// Conditions on the position after the move, the innermost first, each with the number of
    /// consequences from the outside that come only later.
    after: SmallVec<[(&'g Bool, usize); 2]>,
    /// Consequences from the inside to the outside.
    then: SmallVec<[u32; 4]>,
}

/// Pieces that may be placed on any of these sites, if the condition of the rule holds there.
struct Placing<'g> {
    add: &'g Add,
    what: i32,
    count: i32,
    sites: SiteSet,
    terms: Terms<'g>,
}

/// Pieces that may move, each in at most so many ways.
struct Moving<'g> {
    each: &'g ForEachPiece,
    player: i32,
    pieces: SmallVec<[Held; 24]>,
    /// How many moves the pieces up to each can have; those they have not are rejected.
    slots: SmallVec<[u32; 24]>,
    /// Number of its terms.
    terms: usize,
}

impl Moving<'_> {
    /// How many moves all of them can have.
    fn slots(&self) -> usize {
        self.slots.last().map_or(0, |&slots| slots as usize)
    }

    /// The piece of a slot, and the number of its move.
    fn at(&self, slot: usize) -> (usize, usize) {
        let piece = self.slots.partition_point(|&end| end as usize <= slot);
        (piece, slot - self.before(piece))
    }

    /// How many moves the pieces before one of them can have.
    fn before(&self, piece: usize) -> usize {
        piece.checked_sub(1).map_or(0, |before| self.slots[before] as usize)
    }
}

/// So many steps is a part of the rules worth that is set up for drawing.
const GATHERED: u64 = 12;

/// After so many rejections in a row all moves of pieces are listed: there may be none.
const PATIENCE: usize = 24;

/// So many times one move of each part of the rules is drawn, before all are listed.
const TRIES: usize = 3;

/// Moves among which all legal ones are.
#[derive(Default)]
struct Candidates<'g> {
    placings: SmallVec<[Placing<'g>; 2]>,
    movings: SmallVec<[Moving<'g>; 2]>,
    rejected: usize,
    /// Whether of each part one move is drawn rather than all listed.
    one_each: bool,
    /// Moves drawn from so many, with the number of their terms.
    drawn: SmallVec<[(Mv, u32, usize); 2]>,
    /// Moves with the number of their terms.
    listed: Vec<(Mv, usize)>,
    terms: SmallVec<[Terms<'g>; 2]>,
}

impl<'g> Ctx<'g> {
    /// A legal move drawn from all with equal chances; the forced pass where there is none.
    pub(super) fn draw(&mut self, plan: &Plan) -> Mv {
        if plan.lists || self.g.meta.gravity || self.g.meta.automove {
            return self.draw_listed();
        }
        let phase = self.s.phases[self.s.mover as usize] as usize;
        let most = &plan.most;
        if !plan.gathers[phase] {
            for _ in 0..TRIES {
                if let Some(mv) = self.draw_plainly(phase) {
                    return mv;
                }
            }
        }
        // A draw that turns out illegal says nothing about the next one.
        for _ in 0..TRIES {
            if let Ok(mv) = self.draw_once(true, most) {
                return mv;
            }
        }
        self.draw_once(false, most).unwrap_or_else(|_| forced_pass(self.s.mover))
    }

    /// One of all legal moves, which are listed.
    pub(super) fn draw_listed(&mut self) -> Mv {
        let mut list = self.legal_moves();
        let at = self.pick.rng.below(list.len() as u32);
        list.swap_remove(at as usize)
    }

    /// One try for rules whose moves are only found by looking at them all; nothing if the draw is illegal.
    fn draw_plainly(&mut self, phase: usize) -> Option<Mv> {
        let g = self.g;
        let (one, count) = self.one_of(|c| c.listed(&g.phases[phase].play));
        let mv = match (one, self.swap_offer()) {
            (None, None) => return Some(forced_pass(self.s.mover)),
            (Some(mv), None) | (None, Some(mv)) => mv,
            (Some(_), Some(swap)) if self.pick.rng.below(count + 1) == 0 => swap,
            (Some(mv), Some(_)) => mv,
        };
        self.allows(&mv).then_some(mv)
    }

    /// One try: an error if an illegal move was drawn where the others are not known.
    fn draw_once(&mut self, one_each: bool, most: &Most) -> Result<Mv, Illegal> {
        let g = self.g;
        let mover = self.s.mover;
        let phase = &g.phases[self.s.phases[mover as usize] as usize];
        let mut all = Candidates { one_each, ..Candidates::default() };
        self.gather(&phase.play, &Terms::default(), most, &mut all);
        all.listed.extend(self.swap_offer().map(|swap| (swap, usize::MAX)));
        while let Some(candidate) = all.draw(&mut self.pick.rng) {
            let certain = !matches!(candidate, Candidate::Drawn(..));
            if let Some(mv) = self.admitted(candidate, &all) {
                return Ok(mv);
            }
            if !certain {
                return Err(Illegal);
            }
            all.rejected += 1;
            if all.rejected > PATIENCE {
                self.list_movings(&mut all);
            }
        }
        Ok(forced_pass(mover))
    }

    /// Adds the candidates of a generator. Whatever is neither a placement nor a combination of
    /// simpler generators is listed as usual.
    fn gather(
        &mut self,
        moves: &'g Moves,
        outer: &Terms<'g>,
        most: &Most,
        all: &mut Candidates<'g>,
    ) {
        self.work += GATHERED;
        let mut terms = outer.clone();
        terms.then.insert_many(0, moves.then);
        match &moves.kind {
            MovesKind::All(parts) => {
                for part in parts {
                    self.gather(part, &terms, most, all);
                }
            }
            MovesKind::If(cond, yes, no) => {
                if self.bool(cond) {
                    self.gather(yes, &terms, most, all);
                } else if let Some(no) = no {
                    self.gather(no, &terms, most, all);
                }
            }
            // Rules about rules judge moves only after the first part that has some was chosen.
            MovesKind::Priority(parts) if !self.judges() => {
                if let Some((last, before)) = parts.split_last() {
                    let first = before.iter().find(|part| self.asked(|c| c.any_move(part, None)));
                    self.gather(first.unwrap_or(last), &terms, most, all);
                }
            }
            MovesKind::Do(wanted) if wanted.next.is_none() => {
                if let Some(cond) = &wanted.if_afterwards {
                    terms.after.insert(0, (cond, terms.then.len()));
                }
                self.gather(&wanted.prior, &terms, most, all);
            }
            MovesKind::Add(add) if is_plain(self.g, add) => self.gather_sites(add, terms, all),
            MovesKind::ForEachPiece(each) if each.moves.is_none() => {
                self.gather_pieces(each, terms, most, all);
            }
            _ => {
                // The list already holds what follows these moves themselves.
                terms.then = outer.then.clone();
                let number = all.terms.len();
                all.terms.push(terms);
                self.gather_list(number, all, |c| c.listed(moves));
            }
        }
    }

    /// Whether rules about rules judge what follows a move.
    fn judges(&self) -> bool {
        self.g.meta.no_repeat.is_some() || self.g.meta.no_suicide
    }

    fn gather_sites(&mut self, add: &'g Add, terms: Terms<'g>, all: &mut Candidates<'g>) {
        let count = self.added_at_once(add);
        let what = self.int(&add.what[0]);
        if let Some(region) = &add.region
            && count >= 1
            && what != NONE
        {
            let there = self.s.layer(add.kind).len().max(self.s.layer(SiteType::Cell).len());
            let sites = self.region(region).below(there);
            all.placings.push(Placing { add, what, count, sites, terms });
        }
    }

    fn gather_pieces(
        &mut self,
        each: &'g ForEachPiece,
        terms: Terms<'g>,
        most: &Most,
        all: &mut Candidates<'g>,
    ) {
        let (player, pieces) = self.pieces_meant(each);
        let terms_of = all.terms.len();
        all.terms.push(terms);
        let moving =
            |pieces| Moving { each, player, pieces, slots: SmallVec::new(), terms: terms_of };
        let (mut few, mut many) = (moving(SmallVec::new()), moving(SmallVec::new()));
        let mut slots = 0;
        for held in pieces {
            match most.of(held) {
                Some(most) => {
                    slots += u32::from(most);
                    few.pieces.push(held);
                    few.slots.push(slots);
                }
                None => many.pieces.push(held),
            }
        }
        all.movings.push(few);
        if !many.pieces.is_empty() {
            self.list_moving(many, all);
        }
    }

    /// Adds the moves of a list-maker, or one of them.
    fn gather_list(
        &mut self,
        terms: usize,
        all: &mut Candidates<'g>,
        list: impl FnOnce(&mut Self) -> Vec<Mv>,
    ) {
        if all.one_each {
            let (one, count) = self.one_of(list);
            all.drawn.extend(one.map(|mv| (mv, count, terms)));
        } else {
            let list = self.with_all(list);
            all.listed.extend(list.into_iter().map(|mv| (mv, terms)));
        }
    }

    /// Lists the moves of all pieces that are left.
    fn list_movings(&mut self, all: &mut Candidates<'g>) {
        for moving in std::mem::take(&mut all.movings) {
            self.list_moving(moving, all);
        }
    }

    fn list_moving(&mut self, moving: Moving<'g>, all: &mut Candidates<'g>) {
        self.gather_list(moving.terms, all, |c| {
            let mut list = Vec::new();
            for &held in &moving.pieces {
                list.extend(c.moves_of_piece(&moving, held));
            }
            list
        });
    }

    fn moves_of_piece(&mut self, moving: &Moving<'g>, held: Held) -> Vec<Mv> {
        let mut list = self.piece_moves(moving.each, moving.player, held);
        let mover = self.s.mover;
        list.iter_mut().for_each(|mv| mv.mover = mover);
        list
    }

    /// The move of a candidate, if it is legal.
    fn admitted(&mut self, candidate: Candidate, all: &Candidates<'g>) -> Option<Mv> {
        let none = Terms::default();
        let (mut mv, terms) = match candidate {
            Candidate::Listed(mv, number) | Candidate::Drawn(mv, number) => {
                (mv, all.terms.get(number).unwrap_or(&none))
            }
            Candidate::Piece(number, piece, nth) => {
                let moving = &all.movings[number];
                let held = moving.pieces[piece];
                let (mv, found) = self.nth_of(nth as u32, |c| c.moves_of_piece(moving, held));
                let most = moving.slots[piece] as usize - moving.before(piece);
                debug_assert!(found as usize <= most, "a piece has more moves than it can");
                (mv?, &all.terms[moving.terms])
            }
            Candidate::Place(number, site) => {
                let placing = &all.placings[number];
                (self.placed(placing, site)?, &placing.terms)
            }
        };
        let own = mv.then.len();
        for (cond, later) in &terms.after {
            mv.then.truncate(own);
            mv.then.extend_from_slice(&terms.then[..terms.then.len() - later]);
            if !self.is_certain(cond) && !self.holds_after(&mv, cond) {
                return None;
            }
        }
        mv.then.truncate(own);
        mv.then.extend_from_slice(&terms.then);
        self.allows(&mv).then_some(mv)
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

/// How playouts draw their moves, in one word, and why.
pub(super) fn playout_kind(game: &Compiled) -> (PlayoutKind, &'static str) {
    let mut shape = Shape::default();
    game.phases.iter().for_each(|phase| shape.look_at(game, &phase.play));
    if game.is_match() {
        (PlayoutKind::Listing, "the games of the match list their moves one after the other")
    } else if game.mode != super::game::Mode::Alternating {
        (PlayoutKind::Listing, "players do not move in turn, so all moves are listed")
    } else if game.random || game.rolls_later {
        (PlayoutKind::Listing, "chance may decide which moves there are, so all of them are listed")
    } else if game.chance {
        (
            PlayoutKind::Listing,
            "dice are thrown when moves are looked for; of those found one is kept at random",
        )
    } else if game.meta.no_repeat.is_some() {
        (
            PlayoutKind::NoRepetition,
            "whether a position comes back is asked only for the move drawn",
        )
    } else if game.meta.gravity || game.meta.automove {
        (
            PlayoutKind::Listing,
            "what follows by itself belongs to every move, so all of them are listed",
        )
    } else if shape.conditions {
        (
            PlayoutKind::Filter,
            "conditions on the position after a move are tried only for the move drawn",
        )
    } else if shape.other {
        (PlayoutKind::Listing, "every legal move is found and one is kept at random")
    } else if shape.narrow {
        (
            PlayoutKind::CountAndPick,
            "sites are counted and one is picked; its condition is tried only then",
        )
    } else {
        (PlayoutKind::AddToEmpty, "pieces are placed on any empty site: one is picked")
    }
}

/// What the generators of a game are made of.
#[derive(Default)]
struct Shape {
    /// Conditions on the position after a move.
    conditions: bool,
    /// Placements with conditions or on other sites than all empty ones.
    narrow: bool,
    /// Moves that must be listed.
    other: bool,
}

impl Shape {
    fn look_at(&mut self, game: &Compiled, moves: &Moves) {
        match &moves.kind {
            MovesKind::All(parts) => parts.iter().for_each(|part| self.look_at(game, part)),
            MovesKind::If(_, yes, no) => {
                self.look_at(game, yes);
                no.iter().for_each(|no| self.look_at(game, no));
            }
            MovesKind::Do(wanted) if wanted.next.is_none() => {
                self.conditions |= wanted.if_afterwards.is_some();
                self.look_at(game, &wanted.prior);
            }
            MovesKind::Add(add) if is_plain(game, add) => {
                let everywhere = matches!(add.region, Some(Region::Empty(_)));
                self.narrow |= add.cond.is_some() || !everywhere;
            }
            MovesKind::Pass { .. } => {}
            _ => self.other = true,
        }
    }
}

/// Whether a placement gives one plain move for each site.
fn is_plain(game: &Compiled, add: &Add) -> bool {
    !game.large_pieces && add.site.is_none() && add.effect.is_none() && add.what.len() == 1
}

/// A move was drawn that is illegal, and the others are not known.
#[derive(Debug)]
struct Illegal;

/// A candidate that was drawn and is a candidate no more.
enum Candidate {
    /// A move drawn from others that are not known, and the number of its terms.
    Drawn(Mv, usize),
    /// A move and the number of its terms.
    Listed(Mv, usize),
    /// The number of a placing and a site.
    Place(usize, i32),
    /// The number of a moving, of one of its pieces, and of one of its moves.
    Piece(usize, usize, usize),
}

impl Candidates<'_> {
    fn draw(&mut self, rng: &mut Rng) -> Option<Candidate> {
        let listed = self.listed.len();
        let placed: usize = self.placings.iter().map(|p| p.sites.len()).sum();
        let moved: usize = self.movings.iter().map(Moving::slots).sum();
        let drawn: usize = self.drawn.iter().map(|&(_, count, _)| count as usize).sum();
        if listed + placed + moved + drawn == 0 {
            return None;
        }
        let mut nth = rng.below((listed + placed + moved + drawn) as u32) as usize;
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
        for (number, moving) in self.movings.iter().enumerate() {
            let here = moving.slots();
            if nth < here {
                let (piece, nth) = moving.at(nth);
                return Some(Candidate::Piece(number, piece, nth));
            }
            nth -= here;
        }
        let at = self.drawn.iter().position(|&(_, count, _)| {
            let here = nth < count as usize;
            nth = nth.wrapping_sub(count as usize);
            here
        });
        let (mv, _, number) = self.drawn.swap_remove(at?);
        Some(Candidate::Drawn(mv, number))
    }
}
