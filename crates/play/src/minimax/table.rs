//! What was found of positions, shared by all threads of a search without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use ludex_game::Move;

/// How a stored score bounds the true one, from the side of the player who thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that refuted.
    pub mv: Move,
    /// The score, see [`super::score`].
    pub score: i32,
    /// How deep below the position was looked.
    pub depth: i16,
    /// How the score is meant.
    pub bound: Bound,
}

/// One slot: what it holds, and a check that tells a whole entry from one that two threads wrote at once.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    mv: AtomicU64,
    rest: AtomicU64,
}

/// Entries by key; new ones replace what was there, unless that is deeper and of the same search.
pub struct Table {
    slots: Vec<Slot>,
}

impl Table {
    /// A table of `2^bits` entries.
    pub fn new(bits: u64) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(1 << bits, Slot::default);
        Table { slots }
    }

    fn slot(&self, key: u64) -> &Slot {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let slot = self.slot(key);
        let mv = slot.mv.load(Ordering::Relaxed);
        let rest = slot.rest.load(Ordering::Relaxed);
        if rest == 0 || slot.check.load(Ordering::Relaxed) ^ mv ^ rest != key {
            return None;
        }
        let bound = match rest >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        };
        Some(Entry { mv: Move(mv), score: rest as u32 as i32, depth: (rest >> 32) as i16, bound })
    }

    /// Stores an entry. `age` counts searches.
    pub fn put(&self, key: u64, age: u8, entry: Entry) {
        let slot = self.slot(key);
        let old = slot.rest.load(Ordering::Relaxed);
        let same_search = (old >> 58) as u8 == age & 63;
        if same_search && (old >> 32) as i16 > entry.depth + 2 {
            return;
        }
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let rest = u64::from(age & 63) << 58
            | bound << 56
            | u64::from(entry.depth as u16) << 32
            | u64::from(entry.score as u32);
        slot.check.store(key ^ entry.mv.0 ^ rest, Ordering::Relaxed);
        slot.mv.store(entry.mv.0, Ordering::Relaxed);
        slot.rest.store(rest, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_whole_or_not_at_all() {
        let table = Table::new(4);
        let entry = Entry { mv: Move(77), score: -29_990, depth: 5, bound: Bound::Lower };
        table.put(3, 0, entry);
        assert_eq!(table.get(3), Some(entry));
        assert_eq!(table.get(3 + 16), None);
        table.put(3 + 16, 0, Entry { depth: 1, ..entry });
        assert_eq!(table.get(3), Some(entry), "a shallow entry replaces no deep one");
        table.put(3 + 16, 1, Entry { depth: 1, ..entry });
        assert_eq!(table.get(3), None, "but it replaces one of an earlier search");
        table.slot(3).mv.store(5, Ordering::Relaxed);
        assert_eq!(table.get(3 + 16), None, "half an entry is none");
    }
}
