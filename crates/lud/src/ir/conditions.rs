//! Conditions.

use super::{
    CountPieces, Directions, Float, Groups, Int, Ints, Moves, Range, Region, Relation, Turn, Who,
};
use crate::memo::Memo;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Bool {
    /// Always or never.
    Const(bool),
    /// Not.
    Not(Box<Bool>),
    /// All of them.
    And(Vec<Bool>),
    /// Any of them.
    Or(Vec<Bool>),
    /// Exactly one of two.
    Xor(Box<Bool>, Box<Bool>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Bool>, Box<Bool>),
    /// Comparison of numbers.
    Compare(Cmp, Box<Int>, Box<Int>),
    /// Equal site sets.
    SameRegion(Box<Region>, Box<Region>),
    /// `(is Empty site)`.
    Empty(SiteType, Box<Int>),
    /// `(is Occupied site)`.
    Occupied(SiteType, Box<Int>),
    /// `(is In site region)`; a list must be wholly inside.
    In(Vec<Int>, Box<Region>),
    /// `(is In n array)`.
    InInts(Vec<Int>, Box<Ints>),
    /// `(is Enemy player)`.
    Enemy(Box<Int>),
    /// `(is Friend player)`.
    Friend(Box<Int>),
    /// `(is Mover player)`.
    IsMover(Box<Int>),
    /// `(is Next player)`.
    IsNext(Box<Int>),
    /// `(is Prev player)`.
    IsPrev(Box<Int>),
    /// `(is Active player)`.
    IsActive(Box<Int>),
    /// `(is Pending)`.
    Pending,
    /// `(is Full)`.
    Full,
    /// `(is Cycle)`.
    Cycle,
    /// `(is Repeat type)`.
    Repeat(Repetition),
    /// `(is Visited site)`.
    Visited(Box<Int>),
    /// `(is Odd n)`.
    Odd(Box<Int>),
    /// `(is Flat site)`: what it rests on is complete.
    Flat(Box<Int>),
    /// `(is Freedom …)`: some site of a region has an empty neighbour on the ground, except one.
    Freedom(SiteType, Box<Region>, Option<Box<Int>>),
    /// `(is AnyDie n)`.
    AnyDie(Box<Int>),
    /// `(is Line …)`.
    Line(Box<Line>),
    /// `(is Connected …)`.
    Connected(Box<Connected>),
    /// `(is Blocked …)`.
    Blocked(Box<Connected>),
    /// `(is Acute …)` and the like.
    Angle(Box<Angle>),
    /// `(is Loop …)`.
    Loop(Box<Loop>),
    /// `(is Related …)`.
    Related(Relation, SiteType, Box<Int>, Box<Region>),
    /// `(is Threatened …)`.
    Threatened(Box<Threatened>),
    /// `(is Within …)`.
    Within(Box<Int>, Option<SiteType>, Box<Region>),
    /// `(is LastFrom type)` and `(is LastTo type)`.
    LastType(bool, SiteType),
    /// `(is Triggered event player)`.
    Triggered(Box<str>, Box<Int>),
    /// `(is Decided text)`.
    Decided(u16),
    /// `(is Proposed text)`.
    Proposed(u16),
    /// `(is Crossing a b)`.
    Crossing(Box<Int>, Box<Int>),
    /// `(is Pattern …)`.
    Pattern(Box<Pattern>),
    /// `(is Path …)`.
    Path(Box<Path>),
    /// `(is PyramidCorners …)`.
    PyramidCorners(SiteType, Box<Region>),
    /// `(is SidesMatch …)`.
    SidesMatch(Box<Int>),
    /// `(is PipsMatch …)`.
    PipsMatch(Box<Int>),
    /// `(is Target …)`.
    Target(Vec<i32>, Vec<i32>),
    /// `(is Hidden …)`.
    Hidden(HiddenData, SiteType, Box<Int>, Option<Box<Int>>, Box<Int>),
    /// `(no Moves player)`.
    NoMoves(Who),
    /// `(toBool number)`: whether it is not zero.
    NotZero(Box<Float>),
    /// `(can Move moves)`.
    CanMove(Box<Moves>),
    /// `(no Pieces …)`.
    NoPieces(Box<CountPieces>),
    /// `(all Sites region if:)`.
    AllSites(Box<Region>, Box<Bool>),
    /// `(all Different region if:)`.
    AllDifferent(Box<Region>, Box<Bool>),
    /// `(all Values array if:)`.
    AllValues(Box<Ints>, Box<Bool>),
    /// `(all Groups … if:)`.
    AllGroups(Box<Groups>, Box<Bool>),
    /// `(all DiceUsed)`.
    DiceUsed,
    /// `(all DiceEqual)`.
    DiceEqual,
    /// `(all Passed)`.
    AllPassed,
    /// `(was Pass)`.
    WasPass,
    /// `(is Solved)`.
    Solved,
    /// `(is Tree …)` and its kin: the shape of a player's edges.
    Shape(Box<GraphShape>, Box<Int>),
}

/// Arguments of `(is Acute …)` and the like.
#[derive(Clone, Debug, PartialEq)]
pub struct Angle {
    /// Which.
    pub wide: Wide,
    /// Kind of site.
    pub kind: SiteType,
    /// A site that is neither of the two.
    pub at: Int,
    /// What holds at the one.
    pub first: Bool,
    /// What holds at the other, which has a higher number.
    pub second: Bool,
}

/// How wide an angle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// Below 90 degrees.
    Acute,
    /// 90 degrees.
    Right,
    /// Above 90 degrees.
    Obtuse,
    /// Above 180 degrees.
    Reflex,
}

/// A shape that edges may have together.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphShape {
    /// No ring.
    Tree,
    /// No ring, and every vertex is reached.
    SpanningTree,
    /// The same, and what is left without the leaves is a path.
    CaterpillarTree,
    /// The last vertex is the middle of its tree.
    TreeCentre,
    /// Every vertex has as many edges.
    Regular {
        /// How many; nought for any number.
        degree: Int,
        /// An odd number.
        odd: Bool,
        /// An even number.
        even: Bool,
    },
}

/// Comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Less.
    Lt,
    /// At most.
    Le,
    /// Greater.
    Gt,
    /// At least.
    Ge,
}

impl Cmp {
    /// Whether two numbers compare so.
    #[inline]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }
}

/// What may not be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The position, ever.
    Positional,
    /// The position with the player to move, ever.
    Situational,
    /// The position, within a turn.
    PositionalInTurn,
    /// The position with the player to move, within a turn.
    SituationalInTurn,
}

/// What can be hidden of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HiddenData {
    /// Everything.
    All,
    /// The piece.
    What,
    /// The owner.
    Who,
    /// The state.
    State,
    /// The count.
    Count,
    /// The rotation.
    Rotation,
    /// The value.
    Value,
}

/// Arguments of `(is Line …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Kind of site.
    pub kind: SiteType,
    /// How long.
    pub length: Int,
    /// Along which directions.
    pub dir: Dir,
    /// Through which sites.
    pub through: Through,
    /// Whose pieces count.
    pub who: Option<Int>,
    /// Which pieces count.
    pub what: Option<Vec<Int>>,
    /// Neither shorter nor longer.
    pub exact: Bool,
    /// Without gaps.
    pub contiguous: Bool,
    /// What every site must satisfy.
    pub cond: Bool,
    /// Stacks: lines through levels.
    pub by_level: Bool,
    /// Stacks: only top pieces.
    pub top: Bool,
    /// Whether both ways from the pivot count together.
    pub opposites: Bool,
    /// Of so many kinds of piece at least.
    pub kinds: Option<Int>,
    /// Only what can be seen from above, on pyramids.
    pub visible: bool,
}

/// Through which sites a line must run.
#[derive(Clone, Debug, PartialEq)]
pub enum Through {
    /// Through this site.
    One(Int),
    /// Through any of these.
    Any(Region),
}

/// Arguments of `(is Connected …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Connected {
    /// How many regions; all by default.
    pub number: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub at: Int,
    /// Connection.
    pub dirs: Directions,
    /// Which regions.
    pub regions: Regions,
}

/// Several site sets.
#[derive(Clone, Debug, PartialEq)]
pub enum Regions {
    /// Written out.
    List(Vec<Region>),
    /// Those of a player's equipment.
    Owned(Int),
    /// Fixed by the board.
    Static(Vec<SiteSet>),
}

/// Arguments of `(is Loop …)` and `(sites Loop …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Kind of site.
    pub kind: SiteType,
    /// Owners of pieces that may be inside; nothing: any loop.
    pub surround: Vec<Who>,
    /// Connection.
    pub dirs: Directions,
    /// Whose loop.
    pub colour: Option<Int>,
    /// From where.
    pub starts: Option<Region>,
    /// By paths of tiles.
    pub path: bool,
}

/// Arguments of `(is Path …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Kind of site.
    pub kind: SiteType,
    /// Through which site.
    pub from: Int,
    /// Whose.
    pub who: Int,
    /// How long.
    pub length: Range,
    /// The end meets the start.
    pub closed: Bool,
}

/// Arguments of `(is Threatened …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Threatened {
    /// The piece.
    pub what: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Option<Region>,
    /// By these moves.
    pub by: Option<Moves>,
}

/// Arguments of `(is Pattern …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The walk.
    pub walk: Vec<Turn>,
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which pieces, in turn.
    pub what: Option<Vec<Int>>,
    /// By site, the walks of all rotations that stay on the board, one after the other; nothing where that would be too
    /// much to keep.
    pub paths: Memo<Option<Vec<Vec<i32>>>>,
}
