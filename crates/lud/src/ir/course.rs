//! The course of a game: how it starts, its phases, how it ends.

use super::{Bool, Float, Int, Ints, Moves, Region, SetHidden};
use crate::topo::SiteType;

/// A starting rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Pieces on sites.
    Place(Box<Place>),
    /// `(set {…})`: values of a puzzle that are given.
    Assign(SiteType, Vec<(i32, i32)>),
    /// `(set Count …)`.
    SetCount(SiteType, Region, Int),
    /// `(set Score …)`.
    SetScore(Vec<Int>, Int),
    /// `(set Amount …)`.
    SetAmount(Vec<Int>, Int),
    /// `(set Cost …)`.
    SetCost(SiteType, Region, Int),
    /// `(set Phase …)`.
    SetPhase(SiteType, Region, Int),
    /// `(set RememberValue …)`.
    Remember(Option<Box<str>>, Ints, Bool),
    /// `(set Team …)`.
    SetTeam(i32, Vec<i32>),
    /// `(set Hidden …)`.
    SetHidden(Box<SetHidden>),
    /// `(set P1 sites)`.
    SetOwner(Int, SiteType, Region),
    /// `(forEach Value …)`.
    ForEachValue(Int, Int, Box<Start>),
    /// `(forEach Site …)`.
    ForEachSite(Region, Option<Bool>, Box<Start>),
    /// `(forEach Player …)`.
    ForEachPlayer(Option<Ints>, Box<Start>),
    /// `(forEach Team …)`.
    ForEachTeam(Box<Start>),
    /// `(deal Dominoes n)`: so many to each of two players.
    Deal(i32),
    /// `(deal Cards n)`: so many from the deck to each player.
    DealCards(i32),
    /// `(split Deck)`: the whole deck is dealt.
    SplitDeck,
    /// `(place Random …)` on sites.
    Random(Box<PlaceRandom>),
    /// `(place Random …)` on one stack.
    RandomStack(Box<RandomStack>),
}

/// `(place …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which pieces, bottom first.
    pub what: Vec<u16>,
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: PlaceAt,
    /// How many, for each site.
    pub counts: Vec<Int>,
    /// State.
    pub state: Option<Int>,
    /// Rotation.
    pub rotation: Option<Int>,
    /// Value.
    pub value: Option<Int>,
    /// As a stack.
    pub stack: bool,
}

/// Where starting pieces go.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceAt {
    /// One site.
    Site(Int),
    /// Several sites in order.
    Sites(Vec<Int>),
    /// A region.
    Region(Region),
    /// The next free site of a container.
    Container(usize),
}

/// `(place Random …)` on sites.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceRandom {
    /// Where.
    pub region: Region,
    /// Which pieces.
    pub what: Vec<u16>,
    /// How many of each.
    pub count: Int,
    /// State.
    pub state: Option<Int>,
    /// Value.
    pub value: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
    /// The pieces come in any order.
    pub shuffled: bool,
}

/// `(place Random …)` on one stack.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomStack {
    /// Which pieces, and how many of each.
    pub what: Vec<(u16, Option<Int>)>,
    /// Where.
    pub at: Int,
    /// State.
    pub state: Option<Int>,
    /// Value.
    pub value: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
}

/// An end rule.
#[derive(Clone, Debug, PartialEq)]
pub enum EndRule {
    /// `(if c result)` or `(if c {…})`.
    If(Bool, Vec<EndRule>, Option<EndResult>),
    /// `(forEach Player if: result)`.
    ForEachPlayer {
        /// Leave the mover out.
        non_mover: bool,
        /// For whom.
        cond: Bool,
        /// What happens.
        result: EndResult,
    },
    /// `(forEach Track if: result)`.
    ForEachTrack(Bool, EndResult),
}

/// How a game ends.
#[derive(Clone, Debug, PartialEq)]
pub enum EndResult {
    /// `(result role outcome)`.
    Result(EndWho, Outcome),
    /// `(byScore …)`.
    ByScore(Vec<(Int, Int)>, Bool),
    /// `(payoffs …)`.
    Payoffs(Vec<(Int, Float)>),
}

/// Whose result.
#[derive(Clone, Debug, PartialEq)]
pub enum EndWho {
    /// Everybody.
    All,
    /// The player this number gives.
    Player(Int),
    /// A team.
    Team(Int),
}

/// An outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Tied.
    Tie,
    /// Given up.
    Abandon,
}

/// A phase of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Its name.
    pub name: Box<str>,
    /// Whose phase; nobody: everybody's.
    pub owner: Option<i32>,
    /// What players may do.
    pub play: Moves,
    /// How the game ends in this phase.
    pub end: Vec<EndRule>,
    /// Where it leads.
    pub next: Vec<NextPhase>,
}

/// The way into another phase.
#[derive(Clone, Debug, PartialEq)]
pub struct NextPhase {
    /// For whom; nobody: everybody.
    pub who: Option<Int>,
    /// When.
    pub cond: Bool,
    /// Which; nothing: the one after.
    pub to: Option<usize>,
}
