//! Features asked of positions of a game.

use super::{Ask, CodeKeys, Layers, Weights};
use crate::{Ends, Game, Player, SetOf, View};
use std::sync::Arc;

/// Whoever weighs moves by features: what is known of the board, shared, and of the position, his own.
#[derive(Clone, Debug)]
pub struct Judge {
    layers: Arc<Layers>,
    codes: Arc<CodeKeys>,
    weights: Weights,
    /// What stands where; whoever asks has it filled before [`Judge::look`].
    pub view: View,
}

impl Judge {
    /// One who has seen no position of the game yet.
    pub fn new(layers: Layers, game: &dyn Game) -> Self {
        let (weights, codes) = (Weights::new(&layers), CodeKeys::new(&layers, game));
        Judge { layers: Arc::new(layers), codes: Arc::new(codes), weights, view: View::new() }
    }

    /// The keys of the game's codes.
    #[inline]
    pub fn codes(&self) -> &CodeKeys {
        &self.codes
    }

    /// Takes in the view.
    #[inline]
    pub fn look(&mut self) {
        let view = &self.view;
        self.weights.see(&self.layers, |ask, word| set(view, ask, word));
    }

    /// Weighs a player's moves in the position last looked at, after this move.
    #[inline(always)]
    pub fn weigh(&mut self, player: Player, last: Option<Ends>) {
        let (from, to) = last.map_or((None, None), |last| (last.from, last.to));
        self.weights.weigh(&self.layers, player.index(), from, to);
    }

    /// The keys of a move.
    #[inline]
    pub fn keys(&self, player: Player, ends: Ends) -> [u32; 3] {
        self.layers.keys_of_ends(player.index(), ends)
    }

    /// Adds the odds of moves, by their keys, of the player whose moves were weighed last.
    #[inline]
    pub fn add_odds(
        &self,
        player: Player,
        moves: impl Iterator<Item = [u32; 3]>,
        out: &mut Vec<f32>,
    ) {
        self.weights.add_odds(&self.layers, player.index(), moves, out);
    }

    /// Adds their weights.
    pub fn add_weights(
        &self,
        player: Player,
        moves: impl Iterator<Item = [u32; 3]>,
        out: &mut Vec<f32>,
    ) {
        self.weights.add_weights(player.index(), moves, out);
    }

    /// The sum of the weights of a move as it is kept, by its keys.
    #[inline]
    pub(crate) fn sum(&self, player: Player, keys: [u32; 3]) -> i64 {
        self.weights.sum(player.index(), keys)
    }

    /// The odds of all keys of that player, where they are kept; beyond sixty-four times the number of words none.
    #[inline]
    pub(crate) fn odds(&self, player: Player) -> Option<&[f32]> {
        let keeps = self.weights.keeps_odds(&self.layers, player.index());
        keeps.then(|| self.weights.odds(player.index()))
    }
}

/// A word of the sites of a view that fulfil what is asked. Pieces are numbered from one, as in the text of
/// features; nought is no piece.
#[inline]
fn set(view: &View, ask: Ask, word: usize) -> u64 {
    let set = |set: SetOf| view.set(set).get(word).copied().unwrap_or(0);
    match ask {
        Ask::Empty | Ask::Piece(0) => set(SetOf::Empty),
        Ask::Owner(0) => set(SetOf::Empty) | set(SetOf::Neutral),
        Ask::Owner(owner) => {
            u8::try_from(owner - 1).map_or(0, |owner| set(SetOf::Owned(Player(owner))))
        }
        Ask::Piece(piece) => u16::try_from(piece - 1).map_or(0, |kind| set(SetOf::Kind(kind))),
        // Channels are never complements.
        Ask::Occupied | Ask::NotOwner(_) | Ask::NotPiece(_) => 0,
    }
}
