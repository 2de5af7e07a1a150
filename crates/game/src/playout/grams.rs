//! Statistics of sequences of moves, found by hash.

use super::Step;
use crate::memory::expect;
use crate::{Player, mix};

/// The longest sequence that statistics are kept of.
pub const MAX_GRAM: usize = 8;

/// What came before a choice, as one hash for each number of moves looked back at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contexts {
    hashes: [u64; MAX_GRAM - 1],
    len: usize,
}

impl Contexts {
    /// The hashes: first of the last move, then of the last two, and so on.
    #[inline]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[..self.len]
    }

    /// What came before `player`'s choice at `ply`, looking back at most `longest - 1` plies.
    ///
    /// The move `d` plies before is that of the player `d` places before in the cyclic order of
    /// `players`; where that one had nothing to choose at that ply, of the nearest one before him who
    /// had. In turn-taking games this is simply the move made at that ply, also where somebody moves
    /// twice; where all move at once it is the order of the papers.
    #[inline]
    pub fn of(steps: &[Step], ply: u32, player: Player, players: usize, longest: usize) -> Self {
        let mut contexts = Contexts { hashes: [0; MAX_GRAM - 1], len: 0 };
        let mut hash = mix(u64::from(player.0) + 1);
        let mut end = steps.len();
        while end > 0 && steps[end - 1].ply == ply {
            end -= 1;
        }
        for back in 1..longest.min(MAX_GRAM) {
            let Some(last) = end.checked_sub(1) else { break };
            let mut start = last;
            while start > 0 && steps[start - 1].ply == steps[last].ply {
                start -= 1;
            }
            let step = &steps[if start == last {
                last
            } else {
                start + nearest(&steps[start..end], player, back, players)
            }];
            hash = mix(hash ^ u64::from(step.player.0) << 32 ^ u64::from(step.chosen));
            contexts.hashes[back - 1] = hash;
            contexts.len = back;
            end = start;
        }
        contexts
    }
}

/// Which of the choices made at once belongs to the player `back` places before `player`, or to the
/// nearest before him.
fn nearest(steps: &[Step], player: Player, back: usize, players: usize) -> usize {
    let wanted = player.index() + players * back - back;
    let distance = |step: &Step| (wanted - step.player.index()) % players;
    (0..steps.len()).min_by_key(|&index| distance(&steps[index])).unwrap_or(0)
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Zero where nothing is stored.
    key: u64,
    value: f32,
    visits: f32,
}

/// A value and a number of visits for sequences of moves, each a context and a last move's code.
///
/// Open addressing with linear probing. The codes of one context begin at one place, so that looking up
/// all legal moves walks over neighbouring memory.
#[derive(Clone, Debug)]
pub struct GramTable {
    /// A power of two of them, and one more that takes what finds no room.
    slots: Vec<Slot>,
    used: usize,
    max_slots: usize,
    full: bool,
}

const FIRST_SLOTS: usize = 1 << 12;
const MAX_SLOTS: usize = 1 << 22;

impl Default for GramTable {
    fn default() -> Self {
        Self::with_limit(MAX_SLOTS)
    }
}

impl GramTable {
    /// An empty table that never grows beyond `max_slots` (rounded up to a power of two).
    pub fn with_limit(max_slots: usize) -> Self {
        let max_slots = max_slots.next_power_of_two();
        let slots = vec![Slot::default(); FIRST_SLOTS.min(max_slots) + 1];
        GramTable { slots, used: 0, max_slots, full: false }
    }

    /// How many sequences are stored.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
        (self.used, self.full) = (0, false);
    }

    /// Multiplies every number of visits.
    pub fn fade(&mut self, factor: f32) {
        for slot in &mut self.slots {
            slot.visits *= factor;
        }
        self.full = false;
    }

    /// The value and visits of a sequence; zero both where it was never met.
    #[inline]
    pub fn get(&self, context: u64, code: u32) -> (f32, f32) {
        match self.probe(context, code) {
            Ok(at) => (self.slots[at].value, self.slots[at].visits),
            Err(_) => (0.0, 0.0),
        }
    }

    /// Makes room for `count` more sequences: the places [`GramTable::place`] gives until the next call
    /// stay valid. A table that may not grow forgets what was visited less than `rare` times.
    pub fn reserve(&mut self, count: usize, rare: f32) {
        let fits = |used: usize, slots: usize| (used + count) * 2 <= slots;
        let mut slots = self.slots.len() - 1;
        while !fits(self.used, slots) && slots < self.max_slots {
            slots *= 2;
        }
        if slots > self.slots.len() - 1 {
            self.rebuild(slots, |_| true);
        } else if !fits(self.used, slots) && !self.full {
            self.rebuild(slots, |slot| slot.visits >= rare);
            // What remains is all worth keeping: from now on nothing new is let in.
            self.full = !fits(self.used, slots);
        }
    }

    /// The place of a sequence, which it is given now if it had none.
    #[inline]
    pub fn place(&mut self, context: u64, code: u32) -> usize {
        match self.probe(context, code) {
            Ok(at) => at,
            Err(_) if self.full => self.slots.len() - 1,
            Err(at) => {
                self.slots[at].key = key(context, code);
                self.used += 1;
                at
            }
        }
    }

    /// Asks the memory for a sequence before it is needed.
    #[inline(always)]
    pub(super) fn expect(&self, context: u64, code: u32) {
        expect(&self.slots[key(context, code) as usize & (self.slots.len() - 2)]);
    }

    /// How often the sequence at a place was visited.
    #[inline]
    pub(super) fn visits(&self, place: usize) -> f32 {
        self.slots[place].visits
    }

    /// Forgets what is known of the sequence at a place, which stays taken.
    #[inline]
    pub(super) fn forget(&mut self, place: usize) {
        (self.slots[place].value, self.slots[place].visits) = (0.0, 0.0);
    }

    /// How many sequences something is known of.
    pub(super) fn known(&self) -> usize {
        self.slots.iter().filter(|slot| slot.visits > 0.0).count()
    }

    /// The value at a place; zero where it was just given.
    #[inline]
    pub fn value(&self, place: usize) -> f32 {
        self.slots[place].value
    }

    /// Adds to the value at a place and counts one visit.
    #[inline]
    pub fn add(&mut self, place: usize, delta: f32) {
        let slot = &mut self.slots[place];
        slot.value += delta;
        slot.visits += 1.0;
        self.settle(place);
    }

    /// Takes one more observation into the mean at a place.
    #[inline]
    pub fn average(&mut self, place: usize, observed: f32) {
        let slot = &mut self.slots[place];
        slot.visits += 1.0;
        slot.value += (observed - slot.value) / slot.visits;
        self.settle(place);
    }

    /// What found no room is forgotten at once.
    #[inline]
    fn settle(&mut self, place: usize) {
        if place + 1 == self.slots.len() {
            self.slots[place] = Slot::default();
        }
    }

    /// Where a sequence is, or the empty place where it would be.
    #[inline]
    fn probe(&self, context: u64, code: u32) -> Result<usize, usize> {
        let mask = self.slots.len() - 2;
        let key = key(context, code);
        let mut at = key as usize & mask;
        loop {
            match self.slots[at].key {
                0 => return Err(at),
                found if found == key => return Ok(at),
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn rebuild(&mut self, count: usize, keep: impl Fn(&Slot) -> bool) {
        let mask = count - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); count + 1]);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.key != 0 && keep(slot)) {
            let mut at = slot.key as usize & mask;
            while self.slots[at].key != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
            self.used += 1;
        }
    }
}

/// The codes of a context are numbered onwards from its hash. Zero is kept for empty places.
#[inline]
fn key(context: u64, code: u32) -> u64 {
    context.wrapping_add(u64::from(code)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::playout::{Record, Recording};

    #[test]
    fn remembers_what_a_map_remembers() {
        let mut table = GramTable::default();
        let mut map = std::collections::HashMap::new();
        let mut rng = Rng::seeded(5);
        for _ in 0..60_000 {
            let (context, code) = (mix(1 + u64::from(rng.below(300))), rng.below(100));
            table.reserve(1, 0.0);
            let place = table.place(context, code);
            table.add(place, 0.5);
            *map.entry((context, code)).or_insert(0.0) += 0.5f32;
        }
        assert_eq!(table.len(), map.len());
        for (&(context, code), &value) in &map {
            assert_eq!(table.get(context, code), (value, value * 2.0));
        }
        assert_eq!(table.get(1, 1), (0.0, 0.0));
        table.fade(0.5);
        let (&(context, code), &value) = map.iter().next().unwrap();
        assert_eq!(table.get(context, code), (value, value));
    }

    #[test]
    fn a_full_table_forgets_what_is_rare_and_then_takes_no_more() {
        let mut table = GramTable::with_limit(64);
        for round in 0..2 {
            for code in 0..20 {
                table.reserve(1, 0.0);
                let place = table.place(mix(1), code);
                table.add(place, 1.0 + round as f32);
            }
        }
        for code in 0..100 {
            table.reserve(1, 2.0);
            let place = table.place(mix(2), code);
            table.add(place, 1.0);
        }
        assert!(table.len() <= 32, "{}", table.len());
        for code in 0..20 {
            assert_eq!(table.get(mix(1), code), (3.0, 2.0));
        }
    }

    fn record(plies: &[&[(u8, u32)]]) -> Record {
        let mut record = Record::default();
        for ply in plies {
            record.begin_ply();
            for &(player, code) in *ply {
                record.push(Player(player), &[code], 0, Recording::Chosen);
            }
        }
        record
    }

    fn contexts(plies: &[&[(u8, u32)]], player: u8, players: usize) -> Vec<u64> {
        let record = record(plies);
        let contexts =
            Contexts::of(record.steps(), record.plies(), Player(player), players, MAX_GRAM);
        contexts.hashes().to_vec()
    }

    #[test]
    fn where_all_move_at_once_the_order_of_players_counts() {
        // The third player's context is the second player's last move, then the first player's before.
        let ours = contexts(&[&[(0, 1), (1, 2), (2, 3)], &[(0, 4), (1, 5), (2, 6)]], 2, 3);
        let same = contexts(&[&[(0, 1), (1, 9), (2, 9)], &[(0, 9), (1, 5), (2, 9)]], 2, 3);
        assert_eq!(ours, same);
        let other = contexts(&[&[(0, 1), (1, 2), (2, 3)], &[(0, 4), (1, 7), (2, 6)]], 2, 3);
        assert_ne!(ours[0], other[0]);
        // The first player's predecessor is the last one.
        let ours = contexts(&[&[(0, 1), (1, 2), (2, 3)]], 0, 3);
        assert_eq!(ours, contexts(&[&[(0, 8), (1, 8), (2, 3)]], 0, 3));
    }

    #[test]
    fn where_players_take_turns_the_moves_made_count_also_of_who_moves_twice() {
        let twice = contexts(&[&[(0, 1)], &[(1, 2)], &[(1, 3)]], 0, 2);
        assert_eq!(twice.len(), 3);
        assert_ne!(twice, contexts(&[&[(0, 1)], &[(0, 2)], &[(1, 3)]], 0, 2));
        assert_eq!(twice[0], contexts(&[&[(1, 3)]], 0, 2)[0]);
        assert!(contexts(&[], 0, 2).is_empty());
    }

    #[test]
    fn what_others_choose_at_the_same_ply_is_not_known() {
        let mut record = record(&[&[(0, 1), (1, 2)]]);
        record.begin_ply();
        let ply = record.plies() - 1;
        let before = Contexts::of(record.steps(), ply, Player(1), 2, 3);
        record.push(Player(0), &[5], 0, Recording::Chosen);
        assert_eq!(before, Contexts::of(record.steps(), ply, Player(1), 2, 3));
    }
}
