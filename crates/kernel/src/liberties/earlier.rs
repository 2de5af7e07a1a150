//! Earlier positions, found by how many stones each player had.
//!
//! Whoever asks whether a stone would bring an earlier position back knows how many stones that one had; few had as many. They are kept by those numbers, each with a part of what it is known by, which tells nearly all of them apart.

use super::board::{Board, Ground};
use crate::history::History;
use ludex_game::memory::expect;

/// Positions are kept in so many rows.
const ROWS: usize = 1024;
/// A bit for each row.
const MARKS: usize = ROWS / 64;
/// No position.
const NONE: u16 = u16::MAX;

/// The positions noted since some moment, of which the numbers of stones are known.
#[derive(Debug, Default)]
pub struct Earlier {
    /// How many were noted before, and the most stones that were on the board until then.
    before: usize,
    most_before: u16,
    /// Which rows have any: asked first, for nearly every question ends here, and it lies side by side.
    marks: [u64; MARKS],
    /// The last one of each row.
    last: Vec<u16>,
    notes: Vec<Note>,
}

/// A position that was noted.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// The lowest bits of what it is known by.
    part: u16,
    /// The one before it in its row.
    before: u16,
}

impl Clone for Earlier {
    fn clone(&self) -> Self {
        Earlier { last: self.last.clone(), notes: self.notes.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        (self.before, self.most_before) = (other.before, other.most_before);
        self.marks = other.marks;
        self.last.clone_from(&other.last);
        self.notes.clone_from(&other.notes);
    }
}

/// The row of positions with so many stones of each player. Numbers that are near each other have rows of their own.
#[inline(always)]
fn row([first, second]: [u16; 2]) -> usize {
    (usize::from(first) * 32 + usize::from(second)) % ROWS
}

impl Earlier {
    /// Forgets all; of the positions noted so far the numbers are not known, but that there were never more stones than `most`.
    pub fn begin(&mut self, history: &History, most: u16) {
        (self.before, self.most_before) = (history.noted().len(), most);
        self.marks = [0; MARKS];
        self.notes.clear();
        self.last.clear();
        self.last.resize(ROWS, NONE);
    }

    /// Remembers how many stones there are where a position was noted just now. Moves end games before there are as many
    /// positions as can be told apart.
    #[inline(always)]
    pub fn note<const C: usize>(&mut self, b: &Board<C>, history: &History) {
        let noted = history.noted();
        if let Some(&hash) = noted.get(self.before + self.notes.len()) {
            let row = row(b.stones);
            self.marks[row / 64] |= 1 << (row % 64);
            let last = &mut self.last[row];
            let before = std::mem::replace(last, self.notes.len() as u16);
            self.notes.push(Note { part: hash as u16, before });
        }
    }

    /// Calls `each` with the site of every stone of a player that makes one of these positions of what is known by `now`,
    /// where that has so many stones without it.
    #[inline(always)]
    pub fn each_site<const C: usize, const D: usize>(
        &self,
        ground: &Ground<C, D>,
        history: &History,
        (player, mut stones, now): (usize, [u16; 2], u64),
        mut each: impl FnMut(usize),
    ) {
        stones[player & 1] += 1;
        let mut find =
            |noted: u64| ground.place_of(player, noted ^ now).into_iter().for_each(&mut each);
        let (before, since) = self.split(history, stones);
        before.iter().for_each(|&noted| find(noted));
        for (at, note) in self.row(stones) {
            if ground.may_be_key(player, note.part ^ now as u16) {
                since.get(at).into_iter().for_each(|&noted| find(noted));
            }
        }
    }

    /// Whether one of these positions is known by this and has so many stones of each player.
    #[inline(always)]
    pub fn has(&self, history: &History, stones: [u16; 2], hash: u64) -> bool {
        let (before, since) = self.split(history, stones);
        let is_same =
            |(at, note): (usize, Note)| note.part == hash as u16 && since.get(at) == Some(&hash);
        before.contains(&hash) || self.row(stones).any(is_same)
    }

    /// What was noted before, unless so many stones are more than there were then, and what was noted since.
    #[inline(always)]
    fn split<'h>(&self, history: &'h History, stones: [u16; 2]) -> (&'h [u64], &'h [u64]) {
        let (before, since) = history.noted().split_at(self.before.min(history.noted().len()));
        let may_be = stones[0] + stones[1] <= self.most_before;
        (if may_be { before } else { &[] }, since)
    }

    /// The positions that may have so many stones of each player, by their number.
    #[inline(always)]
    fn row(&self, stones: [u16; 2]) -> impl Iterator<Item = (usize, Note)> {
        let row = row(stones);
        let marked = self.marks[row / 64] >> (row % 64) & 1 == 1;
        let mut next = if marked { self.last.get(row).copied().unwrap_or(NONE) } else { NONE };
        std::iter::from_fn(move || {
            let at = usize::from(next);
            let note = *self.notes.get(at)?;
            next = note.before;
            Some((at, note))
        })
    }

    /// Asks for the memory of what the position after a player's stone will be noted in.
    #[inline(always)]
    pub fn expect<const C: usize>(&self, b: &Board<C>, player: u8) {
        let mut stones = b.stones;
        stones[player as usize & 1] += 1;
        self.last.get(row(stones)).into_iter().for_each(expect);
        self.notes.last().into_iter().for_each(expect);
    }
}
