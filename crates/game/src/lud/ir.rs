//! The compact typed form of a game's rules: what lowering produces and the evaluator runs.

use super::sites::SiteSet;
use super::topo::{Dir, SiteType};

/// A whole-number function.
#[derive(Clone, Debug)]
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
    /// `(size Group at:)`.
    GroupSize(Box<GroupAt>),
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
    MapEntry(Option<Box<str>>, Box<Int>),
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
    /// `(value Random range)`.
    Random(Box<Int>, Box<Int>),
    /// `(count Steps (step …) a b)`.
    StepsBy(Box<StepsBy>, Box<Region>),
}

/// A walk by steps of a rule.
#[derive(Clone, Debug)]
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

/// Neighbourhood relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Across an edge.
    Orthogonal,
    /// Across a corner.
    Diagonal,
    /// Off-diagonal.
    OffDiagonal,
    /// Touching in any way.
    Adjacent,
    /// Adjacent or off-diagonal.
    All,
}

/// Arguments of `(count Pieces …)`.
#[derive(Clone, Debug)]
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

/// One player by number, or several by role.
#[derive(Clone, Debug)]
pub enum Who {
    /// The player this number gives.
    One(Int),
    /// The players of a role.
    Role(Role),
}

/// Roles that stand for several players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Everybody, nobody and shared.
    All,
    /// Players who are not the mover's friends.
    Enemy,
    /// The mover's team without the mover.
    Ally,
    /// The mover's team.
    Friend,
    /// Players other than the mover.
    NonMover,
    /// A team by number.
    Team(i32),
    /// The mover's team.
    TeamMover,
}

/// Groups of connected sites.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Kind of site.
    pub kind: SiteType,
    /// Connection.
    pub dirs: Directions,
    /// Which sites take part.
    pub cond: Option<Bool>,
}

/// The group at a site.
#[derive(Clone, Debug)]
pub struct GroupAt {
    /// Kind of site.
    pub kind: SiteType,
    /// Where it starts.
    pub at: Region,
    /// Connection.
    pub dirs: Directions,
    /// Which sites take part; by default those with the same owner or piece.
    pub cond: Option<Bool>,
}

/// Arguments of `(count Stack …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct TrackOf {
    /// Whose track.
    pub player: Int,
    /// Part of its name.
    pub name: Option<Box<str>>,
}

/// Arguments of `(where …)`.
#[derive(Clone, Debug)]
pub struct Where {
    /// Part of the name and the owner, or the piece itself.
    pub piece: PieceRef,
    /// With this state.
    pub state: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
}

/// A piece by name and owner, or by index.
#[derive(Clone, Debug)]
pub enum PieceRef {
    /// Pieces whose name contains this, of this player.
    Named(Box<str>, Int),
    /// The piece this number gives.
    Index(Int),
}

/// Arguments of `(where Level …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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

/// A condition.
#[derive(Clone, Debug)]
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
    /// `(is AnyDie n)`.
    AnyDie(Box<Int>),
    /// `(is Line …)`.
    Line(Box<Line>),
    /// `(is Connected …)`.
    Connected(Box<Connected>),
    /// `(is Blocked …)`.
    Blocked(Box<Connected>),
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
    /// `(is Target …)`.
    Target(Vec<i32>, Vec<i32>),
    /// `(is Hidden …)`.
    Hidden(HiddenData, SiteType, Box<Int>, Option<Box<Int>>, Box<Int>),
    /// `(no Moves player)`.
    NoMoves(Who),
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
#[derive(Clone, Debug)]
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
}

/// Through which sites a line must run.
#[derive(Clone, Debug)]
pub enum Through {
    /// Through this site.
    One(Int),
    /// Through any of these.
    Any(Region),
}

/// Arguments of `(is Connected …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub enum Regions {
    /// Written out.
    List(Vec<Region>),
    /// Those of a player's equipment.
    Owned(Int),
    /// Fixed by the board.
    Static(Vec<SiteSet>),
}

/// Arguments of `(is Loop …)` and `(sites Loop …)`.
#[derive(Clone, Debug)]
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

/// Arguments of `(is Threatened …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The walk.
    pub walk: Vec<Turn>,
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which pieces, in turn.
    pub what: Option<Vec<Int>>,
}

/// One element of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A step forward.
    Forward,
    /// A turn to the left.
    Left,
    /// A turn to the right.
    Right,
}

/// A set of sites.
#[derive(Clone, Debug)]
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
    /// `(sites Occupied by: …)`.
    Occupied(Box<Occupied>),
    /// `(sites Hand player)`.
    Hand(Box<Who>),
    /// The owner's regions by name.
    Owned(Box<Int>, Option<Box<str>>),
    /// Regions by name.
    Named(Vec<Region>),
    /// Regions by a name that comes later in the text, or never: then no site.
    Called(Box<str>),
    /// `(sites Row i)`: one of these by index.
    Indexed(Vec<SiteSet>, Box<Int>),
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
    /// `(sites Winning …)`.
    Side(SiteType, Box<Int>),
    /// `(sites Hidden …)`.
    Hidden(HiddenData, SiteType, Box<Int>),
    /// `(sites Support …)` on pyramids.
    Support(SiteType, Box<Int>),
    /// `(last Between)`.
    LastBetween,
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub enum ContainerRef {
    /// By index.
    Index(Int),
    /// By name, resolved.
    Fixed(usize),
    /// The hand of a player whose name contains this.
    Hand(Box<str>, Int),
}

/// Arguments of `(sites Around …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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

/// A range of numbers.
#[derive(Clone, Debug)]
pub struct Range {
    /// The least.
    pub min: Int,
    /// The greatest.
    pub max: Int,
}

/// Directions, absolute or seen from a piece.
#[derive(Clone, Debug)]
pub enum Directions {
    /// Absolute.
    Absolute(Vec<Dir>),
    /// Seen from the piece at the site.
    Relative {
        /// Which.
        dirs: Vec<RelativeDir>,
        /// Among the directions of this relation.
        relation: Relation,
        /// Among the directions of the site itself.
        by_site: bool,
    },
    /// The direction from one site to another.
    FromTo(SiteType, Box<Int>, Box<Int>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Directions>, Box<Directions>),
    /// Union.
    Union(Box<Directions>, Box<Directions>),
    /// First without second.
    Difference(Box<Directions>, Box<Directions>),
}

/// Directions seen from a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelativeDir {
    /// Exactly ahead, or the like, by name.
    Turned(&'static str),
    /// As the last move went.
    Same,
    /// Against the last move.
    Opposite,
}

pub use super::ir_moves::*;
