//! Plies at full speed: games in which a site is empty or has a piece of one of two colours.
//!
//! While nothing but such pieces moves, turns alternate and no end is near, a position is two sets, and a
//! ply is a handful of operations on words. Whatever might be more (a pass, a move that may end the game,
//! a limit) is left to the machine that knows all rules: a run of swift plies stops before it. Moves are
//! counted in the same order there and here, so both play the same game from the same seed.

mod build;
mod flips;
mod plies;
mod reading;
mod sync;
#[cfg(test)]
mod tests;

use super::Step;
use flips::{Caught, Flank};
use ludex_game::bits::Bits;

/// The sites of the mover's pieces, of the other's, and empty ones; views are named by sums of these.
pub(super) const OWN: u8 = 1;
pub(super) const FOE: u8 = 2;
pub(super) const EMPTY: u8 = 4;
const ALL: u8 = OWN | FOE | EMPTY;

/// Sets of sites by what is on them, for every sum of [`OWN`], [`FOE`] and [`EMPTY`].
type Views<const W: usize> = [Bits<W>; ALL as usize + 1];

/// As many families of moves as a player may have, and as many as are counted without a loop.
const MAX_FAMILIES: usize = 16;
const FEW_FAMILIES: usize = 4;

/// As many views as one family compares.
const MAX_TERMS: usize = 3;

/// As many sites as a move changes that turns nothing over: where it starts and ends, where one more piece comes to, and
/// where one is taken.
const MOST_CHANGES: u32 = 4;

/// A game that can be played so.
#[derive(Debug)]
pub(super) struct Swift<const W: usize> {
    /// The two colours, each player's own first.
    colours: [Colour; 2],
    /// What every set of a position is, as the first player sees it.
    slots: Vec<u8>,
    /// The plies of each player.
    lanes: [Lane<W>; 2],
    everywhere: Bits<W>,
    max_turns: i32,
    max_moves: i32,
}

/// A piece and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Colour {
    what: u8,
    state: u8,
}

/// Scores that are sizes of views after a move: the player and the view.
type Scores = Box<[(u8, u8)]>;

/// What one player does.
#[derive(Debug)]
struct Lane<const W: usize> {
    families: Box<[Family<W>]>,
    /// How moves are counted.
    size: Size,
    /// No move of the other player that turns nothing over takes away more moves than this.
    most_lost: u32,
    /// Moves end only where this holds as well.
    flank: Option<Flank<W>>,
    /// What stands between the end of a move and friends changes sides.
    caught: Option<Caught<W>>,
    /// Moves do no more than bring a piece to their end.
    plain: bool,
    /// The game ends where the other then has no move, which the search for one finds.
    stifles: bool,
    /// A move that ends here may end the game.
    goal: Bits<W>,
    /// Where such moves start; everywhere, where they start nowhere.
    brink: Bits<W>,
    /// So does one after which one of these views has no members.
    vacant: Box<[u8]>,
    scores: Scores,
}

/// Moves that end where all terms hold.
#[derive(Clone, Debug)]
struct Family<const W: usize> {
    terms: [Term; MAX_TERMS],
    ends: Bits<W>,
    /// Where the piece comes from, as a difference of site numbers; none for a new piece.
    from: Option<i32>,
    /// The same as a set of the possible starts.
    starts: Bits<W>,
    back: i32,
    /// Where one more piece comes to, by difference and possible sites.
    beside: (i32, Bits<W>),
    /// Where one is taken.
    taken: (i32, Bits<W>),
    deed: u16,
    /// Difference to the site passed.
    between: Option<i32>,
}

/// How many families and terms there are: code of its own for the commonest.
#[derive(Clone, Copy, Debug)]
enum Size {
    One,
    OneOfThree,
    UpToThree,
    Four,
    Many,
}

/// A view moved by a difference of site numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    view: u8,
    by: i32,
    /// The view as words: own pieces and those of the other that count, and whether what counts is the rest.
    own: u64,
    foe: u64,
    rest: u64,
}

impl Term {
    fn new(view: u8, by: i32) -> Self {
        let [own, foe, empty] = [OWN, FOE, EMPTY].map(|part| view & part != 0);
        let word = |is: bool| if is { u64::MAX } else { 0 };
        Term { view, by, own: word(own != empty), foe: word(foe != empty), rest: word(empty) }
    }
}

/// A position of two colours in the course of a playout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running<const W: usize> {
    /// The pieces of whoever moves, and of the other.
    own: Bits<W>,
    foe: Bits<W>,
    /// Whose turn it is, zero or one.
    side: u8,
    /// How many plies were played, and how many may be.
    plies: u32,
    calm: u32,
    /// The last of them.
    last: Option<Step>,
}

impl<const W: usize> Running<W> {
    /// The player whose turn it is, one or two.
    #[inline(always)]
    pub(super) fn mover(&self) -> u8 {
        self.side + 1
    }
}

/// What a run of swift plies came to.
pub(super) struct Dash {
    /// How many plies were played.
    pub plies: u32,
    /// The move that was drawn but must be played by all rules.
    pub next: Option<Step>,
}
