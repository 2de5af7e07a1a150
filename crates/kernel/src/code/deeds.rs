//! What moves do and what follows from them.

use super::{Asked, Cond, Num, Set};
use ludex_lud::ir::Moves;

/// What a move does.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    /// The player's decision.
    pub act: Act,
    /// What happens before it, found out before anything changes.
    pub before: Option<Effect>,
    /// What follows it, in order (numbers of effects).
    pub then: Vec<usize>,
    /// What must hold of the sites for the move to be legal.
    pub check: Option<Cond>,
    /// What must hold after the move and so many of the effects that follow.
    pub after: Vec<(Cond, usize)>,
    /// No move of this part of the plan may lead to more moves in a row (a number).
    pub longest: Option<usize>,
}

impl Deed {
    /// A move of it must be tried before it is known to be legal.
    pub fn is_tried(&self) -> bool {
        self.needs_proof() || self.longest.is_some()
    }

    /// There may be no legal move though sets show some.
    pub fn needs_proof(&self) -> bool {
        self.check.is_some() || !self.after.is_empty()
    }
}

/// What a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A piece is put on a site.
    Add(u8),
    /// A piece is put on an empty site with a state, and what stands between it and others like it is
    /// turned: its effect is that capture.
    Place(u8, u8),
    /// A tile is put on empty sites, its first among them, in a state; a table has all of them.
    Tile(u8, u8, u16),
    /// A piece comes to an empty site like the one where the move starts.
    Copy,
    /// A piece goes from one site to another and replaces what stands there.
    Move,
    /// A piece goes where another stands, which comes where it was.
    Exchange,
    /// The piece at a level of a stack goes to the top of another site.
    Lift(u8),
    /// A piece is taken away.
    Remove,
    /// The piece at a level of a stack is taken away.
    Pull(u8),
    /// A piece becomes another.
    Promote(u8),
    /// Sites are only named.
    Select,
    /// Something is proposed (the number of a text).
    Propose(u8),
    /// A vote is given.
    Vote(u8),
    /// Nothing.
    Pass,
    /// The seats are swapped.
    Swap,
}

/// What follows from a move.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// Several, all found out before any is done.
    All(Vec<Effect>),
    /// Several of which none looks at what another changes.
    InTurn(Vec<Effect>),
    /// A choice.
    If(Cond, Box<Effect>, Box<Effect>),
    /// Pieces leave their sites.
    Remove(Set),
    /// A piece comes to a site.
    Add(Num, Num),
    /// A piece becomes another.
    Promote(Num, Num),
    /// A piece goes from a site to another.
    Move(Num, Num),
    /// Pieces of a set become others, by the number of the piece.
    Convert(Set, Vec<u8>),
    /// A site is added to a set of the position.
    Remember(u8, Num),
    /// All sites leave a set of the position, or every set of remembered sites.
    Forget(Option<u8>),
    /// An effect of one change, and the effect with a number after it where it changes something.
    Followed(Box<Effect>, usize),
    /// The mover moves again.
    Again,
    /// A player moves next.
    Next(Num),
    /// The two players change seats, and the mover moves again.
    Seats,
    /// The position is stored.
    Store,
    /// The state of the piece on a site.
    SetState(Num, Num),
    /// The piece on a site gets the other of its two states.
    Flip(Num),
    /// Dice are used (a number tells which from others), and a kind of throw is left.
    UseDice(u8, u16),
    /// An event is triggered for a player.
    Trigger(Num),
    /// A number that is kept.
    SetNote(u8, Num),
    /// The counter.
    SetCounter(Num),
    /// A pending value.
    SetPending(Num),
    /// A player's score grows.
    AddScore(Num, Num),
    /// A player's score is set.
    SetScore(Num, Num),
    /// A proposal.
    Propose(u8),
    /// A vote.
    Vote(u8),
    /// Numbers that are set, and what follows from them; nothing at all where nothing follows.
    Do(Box<Effect>, Box<Effect>),
    /// What stands on sites is noted, and what is not nothing goes on to others: numbers kept, from, to.
    Turn(Vec<(u8, u16, u16)>),
    /// For every piece of a stack from the top: what happens to it, by the number of the piece.
    EachLevel(Num, Vec<AtLevel>),
    /// For every site in a row.
    Run(Box<Run>),
    /// For every site of a set.
    EachSite(Set, Box<Effect>),
    /// For every site caught between a site and others.
    Custodial(Box<Custodial>),
    /// For every site beside a site that others surround.
    Surround(Box<Surround>),
    /// All of what follows a move, made by the general evaluator.
    Asked(Box<Asked<Moves>>),
}

impl Effect {
    /// Whether it is, or has within it, an effect of a kind.
    pub fn any(&self, is: &dyn Fn(&Effect) -> bool) -> bool {
        let within = |effect: &Effect| effect.any(is);
        is(self)
            || match self {
                Effect::All(all) | Effect::InTurn(all) => all.iter().any(within),
                Effect::If(_, yes, no) | Effect::Do(yes, no) => within(yes) || within(no),
                Effect::Followed(effect, _) | Effect::EachSite(_, effect) => within(effect),
                Effect::Run(run) => within(&run.effect),
                Effect::Custodial(custodial) => within(&custodial.effect),
                Effect::Surround(surround) => within(&surround.effect),
                Effect::Nothing
                | Effect::Remove(_)
                | Effect::Add(..)
                | Effect::Promote(..)
                | Effect::Move(..)
                | Effect::Convert(..)
                | Effect::Remember(..)
                | Effect::Forget(_)
                | Effect::Again
                | Effect::Next(_)
                | Effect::Seats
                | Effect::Store
                | Effect::SetState(..)
                | Effect::Flip(_)
                | Effect::Trigger(_)
                | Effect::SetNote(..)
                | Effect::SetCounter(_)
                | Effect::SetPending(_)
                | Effect::AddScore(..)
                | Effect::SetScore(..)
                | Effect::Propose(_)
                | Effect::Vote(_)
                | Effect::Turn(_)
                | Effect::EachLevel(..)
                | Effect::UseDice(..)
                | Effect::Asked(_) => false,
            }
    }
}

/// What happens to a piece of a stack.
#[derive(Clone, Debug, PartialEq)]
pub enum AtLevel {
    /// Nothing.
    Stays,
    /// It goes to the top of a site.
    Goes(Num),
    /// It leaves the board.
    Leaves,
}

/// Pieces caught between two sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Custodial {
    /// From where.
    pub from: Num,
    /// A table of rays.
    pub rays: usize,
    /// How many at least.
    pub min: i32,
    /// How many at most.
    pub max: i32,
    /// What is caught.
    pub target: Set,
    /// What catches.
    pub friend: Set,
    /// What happens to each.
    pub effect: Effect,
    /// What happens to all of them at once, where that is the same.
    pub together: Option<Together>,
}

/// What happens to all caught pieces alike.
#[derive(Clone, Debug, PartialEq)]
pub enum Together {
    /// They leave.
    Removed,
    /// They get the other of their two states.
    Flipped,
    /// Those of a set become others, by the number of the piece.
    Converted(Set, Vec<u8>),
}

/// Sites in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// From where; that site is left out.
    pub from: Num,
    /// Which table of rays.
    pub way: Num,
    /// The tables.
    pub rays: Vec<usize>,
    /// What the row is made of.
    pub target: Set,
    /// What happens at each.
    pub effect: Effect,
}

/// Pieces surrounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Surround {
    /// Beside which site.
    pub from: Num,
    /// A table of rays.
    pub rays: usize,
    /// What is caught.
    pub target: Set,
    /// What catches.
    pub friend: Set,
    /// How many neighbours may be missing.
    pub except: u32,
    /// Sites one of which must be among the neighbours.
    pub with: Option<Set>,
    /// What happens to each.
    pub effect: Effect,
}
