//! The language between compiler and machine.

use super::position::VALUES;
use super::sift::sift;
use ludex_lud::ir::{Cmp, Op};

/// Sites as bits.
pub(super) type Holes = u64;

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Num {
    Const(i32),
    From,
    To,
    Site,
    Value,
    Player,
    Mover,
    Next,
    Prev,
    LastFrom,
    LastTo,
    Counter,
    Turns,
    Moves,
    TurnMoves,
    Pending,
    Var(usize),
    Score(Box<Num>),
    Worth(Box<Num>),
    /// Seeds of a hole, if it is one of these.
    Count(Holes, Box<Num>),
    /// Seeds of these of some holes.
    CountIn(Holes, Box<Set>),
    /// How many holes.
    Size(Box<Set>),
    /// Where the last move ended, what followed it included.
    LastToAfter,
    /// Where the last change of the last move started.
    LastFromAfter,
    /// What a table says of a player and a hole.
    OfHole(Box<HoleTable>, Box<Num>, Box<Num>),
    /// The first hole of a track from one of them on for which something holds.
    FirstOn(Box<FirstOn>),
    /// So many steps along a track.
    Along(Box<Along>),
    /// The state of a hole.
    State(Box<Num>),
    /// How many values are remembered in a list.
    Recalled(usize),
    /// An entry of a table, or the key itself beyond it.
    Table(Vec<i32>, Box<Num>),
    Binary(Op, Box<Num>, Box<Num>),
    If(Box<Cond>, Box<Num>, Box<Num>),
    OfBool(Box<Cond>),
}

impl Num {
    /// Whether it is always small enough for a state.
    pub(super) fn is_a_state(&self) -> bool {
        match self {
            Num::Const(n) => *n <= i32::from(u8::MAX),
            Num::Mover | Num::Next | Num::Prev | Num::Player | Num::State(_) => true,
            Num::If(_, yes, no) => yes.is_a_state() && no.is_a_state(),
            _ => false,
        }
    }

    /// Whether it stays the same while seeds are sown.
    fn is_steady(&self) -> bool {
        match self {
            Num::Const(_) | Num::Mover | Num::Next | Num::Prev => true,
            Num::LastFrom | Num::LastTo => true,
            Num::Table(_, key) => key.is_steady(),
            _ => false,
        }
    }
}

/// A number for each player, from nobody's `-1` on, and each hole: below all holes, from `-1` on, beyond them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HoleTable {
    /// The numbers of each player.
    pub rows: [HoleRow; 5],
}

/// The numbers of one player.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HoleRow {
    pub below: i32,
    pub at: [i32; VALUES],
    pub beyond: i32,
}

impl HoleTable {
    /// The number of a player and a hole; players who do not exist are nobody.
    #[inline]
    pub(super) fn get(&self, player: i32, hole: i32) -> i32 {
        let row = &self.rows[(player + 1).clamp(0, 4) as usize];
        match hole {
            ..-1 => row.below,
            hole => row.at.get((hole + 1) as usize).copied().unwrap_or(row.beyond),
        }
    }

    /// Whether all numbers are holes or none.
    pub(super) fn gives_holes(&self) -> bool {
        let hole = |n: &i32| (-1..64).contains(n);
        self.rows.iter().all(|row| row.at.iter().chain([&row.below, &row.beyond]).all(hole))
    }
}

/// The first hole of a track, by player from nobody's `-1` on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FirstOn {
    pub tracks: [Option<Vec<i32>>; 5],
    pub player: Num,
    pub from: Option<Num>,
    pub cond: Option<Cond>,
}

/// Steps along a track of the game, by player from nobody's `-1` on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Along {
    pub tracks: [Option<usize>; 5],
    pub player: Num,
    /// From before the first hole where nothing is said.
    pub from: Option<Num>,
    pub steps: Num,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cond {
    Const(bool),
    Not(Box<Cond>),
    And(Vec<Cond>),
    Or(Vec<Cond>),
    If(Box<Cond>, Box<Cond>, Box<Cond>),
    Compare(Cmp, Num, Num),
    In(Vec<Num>, Set),
    Same(Set, Set),
    /// A hole without seeds.
    Empty(Num),
    /// A hole with seeds.
    Occupied(Num),
    Odd(Num),
    Pending,
    Cycle,
    WasPass,
    Proposed(u16),
    Decided(u16),
    /// The player who is next has no move.
    NextStuck,
    /// A player had no move when last asked.
    Stuck(Num),
    AllSites(Set, Box<Cond>),
    /// Everybody passed in turn.
    AllPassed,
    /// All these values are remembered in a list.
    Recalled(Vec<Num>, usize),
    /// One of these moves can be made.
    Can(Box<Node>),
    /// None of these holes is entered in the lists of pieces.
    NoneEntered(Set),
}

/// A set of holes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    Const(Holes),
    One(Num),
    List(Vec<Num>),
    /// One of these by number, or none.
    ByNumber(Vec<Holes>, Num),
    Empty,
    Pending,
    Union(Vec<Set>),
    Intersection(Vec<Set>),
    Difference(Box<Set>, Box<Set>),
    If(Box<Cond>, Box<Set>, Option<Box<Set>>),
    Filter(Box<Set>, Box<Cond>),
    /// Those of a set for which a condition on the start of a move holds.
    Starts(Box<Set>, Box<Cond>),
    /// Those of these whose seeds compare with a number.
    Holding(Holes, Cmp, Box<Num>),
    /// Holes remembered in a list.
    Recalled(usize),
    /// One of these by number, or none.
    Choice(Vec<Set>, Num),
    /// Holes of a track from one to another.
    Stretch(Box<Stretch>),
}

/// The holes of a player's track from one of them to another, from a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    pub player: Num,
    pub from: Option<Num>,
    pub to: Option<Num>,
    /// By player from nobody's `-1` on, start and end.
    pub sets: Vec<Holes>,
}

impl Stretch {
    /// The holes of a player between two of them, where those are asked for.
    pub(super) fn get(&self, player: i32, from: Option<i32>, to: Option<i32>) -> Holes {
        let place = |hole: Option<i32>| hole.map_or(0, |hole| (hole + 1).clamp(0, 64) as usize);
        let size = |hole: &Option<Num>| if hole.is_some() { VALUES } else { 1 };
        let row = (player + 1).clamp(0, 4) as usize * size(&self.from) + place(from);
        self.sets[row * size(&self.to) + place(to)]
    }
}

/// An effect, with what follows each of its moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Effect {
    pub kind: EffectKind,
    pub then: Option<usize>,
}

impl Effect {
    /// Whether something follows any of its moves.
    pub(super) fn is_followed(&self) -> bool {
        let inner = match &self.kind {
            EffectKind::All(all) => all.iter().any(Effect::is_followed),
            EffectKind::If(_, yes, no) => {
                yes.is_followed() || no.as_ref().is_some_and(|no| no.is_followed())
            }
            EffectKind::EachSite(_, inner)
            | EffectKind::EachPlayer(inner)
            | EffectKind::EachValue(_, _, inner) => inner.is_followed(),
            EffectKind::Do(prior, next) => prior.is_followed() || next.is_followed(),
            EffectKind::Sow(sow) => {
                [&sow.effect, &sow.sow_effect].into_iter().flatten().any(Effect::is_followed)
            }
            EffectKind::Carry(_)
            | EffectKind::Remove(_)
            | EffectKind::Again
            | EffectKind::Next(_)
            | EffectKind::Var(..)
            | EffectKind::Counter(_)
            | EffectKind::Pending(_)
            | EffectKind::Score(..)
            | EffectKind::Worth(..)
            | EffectKind::Remember(..)
            | EffectKind::Forget(..)
            | EffectKind::State(..) => false,
        };
        inner || self.then.is_some()
    }
}

impl Effect {
    /// Whether it is at most one move, wherever it is found.
    pub(super) fn is_single(&self) -> bool {
        match &self.kind {
            EffectKind::If(_, yes, no) => {
                yes.is_single() && no.as_ref().is_none_or(|no| no.is_single())
            }
            EffectKind::Carry(carry) => {
                matches!((&carry.from, &carry.to), (Set::One(_), Set::One(_)))
            }
            EffectKind::Remove(set) => matches!(set, Set::One(_)),
            EffectKind::Sow(_) | EffectKind::Again | EffectKind::Next(_) => true,
            EffectKind::Var(..) | EffectKind::Counter(_) | EffectKind::Worth(..) => true,
            EffectKind::Remember(..) | EffectKind::State(..) => true,
            _ => false,
        }
    }

    /// Whether it does nothing but set this variable.
    pub(super) fn sets_only(&self, var: &dyn Fn(usize) -> bool) -> bool {
        self.then.is_none()
            && match &self.kind {
                EffectKind::Var(at, _) => var(*at),
                EffectKind::All(all) => all.iter().all(|effect| effect.sets_only(var)),
                EffectKind::If(_, yes, no) => {
                    yes.sets_only(var) && no.as_ref().is_none_or(|no| no.sets_only(var))
                }
                _ => false,
            }
    }
}

/// What an effect does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EffectKind {
    All(Vec<Effect>),
    If(Cond, Box<Effect>, Option<Box<Effect>>),
    EachSite(Set, Box<Effect>),
    EachPlayer(Box<Effect>),
    Sow(Box<Sow>),
    /// The second, as it is found after the first was done.
    Do(Box<Effect>, Box<Effect>),
    Carry(Box<Carry>),
    Remove(Set),
    Again,
    Next(Num),
    Var(usize, Num),
    Counter(Num),
    Pending(Option<Set>),
    Score(Vec<(Num, Num)>, bool),
    Worth(Num, Num),
    EachValue(Num, Num, Box<Effect>),
    /// A value is remembered in a list, where this holds only if it is not there yet.
    Remember(usize, Num, Cond),
    /// A value is forgotten, or all of a list.
    Forget(usize, Option<Num>),
    /// The state of a hole.
    State(Num, Num),
}

/// Sowing along a track.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sow {
    pub start: Num,
    pub count: Num,
    pub per_hole: Num,
    /// The track of each player; that of nobody where none is asked for.
    pub tracks: Vec<Option<Track>>,
    pub owner: Num,
    pub cond: Option<Cond>,
    pub sow_effect: Option<Effect>,
    pub effect: Option<Effect>,
    pub include_self: bool,
    pub origin: Cond,
    pub skip: Option<Skip>,
    pub back: Option<Cond>,
    pub forward: Option<Cond>,
}

/// Which holes a sowing leaves out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Skip {
    /// One, the same for the whole of it.
    One(Num),
    /// Those for which this holds.
    Where(Cond),
}

impl Skip {
    /// The plainest form of a condition on the hole reached.
    pub(super) fn of(cond: Cond) -> Self {
        match cond {
            Cond::Compare(Cmp::Eq, Num::To, one) | Cond::Compare(Cmp::Eq, one, Num::To)
                if one.is_steady() =>
            {
                Skip::One(one)
            }
            cond => Skip::Where(cond),
        }
    }
}

/// A track: its holes, and the first place of each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    pub sites: Vec<i32>,
    pub places: [u8; 64],
    pub looped: bool,
}

impl Track {
    /// The hole after a place, or `-1`.
    pub(super) fn next(&self, place: usize) -> i32 {
        match self.sites.get(place + 1) {
            Some(&site) => site,
            None if self.looped => self.sites[0],
            None => -1,
        }
    }
}

/// Seeds carried from holes to holes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Carry {
    pub from: Set,
    pub from_cond: Option<Cond>,
    pub to: Set,
    pub cond: Cond,
    /// How many; one by default.
    pub count: Option<Num>,
}

/// What a player may do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    All(Vec<Node>),
    If(Cond, Box<Node>, Option<Box<Node>>),
    Priority(Vec<Node>),
    /// A number of a way to move, and the holes it may start from.
    Select(u16, Set),
    /// The same for holes with so many seeds at least, if they are some of these.
    Filled(u16, Set, Holes, i32),
    /// Seeds are carried from hole to hole.
    Carry(u16, Box<Carry>),
    /// A hole with seeds is emptied.
    Clear(u16, Set),
    /// A way to move without a hole.
    Plain(u16),
}

impl Node {
    /// The plainest form of a selection.
    pub(super) fn select(way: u16, set: Set, cond: Cond) -> Self {
        match cond {
            Cond::Compare(Cmp::Gt, Num::Count(among, at), Num::Const(n @ 0..))
                if matches!(*at, Num::From) =>
            {
                Node::Filled(way, set, among, n + 1)
            }
            cond => Node::Select(way, sift(set, cond)),
        }
    }
}

/// A way to move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub act: Act,
    /// Consequences from the inside to the outside.
    pub then: Vec<usize>,
    /// Conditions on the position afterwards, each with the number of consequences before it.
    pub after: Vec<(Cond, usize)>,
}

/// What a way to move is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    Select,
    /// So many seeds go, one by default.
    Carry(Option<Num>),
    Clear,
    Pass,
    Propose(u16),
    Vote(u16),
}

/// An end rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    If(Cond, Vec<End>, Option<Verdict>),
    EachPlayer(bool, Cond, Verdict),
}

/// How a game ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    Win(Num),
    Loss(Num),
    Draw,
    Score(Vec<(Num, Num)>, Cond),
}

/// A phase of the game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phase {
    pub play: Node,
    pub end: Vec<End>,
    pub next: Vec<(Option<Num>, Cond, usize)>,
}

/// A whole game.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// Holes that are there.
    pub everywhere: Holes,
    pub board: Holes,
    pub phases: Vec<Phase>,
    pub end: Vec<End>,
    pub ways: Vec<Way>,
    pub effects: Vec<Option<Effect>>,
    pub cycles: bool,
    pub passes_end: bool,
    pub max_turns: i32,
    pub max_moves: i32,
    pub placed: usize,
    pub vars: usize,
    /// Rules set states of holes.
    pub stated: bool,
    /// Rules ask for entries of holes in the lists of pieces.
    pub enters: bool,
    /// The names of lists of remembered values.
    pub lists: Vec<Option<Box<str>>>,
}
