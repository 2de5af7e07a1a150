//! Position hashes from the words of bit sets, made when somebody asks: a playout never does.

use ludex_game::{Player, mix};

/// A hash of the mover and the words, in their order.
#[inline]
pub(crate) fn hash(mover: Player, words: impl Iterator<Item = u64>) -> u64 {
    // The mover is scrambled first, or a move of one stone could undo the change of turn.
    let turn = mix(1 + u64::from(mover.0));
    words.fold(turn, |hash, word| mix(hash.rotate_left(23) ^ word))
}
