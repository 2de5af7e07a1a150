//! The moves, effects, starting and end rules of the typed form.

use super::ir::{Bool, Directions, HiddenData, Int, Ints, Range, Region, Turn, Who};
use super::topo::{Dir, SiteType};

/// A generator of moves, or an effect: both give a list of moves.
#[derive(Clone, Debug)]
pub struct Moves {
    /// What it does.
    pub kind: MovesKind,
    /// What follows each of its moves (an index into the game's consequences).
    pub then: Option<u32>,
}

/// The kinds of move generator and effect. `decision` marks moves that a player decides.
#[derive(Clone, Debug)]
pub enum MovesKind {
    /// All moves of all of them; `(or …)` and `(and …)` alike.
    All(Vec<Moves>),
    /// One after the other, each seeing what the earlier did.
    Seq(Vec<Moves>),
    /// One move made of all.
    Append(Box<Moves>),
    /// `(if c a b)`.
    If(Box<Bool>, Box<Moves>, Option<Box<Moves>>),
    /// Every pair.
    Combine(Box<Moves>, Box<Moves>),
    /// The first that has moves.
    Priority(Vec<Moves>),
    /// `(do …)`.
    Do(Box<Do>),
    /// `(max Moves …)`.
    MaxMoves(Box<Moves>, Box<Bool>),
    /// `(max Captures …)`.
    MaxCaptures(Box<Moves>, Box<Bool>),
    /// `(max Distance …)`.
    MaxDistance(Box<Moves>, Option<Box<str>>, Option<Box<Int>>),
    /// `(firstMoveOnTrack …)`.
    FirstOnTrack(Box<Moves>, Option<Box<str>>, Option<Box<Int>>),
    /// `(while c moves)`.
    While(Box<Bool>, Box<Moves>),
    /// `(avoidStoredState moves)`.
    AvoidStored(Box<Moves>),
    /// `(forEach Piece …)`.
    ForEachPiece(Box<ForEachPiece>),
    /// `(forEach Site …)`.
    ForEachSite(Box<Region>, Box<Moves>, Option<Box<Moves>>),
    /// `(forEach Player …)`.
    ForEachPlayer(Option<Box<Ints>>, Box<Moves>),
    /// `(forEach Value …)`.
    ForEachValue(Box<Values>, Box<Moves>),
    /// `(forEach Die …)`.
    ForEachDie(Box<ForEachDie>),
    /// `(forEach Direction …)`.
    ForEachDirection(Box<ForEachDirection>),
    /// `(forEach Group …)`.
    ForEachGroup(Box<super::ir::Groups>, Box<Moves>),
    /// `(forEach Level …)`.
    ForEachLevel(Option<SiteType>, Box<Int>, bool, Box<Moves>),
    /// `(forEach Team …)`.
    ForEachTeam(Box<Moves>),
    /// `(add …)`, `(claim …)`.
    Add(Box<Add>),
    /// `(step …)`.
    Step(Box<Step>),
    /// `(slide …)`.
    Slide(Box<Slide>),
    /// `(hop …)`.
    Hop(Box<Hop>),
    /// `(leap …)`.
    Leap(Box<Leap>),
    /// `(fromTo …)`.
    FromTo(Box<FromTo>),
    /// `(shoot …)`.
    Shoot(Box<Shoot>),
    /// `(remove …)`.
    Remove(Box<Remove>),
    /// `(promote …)`.
    Promote(Box<Promote>),
    /// `(select …)`.
    Select(Box<Select>),
    /// `(pass)`.
    Pass {
        /// A player's decision.
        decision: bool,
    },
    /// `(propose …)` and `(vote …)`.
    Message {
        /// A vote rather than a proposal.
        vote: bool,
        /// Texts, by index.
        texts: Vec<u16>,
        /// A player's decision.
        decision: bool,
    },
    /// `(bet …)`.
    Bet(Box<Int>, Box<Range>, bool),
    /// `(sow …)`.
    Sow(Box<Sow>),
    /// `(custodial …)`.
    Custodial(Box<Custodial>),
    /// `(intervene …)`.
    Intervene(Box<Custodial>),
    /// `(surround …)`.
    Surround(Box<Surround>),
    /// `(enclose …)`.
    Enclose(Box<Enclose>),
    /// `(directional …)`.
    Directional(Box<Directional>),
    /// `(attract …)`.
    Attract(SiteType, Box<Int>, Dir),
    /// `(push …)`.
    Push(SiteType, Box<Int>, Box<Directions>),
    /// `(flip …)`.
    Flip(Option<SiteType>, Box<Int>),
    /// `(moveAgain)`.
    MoveAgain,
    /// `(roll)`.
    Roll,
    /// `(addScore …)`.
    AddScore(Vec<Who>, Vec<Int>),
    /// `(set Score …)`.
    SetScore(Who, Box<Int>),
    /// `(set Value Player …)`.
    SetPlayerValue(Who, Box<Int>),
    /// `(set Counter n)`.
    SetCounter(Box<Int>),
    /// `(set Pot n)`.
    SetPot(Box<Int>),
    /// `(set Var name n)`.
    SetVar(u16, Box<Int>),
    /// `(set Pending …)`.
    SetPending(Option<Box<Region>>),
    /// `(set NextPlayer …)`.
    SetNextPlayer {
        /// Who.
        who: Ints,
        /// A player's decision.
        decision: bool,
    },
    /// `(set State …)`.
    SetState(SetSite),
    /// `(set Count …)`.
    SetCount(SetSite),
    /// `(set Value …)`.
    SetValue(SetSite),
    /// `(set Rotation …)`.
    SetRotation(Box<SetRotation>),
    /// `(set Hidden …)`.
    SetHidden(Box<SetHidden>),
    /// `(set Team …)`.
    SetTeam(Box<Int>, Vec<Int>),
    /// `(remember Value …)`.
    Remember(Option<Box<str>>, Box<Int>, Box<Bool>),
    /// `(forget Value …)`; nothing: all.
    Forget(Option<Box<str>>, Option<Box<Int>>),
    /// `(remember State)`.
    RememberState,
    /// `(swap Pieces a b)`.
    SwapPieces(Box<Int>, Box<Int>, bool),
    /// `(swap Players a b)`.
    SwapPlayers(Box<Int>, Box<Int>, bool),
    /// `(take Control …)`.
    TakeControl(Box<TakeControl>),
    /// `(trigger event player)`.
    Trigger(Box<str>, Box<Int>),
    /// `(note …)`.
    Note(Box<Note>),
    /// Nothing at all.
    None,
}

/// `(do prior next: ifAfterwards:)`.
#[derive(Clone, Debug)]
pub struct Do {
    /// First this.
    pub prior: Moves,
    /// Then these.
    pub next: Option<Moves>,
    /// Only moves that leave this true.
    pub if_afterwards: Option<Bool>,
}

/// `(forEach Piece …)`.
#[derive(Clone, Debug)]
pub struct ForEachPiece {
    /// Kind of site.
    pub on: Option<SiteType>,
    /// Only pieces whose name (without number) is among these.
    pub items: Vec<Box<str>>,
    /// In which container.
    pub container: Int,
    /// These moves instead of the piece's own.
    pub moves: Option<Moves>,
    /// Whose pieces.
    pub player: Int,
    /// Pieces of every player (`All` or `Each`).
    pub everybody: bool,
    /// Only top pieces of stacks.
    pub top: Bool,
}

/// Values to run through.
#[derive(Clone, Debug)]
pub enum Values {
    /// From least to greatest.
    Range(Int, Int),
    /// These.
    List(Ints),
}

/// `(forEach Die …)`.
#[derive(Clone, Debug)]
pub struct ForEachDie {
    /// Which set of dice.
    pub dice: Int,
    /// Sums of dice as well.
    pub combined: Bool,
    /// Doubles count twice.
    pub replay_double: Bool,
    /// Which dice.
    pub cond: Bool,
    /// What to do.
    pub moves: Moves,
}

/// `(forEach Direction …)`.
#[derive(Clone, Debug)]
pub struct ForEachDirection {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// From where.
    pub from: Int,
    /// Which way.
    pub dirs: Directions,
    /// How far.
    pub distance: Range,
    /// What must hold between.
    pub between: Option<Bool>,
    /// What must hold at the end.
    pub to: Option<Bool>,
    /// What to do.
    pub moves: Moves,
}

/// `(add …)` and `(claim …)`.
#[derive(Clone, Debug)]
pub struct Add {
    /// Which pieces.
    pub what: Vec<Int>,
    /// Their state.
    pub state: Option<Int>,
    /// Kind of site.
    pub kind: SiteType,
    /// Where: one site …
    pub site: Option<Int>,
    /// … or several.
    pub region: Option<Region>,
    /// At this level of a stack.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Option<Bool>,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Only then.
    pub effect_if: Option<Bool>,
    /// How many.
    pub count: Int,
    /// A player's decision.
    pub decision: bool,
}

/// The `(from …)` of a moving piece.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Kind of site, as written.
    pub kind: Option<SiteType>,
    /// One site …
    pub site: Int,
    /// … or several.
    pub region: Option<Region>,
    /// From this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Option<Bool>,
}

/// `(step …)`.
#[derive(Clone, Debug)]
pub struct Step {
    /// From where.
    pub from: Origin,
    /// Which way.
    pub dirs: Directions,
    /// Where to.
    pub cond: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(slide …)`.
#[derive(Clone, Debug)]
pub struct Slide {
    /// From where.
    pub from: Origin,
    /// Along this track.
    pub track: Option<Box<str>>,
    /// Which way.
    pub dirs: Directions,
    /// How far.
    pub distance: Range,
    /// What it may pass.
    pub go: Bool,
    /// What stops it, and where it then ends.
    pub stop: Option<Bool>,
    /// Where it may end.
    pub to: Option<Bool>,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// What happens to sites passed.
    pub between: Option<Moves>,
    /// What it leaves behind.
    pub trail: Option<Int>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(hop …)`.
#[derive(Clone, Debug)]
pub struct Hop {
    /// From where.
    pub from: Origin,
    /// Which way.
    pub dirs: Directions,
    /// Where to.
    pub go: Bool,
    /// What it may jump.
    pub hurdle: Option<Bool>,
    /// How far before the hurdle.
    pub before: Int,
    /// Length of the hurdle.
    pub length: Range,
    /// How far after the hurdle.
    pub after: Int,
    /// What happens to the hurdle.
    pub effect: Option<Moves>,
    /// Where it may end by capturing.
    pub stop: Option<Bool>,
    /// What happens there.
    pub stop_effect: Option<Moves>,
    /// Whole stacks.
    pub stack: bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(leap …)`.
#[derive(Clone, Debug)]
pub struct Leap {
    /// From where.
    pub from: Origin,
    /// Along which walks.
    pub walks: Vec<Vec<Turn>>,
    /// Only ahead.
    pub forward: Bool,
    /// In all rotations.
    pub rotations: Bool,
    /// Where to.
    pub go: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// A player's decision.
    pub decision: bool,
}

/// `(fromTo …)`.
#[derive(Clone, Debug)]
pub struct FromTo {
    /// From where.
    pub from: Origin,
    /// Kind of the site to move to, as written.
    pub to_kind: Option<SiteType>,
    /// Where to: one site …
    pub to: Int,
    /// … or several.
    pub to_region: Option<Region>,
    /// To this level.
    pub to_level: Option<Int>,
    /// With each of these rotations.
    pub rotations: Option<Ints>,
    /// Only if.
    pub cond: Bool,
    /// What comes with it.
    pub effect: Option<Moves>,
    /// Only then.
    pub effect_if: Option<Bool>,
    /// How many pieces.
    pub count: Option<Int>,
    /// Copy rather than move.
    pub copy: Bool,
    /// Whole stacks.
    pub stack: bool,
    /// Whose move it is.
    pub mover: Option<Int>,
    /// A player's decision.
    pub decision: bool,
}

/// `(shoot …)`.
#[derive(Clone, Debug)]
pub struct Shoot {
    /// What it leaves.
    pub what: Int,
    /// From where.
    pub from: Int,
    /// Kind of site.
    pub kind: SiteType,
    /// Which way.
    pub dir: Dir,
    /// What it may pass.
    pub go: Bool,
    /// Where it may end.
    pub to: Bool,
    /// A player's decision.
    pub decision: bool,
}

/// `(remove …)`.
#[derive(Clone, Debug)]
pub struct Remove {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Region,
    /// At this level.
    pub level: Option<Int>,
    /// At the end of the turn.
    pub later: bool,
    /// How many.
    pub count: Int,
    /// A player's decision.
    pub decision: bool,
}

/// `(promote …)`.
#[derive(Clone, Debug)]
pub struct Promote {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Int,
    /// Into what.
    pub into: Into_,
    /// A player's decision.
    pub decision: bool,
}

/// Pieces to promote into.
#[derive(Clone, Debug)]
pub enum Into_ {
    /// These.
    Pieces(Vec<Int>),
    /// Pieces whose name contains one of these, of this player.
    Named(Vec<Box<str>>, Int),
}

/// `(select …)`.
#[derive(Clone, Debug)]
pub struct Select {
    /// Kind of the first site.
    pub kind: SiteType,
    /// From where.
    pub from: Region,
    /// At this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Bool,
    /// The second site.
    pub to: Option<SelectTo>,
    /// Whose move it is.
    pub mover: Option<Int>,
    /// A player's decision.
    pub decision: bool,
}

/// The second site of `(select …)`.
#[derive(Clone, Debug)]
pub struct SelectTo {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub region: Region,
    /// At this level.
    pub level: Option<Int>,
    /// Only if.
    pub cond: Bool,
}

/// `(sow …)`.
#[derive(Clone, Debug)]
pub struct Sow {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub start: Int,
    /// How many; what lies there by default.
    pub count: Option<Int>,
    /// How many per hole.
    pub per_hole: Int,
    /// Along which track.
    pub track: Option<Box<str>>,
    /// Whose track.
    pub owner: Option<Int>,
    /// When the effect applies.
    pub cond: Option<Bool>,
    /// At every hole.
    pub sow_effect: Option<Moves>,
    /// At the last hole.
    pub effect: Option<Moves>,
    /// The start is sown as well.
    pub include_self: bool,
    /// A seed first goes to the start.
    pub origin: Bool,
    /// Holes to leave out.
    pub skip: Option<Bool>,
    /// The effect goes back along the track while the condition holds.
    pub backtracking: Option<Bool>,
    /// The effect goes on along the track while the condition holds.
    pub forward: Option<Bool>,
}

/// `(custodial …)` and `(intervene …)`.
#[derive(Clone, Debug)]
pub struct Custodial {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which way.
    pub dir: Dir,
    /// How many are caught.
    pub length: Range,
    /// What is caught.
    pub target: Bool,
    /// What catches.
    pub friend: Bool,
    /// What happens to them.
    pub effect: Moves,
}

/// `(surround …)`.
#[derive(Clone, Debug)]
pub struct Surround {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which neighbours surround.
    pub relation: Dir,
    /// What is caught.
    pub target: Bool,
    /// What catches.
    pub friend: Bool,
    /// How many may be missing.
    pub except: Int,
    /// A piece that must take part.
    pub with: Option<Int>,
    /// What happens to the caught.
    pub effect: Moves,
}

/// `(enclose …)`.
#[derive(Clone, Debug)]
pub struct Enclose {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Connection.
    pub dirs: Directions,
    /// What is caught.
    pub target: Bool,
    /// How many liberties may be left.
    pub exceptions: Int,
    /// What happens to the caught.
    pub effect: Moves,
}

/// `(directional …)`.
#[derive(Clone, Debug)]
pub struct Directional {
    /// Kind of site.
    pub kind: SiteType,
    /// From where.
    pub from: Int,
    /// Which way.
    pub dirs: Directions,
    /// What is caught.
    pub target: Bool,
    /// What happens to them.
    pub effect: Moves,
}

/// Setting one number of a site.
#[derive(Clone, Debug)]
pub struct SetSite {
    /// Kind of site.
    pub kind: Option<SiteType>,
    /// Where.
    pub at: Int,
    /// At this level.
    pub level: Option<Int>,
    /// To this.
    pub value: Int,
}

/// `(set Rotation …)`.
#[derive(Clone, Debug)]
pub struct SetRotation {
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Int,
    /// To any of these.
    pub to: Vec<Int>,
    /// One back.
    pub previous: Option<Bool>,
    /// One on.
    pub next: Option<Bool>,
    /// A player's decision.
    pub decision: bool,
}

/// `(set Hidden …)`.
#[derive(Clone, Debug)]
pub struct SetHidden {
    /// What is hidden.
    pub data: Vec<HiddenData>,
    /// Kind of site.
    pub kind: SiteType,
    /// Where.
    pub at: Region,
    /// At this level.
    pub level: Int,
    /// Hidden or shown.
    pub value: Bool,
    /// To whom.
    pub to: Who,
}

/// `(take Control …)`.
#[derive(Clone, Debug)]
pub struct TakeControl {
    /// Of whose pieces.
    pub of: Who,
    /// Who takes.
    pub by: Int,
    /// Where.
    pub at: Option<Region>,
    /// Kind of site.
    pub kind: Option<SiteType>,
}

/// `(note …)`.
#[derive(Clone, Debug)]
pub struct Note {
    /// The message, where it is fixed.
    pub text: NoteText,
    /// From whom.
    pub from: Option<Int>,
    /// To whom.
    pub to: Option<Who>,
}

/// What a note says.
#[derive(Clone, Debug)]
pub enum NoteText {
    /// A text.
    Text(Box<str>),
    /// A number.
    Int(Int),
}

/// A starting rule.
#[derive(Clone, Debug)]
pub enum Start {
    /// Pieces on sites.
    Place(Box<Place>),
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
    /// `(place Random …)` on sites.
    Random(Box<PlaceRandom>),
    /// `(place Random …)` on one stack.
    RandomStack(Box<RandomStack>),
}

/// `(place …)`.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub enum EndResult {
    /// `(result role outcome)`.
    Result(EndWho, Outcome),
    /// `(byScore …)`.
    ByScore(Vec<(Int, Int)>, Bool),
    /// `(payoffs …)`.
    Payoffs(Vec<(Int, f64)>),
}

/// Whose result.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct NextPhase {
    /// For whom; nobody: everybody.
    pub who: Option<Int>,
    /// When.
    pub cond: Bool,
    /// Which; nothing: the one after.
    pub to: Option<usize>,
}
