//! A position: seeds in holes, whose turn it is, and what rules remember.

use ludex_game::Ends;

/// As many variables as a position keeps.
pub(super) const VARS: usize = 16;

/// As many lists of remembered values as a position keeps.
pub(super) const LISTS: usize = 4;

/// Values that can be remembered: all holes, and `-1` for none.
pub(super) const VALUES: usize = 65;

/// As many hashes as tell a cycle of two players.
pub(super) const HASHES: usize = 12;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Outcome {
    #[default]
    Open,
    Won(u8),
    Drawn,
}

impl Outcome {
    /// A number of its own for each.
    pub(super) fn number(self) -> u64 {
        match self {
            Outcome::Open => 0,
            Outcome::Drawn => 1,
            Outcome::Won(player) => 2 + u64::from(player),
        }
    }
}

/// The reference keeps lists of its pieces beside the board, where emptied holes may stay entered and a hole may be
/// entered twice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries {
    /// How often each hole is entered.
    pub counts: [u16; 64],
    /// Nobody asks: nothing is kept.
    pub unasked: bool,
    /// One entry goes with the seeds of a hole, not all of them.
    pub one_goes: bool,
}

impl Entries {
    #[inline(always)]
    pub(super) fn enter(&mut self, hole: u8) {
        if !self.unasked {
            let count = &mut self.counts[hole as usize & 63];
            *count = count.saturating_add(1);
        }
    }

    #[inline(always)]
    pub(super) fn leave(&mut self, hole: u8) {
        if !self.unasked {
            let count = &mut self.counts[hole as usize & 63];
            *count = if self.one_goes { count.saturating_sub(1) } else { 0 };
        }
    }

    /// Whether one of these holes is entered.
    pub(super) fn any_of(&self, holes: u64) -> bool {
        self.counts.iter().enumerate().any(|(hole, &count)| count > 0 && holes >> hole & 1 == 1)
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) seeds: [u16; 64],
    pub(super) entries: Entries,
    /// The states of holes; all nought where rules set none.
    pub(super) states: [u8; 64],
    pub(super) vars: [i32; VARS],
    pub(super) scores: [i32; 4],
    pub(super) worths: [i32; 4],
    pub(super) mover: i32,
    pub(super) next: i32,
    pub(super) prev: i32,
    pub(super) counter: i32,
    pub(super) turns: i32,
    pub(super) turn_moves: i32,
    pub(super) moves: i32,
    pub(super) last_from: i32,
    pub(super) last_to: i32,
    /// Where the last change of the last move started and ended, what followed included.
    pub(super) last_after: [i32; 2],
    /// The same of the move that is being made.
    pub(super) trail: [i32; 2],
    pub(super) last_pass: bool,
    /// How often each value is remembered, by list, from `-1` on.
    pub(super) remembered: [[u8; VALUES]; LISTS],
    /// The holes remembered in each list.
    pub(super) recalled: [u64; LISTS],
    /// Pending values, one bit each.
    pub(super) pending: u64,
    /// Players without moves, one bit each.
    pub(super) stuck: u8,
    pub(super) phases: [u8; 4],
    /// The last moves, the newest first: who made each, doubled, odd for a pass.
    pub(super) recent: [u8; 7],
    pub(super) recent_count: u8,
    /// Proposals made, one bit each.
    pub(super) proposed: u64,
    pub(super) votes: [u16; 2],
    pub(super) vote_count: u8,
    pub(super) decided: Option<u16>,
    /// Hashes of the last positions, the newest first.
    pub(super) hashes: [u64; HASHES],
    pub(super) hash_count: u32,
    pub(super) outcome: Outcome,
    /// The last move; playouts that end the game do not keep it.
    pub(super) last: Option<Ends>,
}

impl Position {
    /// Seeds of a hole.
    #[inline(always)]
    pub(super) fn count(&self, site: i32) -> i32 {
        i32::from(self.seeds[site as usize & 63])
    }

    /// Whether a value is remembered in a list.
    pub(super) fn recalls(&self, list: usize, value: i32) -> bool {
        self.remembered[list].get((value + 1) as usize).is_some_and(|&count| count > 0)
    }

    /// A value is remembered in a list, or forgotten.
    pub(super) fn recall(&mut self, list: usize, value: i32, more: bool) {
        if let Some(count) = self.remembered[list].get_mut((value + 1) as usize) {
            *count = if more { *count + 1 } else { count.saturating_sub(1) };
            let hole = if (0..64).contains(&value) { 1 << value } else { 0 };
            let known = &mut self.recalled[list];
            *known = if *count > 0 { *known | hole } else { *known & !hole };
        }
    }

    /// The state of a hole; nought where there is none.
    pub(super) fn state(&self, site: i32) -> i32 {
        self.states.get(site as usize).map_or(0, |&state| i32::from(state))
    }

    /// A hash of seeds and states alone.
    pub(super) fn hash(&self) -> u64 {
        if self.states == [0; 64] {
            return self.hash_of_seeds();
        }
        let states = self.states.iter().enumerate().filter(|(_, state)| **state > 0);
        let stated = states.fold(0, |all: u64, (site, &state)| {
            all.wrapping_add(ludex_game::mix((site as u64) << 8 | u64::from(state)))
        });
        self.hash_of_seeds() ^ stated
    }

    fn hash_of_seeds(&self) -> u64 {
        let words = self.seeds.chunks_exact(4);
        words.fold(0x9E37_79B9_7F4A_7C15, |hash: u64, four| {
            let word = four.iter().fold(0, |all, &n| all << 16 | u64::from(n));
            (hash.rotate_left(5) ^ word).wrapping_mul(0xF135_7AEA_2E62_A9C5)
        })
    }

    /// Notes who made a move.
    pub(super) fn note(&mut self, pass: bool) {
        self.recent.copy_within(0..6, 1);
        self.recent[0] = (self.mover as u8) << 1 | u8::from(pass);
        self.recent_count = (self.recent_count + 1).min(7);
    }

    /// Notes the position among those that tell a cycle.
    pub(super) fn note_hash(&mut self) {
        self.hashes.copy_within(0..HASHES - 1, 1);
        self.hashes[0] = self.hash();
        self.hash_count += 1;
    }

    /// Whether the last rounds were the same three times.
    pub(super) fn is_cycle(&self) -> bool {
        let h = &self.hashes;
        self.hash_count >= HASHES as u32 && h[..4] == h[4..8] && h[..4] == h[8..12]
    }
}
