//! Sets of the code read as views of two colours.

use super::{ALL, EMPTY, FOE, OWN, Term};
use crate::code::{Code, Cond, Flanking, Num, Set};
use crate::run::bits;
use crate::run::eval::moved;
use ludex_game::bits::Bits;
use ludex_lud::sites::SiteSet;

/// The code as one player sees it.
pub(super) struct Reading<'a> {
    pub code: &'a Code,
    /// What every set of a position is, as the first player sees it.
    pub slots: &'a [u8],
    pub side: usize,
}

/// A set as views that must all hold, within a fixed set.
pub(super) struct Terms<'a, const W: usize> {
    pub mask: Bits<W>,
    pub terms: Vec<Term>,
    pub flanking: Option<&'a Flanking>,
}

impl<const W: usize> Terms<'_, W> {
    /// What is on its own sites: one view, or none known.
    pub(super) fn view_here(&self) -> u8 {
        match (self.terms.as_slice(), self.flanking) {
            ([Term { view, by: 0, .. }], None) => *view,
            _ => 0,
        }
    }
}

impl<'a, const W: usize> Terms<'a, W> {
    /// The same sites, moved by a difference; lines cannot be moved.
    pub(super) fn moved(mut self, by: i32) -> Option<Terms<'a, W>> {
        self.mask = moved(self.mask, by);
        self.terms.iter_mut().for_each(|term| term.by += by);
        self.flanking.is_none().then_some(self)
    }

    /// Where both hold; not for two sets of lines.
    pub(super) fn and(&mut self, other: Terms<'a, W>) -> Option<()> {
        self.mask &= other.mask;
        for term in other.terms {
            match self.terms.iter_mut().find(|known| known.by == term.by) {
                Some(known) => *known = Term::new(known.view & term.view, known.by),
                None => self.terms.push(term),
            }
        }
        let one = self.flanking.is_none() || other.flanking.is_none();
        self.flanking = self.flanking.or(other.flanking);
        one.then_some(())
    }
}

/// The sets that must all hold.
fn conjuncts<'a>(set: &'a Set, out: &mut Vec<&'a Set>) {
    match set {
        Set::And(x, y) => {
            conjuncts(x, out);
            conjuncts(y, out);
        }
        one => out.push(one),
    }
}

impl<'a> Reading<'a> {
    pub(super) fn everywhere<const W: usize>(&self) -> Bits<W> {
        Bits::first(self.code.sites)
    }

    /// A set as terms.
    pub(super) fn terms<const W: usize>(&self, set: &'a Set) -> Option<Terms<'a, W>> {
        let mut parts = Vec::new();
        conjuncts(set, &mut parts);
        let masks = parts.iter().filter_map(|part| self.fixed(part));
        let mask = masks.fold(self.everywhere(), |all, mask| all & mask);
        let mut all = Terms { mask, terms: Vec::new(), flanking: None };
        for part in &parts {
            // Where a line is closed in there is one of its members beside: no need to ask for that.
            if self.fixed::<W>(part).is_none() && !parts.iter().any(|by| self.is_implied(part, by))
            {
                all.and(self.part(part, mask)?)?;
            }
        }
        Some(all)
    }

    /// A set that never changes.
    fn fixed<const W: usize>(&self, set: &Set) -> Option<Bits<W>> {
        match set {
            Set::Const(number) => Some(bits(&self.code.consts[*number])),
            Set::Not(inner) => Some(self.everywhere() & !self.fixed(inner)?),
            _ => None,
        }
    }

    /// A set of which only the members within another matter.
    fn part<const W: usize>(&self, set: &'a Set, within: Bits<W>) -> Option<Terms<'a, W>> {
        let mask = self.everywhere();
        if let Some(view) = self.view(set) {
            return Some(Terms { mask, terms: vec![Term::new(view, 0)], flanking: None });
        }
        match set {
            Set::Image(relation, inner) => {
                let offsets = &self.code.relations[*relation].offsets;
                let matter = |(_, ends): &&(i32, SiteSet)| !(bits(ends) & within).is_empty();
                let mut offsets = offsets.iter().filter(matter);
                let ((by, ends), None) = (offsets.next()?, offsets.next()) else {
                    return None;
                };
                let mut terms = self.terms(inner)?.moved(*by)?;
                terms.mask &= bits(ends);
                Some(terms)
            }
            Set::Flanking(flanking) => {
                Some(Terms { mask, terms: Vec::new(), flanking: Some(flanking) })
            }
            _ => None,
        }
    }

    /// Whether a set is all sites beside some, and another needs one of these beside it.
    fn is_implied(&self, set: &Set, by: &Set) -> bool {
        let (Set::Image(relation, of), Set::Flanking(flanking)) = (set, by) else {
            return false;
        };
        let around = &self.code.relations[*relation].offsets;
        let has = |by: i32, ends: &SiteSet| {
            around
                .iter()
                .any(|(other, all)| *other == by && ends.iter().all(|site| all.contains(site)))
        };
        let reaches = |step: &usize| {
            self.code.relations[*step].offsets.iter().all(|(by, ends)| has(*by, ends))
        };
        let target = self.view(&flanking.target);
        target.is_some() && target == self.view(of) && flanking.steps.iter().all(reaches)
    }

    /// A set that depends only on what is on its own sites.
    pub(super) fn view(&self, set: &Set) -> Option<u8> {
        Some(match set {
            Set::Slot(slot) => {
                let view = *self.slots.get(*slot as usize)?;
                if self.side == 0 { view } else { turned(view) }
            }
            Set::Not(inner) => ALL & !self.view(inner)?,
            Set::And(x, y) => self.view(x)? & self.view(y)?,
            Set::Or(x, y) => self.view(x)? | self.view(y)?,
            Set::If(cond, x, y) => self.view(if self.cond(cond)? { x } else { y })?,
            _ => return None,
        })
    }

    /// A condition that is known where players take turns.
    fn cond(&self, cond: &Cond) -> Option<bool> {
        match cond {
            Cond::Const(value) => Some(*value),
            Cond::Not(inner) => Some(!self.cond(inner)?),
            Cond::Compare(cmp, x, y) => Some(cmp.holds(self.num(x)?, self.num(y)?)),
            _ => None,
        }
    }

    fn num(&self, num: &Num) -> Option<i32> {
        match num {
            Num::Const(n) => Some(*n),
            Num::Next => Some(2 - self.side as i32),
            Num::If(cond, x, y) => self.num(if self.cond(cond)? { x } else { y }),
            _ => None,
        }
    }
}

/// The other player's view of the same.
pub(super) fn turned(view: u8) -> u8 {
    ((view & OWN) * FOE) | ((view & FOE) / FOE) | (view & EMPTY)
}
