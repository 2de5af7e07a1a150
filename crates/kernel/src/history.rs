//! Positions that may not come back: their hashes in order, and a filter that answers nearly every question.

use ludex_game::memory::expect;

/// Words of the filter.
const WORDS: usize = 1024;

/// Hashes of earlier positions. Copies reuse memory, so playouts allocate nothing.
#[derive(Debug, Default)]
pub(super) struct History {
    list: Vec<u64>,
    /// One bit for each value of the lowest bits of a hash; empty while nothing is noted.
    filter: Vec<u64>,
}

impl Clone for History {
    fn clone(&self) -> Self {
        History { list: self.list.clone(), filter: self.filter.clone() }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
        self.filter.clone_from(&other.filter);
    }
}

impl History {
    /// Notes a position.
    #[inline]
    pub fn note(&mut self, hash: u64) {
        if self.filter.is_empty() {
            self.filter.resize(WORDS, 0);
        }
        self.list.push(hash);
        let (word, bit) = place(hash);
        self.filter[word] |= bit;
    }

    /// Asks for the memory where a position will be noted.
    #[inline(always)]
    pub fn expect_note(&self, hash: u64) {
        self.list.last().into_iter().for_each(expect);
        self.filter.get(place(hash).0).into_iter().for_each(expect);
    }

    /// The positions noted, in order.
    #[inline]
    pub fn noted(&self) -> &[u64] {
        &self.list
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        for hash in self.list.drain(..) {
            self.filter[place(hash).0] = 0;
        }
    }

    /// Whether a position was noted.
    #[inline]
    pub fn has(&self, hash: u64) -> bool {
        let (word, bit) = place(hash);
        self.filter.get(word).is_some_and(|word| word & bit != 0) && self.finds(hash)
    }

    #[cold]
    fn finds(&self, hash: u64) -> bool {
        self.list.iter().rev().any(|&noted| noted == hash)
    }
}

#[inline]
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % WORDS, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_found_and_nothing_else() {
        let mut history = History::default();
        assert!(!history.has(7));
        (0..3_000).for_each(|n| history.note(ludex_game::mix(2 * n)));
        assert!((0..3_000).all(|n| history.has(ludex_game::mix(2 * n))));
        assert!(!(0..3_000).any(|n| history.has(ludex_game::mix(2 * n + 1))));
        let mut copy = History::default();
        copy.clone_from(&history);
        assert!(copy.has(ludex_game::mix(4)) && !copy.has(ludex_game::mix(5)));
        copy.clear();
        assert!(!(0..3_000).any(|n| copy.has(ludex_game::mix(2 * n))));
        copy.note(ludex_game::mix(5));
        assert!(copy.has(ludex_game::mix(5)));
    }
}
