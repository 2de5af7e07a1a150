//! Children: crossover and mutation.

use ludex_game::Rng;

use super::formula::{Formula, Node};
use super::random::{Material, Shape, pick};

/// The first parent with one part replaced by a part of the second.
pub(super) fn crossover(first: &Formula, second: &Formula, rng: &mut Rng) -> Formula {
    let place = rng.below(first.size() as u32) as usize;
    let from = rng.below(second.size() as u32) as usize;
    first.with_part(place, &second.nodes()[from..second.end_of(from)])
}

/// One node changed for another with as many operands.
pub(super) fn point_mutation(parent: &Formula, material: &Material, rng: &mut Rng) -> Formula {
    let place = rng.below(parent.size() as u32) as usize;
    let mut nodes = parent.nodes().to_vec();
    exchange(&mut nodes[place], material, rng);
    Formula::from_nodes(nodes).unwrap_or_else(|| parent.clone())
}

/// Each node changed for another with as many operands, with some probability.
pub(super) fn node_mutation(
    parent: &Formula,
    probability: f64,
    material: &Material,
    rng: &mut Rng,
) -> Formula {
    let mut nodes = parent.nodes().to_vec();
    for node in &mut nodes {
        if rng.unit() < probability {
            exchange(node, material, rng);
        }
    }
    Formula::from_nodes(nodes).unwrap_or_else(|| parent.clone())
}

/// Another node with as many operands, if there is one. A number changes for the next one every other
/// time: what is nearly right gets better by small steps.
fn exchange(node: &mut Node, material: &Material, rng: &mut Rng) {
    if let Node::Constant(value) = *node
        && rng.below(2) == 0
    {
        let next = material.next_to(value);
        if !next.is_empty() {
            *node = pick(&next, rng);
            return;
        }
    }
    let all = material.functions.iter().chain(&material.terminals).copied();
    let alike: Vec<Node> =
        all.filter(|other| other.arity() == node.arity() && other != node).collect();
    if !alike.is_empty() {
        *node = pick(&alike, rng);
    }
}

/// One part grown anew.
pub(super) fn subtree_mutation(parent: &Formula, material: &Material, rng: &mut Rng) -> Formula {
    let place = rng.below(parent.size() as u32) as usize;
    let part = material.grow(1 + rng.below(4) as usize, Shape::Grow, rng);
    parent.with_part(place, part.nodes())
}
