//! A formula's values for many positions at once: every node is looked at once for a whole block of
//! positions, and the block's numbers are worked out side by side.

use super::formula::{Formula, Node};

/// Positions in a block: enough to make looking at a node cheap, few enough to stay in the cache.
const BLOCK: usize = 16;

type Block = [f64; BLOCK];

/// Attributes of positions that await their values.
#[derive(Clone, Debug)]
pub struct Batch {
    attributes: usize,
    len: usize,
    /// For each block, for each attribute, one number a position.
    columns: Vec<[f32; BLOCK]>,
    stack: Vec<Block>,
}

impl Batch {
    /// No positions yet, of a game with so many attributes.
    pub fn new(attributes: usize) -> Batch {
        Batch { attributes, len: 0, columns: Vec::new(), stack: Vec::new() }
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a position.
    pub fn push(&mut self, attributes: &[f32]) {
        let (block, lane) = (self.len / BLOCK, self.len % BLOCK);
        let end = (block + 1) * self.attributes;
        if self.columns.len() < end {
            self.columns.resize(end, [0.0; BLOCK]);
        }
        let columns = &mut self.columns[block * self.attributes..end];
        for (column, &value) in columns.iter_mut().zip(attributes) {
            column[lane] = value;
        }
        self.len += 1;
    }

    /// Hands out every position's value, in the order they were added.
    pub fn values(&mut self, formula: &Formula, mut take: impl FnMut(usize, f64)) {
        let nodes = formula.nodes();
        if self.stack.len() < nodes.len() {
            self.stack.resize(nodes.len(), [0.0; BLOCK]);
        }
        for first in (0..self.len).step_by(BLOCK) {
            let block = first / BLOCK;
            let columns = &self.columns[block * self.attributes..(block + 1) * self.attributes];
            let values = block_values(nodes, columns, &mut self.stack);
            for (lane, &value) in values.iter().enumerate().take(self.len - first) {
                take(first + lane, value);
            }
        }
    }
}

/// The same walk as [`Formula::value`], with a block for every number.
fn block_values<'a>(nodes: &[Node], columns: &[[f32; BLOCK]], stack: &'a mut [Block]) -> &'a Block {
    let mut height = 0;
    for &node in nodes.iter().rev() {
        match node {
            Node::Constant(value) => stack[height] = [value; BLOCK],
            Node::Attribute(index) => {
                let column = columns.get(usize::from(index)).unwrap_or(&[0.0; BLOCK]);
                stack[height] = column.map(f64::from);
            }
            Node::If => {
                height -= 3;
                let [c, b, a] = &mut stack[height..height + 3] else { unreachable!() };
                for lane in 0..BLOCK {
                    c[lane] = node.apply(a[lane], b[lane], c[lane]);
                }
            }
            Node::Add => combine(stack, &mut height, |a, b| a + b),
            Node::Subtract => combine(stack, &mut height, |a, b| a - b),
            Node::Multiply => combine(stack, &mut height, |a, b| a * b),
            _ => combine(stack, &mut height, |a, b| node.apply(a, b, 0.0)),
        }
        height += 1;
    }
    &stack[0]
}

/// Puts the function of the two topmost blocks in place of the lower one.
#[inline(always)]
fn combine(stack: &mut [Block], height: &mut usize, function: impl Fn(f64, f64) -> f64) {
    *height -= 2;
    let (below, above) = stack.split_at_mut(*height + 1);
    let (b, a) = (&mut below[*height], &above[0]);
    for lane in 0..BLOCK {
        b[lane] = function(a[lane], b[lane]);
    }
}
