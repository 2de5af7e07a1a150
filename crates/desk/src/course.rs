//! The line of moves that was asked for last, with positions along it: most questions are about what comes next.

use std::collections::{BTreeMap, HashMap};

use ludex_game::{Player, State};

/// The moves so far: for every ply a text for each player who moved, or one for chance.
pub type Line = Vec<Vec<String>>;

/// So many positions before the last are kept, and of earlier ones every so-manieth: long games have many.
const KEPT: usize = 256;

/// Positions along the line asked for last, by how many moves lead to them; the first is always there.
pub struct Course {
    pub line: Line,
    /// What the position after each move of the line is called.
    names: Vec<u64>,
    next_name: u64,
    states: BTreeMap<usize, State>,
    /// What each seat learned of the line's moves, as far as it was asked.
    pub seen: HashMap<Player, Line>,
}

impl Course {
    pub fn new(start: State) -> Course {
        let states = BTreeMap::from([(0, start)]);
        Course { line: Line::new(), names: Vec::new(), next_name: 1, states, seen: HashMap::new() }
    }

    /// How many moves lead to the position of a name; nothing where it was forgotten.
    pub fn plies_to(&self, name: u64) -> Option<usize> {
        self.names.binary_search(&name).ok().map(|at| at + 1)
    }

    /// What the position after so many moves is called; the first needs no name.
    pub fn name_of(&self, plies: usize) -> Option<u64> {
        self.names.get(plies.checked_sub(1)?).copied()
    }

    /// Goes back to where these moves, after so many of the line's, go another way, and forgets what came after.
    pub fn turn_off(&mut self, known: usize, more: &[Vec<String>]) {
        let shared = self.line[known..].iter().zip(more).take_while(|(a, b)| a == b).count();
        if shared < more.len() {
            self.back_to(known + shared);
        }
    }

    fn back_to(&mut self, ply: usize) {
        self.line.truncate(ply);
        self.names.truncate(ply);
        self.states.split_off(&(ply + 1));
        self.seen.values_mut().for_each(|seen| seen.truncate(ply));
    }

    /// The last position that is kept on the way to one.
    pub fn before(&self, ply: usize) -> (usize, &State) {
        let (&ply, state) =
            self.states.range(..=ply).next_back().expect("the first is always there");
        (ply, state)
    }

    pub fn push(&mut self, joint: &[String]) {
        self.line.push(joint.to_vec());
        self.names.push(self.next_name);
        self.next_name += 1;
    }

    /// Keeps a position on the way to the end of a line, if it is one of those to keep.
    pub fn keep(&mut self, ply: usize, end: usize, state: &State) {
        if ply.is_multiple_of(KEPT) || ply + KEPT > end {
            self.states.insert(ply, state.clone());
        }
    }

    /// Whether a line begins as this one does.
    pub fn shares(&self, line: &[Vec<String>], plies: usize) -> bool {
        plies <= self.line.len() && self.line.get(..plies) == line.get(..plies)
    }

    /// Forgets positions that are neither near the end nor just before this one, but for some of them.
    pub fn forget_all_but(&mut self, here: usize) {
        let end = self.line.len();
        let near = |ply: usize, of: usize| ply <= of && ply + KEPT > of;
        self.states.retain(|&ply, _| ply.is_multiple_of(KEPT) || near(ply, end) || near(ply, here));
    }
}
