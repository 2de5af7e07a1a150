//! Between two sets and the whole position.

use super::{EMPTY, FOE, OWN, Running, Swift};
use crate::run::Step;
use crate::run::board::{Board, Outcome};
use ludex_game::bits::Bits;

impl<const W: usize> Swift<W> {
    /// The sites of each player's colour.
    #[inline(always)]
    pub(super) fn colours_of<const S: usize>(&self, b: &Board<W, S>) -> [Bits<W>; 2] {
        [self.sites_of(b, OWN), self.sites_of(b, FOE)]
    }

    /// The sites that one view has, as the first player sees it; it is the intersection of the sets that have it.
    #[inline(always)]
    fn sites_of<const S: usize>(&self, b: &Board<W, S>, view: u8) -> Bits<W> {
        let mut sites = self.everywhere;
        let mut slot = 0;
        while slot < self.slots.len() {
            let set = b.sets[slot % S];
            sites &= if self.slots[slot] & view != 0 { set } else { !set };
            slot += 1;
        }
        sites
    }

    /// Whether a position is no more than two colours, with players who take turns.
    #[inline(always)]
    pub(super) fn fits<const S: usize>(&self, b: &Board<W, S>) -> bool {
        let all = self.sites_of(b, OWN) | self.sites_of(b, FOE) | self.sites_of(b, EMPTY);
        all == self.everywhere && b.outcome == Outcome::Open && b.next == 3 - b.mover
    }

    /// A set of a position in the course of a playout, where it is one of the two colours.
    #[inline]
    pub(in crate::run) fn set<'r>(
        &self,
        running: &'r Running<W>,
        slot: usize,
    ) -> Option<&'r Bits<W>> {
        let firsts = match *self.slots.get(slot)? {
            OWN => true,
            FOE => false,
            _ => return None,
        };
        Some(if firsts == (running.side == 0) { &running.own } else { &running.foe })
    }

    /// Writes the sets of a position in the course of a playout.
    #[inline(always)]
    pub(in crate::run) fn write_sets<const S: usize>(
        &self,
        running: &Running<W>,
        sets: &mut [Bits<W>; S],
    ) {
        let (first, second) = match running.side {
            0 => (running.own, running.foe),
            _ => (running.foe, running.own),
        };
        let views = self.views(first, second);
        let mut slot = 0;
        while slot < self.slots.len() {
            sets[slot % S] = views[self.slots[slot] as usize % views.len()];
            slot += 1;
        }
    }

    /// Makes a position what it is after so many plies, the last of which was a step.
    #[inline(always)]
    pub(super) fn write_back<const S: usize>(
        &self,
        b: &mut Board<W, S>,
        colours: [Bits<W>; 2],
        plies: u32,
        step: Step,
    ) {
        let views = self.views(colours[0], colours[1]);
        let mut slot = 0;
        while slot < self.slots.len() {
            b.sets[slot % S] = views[self.slots[slot] as usize % views.len()];
            slot += 1;
        }
        self.write_sites(b, colours);
        let first = b.mover;
        let last = if plies % 2 == 1 { first } else { 3 - first };
        for (player, view) in &self.lanes[(last as usize - 1) & 1].scores {
            b.scores[(*player as usize - 1) & 1] = views[*view as usize % views.len()].len() as i32;
        }
        b.recent = recent_after(b.recent, last, plies);
        (b.prev, b.mover, b.next) = (last, 3 - last, last);
        (b.last_from, b.last_to) = (step.from as i16, step.to as i16);
        (b.again, b.last_pass, b.pending_count, b.decided) = (false, false, 0, None);
        (b.turn_moves, b.thrown) = (0, false);
        b.moves += plies as i32;
        b.turns += plies as i32;
        b.counter += plies as i32;
    }

    /// Writes what stands on every site.
    #[inline(always)]
    fn write_sites<const S: usize>(&self, b: &mut Board<W, S>, colours: [Bits<W>; 2]) {
        let [one, other] = self.colours;
        for word in 0..W {
            for eight in 0..8 {
                let spread = colours.map(|set| spread((set.0[word] >> (8 * eight)) as u8));
                let bytes = |one: u8, other: u8| {
                    ((spread[0] * u64::from(one)) | (spread[1] * u64::from(other))).to_le_bytes()
                };
                let at = 8 * eight..8 * eight + 8;
                b.what[word][at.clone()].copy_from_slice(&bytes(one.what, other.what));
                if one.state | other.state != 0 {
                    b.state[word][at].copy_from_slice(&bytes(one.state, other.state));
                }
            }
        }
    }
}

/// The record of the last moves after so many without a pass, by players in turn.
fn recent_after(recent: u64, last: u8, plies: u32) -> u64 {
    let turns = if last == 1 { 0x4242_4242_4242_4242 } else { 0x2424_2424_2424_2424 };
    match 4 * plies {
        shift @ 0..64 => recent << shift | turns & ((1 << shift) - 1),
        _ => turns,
    }
}

/// A byte of ones and noughts for every bit.
#[inline(always)]
fn spread(bits: u8) -> u64 {
    let each = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (each + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
}
