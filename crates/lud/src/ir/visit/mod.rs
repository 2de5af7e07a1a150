//! One way through the typed rules: every part knows its parts, and every question of the form "does this
//! rule mention …" is asked here, of the rules themselves and never of their printed form.

mod expressions;
mod journeys;

use super::{
    Bool, CountPieces, Directions, EndResult, EndRule, EndWho, Float, GroupAt, Groups, Int, Ints,
    Moves, NextPhase, Phase, PieceRef, Range, Region, StepsBy, Who,
};
use crate::game::Compiled;
use expressions::{bool, int, ints, region};
use journeys::moves;

/// A part of the rules.
#[derive(Clone, Copy, Debug)]
pub enum Part<'r> {
    /// A number.
    Int(&'r Int),
    /// A list of numbers.
    Ints(&'r Ints),
    /// A condition.
    Bool(&'r Bool),
    /// A set of sites.
    Region(&'r Region),
    /// A generator of moves or an effect.
    Moves(&'r Moves),
    /// Directions.
    Directions(&'r Directions),
}

impl<'r> From<&'r Int> for Part<'r> {
    fn from(n: &'r Int) -> Self {
        Part::Int(n)
    }
}

impl<'r> From<&'r Bool> for Part<'r> {
    fn from(cond: &'r Bool) -> Self {
        Part::Bool(cond)
    }
}

impl<'r> From<&'r Region> for Part<'r> {
    fn from(sites: &'r Region) -> Self {
        Part::Region(sites)
    }
}

/// What is told of each part.
type Visit<'v, 'r> = &'v mut dyn FnMut(Part<'r>);

impl<'r> Part<'r> {
    /// Whether a part, or a part of a part, is what is looked for. Consequences are rules of their own:
    /// they are numbers here, and not followed.
    pub fn any(self, is: &mut dyn FnMut(Part<'r>) -> bool) -> bool {
        if is(self) {
            return true;
        }
        let mut found = false;
        self.parts(&mut |part| found = found || part.any(is));
        found
    }

    /// Whether it depends, by itself, on the position or on what was played.
    pub fn is_of_play(self) -> bool {
        match self {
            Part::Int(n) => matches!(
                n,
                Int::Counter
                    | Int::Var(_)
                    | Int::Pot
                    | Int::Score(_)
                    | Int::MatchScore(_)
                    | Int::Trials
                    | Int::Amount(_)
                    | Int::PlayerValue(_)
                    | Int::PendingValue
                    | Int::LastFrom { .. }
                    | Int::LastTo { .. }
                    | Int::LastLevelFrom
                    | Int::LastLevelTo
                    | Int::At(..)
                    | Int::CountAt(..)
                    | Int::StackSize(..)
                    | Int::TopLevel(..)
                    | Int::CountPieces(_)
                    | Int::CountPips(_)
                    | Int::Turns
                    | Int::Moves
                    | Int::MovesThisTurn
                    | Int::Active
                    | Int::LegalMoves
                    | Int::CountGroups(..)
                    | Int::BiggestGroup(_)
                    | Int::BiggestLine(..)
                    | Int::GroupSize(_)
                    | Int::Liberties(_)
                    | Int::Territory(..)
                    | Int::Where(_)
                    | Int::WhereLevel(_)
                    | Int::Random(..)
                    | Int::TurnFrom
            ),
            Part::Region(sites) => matches!(
                sites,
                Region::Empty(_)
                    | Region::EmptyIn(..)
                    | Region::Occupied(_)
                    | Region::State(..)
                    | Region::Group(_)
                    | Region::OfMoves(..)
                    | Region::Pending
                    | Region::LastTo
                    | Region::LastFrom
                    | Region::LastBetween
                    | Region::Random(..)
            ),
            _ => false,
        }
    }

    /// Tells of every part directly below.
    pub fn parts(self, visit: Visit<'_, 'r>) {
        match self {
            Part::Int(n) => int(n, visit),
            Part::Ints(list) => ints(list, visit),
            Part::Bool(cond) => bool(cond, visit),
            Part::Region(sites) => region(sites, visit),
            Part::Moves(rule) => moves(&rule.kind, visit),
            Part::Directions(ways) => directions(ways, visit),
        }
    }
}

impl Compiled {
    /// Whether any rule of play mentions something: phases, consequences, pieces and ends.
    pub fn mentions(&self, is: &mut dyn FnMut(Part<'_>) -> bool) -> bool {
        let mut found = false;
        self.each_rule(&mut |part| found = found || part.any(is));
        found
    }

    /// Tells of every rule of play.
    fn each_rule<'r>(&'r self, visit: Visit<'_, 'r>) {
        self.phases.iter().for_each(|one| phase(one, visit));
        self.consequences.iter().for_each(|rule| visit(Part::Moves(rule)));
        let pieces = self.components.iter().filter_map(|piece| piece.moves.as_ref());
        pieces.for_each(|rule| visit(Part::Moves(rule)));
        self.end.iter().for_each(|rule| end(rule, visit));
    }
}

fn phase<'r>(phase: &'r Phase, visit: Visit<'_, 'r>) {
    visit(Part::Moves(&phase.play));
    phase.end.iter().for_each(|rule| end(rule, visit));
    for NextPhase { who, cond, .. } in &phase.next {
        maybe_int(who.as_ref(), visit);
        visit(Part::Bool(cond));
    }
}

fn end<'r>(rule: &'r EndRule, visit: Visit<'_, 'r>) {
    match rule {
        EndRule::If(cond, subs, outcome) => {
            visit(Part::Bool(cond));
            subs.iter().for_each(|sub| end(sub, visit));
            outcome.iter().for_each(|outcome| result(outcome, visit));
        }
        EndRule::ForEachPlayer { cond, result: outcome, .. }
        | EndRule::ForEachTrack(cond, outcome) => {
            visit(Part::Bool(cond));
            result(outcome, visit);
        }
    }
}

fn result<'r>(result: &'r EndResult, visit: Visit<'_, 'r>) {
    match result {
        EndResult::Result(EndWho::All, _) => {}
        EndResult::Result(EndWho::Player(n) | EndWho::Team(n), _) => visit(Part::Int(n)),
        EndResult::ByScore(scores, misere) => {
            scores.iter().for_each(|(player, score)| two(player, score, visit));
            visit(Part::Bool(misere));
        }
        EndResult::Payoffs(all) => all.iter().for_each(|(player, payoff)| {
            visit(Part::Int(player));
            float(payoff, visit);
        }),
    }
}

fn float<'r>(number: &'r Float, visit: Visit<'_, 'r>) {
    match number {
        Float::Const(_) => {}
        Float::OfInt(n) => visit(Part::Int(n)),
        Float::OfBool(cond) => visit(Part::Bool(cond)),
        Float::Unary(_, n) => float(n, visit),
        Float::Joined(_, all) => all.iter().for_each(|n| float(n, visit)),
    }
}

fn two<'r>(a: &'r Int, b: &'r Int, visit: Visit<'_, 'r>) {
    visit(Part::Int(a));
    visit(Part::Int(b));
}

fn maybe_int<'r>(n: Option<&'r Int>, visit: Visit<'_, 'r>) {
    n.into_iter().for_each(|n| visit(Part::Int(n)));
}

fn maybe_bool<'r>(cond: Option<&'r Bool>, visit: Visit<'_, 'r>) {
    cond.into_iter().for_each(|cond| visit(Part::Bool(cond)));
}

fn maybe_region<'r>(sites: Option<&'r Region>, visit: Visit<'_, 'r>) {
    sites.into_iter().for_each(|sites| visit(Part::Region(sites)));
}

fn maybe_moves<'r>(rule: Option<&'r Moves>, visit: Visit<'_, 'r>) {
    rule.into_iter().for_each(|rule| visit(Part::Moves(rule)));
}

fn all_ints<'r>(all: &'r [Int], visit: Visit<'_, 'r>) {
    all.iter().for_each(|n| visit(Part::Int(n)));
}

fn all_regions<'r>(all: &'r [Region], visit: Visit<'_, 'r>) {
    all.iter().for_each(|sites| visit(Part::Region(sites)));
}

fn who<'r>(who: &'r Who, visit: Visit<'_, 'r>) {
    if let Who::One(player) = who {
        visit(Part::Int(player));
    }
}

fn range<'r>(range: &'r Range, visit: Visit<'_, 'r>) {
    two(&range.min, &range.max, visit);
}

fn piece<'r>(piece: &'r PieceRef, visit: Visit<'_, 'r>) {
    match piece {
        PieceRef::Named(_, n) | PieceRef::Index(n) => visit(Part::Int(n)),
    }
}

fn groups<'r>(groups: &'r Groups, visit: Visit<'_, 'r>) {
    visit(Part::Directions(&groups.dirs));
    maybe_bool(groups.cond.as_ref(), visit);
    maybe_region(groups.within.as_ref(), visit);
}

fn group_at<'r>(group: &'r GroupAt, visit: Visit<'_, 'r>) {
    visit(Part::Region(&group.at));
    visit(Part::Directions(&group.dirs));
    maybe_bool(group.cond.as_ref(), visit);
}

fn count_pieces<'r>(count: &'r CountPieces, visit: Visit<'_, 'r>) {
    who(&count.who, visit);
    maybe_region(count.within.as_ref(), visit);
    maybe_bool(count.cond.as_ref(), visit);
}

fn steps_by<'r>(steps: &'r StepsBy, visit: Visit<'_, 'r>) {
    visit(Part::Directions(&steps.dirs));
    visit(Part::Bool(&steps.cond));
    maybe_int(steps.rotation.as_ref(), visit);
    visit(Part::Int(&steps.from));
}

fn directions<'r>(ways: &'r Directions, visit: Visit<'_, 'r>) {
    match ways {
        Directions::Absolute(_) | Directions::Relative { .. } => {}
        Directions::FromTo(_, from, to) => two(from, to, visit),
        Directions::If(cond, a, b) => {
            visit(Part::Bool(cond));
            visit(Part::Directions(a));
            visit(Part::Directions(b));
        }
        Directions::Random(of, count) => {
            visit(Part::Directions(of));
            visit(Part::Int(count));
        }
        Directions::Union(a, b) | Directions::Difference(a, b) => {
            visit(Part::Directions(a));
            visit(Part::Directions(b));
        }
    }
}
