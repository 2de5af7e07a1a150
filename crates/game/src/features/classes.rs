//! Codes of moves that tell apart which features hold for them.

use super::Judge;
use crate::{Coding, Detail, Ends, Game, Move, Player, State};

/// A code is a plain code and a class: which of so many features hold for the move, as bits.
#[derive(Clone, Debug)]
pub struct Classes {
    /// Whoever knows which features hold: feature `n` weighs [`Classes::weight`] of `n`, so that sums of weights are sets.
    pub(crate) judge: Judge,
    features: u32,
}

impl Classes {
    /// No more codes than this; where there would be, fewer features are told apart.
    const MAX_CODES: u64 = 1 << 18;

    /// How many features of a set can be told apart in a game.
    pub fn most(game: &dyn Game) -> u32 {
        let players = (0..game.info().players as u8).map(Player);
        let most = players.map(|player| game.code_count(player, Coding::Plain)).max().unwrap_or(0);
        (Self::MAX_CODES / u64::from(most.max(1))).max(1).ilog2()
    }

    /// What the feature with this number must weigh.
    pub fn weight(number: u32) -> f32 {
        ((1u64 << number) as f64 / super::layers::SCALE) as f32
    }

    /// Classes by the features of somebody who weighs them so, of whom no player has more than `features`.
    pub fn new(judge: Judge, features: u32) -> Self {
        Classes { judge, features }
    }

    /// How many codes a player's moves have.
    pub fn count(&self, game: &dyn Game, player: Player) -> u32 {
        game.code_count(player, Coding::Plain) << self.features
    }

    /// The code of a move with this plain code, for which this sum of features holds.
    #[inline]
    pub(crate) fn code(&self, plain: u32, sum: i64) -> u32 {
        plain << self.features | (sum as u32 & ((1 << self.features) - 1))
    }

    /// Adds the codes of some legal moves.
    pub fn codes(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        moves: &[Move],
        out: &mut Vec<u32>,
    ) {
        game.view(state, None, Detail::Sets, &mut self.judge.view);
        self.judge.look();
        self.judge.weigh(player, game.last_move(state));
        for &mv in moves {
            let plain = game.code(state, player, mv, Coding::Plain);
            let ends = || -> Ends { game.ends(state, Some(player), mv) };
            let known = self.judge.codes().keys(player, plain);
            let keys = known.unwrap_or_else(|| self.judge.keys(player, ends()));
            out.push(self.code(plain, self.judge.sum(player, keys)));
        }
    }
}
