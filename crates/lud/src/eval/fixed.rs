//! What is the same in every position of a game.

use crate::game::EquipmentRegion;
use crate::ir::{Directions, Int, Region};

/// Regions of the equipment may be made of one another; beyond so many steps nothing is said to be fixed.
const MAX_DEPTH: u32 = 16;

/// What is asked in a game with these regions of the equipment.
#[derive(Clone, Copy)]
pub struct Fixed<'g> {
    regions: &'g [EquipmentRegion],
    depth: u32,
}

impl<'g> Fixed<'g> {
    /// Asks with these regions.
    pub fn new(regions: &'g [EquipmentRegion]) -> Self {
        Fixed { regions, depth: 0 }
    }

    /// Whether a number never changes.
    pub fn int(self, n: &Int) -> bool {
        match n {
            Int::Const(_) => true,
            Int::Binary(_, a, b) | Int::Coord(_, a, b) => self.int(a) && self.int(b),
            Int::Abs(a) | Int::Column(_, a) | Int::Row(_, a) | Int::Layer(_, a) => self.int(a),
            Int::CountSites(region) => self.region(region),
            Int::RegionSite(region, index) => self.region(region) && self.int(index),
            Int::MapEntry(_, key, _) => self.int(key),
            Int::Ahead(_, site, steps, dirs) => {
                self.int(site) && self.int(steps) && matches!(**dirs, Directions::Absolute(_))
            }
            _ => false,
        }
    }

    /// Whether a set of sites never changes.
    pub fn region(self, region: &Region) -> bool {
        let all = |parts: &[Region]| parts.iter().all(|part| self.region(part));
        match region {
            Region::Const(_) => true,
            Region::List(list) => list.iter().all(|n| self.int(n)),
            Region::One(n) | Region::Indexed(_, n) | Region::Side(_, n) => self.int(n),
            Region::Named(parts) | Region::Union(parts) | Region::Intersection(parts) => all(parts),
            Region::Difference(a, b) => self.region(a) && self.region(b),
            Region::Expand(_, base, steps, _) => self.region(base) && self.int(steps),
            Region::Distance(_, _, from, range) => {
                [&**from, &range.min, &range.max].into_iter().all(|n| self.int(n))
            }
            Region::Owned(player, name, _) => match **player {
                Int::Const(player) => {
                    self.deeper().equipment(|region| region.is_meant(player, name.as_deref()))
                }
                _ => false,
            },
            Region::Called(name) => self.deeper().equipment(|region| region.name == *name),
            _ => false,
        }
    }

    fn deeper(self) -> Self {
        Fixed { depth: self.depth + 1, ..self }
    }

    /// Whether the regions of the equipment that are meant never change.
    fn equipment(self, meant: impl Fn(&EquipmentRegion) -> bool) -> bool {
        let mut parts = self.regions.iter().filter(|region| meant(region)).flat_map(|r| &r.parts);
        self.depth < MAX_DEPTH && parts.all(|part| self.region(part))
    }
}
