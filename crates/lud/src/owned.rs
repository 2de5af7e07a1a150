//! Who holds what, in the order the reference keeps it.
//!
//! The reference keeps lists of its pieces beside the board, and rules that run through pieces
//! see those lists: their order, and entries that the board has outlived. They are kept here in
//! the same way, in one list sorted by component.

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
    /// Only one kind of site and no stacks: one entry goes at a time, and the last takes its place.
    swaps: bool,
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        Owned { list: self.list.clone(), swaps: self.swaps }
    }

    fn clone_from(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
        self.swaps = other.swaps;
    }
}

impl Owned {
    /// Nothing yet; `swaps` for games with one kind of site and no stacks.
    pub fn new(swaps: bool) -> Self {
        Owned { list: Vec::new(), swaps }
    }

    /// All entries, by component.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Held> {
        self.list.iter()
    }

    /// A piece comes.
    pub fn add(&mut self, what: i32, kind: SiteType, site: i32, level: i32) {
        if what > 0 {
            let what = what as u16;
            let end = self.list.iter().rposition(|held| held.what <= what).map_or(0, |at| at + 1);
            self.list.insert(end, Held { what, kind, site, level });
        }
    }

    /// A piece goes from a site.
    pub fn remove(&mut self, what: i32, kind: SiteType, site: i32) {
        let is = |h: &Held| i32::from(h.what) == what && h.site == site && h.kind == kind;
        if !self.swaps {
            self.list.retain(|held| !is(held));
            return;
        }
        if let Some(at) = self.list.iter().position(is) {
            let later = self.list[at..].iter().position(|held| i32::from(held.what) > what);
            let end = later.map_or(self.list.len(), |length| at + length);
            self.list[at] = self.list[end - 1];
            self.list.remove(end - 1);
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
        self.list.retain(|h| {
            i32::from(h.what) != what || h.site != site || h.kind != kind || h.level != level
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
