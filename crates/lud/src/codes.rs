//! Codes of moves for learned policies: the same for every form a game can be played in.
//!
//! A move is coded by where it ends and how far that is from where it starts, so that all steps of one
//! direction are neighbours in one set of codes; a stone that is placed is coded by its site. Nothing of
//! this depends on the machine that plays: a policy learned with a kernel is good without one.

use crate::action::NONE;
use crate::game::Compiled;
use crate::ir::{Moves, MovesKind};
use crate::moves::Mv;
use crate::topo::SiteType;
use ludex_game::{Coding, Ends, MoveKind, SiteId};

/// How the moves of a game are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// Codes of one distance; whole words.
    stride: u32,
    sites: i32,
    /// How many distances there are, up and down; none where moves only name a site.
    distances: u32,
}

/// Moves that name no site, after those that start where they end.
const SPECIAL: u32 = 1;
/// Then come distances.
const FIRST_DISTANCE: u32 = 2;

/// Codes are folded below this.
const MAX_CODES: u32 = 1 << 20;

/// A remainder; numbers are nearly always small enough already, and division is slow.
#[inline(always)]
fn folded(number: u32, below: u32) -> u32 {
    if number < below { number } else { number % below }
}

impl Codes {
    /// The codes of a game.
    pub fn of(game: &Compiled) -> Self {
        let sites = sites_of(game);
        let stride = (sites as u32).next_multiple_of(64).max(64);
        let all = if travels(game) { 2 * sites as u32 } else { 0 };
        let most = (MAX_CODES / stride).saturating_sub(FIRST_DISTANCE).max(1);
        Codes { stride, sites: sites as i32, distances: all.min(most) }
    }

    /// How many codes there are.
    pub fn count(self) -> u32 {
        (FIRST_DISTANCE + self.distances) * self.stride
    }

    /// The same of plain codes; those with features are made from these and the board.
    pub fn count_of(self, coding: Coding) -> u32 {
        match coding {
            Coding::Plain => self.count(),
            Coding::Features => 0,
        }
    }

    /// The site where a move with this code ends, if it names one.
    #[inline(always)]
    pub fn site(self, code: u32) -> Option<SiteId> {
        let site = code % self.stride;
        (code / self.stride != SPECIAL && site < self.sites as u32).then_some(site)
    }

    /// The code of the first site of the moves that go so far.
    #[inline(always)]
    pub fn first(self, distance: i32) -> u32 {
        if distance == 0 || self.distances == 0 {
            return 0;
        }
        (FIRST_DISTANCE + folded((distance + self.sites) as u32, self.distances)) * self.stride
    }

    /// The code of a move from site to site; one that names a single site starts where it ends.
    #[inline(always)]
    pub fn at(self, from: i32, to: i32) -> u32 {
        match (from, to) {
            (NONE, NONE) => self.special(OTHER),
            (NONE, site) | (site, NONE) => folded(site as u32, self.stride),
            _ => self.first(to - from) + folded(to as u32, self.stride),
        }
    }

    /// The site on which a move with this code ends.
    #[inline(always)]
    pub fn end(self, code: u32) -> usize {
        (if self.stride == 64 { code % 64 } else { code % self.stride }) as usize
    }

    /// How far a move with this code goes, where codes are not folded.
    #[inline(always)]
    pub fn distance(self, code: u32) -> i32 {
        match code / self.stride {
            0 | SPECIAL => 0,
            class => (class - FIRST_DISTANCE) as i32 - self.sites,
        }
    }

    /// The code of a move that names no site.
    #[inline(always)]
    pub fn special(self, number: u32) -> u32 {
        SPECIAL * self.stride + number % self.stride
    }

    /// The code of a move in the general form.
    pub fn of_move(self, mv: &Mv) -> u32 {
        if mv.is_pass() {
            return self.special(PASSES);
        }
        if mv.is_swap() {
            return self.special(SWAPS);
        }
        match mv.message() {
            Some(text) => self.message(text),
            None => self.at(mv.from, mv.to),
        }
    }

    /// Where moves with a code start and end, in a game whose sites have one number each and whose codes are
    /// not folded. The kind tells moves without a place apart and says nothing of the others.
    pub fn ends(self, game: &Compiled, code: u32) -> Option<Ends> {
        let other = |kind: SiteType| kind != game.topo.default && game.used[kind as usize];
        let mixed = SiteType::ALL.into_iter().any(other);
        let folded = self.distances > 0 && self.distances != 2 * self.sites as u32;
        if game.is_match() || mixed || folded || !game.places().numbering(0).is_plain() {
            return None;
        }
        let (class, number) = (code / self.stride, code % self.stride);
        match (class, number) {
            (SPECIAL, PASSES) => Some(Ends::nowhere(MoveKind::Pass)),
            (SPECIAL, SWAPS) => Some(Ends::nowhere(MoveKind::Swap)),
            (SPECIAL, OTHER) => Some(Ends::nowhere(MoveKind::Other)),
            (SPECIAL, _) => Some(Ends::nowhere(MoveKind::Vote)),
            (_, to) => {
                let from = to as i32 - self.distance(code);
                let on_board = |site: i32| (0..self.sites).contains(&site);
                (on_board(to as i32) && on_board(from))
                    .then(|| Ends::between(from as SiteId, to, MoveKind::Other))
            }
        }
    }

    /// The code of a proposal or a vote.
    pub fn message(self, text: u16) -> u32 {
        self.special(FIRST_MESSAGE + u32::from(text))
    }
}

/// The code of a pass. Moves that name no site have the first few codes.
pub const PASSES: u32 = 0;
/// The code of a swap.
pub const SWAPS: u32 = 1;
const OTHER: u32 = 2;
const FIRST_MESSAGE: u32 = 3;

/// So many sites has a game, or the largest of a match.
pub(crate) fn sites_of(game: &Compiled) -> usize {
    let own = game.container_of.len().max(game.board_sites());
    game.subgames.iter().map(|sub| sites_of(&sub.game)).fold(own, usize::max)
}

/// Whether some move may name two different sites.
fn travels(game: &Compiled) -> bool {
    let phases = game.phases.iter().map(|phase| &phase.play);
    let pieces = game.components.iter().filter_map(|piece| piece.moves.as_ref());
    !game.subgames.is_empty()
        || phases.chain(pieces).any(|moves| !stays(moves))
        || game.subgames.iter().any(|sub| travels(&sub.game))
}

/// Whether all of these moves name a single site or none, by kinds that are known to.
fn stays(moves: &Moves) -> bool {
    use MovesKind as K;
    match &moves.kind {
        K::All(all) | K::Seq(all) | K::Priority(all) => all.iter().all(stays),
        K::If(_, yes, no) => stays(yes) && no.as_ref().is_none_or(|no| stays(no)),
        K::Do(both) => stays(&both.prior) && both.next.as_ref().is_none_or(stays),
        K::ForEachSite(_, inner, other) => {
            stays(inner) && other.as_ref().is_none_or(|other| stays(other))
        }
        K::ForEachPlayer(_, inner) | K::ForEachValue(_, inner) | K::ForEachTeam(inner) => {
            stays(inner)
        }
        K::ForEachPiece(each) => each.moves.as_ref().is_none_or(stays),
        K::Add(_) | K::Remove(_) | K::Pass { .. } | K::Message { .. } | K::None => true,
        K::AvoidStored(inner) | K::MaxMoves(inner, _) | K::MaxCaptures(inner, _) => stays(inner),
        _ => false,
    }
}
