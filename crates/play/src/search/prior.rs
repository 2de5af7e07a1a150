//! Selection by what is thought of moves before they are tried: PUCT, as Ludii's biased search has it, or UCB1 with
//! a progressive bias.

use std::ops::Range;

use ludex_game::features::Judge;
use ludex_game::playout::Recording;
use ludex_game::{Coding, Detail, Game, Move, Player, State, Turn};
use rustc_hash::FxHashMap;

use super::Selection;
use super::edge::Edge;
use super::table::{NodeId, Table};
use super::worker::Worker;
use crate::evaluation::{Evaluation, final_value};

/// The share of the prior that all moves have in common, so that none is never tried.
const EVEN_SHARE: f32 = 0.25;

/// Who has one.
pub(super) enum Opinion {
    /// Features of moves.
    Features(Box<Judge>),
    /// The search's evaluation of the positions after them: for a bias as it is, otherwise as odds.
    Evaluation { bias: bool, after: State },
}

/// How much likelier a move is whose position is worth a whole point more, as a logarithm.
const KEENNESS: f32 = 4.0;

/// Somebody's opinion of moves, kept for each node of the search at hand.
pub(super) struct Prior {
    judge: Opinion,
    /// Where the moves of a node are among all.
    by_node: FxHashMap<u64, Range<usize>>,
    /// The moves of all nodes, those that were tried before the others and in the order of the node's edges.
    moves: Vec<Move>,
    /// What is thought of each: its probability, a share of it spread evenly.
    opinions: Vec<f32>,
}

impl Prior {
    pub(super) fn new(judge: Opinion) -> Self {
        let (by_node, moves, opinions) = (FxHashMap::default(), Vec::new(), Vec::new());
        Prior { judge, by_node, moves, opinions }
    }

    /// Forgets the nodes of the last search, which may have other moves now.
    pub(super) fn begin(&mut self) {
        self.by_node.clear();
        self.moves.clear();
        self.opinions.clear();
    }

    /// The moves of a node, which has these edges.
    fn of(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        node: u64,
        edges: &[Edge],
        evaluation: Option<&mut Box<dyn Evaluation>>,
    ) -> Range<usize> {
        if let Some(known) = self.by_node.get(&node) {
            let (moves, opinions) = (&mut self.moves[known.clone()], &mut self.opinions);
            // Other threads try moves, too.
            for (at, edge) in edges.iter().enumerate().take(moves.len()) {
                if moves[at] != edge.mv
                    && let Some(found) = moves.iter().position(|&mv| mv == edge.mv)
                {
                    moves.swap(at, found);
                    opinions.swap(known.start + at, known.start + found);
                }
            }
            return known.clone();
        }
        let start = self.moves.len();
        game.moves(state, player, &mut self.moves);
        let moves = &mut self.moves[start..];
        for (at, edge) in edges.iter().enumerate().take(moves.len()) {
            let found = moves[at..].iter().position(|&mv| mv == edge.mv);
            moves.swap(at, at + found.unwrap_or(0));
        }
        match (&mut self.judge, evaluation) {
            (Opinion::Evaluation { bias, after }, Some(evaluation)) => {
                for &mv in &self.moves[start..] {
                    after.copy_from(state);
                    game.apply(after, &[mv]);
                    let value = match game.turn(after) {
                        Turn::Over => final_value(game, after, player).unwrap_or(0.0),
                        Turn::Chance => 0.0,
                        Turn::Players(_) => evaluation.value(game, after, player),
                    };
                    let opinion = if *bias { 0.5 + 0.5 * value } else { (KEENNESS * value).exp() };
                    self.opinions.push(opinion);
                }
                if !*bias {
                    spread(&mut self.opinions[start..]);
                }
            }
            (Opinion::Features(judge), _) => {
                weigh(judge, game, state, player, &self.moves[start..], &mut self.opinions);
                spread(&mut self.opinions[start..]);
            }
            (Opinion::Evaluation { .. }, None) => self.opinions.resize(self.moves.len(), 0.0),
        }
        let range = start..self.moves.len();
        self.by_node.insert(node, range.clone());
        range
    }
}

/// Adds the odds of moves by their features.
fn weigh(
    judge: &mut Judge,
    game: &dyn Game,
    state: &State,
    player: Player,
    moves: &[Move],
    odds: &mut Vec<f32>,
) {
    game.view(state, None, Detail::Sets, &mut judge.view);
    judge.look();
    judge.weigh(player, game.last_move(state));
    let judge = &*judge;
    let keys = moves.iter().map(|&mv| {
        let code = game.code(state, player, mv, Coding::Plain);
        let known = judge.codes().keys(player, code);
        known.unwrap_or_else(|| judge.keys(player, game.ends(state, Some(player), mv)))
    });
    judge.add_odds(player, keys, odds);
}

/// Makes probabilities of odds, a share of them spread evenly.
fn spread(odds: &mut [f32]) {
    let total: f32 = odds.iter().sum();
    let (even, scale) = (EVEN_SHARE / odds.len() as f32, (1.0 - EVEN_SHARE) / total);
    odds.iter_mut().for_each(|odds| *odds = scale * *odds + even);
}

impl Worker {
    /// Chooses by the mean of each move and what is thought of it. Moves that were never tried are thought to
    /// be as good as the node is on average, unless the settings say how good; of those only the one that most is
    /// thought of can be the best.
    pub(super) fn choose_by_prior(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
    ) -> Option<Move> {
        self.show(tree, id);
        let open = self.first_play(tree, id).is_some();
        let (prior, edges, key) = (self.prior.as_mut()?, &self.available, tree.key(id));
        let evaluation = self.evaluation.as_mut();
        let range = prior.of(game, &self.state, player, key, edges, evaluation);
        let legal = range.len();
        let (moves, opinions) = (&mut prior.moves[range.clone()], &mut prior.opinions[range]);
        let tried: u32 = edges.iter().map(Edge::visits).sum();
        let sum: f32 = edges.iter().map(|edge| edge.mean * edge.visits() as f32).sum();
        let mean = if tried > 0 { sum / tried as f32 } else { 0.5 };
        let untried = match self.config.first_play {
            value if value.is_finite() && self.config.first_play_of_node => mean - value,
            value if value.is_finite() => value,
            _ => mean,
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
        let known = edges.len();
        let best = highest(edges.iter().zip(&*opinions).map(value));
        let fresh = highest(opinions.iter().copied().skip(known));
        let fresh = fresh.filter(|_| open).filter(|(_, opinion)| {
            let value = untried + explores + scale * opinion;
            best.is_none_or(|(_, most)| value > most)
        });
        let mv = match (fresh, best) {
            (Some((at, _)), _) => {
                moves.swap(known, known + at);
                opinions.swap(known, known + at);
                let mv = moves[known];
                tree.set_legal(id, legal);
                self.try_move(tree, id, mv, known)?
            }
            (None, Some((at, _))) => self.go_on(tree, id, at),
            // Whoever is to move has moves.
            (None, None) => return None,
        };
        if self.scratch.recording == Recording::Legal {
            self.moves.clear();
            let known = self
                .prior
                .as_ref()
                .and_then(|prior| Some(&prior.moves[prior.by_node.get(&key)?.clone()]));
            self.moves.extend(known.unwrap_or_default());
        }
        self.record(game, player, mv);
        Some(mv)
    }
}

/// The highest of some values with its place, the first of several.
fn highest(values: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
    values.enumerate().fold(None, |best, (at, value)| match best {
        Some((_, most)) if most >= value => best,
        _ => Some((at, value)),
    })
}
