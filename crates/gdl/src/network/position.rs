//! A position of a network game, and how it changes.

use super::Lit;
use super::flat::{Fan, Flat, FlatMode, GROUP, NOBODY, VALUE};

/// The counters, outputs and facts of one position, and the moves last made.
#[derive(Debug)]
pub struct Position {
    /// Facts of the position.
    pub facts: Box<[u64]>,
    /// Legal moves, next facts and the end.
    pub outputs: Box<[u64]>,
    counters: Box<[u16]>,
    /// The gates of the moves last made.
    done: Box<[u32]>,
    mode: usize,
    /// Hash of the facts.
    pub hash: u64,
    /// Changes to carry on; only the first `queued` count.
    flips: Vec<u32>,
    queued: usize,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position {
            facts: self.facts.clone(),
            outputs: self.outputs.clone(),
            counters: self.counters.clone(),
            done: self.done.clone(),
            mode: self.mode,
            hash: self.hash,
            flips: vec![0; self.flips.len()],
            queued: 0,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.facts.copy_from_slice(&other.facts);
        self.outputs.copy_from_slice(&other.outputs);
        self.counters.copy_from_slice(&other.counters);
        self.done.copy_from_slice(&other.done);
        self.mode = other.mode;
        self.hash = other.hash;
    }
}

impl Position {
    /// The first position.
    pub fn first(flat: &Flat, facts: Box<[u64]>, keys: &[u64], roles: usize) -> Position {
        let hash = ones(&facts).fold(0, |hash, base| hash ^ keys[base]);
        let mut position = Position {
            facts,
            outputs: flat.outputs.clone().into(),
            counters: flat.counters.clone().into(),
            done: vec![NOBODY; roles].into(),
            mode: 0,
            hash,
            flips: vec![0; 1024],
            queued: 0,
        };
        position.settle_loops(flat);
        position.evaluate_goals(flat);
        position
    }

    /// Where this position's answers are.
    #[inline(always)]
    pub fn mode<'f>(&self, flat: &'f Flat) -> &'f FlatMode {
        &flat.modes[self.mode]
    }

    /// A role's legal moves as bits.
    #[inline(always)]
    pub fn legal(&self, flat: &Flat, role: usize) -> &[u64] {
        let words = &self.mode(flat).legal_words;
        &self.outputs[words[role]..words[role + 1]]
    }

    /// Whether the game is over.
    #[inline(always)]
    pub fn is_terminal(&self, flat: &Flat) -> bool {
        self.outputs[self.mode(flat).terminal_bit / 64] & 1 == 1
    }

    /// Makes one move for each role (numbered through all roles) and works out what changes.
    #[inline(always)]
    pub fn advance(&mut self, flat: &Flat, keys: &[u64], joint: &[u32]) {
        let mode = self.mode(flat);
        // New moves come first: what one of them keeps true then never becomes false in between.
        for (role, &does) in joint.iter().enumerate() {
            let gate = mode.does_gates[does as usize];
            if self.done[role] != gate {
                self.set(gate, true);
            }
        }
        for (role, &does) in joint.iter().enumerate() {
            let gate = mode.does_gates[does as usize];
            let before = std::mem::replace(&mut self.done[role], gate);
            if before != gate {
                self.set(before, false);
            }
        }
        self.propagate(flat);
        self.settle_loops(flat);
        for word in 0..self.facts.len() {
            let (keep, effect) = (mode.keep_words + word, mode.effect_words + word);
            let next = self.facts[word] & self.outputs[keep] | self.outputs[effect];
            let mut changed = self.facts[word] ^ next;
            self.facts[word] = next;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let base = word * 64 + bit as usize;
                self.hash ^= keys[base];
                self.set(flat.base_gates[base], next >> bit & 1 == 1);
            }
        }
        self.mode = self.next_mode(flat);
        self.propagate(flat);
        self.settle_loops(flat);
        if self.is_terminal(flat) {
            self.evaluate_goals(flat);
        }
    }

    /// The mode that the facts say.
    #[inline(always)]
    fn next_mode(&self, flat: &Flat) -> usize {
        let mut values = 0;
        for (at, &base) in flat.mode_facts.iter().enumerate() {
            values |= (self.facts[base / 64] >> (base % 64) & 1) << at;
        }
        flat.mode_of[values as usize].into()
    }

    /// The value of a gate or its negation. Gates that only goals need are up to date when the game
    /// is over, or after [`Position::evaluate_goals`].
    #[inline]
    pub fn value(&self, lit: Lit) -> bool {
        (self.counters[lit.gate()] & VALUE != 0) != lit.negated()
    }

    /// Evaluates the gates that only goals need.
    pub fn evaluate_goals(&mut self, flat: &Flat) {
        for gate in &self.mode(flat).ordered {
            let inputs = &flat.ordered_inputs[gate.start as usize..gate.end as usize];
            let value = match gate.is_or {
                true => inputs.iter().any(|&lit| self.value(lit)),
                false => inputs.iter().all(|&lit| self.value(lit)),
            };
            self.counters[gate.gate as usize] = if value { VALUE } else { 0 };
        }
    }

    #[inline(always)]
    fn set(&mut self, gate: u32, value: bool) {
        if gate != NOBODY {
            self.counters[gate as usize] = if value { VALUE } else { VALUE - 1 };
            if self.flips.len() <= self.queued {
                self.flips.resize(self.queued * 2, 0);
            }
            self.flips[self.queued] = gate * 2 + u32::from(value);
            self.queued += 1;
        }
    }

    /// Carries changes on until nothing changes any more.
    ///
    /// Whether a gate flips is as good as random to the processor, so flips are noted without a
    /// branch: the note is always written, and kept by counting it. First come, first served: what
    /// is read was written long ago, so the processor can work on several flips at once.
    #[inline(always)]
    fn propagate(&mut self, flat: &Flat) {
        let Position { flips, counters, outputs, queued, .. } = self;
        let (mut next, mut end) = (0, std::mem::take(queued));
        while next < end {
            let flip = flips[next];
            next += 1;
            let Fan { start, groups, bits } = flat.fans[flip as usize / 2];
            for bit in bits {
                outputs[bit as usize / 64] ^= 1 << (bit % 64);
            }
            let length = groups as usize * GROUP;
            if flips.len() <= end + length {
                flips.resize((end + length) * 2, 0);
            }
            for group in flat.edges[start as usize..start as usize + length].chunks_exact(GROUP) {
                for &edge in group {
                    // One up where the reader sees the gate become true, one down otherwise.
                    let up = (edge ^ flip) & 1;
                    let counter = &mut counters[edge as usize / 2];
                    let before = *counter;
                    let after = before.wrapping_add((up as u16 * 2).wrapping_sub(1));
                    *counter = after;
                    flips[end] = (edge & !1) | up;
                    end += usize::from((before ^ after) >> 15);
                }
            }
        }
    }

    /// Finds the least values of recursive definitions: all false first, then what follows.
    #[inline]
    fn settle_loops(&mut self, flat: &Flat) {
        for block in &flat.blocks {
            for own in block {
                if self.counters[own.gate as usize] & VALUE != 0 {
                    self.set(own.gate, false);
                }
            }
            self.propagate(flat);
            loop {
                let mut changed = false;
                for own in block {
                    if self.value(own.definition) && !self.value(Lit::of(own.gate as usize)) {
                        self.set(own.gate, true);
                        self.propagate(flat);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }
}

/// The numbers of the ones in a row of words.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}
