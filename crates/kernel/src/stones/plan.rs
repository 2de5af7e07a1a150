//! What the compiler finds out about a game of stones.

/// No site.
pub const NOWHERE: u16 = u16::MAX;

/// How many facts about a placement rules can ask for.
pub const MAX_FACTS: usize = 6;

/// The fact that no place is left.
pub const FULL: usize = 1;

/// How a game goes on after a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    #[default]
    Open,
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Drawn,
}

impl Verdict {
    /// The victory of a player, one or two.
    pub fn won_by(player: i32) -> Verdict {
        if player == 1 { Verdict::First } else { Verdict::Second }
    }
}

/// What every placement of either player means: a verdict for each set of facts.
pub type Verdicts = [[Verdict; 1 << MAX_FACTS]; 2];

/// A game of stones, whoever its referee is.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Places for stones: sites of the board, or levels of columns one row after the other.
    pub sites: usize,
    /// Places open at the start.
    pub open: Vec<u16>,
    /// Stones that stand at the start, with their players (zero, one).
    pub placed: Vec<(u16, usize)>,
    /// The place that opens when one is filled; empty where none does.
    pub above: Vec<u16>,
    /// Columns whose levels are the places, if sites hold stacks.
    pub columns: Option<usize>,
    /// What each player places.
    pub pieces: [u16; 2],
    /// The second player may take the first move over.
    pub swap: bool,
    /// How facts end the game.
    pub verdicts: Verdicts,
    /// Why this machine plays the game, in words.
    pub reason: String,
}

/// A condition over facts.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Always or never.
    Const(bool),
    /// A fact by its bit.
    Fact(usize),
    /// Not.
    Not(Box<Formula>),
    /// All.
    All(Vec<Formula>),
    /// Any.
    Any(Vec<Formula>),
    /// A choice.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether it holds for a set of facts.
    pub fn holds(&self, facts: usize) -> bool {
        match self {
            Formula::Const(value) => *value,
            Formula::Fact(bit) => facts & bit != 0,
            Formula::Not(inner) => !inner.holds(facts),
            Formula::All(all) => all.iter().all(|f| f.holds(facts)),
            Formula::Any(all) => all.iter().any(|f| f.holds(facts)),
            Formula::If(test, yes, no) => {
                if test.holds(facts) {
                    yes.holds(facts)
                } else {
                    no.holds(facts)
                }
            }
        }
    }
}
