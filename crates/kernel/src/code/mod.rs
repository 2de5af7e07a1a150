//! The kernel's own small language: what the compiler writes and the machine runs.
//!
//! Nothing in it depends on how many words a set of sites has. Everything that names the mover in the
//! rules has been decided: each player has code of his own.

mod asked;
mod deeds;
mod shapes;
pub mod visit;

pub use asked::Asked;
pub use deeds::{Act, AtLevel, Custodial, Deed, Effect, Run, Surround, Together};
pub use shapes::{Family, Hop, Leaf, Ray, Shape, TrackPath};

use ludex_lud::ir::{Bool, Cmp, Int, Op, Region, Sight};
use ludex_lud::sites::SiteSet;

/// No site.
pub const NOWHERE: i32 = -1;

/// As many leaves as a node may come down to at once.
pub const MAX_ACTIVE: usize = 16;

/// The number of the deed that only passes.
pub const PASS: u16 = 0;
/// The number of the deed that swaps seats.
pub const SWAP: u16 = 1;

/// Values that rules bind while they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Var {
    /// Where a move starts.
    From,
    /// Where it ends.
    To,
    /// What it passes.
    Between,
    /// The site of a loop over sites.
    Site,
    /// The player of a loop over players.
    Player,
}

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub enum Num {
    /// Always the same.
    Const(i32),
    /// A bound value.
    Var(Var),
    /// Who moves next.
    Next,
    /// The kind of throw that lies there.
    Throw,
    /// Who moved before.
    Prev,
    /// Moves since the counter was set.
    Counter,
    /// Moves played.
    Moves,
    /// Turns begun.
    Turns,
    /// Moves of this turn.
    TurnMoves,
    /// Where the last move started.
    LastFrom,
    /// Where the last move ended.
    LastTo,
    /// The pending value, if there is exactly one.
    Pending,
    /// A player's score.
    Score(Box<Num>),
    /// The piece on a site; on top of a stack.
    What(Box<Num>),
    /// The lowest piece of a stack.
    Lowermost(Box<Num>),
    /// Whose it is.
    Who(Box<Num>),
    /// Its state.
    State(Box<Num>),
    /// A number that players or rules keep (by number).
    Note(u8),
    /// How many sites a set has.
    Size(Box<Set>),
    /// How many sites of a row of a table of sets are in a set of the position.
    InRow(usize, Box<Num>, u8),
    /// How many are not.
    OutOfRow(usize, Box<Num>, u8),
    /// The lowest member of a set, or nowhere.
    Lowest(Box<Set>),
    /// An entry of a table of numbers; nowhere outside.
    Entry(usize, Box<Num>),
    /// The same, from a table for each piece that may stand there.
    EntryByPiece(Vec<usize>, Box<Num>),
    /// An entry of a table of numbers for pairs of sites, so many a row; nowhere outside.
    Pair(usize, i32, Box<Num>, Box<Num>),
    /// How many groups of at least a size a set falls into by a relation.
    Groups(Box<Set>, usize, i32),
    /// The size of the largest.
    LargestGroup(Box<Set>, usize),
    /// How many pieces stand on sites of a set, those in hands counted each.
    Pieces(Box<Set>),
    /// How many pieces of some kinds, one bit each, lie on sites of a set at any level.
    Lying(u64, Box<Set>),
    /// Without its sign.
    Abs(Box<Num>),
    /// Arithmetic.
    Op(Op, Box<Num>, Box<Num>),
    /// A choice.
    If(Box<Cond>, Box<Num>, Box<Num>),
    /// What the general evaluator answers.
    Asked(Box<Asked<Int>>),
}

impl Num {
    /// One of two.
    pub fn either(test: Cond, yes: Num, no: Num) -> Num {
        match test {
            Cond::Const(true) => yes,
            Cond::Const(false) => no,
            test => Num::If(Box::new(test), Box::new(yes), Box::new(no)),
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// Not.
    Not(Box<Cond>),
    /// All of them.
    All(Vec<Cond>),
    /// Any of them.
    Any(Vec<Cond>),
    /// A choice.
    If(Box<Cond>, Box<Cond>, Box<Cond>),
    /// A comparison.
    Compare(Cmp, Num, Num),
    /// A site is in a set.
    Has(Set, Num),
    /// A set has no members.
    Vacant(Set),
    /// Two sets are the same.
    Same(Set, Set),
    /// A set is one group by a relation.
    OneGroup(Set, usize),
    /// A number is odd.
    Odd(Num),
    /// Something is pending.
    Pending,
    /// Everybody passed in turn.
    AllPassed,
    /// The last move was a pass.
    WasPass,
    /// The player who is next would have no move.
    NoMovesNext,
    /// A player had no move in his last turn.
    Stuck(Num),
    /// An event was triggered for a player.
    Triggered(Num),
    /// Something has been proposed.
    Proposed(u8),
    /// The votes of the last move decided something.
    Decided(u8),
    /// One of these moves can be made.
    Can(Node),
    /// The position is not the one that was stored.
    NotStored,
    /// What was answered to a question that depends on earlier positions (a number).
    Answered(u8),
    /// A line through a site.
    Line(Line),
    /// An enemy could move onto one of these sites if this piece stood there.
    Threatened(Box<Threat>),
    /// What the general evaluator answers.
    Asked(Box<Asked<Bool>>),
}

/// A question whose answer depends on which positions may not come back.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether one of these moves can be made, asked before the effects that depend on it.
    Can(Node),
    /// Whether the player who is next would have no move, asked before the end rules.
    NextStuck,
}

impl Cond {
    /// A number is a certain one.
    pub fn equals(n: Num, value: i32) -> Cond {
        if let Num::If(test, yes, no) = &n {
            let either =
                (Cond::equals((**yes).clone(), value), Cond::equals((**no).clone(), value));
            match either {
                (Cond::Const(true), Cond::Const(false)) => return (**test).clone(),
                (Cond::Const(false), Cond::Const(true)) => return Cond::Not(test.clone()),
                (Cond::Const(a), Cond::Const(b)) if a == b => return Cond::Const(a),
                _ => {}
            }
        }
        match n {
            Num::Const(n) => Cond::Const(n == value),
            n => Cond::Compare(Cmp::Eq, n, Num::Const(value)),
        }
    }
}

/// A threat to a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Threat {
    /// The sites.
    pub at: Set,
    /// The piece; nothing: what stands there.
    pub what: Num,
    /// By which moves (a number).
    pub by: usize,
}

/// The moves that threaten pieces of the first and of the second player, by phase.
pub type Threats = [Vec<Node>; 2];

/// A set of sites.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    /// Fixed, by number.
    Const(usize),
    /// A set of the position: empty sites, a player's, a piece's.
    Slot(u8),
    /// All sites that are not in it.
    Not(Box<Set>),
    /// In both.
    And(Box<Set>, Box<Set>),
    /// In either.
    Or(Box<Set>, Box<Set>),
    /// One of two.
    If(Box<Cond>, Box<Set>, Box<Set>),
    /// Sites that hold a piece at any level.
    Holding(u8),
    /// One site.
    One(Num),
    /// A row of a table of sets; empty outside.
    Row(usize, Num),
    /// All sites reached from members by a relation.
    Image(usize, Box<Set>),
    /// What is seen from a site along its rays.
    Sight(usize, Num, Sight),
    /// What a slide from a site along its rays reaches: through sites of one set, onto one of another.
    Slid(usize, Num, Box<Set>, Box<Set>),
    /// Sites from which a run of one set along a line ends at a member of another.
    Flanking(Box<Flanking>),
    /// Sites in lines of a table: of a set, or of pieces that are alike.
    InLines(usize, Option<Box<Set>>),
    /// Members for which a condition holds, asked one by one.
    Where(Box<Set>, Box<Cond>, Var),
    /// What the general evaluator answers.
    Asked(Box<Asked<Region>>),
}

impl Set {
    /// One of two.
    pub fn either(test: Cond, yes: Set, no: Set) -> Set {
        let no = match no {
            // The other answer to the same question is known by then.
            Set::If(other, _, no) if *other == test => *no,
            Set::If(other, yes, _) if matches!(&*other, Cond::Not(c) if **c == test) => *yes,
            no => no,
        };
        match test {
            Cond::Const(true) => yes,
            Cond::Const(false) => no,
            test => Set::If(Box::new(test), Box::new(yes), Box::new(no)),
        }
    }
}

/// Sites from which a run along a line ends at a catcher.
#[derive(Clone, Debug, PartialEq)]
pub struct Flanking {
    /// For every direction the relation of a site to the next.
    pub steps: Vec<usize>,
    /// What is run over, at least once.
    pub target: Set,
    /// What ends the run.
    pub friend: Set,
    /// How many at most.
    pub max: i32,
    /// How many the longest line has.
    pub longest: i32,
}

/// A relation between sites: for every offset, the sites it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Differences of site numbers, each with the set of sites it may lead to.
    pub offsets: Vec<(i32, SiteSet)>,
}

/// How a line must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Through which site.
    pub through: Num,
    /// Of which sites, if that is fixed before; else of pieces like the one there.
    pub of: Option<Set>,
    /// How long.
    pub length: i32,
    /// Neither shorter nor longer.
    pub exact: bool,
    /// The ways through every site (a table of lines).
    pub ways: usize,
    /// The sets of sites that make such a line through every site, where they are few.
    pub windows: Option<usize>,
}

/// Sites that make a line, and those beside them that would make it too long.
pub type Window = (SiteSet, SiteSet);

/// The ways of lines through one site: each with the walks to one side and, one after another, to others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ways {
    /// For every site its ways.
    pub of: Vec<Vec<Way>>,
}

/// A line through a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The sites one way, nearest first.
    pub ahead: Vec<u16>,
    /// The sites of each opposite way, nearest first; nothing: a line starts here.
    pub behind: Vec<Vec<u16>>,
}

/// Which families of moves there are: decided once a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// None.
    Nothing,
    /// Those of a leaf.
    Leaf(usize),
    /// Those of all of them.
    All(Vec<Node>),
    /// A choice.
    If(Box<Cond>, Box<Node>, Box<Node>),
    /// Those of the first that has a move.
    First(Vec<Node>),
    /// One of several by number; none outside.
    Switch(Num, Vec<Node>),
}

impl Node {
    /// As many leaves as it may come down to at once.
    pub fn width(&self) -> usize {
        match self {
            Node::Nothing => 0,
            Node::Leaf(_) => 1,
            Node::All(all) => all.iter().map(Node::width).sum(),
            Node::First(all) | Node::Switch(_, all) => {
                all.iter().map(Node::width).max().unwrap_or(0)
            }
            Node::If(_, yes, no) => yes.width().max(no.width()),
        }
    }
}

/// An end rule.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there are few, and they stay where they are")]
pub enum End {
    /// If this holds, the first of these that applies, or the verdict.
    If(Cond, Vec<End>, Option<Verdict>),
    /// For each player in turn who still plays.
    EachPlayer(Vec<(i32, Cond, Verdict)>),
}

/// How the game ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A player wins.
    Win(Num),
    /// A team wins.
    TeamWin(Num),
    /// A player loses.
    Loss(Num),
    /// Nobody wins.
    Draw,
    /// Nobody of those who still play wins, if a player is one of them.
    DrawOf(Num),
    /// Scores decide; the scores of players who are given one are set first.
    Score(Vec<(Num, Num)>, Cond),
}

/// A change of phase: for whom, when, to which.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseChange {
    /// Whose phase may change.
    pub who: Option<Num>,
    /// When.
    pub cond: Cond,
    /// Into which.
    pub to: usize,
}

/// What lies at each level of a site is a number in bits, and each bit of each level a set of the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// The first of these sets: those of the bottom come first.
    pub first: u8,
    /// How many sets a level has.
    pub bits: u8,
    /// How many levels there may be: no more than there are pieces.
    pub most: u8,
    /// The number of a piece at a level counts from here; nothing lies where it is nought.
    pub before: u8,
}

impl Stacks {
    /// The set of one bit of a level.
    #[inline(always)]
    pub fn set(self, level: usize, bit: u8) -> u8 {
        (usize::from(self.first) + level * usize::from(self.bits)) as u8 + bit
    }

    /// How many sets there are.
    pub fn count(self) -> usize {
        usize::from(self.bits) * usize::from(self.most)
    }
}

/// A number that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The value of a player.
    Player(u8),
    /// A variable by its number.
    Var(u16),
}

/// The code of one player.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// What the player may do, by phase.
    pub plans: Vec<Plan>,
    /// How the game ends after the player's move, by the phase of the player, then in any phase.
    pub ends: Vec<Vec<End>>,
    /// In any phase.
    pub game_end: Vec<End>,
    /// Changes of phase after the player's move, by phase.
    pub phase_changes: Vec<Vec<PhaseChange>>,
}

/// What a player may do in a phase.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The families.
    pub node: Node,
    /// Some moves must be tried before they are known to be legal.
    pub tried: bool,
    /// When dice are thrown first.
    pub throws: Cond,
}

/// The whole compiled game.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// How many sites: the board's first, then those of hands.
    pub sites: usize,
    /// How many of the board.
    pub board: usize,
    /// Sites of the board may hold several of a piece.
    pub piles: bool,
    /// Sites hold stacks of any pieces.
    pub stacks: Option<Stacks>,
    /// Sets of the position a piece belongs to: its own and its owner's.
    pub slots: Vec<(u8, u8)>,
    /// The set of each owner's pieces, from nobody to everybody; nothing for those who have none.
    pub owner_slots: Vec<Option<u8>>,
    /// How many sets a position has.
    pub slot_count: usize,
    /// Owner of every piece.
    pub owners: Vec<u8>,
    /// The team of every player, nobody's first.
    pub teams: Vec<i32>,
    /// Fixed sets.
    pub consts: Vec<SiteSet>,
    /// Tables of sets, by site.
    pub tables: Vec<Vec<SiteSet>>,
    /// Tables of numbers, by site.
    pub numbers: Vec<Vec<i32>>,
    /// Relations between sites.
    pub relations: Vec<Relation>,
    /// Lines through sites.
    pub ways: Vec<Ways>,
    /// Sets of sites that make lines, by table and site.
    pub windows: Vec<Vec<Vec<Window>>>,
    /// All sets of each of these tables, where every one of them is there for each of its sites.
    pub lines: Vec<Vec<Window>>,
    /// Rays of every site, by table.
    pub rays: Vec<Vec<Vec<Ray>>>,
    /// Paths along tracks of every site, by table.
    pub paths: Vec<Vec<Vec<TrackPath>>>,
    /// Leaves of all plans.
    pub leaves: Vec<Leaf>,
    /// Deeds of all families.
    pub deeds: Vec<Deed>,
    /// Moves that threaten pieces.
    pub threats: Vec<Threats>,
    /// Parts of plans of which only the longest runs of moves are legal.
    pub longest: Vec<Node>,
    /// Effects that follow moves.
    pub effects: Vec<Effect>,
    /// Questions that depend on earlier positions, as many as a byte has bits.
    pub questions: Vec<Question>,
    /// Which of them each effect asks, as bits.
    pub asked: Vec<u8>,
    /// The code of each player.
    pub sides: Vec<Side>,
    /// The set of sites visited in this turn.
    pub visited: Option<u8>,
    /// The set of sites whose pieces are taken at the end of the turn.
    pub doomed: Option<u8>,
    /// The set of pending sites, where rules ask for all of them.
    pub pending: Option<u8>,
    /// Sets of sites by the state of their pieces: the state and the set.
    pub states: Vec<(u8, u8)>,
    /// The two states of pieces that flip.
    pub flips: Vec<Option<(u8, u8)>>,
    /// Numbers that are kept.
    pub notes: Vec<Noted>,
    /// Sets of remembered sites, by name.
    pub remembered: Vec<(Option<Box<str>>, u8)>,
    /// Moves of the start.
    pub placed: usize,
    /// Everybody passing ends the game as a draw.
    pub passes_end: bool,
    /// The second player may swap seats.
    pub swap: bool,
    /// Rules ask whether a player passed for want of a move.
    pub asks_stuck: bool,
    /// The kind of every throw of the dice.
    pub throws: Vec<u16>,
    /// The throw that lies there at the start.
    pub thrown_before: usize,
    /// Rules store a position.
    pub stores: bool,
    /// Turn limit for all players together.
    pub max_turns: i32,
    /// Move limit.
    pub max_moves: i32,
}

impl Code {
    /// Whether any effect of any move, looked for at every depth, is of a kind.
    pub fn any_effect(&self, is: &dyn Fn(&Effect) -> bool) -> bool {
        let before = self.deeds.iter().filter_map(|deed| deed.before.as_ref());
        self.effects.iter().chain(before).any(|effect| effect.any(is))
    }
}
