//! What stands where in a position, as somebody sees it, in memory that the caller owns.

use crate::Player;
use crate::geometry::{Geometry, SiteId};

/// How much of a [`View`] is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// The sets alone, which machines often hold already: for patterns and planes of numbers.
    Sets,
    /// The sets, and every piece of every site.
    #[default]
    Pieces,
}

/// What a viewer may not know of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hidden(u8);

impl Hidden {
    /// Its kind.
    pub const KIND: Hidden = Hidden(1);
    /// Its owner.
    pub const OWNER: Hidden = Hidden(2);
    /// Its number.
    pub const COUNT: Hidden = Hidden(4);
    /// Its state.
    pub const STATE: Hidden = Hidden(8);
    /// Its rotation.
    pub const ROTATION: Hidden = Hidden(16);
    /// Its value.
    pub const VALUE: Hidden = Hidden(32);
    /// Whether there is a piece at all.
    pub const ALL: Hidden = Hidden(63);

    /// Both.
    #[must_use]
    pub fn and(self, other: Hidden) -> Hidden {
        Hidden(self.0 | other.0)
    }

    /// Whether all of the other is hidden.
    pub fn has(self, other: Hidden) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether everything is seen.
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }
}

/// A piece, or several of one kind, on a site or at a level of its stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Piece {
    /// Its kind, by number in [`Geometry::kinds`]; nothing where that is hidden.
    pub kind: Option<u16>,
    /// Who plays it now; nothing for pieces of nobody and of everybody, and where that is hidden.
    pub owner: Option<Player>,
    /// How many there are.
    pub count: u32,
    /// Its state, nought where the rules give it none.
    pub state: i32,
    /// Which way it is turned.
    pub rotation: i32,
    /// Its value.
    pub value: i32,
    /// The site it stands on; a large piece is seen on all sites that it covers, and stands on one of them.
    pub root: SiteId,
    /// What of this the viewer may not know; such fields are blank.
    pub hidden: Hidden,
}

impl Piece {
    /// One piece of a kind with nothing special about it.
    pub fn plain(kind: u16, owner: Option<Player>, site: SiteId) -> Piece {
        Piece { kind: Some(kind), owner, count: 1, root: site, ..Piece::default() }
    }

    /// The piece without what is hidden.
    #[must_use]
    pub fn veiled(mut self, hidden: Hidden) -> Piece {
        let blank = |part: Hidden| hidden.has(part);
        self.kind = self.kind.filter(|_| !blank(Hidden::KIND));
        self.owner = self.owner.filter(|_| !blank(Hidden::OWNER));
        self.count = if blank(Hidden::COUNT) { 0 } else { self.count };
        self.state = if blank(Hidden::STATE) { 0 } else { self.state };
        self.rotation = if blank(Hidden::ROTATION) { 0 } else { self.rotation };
        self.value = if blank(Hidden::VALUE) { 0 } else { self.value };
        self.hidden = hidden;
        self
    }
}

/// A set of sites that a view has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetOf {
    /// Sites with nothing on them.
    Empty,
    /// Sites on which a player's piece stands (on top, where pieces are stacked).
    Owned(Player),
    /// Sites with a piece of nobody's or of everybody's.
    Neutral,
    /// Sites of which the viewer does not know whose they are.
    UnknownOwner,
    /// Sites with a piece of a kind.
    Kind(u16),
    /// Sites of which the viewer does not know the kind of piece.
    UnknownKind,
}

/// A position by sites. Make one and have it filled again and again: once warm nothing is allocated.
///
/// Two families of sets partition the sites: [`SetOf::Empty`], [`SetOf::Owned`] for each player,
/// [`SetOf::Neutral`] and [`SetOf::UnknownOwner`]; and [`SetOf::Empty`], [`SetOf::Kind`] for each kind and
/// [`SetOf::UnknownKind`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    sites: usize,
    players: usize,
    kinds: usize,
    words: Vec<u64>,
    piles: Vec<Vec<Piece>>,
    /// Whether there are pieces in the piles.
    filled: bool,
    /// Who plays for each player of the start: others than at first only where seats were swapped.
    pub seats: Vec<Player>,
    /// Each player's score; none where the rules keep none.
    pub scores: Vec<i32>,
}

impl View {
    /// A view with nothing in it.
    pub fn new() -> Self {
        View::default()
    }

    /// Makes all sites of a board empty. Machines call it before they write what stands where.
    pub fn reset(&mut self, geometry: &Geometry, players: usize) {
        (self.sites, self.players, self.kinds) = (geometry.len(), players, geometry.kinds.len());
        self.words.clear();
        self.words.resize(self.stride() * (self.players + self.kinds + 4), 0);
        let sites = self.sites;
        for (at, word) in self.set_mut(SetOf::Empty).iter_mut().enumerate() {
            let left = sites - 64 * at;
            *word = if left >= 64 { !0 } else { (1 << left) - 1 };
        }
        if std::mem::take(&mut self.filled) {
            self.piles.iter_mut().for_each(Vec::clear);
        }
        self.piles.resize_with(self.sites, Vec::new);
        self.seats.clear();
        self.seats.extend((0..players as u8).map(Player));
        self.scores.clear();
    }

    /// Puts a piece on a site, on top of what is there.
    pub fn put(&mut self, site: SiteId, piece: Piece) {
        if site as usize >= self.sites {
            return;
        }
        self.filled = true;
        match self.piles[site as usize].last().copied() {
            Some(top) => self.flip_sets(site, &top),
            None => self.flip(site, SetOf::Empty),
        }
        self.flip_sets(site, &piece);
        self.piles[site as usize].push(piece);
    }

    fn flip_sets(&mut self, site: SiteId, piece: &Piece) {
        self.flip(
            site,
            match piece.owner {
                _ if piece.hidden.has(Hidden::OWNER) => SetOf::UnknownOwner,
                Some(player) => SetOf::Owned(player),
                None => SetOf::Neutral,
            },
        );
        self.flip(site, piece.kind.map_or(SetOf::UnknownKind, SetOf::Kind));
    }

    fn flip(&mut self, site: SiteId, set: SetOf) {
        if let Some(word) = self.set_mut(set).get_mut(site as usize / 64) {
            *word ^= 1 << (site % 64);
        }
    }

    fn stride(&self) -> usize {
        self.sites.div_ceil(64)
    }

    /// The place of a set among all, if there is such a player or kind.
    fn row(&self, set: SetOf) -> Option<usize> {
        match set {
            SetOf::Empty => Some(0),
            SetOf::Neutral => Some(1),
            SetOf::UnknownOwner => Some(2),
            SetOf::UnknownKind => Some(3),
            SetOf::Owned(player) => (player.index() < self.players).then(|| 4 + player.index()),
            SetOf::Kind(kind) => {
                ((kind as usize) < self.kinds).then(|| 4 + self.players + kind as usize)
            }
        }
    }

    /// How many sites there are.
    pub fn len(&self) -> usize {
        self.sites
    }

    /// Whether there are no sites.
    pub fn is_empty(&self) -> bool {
        self.sites == 0
    }

    /// A set of sites: site `s` is bit `s % 64` of word `s / 64`. No words for players and kinds there are not.
    #[inline]
    pub fn set(&self, set: SetOf) -> &[u64] {
        let stride = self.stride();
        let start = self.row(set).map(|row| row * stride);
        start.and_then(|start| self.words.get(start..start + stride)).unwrap_or(&[])
    }

    /// The words of a set, for machines that hold it and copy it.
    #[inline]
    pub fn set_mut(&mut self, set: SetOf) -> &mut [u64] {
        let stride = self.stride();
        let start = self.row(set).map(|row| row * stride);
        start.and_then(|start| self.words.get_mut(start..start + stride)).unwrap_or(&mut [])
    }

    /// Whether a site is in a set.
    pub fn has(&self, set: SetOf, site: SiteId) -> bool {
        let word = self.set(set).get(site as usize / 64);
        word.is_some_and(|word| word >> (site % 64) & 1 == 1)
    }

    /// The pieces of a site from the bottom to the top; filled where [`Detail::Pieces`] were asked for.
    pub fn stack(&self, site: SiteId) -> &[Piece] {
        self.piles.get(site as usize).map_or(&[], Vec::as_slice)
    }

    /// The piece on top of a site.
    pub fn top(&self, site: SiteId) -> Option<&Piece> {
        self.stack(site).last()
    }

    /// Who plays now for a player of the start.
    pub fn seat(&self, player: Player) -> Player {
        self.seats.get(player.index()).copied().unwrap_or(player)
    }
}

/// What kind of move a move is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MoveKind {
    /// A piece comes to a site, from nowhere or from a hand.
    Place,
    /// A piece goes from a site to another.
    Move,
    /// Either of the two, and pieces that are not the mover's leave the board by it; or nothing but that.
    Capture,
    /// Nothing is done.
    Pass,
    /// Players change seats.
    Swap,
    /// A piece becomes another.
    Promote,
    /// Chance decides: dice are thrown, cards are dealt.
    Roll,
    /// Something is proposed or voted for.
    Vote,
    /// Anything else: a hole is chosen and sown, a piece is turned, a bet is made.
    #[default]
    Other,
}

/// Where a move starts and ends, and what kind of move it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ends {
    /// Where it starts; nothing where that is no other site than it ends on.
    pub from: Option<SiteId>,
    /// Where it ends; nothing for moves that have no place.
    pub to: Option<SiteId>,
    /// What kind of move it is.
    pub kind: MoveKind,
}

impl Ends {
    /// A move without a place.
    pub fn nowhere(kind: MoveKind) -> Ends {
        Ends { from: None, to: None, kind }
    }

    /// A move that ends on a site.
    pub fn at(to: SiteId, kind: MoveKind) -> Ends {
        Ends { from: None, to: Some(to), kind }
    }

    /// A move from a site to another.
    pub fn between(from: SiteId, to: SiteId, kind: MoveKind) -> Ends {
        Ends { from: (from != to).then_some(from), to: Some(to), kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PieceKind;

    fn board() -> Geometry {
        let mut geometry = Geometry::rectangle(9, 9);
        for (name, owner) in [("Man1", 0), ("Man2", 1)] {
            geometry.kinds.push(PieceKind { name: name.into(), owner: Some(Player(owner)) });
        }
        geometry
    }

    #[test]
    fn sets_follow_the_top_of_a_stack() {
        let (geometry, mut view) = (board(), View::new());
        view.reset(&geometry, 2);
        assert_eq!(view.set(SetOf::Empty), [!0, (1 << 17) - 1]);
        view.put(70, Piece::plain(0, Some(Player(0)), 70));
        view.put(70, Piece::plain(1, Some(Player(1)), 70));
        assert_eq!(view.set(SetOf::Owned(Player(0))), [0, 0]);
        assert_eq!(view.set(SetOf::Owned(Player(1))), [0, 1 << 6]);
        assert!(view.has(SetOf::Kind(1), 70) && !view.has(SetOf::Empty, 70));
        assert_eq!(view.stack(70).len(), 2);
        view.reset(&geometry, 2);
        assert!(view.has(SetOf::Empty, 70) && view.stack(70).is_empty());
    }

    #[test]
    fn what_is_hidden_is_blank() {
        let (geometry, mut view) = (board(), View::new());
        view.reset(&geometry, 2);
        view.put(3, Piece::plain(1, Some(Player(1)), 3).veiled(Hidden::KIND));
        view.put(4, Piece::plain(1, Some(Player(1)), 4).veiled(Hidden::ALL));
        assert!(view.has(SetOf::Owned(Player(1)), 3) && view.has(SetOf::UnknownKind, 3));
        assert!(view.has(SetOf::UnknownOwner, 4) && view.has(SetOf::UnknownKind, 4));
        assert_eq!(view.top(4).map(|piece| (piece.kind, piece.owner)), Some((None, None)));
    }
}
