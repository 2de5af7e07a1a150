//! What the compiler finds out about a game of liberties.

use crate::code::Ways;
use ludex_lud::ir::Repetition;

/// A stone was taken.
pub const TAKEN: usize = 1;
/// The player who is next has no move.
pub const STUCK: usize = 2;
/// Everybody passed.
pub const PASSED: usize = 4;
/// The chain of the stone placed joins the regions asked for.
pub const JOINED: usize = 8;
/// The stone placed completes a line.
pub const LINED: usize = 16;
/// As many sets of facts as there are.
pub const FACTS: usize = 32;

/// How a game goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It does.
    #[default]
    Open,
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Drawn,
    /// Scores decide.
    Scores,
}

impl Ending {
    /// The victory of a player, one or two.
    pub fn won_by(player: i32) -> Ending {
        if player == 1 { Ending::First } else { Ending::Second }
    }
}

/// When a new stone's chain must have a free site beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Never.
    NotAsked,
    /// Before anything is taken.
    BeforeTaking,
    /// Once what it takes is gone.
    AfterTaking,
}

/// What a score is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// One.
    Unit,
    /// The score of a player (zero, one) so far.
    Score(usize),
    /// How many stones a player has.
    Stones(usize),
    /// How many empty sites only a player's stones surround.
    Territory(usize),
}

/// A score that decides: whose, and how many of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// In order, for later ones see what earlier ones set.
    pub scores: Vec<(usize, Vec<(i32, Quantity)>)>,
    /// The lower one wins.
    pub misere: bool,
}

/// Regions that a chain must join.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joins {
    /// For each player and site, the regions it lies in.
    pub regions: [Vec<u16>; 2],
    /// For each player how many are needed.
    pub needed: [u32; 2],
}

/// Lines that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Lined {
    pub length: i32,
    /// Neither shorter nor longer.
    pub exact: bool,
    /// The lines through every site.
    pub ways: Ways,
}

/// A game in which stones are placed and chains without liberties are taken or forbidden.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The neighbours of every site, along which chains and liberties are counted.
    pub near: Vec<Vec<u16>>,
    /// What each player places.
    pub pieces: [u16; 2],
    /// Chains of the enemy that lose their last liberty are taken.
    pub takes: bool,
    /// The last liberty of an enemy may not be taken.
    pub spares: bool,
    pub freedom: Freedom,
    /// What a stone taken is worth to whoever takes it and to the other.
    pub points: [i32; 2],
    /// A player may pass though there are moves.
    pub may_pass: bool,
    /// No position, or no situation, may come back.
    pub no_repeat: Option<Repetition>,
    /// The second player may take the first move over.
    pub swap: bool,
    /// So many moves end the game.
    pub limit: u32,
    /// How the game goes on by who moved and the facts of the move.
    pub endings: [[Ending; FACTS]; 2],
    pub scoring: Option<Scoring>,
    /// The neighbours by which territory is counted.
    pub borders: Vec<Vec<u16>>,
    pub joins: Option<Joins>,
    pub lined: Option<Lined>,
    /// Why this machine plays the game, in words.
    pub reason: String,
}

impl Plan {
    /// A site that is forbidden to a player stays so for the rest of the game. Nothing is ever taken, so a
    /// chain whose last liberty a site is can only grow there, and no other liberty can come to it.
    pub fn forbids_for_good(&self) -> bool {
        self.spares && self.freedom != Freedom::NotAsked && !self.takes && self.no_repeat.is_none()
    }

    /// Whether legality must be looked at for the move drawn.
    pub fn is_filtered(&self) -> bool {
        self.spares || self.freedom != Freedom::NotAsked
    }
}
