//! Drawing from listed moves: their numbers are brought together in the order of the list and weighed like those of any words.

use super::blocks::Page;
use super::gibbs::draw;
use super::greedy::best;
use super::vectors::{LANES, Vector};
use super::weigh::{self, MAX_WORDS};
use crate::Rng;
use crate::families::{Families, ROW, Word};

const _: () = assert!(ROW == LANES);

/// The numbers of listed moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    pages: Vec<Page>,
    words: Vec<Word>,
    count: usize,
}

impl Listed {
    /// Brings the numbers of all moves together.
    #[inline(always)]
    pub fn gather<V: Vector>(&mut self, numbers: &[f32], families: &mut Families) {
        let (rows, count) = families.rows();
        let words = count.div_ceil(64);
        if self.pages.len() < words {
            self.pages.resize(words, [0.0; 64]);
        }
        self.count = count;
        self.words.clear();
        for word in 0..words {
            let members = (count - 64 * word).min(64) as u32;
            let bits = u64::MAX >> (64 - members);
            self.words.push(Word { first: 64 * word as u32, tag: 0, bits });
        }
        let to = self.pages.as_flattened_mut().as_chunks_mut::<LANES>().0;
        for (row, to) in rows.iter().zip(to) {
            V::gather(numbers, row).store(to);
        }
    }

    /// The numbers, one for each move.
    #[inline(always)]
    pub fn numbers(&mut self) -> &mut [f32] {
        &mut self.pages.as_flattened_mut()[..self.count]
    }

    /// Draws a move in proportion to its number, by its place in the list; also gives the sum of all.
    #[inline(always)]
    pub fn draw<V: Vector>(&self, rng: &mut Rng) -> (usize, f32) {
        let numbers = self.pages.as_flattened();
        if self.words.len() > MAX_WORDS {
            return draw(&numbers[..self.count], rng);
        }
        let (place, total) = weigh::draw::<V>(numbers, &self.words, rng);
        ((64 * place.word + place.bit) as usize, total)
    }

    /// The move with the highest number, by its place in the list; one of them, drawn evenly, where several have it.
    #[inline(always)]
    pub fn best<V: Vector>(&self, rng: &mut Rng) -> usize {
        let numbers = self.pages.as_flattened();
        if self.words.len() > MAX_WORDS {
            return best(&numbers[..self.count], rng);
        }
        let place = weigh::best::<V>(numbers, &self.words, false, rng);
        (64 * place.word + place.bit) as usize
    }
}
