//! Sets of sites.

use super::{
    Bool, Directions, GroupAt, HiddenData, Int, Ints, Loop, Moves, Pattern, Range, Relation,
    StepsBy, TrackOf, Turn, Who,
};
use crate::memo::Memo;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

/// The sites of each player's regions, where those never change.
pub type KnownByPlayer = Memo<Vec<Memo<Option<SiteSet>>>>;

/// A set of sites.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// Always the same.
    Const(SiteSet),
    /// These sites.
    List(Vec<Int>),
    /// The sites of an array.
    Array(Box<Ints>),
    /// `(sites)`: the current region.
    Current,
    /// `(sites Empty)`.
    Empty(SiteType),
    /// `(sites Empty container)`.
    EmptyIn(SiteType, Box<Int>),
    /// `(sites Occupied by: …)`.
    Occupied(Box<Occupied>),
    /// `(sites Hand player)`.
    Hand(Box<Who>),
    /// The owner's regions by name.
    Owned(Box<Int>, Option<Box<str>>, KnownByPlayer),
    /// Regions by name.
    Named(Vec<Region>),
    /// Regions by a name that comes later in the text, or never: then no site.
    Called(Box<str>),
    /// `(sites Row i)`: one of these by index.
    Indexed(Vec<SiteSet>, Box<Int>),
    /// `(sites LargePiece at:)`.
    LargePiece(SiteType, Box<Int>),
    /// Sites with a state.
    State(SiteType, Box<Int>),
    /// Incident sites.
    Incident(SiteType, SiteType, Box<Int>, Option<Box<Int>>),
    /// `(sites Around …)`.
    Around(Box<Around>),
    /// `(sites Direction …)`.
    Direction(Box<SitesDirection>),
    /// `(sites Distance …)`.
    Distance(SiteType, Relation, Box<Int>, Box<Range>),
    /// `(sites Between …)`.
    Between(Box<SitesBetween>),
    /// `(sites LineOfSight …)`.
    LineOfSight(Sight, SiteType, Box<Int>, Box<Directions>),
    /// `(sites Group …)`.
    Group(Box<GroupAt>),
    /// `(sites From moves)` and the like.
    OfMoves(MovePart, Box<Moves>),
    /// `(sites walk)`.
    Walk(SiteType, Box<Int>, Vec<Vec<Turn>>, Box<Bool>),
    /// `(sites Loop …)`.
    Loop(Box<Loop>, Box<Bool>),
    /// `(sites Pending)`.
    Pending,
    /// `(sites LastTo)`.
    LastTo,
    /// `(sites LastFrom)`.
    LastFrom,
    /// `(sites ToClear)`.
    ToClear,
    /// `(sites Start piece)`.
    Start(Box<Int>),
    /// `(sites Track …)`.
    Track(Box<TrackOf>, Option<Box<Int>>, Option<Box<Int>>),
    /// `(sites Pattern …)`.
    Pattern(Box<Pattern>),
    /// `(sites Winning …)`: where these moves of a player win.
    Winning(Box<Int>, Box<Moves>),
    /// `(sites Side …)`.
    Side(SiteType, Box<Int>),
    /// `(sites Hidden …)`.
    Hidden(HiddenData, SiteType, Box<Int>),
    /// `(sites Support …)` on pyramids.
    Support(SiteType, Box<Int>),
    /// `(last Between)`.
    LastBetween,
    /// `(sites Playable)` and `(sites LineOfPlay)`.
    Playable,
    /// `(sites Crossing …)`: the edges of a player that cross an edge.
    Crossing(Box<Int>, Box<Int>),
    /// Union.
    Union(Vec<Region>),
    /// Intersection.
    Intersection(Vec<Region>),
    /// First without second.
    Difference(Box<Region>, Box<Region>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Region>, Option<Box<Region>>),
    /// `(expand region …)`.
    Expand(SiteType, Box<Region>, Box<Int>, Option<Dir>),
    /// `(forEach region if:)`.
    Filter(Box<Region>, Box<Bool>),
    /// `(forEach of:region region)`.
    ForEachSite(Box<Region>, Box<Region>),
    /// `(forEach players region)`.
    ForEachPlayer(Box<Ints>, Box<Region>),
    /// `(forEach Level …)`.
    Levels(Box<Levels>),
    /// `(forEach Team region)`.
    ForEachTeam(Box<Region>),
    /// `(sites Random …)`.
    Random(Box<Region>, Box<Int>),
    /// `(sites Distance (step …) …)`.
    DistanceBy(Box<StepsBy>, Box<Range>),
    /// One site.
    One(Box<Int>),
}

/// Arguments of `(sites Occupied …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Occupied {
    /// Whose pieces.
    pub by: Who,
    /// Only in this container.
    pub container: Option<ContainerRef>,
    /// Only these pieces.
    pub what: Option<Vec<u16>>,
    /// Only this piece.
    pub what_index: Option<Int>,
    /// Only top pieces of stacks.
    pub top: bool,
    /// Kind of site.
    pub on: Option<SiteType>,
}

/// A container by number or name.
#[derive(Clone, Debug, PartialEq)]
pub enum ContainerRef {
    /// By index.
    Index(Int),
    /// By name, resolved.
    Fixed(usize),
    /// The hand of a player whose name contains this.
    Hand(Box<str>, Int),
}

/// Arguments of `(sites Around …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    /// Kind of site.
    pub kind: SiteType,
    /// Around what.
    pub at: Region,
    /// Which neighbours.
    pub filter: Option<Neighbour>,
    /// At this distance.
    pub distance: Int,
    /// In these directions.
    pub dir: Dir,
    /// Only if.
    pub cond: Option<Bool>,
    /// The centre as well.
    pub include_self: Bool,
    /// By centre, its neighbours, where no position changes them.
    pub known: Memo<Vec<SiteSet>>,
}

/// What a neighbour must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Nothing.
    Empty,
    /// Something.
    NotEmpty,
    /// A piece of the mover.
    Own,
    /// No piece of the mover.
    NotOwn,
    /// A piece of an enemy.
    Enemy,
    /// No piece of an enemy.
    NotEnemy,
}

/// Arguments of `(sites Direction …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SitesDirection {
    /// From where.
    pub from: Region,
    /// Where to.
    pub dirs: Directions,
    /// The start as well.
    pub included: Bool,
    /// Where to stop.
    pub stop: Bool,
    /// The stop as well.
    pub stop_included: Bool,
    /// How far.
    pub distance: Int,
    /// Kind of site.
    pub kind: SiteType,
}

/// Arguments of `(sites Between …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SitesBetween {
    /// Kind of site.
    pub kind: SiteType,
    /// Along which directions.
    pub dirs: Directions,
    /// One end.
    pub from: Int,
    /// That end as well.
    pub from_included: Bool,
    /// The other end.
    pub to: Int,
    /// That end as well.
    pub to_included: Bool,
    /// Only if.
    pub cond: Bool,
}

/// Arguments of `(forEach Level …)` as a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Int,
    /// From the bottom.
    pub from_bottom: bool,
    /// Only if.
    pub cond: Option<Bool>,
    /// From this level.
    pub start: Int,
}

/// What a line of sight gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All empty sites up to the first piece.
    Empty,
    /// The farthest empty site.
    Farthest,
    /// The first piece.
    Piece,
}

/// Which site of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePart {
    /// Where it starts.
    From,
    /// What it passes.
    Between,
    /// Where it ends.
    To,
}
