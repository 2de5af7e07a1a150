//! What a simulation did, in codes: all that a policy needs to learn from it.

use crate::Player;
use crate::families::{Families, Place, Word};

/// How much of a simulation is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recording {
    /// Nothing.
    #[default]
    Nothing,
    /// The code of every chosen move.
    Chosen,
    /// Those, and the codes of all legal moves.
    Legal,
    /// The same of the single winner's choices; of the others' only if it costs nothing.
    WinnersLegal,
}

impl Recording {
    /// Whether legal moves are recorded at all.
    #[inline]
    pub fn keeps_legal(self) -> bool {
        matches!(self, Recording::Legal | Recording::WinnersLegal)
    }
}

/// One player's choice at one ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Counted over the whole simulation; players who move at once share it.
    pub ply: u32,
    /// Who chose.
    pub player: Player,
    /// The code of the chosen move.
    pub chosen: u32,
    /// The sum of the odds the move was drawn by, where it was drawn by odds; zero where not.
    pub total: f32,
    legal_from: u32,
    legal_to: u32,
    in_words: bool,
}

/// The choices of one simulation, from the root of the search to the end of the game.
#[derive(Clone, Default, Debug)]
pub struct Record {
    steps: Vec<Step>,
    legal: Vec<u32>,
    words: Vec<Word>,
    plies: u32,
}

impl Record {
    /// Forgets the simulation and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.steps.clear();
        self.legal.clear();
        self.words.clear();
        self.plies = 0;
    }

    /// Starts the next ply: what is pushed until the next call happened at once.
    #[inline]
    pub fn begin_ply(&mut self) {
        self.plies += 1;
    }

    /// Records a choice among the listed codes, as far as `recording` asks.
    #[inline]
    pub fn push(&mut self, player: Player, codes: &[u32], index: usize, recording: Recording) {
        match recording {
            Recording::Nothing => {}
            Recording::Chosen => self.push_chosen(player, codes[index]),
            Recording::Legal | Recording::WinnersLegal => {
                let from = self.legal.len();
                self.legal.extend_from_slice(codes);
                let range = (from, self.legal.len());
                self.push_step(player, codes[index], 0.0, range, false);
            }
        }
    }

    /// Records a choice among families: as words where those are few for their moves, as a list where not.
    /// `total` is the sum of the odds it was drawn by, zero where it was not.
    #[inline]
    pub fn push_from(
        &mut self,
        player: Player,
        families: &mut Families,
        place: Place,
        total: f32,
        recording: Recording,
    ) {
        let chosen = families.code(place);
        match recording {
            Recording::Nothing => {}
            Recording::Chosen => self.push_chosen(player, chosen),
            Recording::Legal | Recording::WinnersLegal => {
                let (range, in_words) = self.add_legal(families);
                self.push_step(player, chosen, total, range, in_words);
            }
        }
    }

    /// Adds the legal moves of a choice that was recorded alone.
    pub(super) fn complete(&mut self, step: usize, families: &mut Families) {
        let ((from, to), in_words) = self.add_legal(families);
        let step = &mut self.steps[step];
        (step.legal_from, step.legal_to, step.in_words) = (from as u32, to as u32, in_words);
    }

    #[inline(always)]
    fn add_legal(&mut self, families: &mut Families) -> ((usize, usize), bool) {
        match families.is_dense() {
            true => {
                let from = self.words.len();
                self.words.extend_from_slice(families.words());
                ((from, self.words.len()), true)
            }
            false => {
                let from = self.legal.len();
                self.legal.extend_from_slice(families.codes());
                ((from, self.legal.len()), false)
            }
        }
    }

    #[inline(always)]
    fn push_step(
        &mut self,
        player: Player,
        chosen: u32,
        total: f32,
        (from, to): (usize, usize),
        in_words: bool,
    ) {
        let ply = self.plies.wrapping_sub(1);
        let (legal_from, legal_to) = (from as u32, to as u32);
        self.steps.push(Step { ply, player, chosen, total, legal_from, legal_to, in_words });
    }

    /// Records a choice alone.
    #[inline]
    pub fn push_chosen(&mut self, player: Player, chosen: u32) {
        self.push_step(player, chosen, 0.0, (0, 0), false);
    }

    /// The choices in order.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The last choice made before a ply.
    #[inline]
    pub fn last_before(&self, ply: u32) -> Option<&Step> {
        self.steps.iter().rev().find(|step| step.ply != ply)
    }

    /// The codes that were legal at a step; empty unless they were recorded as a list.
    #[inline]
    pub fn legal(&self, step: &Step) -> &[u32] {
        match step.in_words {
            true => &[],
            false => &self.legal[step.legal_from as usize..step.legal_to as usize],
        }
    }

    /// The codes that were legal at a step as words, if they were recorded so.
    #[inline]
    pub fn words(&self, step: &Step) -> Option<&[Word]> {
        let range = step.legal_from as usize..step.legal_to as usize;
        step.in_words.then(|| &self.words[range])
    }

    /// Adds the codes that were legal at a step, as far as they were recorded.
    pub fn list_legal(&self, step: &Step, out: &mut Vec<u32>) {
        out.extend_from_slice(self.legal(step));
        for word in self.words(step).unwrap_or_default() {
            let mut left = word.bits;
            while left != 0 {
                out.push(word.first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// Whether a code was legal at a step, as far as legal moves were recorded.
    pub fn was_legal(&self, step: &Step, code: u32) -> bool {
        let inside = |word: &Word| word.first == code & !63 && word.bits >> (code & 63) & 1 == 1;
        match self.words(step) {
            Some(words) => words.iter().any(inside),
            None => self.legal(step).contains(&code),
        }
    }

    /// How many plies were recorded.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }
}
