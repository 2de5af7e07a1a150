//! Selection that knows more of a move than its mean: how its payoffs vary, how it did wherever else it was
//! made.

use ludex_game::playout::{CodeTable, GramTable, Recording};
use ludex_game::{Game, Move, Player, mix};

use super::config::Selection;
use super::edge::Edge;
use super::table::{NodeId, Table};
use super::worker::{Step, Worker};

/// What a strategy remembers beside the tree.
#[derive(Default)]
pub(super) struct Knowledge {
    /// By node: for UCB1-Tuned the mean squared payoff of each edge, for RAVE and GRAVE the mean payoff of
    /// all simulations where a player made a move with a code at or after the node.
    by_node: GramTable,
    /// By code: summed payoffs and how often they were summed, over the whole search.
    payoffs: CodeTable,
    visits: CodeTable,
    /// The simulation in which each code was last counted, so that it is counted once.
    seen: Vec<u64>,
    stamp: u64,
    /// For each decision of the path, how many choices were recorded before it.
    marks: Vec<usize>,
    /// The node whose statistics count from here on down.
    reference: u64,
    values: Vec<f32>,
}

/// Sequences that were met less often than this make room where there is none.
const RARE: f32 = 2.0;

impl Knowledge {
    /// Forgets everything, for a new search of a game.
    fn begin(&mut self, game: &dyn Game, coding: ludex_game::Coding) {
        self.by_node.clear();
        if self.payoffs.players() == 0 {
            self.payoffs = CodeTable::for_game(game, coding, 0.0);
            self.visits = self.payoffs.clone();
            self.seen = vec![0; self.payoffs.values().len()];
        }
        self.payoffs.fill(0.0);
        self.visits.fill(0.0);
    }

    /// The context of a player's moves below a node.
    fn context(key: u64, player: Player) -> u64 {
        mix(key ^ mix(u64::from(player.0) + 1))
    }
}

impl Selection {
    /// Whether a strategy needs to know which moves were made.
    pub(crate) fn counts_moves(self) -> bool {
        matches!(self, Selection::Grave { .. } | Selection::History { .. })
    }

    /// Whether the tree alone decides.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Selection::Ucb1 { .. })
    }
}

impl Worker {
    pub(super) fn begin_informed(&mut self, game: &dyn Game) {
        self.knowledge.begin(game, self.policy.coding());
        if self.config.selection.counts_moves() && self.scratch.recording == Recording::Nothing {
            self.scratch.recording = Recording::Chosen;
        }
    }

    /// Chooses among all legal moves, tried or not.
    pub(super) fn choose_informed(
        &mut self,
        game: &dyn Game,
        tree: &Table,
        id: NodeId,
        player: Player,
    ) -> Option<Move> {
        self.moves.clear();
        game.moves(&self.state, player, &mut self.moves);
        self.codes.clear();
        if self.config.selection.counts_moves() {
            let coding = self.policy.coding();
            game.codes(&self.state, player, &self.moves, coding, &mut self.codes);
        }
        let (key, visits) = (tree.key(id), tree.visits(id));
        if let Selection::Grave { reference, .. } = self.config.selection {
            // The root lends its statistics until a node below has enough of its own.
            if self.path.is_empty() || visits > reference {
                self.knowledge.reference = key;
            }
        }
        let mut values = std::mem::take(&mut self.knowledge.values);
        values.clear();
        self.show(tree, id);
        let first_play = self.first_play(tree, id).unwrap_or(f32::NEG_INFINITY);
        for (at, &mv) in self.moves.iter().enumerate() {
            let edge = self.available.iter().position(|edge| edge.mv == mv);
            values.push(self.value(key, visits, player, at, edge, first_play));
        }
        let chosen = self.draw_best(&values);
        self.knowledge.values = values;
        let mv = self.moves[chosen];
        match self.available.iter().position(|edge| edge.mv == mv) {
            Some(index) => self.go_on(tree, id, index),
            None => {
                tree.set_legal(id, self.moves.len());
                self.try_move(tree, id, mv, self.available.len())?
            }
        };
        self.knowledge.marks.push(self.scratch.record.steps().len());
        self.record(game, player, mv);
        Some(mv)
    }

    /// The value of one legal move; `at` is its place among them, `tried` among the node's edges.
    fn value(
        &self,
        key: u64,
        visits: u32,
        player: Player,
        at: usize,
        tried: Option<usize>,
        first_play: f32,
    ) -> f32 {
        let edge = tried.map(|index| &self.available[index]);
        let log = (visits.max(1) as f32).ln();
        let explore = |c: f32, edge: &Edge| c * (log / edge.visits() as f32).sqrt();
        if let Some(edge) = edge.filter(|edge| edge.proof().is_some()) {
            return edge.mean + edge.below_all();
        }
        match (self.config.selection, edge) {
            (Selection::Ucb1 { c }, Some(edge)) => edge.mean + explore(c, edge),
            (Selection::Ucb1Tuned { c }, Some(edge)) => {
                let context = Knowledge::context(key, player);
                let index = tried.unwrap_or(0) as u32;
                let (squares, _) = self.knowledge.by_node.get(context, index);
                let ratio = log / edge.visits() as f32;
                let variance = (squares - edge.mean * edge.mean).max(0.0) + (2.0 * ratio).sqrt();
                edge.mean + c * (ratio * variance.min(0.25)).sqrt()
            }
            (Selection::Grave { c, bias, .. }, edge) => {
                let context = Knowledge::context(self.knowledge.reference, player);
                let (other, met) = self.knowledge.by_node.get(context, self.codes[at]);
                match edge {
                    None if met > 0.0 && first_play > f32::NEG_INFINITY => other,
                    None => first_play,
                    Some(edge) => {
                        let own = edge.visits() as f32;
                        let share = met / (met + own + bias * met * own);
                        let share = if met > 0.0 { share } else { 0.0 };
                        (1.0 - share) * edge.mean + share * other + explore(c, edge)
                    }
                }
            }
            (Selection::History { c, w }, Some(edge)) => {
                let code = self.codes[at] as usize;
                let met = self.knowledge.visits.of(player)[code];
                let sum = self.knowledge.payoffs.of(player)[code];
                let history = if met > 0.0 { sum / met } else { 0.0 };
                let lost = edge.visits() as f32 * (1.0 - edge.mean);
                edge.mean + explore(c, edge) + history * w / (lost + 1.0)
            }
            (_, None) => first_play,
        }
    }

    /// The place of the highest value; ties, and what is near enough to count as one, are drawn from.
    fn draw_best(&mut self, values: &[f32]) -> usize {
        let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let near = |value: &f32| *value >= best - self.margin || *value == best;
        let ties = values.iter().filter(|value| near(value)).count().max(1) as u32;
        let mut wanted = self.rng.below(ties);
        for (index, value) in values.iter().enumerate() {
            if near(value) {
                if wanted == 0 {
                    return index;
                }
                wanted -= 1;
            }
        }
        0
    }

    /// Takes in the simulation that has just ended; edges and nodes are up to date already.
    pub(super) fn learn_informed(&mut self, tree: &Table) {
        match self.config.selection {
            Selection::Ucb1 { .. } => {}
            Selection::Ucb1Tuned { .. } => self.learn_squares(tree),
            Selection::Grave { .. } => self.learn_below_nodes(tree),
            Selection::History { .. } => self.learn_history(),
        }
        self.knowledge.marks.clear();
    }

    fn learn_squares(&mut self, tree: &Table) {
        self.knowledge.by_node.reserve(self.path.len(), RARE);
        for &Step { id, index, .. } in &self.path {
            let player = tree.player(id);
            let payoff = self.payoffs[player.index()];
            let context = Knowledge::context(tree.key(id), player);
            let place = self.knowledge.by_node.place(context, index as u32);
            self.knowledge.by_node.average(place, payoff * payoff);
        }
    }

    fn learn_below_nodes(&mut self, tree: &Table) {
        let knowledge = &mut self.knowledge;
        let steps = self.scratch.record.steps();
        let most = self.path.len() * steps.len();
        knowledge.by_node.reserve(most, RARE);
        for (step, &mark) in self.path.iter().zip(&knowledge.marks) {
            let key = tree.key(step.id);
            knowledge.stamp += 1;
            for step in &steps[mark..] {
                let slot = knowledge.payoffs.start(step.player) + step.chosen as usize;
                if std::mem::replace(&mut knowledge.seen[slot], knowledge.stamp) == knowledge.stamp
                {
                    continue;
                }
                let context = Knowledge::context(key, step.player);
                let place = knowledge.by_node.place(context, step.chosen);
                knowledge.by_node.average(place, self.payoffs[step.player.index()]);
            }
        }
    }

    fn learn_history(&mut self) {
        for step in self.scratch.record.steps() {
            let code = step.chosen as usize;
            self.knowledge.payoffs.of_mut(step.player)[code] += self.payoffs[step.player.index()];
            self.knowledge.visits.of_mut(step.player)[code] += 1.0;
        }
    }
}
