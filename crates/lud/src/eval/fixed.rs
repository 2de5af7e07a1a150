//! What is the same in every position of a game.

use crate::ir::{Int, Region};

/// Whether a number never changes.
pub(crate) fn int_is_fixed(n: &Int) -> bool {
    match n {
        Int::Const(_) => true,
        Int::Binary(_, a, b) | Int::Coord(_, a, b) => int_is_fixed(a) && int_is_fixed(b),
        Int::Abs(a) | Int::Column(_, a) | Int::Row(_, a) | Int::Layer(_, a) => int_is_fixed(a),
        Int::CountSites(region) => region_is_fixed(region),
        Int::RegionSite(region, index) => region_is_fixed(region) && int_is_fixed(index),
        Int::MapEntry(_, key, _) => int_is_fixed(key),
        _ => false,
    }
}

/// Whether a set of sites never changes.
pub(crate) fn region_is_fixed(region: &Region) -> bool {
    match region {
        Region::Const(_) => true,
        Region::List(list) => list.iter().all(int_is_fixed),
        Region::One(site) => int_is_fixed(site),
        Region::Indexed(_, index) => int_is_fixed(index),
        Region::Side(_, player) => int_is_fixed(player),
        Region::Named(parts) | Region::Union(parts) | Region::Intersection(parts) => {
            parts.iter().all(region_is_fixed)
        }
        Region::Difference(a, b) => region_is_fixed(a) && region_is_fixed(b),
        Region::Expand(_, base, steps, _) => region_is_fixed(base) && int_is_fixed(steps),
        Region::Distance(_, _, from, range) => {
            [&**from, &range.min, &range.max].into_iter().all(int_is_fixed)
        }
        _ => false,
    }
}
