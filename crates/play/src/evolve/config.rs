//! What kind of evolution, as plain values.

use super::formula::Node;

/// Functions beyond sums, differences and products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Operators {
    /// Protected division.
    pub divide: bool,
    /// Smaller and larger of two.
    pub min_max: bool,
    /// Choice by a sign.
    pub choice: bool,
}

impl Operators {
    /// All functions that may be used.
    pub fn nodes(self) -> Vec<Node> {
        let mut nodes = vec![Node::Add, Node::Subtract, Node::Multiply];
        if self.divide {
            nodes.push(Node::Divide);
        }
        if self.min_max {
            nodes.extend([Node::Min, Node::Max]);
        }
        if self.choice {
            nodes.push(Node::If);
        }
        nodes
    }
}

/// How the population changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scheme {
    /// One birth at a time; the child takes the place of the worst.
    #[default]
    SteadyState,
    /// A whole new population at a time; the best so many live on.
    Generational {
        /// How many live on unchanged.
        elite: usize,
    },
}

/// When a child takes the place of the worst, in a steady state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replacement {
    /// Always.
    #[default]
    Always,
    /// Only if it is at least as good.
    IfNotWorse,
}

/// What the probability of a point mutation is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MutationRate {
    /// For a child: one of its nodes changes, or none.
    #[default]
    PerChild,
    /// For each of its nodes.
    PerNode,
}

/// Everything but the seed, the game and the fitness.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How many live at once.
    pub population: usize,
    /// How many times as many births as the population are made.
    pub generations: usize,
    /// How the population changes.
    pub scheme: Scheme,
    /// When a child replaces the worst.
    pub replacement: Replacement,
    /// A child that did otherwise than its nearest neighbour in less than this part of the matches takes
    /// the neighbour's place or none, so that the population does not become one family. Those that did the
    /// same in all of them always do so.
    pub crowding: f64,
    /// How many compete to be a parent.
    pub tournament: usize,
    /// Probability that a child has two parents.
    pub crossover: f64,
    /// Probability that a node changes for another with as many operands.
    pub point_mutation: f64,
    /// What that probability is meant for.
    pub mutation_rate: MutationRate,
    /// Probability that a child has a part grown anew.
    pub subtree_mutation: f64,
    /// Fitness lost for each node.
    pub parsimony: f64,
    /// Depths of the first population.
    pub initial_depths: (usize, usize),
    /// No child is deeper.
    pub deepest: usize,
    /// Functions.
    pub operators: Operators,
    /// Numbers that formulas are made of.
    pub constants: Vec<f64>,
}

impl Default for Config {
    /// The parameters of the paper on 7 Wonders.
    fn default() -> Self {
        Config {
            population: 25,
            generations: 100,
            scheme: Scheme::SteadyState,
            replacement: Replacement::Always,
            crowding: 0.15,
            tournament: 2,
            crossover: 0.6,
            point_mutation: 0.15,
            mutation_rate: MutationRate::PerChild,
            subtree_mutation: 0.0,
            parsimony: 0.0,
            initial_depths: (2, 6),
            deepest: 17,
            operators: Operators::default(),
            constants: (0..17).map(|step| -2.0 + 0.25 * f64::from(step)).collect(),
        }
    }
}
