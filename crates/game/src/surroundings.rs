//! Move features made from geometry: whether somebody else's piece stands where a move ends, and what stands around.
//!
//! This is for games that have a board and no features of their own. The code of a move then is its plain code times
//! the number of features, plus the feature of the site where it ends; since plain codes are the same in every form of a
//! game, so are these. Captures other than by replacement show in the neighbours, and hops in the plain code.

use std::cell::RefCell;

use crate::families::{Families, Place};
use crate::geometry::OFF;
use crate::{Coding, Detail, Geometry, Move, Player, Rules, SetOf, SiteId, View};

/// No more codes than this; where there would be, fewer neighbours count.
const MAX_CODES: u64 = 1 << 22;
/// No more neighbours than this count.
const MAX_NEIGHBOURS: usize = 6;

/// The neighbours of every site that count, and how many features that makes.
#[derive(Debug)]
pub(crate) struct Surroundings {
    neighbours: usize,
    features: u32,
    /// So many for each site, [`OFF`] where there are fewer.
    around: Vec<SiteId>,
}

/// Sites as a player sees them: his own, and those with a piece of somebody else's.
struct Sides<'a> {
    own: &'a [u64],
    empty: &'a [u64],
}

impl Sides<'_> {
    /// Nothing or off the board, own, somebody else's.
    #[inline]
    fn at(&self, site: SiteId) -> u32 {
        let has =
            |set: &[u64]| set.get(site as usize / 64).map_or(0, |word| word >> (site % 64) & 1);
        match site {
            OFF => 0,
            _ => (has(self.own) + 2 * (1 - (has(self.own) | has(self.empty)))) as u32,
        }
    }
}

impl Surroundings {
    /// For a board and the most codes that a player's moves have.
    pub fn new(geometry: &Geometry, codes: u32) -> Self {
        let most = geometry.connectivities().last().copied().unwrap_or(0).min(MAX_NEIGHBOURS);
        let count = |neighbours: usize| 2 * 3u32.pow(neighbours as u32);
        let fits =
            |&neighbours: &usize| u64::from(codes) * u64::from(count(neighbours)) <= MAX_CODES;
        let neighbours = (0..=most).rev().find(fits).unwrap_or(0);
        let mut around = Vec::with_capacity(neighbours * geometry.len());
        for site in 0..geometry.len() as SiteId {
            let sites = geometry.around(site).iter().copied().chain(std::iter::repeat(OFF));
            around.extend(sites.take(neighbours));
        }
        Surroundings { neighbours, features: count(neighbours), around }
    }

    /// How many codes there are, given the plain ones.
    pub fn count(&self, plain: u32) -> u32 {
        plain.saturating_mul(self.features)
    }

    /// The feature of a site.
    #[inline]
    fn feature(&self, sides: &Sides<'_>, site: SiteId) -> u32 {
        let from = self.neighbours * site as usize;
        let around = self.around.get(from..from + self.neighbours).unwrap_or(&[]);
        let pattern = around.iter().fold(0, |pattern, &site| 3 * pattern + sides.at(site));
        2 * pattern + u32::from(sides.at(site) == 2)
    }

    #[inline]
    fn code<R: Rules>(&self, rules: &R, player: Player, plain: u32, sides: &Sides<'_>) -> u32 {
        let end = rules.code_end(player, plain);
        plain * self.features + end.map_or(0, |site| self.feature(sides, site))
    }

    /// Adds the codes of some legal moves.
    pub fn codes<R: Rules>(
        &self,
        rules: &R,
        state: &R::State,
        player: Player,
        moves: &[Move],
        mut out: impl FnMut(u32),
    ) {
        thread_local!(static VIEW: RefCell<View> = RefCell::default());
        VIEW.with_borrow_mut(|view| {
            rules.view(state, None, Detail::Sets, view);
            let sides = Sides::of(view, player);
            for &mv in moves {
                let plain = rules.code(state, player, mv, Coding::Plain);
                out(self.code(rules, player, plain, &sides));
            }
        });
    }

    /// Writes the legal moves of a player, one word each; what is left to him for want of others is among them.
    pub fn families<R: Rules>(
        &self,
        rules: &R,
        state: &R::State,
        player: Player,
        out: &mut Families,
    ) {
        let mut origin = out.origin.take().unwrap_or_default();
        let Origin { plain, view, listed } = &mut *origin;
        plain.clear();
        rules.families(state, player, Coding::Plain, plain);
        if plain.is_doubtful() {
            rules.settle(state, player, plain);
        }
        *listed = plain.is_empty();
        if *listed {
            plain.clear();
            crate::playout::list_families(rules, state, player, Coding::Plain, plain);
        }
        rules.view(state, None, Detail::Sets, view);
        let sides = Sides::of(view, player);
        for place in plain.places() {
            let code = self.code(rules, player, plain.code(place), &sides);
            out.push_one(code, place.word << 6 | place.bit);
        }
        out.origin = Some(origin);
    }

    /// The move that a member of those is.
    pub fn member<R: Rules>(
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
        place: Place,
    ) -> Move {
        let tag = families.word(place).tag;
        let at = Place { word: tag >> 6, bit: tag & 63 };
        match families.origin.as_deref() {
            Some(Origin { plain, listed: true, .. }) => plain.moves[plain.word(at).tag as usize],
            Some(Origin { plain, .. }) => rules.member(state, player, plain, at),
            None => Move::default(),
        }
    }
}

impl<'a> Sides<'a> {
    fn of(view: &'a View, player: Player) -> Self {
        Sides { own: view.set(SetOf::Owned(player)), empty: view.set(SetOf::Empty) }
    }
}

/// What families with features were made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    plain: Families,
    view: View,
    /// The moves are listed beside the words.
    listed: bool,
}
