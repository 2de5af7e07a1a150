//! Tiles with coloured paths: whether they fit together, where their paths lead.

use crate::ctx::Ctx;
use crate::game::Tile;
use crate::ir::Relation;
use crate::topo::{Dir, SiteType};

/// What a side shows: a colour in each slot, nought where no path ends.
type Side = Vec<i32>;

impl Ctx<'_> {
    fn tile_at(&self, site: i32) -> Option<&Tile> {
        let what = self.what(SiteType::Cell, site);
        self.g.components.get(usize::try_from(what).ok()?)?.tile.as_deref()
    }

    fn turned_by(&self, site: i32) -> usize {
        self.piece(Some(SiteType::Cell), site).rotation.max(0) as usize
    }

    /// The sides of the tile on a site as it lies there.
    fn shown_sides(&self, tile: &Tile, site: i32, sides: usize) -> Vec<Side> {
        let plane = self.plane(SiteType::Cell);
        let count = |relation| plane.supported(relation).len();
        let ratio = (count(Relation::Adjacent) / count(Relation::Orthogonal).max(1)).max(1);
        let slots = |side: usize| match tile.slots.is_empty() {
            true => tile.slots_each,
            false => tile.slots.get(side).copied().unwrap_or(0),
        };
        let mut shown: Vec<Side> = (0..sides).map(|side| vec![0; slots(side)]).collect();
        for path in &tile.paths {
            for (side, slot) in path.sides.into_iter().zip(path.slots) {
                if let Some(end) = shown.get_mut(side).and_then(|side| side.get_mut(slot)) {
                    *end = path.colour;
                }
            }
        }
        let turn = self.turned_by(site) / ratio;
        shown.rotate_right(turn % sides.max(1));
        shown
    }

    /// Whether a tile shows the same as its neighbours wherever they touch.
    pub(super) fn sides_match(&self, site: i32) -> bool {
        let kind = SiteType::Cell;
        if site < 0 || self.what(kind, site) == 0 {
            return false;
        }
        let Some(tile) = self.tile_at(site) else {
            return true;
        };
        let sides = self.g.topo.sides();
        let shown = self.shown_sides(tile, site, sides);
        let plane = self.plane(kind);
        for (side, &dir) in plane.supported(Relation::Orthogonal).iter().enumerate() {
            for &to in plane.steps(site, dir) {
                let Some(other) = self.tile_at(to) else {
                    continue;
                };
                let theirs = self.shown_sides(other, to, sides);
                let ours = shown.get(side).into_iter().flatten();
                let facing = theirs.get((side + sides / 2) % sides.max(1));
                let facing = facing.into_iter().flatten().rev();
                if !ours.eq(facing) {
                    return false;
                }
            }
        }
        true
    }

    /// The sites that the paths of a colour lead to from a tile, in order.
    fn led_to(&self, colour: i32, site: i32) -> Vec<i32> {
        let Some(tile) = self.tile_at(site) else {
            return Vec::new();
        };
        let sides = self.g.topo.sides().max(1);
        let plane = self.plane(SiteType::Cell);
        let dirs = plane.supported(Relation::Orthogonal);
        let turn = self.turned_by(site) * 2 / sides;
        let towards = |side: usize| -> Option<i32> {
            let dir: &Dir = dirs.get((side + turn) % sides)?;
            plane.steps(site, *dir).first().copied()
        };
        let own = tile.paths.iter().filter(|path| path.colour == colour);
        own.flat_map(|path| path.sides).filter_map(towards).collect()
    }

    /// Follows the paths of a colour from a tile, and does something at every site they lead to, told
    /// where it was come from, until that says stop.
    fn follow_paths(&self, colour: i32, start: i32, mut at: impl FnMut(i32, i32) -> bool) -> bool {
        let mut way: Vec<(i32, i32)> = vec![(start, start)];
        let mut next = 0;
        while let Some(&(site, origin)) = way.get(next) {
            next += 1;
            for to in self.led_to(colour, site) {
                if at(to, origin) {
                    return true;
                }
                let goes_on = origin != to && self.tile_at(to).is_some();
                if goes_on && !way.contains(&(to, site)) {
                    way.push((to, site));
                }
            }
        }
        false
    }

    /// Whether a path of a colour leads from a tile back to it.
    pub(super) fn path_closes(&self, colour: i32, start: i32) -> bool {
        self.follow_paths(colour, start, |to, origin| to == start && origin != to)
    }

    /// How many rows or columns the paths of a colour reach from any of some tiles.
    pub(super) fn path_extent(&self, colour: i32, starts: &[i32]) -> i32 {
        let plane = self.plane(SiteType::Cell);
        let mut most = 0;
        for &start in starts {
            if start < 0 || start >= plane.count as i32 || self.tile_at(start).is_none() {
                return most;
            }
            let (row, column) = (plane.row[start as usize], plane.column[start as usize]);
            self.follow_paths(colour, start, |to, _| {
                let up = (plane.row[to as usize] - row).abs();
                most = most.max(up).max((plane.column[to as usize] - column).abs());
                false
            });
        }
        most
    }
}
