//! Results that are proved in the tree: never searched again, never played against.
//!
//! A position is proved where the game is over, and wherever one player decides and either has a move proved
//! to give him everything, or all his moves are proved and his best ones lead to the same result. A move
//! into a turn of chance is proved where every outcome leads to the same proved result. Nothing is proved where
//! several players move at once, nor where parts of the position are hidden.
//!
//! Every proof rests on proofs made before it, so positions that come back in a circle prove nothing by
//! themselves. Whatever else the future depends on (positions that may not repeat, counters) is part of the
//! hash that nodes are found by, as the contract of games has it.

use ludex_game::{Game, Move, PlayerSet, State, Turn};

use super::config::{Keys, SearchConfig};
use super::edge::{Edge, Outcome};
use super::extend_path;
use super::table::{NodeId, Table};
use super::worker::{Step, Worker};

/// What proofs need beside the tree.
pub(super) struct Solver {
    on: bool,
    solved: bool,
    players: usize,
    /// The payoffs of the outcomes that this thread knows of, one after another.
    payoffs: Vec<f32>,
    /// From this place on, each decision of the path leads to the next without anybody else's say.
    certain_from: usize,
    chance: Chance,
}

/// The last turn of chance on the path.
struct Chance {
    /// Whether there was one since the last decision that nobody else had a say in.
    known: bool,
    /// The position before it, and how it was come to.
    state: State,
    route: u64,
    /// What `certain_from` was before it.
    certain_before: usize,
    outcomes: Vec<(Move, f64)>,
    child: State,
}

impl Solver {
    pub fn new(game: &dyn Game, config: &SearchConfig) -> Self {
        let info = game.info();
        let chance = Chance {
            known: false,
            state: game.start(),
            route: 0,
            certain_before: 0,
            outcomes: Vec::new(),
            child: game.start(),
        };
        Solver {
            on: config.solve && !info.hidden && config.keys != Keys::OpenLoop,
            solved: false,
            players: info.players,
            payoffs: Vec::new(),
            certain_from: 0,
            chance,
        }
    }

    pub fn begin(&mut self) {
        self.solved = false;
    }

    pub fn begin_path(&mut self) {
        self.certain_from = 0;
        self.chance.known = false;
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether the root is proved.
    #[inline]
    pub fn solved(&self) -> bool {
        self.solved
    }

    /// What a proved outcome is worth to everybody.
    #[inline]
    pub fn payoffs(&mut self, tree: &Table, outcome: Outcome) -> &[f32] {
        let at = usize::from(outcome.0.get() - 1) * self.players;
        if at >= self.payoffs.len() {
            tree.copy_outcomes(&mut self.payoffs);
        }
        &self.payoffs[at..at + self.players]
    }

    /// The outcome with these payoffs; none where there are too many different ones to tell apart.
    pub fn outcome(&mut self, tree: &Table, payoffs: &[f32]) -> Option<Outcome> {
        tree.outcome(payoffs, &mut self.payoffs)
    }

    /// Notes that chance decides next, after so many decisions.
    pub fn at_chance(&mut self, state: &State, route: u64, decisions: usize) {
        if !self.on {
            return;
        }
        // Two turns of chance in a row are more than a proof looks through.
        self.chance.known = self.certain_from < decisions;
        self.chance.certain_before = self.certain_from;
        self.certain_from = decisions;
        self.chance.route = route;
        self.chance.state.copy_from(state);
    }

    /// Notes that several players moved at once.
    pub fn at_simultaneous(&mut self, decisions: usize) {
        self.certain_from = decisions;
        self.chance.known = false;
    }
}

impl Worker {
    /// The best result that is proved for whoever decides at a node, where it is better for him than a payoff.
    pub(super) fn proved_better(
        &mut self,
        tree: &Table,
        id: NodeId,
        payoff: f32,
    ) -> Option<Outcome> {
        if !self.solver.on || payoff >= 1.0 || !tree.proves() {
            return None;
        }
        match self.near.get(id) {
            Some(copy) => proof_above(copy.edges.iter().copied(), payoff),
            None => proof_above(tree.edges(id), payoff),
        }
    }

    /// Proves the last move of the path, and all that follows from it further up.
    pub(super) fn prove(&mut self, game: &dyn Game, tree: &Table, outcome: Outcome) {
        let mut outcome = outcome;
        for at in (0..self.path.len()).rev() {
            if at + 1 == self.solver.certain_from {
                match self.prove_chance(game, tree) {
                    Some(all) => outcome = all,
                    None => return,
                }
            }
            let Step { id, index, .. } = self.path[at];
            let payoff = self.solver.payoffs(tree, outcome)[tree.player(id).index()];
            tree.change(id, index, 0, |edge| edge.prove(outcome, payoff));
            self.near.prove(id, index, outcome, payoff);
            match self.conclusion(tree, id) {
                Some(follows) => outcome = follows,
                None => return,
            }
            tree.prove_node(id, outcome);
        }
        self.solver.solved = self.solver.certain_from == 0;
    }

    /// What the proved moves of a node prove of it.
    fn conclusion(&mut self, tree: &Table, id: NodeId) -> Option<Outcome> {
        let edges = tree.edges(id);
        let proved = edges.clone().filter_map(|edge| edge.proof().map(|outcome| (edge, outcome)));
        let best = proved.clone().max_by(|(a, _), (b, _)| a.mean.total_cmp(&b.mean));
        let (best, outcome) = best?;
        let others = self.solver.payoffs(tree, outcome).iter().sum::<f32>() - best.mean;
        if best.mean >= 1.0 && others <= 0.0 {
            return Some(outcome);
        }
        let whole = tree.complete(id) && proved.clone().count() == edges.len();
        let alike = |edge_mean: f32, other: Outcome| edge_mean < best.mean || other == outcome;
        (whole && proved.clone().all(|(edge, other)| alike(edge.mean, other))).then_some(outcome)
    }

    /// The one result that all outcomes of the last turn of chance are proved to lead to.
    fn prove_chance(&mut self, game: &dyn Game, tree: &Table) -> Option<Outcome> {
        if !std::mem::replace(&mut self.solver.chance.known, false) {
            return None;
        }
        let mut outcomes = std::mem::take(&mut self.solver.chance.outcomes);
        outcomes.clear();
        let listed = game.chance_outcomes(&self.solver.chance.state, &mut outcomes);
        let mut all = None;
        let agree = listed
            && outcomes.iter().all(|&(mv, _)| {
                let outcome = self.proof_after_chance(game, tree, mv);
                outcome.is_some() && *all.get_or_insert(outcome) == outcome
            });
        self.solver.chance.outcomes = outcomes;
        self.solver.certain_from = self.solver.chance.certain_before;
        all.flatten().filter(|_| agree)
    }

    fn proof_after_chance(&mut self, game: &dyn Game, tree: &Table, mv: Move) -> Option<Outcome> {
        let chance = &mut self.solver.chance;
        chance.child.copy_from(&chance.state);
        game.apply(&mut chance.child, &[mv]);
        match game.turn(&chance.child) {
            Turn::Over => {
                let mut payoffs = [0.0; PlayerSet::CAPACITY];
                let payoffs = &mut payoffs[..self.solver.players];
                game.payoffs(&chance.child, payoffs);
                self.solver.outcome(tree, payoffs)
            }
            Turn::Chance => None,
            Turn::Players(players) => {
                let route = extend_path(chance.route, mv);
                let key = self.key(game, &self.solver.chance.child, players, route);
                tree.proof(tree.find(key)?)
            }
        }
    }
}

/// The best proved result among edges that is worth more than a payoff.
fn proof_above(edges: impl Iterator<Item = Edge>, payoff: f32) -> Option<Outcome> {
    let better = edges.filter(|edge| edge.mean > payoff && edge.proof().is_some());
    better.max_by(|a, b| a.mean.total_cmp(&b.mean)).and_then(|edge| edge.proof())
}
