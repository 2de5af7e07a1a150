//! An expression as a list of nodes, each before its operands.

use std::fmt::Write as _;

/// One node of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// A number.
    Constant(f64),
    /// An attribute of the game, by index.
    Attribute(u16),
    /// Sum of two.
    Add,
    /// First less second.
    Subtract,
    /// Product of two.
    Multiply,
    /// First by second; 1 where the second is nearly 0.
    Divide,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// The second where the first is positive, otherwise the third.
    If,
}

impl Node {
    /// How many operands follow.
    #[inline]
    pub fn arity(self) -> usize {
        match self {
            Node::Constant(_) | Node::Attribute(_) => 0,
            Node::If => 3,
            _ => 2,
        }
    }

    /// The value of a function of its operands (the third is used by `if` alone).
    #[inline]
    pub fn apply(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Node::Constant(value) => value,
            Node::Attribute(_) => 0.0,
            Node::Add => a + b,
            Node::Subtract => a - b,
            Node::Multiply => a * b,
            Node::Divide => protected(a, b),
            Node::Min => a.min(b),
            Node::Max => a.max(b),
            Node::If => {
                if a > 0.0 {
                    b
                } else {
                    c
                }
            }
        }
    }
}

/// Division that never fails.
#[inline]
fn protected(a: f64, b: f64) -> f64 {
    if b.abs() < 1e-9 { 1.0 } else { a / b }
}

/// An expression over attributes: complete, with nothing left over.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    nodes: Vec<Node>,
}

impl Formula {
    /// An expression from its nodes, each before its operands; `None` if they do not form exactly one.
    pub fn from_nodes(nodes: Vec<Node>) -> Option<Formula> {
        let mut open = 1usize;
        for (at, node) in nodes.iter().enumerate() {
            open = open - 1 + node.arity();
            if open == 0 && at + 1 < nodes.len() {
                return None;
            }
        }
        (open == 0).then_some(Formula { nodes })
    }

    /// A single number.
    pub fn constant(value: f64) -> Formula {
        Formula { nodes: vec![Node::Constant(value)] }
    }

    /// The nodes, each before its operands.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// How many levels below the root.
    pub fn depth(&self) -> usize {
        self.depths().max().unwrap_or(0)
    }

    /// The depth of every node.
    pub(super) fn depths(&self) -> impl Iterator<Item = usize> + '_ {
        let mut waiting = vec![0];
        self.nodes.iter().map(move |node| {
            let depth = waiting.pop().unwrap_or(0);
            waiting.extend(std::iter::repeat_n(depth + 1, node.arity()));
            depth
        })
    }

    /// One past the last node of the expression that begins at `start`.
    pub(super) fn end_of(&self, start: usize) -> usize {
        let mut open = 1;
        let mut at = start;
        while open > 0 {
            open = open - 1 + self.nodes[at].arity();
            at += 1;
        }
        at
    }

    /// This expression with the part at `start` replaced.
    pub(super) fn with_part(&self, start: usize, part: &[Node]) -> Formula {
        let end = self.end_of(start);
        let nodes = [&self.nodes[..start], part, &self.nodes[end..]].concat();
        Formula { nodes }
    }

    /// The value for given attributes; `stack` is scratch memory.
    #[inline]
    pub fn value(&self, attributes: &[f32], stack: &mut Vec<f64>) -> f64 {
        // Every node adds at most one, so the stack never needs to grow on the way.
        if stack.len() < self.nodes.len() {
            stack.resize(self.nodes.len(), 0.0);
        }
        let mut height = 0;
        // From the end, operands stand on the stack before the node that takes them, the first on top.
        for &node in self.nodes.iter().rev() {
            let value = match node {
                Node::Constant(value) => value,
                Node::Attribute(index) => {
                    attributes.get(usize::from(index)).map_or(0.0, |&value| f64::from(value))
                }
                Node::If => {
                    height -= 3;
                    node.apply(stack[height + 2], stack[height + 1], stack[height])
                }
                _ => {
                    height -= 2;
                    node.apply(stack[height + 1], stack[height], 0.0)
                }
            };
            stack[height] = value;
            height += 1;
        }
        stack[0]
    }

    /// The expression as people write it; `names` are the game's attributes.
    pub fn to_text(&self, names: &[String]) -> String {
        let mut out = String::new();
        self.write(0, 0, names, &mut out);
        out
    }

    /// Writes the part at `start`, in brackets where it binds less than `binding`; returns its end.
    fn write(&self, start: usize, binding: u8, names: &[String], out: &mut String) -> usize {
        let node = self.nodes[start];
        let infix = |symbol: &str, own: u8, right: u8, out: &mut String| {
            let brackets = own < binding;
            if brackets {
                out.push('(');
            }
            let middle = self.write(start + 1, own, names, out);
            let _ = write!(out, " {symbol} ");
            let end = self.write(middle, right, names, out);
            if brackets {
                out.push(')');
            }
            end
        };
        match node {
            Node::Constant(value) if value < 0.0 && binding > 0 => {
                let _ = write!(out, "({value})");
                start + 1
            }
            Node::Constant(value) => {
                let _ = write!(out, "{value}");
                start + 1
            }
            Node::Attribute(index) => {
                out.push_str(&quoted(names.get(usize::from(index)).map_or("?", String::as_str)));
                start + 1
            }
            Node::Add => infix("+", 1, 2, out),
            Node::Subtract => infix("-", 1, 2, out),
            Node::Multiply => infix("*", 2, 3, out),
            Node::Divide => infix("/", 2, 3, out),
            Node::Min | Node::Max | Node::If => {
                out.push_str(match node {
                    Node::Min => "min(",
                    Node::Max => "max(",
                    _ => "if(",
                });
                let mut at = start + 1;
                for operand in 0..node.arity() {
                    if operand > 0 {
                        out.push_str(", ");
                    }
                    at = self.write(at, 0, names, out);
                }
                out.push(')');
                at
            }
        }
    }
}

/// A name as formulas write it: bare if it is one word, otherwise in quotes.
fn quoted(name: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let bare = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(word)
        && !["min", "max", "if"].contains(&name);
    if bare { name.to_string() } else { format!("\"{name}\"") }
}
