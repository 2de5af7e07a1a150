//! Numbers by player and move code, in one flat array.

use crate::{Coding, Game, Player};

/// A number for each code of each player.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CodeTable {
    values: Vec<f32>,
    /// Where each player's numbers begin, and where the last player's end.
    starts: Vec<usize>,
    /// How many codes each player has; the numbers after those only make the last word whole.
    counts: Vec<usize>,
}

/// The codes of one word of a set.
const WORD: usize = 64;

impl CodeTable {
    /// A table with room for `counts[p]` codes of player `p`, all set to `value`. A player without codes
    /// gets one number, so that a game that codes nothing treats all its moves alike.
    pub fn new(counts: &[u32], value: f32) -> Self {
        let mut starts = vec![0];
        let mut total = 0;
        let counts: Vec<usize> = counts.iter().map(|&count| count.max(1) as usize).collect();
        for count in &counts {
            total += count.next_multiple_of(WORD);
            starts.push(total);
        }
        CodeTable { values: vec![value; total], starts, counts }
    }

    /// A table for the codes of a game.
    pub fn for_game(game: &dyn Game, coding: Coding, value: f32) -> Self {
        let players = 0..game.info().players as u8;
        let counts: Vec<u32> = players.map(|p| game.code_count(Player(p), coding)).collect();
        Self::new(&counts, value)
    }

    /// One player's numbers.
    #[inline]
    pub fn of(&self, player: Player) -> &[f32] {
        &self.values[self.starts[player.index()]..][..self.counts[player.index()]]
    }

    /// One player's numbers up to the end of the last word.
    #[inline]
    pub(super) fn whole_words(&self, player: Player) -> &[f32] {
        &self.values[self.starts[player.index()]..self.starts[player.index() + 1]]
    }

    /// The same, to change.
    #[inline]
    pub fn whole_mut(&mut self, player: Player) -> &mut [f32] {
        &mut self.values[self.starts[player.index()]..self.starts[player.index() + 1]]
    }

    /// One player's numbers, to change.
    #[inline]
    pub fn of_mut(&mut self, player: Player) -> &mut [f32] {
        &mut self.values[self.starts[player.index()]..][..self.counts[player.index()]]
    }

    /// Where a player's numbers begin among [`CodeTable::values`].
    #[inline]
    pub fn start(&self, player: Player) -> usize {
        self.starts[player.index()]
    }

    /// All numbers, player after player, with those that make words whole.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All numbers, to change.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Sets every number.
    pub fn fill(&mut self, value: f32) {
        self.values.fill(value);
    }

    /// How many players the table is for.
    pub fn players(&self) -> usize {
        self.counts.len()
    }
}
