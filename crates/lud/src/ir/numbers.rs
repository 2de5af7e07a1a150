//! Numbers and lists of numbers.

use super::{Bool, Directions, Float, Region, Relation, Who};
use crate::memo::Memo;
use crate::topo::{Dir, SiteType};

/// A whole-number function.
#[derive(Clone, Debug, PartialEq)]
pub enum Int {
    /// A constant.
    Const(i32),
    /// `(from)`.
    From,
    /// `(to)`.
    To,
    /// `(between)`.
    Between,
    /// `(site)`.
    Site,
    /// `(level)`.
    Level,
    /// `(value)`.
    Value,
    /// `(pips)`.
    Pips,
    /// `(player)`.
    Player,
    /// `(track)`.
    Track,
    /// `(edge)`.
    Edge,
    /// `(edge a b)`.
    EdgeOf(Box<Int>, Box<Int>),
    /// `(mover)`.
    Mover,
    /// `(next)`.
    Next,
    /// `(prev)`.
    Prev,
    /// `(prev MoverLastTurn)`.
    PrevTurn,
    /// The team of the mover.
    TeamMover,
    /// `(counter)`.
    Counter,
    /// `(var name)`.
    Var(u16),
    /// `(pot)`.
    Pot,
    /// `(score player)`.
    Score(Box<Int>),
    /// `(matchScore player)`.
    MatchScore(Box<Int>),
    /// `(count Trials)`.
    Trials,
    /// `(amount player)`.
    Amount(Box<Int>),
    /// `(value Player p)`.
    PlayerValue(Box<Int>),
    /// `(value Pending)`.
    PendingValue,
    /// `(value MoveLimit)` and `(value TurnLimit)` are constants after lowering.
    LastFrom {
        /// After the consequences.
        after: bool,
    },
    /// `(last To)`.
    LastTo {
        /// After the consequences.
        after: bool,
    },
    /// `(last LevelFrom)`.
    LastLevelFrom,
    /// `(last LevelTo)`.
    LastLevelTo,
    /// A channel of a site.
    At(Channel, Option<SiteType>, Box<Int>, Option<Box<Int>>),
    /// Number of pieces on sites.
    CountAt(Option<SiteType>, Box<Region>),
    /// Size of stacks.
    StackSize(Option<SiteType>, Box<Region>),
    /// `(topLevel at:)`.
    TopLevel(Option<SiteType>, Box<Int>),
    /// `(count Pieces …)`.
    CountPieces(Box<CountPieces>),
    /// `(count Pips)`.
    CountPips(Box<Int>),
    /// `(count Turns)`.
    Turns,
    /// `(count Moves)`.
    Moves,
    /// `(count MovesThisTurn)`.
    MovesThisTurn,
    /// `(count Active)`.
    Active,
    /// `(count LegalMoves)`.
    LegalMoves,
    /// `(count Sites in:)`.
    CountSites(Box<Region>),
    /// Number of neighbours of a site by relation.
    CountNear(Relation, SiteType, Box<Region>),
    /// `(count Groups …)`.
    CountGroups(Box<Groups>, Box<Int>),
    /// `(count SizeBiggestGroup …)`.
    BiggestGroup(Box<Groups>),
    /// `(count Pieces "Bag")`: dominoes that are left.
    DominoesLeft,
    /// `(count SizeBiggestLine …)`.
    BiggestLine(SiteType, Dir, Box<Bool>),
    /// `(pathExtent …)`: of a colour, from these sites.
    PathExtent(Box<Int>, Box<Region>),
    /// `(size Group at:)`.
    GroupSize(Box<GroupAt>),
    /// `(count SitesPlatformBelow …)`: of this player, or of these pieces.
    PlatformBelow(Box<Int>, Option<Box<Who>>, Vec<Int>),
    /// `(count Liberties at:)`.
    Liberties(Box<GroupAt>),
    /// `(count Steps a b)` by board distance.
    Steps(SiteType, Relation, Box<Int>, Box<Region>),
    /// `(count Value v in:)`.
    CountValue(Box<Int>, Box<Ints>),
    /// `(count Stack …)`.
    CountStack(Box<CountStack>),
    /// `(count StepsOnTrack …)`.
    StepsOnTrack(Box<TrackOf>, Box<Int>, Box<Int>),
    /// `(size Array …)`.
    SizeArray(Box<Ints>),
    /// `(size Territory …)`.
    Territory(SiteType, Box<Int>, Dir),
    /// `(arrayValue array index:)`.
    ArrayValue(Box<Ints>, Box<Int>),
    /// `(regionSite region index:)`.
    RegionSite(Box<Region>, Box<Int>),
    /// `(ahead site steps: dir)`.
    Ahead(SiteType, Box<Int>, Box<Int>, Box<Directions>),
    /// `(column of:)`.
    Column(SiteType, Box<Int>),
    /// `(row of:)`.
    Row(SiteType, Box<Int>),
    /// `(layer of:)`.
    Layer(SiteType, Box<Int>),
    /// `(phase of:)`.
    PhaseOf(SiteType, Box<Int>),
    /// `(coord row: column:)`.
    Coord(SiteType, Box<Int>, Box<Int>),
    /// `(handSite player index)`.
    HandSite(Box<Int>, Box<Int>),
    /// `(id name role)`: the piece of that name of a player.
    PieceOf(Box<str>, Box<Int>),
    /// `(mapEntry name key)`.
    MapEntry(Option<Box<str>>, Box<Int>, Memo<Vec<i32>>),
    /// `(where …)`.
    Where(Box<Where>),
    /// `(where Level …)`.
    WhereLevel(Box<WhereLevel>),
    /// `(trackSite Move …)`.
    TrackMove(Box<TrackOf>, Option<Box<Int>>, Box<Int>),
    /// `(trackSite EndSite …)`.
    TrackEnd(Option<Box<Int>>, Option<Box<str>>),
    /// `(trackSite FirstSite …)`.
    TrackFirst(Box<TrackOf>, Option<Box<Int>>, Option<Box<Bool>>),
    /// `(face site)`.
    Face(Box<Int>),
    /// `(cost at:)`.
    Cost(SiteType, Box<Region>),
    /// Arithmetic of two numbers.
    Binary(Op, Box<Int>, Box<Int>),
    /// Sum of numbers.
    Sum(Box<Ints>),
    /// Product of numbers.
    Product(Box<Ints>),
    /// Largest of numbers.
    MaxOf(Box<Ints>),
    /// Smallest of numbers.
    MinOf(Box<Ints>),
    /// `(abs n)`.
    Abs(Box<Int>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Int>, Box<Int>),
    /// `(toInt cond)`.
    OfBool(Box<Bool>),
    /// `(toInt number)`: without what is behind the point.
    OfFloat(Box<Float>),
    /// `(value Random range)`.
    Random(Box<Int>, Box<Int>),
    /// `(from at:StartOfTurn)`: where the first move of the turn started.
    TurnFrom,
    /// `(card Rank …)` and the like.
    Card(CardPart, Box<Int>, Option<Box<Int>>),
    /// `(card TrumpSuit)`.
    TrumpSuit,
    /// `(size LargePiece …)`.
    LargePieceSize(SiteType, Box<Region>),
    /// `(count Steps (step …) a b)`.
    StepsBy(Box<StepsBy>, Box<Region>),
}

/// A walk by steps of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsBy {
    /// Kind of site.
    pub kind: SiteType,
    /// Which way.
    pub dirs: Directions,
    /// Where to.
    pub cond: Bool,
    /// The rotation after a step, from the one before as `(value)`.
    pub rotation: Option<Int>,
    /// From where.
    pub from: Int,
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder.
    Mod,
    /// Power.
    Pow,
    /// Larger.
    Max,
    /// Smaller.
    Min,
}

impl Int {
    /// What puts several numbers together, and these, where they are known one by one.
    pub fn gathered(&self) -> Option<(Op, &[Int])> {
        let (op, list) = match self {
            Int::Sum(list) => (Op::Add, list),
            Int::Product(list) => (Op::Mul, list),
            Int::MaxOf(list) => (Op::Max, list),
            Int::MinOf(list) => (Op::Min, list),
            _ => return None,
        };
        match &**list {
            Ints::List(all) if !all.is_empty() => Some((op, all)),
            _ => None,
        }
    }
}

/// What can be asked of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The piece.
    What,
    /// Its owner.
    Who,
    /// Its state.
    State,
    /// Its rotation.
    Rotation,
    /// Its value.
    Value,
}

/// Arguments of `(count Pieces …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CountPieces {
    /// Only on sites of this kind.
    pub kind: Option<SiteType>,
    /// Whose.
    pub who: Who,
    /// Pieces with these indices.
    pub what: Option<Vec<u16>>,
    /// Only here.
    pub within: Option<Region>,
    /// Only if.
    pub cond: Option<Bool>,
}

/// Groups of connected sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Kind of site.
    pub kind: SiteType,
    /// Connection.
    pub dirs: Directions,
    /// Which sites take part.
    pub cond: Option<Bool>,
    /// Only those that start here.
    pub within: Option<Region>,
    /// Only what can be seen from above, on pyramids.
    pub visible: bool,
}

/// The group at a site.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupAt {
    /// Kind of site.
    pub kind: SiteType,
    /// Where it starts.
    pub at: Region,
    /// Connection.
    pub dirs: Directions,
    /// Which sites take part; by default those with the same owner or piece.
    pub cond: Option<Bool>,
    /// Only what can be seen from above, on pyramids.
    pub visible: bool,
}

/// Arguments of `(count Stack …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CountStack {
    /// From the bottom rather than from the top.
    pub from_bottom: bool,
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Region,
    /// What counts.
    pub cond: Bool,
    /// When to stop.
    pub stop: Bool,
}

/// A track by owner and name.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackOf {
    /// Whose track.
    pub player: Int,
    /// Part of its name.
    pub name: Option<Box<str>>,
    /// The track of each player.
    pub found: Memo<Vec<Option<usize>>>,
}

impl TrackOf {
    /// The track of a player by part of its name.
    pub fn new(player: Int, name: Option<Box<str>>) -> Self {
        TrackOf { player, name, found: Memo::default() }
    }
}

/// Arguments of `(where …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Where {
    /// Part of the name and the owner, or the piece itself.
    pub piece: PieceRef,
    /// With this state.
    pub state: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
}

/// A piece by name and owner, or by index.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceRef {
    /// Pieces whose name contains this, of this player.
    Named(Box<str>, Int),
    /// The piece this number gives.
    Index(Int),
}

/// Arguments of `(where Level …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct WhereLevel {
    /// Which piece.
    pub piece: PieceRef,
    /// With this state.
    pub state: Option<Int>,
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Int,
    /// From the top.
    pub from_top: Bool,
}

/// A list of numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Ints {
    /// Each by itself.
    List(Vec<Int>),
    /// The sites of a region.
    Region(Box<Region>),
    /// First without second.
    Difference(Box<Ints>, Box<Ints>),
    /// In all.
    Intersection(Vec<Ints>),
    /// In any.
    Union(Vec<Ints>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Ints>, Option<Box<Ints>>),
    /// Players of a role that satisfy a condition.
    Players(PlayerSet, Option<Box<Int>>, Option<Box<Bool>>),
    /// `(sizes Group …)`.
    Sizes(Box<Groups>, Box<Who>, Box<Int>, bool),
    /// `(values Remembered name)`.
    Remembered(Option<Box<str>>),
    /// `(results from: to: f)`.
    Results(Box<Region>, Box<Region>, Box<Int>),
    /// `(team)`.
    Team,
    /// `(rotations …)`.
    Rotations(Vec<i32>),
}

/// Named sets of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerSet {
    /// Everybody.
    All,
    /// Not the mover.
    NonMover,
    /// Enemies of a player.
    Enemy,
    /// Friends of a player, the player included.
    Friend,
    /// Friends of a player, the player left out.
    Ally,
    /// A team by number.
    Team(i32),
}

/// What may be asked of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardPart {
    /// Its suit.
    Suit,
    /// Its rank.
    Rank,
    /// Its rank as trump.
    TrumpRank,
    /// Its value as trump.
    TrumpValue,
}
