//! What of the past rules look back at. Positions that differ in nothing that a rule can ask for are one and the
//! same to whoever searches: they must have one hash, however they were come to.

use super::game::Compiled;
use super::ir::visit::Part;
use super::ir::{Bool, Directions, Int, Moves, MovesKind, Region, RelativeDir};

/// What of the past is part of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recall {
    /// How many moves there were since the counter was set.
    pub counter: bool,
    /// How many moves and turns there were in all.
    pub age: bool,
    /// How many moves the player has made in this turn.
    pub turn_moves: bool,
    /// Where the last move started and ended.
    pub last: LastAsked,
}

/// When the rules of moves ask for the last move. End rules and whatever follows a move ask for it as soon as it is
/// made, when it is the same whatever was played before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LastAsked {
    /// Never.
    Never,
    /// Only where whoever made it goes on, as in strings of jumps.
    GoingOn,
    /// At any turn.
    Always,
}

impl LastAsked {
    /// Whether the last move is part of a position in which this player moves after that one.
    #[inline]
    pub fn matters<T: PartialEq>(self, mover: T, before: T) -> bool {
        match self {
            LastAsked::Never => false,
            LastAsked::GoingOn => mover == before,
            LastAsked::Always => true,
        }
    }
}

impl Recall {
    /// Everything, for games in which earlier positions decide what is legal: those cannot be told from the board.
    const EVERYTHING: Recall =
        Recall { counter: true, age: false, turn_moves: true, last: LastAsked::Always };

    /// What the rules of a game look back at.
    pub fn of(game: &Compiled) -> Recall {
        let remembers = game.history.is_some() || game.cycles || game.is_match();
        if remembers || game.puzzle.is_some() {
            return Recall::EVERYTHING;
        }
        Recall {
            counter: game.mentions(&mut |part| matches!(part, Part::Int(Int::Counter))),
            // Seats may be swapped after the first moves alone.
            age: game.meta.swap
                || game.mentions(&mut |part| matches!(part, Part::Int(Int::Moves | Int::Turns))),
            turn_moves: game.mentions(&mut |part| matches!(part, Part::Int(Int::MovesThisTurn))),
            last: last_asked(game),
        }
    }
}

fn last_asked(game: &Compiled) -> LastAsked {
    if game.visited || game.line_of_play {
        return LastAsked::Always;
    }
    let mut found = Found { game, when: LastAsked::Never, followed: Vec::new() };
    game.phases.iter().for_each(|phase| found.generator(&phase.play, LastAsked::Always));
    let pieces = game.components.iter().filter_map(|piece| piece.moves.as_ref());
    pieces.for_each(|moves| found.generator(moves, LastAsked::Always));
    let regions = game.regions.iter().flat_map(|region| &region.parts);
    regions.for_each(|sites| found.rule(Part::Region(sites), LastAsked::Always));
    found.when
}

/// A look through the rules of moves.
struct Found<'g> {
    game: &'g Compiled,
    when: LastAsked,
    /// Consequences looked at, with when they are asked.
    followed: Vec<(u32, LastAsked)>,
}

impl<'g> Found<'g> {
    /// Looks at what makes moves. What follows the moves that it makes comes after them, and sees no move before.
    fn generator(&mut self, moves: &'g Moves, when: LastAsked) {
        use MovesKind as K;
        match &moves.kind {
            K::All(all) | K::Priority(all) => all.iter().for_each(|one| self.generator(one, when)),
            K::Combine(a, b) => [a, b].into_iter().for_each(|one| self.generator(one, when)),
            K::If(cond, yes, no) => {
                self.rule(Part::Bool(cond), when);
                let goes_on = matches!(&**cond, Bool::IsPrev(who) if **who == Int::Mover);
                let within = if goes_on { LastAsked::GoingOn } else { when };
                self.generator(yes, within.min(when));
                no.iter().for_each(|no| self.generator(no, when));
            }
            K::MaxMoves(inner, cond) | K::MaxCaptures(inner, cond) => {
                self.rule(Part::Bool(cond), when);
                self.generator(inner, when);
            }
            _ => Part::Moves(moves).parts(&mut |part| self.rule(part, when)),
        }
    }

    /// Looks at a part of the rules with all that follows from it before a move is made.
    fn rule(&mut self, part: Part<'g>, when: LastAsked) {
        if self.when >= when {
            return;
        }
        if asks_for_last(part) {
            self.when = when;
            return;
        }
        if let Part::Moves(Moves { then: Some(then), .. }) = part
            && !self.followed.contains(&(*then, when))
        {
            self.followed.push((*then, when));
            if let Some(rule) = self.game.consequences.get(*then as usize) {
                self.rule(Part::Moves(rule), when);
            }
        }
        part.parts(&mut |part| self.rule(part, when));
    }
}

/// Whether a part itself asks for the last move.
fn asks_for_last(part: Part<'_>) -> bool {
    match part {
        Part::Int(n) => matches!(
            n,
            Int::LastFrom { .. } | Int::LastTo { .. } | Int::LastLevelFrom | Int::LastLevelTo
        ),
        Part::Bool(cond) => match cond {
            Bool::LastType(..) | Bool::WasPass | Bool::Shape(..) => true,
            Bool::Loop(wanted) => wanted.starts.is_none(),
            Bool::Threatened(threat) => threat.at.is_none(),
            _ => false,
        },
        Part::Region(sites) => matches!(
            sites,
            Region::LastTo | Region::LastFrom | Region::LastBetween | Region::Loop(..)
        ),
        Part::Directions(Directions::Relative { dirs, .. }) => {
            dirs.iter().any(|dir| matches!(dir, RelativeDir::Same | RelativeDir::Opposite))
        }
        _ => false,
    }
}
