//! Choices of many games at once.

use super::{Choices, Marks, Space};
use crate::bits::{Job, Select, dispatch};
use crate::families::Families;
use crate::mix;

impl Choices {
    /// One move is all there is, known by its code.
    pub(crate) fn fill_one(&mut self, code: u32, space: Space, marks: &mut Marks) {
        self.clear();
        self.families.push_one(code, 0);
        self.number_shared(space, marks);
    }

    /// The moves as sets.
    #[inline]
    pub(crate) fn families(&self) -> &Families {
        &self.families
    }

    /// The number of a legal move, drawn by sixty-four random bits, each with the same probability; nothing where
    /// there are none.
    #[inline(always)]
    fn draw<S: Select>(&self, bits: u64) -> Option<u32> {
        let words = self.families.words();
        let count: u32 = words.iter().map(|word| S::count(word.bits)).sum();
        if count == 0 {
            return None;
        }
        let mut nth = ((u128::from(bits) * u128::from(count)) >> 64) as u32;
        if let Some(&number) = self.numbers.get(nth as usize) {
            return Some(number);
        }
        for word in words {
            let count = S::count(word.bits);
            if nth < count {
                return Some(word.first + S::select(word.bits, nth));
            }
            nth -= count;
        }
        None
    }
}

/// Draws a number for each of many choices, `-1` where there is none to make. What is drawn depends on the key and on the
/// number of the choice, which is `first` for the first of these, and on nothing else.
pub(crate) struct DrawAll<'a> {
    pub key: u64,
    pub first: u64,
    pub choices: &'a [Choices],
    pub out: &'a mut [i32],
}

impl DrawAll<'_> {
    pub fn draw(self) {
        dispatch(self);
    }
}

impl Job for DrawAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Select>(self) {
        for ((number, choices), slot) in (self.first..).zip(self.choices).zip(self.out) {
            let bits = mix(self.key ^ mix(number.wrapping_add(0x9E37_79B9_7F4A_7C15)));
            *slot = choices.draw::<S>(bits).map_or(-1, |number| number as i32);
        }
    }
}
