//! Numbers that describe a position of a kernel: the same as those of the general evaluator.

use super::board::Board;
use super::{Kernel, Step};
use crate::code::PASS;
use ludex_game::Player;
use ludex_lud::attributes::{Place, Standing};

impl<const W: usize, const S: usize> Kernel<W, S> {
    pub(super) fn write_attributes(&self, b: &Board<W, S>, player: Player, out: &mut [f32]) {
        let own = if b.swapped { 2 - player.0 } else { player.0 + 1 };
        let place = |site: i32| match site < self.code.board as i32 {
            true => Place::Board(site),
            false => Place::Hand,
        };
        let pieces = (0..self.code.sites as i32).flat_map(|site| {
            let levels = if self.stacks.is_some() { b.held(site as usize) } else { 1 };
            (0..levels).map(move |level| {
                let what = match self.stacks {
                    Some(_) => self.at_level(b, site, level as usize),
                    None => b.what(site),
                };
                Standing { what: u16::from(what), number: 1.0, place: place(site) }
            })
        });
        let of_player =
            |player: i32| (b.scores[player as usize - 1], self.mobility(b, player as u8));
        let now = (i32::from(b.mover), b.moves);
        let occupied = pieces.filter(|piece| piece.what != 0);
        self.attributes.write(&self.game, occupied, of_player, now, own.into(), out);
    }

    /// How many moves a player has, or would have if it were his turn.
    fn mobility(&self, b: &Board<W, S>, player: u8) -> usize {
        let mut moves = Vec::new();
        if player == b.mover {
            self.list_legal(b, &mut moves);
        } else {
            let mut look = *b;
            (look.prev, look.mover, look.next) = (b.mover, player, b.mover);
            self.list_legal(&look, &mut moves);
        }
        moves.into_iter().filter(|&mv| Step::of(mv).deed != PASS).count()
    }
}
