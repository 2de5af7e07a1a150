//! The legal moves of a position as numbers that do not depend on it: what learning programs choose from.
//!
//! A move's number is its code. Where several legal moves share one code, the second of them has the number of the
//! next *slot*: its code plus the number of codes, and so on. Where a position has more of them than there are slots, the
//! rest take numbers that no other legal move has, so that every legal move can always be said.

#[cfg(feature = "lanes")]
mod many;

use crate::families::{Families, Place};
use crate::spread::{add_words, wipe_words};
use crate::{Coding, Move, Player, Rules};
#[cfg(feature = "lanes")]
pub(crate) use many::DrawAll;

/// How many numbers the moves of a game have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// How many codes there are, whoever moves: whole words of sixty-four.
    pub codes: u32,
    /// How many moves may share one of them.
    pub slots: u32,
}

impl Space {
    /// Numbers of moves are below this.
    #[inline]
    pub fn len(self) -> u32 {
        self.codes * self.slots
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The legal moves of one player in one position, by number; make one and have it filled again and again.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    families: Families,
    /// Members are places in the list of moves, whatever the machine's own families are.
    listed: bool,
    /// The numbers in order, where they are not the codes.
    numbers: Vec<u32>,
}

/// Memory for finding codes that several moves share; nothing in it carries meaning.
#[derive(Clone, Debug, Default)]
pub struct Marks(Vec<u64>);

impl Marks {
    fn grow(&mut self, codes: u32) {
        let words = codes as usize / 64 + 1;
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }

    #[inline]
    fn add(&mut self, number: u32) -> bool {
        self.grow(number);
        let (word, bit) = (&mut self.0[number as usize / 64], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn remove(&mut self, number: u32) {
        self.0[number as usize / 64] &= !(1 << (number % 64));
    }
}

impl Choices {
    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.families.clear();
        self.numbers.clear();
        self.listed = false;
    }

    /// Finds the legal moves of a player whose turn it is.
    #[inline]
    pub(crate) fn fill<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        space: Space,
        marks: &mut Marks,
    ) {
        if !self.fill_members(rules, state, player, space, marks) {
            // What a player must do for want of other moves is in the list only.
            self.families.clear();
            crate::playout::list_families(rules, state, player, Coding::Plain, &mut self.families);
            self.listed = true;
            self.number_shared(space, marks);
        }
    }

    /// The same without what a player must do for want of other moves: then this is false.
    #[inline]
    pub(crate) fn fill_members<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        space: Space,
        marks: &mut Marks,
    ) -> bool {
        self.clear();
        let families = &mut self.families;
        rules.families(state, player, Coding::Plain, families);
        if families.is_doubtful() {
            rules.settle(state, player, families);
        }
        if families.is_empty() {
            return false;
        }
        self.number_shared(space, marks);
        true
    }

    #[inline]
    fn number_shared(&mut self, space: Space, marks: &mut Marks) {
        if self.shares_codes(space, marks) {
            self.number(space, marks);
        }
    }

    /// Whether two of the moves have the same code, or one a code that there should not be.
    #[inline]
    fn shares_codes(&self, space: Space, marks: &mut Marks) -> bool {
        let words = self.families.words();
        if let [only] = words {
            return only.first >= space.codes;
        }
        marks.grow(space.codes);
        let (mut shared, mut marked) = (0, 0);
        for word in words {
            let Some(mark) = marks.0.get_mut(word.first as usize / 64) else {
                shared = 1;
                break;
            };
            shared |= *mark & word.bits;
            *mark |= word.bits;
            marked += 1;
        }
        words[..marked].iter().for_each(|word| marks.0[word.first as usize / 64] = 0);
        shared != 0
    }

    /// Gives every move a number of its own.
    fn number(&mut self, space: Space, marks: &mut Marks) {
        let codes: Vec<u32> = self.families.codes().to_vec();
        let mut order: Vec<usize> = (0..codes.len()).collect();
        order.sort_by_key(|&at| codes[at]);
        self.numbers.resize(codes.len(), u32::MAX);
        let (mut slot, mut before) = (0, None);
        for &at in &order {
            slot = if before == Some(codes[at]) { slot + 1 } else { 0 };
            before = Some(codes[at]);
            if slot < space.slots && codes[at] < space.codes {
                self.numbers[at] = codes[at] + slot * space.codes;
                marks.add(self.numbers[at]);
            }
        }
        for (number, code) in self.numbers.iter_mut().zip(&codes) {
            if *number == u32::MAX {
                let free = (0..space.len()).map(|step| (code + step) % space.len());
                *number = free.into_iter().find(|&number| marks.add(number)).unwrap_or(*number);
            }
        }
        self.numbers.iter().filter(|&&number| number != u32::MAX).for_each(|&number| {
            marks.remove(number);
        });
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.families.count()
    }

    /// Calls `each` with the number of every legal move.
    #[inline]
    pub fn each(&self, mut each: impl FnMut(u32)) {
        if !self.numbers.is_empty() {
            return self.numbers.iter().for_each(|&number| each(number));
        }
        for word in self.families.words() {
            let mut left = word.bits;
            while left != 0 {
                each(word.first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// The legal move with this number.
    #[inline]
    pub fn find(&self, number: u32) -> Option<Place> {
        if !self.numbers.is_empty() {
            let at = self.numbers.iter().position(|&known| known == number)?;
            return Some(self.families.nth(at as u32));
        }
        let (first, bit) = (number & !63, number & 63);
        let words = self.families.words();
        let holds = |word: &crate::Word| word.first == first && word.bits >> bit & 1 == 1;
        words.iter().position(holds).map(|word| Place { word: word as u32, bit })
    }

    /// The move at a place.
    #[inline]
    pub(crate) fn member<R: Rules>(
        &self,
        rules: &R,
        state: &R::State,
        player: Player,
        place: Place,
    ) -> Move {
        match self.listed {
            true => self.families.moves[self.families.word(place).tag as usize],
            false => rules.member(state, player, &self.families, place),
        }
    }

    /// Writes a byte for each number of moves, one where it is a legal move's; `mask` is all noughts before.
    #[inline]
    pub fn write_mask(&self, mask: &mut [u8]) {
        match self.numbers.is_empty() {
            true => add_words(self.families.words(), mask),
            false => self.numbers.iter().for_each(|&number| put(mask, number, 1)),
        }
    }

    /// Makes a mask that [`Choices::write_mask`] wrote all noughts again.
    #[inline]
    pub fn wipe_mask(&self, mask: &mut [u8]) {
        match self.numbers.is_empty() {
            true => wipe_words(self.families.words(), mask),
            false => self.numbers.iter().for_each(|&number| put(mask, number, 0)),
        }
    }
}

#[inline]
fn put(mask: &mut [u8], number: u32, byte: u8) {
    if let Some(slot) = mask.get_mut(number as usize) {
        *slot = byte;
    }
}
