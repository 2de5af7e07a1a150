//! The language between compiler and machine.

use crate::ir::{Cmp, Op};

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
    /// An entry of a table, or the key itself beyond it.
    Table(Vec<i32>, Box<Num>),
    Binary(Op, Box<Num>, Box<Num>),
    If(Box<Cond>, Box<Num>, Box<Num>),
    OfBool(Box<Cond>),
}

impl Num {
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
}

/// An effect, with what follows each of its moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Effect {
    pub kind: EffectKind,
    pub then: Option<usize>,
}

/// What an effect does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EffectKind {
    All(Vec<Effect>),
    If(Cond, Box<Effect>, Option<Box<Effect>>),
    EachSite(Set, Box<Effect>),
    EachPlayer(Box<Effect>),
    Sow(Box<Sow>),
    Carry(Box<Carry>),
    Remove(Set),
    Again,
    Next(Num),
    Var(usize, Num),
    Counter(Num),
    Pending(Option<Set>),
    Score(Vec<(Num, Num)>, bool),
    Worth(Num, Num),
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
    Select(u16, Set, Cond),
    /// The same for holes with so many seeds at least, if they are some of these.
    Filled(u16, Set, Holes, i32),
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
            cond => Node::Select(way, set, cond),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Select,
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
}
