//! Implicit minimax: beside the mean of what simulations came to, a move has what an evaluation made of the positions
//! below it, backed up by minimax. Selection goes by both (Lanctot, Winands, Pepels and Sturtevant 2014).

use ludex_game::{Game, Player, Turn};

use super::edge::Edge;
use super::table::{NodeId, Table};
use super::worker::{Leaf, Worker};

/// A player's view of what the first of two can expect.
fn seen_by(player: Player, first: f32) -> f32 {
    if player == Player::FIRST { first } else { 1.0 - first }
}

impl Worker {
    /// Leaves the edges of a node in `self.available`, with both values as one.
    pub(super) fn show(&mut self, tree: &Table, id: NodeId) {
        self.available.clear();
        self.available.extend(tree.edges(id));
        let share = self.config.implicit;
        if share > 0.0 {
            for (edge, judged) in self.available.iter_mut().zip(tree.judged(id)) {
                if !judged.is_nan() && edge.proof().is_none() {
                    edge.mean += share * (judged - edge.mean);
                }
            }
        }
    }

    /// What the first player can expect where a simulation left the tree; nothing where nobody wants to know, or where
    /// it cannot be said.
    pub(super) fn judge_leaf(&mut self, game: &dyn Game, tree: &Table, leaf: &Leaf) -> Option<f32> {
        if self.config.implicit <= 0.0 {
            return None;
        }
        match leaf {
            Leaf::Proved(outcome) => Some(self.solver.payoffs(tree, *outcome)[0]),
            _ => match game.turn(&self.state) {
                Turn::Over => {
                    game.payoffs(&self.state, &mut self.payoffs);
                    Some(self.payoffs[0])
                }
                Turn::Chance => None,
                Turn::Players(_) => {
                    let evaluation = self.evaluation.as_mut()?;
                    let value = evaluation.value(game, &self.state, Player::FIRST);
                    Some(0.5 + 0.5 * value)
                }
            },
        }
    }

    /// Backs up what was made of the end of the path: a position is worth what its best move is, and a move before
    /// chance what came of it on average.
    pub(super) fn back_up_judged(&mut self, tree: &Table, judged: Option<f32>) {
        let Some(mut first) = judged else { return };
        for step in self.path.iter().rev() {
            let player = tree.player(step.id);
            let mut value = seen_by(player, first);
            let known = tree.judged(step.id).nth(step.index).filter(|known| !known.is_nan());
            if let (true, Some(known)) = (step.chance, known) {
                let visits = tree.edge(step.id, step.index).visits().max(1);
                value = known + (value - known) / visits as f32;
            }
            tree.judge(step.id, step.index, value);
            let worth = |(edge, judged): (Edge, f32)| match edge.proof() {
                Some(_) => edge.mean,
                None => judged,
            };
            let all = tree.edges(step.id).zip(tree.judged(step.id)).map(worth);
            first = seen_by(player, all.fold(0.0, f32::max));
        }
    }
}
