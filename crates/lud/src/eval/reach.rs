//! Where the moves of a piece can end at most, whatever else stands on the board.
//!
//! Whoever asks whether a site is threatened need not look at pieces that never get there.

use crate::ctx::Ctx;
use crate::ir::{Directions, Int, Moves, MovesKind, Origin, Region, Relation};
use crate::owned::Held;
use crate::sites::SiteSet;
use crate::topo::{Dirs, SiteType};

/// By the site that a piece stands on; nothing where its moves may end anywhere.
pub type Reach = Vec<Option<SiteSet>>;

impl Ctx<'_> {
    /// Whether a piece may have a move by its own rules that ends on a site.
    pub(crate) fn may_reach(&mut self, held: Held, site: i32) -> bool {
        let g = self.g;
        let component = &g.components[held.what as usize];
        let Some(moves) = component.moves.as_ref().filter(|_| held.kind == g.topo.default) else {
            return true;
        };
        let count = self.plane(held.kind).count as i32;
        let reach = component.reach.get(|| (0..count).map(|from| self.ends(moves, from)).collect());
        let ends = reach.get(held.site as usize).and_then(Option::as_ref);
        ends.is_none_or(|ends| ends.contains(site))
    }

    fn ends(&mut self, moves: &Moves, from: i32) -> Option<SiteSet> {
        use MovesKind as K;
        let kind = self.g.topo.default;
        let plane = self.plane(kind);
        let here = |origin: &Origin| {
            matches!(origin.site, Int::From)
                && origin.region.is_none()
                && origin.kind.is_none_or(|wanted| wanted == kind)
        };
        match &moves.kind {
            K::All(all) | K::Priority(all) => {
                all.iter().try_fold(SiteSet::new(), |ends, part| self.joined(ends, part, from))
            }
            K::If(_, yes, no) => {
                let ends = self.ends(yes, from)?;
                match no {
                    Some(no) => self.joined(ends, no, from),
                    None => Some(ends),
                }
            }
            K::Do(wanted) if wanted.next.is_none() => self.ends(&wanted.prior, from),
            K::Pass { .. } => Some(SiteSet::new()),
            K::Step(step) if here(&step.from) => {
                let dirs = self.dirs_at_most(&step.dirs, kind);
                Some(dirs.iter().flat_map(|&dir| plane.steps(from, dir)).copied().collect())
            }
            K::Slide(slide) if here(&slide.from) && slide.track.is_none() => {
                Some(self.lines_at_most(&slide.dirs, kind, from))
            }
            K::Hop(hop) if here(&hop.from) => Some(self.lines_at_most(&hop.dirs, kind, from)),
            K::Leap(leap) if here(&leap.from) => {
                Some(self.walk_ends(kind, from, &leap.walks, true).into_iter().collect())
            }
            K::FromTo(carried) if here(&carried.from) => match &carried.to_region {
                Some(Region::Direction(to))
                    if to.kind == kind
                        && matches!(&to.from, Region::One(site) if matches!(**site, Int::From)) =>
                {
                    Some(self.lines_at_most(&to.dirs, kind, from))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn joined(&mut self, mut ends: SiteSet, part: &Moves, from: i32) -> Option<SiteSet> {
        ends.union_with(&self.ends(part, from)?);
        Some(ends)
    }

    /// The site itself, its neighbours and all sites on lines from it.
    fn lines_at_most(&self, dirs: &Directions, kind: SiteType, from: i32) -> SiteSet {
        let (plane, dirs) = (self.plane(kind), self.dirs_at_most(dirs, kind));
        let lines = dirs.iter().flat_map(|&dir| plane.radials(from, dir));
        let near = dirs.iter().flat_map(|&dir| plane.steps(from, dir));
        lines.flat_map(|line| &line.sites).chain(near).copied().chain([from]).collect()
    }

    /// Directions among which all are that could be meant.
    fn dirs_at_most(&self, dirs: &Directions, kind: SiteType) -> Dirs {
        match dirs {
            Directions::Absolute(dirs) => Dirs::from_slice(dirs),
            _ => Dirs::from_slice(self.plane(kind).supported(Relation::All)),
        }
    }
}
