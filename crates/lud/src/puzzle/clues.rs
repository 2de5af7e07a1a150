//! What a deduction puzzle gives to whoever solves it: the hints of its description, as they are drawn on its board.

use crate::ir::{Clause, Cmp, Int, Over, Sheet, Term};
use crate::topo::SiteType;

/// A number at places, or their order.
#[derive(Clone, Debug)]
pub struct Clue {
    /// The kind of the places.
    pub kind: SiteType,
    /// The places.
    pub sites: Vec<i32>,
    /// The number; without one, what is written at each place is more than what is written before.
    pub number: Option<i32>,
}

/// The hints of a sheet. Some constrain what is written at two places by its order, and have no number.
pub(crate) fn clues(sheet: &Sheet, clauses: &[Clause]) -> Vec<Clue> {
    let order = clauses.iter().find_map(order);
    let clue = |hint: &crate::ir::Hint| {
        let mut sites = hint.sites.clone();
        if order == Some(Cmp::Gt) {
            sites.reverse();
        }
        let number = order.is_none().then_some(hint.number);
        Clue { kind: hint.kind, sites, number }
    };
    sheet.hints.iter().map(clue).collect()
}

/// How the values at the two places of every hint compare.
fn order(clause: &Clause) -> Option<Cmp> {
    match clause {
        Clause::And(all) => all.iter().find_map(order),
        Clause::Each(Over::Hints, inner) => match **inner {
            Clause::Compare(
                cmp @ (Cmp::Lt | Cmp::Gt),
                Term::ValueAt(Int::From),
                Term::ValueAt(Int::To),
            ) => Some(cmp),
            _ => None,
        },
        _ => None,
    }
}
