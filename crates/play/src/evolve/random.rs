//! Growing expressions at random.

use std::collections::BTreeSet;

use ludex_game::Rng;

use super::config::Config;
use super::formula::{Formula, Node};
use super::polynomial::essence;

/// How often a formula is drawn again that is like one there is: there may be no others.
pub(super) const PATIENCE: usize = 200;

/// What expressions are made of.
#[derive(Clone, Debug)]
pub(super) struct Material {
    pub functions: Vec<Node>,
    pub terminals: Vec<Node>,
}

/// Whether every branch reaches the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Every branch is as deep as asked.
    Full,
    /// A branch may end early.
    Grow,
}

impl Material {
    pub fn new(config: &Config, attributes: usize) -> Material {
        let constants = config.constants.iter().map(|&value| Node::Constant(value));
        let attributes = (0..attributes as u16).map(Node::Attribute);
        let mut terminals: Vec<Node> = constants.chain(attributes).collect();
        if terminals.is_empty() {
            terminals.push(Node::Constant(1.0));
        }
        Material { functions: config.operators.nodes(), terminals }
    }

    /// The constants just below and just above a number.
    pub fn next_to(&self, value: f64) -> Vec<Node> {
        let constants = || {
            self.terminals.iter().filter_map(|node| match node {
                Node::Constant(constant) => Some(*constant),
                _ => None,
            })
        };
        let below = constants().filter(|&other| other < value).max_by(f64::total_cmp);
        let above = constants().filter(|&other| other > value).min_by(f64::total_cmp);
        below.into_iter().chain(above).map(Node::Constant).collect()
    }

    /// A random expression of at most `depth` levels below its root.
    pub fn grow(&self, depth: usize, shape: Shape, rng: &mut Rng) -> Formula {
        let mut nodes = Vec::new();
        self.extend(&mut nodes, depth, true, shape, rng);
        Formula::from_nodes(nodes).unwrap_or_else(|| Formula::constant(0.0))
    }

    fn extend(&self, nodes: &mut Vec<Node>, depth: usize, root: bool, shape: Shape, rng: &mut Rng) {
        let ends = depth == 0 || !root && shape == Shape::Grow && rng.below(2) == 0;
        if ends {
            nodes.push(pick(&self.terminals, rng));
            return;
        }
        let node = pick(&self.functions, rng);
        nodes.push(node);
        for _ in 0..node.arity() {
            self.extend(nodes, depth - 1, false, shape, rng);
        }
    }

    /// The first population: depths from least to most in turn, half of them full, no two alike where that
    /// can be had.
    pub fn ramped(&self, config: &Config, rng: &mut Rng) -> Vec<Formula> {
        let (least, most) = config.initial_depths;
        let steps = most.max(least) - least + 1;
        let nothing = essence(&Formula::constant(0.0));
        let mut known = BTreeSet::from([nothing]);
        let one = |index: usize| {
            let depth = least + index / 2 % steps;
            let shape = if index.is_multiple_of(2) { Shape::Full } else { Shape::Grow };
            let mut formula = self.grow(depth, shape, rng);
            for _ in 0..PATIENCE {
                if known.insert(essence(&formula)) {
                    break;
                }
                formula = self.grow(depth, shape, rng);
            }
            formula
        };
        (0..config.population).map(one).collect()
    }
}

pub(super) fn pick(nodes: &[Node], rng: &mut Rng) -> Node {
    nodes[rng.below(nodes.len() as u32) as usize]
}
