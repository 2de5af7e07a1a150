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
        let stands = |path: &[i32]| {
            path.iter()
                .enumerate()
                .all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()])
        };
        self.rotations(pattern, from, &mut |path| stands(path))
    }

    /// Whether something holds for one of the walks of a pattern from a site, in any rotation.
    fn rotations(
        &self,
        pattern: &Pattern,
        from: i32,
        holds: &mut dyn FnMut(&[i32]) -> bool,
    ) -> bool {
        let length = 1 + pattern.walk.iter().filter(|turn| matches!(turn, Turn::Forward)).count();
        let plane = self.plane(pattern.kind);
        let starts = plane.supported(crate::ir::Relation::Orthogonal);
        let walks = |from: i32| {
            starts
                .iter()
                .map(move |&start| self.walk_from(pattern.kind, from, start, &pattern.walk))
        };
        let kept = pattern.paths.get(|| {
            let fits = plane.count.saturating_mul(starts.len() * length) <= MOST_KEPT;
            fits.then(|| {
                (0..plane.count as i32).map(|site| walks(site).flatten().collect()).collect()
            })
        });
        match kept {
            Some(kept) => kept[from as usize].chunks_exact(length).any(holds),
            None => walks(from).any(|path| !path.is_empty() && holds(&path)),
        }
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
        self.rotations(pattern, from, &mut |path| {
            let mut steps = path.iter().enumerate();
            if steps.all(|(n, &site)| self.what(kind, site) == whats[n % whats.len()]) {
                path.iter().for_each(|&site| out.insert(site));
            }
            false
        });
        out
    }
}

/// Sites of walks that are kept for one pattern.
const MOST_KEPT: usize = 1 << 20;
