//! Where a piece may join the others: beside them, or in the middle where there are none yet.

use crate::ctx::Ctx;
use crate::sites::SiteSet;
use crate::topo::{Dir, SiteType};

impl Ctx<'_> {
    /// The empty sites beside pieces; the middle of a board before the first move, of a table without
    /// an edge while it is empty.
    pub(crate) fn playable(&self) -> SiteSet {
        let kind = self.g.topo.default;
        let plane = self.plane(kind);
        let taken = SiteType::Cell;
        let held: Vec<i32> =
            (0..plane.count as i32).filter(|&site| self.what(taken, site) != 0).collect();
        let first = match self.g.boardless {
            true => held.is_empty(),
            false => self.s.moves == self.s.initial_moves,
        };
        if first {
            let middle = if self.g.boardless { 1 } else { plane.centre.len() };
            return plane.centre.iter().take(middle).copied().collect();
        }
        if self.g.line_of_play && self.g.boardless {
            return self.line_of_play();
        }
        let near = held.iter().flat_map(|&site| plane.steps(site, Dir::ADJACENT)).copied();
        near.filter(|&site| self.is_empty(kind, site)).collect()
    }
}
