//! What stands where, in one number that is kept up to date by what a move changed.

use super::Kernel;
use super::board::Board;
use ludex_game::mix;

/// Parts of a position, each with keys of its own.
const PIECE: u64 = 1 << 32;
const HELD: u64 = 2 << 32;
const SWAPPED: u64 = 3 << 32;

impl<const W: usize, const S: usize> Kernel<W, S> {
    /// The number of a position: the keys of all that stands somewhere together.
    pub(super) fn standing(&self, b: &Board<W, S>) -> u64 {
        self.standing_after(0, &Board::default(), b)
    }

    /// The number of a position after changes, from that of the one before.
    #[inline]
    pub(super) fn standing_after(
        &self,
        mut standing: u64,
        old: &Board<W, S>,
        new: &Board<W, S>,
    ) -> u64 {
        for word in 0..W {
            for at in (0..64).step_by(8) {
                let mut changed = read(&old.what[word], at) ^ read(&new.what[word], at);
                if self.states {
                    changed |= read(&old.state[word], at) ^ read(&new.state[word], at);
                }
                each_byte(changed, |byte| {
                    let (place, site) = (at + byte, (64 * word + at + byte) as u64);
                    let key = |b: &Board<W, S>| {
                        piece_key(site, b.what[word][place], b.state[word][place])
                    };
                    standing ^= key(old) ^ key(new);
                });
            }
        }
        for word in 0..if self.piles { W } else { 0 } {
            for at in (0..64).step_by(8) {
                let (old, new) = (&old.held[word], &new.held[word]);
                each_byte(read(old, at) ^ read(new, at), |byte| {
                    let (place, site) = (at + byte, 64 * word + at + byte);
                    standing ^= held_key(site, old[place]) ^ held_key(site, new[place]);
                });
            }
        }
        match old.swapped != new.swapped {
            true => standing ^ mix(SWAPPED),
            false => standing,
        }
    }
}

/// Eight bytes as one number.
#[inline(always)]
fn read(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// Calls `each` with the place of every byte that is not nought.
#[inline(always)]
fn each_byte(mut word: u64, mut each: impl FnMut(usize)) {
    while word != 0 {
        let byte = word.trailing_zeros() as usize / 8;
        word &= !(0xFF << (8 * byte));
        each(byte);
    }
}

#[inline(always)]
fn piece_key(site: u64, what: u8, state: u8) -> u64 {
    match (what, state) {
        (0, 0) => 0,
        _ => mix(PIECE | site << 16 | u64::from(what) << 8 | u64::from(state)),
    }
}

#[inline(always)]
fn held_key(place: usize, held: u8) -> u64 {
    match held {
        0 => 0,
        held => mix(HELD | (place as u64) << 8 | u64::from(held)),
    }
}
