//! What is known of sequences of moves: a value and a number of visits for each, by context and word of codes.

use super::blocks::{BlockId, Blocks, Head, rank};
use super::grams::GramTable;
use super::vectors::{Vector, Work, work};
use super::weigh;
use crate::bits::Select;
use crate::memory::expect;

/// Values of sequences, each a context and a last move's code. Those visited often enough count: whoever draws
/// a move asks for them by whole words of codes.
#[derive(Clone, Debug)]
pub struct Sequences {
    /// A power of two of them, at most half of them used. The words of one context begin at one place, so
    /// that looking them all up walks over neighbouring memory.
    entries: Vec<Entry>,
    used: usize,
    blocks: Blocks,
    /// Sequences of which means are kept and that do not count yet. They lie apart, so that whoever draws a move
    /// finds little but what counts.
    young: GramTable,
    /// How often a sequence must have been visited to count.
    enough: f32,
    /// The most lines of memory.
    limit: usize,
    full: bool,
}

/// Where the codes of a word in a context are: forty bits of the key before twenty-four of the block, which is
/// zero where nothing is stored. As small as can be: lookups are what the memory is slowest at. That two
/// contexts of a million are taken for one happens once in two tables.
#[derive(Clone, Copy, Debug, Default)]
struct Entry(u64);

const BLOCK_BITS: u32 = 24;

impl Entry {
    #[inline(always)]
    fn new(key: u64, block: BlockId) -> Self {
        debug_assert!(block >> BLOCK_BITS == 0);
        Entry(key << BLOCK_BITS | u64::from(block))
    }

    #[inline(always)]
    fn block(self) -> BlockId {
        (self.0 & ((1 << BLOCK_BITS) - 1)) as BlockId
    }

    /// Where a word with this key begins to be looked for.
    #[inline(always)]
    fn home(self) -> usize {
        (self.0 >> BLOCK_BITS) as usize
    }

    #[inline(always)]
    fn is_of(self, key: u64) -> bool {
        (self.0 ^ key << BLOCK_BITS) >> BLOCK_BITS == 0
    }

    #[inline(always)]
    fn is_free(self) -> bool {
        self.block() == 0
    }
}

/// A word of sequences; good until room is made for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordId(u32);

/// What is known of some codes of a word in a context.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The codes that have a value.
    pub home: u64,
    /// Those that count.
    pub ripe: u64,
    /// The values, one after another.
    pub values: &'a [f32],
}

/// Where there is no room, means of fewer visits are forgotten.
const RARE: f32 = 2.0;
const FIRST_ENTRIES: usize = 1 << 10;
/// Sixty-four megabytes.
const MAX_LINES: usize = 1 << 20;

impl Sequences {
    /// Knows nothing yet. Sequences count that were visited so often, and at least once.
    pub fn new(threshold: f32) -> Self {
        Self::with_limit(threshold, MAX_LINES)
    }

    fn with_limit(threshold: f32, limit: usize) -> Self {
        Sequences {
            entries: vec![Entry::default(); FIRST_ENTRIES],
            used: 0,
            blocks: Blocks::default(),
            young: GramTable::default(),
            enough: threshold.max(f32::MIN_POSITIVE),
            limit,
            full: false,
        }
    }

    /// How many sequences are known.
    pub fn len(&self) -> usize {
        let known = |entry: &Entry| self.blocks.head(entry.block()).home.count_ones() as usize;
        let by_words: usize = self.entries.iter().filter(|entry| !entry.is_free()).map(known).sum();
        by_words + self.young.known()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.used == 0 && self.young.is_empty()
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
        self.blocks.clear();
        self.young.clear();
        (self.used, self.full) = (0, false);
    }

    /// Multiplies every number of visits.
    pub fn fade(&mut self, factor: f32) {
        for entry in self.entries.iter().filter(|entry| !entry.is_free()) {
            let Head { home, .. } = self.blocks.head(entry.block());
            let mut ripe = 0;
            for (bit, visits) in
                members(home).zip(self.blocks.visits(entry.block(), home.count_ones()))
            {
                *visits *= factor;
                ripe |= u64::from(*visits >= self.enough) << bit;
            }
            self.blocks.set_head(entry.block(), Head { home, ripe });
        }
        self.young.fade(factor);
        self.full = false;
    }

    /// The value and visits of a sequence; zero both where it was never met.
    pub fn get(&self, context: u64, code: u32) -> (f32, f32) {
        let Ok(at) = self.probe(context, code / 64) else { return self.young.get(context, code) };
        let block = self.entries[at].block();
        let Head { home, .. } = self.blocks.head(block);
        if home >> (code % 64) & 1 == 0 {
            return self.young.get(context, code);
        }
        let at = rank(home, code % 64) as usize;
        let (values, visits) = self.blocks.halves(block, home.count_ones());
        (values[at], visits[at])
    }

    /// Where the codes of a word in a context are, asking the memory for them.
    #[inline(always)]
    pub(super) fn find(&self, context: u64, word: u32) -> Option<BlockId> {
        let block = self.entries[self.probe(context, word).ok()?].block();
        self.blocks.expect(block);
        Some(block)
    }

    /// What is known of them.
    #[inline(always)]
    pub(super) fn known(&self, block: BlockId) -> Known<'_> {
        let Head { home, ripe } = self.blocks.head(block);
        Known { home, ripe, values: self.blocks.values(block) }
    }

    /// Makes room for so many more words of sequences; where there is none, those are forgotten that do not
    /// count, and where that does not help nothing new is let in.
    pub fn reserve(&mut self, count: usize) {
        let mut entries = self.entries.len();
        while 2 * (self.used + count) > entries {
            entries *= 2;
        }
        if entries > self.entries.len() {
            self.rebuild(entries);
        }
        if self.blocks.size() > self.limit && !self.full {
            self.forget();
            self.full = 2 * self.blocks.size() > self.limit;
        }
    }

    /// Makes room for the means of so many more sequences.
    pub fn reserve_means(&mut self, count: usize) {
        self.reserve(count);
        self.young.reserve(count, self.enough.min(RARE));
    }

    /// Asks the memory for what is known of a sequence before it is needed.
    #[inline(always)]
    pub fn expect(&self, context: u64, code: u32) {
        expect(&self.entries[key(context, code / 64) as usize & (self.entries.len() - 1)]);
        self.young.expect(context, code);
    }

    /// The word of a sequence's code in its context, begun where nothing was known of it; `None` where there is
    /// no room. [`Sequences::reserve`] goes before.
    #[inline]
    pub fn open(&mut self, context: u64, code: u32) -> Option<WordId> {
        match self.probe(context, code / 64) {
            Ok(at) => {
                self.blocks.expect(self.entries[at].block());
                Some(WordId(at as u32))
            }
            Err(_) if self.full => None,
            Err(at) => {
                let block = self.blocks.take(Head::default());
                self.entries[at] = Entry::new(key(context, code / 64), block);
                self.used += 1;
                Some(WordId(at as u32))
            }
        }
    }

    /// Takes one more observation into the mean of a sequence. [`Sequences::reserve_means`] goes before.
    #[inline]
    pub fn average(&mut self, context: u64, code: u32, observed: f32) {
        if let Ok(at) = self.probe(context, code / 64)
            && self.blocks.head(self.entries[at].block()).home >> (code % 64) & 1 == 1
        {
            let mean = |value, visits| value + (observed - value) / visits;
            return self.visit(WordId(at as u32), code, mean);
        }
        let place = self.young.place(context, code);
        self.young.average(place, observed);
        if self.young.visits(place) >= self.enough {
            self.grow_up(context, code, place);
        }
    }

    /// Puts a sequence that counts from now on among its like.
    #[cold]
    fn grow_up(&mut self, context: u64, code: u32, place: usize) {
        let Some(id) = self.open(context, code) else { return };
        let (mean, visited) = (self.young.value(place), self.young.visits(place));
        self.young.forget(place);
        let bit = code % 64;
        let (block, mut head) = self.widened(id, 1 << bit);
        let pair = self.blocks.pair(block, head.home.count_ones(), rank(head.home, bit));
        (*pair.0, *pair.1) = (mean, visited);
        head.ripe |= 1 << bit;
        self.blocks.set_head(block, head);
    }

    /// Adds to the value of a sequence and counts one visit.
    #[inline]
    pub fn add(&mut self, id: WordId, code: u32, delta: f32) {
        self.visit(id, code, |value, _| value + delta);
    }

    /// Counts one more visit of a sequence and changes its value, given the visits with this one.
    #[inline]
    fn visit(&mut self, id: WordId, code: u32, change: impl Fn(f32, f32) -> f32) {
        let bit = code % 64;
        let (block, mut head) = self.widened(id, 1 << bit);
        let count = head.home.count_ones();
        let (value, visits) = self.blocks.pair(block, count, rank(head.home, bit));
        *visits += 1.0;
        *value = change(*value, *visits);
        if *visits >= self.enough {
            head.ripe |= 1 << bit;
            self.blocks.set_head(block, head);
        }
    }

    /// Asks the memory for what is known of a context before it is needed.
    #[inline(always)]
    pub(super) fn expect_word(&self, context: u64, word: u32) {
        expect(&self.entries[key(context, word) as usize & (self.entries.len() - 1)]);
    }

    /// The block of a word in which these codes have a place.
    #[inline(always)]
    fn widened(&mut self, id: WordId, bits: u64) -> (BlockId, Head) {
        let entry = &mut self.entries[id.0 as usize];
        let head = self.blocks.head(entry.block());
        if bits & !head.home != 0 {
            let block = work(Widen { blocks: &mut self.blocks, block: entry.block(), bits });
            *entry = Entry::new(entry.home() as u64, block);
        }
        (entry.block(), Head { home: head.home | bits, ..head })
    }

    /// The values of some codes of a word, all of which have one from now on, brought together at the beginning
    /// of `to`.
    #[inline(always)]
    pub(super) fn bring<V: Vector>(&mut self, id: WordId, bits: u64, to: &mut [f32]) {
        let (block, head) = self.widened(id, bits);
        weigh::bring::<V>(self.blocks.values(block), V::Select::extract(bits, head.home), to);
    }

    /// Adds to the values of some codes of a word, which all have one, and counts a visit of each; those that
    /// count already need no counting.
    #[inline(always)]
    pub(super) fn add_all<V: Vector>(&mut self, id: WordId, bits: u64, gains: &[f32]) {
        let block = self.entries[id.0 as usize].block();
        let mut head = self.blocks.head(block);
        let places = V::Select::extract(bits, head.home);
        weigh::add_to_members::<V>(self.blocks.values_mut(block), places, gains);
        let young = bits & !head.ripe;
        if young != 0 {
            let visits = self.blocks.visits(block, head.home.count_ones());
            for bit in members(young) {
                let visits = &mut visits[rank(head.home, bit) as usize];
                *visits += 1.0;
                head.ripe |= u64::from(*visits >= self.enough) << bit;
            }
            self.blocks.set_head(block, head);
        }
    }

    /// Where a word is noted, or the empty place where it would be.
    #[inline(always)]
    fn probe(&self, context: u64, word: u32) -> Result<usize, usize> {
        let (entries, key) = (&self.entries[..], key(context, word));
        let mask = entries.len() - 1;
        let mut at = key as usize & mask;
        loop {
            match entries[at] {
                entry if entry.is_free() => return Err(at),
                entry if entry.is_of(key) => return Ok(at),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Moves every word to its place among so many entries.
    fn rebuild(&mut self, count: usize) {
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); count]);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| !entry.is_free()) {
            let mut at = entry.home() & (count - 1);
            while !self.entries[at].is_free() {
                at = (at + 1) & (count - 1);
            }
            self.entries[at] = entry;
            self.used += 1;
        }
    }

    /// Forgets what does not count.
    fn forget(&mut self) {
        let old = std::mem::take(&mut self.blocks);
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_free()) {
            let Head { home, ripe } = old.head(entry.block());
            if ripe == 0 {
                *entry = Entry::default();
                continue;
            }
            let (values, visits) = old.halves(entry.block(), home.count_ones());
            let block = self.blocks.take(Head { home: ripe, ripe });
            *entry = Entry::new(entry.home() as u64, block);
            let kept = members(home).zip(values.iter().zip(visits));
            let kept = kept.filter(|(bit, _)| ripe >> bit & 1 == 1);
            for (at, (_, (&value, &visits))) in (0..).zip(kept) {
                let pair = self.blocks.pair(block, ripe.count_ones(), at);
                (*pair.0, *pair.1) = (value, visits);
            }
        }
        self.rebuild(self.entries.len());
    }
}

struct Widen<'a> {
    blocks: &'a mut Blocks,
    block: BlockId,
    bits: u64,
}

impl Work for Widen<'_> {
    type Output = BlockId;

    #[inline(always)]
    fn run<V: Vector>(self) -> BlockId {
        self.blocks.widen::<V>(self.block, self.bits)
    }
}

/// The members of a set.
fn members(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(bit)
    })
}

/// The words of a context are numbered onwards from its hash.
#[inline(always)]
fn key(context: u64, word: u32) -> u64 {
    context.wrapping_add(u64::from(word))
}

#[cfg(test)]
mod tests {
    use super::super::vectors::Single;
    use super::*;
    use crate::{Rng, mix};

    fn add(grams: &mut Sequences, context: u64, code: u32, delta: f32) {
        grams.reserve(1);
        if let Some(id) = grams.open(context, code) {
            grams.add(id, code, delta);
        }
    }

    #[test]
    fn remembers_what_a_map_remembers() {
        let mut grams = Sequences::new(2.0);
        let mut map = std::collections::HashMap::new();
        let mut rng = Rng::seeded(5);
        for _ in 0..60_000 {
            let (context, code) = (mix(1 + u64::from(rng.below(300))), rng.below(400));
            add(&mut grams, context, code, 0.5);
            *map.entry((context, code)).or_insert(0.0) += 0.5f32;
        }
        assert_eq!(grams.len(), map.len());
        for (&(context, code), &value) in &map {
            assert_eq!(grams.get(context, code), (value, value * 2.0));
            let known = grams.known(grams.find(context, code / 64).unwrap());
            assert_eq!(known.ripe >> (code % 64) & 1 == 1, value >= 1.0);
        }
        assert_eq!(grams.get(1, 1), (0.0, 0.0));
        grams.fade(0.25);
        for (&(context, code), &value) in &map {
            assert_eq!(grams.get(context, code), (value, value * 0.5));
            let known = grams.known(grams.find(context, code / 64).unwrap());
            assert_eq!(known.ripe >> (code % 64) & 1 == 1, value >= 4.0);
        }
        grams.clear();
        assert!(grams.is_empty());
    }

    #[test]
    fn words_are_compared_and_changed_at_once() {
        let mut grams = Sequences::new(3.0);
        let context = mix(7);
        for round in 1..=4 {
            grams.reserve_means(1);
            grams.average(context, 70, round as f32);
            let ripe = grams.find(context, 1).map(|at| grams.known(at).ripe);
            assert_eq!(ripe, (round >= 3).then_some(1 << 6));
            assert_eq!(grams.len(), 1);
        }
        assert_eq!(grams.get(context, 70), (2.5, 4.0));
        add(&mut grams, context, 71, 0.5);
        let (id, bits) = (grams.open(context, 64).unwrap(), 0b101 << 5);
        let mut values = [9.0; 64];
        grams.bring::<Single>(id, bits, &mut values);
        assert_eq!(values[..2], [0.0, 0.5]);
        grams.add_all::<Single>(id, bits, &[-1.0; 64]);
        assert_eq!(grams.get(context, 69), (-1.0, 1.0));
        assert_eq!(grams.get(context, 70), (2.5, 4.0));
        assert_eq!(grams.get(context, 71), (-0.5, 2.0));
        assert_eq!(grams.len(), 3);
    }

    #[test]
    fn where_there_is_no_room_what_does_not_count_is_forgotten() {
        let mut grams = Sequences::with_limit(2.0, 1_000);
        for code in 0..100 {
            add(&mut grams, mix(1), code, 1.0);
            add(&mut grams, mix(1), code, 1.0);
        }
        for context in 2..5_000 {
            add(&mut grams, mix(context), 5, 1.0);
        }
        assert!(grams.blocks.size() < 1_200, "{}", grams.blocks.size());
        for code in 0..100 {
            assert_eq!(grams.get(mix(1), code), (2.0, 2.0));
        }
    }
}
