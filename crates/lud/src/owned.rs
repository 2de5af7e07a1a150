//! Who holds what, in the order the reference keeps it.
//!
//! The reference keeps lists of its pieces beside the board, and rules that run through pieces
//! see those lists: their order, and entries that the board has outlived. They are kept here in
//! the same way, one after the other in one list, so that a copy of a position copies one list only.

use super::topo::SiteType;

/// A piece somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The component.
    pub what: u16,
    /// Kind of site.
    pub kind: SiteType,
    /// Site.
    pub site: i32,
    /// Level.
    pub level: i32,
}

/// All pieces: by component, and within one in the order they came.
#[derive(Debug, Default)]
pub struct Owned {
    /// Sorted by component.
    list: Vec<Held>,
    /// Where the entries of each component end; those beyond the last one known have none.
    ends: Vec<u32>,
    /// Only one kind of site and no stacks: one entry goes at a time, and the last takes its place.
    swaps: bool,
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        Owned { list: self.list.clone(), ends: self.ends.clone(), swaps: self.swaps }
    }

    fn clone_from(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
        self.ends.clone_from(&other.ends);
        self.swaps = other.swaps;
    }
}

impl Owned {
    /// Nothing yet; `swaps` for games with one kind of site and no stacks.
    pub fn new(swaps: bool) -> Self {
        Owned { list: Vec::new(), ends: Vec::new(), swaps }
    }

    /// Whether one entry goes at a time where a site is entered more than once.
    pub fn one_goes(&self) -> bool {
        self.swaps
    }

    /// All entries, by component.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Held> {
        self.list.iter()
    }

    /// The entries of a component.
    #[inline]
    pub fn of(&self, what: u16) -> &[Held] {
        let (start, end) = self.range(what as usize);
        &self.list[start..end]
    }

    #[inline]
    fn range(&self, what: usize) -> (usize, usize) {
        match self.ends.get(what) {
            Some(&end) => {
                let start = what.checked_sub(1).map_or(0, |before| self.ends[before]);
                (start as usize, end as usize)
            }
            None => (self.list.len(), self.list.len()),
        }
    }

    /// A piece comes.
    pub fn add(&mut self, what: i32, kind: SiteType, site: i32, level: i32) {
        if what > 0 {
            let at = what as usize;
            if at >= self.ends.len() {
                self.ends.resize(at + 1, self.list.len() as u32);
            }
            let held = Held { what: what as u16, kind, site, level };
            self.list.insert(self.ends[at] as usize, held);
            self.ends[at..].iter_mut().for_each(|end| *end += 1);
        }
    }

    /// A piece goes from a site.
    pub fn remove(&mut self, what: i32, kind: SiteType, site: i32) {
        let is = |h: &Held| h.site == site && h.kind == kind;
        if !self.swaps {
            self.retain(what, |held| !is(held));
            return;
        }
        let (start, end) = self.range(what.max(0) as usize);
        if let Some(at) = self.list[start..end].iter().position(is) {
            self.list[start + at] = self.list[end - 1];
            self.list.remove(end - 1);
            self.ends[what as usize..].iter_mut().for_each(|end| *end -= 1);
        }
    }

    /// A piece goes from a level of a stack, and those above it sink.
    pub fn remove_level(&mut self, what: i32, kind: SiteType, site: i32, level: i32) {
        self.remove_only(what, kind, site, level);
        for held in &mut self.list {
            if held.site == site && held.kind == kind && held.level > level {
                held.level -= 1;
            }
        }
    }

    /// A piece goes from a level of a stack, and those above it stay as they are.
    pub fn remove_only(&mut self, what: i32, kind: SiteType, site: i32, level: i32) {
        self.retain(what, |h| h.site != site || h.kind != kind || h.level != level);
    }

    /// Leaves those entries of a component for which something holds, in their order.
    fn retain(&mut self, what: i32, stays: impl Fn(&Held) -> bool) {
        let (start, end) = self.range(what.max(0) as usize);
        let Some(gap) = self.list[start..end].iter().position(|held| !stays(held)) else {
            return;
        };
        let mut kept = start + gap;
        for at in kept + 1..end {
            if stays(&self.list[at]) {
                self.list[kept] = self.list[at];
                kept += 1;
            }
        }
        self.list.drain(kept..end);
        let gone = (end - kept) as u32;
        self.ends[what as usize..].iter_mut().for_each(|end| *end -= gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_game::Rng;

    fn sites(owned: &Owned) -> Vec<(u16, i32)> {
        owned.iter().map(|held| (held.what, held.site)).collect()
    }

    #[test]
    fn the_last_of_a_component_takes_the_place_of_one_that_goes() {
        let mut owned = Owned::new(true);
        for (what, site) in [(1, 10), (2, 20), (1, 11), (1, 12), (1, 10)] {
            owned.add(what, SiteType::Cell, site, 0);
        }
        owned.remove(1, SiteType::Cell, 10);
        assert_eq!(sites(&owned), [(1, 10), (1, 11), (1, 12), (2, 20)]);
        owned.remove(1, SiteType::Cell, 10);
        assert_eq!(sites(&owned), [(1, 12), (1, 11), (2, 20)]);
    }

    #[test]
    fn pieces_above_one_that_goes_sink() {
        let mut owned = Owned::new(false);
        for (what, level) in [(1, 0), (2, 1), (1, 2)] {
            owned.add(what, SiteType::Cell, 5, level);
        }
        owned.remove_level(1, SiteType::Cell, 5, 0);
        let left: Vec<(u16, i32)> = owned.iter().map(|held| (held.what, held.level)).collect();
        assert_eq!(left, [(1, 1), (2, 0)]);
    }

    /// One list sorted by component, as the reference has it, is the measure.
    #[test]
    fn entries_are_those_of_a_plain_list() {
        for swaps in [false, true] {
            let mut rng = Rng::seeded(3);
            let mut owned = Owned::new(swaps);
            let mut plain: Vec<Held> = Vec::new();
            for _ in 0..2_000 {
                let (what, site, level) =
                    (rng.below(5) as i32, rng.below(6) as i32, rng.below(3) as i32);
                let kind = SiteType::Cell;
                if rng.below(5) < 3 {
                    owned.add(what, kind, site, level);
                    if what > 0 {
                        let end = plain.iter().rposition(|held| i32::from(held.what) <= what);
                        let held = Held { what: what as u16, kind, site, level };
                        plain.insert(end.map_or(0, |at| at + 1), held);
                    }
                } else if swaps {
                    owned.remove(what, kind, site);
                    let is = |h: &Held| i32::from(h.what) == what && h.site == site;
                    if let Some(at) = plain.iter().position(is) {
                        let last = plain.iter().rposition(|held| i32::from(held.what) == what);
                        plain.swap(at, last.unwrap_or(at));
                        plain.remove(last.unwrap_or(at));
                    }
                } else {
                    owned.remove_only(what, kind, site, level);
                    plain.retain(|h| (i32::from(h.what), h.site, h.level) != (what, site, level));
                }
                assert_eq!(owned.list, plain);
                for what in 0..7 {
                    let own: Vec<Held> = plain.iter().filter(|h| h.what == what).copied().collect();
                    assert_eq!(owned.of(what), own);
                }
            }
        }
    }
}
