//! Which of some holes fulfil a condition: what does not depend on the hole is asked once, not once for each.

use super::code::{Cond, Holes, Node, Num, Set};
use ludex_lud::ir::Cmp;

/// The holes of a set for which a condition on the start of a move holds.
pub(super) fn sift(among: Set, cond: Cond) -> Set {
    let (mut sets, mut rest) = (vec![among], Vec::new());
    split(cond, &mut sets, &mut rest);
    let among = match sets.len() {
        1 => sets.swap_remove(0),
        _ => Set::Intersection(sets),
    };
    match rest.len() {
        0 => among,
        1 => Set::Starts(Box::new(among), Box::new(rest.swap_remove(0))),
        _ => Set::Starts(Box::new(among), Box::new(Cond::And(rest))),
    }
}

/// Parts that must all hold, as sets where they can be.
fn split(cond: Cond, sets: &mut Vec<Set>, rest: &mut Vec<Cond>) {
    match cond {
        Cond::Const(true) => {}
        Cond::And(all) => all.into_iter().for_each(|cond| split(cond, sets, rest)),
        cond => match set_of(&cond) {
            Some(set) => sets.push(set),
            None => rest.push(cond),
        },
    }
}

/// A condition on the start of a move as the set of the holes for which it holds.
fn set_of(cond: &Cond) -> Option<Set> {
    if !of_cond(cond, START) {
        let all = Box::new(Set::Const(Holes::MAX));
        return Some(Set::If(Box::new(cond.clone()), all, None));
    }
    match cond {
        Cond::In(sites, set) => match sites.as_slice() {
            [Num::From | Num::To] if !of_set(set, START) => Some(set.clone()),
            _ => None,
        },
        Cond::Compare(cmp, Num::Count(among, at), with)
            if matches!(**at, Num::From | Num::To) && !of_num(with, START) =>
        {
            Some(Set::Holding(*among, *cmp, Box::new(with.clone())))
        }
        Cond::Compare(cmp, with, Num::Count(among, at))
            if matches!(**at, Num::From | Num::To) && !of_num(with, START) =>
        {
            Some(Set::Holding(*among, turned(*cmp), Box::new(with.clone())))
        }
        Cond::If(test, yes, no) if !of_cond(test, START) => {
            let all = || Set::Const(Holes::MAX);
            let yes = Box::new(sift(all(), (**yes).clone()));
            let no = Box::new(sift(all(), (**no).clone()));
            Some(Set::If(test.clone(), yes, Some(no)))
        }
        Cond::Or(all) => Some(Set::Union(all.iter().map(set_of).collect::<Option<_>>()?)),
        Cond::Not(inner) => {
            let all = Box::new(Set::Const(Holes::MAX));
            Some(Set::Difference(all, Box::new(set_of(inner)?)))
        }
        _ => None,
    }
}

/// Whether moves ask for the start or end of another.
pub(super) fn asks_for_sites(node: &Node) -> bool {
    match node {
        Node::All(all) | Node::Priority(all) => all.iter().any(asks_for_sites),
        Node::If(cond, yes, no) => {
            of_cond(cond, START)
                || asks_for_sites(yes)
                || no.as_ref().is_some_and(|no| asks_for_sites(no))
        }
        Node::Select(_, set) | Node::Filled(_, set, ..) | Node::Clear(_, set) => of_set(set, START),
        Node::Carry(..) => true,
        Node::Plain(_) => false,
    }
}

/// The comparison with its sides exchanged.
fn turned(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Gt,
        Cmp::Gt => Cmp::Lt,
        Cmp::Le => Cmp::Ge,
        Cmp::Ge => Cmp::Le,
        same => same,
    }
}

/// Names that a rule may use, which something around it may bind.
#[derive(Clone, Copy)]
struct Names {
    from: bool,
    to: bool,
}

/// Where a move starts: both names mean that.
const START: Names = Names { from: true, to: true };

fn of_num(n: &Num, names: Names) -> bool {
    match n {
        Num::From => names.from,
        Num::To => names.to,
        Num::Const(_)
        | Num::Site
        | Num::Value
        | Num::Player
        | Num::Mover
        | Num::Next
        | Num::Prev
        | Num::LastFrom
        | Num::LastTo
        | Num::Counter
        | Num::Turns
        | Num::Moves
        | Num::TurnMoves
        | Num::Pending
        | Num::Var(_)
        | Num::LastToAfter
        | Num::LastFromAfter
        | Num::Recalled(_) => false,
        Num::Score(n) | Num::Worth(n) | Num::Count(_, n) | Num::State(n) | Num::Table(_, n) => {
            of_num(n, names)
        }
        Num::CountIn(_, set) | Num::Size(set) => of_set(set, names),
        Num::OfHole(_, a, b) | Num::Binary(_, a, b) => of_num(a, names) || of_num(b, names),
        Num::FirstOn(first) => {
            let inside = Names { to: false, ..names };
            of_num(&first.player, names)
                || first.from.as_ref().is_some_and(|n| of_num(n, names))
                || first.cond.as_ref().is_some_and(|cond| of_cond(cond, inside))
        }
        Num::Along(along) => {
            of_num(&along.player, names)
                || along.from.as_ref().is_some_and(|n| of_num(n, names))
                || of_num(&along.steps, names)
        }
        Num::If(cond, a, b) => of_cond(cond, names) || of_num(a, names) || of_num(b, names),
        Num::OfBool(cond) => of_cond(cond, names),
    }
}

fn of_cond(cond: &Cond, names: Names) -> bool {
    match cond {
        Cond::Const(_)
        | Cond::Pending
        | Cond::Cycle
        | Cond::WasPass
        | Cond::Proposed(_)
        | Cond::Decided(_)
        | Cond::NextStuck
        | Cond::AllPassed
        | Cond::Can(_) => false,
        Cond::Not(a) => of_cond(a, names),
        Cond::And(all) | Cond::Or(all) => all.iter().any(|cond| of_cond(cond, names)),
        Cond::If(a, b, c) => [a, b, c].into_iter().any(|cond| of_cond(cond, names)),
        Cond::Compare(_, a, b) => of_num(a, names) || of_num(b, names),
        Cond::In(sites, set) => sites.iter().any(|n| of_num(n, names)) || of_set(set, names),
        Cond::Same(a, b) => of_set(a, names) || of_set(b, names),
        Cond::Empty(n) | Cond::Occupied(n) | Cond::Odd(n) | Cond::Stuck(n) => of_num(n, names),
        Cond::AllSites(set, cond) => of_set(set, names) || of_cond(cond, names),
        Cond::Recalled(values, _) => values.iter().any(|n| of_num(n, names)),
        Cond::NoneEntered(set) => of_set(set, names),
    }
}

fn of_set(set: &Set, names: Names) -> bool {
    match set {
        Set::Const(_) | Set::Empty | Set::Pending | Set::Recalled(_) => false,
        Set::One(n) | Set::ByNumber(_, n) => of_num(n, names),
        Set::Holding(_, _, n) => of_num(n, names),
        Set::List(all) => all.iter().any(|n| of_num(n, names)),
        Set::Union(all) | Set::Intersection(all) => all.iter().any(|set| of_set(set, names)),
        Set::Difference(a, b) => of_set(a, names) || of_set(b, names),
        Set::If(cond, yes, no) => {
            of_cond(cond, names)
                || of_set(yes, names)
                || no.as_ref().is_some_and(|no| of_set(no, names))
        }
        Set::Filter(base, cond) => of_set(base, names) || of_cond(cond, names),
        Set::Starts(base, _) => of_set(base, names),
        Set::Choice(sets, n) => of_num(n, names) || sets.iter().any(|set| of_set(set, names)),
        Set::Stretch(stretch) => {
            let asks = |n: &Option<Num>| n.as_ref().is_some_and(|n| of_num(n, names));
            of_num(&stretch.player, names) || asks(&stretch.from) || asks(&stretch.to)
        }
    }
}
