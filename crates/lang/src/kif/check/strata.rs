//! Which rule depends on which: the graph behind stratification and recursion.
//!
//! The nodes are rules, not relations, because GDL texts say `(goal ?r 50)` where not
//! `(goal ?r 100)`: one relation, yet no circle as far as the constants tell.

use rustc_hash::FxHashMap;

use crate::kif::description::{Atom, Literal, Rule, Term};
use crate::kif::names::Name;

/// Beyond this many comparisons of a condition with a head, constants are no longer looked at.
const COMPARISONS_LIMIT: usize = 4_000_000;

/// The strongly connected components of the rules' dependencies.
#[derive(Debug)]
pub struct Strata {
    component: Vec<usize>,
    rules_of: FxHashMap<Name, Vec<usize>>,
    precise: bool,
}

impl Strata {
    /// Computes the graph and its components.
    pub fn new(rules: &[Rule]) -> Self {
        let mut rules_of: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        // Facts depend on nothing, so they lie on no circle.
        for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.body.is_empty()) {
            rules_of.entry(rule.head.relation).or_default().push(number);
        }
        let conditions =
            || rules.iter().flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
        let heads = |atom: &Atom| rules_of.get(&atom.relation).map_or(0, Vec::len);
        let precise = conditions().map(heads).sum::<usize>() <= COMPARISONS_LIMIT;
        let component = match precise {
            true => components(&edges(rules, &rules_of)),
            false => coarse(rules, &rules_of),
        };
        Strata { component, rules_of, precise }
    }

    /// The component of a rule. Components are numbered so that a rule depends only on rules
    /// of its own and of smaller components.
    pub fn component(&self, rule: usize) -> usize {
        self.component[rule]
    }

    /// Whether the condition may be concluded, in one or more steps, from the rule's own head.
    pub fn recursive(&self, rules: &[Rule], rule: usize, condition: &Atom) -> bool {
        let same = |&other: &usize| {
            self.component[other] == self.component[rule]
                && (!self.precise || may_match(condition, &rules[other].head))
        };
        self.rules_of.get(&condition.relation).is_some_and(|others| others.iter().any(same))
    }
}

fn edges(rules: &[Rule], rules_of: &FxHashMap<Name, Vec<usize>>) -> Vec<Vec<usize>> {
    let needed = |rule: &Rule| {
        let mut needed = Vec::new();
        for atom in rule.body.iter().filter_map(Literal::atom) {
            let heads = rules_of.get(&atom.relation).into_iter().flatten();
            needed.extend(heads.filter(|&&head| may_match(atom, &rules[head].head)));
        }
        needed
    };
    rules.iter().map(needed).collect()
}

/// Components of relations, given to each relation's rules.
fn coarse(rules: &[Rule], rules_of: &FxHashMap<Name, Vec<usize>>) -> Vec<usize> {
    let names: Vec<Name> = rules_of.keys().copied().collect();
    let index: FxHashMap<Name, usize> = names.iter().copied().zip(0..).collect();
    let needed = |name: &Name| {
        let bodies = rules_of[name].iter().flat_map(|&rule| &rules[rule].body);
        let needed = bodies.filter_map(Literal::atom);
        needed.filter_map(|atom| index.get(&atom.relation).copied()).collect()
    };
    let edges: Vec<Vec<usize>> = names.iter().map(needed).collect();
    let component = components(&edges);
    let of_rule = |rule: &Rule| index.get(&rule.head.relation).map_or(0, |&at| component[at]);
    rules.iter().map(of_rule).collect()
}

/// Whether some substitution could make the atoms equal; looks at constants and functions
/// only, not at repeated variables.
fn may_match(one: &Atom, other: &Atom) -> bool {
    one.relation == other.relation && all_may_match(&one.args, &other.args)
}

fn all_may_match(ones: &[Term], others: &[Term]) -> bool {
    ones.len() == others.len()
        && ones.iter().zip(others).all(|(one, other)| terms_may_match(one, other))
}

fn terms_may_match(one: &Term, other: &Term) -> bool {
    match (one, other) {
        (Term::Var(_), _) | (_, Term::Var(_)) => true,
        (Term::Const(one), Term::Const(other)) => one == other,
        (Term::Func(one, ones), Term::Func(other, others)) => {
            one == other && all_may_match(ones, others)
        }
        _ => false,
    }
}

/// Tarjan's algorithm with an explicit stack, so that long chains of rules are no danger.
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
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
