//! Selection by what is thought of moves before they are tried: PUCT, as Ludii's biased search has it, or UCB1 with
//! a progressive bias.

use std::collections::HashMap;

use ludex_game::features::Judge;
use ludex_game::{Coding, Detail, Game, Move, Player, State};

use super::Selection;
use super::table::{Edge, NodeId};
use super::worker::Worker;

/// The share of the prior that all moves have in common, so that none is never tried.
const EVEN_SHARE: f32 = 0.25;

/// Somebody's opinion of moves, kept for each node of the search at hand.
pub(super) struct Prior {
    judge: Judge,
    /// Where the opinions of a node begin among all.
    by_node: HashMap<u64, usize>,
    opinions: Vec<f32>,
}

impl Prior {
    pub(super) fn new(judge: Judge) -> Self {
        Prior { judge, by_node: HashMap::new(), opinions: Vec::new() }
    }

    /// Forgets the nodes of the last search, which may have other moves now.
    pub(super) fn begin(&mut self) {
        self.by_node.clear();
        self.opinions.clear();
    }

    /// The probability of each move, a share of it spread evenly.
    fn of(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        node: u64,
        moves: &[Move],
    ) -> &[f32] {
        let start = match self.by_node.get(&node) {
            Some(&start) => start,
            None => {
                let start = self.opinions.len();
                self.judge(game, state, player, moves);
                self.by_node.insert(node, start);
                start
            }
        };
        let end = (start + moves.len()).min(self.opinions.len());
        &self.opinions[start..end]
    }

    /// Adds the opinions about the moves of a node.
    fn judge(&mut self, game: &dyn Game, state: &State, player: Player, moves: &[Move]) {
        let start = self.opinions.len();
        game.view(state, None, Detail::Sets, &mut self.judge.view);
        self.judge.look();
        self.judge.weigh(player, game.last_move(state));
        let judge = &self.judge;
        let keys = moves.iter().map(|&mv| {
            let code = game.code(state, player, mv, Coding::Plain);
            let known = judge.codes().keys(player, code);
            known.unwrap_or_else(|| judge.keys(player, game.ends(state, Some(player), mv)))
        });
        judge.add_odds(player, keys, &mut self.opinions);
        let odds = &mut self.opinions[start..];
        let total: f32 = odds.iter().sum();
        let even = EVEN_SHARE / moves.len() as f32;
        odds.iter_mut().for_each(|odds| *odds = (1.0 - EVEN_SHARE) * *odds / total + even);
    }
}

impl Worker {
    /// Chooses by the mean of each move and what is thought of it. Moves that were never tried are thought to
    /// be as good as the node is on average, unless the settings say how good.
    pub(super) fn choose_by_prior(&mut self, game: &dyn Game, id: NodeId, player: Player) -> Move {
        let Some(prior) = &mut self.prior else { return Move::default() };
        self.moves.clear();
        let node = *self.table.node(id);
        match node.complete() {
            true => self.moves.extend(self.table.edges(id).iter().map(|edge| edge.mv)),
            false => {
                game.moves(&self.state, player, &mut self.moves);
                self.table.node_mut(id).legal = self.moves.len() as u32;
                for &mv in &self.moves[node.tried()..] {
                    let legal = self.moves.len() as u32;
                    self.table.push_edge(id, Edge::new(mv), legal);
                }
            }
        }
        let opinions = prior.of(game, &self.state, player, node.key(), &self.moves);
        let edges = self.table.edges(id);
        let tried: u32 = edges.iter().map(Edge::visits).sum();
        let sum: f32 = edges.iter().map(|edge| edge.mean * edge.visits() as f32).sum();
        let untried = match self.config.first_play {
            value if value.is_finite() => value,
            _ if tried > 0 => sum / tried as f32,
            _ => 0.5,
        };
        let progressive = self.config.progressive;
        let scale = match progressive > 0.0 {
            true => progressive,
            false => self.config.prior_weight * (tried.max(1) as f32).sqrt(),
        };
        // With a progressive bias what is thought of a move fades, and UCB1 explores.
        let explores = match self.config.selection {
            Selection::Ucb1 { c } if progressive > 0.0 => {
                c * (tried.max(1) as f32).ln().max(0.0).sqrt()
            }
            _ => 0.0,
        };
        let value = |(edge, opinion): (&Edge, &f32)| {
            let visits = edge.visits();
            let mean = if visits > 0 { edge.mean } else { untried };
            let explored = explores / (visits.max(1) as f32).sqrt();
            mean + explored + scale * opinion / (1 + visits) as f32 + edge.below_all()
        };
        let values = edges.iter().zip(opinions).map(value);
        let best = values.enumerate().fold((0, f32::NEG_INFINITY), |best, (index, value)| {
            if value > best.1 { (index, value) } else { best }
        });
        let mv = edges[best.0].mv;
        self.path.push((id, best.0));
        self.record(game, player, mv);
        mv
    }
}
