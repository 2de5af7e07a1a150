//! Who has won, in the two forms each game has.

use ludex_game::Player;

/// What it means to be the one to move when the game is over.
///
/// In all of these games the last player to move has captured, got through, or left the other
/// without a move; so the one whose turn it would be has lost, and in the misere form won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Normal,
    Misere,
}

/// Writes the payoffs of a finished game from who would be to move.
#[inline]
pub(crate) fn verdict(form: Verdict, to_move: Player, out: &mut [f32]) {
    let (mover, other) = if form == Verdict::Normal { (0.0, 1.0) } else { (1.0, 0.0) };
    out[to_move.index()] = mover;
    out[to_move.opponent().index()] = other;
}
