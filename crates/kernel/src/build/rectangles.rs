//! Conditions on where a move starts and where it ends, as pairs of sets.

use super::Builder;
use super::sets::mentions;
use crate::Built;
use crate::code::{Set, Var};
use ludex_lud::ir::Bool;

impl Builder<'_> {
    /// Splits a condition on start and end into pairs of sets that share no move.
    pub(super) fn rectangles(&mut self, cond: &Bool) -> Built<Vec<(Set, Set)>> {
        let all = self.everywhere();
        if !self.asks_start(cond) {
            let to = self.sites_where(cond, Var::To)?;
            return Ok(vec![(all, to)]);
        }
        if !mentions(cond, Var::To) {
            let from = self.sites_where(cond, Var::From)?;
            return Ok(vec![(from, all)]);
        }
        match cond {
            Bool::And(parts) => {
                let mut out = vec![(all.clone(), all)];
                for part in parts {
                    let more = self.rectangles(part)?;
                    let mut both = Vec::new();
                    for (from, to) in &out {
                        for (from2, to2) in &more {
                            let from = self.and(from.clone(), from2.clone());
                            both.push((from, self.and(to.clone(), to2.clone())));
                        }
                    }
                    out = both;
                }
                Ok(out)
            }
            Bool::Or(parts) => {
                let mut out: Vec<(Set, Set)> = Vec::new();
                for part in parts {
                    for (from, to) in self.rectangles(part)? {
                        self.add_apart(&mut out, from, to)?;
                    }
                }
                Ok(out)
            }
            Bool::Not(inner) => match &**inner {
                Bool::Not(cond) => self.rectangles(cond),
                Bool::And(parts) => {
                    let not = |p: &Bool| Bool::Not(Box::new(p.clone()));
                    self.rectangles(&Bool::Or(parts.iter().map(not).collect()))
                }
                Bool::Or(parts) => {
                    let not = |p: &Bool| Bool::Not(Box::new(p.clone()));
                    self.rectangles(&Bool::And(parts.iter().map(not).collect()))
                }
                _ => self.refuse("a condition on start and end together"),
            },
            _ => self.refuse("a condition on start and end together"),
        }
    }

    /// Adds what a pair has beyond those already there.
    fn add_apart(&mut self, out: &mut Vec<(Set, Set)>, from: Set, to: Set) -> Built<()> {
        let mut pieces = vec![(from, to)];
        for (known_from, known_to) in out.clone() {
            let mut rest = Vec::new();
            for (from, to) in pieces {
                // Outside the known start, or inside it but outside the known end.
                let not_from = self.not(known_from.clone());
                let outside = self.and(from.clone(), not_from);
                if !self.is_nowhere(&outside) {
                    rest.push((outside, to.clone()));
                }
                let inside = self.and(from, known_from.clone());
                let not_to = self.not(known_to.clone());
                let beyond = self.and(to, not_to);
                if !self.is_nowhere(&inside) && !self.is_nowhere(&beyond) {
                    rest.push((inside, beyond));
                }
            }
            pieces = rest;
        }
        out.extend(pieces);
        match out.len() > 6 {
            true => self.refuse("a condition on start and end in too many cases"),
            false => Ok(()),
        }
    }
}
