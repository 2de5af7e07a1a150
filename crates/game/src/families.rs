//! The legal moves of a player as sets of codes: what every sampler draws from.
//!
//! A machine that knows its moves as sets (all steps in one direction, all empty sites) writes each set
//! down as words of bits with the code of their first bit; one that only has a list writes one word a move.
//! Counting, listing, drawing and weighing all start from here, so no machine has a sampler of its own.

use crate::Move;
use crate::bits::Bits;
use crate::surroundings::Origin;

/// Up to sixty-four moves whose codes follow one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The code of the move that the lowest bit stands for; a multiple of sixty-four.
    pub first: u32,
    /// What the machine needs to find the moves again: a direction, a family, a place in a list.
    pub tag: u32,
    /// Which of them there are.
    pub bits: u64,
}

/// One move among families.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The word, by its number.
    pub word: u32,
    /// The bit of it.
    pub bit: u32,
}

/// The codes of all moves in order, once somebody has asked for them.
#[derive(Clone, Debug, Default)]
struct List {
    /// Filled up with zeros to whole rows.
    codes: Vec<u32>,
    /// The words of the moves.
    words: Vec<u32>,
    listed: bool,
}

/// Codes are listed in rows of so many.
pub(crate) const ROW: usize = 16;

/// The moves of one player in one position; reused from ply to ply.
#[derive(Clone, Debug, Default)]
pub struct Families {
    words: Vec<Word>,
    /// How many words were written with one move each.
    alone: u32,
    /// Moves were taken out.
    thinned: bool,
    /// Members may prove illegal: each must be asked about before it is played.
    doubtful: bool,
    list: List,
    /// Moves beside the words, for machines that list them; a word's tag then is a place in here.
    pub moves: Vec<Move>,
    /// Where codes have features made from geometry: what they were made from.
    pub(crate) origin: Option<Box<Origin>>,
}

impl Families {
    /// Forgets all moves and keeps the memory.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.words.clear();
        self.moves.clear();
        (self.alone, self.thinned, self.doubtful, self.list.listed) = (0, false, false, false);
    }

    /// Adds the moves of one word. Where a machine writes the same words in every position, empty ones
    /// included, learning can compare one position with the next word by word.
    #[inline(always)]
    pub fn push(&mut self, first: u32, tag: u32, bits: u64) {
        debug_assert!(first.is_multiple_of(64));
        self.words.push(Word { first, tag, bits });
    }

    /// Adds the moves of a set of several words, the codes of which follow one another.
    #[inline(always)]
    pub fn push_set<const N: usize>(&mut self, first: u32, tag: u32, set: Bits<N>) {
        for (word, bits) in (0..).zip(set.0) {
            self.push(first + 64 * word, tag, bits);
        }
    }

    /// The same of so many members at most, without words beyond them.
    #[inline(always)]
    pub fn push_set_within<const N: usize>(
        &mut self,
        first: u32,
        tag: u32,
        set: Bits<N>,
        members: usize,
    ) {
        for (word, bits) in (0..).zip(set.0) {
            if 64 * (word as usize) < members {
                self.push(first + 64 * word, tag, bits);
            }
        }
    }

    /// A set of several words, the codes of which follow one another, without its empty ones.
    #[inline(always)]
    pub fn push_members<const N: usize>(&mut self, first: u32, tag: u32, set: Bits<N>) {
        for (word, bits) in (0..).zip(set.0) {
            if bits != 0 {
                self.push(first + 64 * word, tag, bits);
            }
        }
    }

    /// Adds one move.
    #[inline(always)]
    pub fn push_one(&mut self, code: u32, tag: u32) {
        self.words.push(Word { first: code & !63, tag, bits: 1 << (code & 63) });
        self.alone += 1;
    }

    /// Takes out all words but the first so many.
    pub fn truncate(&mut self, words: usize) {
        let gone = self.words[words.min(self.words.len())..].iter();
        self.alone -=
            (gone.filter(|word| word.bits.is_power_of_two()).count() as u32).min(self.alone);
        self.words.truncate(words);
        (self.list.listed, self.thinned) = (false, true);
    }

    /// Says that members may prove illegal.
    #[inline(always)]
    pub fn doubt(&mut self) {
        self.doubtful = true;
    }

    /// Says that members are all legal, those that were not having been taken out.
    #[inline(always)]
    pub fn trust(&mut self) {
        self.doubtful = false;
    }

    /// Whether members may prove illegal.
    #[inline(always)]
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// The words.
    #[inline(always)]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Whether every word has exactly one move.
    #[inline(always)]
    pub(crate) fn is_list(&self) -> bool {
        self.alone as usize == self.words.len() && !self.thinned
    }

    /// Whether weighing whole words pays: where most of them were written for one move, a list is faster.
    #[inline(always)]
    pub fn is_dense(&self) -> bool {
        2 * self.alone as usize <= self.words.len()
    }

    /// How many moves there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.bits.count_ones()).sum()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| word.bits == 0)
    }

    /// The word of a move.
    #[inline(always)]
    pub fn word(&self, place: Place) -> Word {
        self.words[place.word as usize]
    }

    /// The code of a move.
    #[inline(always)]
    pub fn code(&self, place: Place) -> u32 {
        self.word(place).first + place.bit
    }

    /// Takes a move out.
    #[inline]
    pub fn remove(&mut self, place: Place) {
        (self.list.listed, self.thinned) = (false, true);
        self.words[place.word as usize].bits &= !(1 << place.bit);
    }

    /// Keeps only the moves for which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&Families, Place) -> bool) {
        for word in 0..self.words.len() as u32 {
            let mut left = self.words[word as usize].bits;
            while left != 0 {
                let place = Place { word, bit: left.trailing_zeros() };
                left &= left - 1;
                if !keep(self, place) {
                    self.remove(place);
                }
            }
        }
    }

    /// All moves in order.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0u32..).zip(&self.words).flat_map(|(word, found)| {
            let mut left = found.bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(Place { word, bit })
            })
        })
    }

    /// The n-th move in that order, counted from zero; there are more than `nth`.
    #[inline]
    pub fn nth(&self, mut nth: u32) -> Place {
        for (word, found) in (0u32..).zip(&self.words) {
            let count = found.bits.count_ones();
            if nth < count {
                let mut left = found.bits;
                (0..nth).for_each(|_| left &= left - 1);
                return Place { word, bit: left.trailing_zeros() };
            }
            nth -= count;
        }
        debug_assert!(false, "fewer moves than asked for");
        Place::default()
    }

    /// The codes of all moves in order, listed when first asked for.
    #[inline]
    pub fn codes(&mut self) -> &[u32] {
        self.list();
        &self.list.codes[..self.list.words.len()]
    }

    /// The same in whole rows, zeros after the last, and how many there are.
    #[inline(always)]
    pub(crate) fn rows(&mut self) -> (&[[u32; ROW]], usize) {
        self.list();
        (self.list.codes.as_chunks().0, self.list.words.len())
    }

    /// The move of a listed code by its number.
    #[inline(always)]
    pub(crate) fn listed(&self, index: usize) -> Place {
        Place { word: self.list.words[index], bit: self.list.codes[index] & 63 }
    }

    #[inline(always)]
    fn list(&mut self) {
        if self.list.listed {
            return;
        }
        let List { codes, words, listed } = &mut self.list;
        *listed = true;
        codes.clear();
        words.clear();
        for (number, word) in (0..).zip(&self.words) {
            let mut left = word.bits;
            while left != 0 {
                codes.push(word.first + left.trailing_zeros());
                words.push(number);
                left &= left - 1;
            }
        }
        codes.resize(codes.len().next_multiple_of(ROW), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families() -> Families {
        let mut families = Families::default();
        families.push(0, 7, 0b1010);
        families.push(64, 8, 0);
        families.push(128, 9, 1 << 63);
        families
    }

    #[test]
    fn moves_are_counted_listed_and_found_by_number() {
        let mut families = families();
        let codes = families.codes().to_vec();
        assert_eq!(codes, [1, 3, 191]);
        assert_eq!(families.count(), 3);
        let places: Vec<Place> = families.places().collect();
        for (nth, place) in (0..).zip(places) {
            assert_eq!(families.nth(nth), place);
            assert_eq!(families.code(place), codes[nth as usize]);
            assert_eq!(families.listed(nth as usize), place);
        }
    }

    #[test]
    fn what_is_refused_is_gone() {
        let mut families = families();
        families.retain(|families, place| families.code(place) > 1);
        assert_eq!(families.count(), 2);
        families.remove(Place { word: 2, bit: 63 });
        families.remove(Place { word: 0, bit: 3 });
        assert!(families.is_empty());
    }
}
