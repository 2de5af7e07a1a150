//! Features asked of positions of a game.

use super::{Ask, Layers, Weights};
use crate::{Ends, Player, SetOf, View};
use std::sync::Arc;

/// Whoever weighs moves by features: what is known of the board, shared, and of the position, his own.
#[derive(Clone, Debug)]
pub struct Judge {
    layers: Arc<Layers>,
    weights: Weights,
    /// What stands where; whoever asks has it filled before [`Judge::look`].
    pub view: View,
}

impl Judge {
    /// One who has seen no position yet.
    pub fn new(layers: Arc<Layers>) -> Self {
        Judge { weights: Weights::new(&layers), layers, view: View::new() }
    }

    /// Takes in the view.
    #[inline]
    pub fn look(&mut self) {
        let view = &self.view;
        self.weights.see(&self.layers, |ask, word| set(view, ask, word));
    }

    /// Weighs a player's moves in the position last looked at, after this move.
    #[inline]
    pub fn weigh(&mut self, player: Player, last: Option<Ends>) {
        let (from, to) = last.map_or((None, None), |last| (last.from, last.to));
        self.weights.weigh(&self.layers, player.index(), from, to);
    }

    /// Adds the odds of moves of the player whose moves were weighed last.
    #[inline]
    pub fn add_odds(&self, player: Player, moves: impl Iterator<Item = Ends>, out: &mut Vec<f32>) {
        self.weights.add_odds(&self.layers, player.index(), moves, out);
    }

    /// Adds their weights.
    pub fn add_weights(
        &self,
        player: Player,
        moves: impl Iterator<Item = Ends>,
        out: &mut Vec<f32>,
    ) {
        self.weights.add_weights(&self.layers, player.index(), moves, out);
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
