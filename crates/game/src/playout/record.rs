//! What a simulation did, in codes: all that a policy needs to learn from it.

use crate::Player;

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
    /// The same, as sets instead of lists where playouts can.
    Sets,
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
    in_sets: bool,
}

/// The choices of one simulation, from the root of the search to the end of the game.
#[derive(Clone, Default, Debug)]
pub struct Record {
    steps: Vec<Step>,
    legal: Vec<u32>,
    sets: Vec<u64>,
    plies: u32,
}

impl Record {
    /// Forgets the simulation and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.steps.clear();
        self.legal.clear();
        self.sets.clear();
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
            Recording::Legal | Recording::Sets => {
                let from = self.legal.len();
                self.legal.extend_from_slice(codes);
                self.push_listed(player, from, index, 0.0);
            }
        }
    }

    /// Lets `list` add the legal codes of a choice and returns where they begin; the choice itself is
    /// recorded by [`Record::push_listed`].
    #[inline]
    pub(super) fn list_legal(&mut self, list: impl FnOnce(&mut Vec<u32>)) -> usize {
        let from = self.legal.len();
        list(&mut self.legal);
        from
    }

    /// The legal codes from there on.
    #[inline]
    pub(super) fn listed(&self, from: usize) -> &[u32] {
        &self.legal[from..]
    }

    /// Records a choice among the legal codes from `from` on.
    #[inline]
    pub(super) fn push_listed(&mut self, player: Player, from: usize, index: usize, total: f32) {
        self.steps.push(Step {
            ply: self.plies.wrapping_sub(1),
            player,
            chosen: self.legal[from + index],
            total,
            legal_from: from as u32,
            legal_to: self.legal.len() as u32,
            in_sets: false,
        });
    }

    /// Records a choice among the codes of some sets.
    #[inline]
    pub(super) fn push_sets(&mut self, player: Player, sets: &[u64], chosen: u32, total: f32) {
        let from = self.sets.len();
        self.sets.extend_from_slice(sets);
        self.steps.push(Step {
            ply: self.plies.wrapping_sub(1),
            player,
            chosen,
            total,
            legal_from: from as u32,
            legal_to: self.sets.len() as u32,
            in_sets: true,
        });
    }

    /// Records a choice alone.
    #[inline]
    pub fn push_chosen(&mut self, player: Player, chosen: u32) {
        let ply = self.plies.wrapping_sub(1);
        self.steps.push(Step {
            ply,
            player,
            chosen,
            total: 0.0,
            legal_from: 0,
            legal_to: 0,
            in_sets: false,
        });
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
        match step.in_sets {
            true => &[],
            false => &self.legal[step.legal_from as usize..step.legal_to as usize],
        }
    }

    /// The codes that were legal at a step as sets, if they were recorded so: code `64·w + b` is bit `b` of
    /// word `w`.
    #[inline]
    pub fn sets(&self, step: &Step) -> Option<&[u64]> {
        let range = step.legal_from as usize..step.legal_to as usize;
        step.in_sets.then(|| &self.sets[range])
    }

    /// How many plies were recorded.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }
}
