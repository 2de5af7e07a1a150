//! Which relation depends on which: the graph behind stratification and recursion.

use rustc_hash::FxHashMap;

use crate::kif::description::{Description, Literal};
use crate::kif::names::Name;

/// The relations of a description, numbered, with the strongly connected components of
/// their dependencies.
#[derive(Debug)]
pub struct Relations {
    index: FxHashMap<Name, usize>,
    component: Vec<usize>,
}

impl Relations {
    /// Computes the graph and its components.
    pub fn new(description: &Description) -> Self {
        let mut index = FxHashMap::default();
        let mut edges: Vec<Vec<usize>> = Vec::new();
        let mut number = |name: Name, edges: &mut Vec<Vec<usize>>| {
            *index.entry(name).or_insert_with(|| {
                edges.push(Vec::new());
                edges.len() - 1
            })
        };
        for rule in &description.rules {
            let head = number(rule.head.relation, &mut edges);
            for atom in rule.body.iter().filter_map(Literal::atom) {
                let needed = number(atom.relation, &mut edges);
                edges[head].push(needed);
            }
        }
        Relations { component: components(&edges), index }
    }

    /// The component of a relation. Components are numbered so that a relation depends only
    /// on relations of its own and of smaller components.
    pub fn component(&self, name: Name) -> Option<usize> {
        self.index.get(&name).map(|&at| self.component[at])
    }

    /// Whether the two relations depend on each other.
    pub fn mutual(&self, one: Name, other: Name) -> bool {
        let component = self.component(one);
        component.is_some() && component == self.component(other)
    }
}

/// Tarjan's algorithm with an explicit stack, so that long chains of rules are no danger.
pub fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = edges.len();
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut component = vec![UNSEEN; count];
    let (mut pending, mut walk) = (Vec::new(), Vec::new());
    let (mut next_order, mut next_component) = (0, 0);
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        walk.push((root, 0));
        while let Some((node, edge)) = walk.pop() {
            if edge == 0 {
                order[node] = next_order;
                low[node] = next_order;
                next_order += 1;
                pending.push(node);
            } else {
                let child = edges[node][edge - 1];
                low[node] = low[node].min(low[child]);
            }
            let mut at = edge;
            let mut descended = false;
            while at < edges[node].len() {
                let child = edges[node][at];
                at += 1;
                if order[child] == UNSEEN {
                    walk.push((node, at));
                    walk.push((child, 0));
                    descended = true;
                    break;
                }
                if component[child] == UNSEEN {
                    low[node] = low[node].min(order[child]);
                }
            }
            if !descended && low[node] == order[node] {
                while let Some(member) = pending.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_share_a_component_and_needs_come_first() {
        // 0 → 1 ⇄ 2 → 3
        let component = components(&[vec![1], vec![2], vec![1, 3], vec![]]);
        assert_eq!(component[1], component[2]);
        assert!(component[3] < component[2] && component[1] < component[0]);
    }
}
