//! One tree of a guided search.

use std::collections::HashMap;

use ludex_game::{Game, Move, Player, Rng, State, Turn, mix};

use super::{Leaf, Noise, only_mover};

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub mv: Move,
    pub action: u32,
    pub prior: f32,
    pub visits: u32,
    /// Descents through it whose position is not judged yet.
    waiting: u32,
    sum: f32,
}

impl Edge {
    /// The mean payoff of whoever chooses it, if it was ever tried.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32)
    }
}

/// A position in which somebody decides.
#[derive(Clone, Copy, Debug)]
struct Node {
    player: Player,
    first: u32,
    count: u32,
    /// What the oracle thinks that player may expect.
    own: f32,
}

/// Where a node is: not judged yet.
const ASKED: u32 = u32::MAX;
/// The root.
const ROOT: u64 = 0;

pub(super) struct Tree {
    root: State,
    /// By the moves that lead there, those of chance included: where the past forbids moves, a position is not one node.
    places: HashMap<u64, u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    rng: Rng,
    payoffs: Vec<f32>,
    /// How many simulations ran.
    pub done: u64,
}

/// How a descent ended.
pub(super) enum Descent {
    /// At a position that nobody has judged.
    New,
    /// At the end of the game, which is counted.
    Over,
    /// At a position that is being judged: nothing came of it.
    Waiting,
}

impl Tree {
    pub fn new(root: &State, rng: Rng) -> Self {
        Tree {
            root: root.clone(),
            places: HashMap::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            rng,
            payoffs: Vec::new(),
            done: 0,
        }
    }

    /// Forgets everything for another root.
    pub fn begin(&mut self, root: &State, rng: Rng) {
        self.root.copy_from(root);
        self.places.clear();
        self.nodes.clear();
        self.edges.clear();
        (self.rng, self.done) = (rng, 0);
    }

    /// Walks down from the root to where the tree ends, in the leaf's own state.
    pub fn descend(&mut self, game: &dyn Game, puct: f32, leaf: &mut Leaf) -> Descent {
        leaf.state.copy_from(&self.root);
        leaf.path.clear();
        leaf.key = ROOT;
        for _ in 0..game.info().max_plies {
            let mv = match game.turn(&leaf.state) {
                Turn::Over => return self.count_end(game, leaf),
                Turn::Chance => game.sample_chance(&leaf.state, &mut self.rng),
                Turn::Players(players) if players.len() > 1 => return self.count_end(game, leaf),
                Turn::Players(players) => {
                    leaf.player = players.first().unwrap_or_default();
                    match self.places.get(&leaf.key) {
                        None => {
                            self.places.insert(leaf.key, ASKED);
                            self.done += 1;
                            return Descent::New;
                        }
                        Some(&ASKED) => {
                            self.take_back(&leaf.path);
                            return Descent::Waiting;
                        }
                        Some(&node) => {
                            let edge = self.select(node, puct);
                            leaf.path.push((node, edge));
                            let edge = &mut self.edges[edge as usize];
                            edge.waiting += 1;
                            edge.mv
                        }
                    }
                }
            };
            leaf.key = after(leaf.key, mv);
            game.apply(&mut leaf.state, &[mv]);
        }
        self.count_end(game, leaf)
    }

    fn count_end(&mut self, game: &dyn Game, leaf: &Leaf) -> Descent {
        let mut payoffs = std::mem::take(&mut self.payoffs);
        payoffs.resize(game.info().players, 0.0);
        game.payoffs(&leaf.state, &mut payoffs);
        self.back_up(&leaf.path, &payoffs);
        self.payoffs = payoffs;
        self.done += 1;
        Descent::Over
    }

    /// The move with the highest mean and what is thought of it. A descent that waits counts as a loss; moves that
    /// were never tried are thought to be as good as the node is on average.
    fn select(&self, node: u32, puct: f32) -> u32 {
        let Node { first, count, own, .. } = self.nodes[node as usize];
        let edges = &self.edges[first as usize..][..count as usize];
        let (mut tried, mut visits, mut sum) = (0, 1, own);
        for edge in edges {
            tried += edge.visits + edge.waiting;
            visits += edge.visits;
            sum += edge.sum;
        }
        let untried = sum / visits as f32;
        let scale = puct * (tried.max(1) as f32).sqrt();
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        // What has no prior at all is never tried; something always has one.
        for (at, edge) in (0..).zip(edges).filter(|(_, edge)| edge.prior > 0.0) {
            let met = edge.visits + edge.waiting;
            let mean = if met > 0 { edge.sum / met as f32 } else { untried };
            let value = mean + scale * edge.prior / (1 + met) as f32;
            if value > best_value {
                (best, best_value) = (at, value);
            }
        }
        first + best
    }

    fn take_back(&mut self, path: &[(u32, u32)]) {
        for &(_, edge) in path {
            self.edges[edge as usize].waiting -= 1;
        }
    }

    fn back_up(&mut self, path: &[(u32, u32)], payoffs: &[f32]) {
        for &(node, edge) in path {
            let payoff = payoffs[self.nodes[node as usize].player.index()];
            let edge = &mut self.edges[edge as usize];
            edge.waiting -= 1;
            edge.visits += 1;
            edge.sum += payoff;
        }
    }

    /// Adds a position that was judged.
    pub fn expand(&mut self, leaf: &Leaf, weights: &[f32], payoffs: &[f32], noise: Option<Noise>) {
        let sound = |weight: f32| if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        let total: f32 = weights.iter().map(|&weight| sound(weight)).sum();
        let even = 1.0 / weights.len().max(1) as f32;
        let first = self.edges.len() as u32;
        for ((&mv, &action), &weight) in leaf.moves.iter().zip(&leaf.actions).zip(weights) {
            let prior = if total > 0.0 { sound(weight) / total } else { even };
            self.edges.push(Edge { mv, action, prior, visits: 0, waiting: 0, sum: 0.0 });
        }
        if let (ROOT, Some(noise)) = (leaf.key, noise) {
            let edges = &mut self.edges[first as usize..];
            let liked = edges.iter().filter(|edge| edge.prior > 0.0).count();
            let drawn = dirichlet(noise.alpha, liked, &mut self.rng);
            for (edge, drawn) in edges.iter_mut().filter(|edge| edge.prior > 0.0).zip(drawn) {
                edge.prior += noise.share * (drawn - edge.prior);
            }
        }
        let own = payoffs[leaf.player.index()];
        let count = self.edges.len() as u32 - first;
        self.places.insert(leaf.key, self.nodes.len() as u32);
        self.nodes.push(Node { player: leaf.player, first, count, own });
        self.back_up(&leaf.path, payoffs);
    }

    fn edges_of(&self, node: u32) -> &[Edge] {
        let node = self.nodes[node as usize];
        &self.edges[node.first as usize..][..node.count as usize]
    }

    fn node(&self, key: u64) -> Option<u32> {
        self.places.get(&key).copied().filter(|&node| node != ASKED)
    }

    /// The moves of the root.
    pub fn root_edges(&self) -> &[Edge] {
        self.node(ROOT).map_or(&[], |root| self.edges_of(root))
    }

    /// What whoever moves at the root may expect.
    pub fn root_value(&self) -> f32 {
        let Some(root) = self.node(ROOT) else { return 0.5 };
        let edges = self.edges_of(root);
        let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
        match visits {
            0 => self.nodes[root as usize].own,
            _ => edges.iter().map(|edge| edge.sum).sum::<f32>() / visits as f32,
        }
    }

    /// The moves most simulations followed, up to where chance moves.
    pub fn line(&self, game: &dyn Game) -> Vec<Vec<Move>> {
        let (mut line, mut state, mut key) = (Vec::new(), self.root.clone(), ROOT);
        while let Some(node) = self.node(key).filter(|_| only_mover(game, &state).is_some()) {
            let tried = self.edges_of(node).iter().filter(|edge| edge.visits > 0);
            let Some(best) = tried.max_by_key(|edge| edge.visits) else { break };
            game.apply(&mut state, &[best.mv]);
            key = after(key, best.mv);
            line.push(vec![best.mv]);
        }
        line
    }
}

fn after(key: u64, mv: Move) -> u64 {
    mix(key ^ mix(mv.0.wrapping_add(0x9E37_79B9_7F4A_7C15)))
}

/// Shares drawn from Dirichlet's symmetric distribution: gamma variates divided by their sum.
fn dirichlet(alpha: f32, count: usize, rng: &mut Rng) -> Vec<f32> {
    let mut drawn: Vec<f64> = (0..count).map(|_| gamma(f64::from(alpha), rng)).collect();
    let total: f64 = drawn.iter().sum();
    if total <= 0.0 {
        drawn.fill(1.0);
    }
    let total: f64 = drawn.iter().sum();
    drawn.into_iter().map(|one| (one / total) as f32).collect()
}

/// A gamma variate by the method of Marsaglia and Tsang, raised from a larger shape where the shape is below one.
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * rng.unit().powf(1.0 / shape.max(1e-3));
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // A normal variate by two uniform ones.
        let (a, b) = (1.0 - rng.unit(), rng.unit());
        let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 && (1.0 - rng.unit()).ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_mean_and_the_variance_of_dirichlets_distribution() {
        let (mut rng, alpha, count, rounds) = (Rng::seeded(1), 0.5, 8, 4000);
        let mut squares = 0.0;
        for _ in 0..rounds {
            let drawn = dirichlet(alpha, count, &mut rng);
            assert!((drawn.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            squares += f64::from(drawn[0] - 0.125).powi(2);
        }
        // Mean a/A, variance a(A-a) / (A²(A+1)) with A the sum of all parameters.
        let expected = 0.5 * 3.5 / (16.0 * 5.0);
        assert!((squares / f64::from(rounds) / expected - 1.0).abs() < 0.1);
    }
}
