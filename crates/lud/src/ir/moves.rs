//! Generators of moves, and how they are combined.

use super::{
    Add, Bool, Custodial, Directional, Directions, Enclose, Float, FromTo, Groups, Hop, Int, Ints,
    Leap, Note, Promote, Range, Region, Remove, Select, SetHidden, SetRotation, SetSite, Shoot,
    Slide, Sow, Step, Surround, TakeControl, Who,
};
use crate::memo::Memo;
use crate::topo::{Dir, SiteType};

/// A generator of moves, or an effect: both give a list of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Moves {
    /// What it does.
    pub kind: MovesKind,
    /// What follows each of its moves (an index into the game's consequences).
    pub then: Option<u32>,
}

/// The kinds of move generator and effect. `decision` marks moves that a player decides.
#[derive(Clone, Debug, PartialEq)]
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
    /// `(satisfy …)`: values of a puzzle.
    Satisfy,
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
    ForEachGroup(Box<Groups>, Box<Moves>),
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
    /// `(take Domino)`.
    TakeDomino,
    /// `(deal …)`.
    Deal(Box<Deal>),
    /// `(playCard)`.
    PlayCard {
        /// A player's decision.
        decision: bool,
    },
    /// `(set TrumpSuit …)`.
    SetTrumpSuit {
        /// Any of these.
        suits: Ints,
        /// A player's decision.
        decision: bool,
    },
    /// `(random {…} {…})`: the moves of one of several generators, each with its weight.
    RandomOne(Vec<(Float, Moves)>),
    /// `(random moves num:)`: so many of the moves, each drawn from all of them.
    RandomSome(Box<Moves>, Box<Int>),
    /// `(trigger event player)`.
    Trigger(Box<str>, Box<Int>),
    /// `(note …)`.
    Note(Box<Note>),
    /// Nothing at all.
    None,
}

/// `(deal …)` as an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Deal {
    /// What is dealt.
    pub what: Dealt,
    /// How many each player gets.
    pub count: Int,
    /// Who gets the first card.
    pub first: Option<Int>,
}

/// What may be dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealt {
    /// Cards of the deck.
    Cards,
    /// Dominoes.
    Dominoes,
}

/// `(do prior next: ifAfterwards:)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Do {
    /// First this.
    pub prior: Moves,
    /// Then these.
    pub next: Option<Moves>,
    /// Only moves that leave this true.
    pub if_afterwards: Option<Bool>,
}

/// `(forEach Piece …)`.
#[derive(Clone, Debug, PartialEq)]
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
    /// The components meant, by owner.
    pub meant: Memo<Vec<Vec<u16>>>,
}

impl ForEachPiece {
    /// Whether pieces of this name are among those run through.
    pub fn means(&self, name: &str) -> bool {
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        self.items.is_empty() || self.items.iter().any(|item| &**item == bare)
    }
}

/// Values to run through.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// From least to greatest.
    Range(Int, Int),
    /// These.
    List(Ints),
}

/// `(forEach Die …)`.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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
