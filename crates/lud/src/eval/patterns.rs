//! Walks and the patterns that stand along them.

use crate::ctx::Ctx;
use crate::ir::{Pattern, Turn};
use crate::sites::{Numbers, SiteSet};
use crate::topo::{Dir, SiteType};

impl Ctx<'_> {
    /// Sites reached by a walk from a site, starting in a direction; none where it leaves the board.
    pub fn walk_from(&self, kind: SiteType, from: i32, start: Dir, walk: &[Turn]) -> Numbers {
        let plane = self.plane(kind);
        let mut dir = start;
        let mut site = from;
        let mut path = Numbers::from_slice(&[from]);
        for step in walk {
            match step {
                Turn::Left => dir = plane.turns(dir).left,
                Turn::Right => dir = plane.turns(dir).right,
                // Down to the north-west the reference goes down to the south-west.
                Turn::Forward => {
                    match plane.steps(site, if dir.0 == 50 { Dir(48) } else { dir }).last() {
                        Some(&to) => {
                            site = to;
                            path.push(to);
                        }
                        None => return Numbers::new(),
                    }
                }
            }
        }
        path
    }

    /// Whether pieces stand along a walk from a site in any rotation.
    pub fn is_pattern(&mut self, pattern: &Pattern) -> bool {
        let kind = pattern.kind;
        let from = self.int(&pattern.from);
        if from < 0 || from >= self.plane(kind).count as i32 {
            return false;
        }
        let whats: Numbers = match &pattern.what {
            Some(whats) => whats.iter().map(|what| self.int(what)).collect(),
            None if self.what(kind, from) == 0 => return false,
            None => Numbers::from_slice(&[self.what(kind, from)]),
        };
        let starts = self.plane(kind).supported(crate::ir::Relation::Orthogonal);
        starts.iter().any(|&start| {
            let path = self.walk_from(kind, from, start, &pattern.walk);
            !path.is_empty()
                && path
                    .iter()
                    .enumerate()
                    .all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()])
        })
    }

    /// The sites of all the rotations of a pattern that stand.
    pub fn pattern_sites(&mut self, pattern: &Pattern) -> SiteSet {
        let kind = pattern.kind;
        let from = self.int(&pattern.from);
        let mut out = SiteSet::new();
        if from < 0 || from >= self.plane(kind).count as i32 {
            return out;
        }
        let whats: Numbers = match &pattern.what {
            Some(whats) => whats.iter().map(|what| self.int(what)).collect(),
            None => Numbers::from_slice(&[self.what(kind, from)]),
        };
        for &start in self.plane(kind).supported(crate::ir::Relation::Orthogonal) {
            let path = self.walk_from(kind, from, start, &pattern.walk);
            let mut steps = path.iter().enumerate();
            if steps.all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()]) {
                path.into_iter().for_each(|site| out.insert(site));
            }
        }
        out
    }
}
