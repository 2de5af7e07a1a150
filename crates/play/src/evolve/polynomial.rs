//! Simplifying: an expression multiplied out to a sum of products, equal ones collected.

use std::collections::BTreeMap;

use ludex_game::mix;

use super::formula::{Formula, Node};

/// Products with more factors or sums with more terms than this are left as they are.
const MOST_TERMS: usize = 2000;

/// A factor of a product: an attribute, or a part that does not multiply out, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Attribute(u16),
    Opaque(usize),
}

/// Factors with their powers.
type Product = Vec<(Atom, u32)>;

/// Products with their coefficients.
type Sum = BTreeMap<Product, f64>;

#[derive(Default)]
struct Opaques(Vec<Formula>);

impl Opaques {
    fn number(&mut self, formula: Formula) -> usize {
        let known = self.0.iter().position(|other| *other == formula);
        known.unwrap_or_else(|| {
            self.0.push(formula);
            self.0.len() - 1
        })
    }
}

impl Formula {
    /// An equal formula, multiplied out, with equal products collected and constants folded. Rounding
    /// may differ in the last digits. A formula too large to multiply out is returned as it is.
    pub fn simplified(&self) -> Formula {
        let mut opaques = Opaques::default();
        match sum_at(self, 0, &mut opaques) {
            Some((sum, _)) => rebuilt(&sum, &opaques),
            None => self.clone(),
        }
    }
}

/// A number that formulas have in common which order positions alike for a reason that shows when they are
/// multiplied out: what is added to all of them, and by how much all is multiplied, does not matter.
pub(super) fn essence(formula: &Formula) -> u64 {
    let simple = match sum_at(formula, 0, &mut Opaques::default()) {
        // Parts that do not multiply out are known by their nodes alone.
        Some((mut sum, _)) if !formula.nodes().iter().any(|node| is_opaque(*node)) => {
            sum.remove(&Vec::new());
            let unit = sum.values().next().map_or(1.0, |first| first.abs());
            sum.values_mut().for_each(|coefficient| *coefficient /= unit);
            rebuilt(&sum, &Opaques::default())
        }
        _ => formula.simplified(),
    };
    simple.nodes().iter().fold(0, |hash, &node| mix(hash ^ mix(word(node))))
}

fn is_opaque(node: Node) -> bool {
    matches!(node, Node::Divide | Node::Min | Node::Max | Node::If)
}

/// A number for each node, hardly ever the same for two.
fn word(node: Node) -> u64 {
    match node {
        Node::Constant(value) => value.to_bits(),
        Node::Attribute(index) => 1 << 32 | u64::from(index),
        Node::Add => 1,
        Node::Subtract => 2,
        Node::Multiply => 3,
        Node::Divide => 4,
        Node::Min => 5,
        Node::Max => 6,
        Node::If => 7,
    }
}

/// The part at `start` as a sum, and where it ends.
fn sum_at(formula: &Formula, start: usize, opaques: &mut Opaques) -> Option<(Sum, usize)> {
    let node = formula.nodes()[start];
    match node {
        Node::Constant(value) => Some((number(value), start + 1)),
        Node::Attribute(index) => Some((atom(Atom::Attribute(index)), start + 1)),
        Node::Add | Node::Subtract | Node::Multiply => {
            let (left, middle) = sum_at(formula, start + 1, opaques)?;
            let (right, end) = sum_at(formula, middle, opaques)?;
            let sum = match node {
                Node::Add => added(left, &right, 1.0),
                Node::Subtract => added(left, &right, -1.0),
                _ => multiplied(&left, &right)?,
            };
            (sum.len() <= MOST_TERMS).then_some((sum, end))
        }
        Node::Divide | Node::Min | Node::Max | Node::If => {
            let mut nodes = vec![node];
            let mut constants = Vec::new();
            let mut at = start + 1;
            for _ in 0..node.arity() {
                let (sum, end) = sum_at(formula, at, opaques)?;
                let part = rebuilt(&sum, opaques);
                if let [Node::Constant(value)] = part.nodes() {
                    constants.push(*value);
                }
                nodes.extend(part.nodes());
                at = end;
            }
            if constants.len() == node.arity() {
                let operand = |index: usize| constants.get(index).copied().unwrap_or(0.0);
                return Some((number(node.apply(operand(0), operand(1), operand(2))), at));
            }
            let part = Formula::from_nodes(nodes)?;
            Some((atom(Atom::Opaque(opaques.number(part))), at))
        }
    }
}

fn number(value: f64) -> Sum {
    let mut sum = Sum::new();
    if value != 0.0 {
        sum.insert(Vec::new(), value);
    }
    sum
}

fn atom(atom: Atom) -> Sum {
    Sum::from([(vec![(atom, 1)], 1.0)])
}

fn added(mut left: Sum, right: &Sum, sign: f64) -> Sum {
    for (product, coefficient) in right {
        let total = left.entry(product.clone()).or_insert(0.0);
        *total += sign * coefficient;
        if *total == 0.0 {
            left.remove(product);
        }
    }
    left
}

fn multiplied(left: &Sum, right: &Sum) -> Option<Sum> {
    if left.len() * right.len() > 20 * MOST_TERMS {
        return None;
    }
    let mut sum = Sum::new();
    for (a, x) in left {
        for (b, y) in right {
            let product = joined(a, b);
            *sum.entry(product).or_insert(0.0) += x * y;
        }
    }
    sum.retain(|_, coefficient| *coefficient != 0.0);
    Some(sum)
}

fn joined(a: &Product, b: &Product) -> Product {
    let mut powers: BTreeMap<Atom, u32> = a.iter().copied().collect();
    for &(atom, power) in b {
        *powers.entry(atom).or_insert(0) += power;
    }
    powers.into_iter().collect()
}

/// The sum as an expression: higher degrees first, the constant last.
fn rebuilt(sum: &Sum, opaques: &Opaques) -> Formula {
    let mut terms: Vec<(&Product, f64)> = sum.iter().map(|(product, &c)| (product, c)).collect();
    let degree = |product: &Product| product.iter().map(|(_, power)| power).sum::<u32>();
    terms.sort_by(|(a, _), (b, _)| degree(b).cmp(&degree(a)).then(a.cmp(b)));
    // A sum reads better when it does not begin with a minus.
    if let Some(first) = terms.iter().position(|(_, coefficient)| *coefficient > 0.0) {
        terms[..=first].rotate_right(1);
    }
    let mut nodes: Vec<Node> = Vec::new();
    for (index, (product, coefficient)) in terms.iter().enumerate() {
        let negative = *coefficient < 0.0 && index > 0;
        let size = if negative { -coefficient } else { *coefficient };
        let term = term_nodes(product, size, opaques);
        if index > 0 {
            nodes.insert(0, if negative { Node::Subtract } else { Node::Add });
        }
        nodes.extend(term);
    }
    if nodes.is_empty() {
        nodes.push(Node::Constant(0.0));
    }
    Formula::from_nodes(nodes).unwrap_or_else(|| Formula::constant(0.0))
}

fn term_nodes(product: &Product, coefficient: f64, opaques: &Opaques) -> Vec<Node> {
    let mut factors: Vec<Vec<Node>> = Vec::new();
    if coefficient != 1.0 || product.is_empty() {
        factors.push(vec![Node::Constant(coefficient)]);
    }
    for &(atom, power) in product {
        for _ in 0..power {
            factors.push(match atom {
                Atom::Attribute(index) => vec![Node::Attribute(index)],
                Atom::Opaque(number) => opaques.0[number].nodes().to_vec(),
            });
        }
    }
    let mut nodes = vec![Node::Multiply; factors.len() - 1];
    nodes.extend(factors.concat());
    nodes
}
