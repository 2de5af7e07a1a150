//! Formulas from text.

use super::formula::{Formula, Node};
use ludex_game::closest;

/// Why a text is not a formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// Something else was expected.
    #[error("expected {expected} at column {column} of the formula")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// Where, from 1.
        column: usize,
    },
    /// A name the game does not have.
    #[error("`{name}` is not an attribute of this game{}", suggestion(.closest))]
    UnknownAttribute {
        /// The name given.
        name: String,
        /// The name that was probably meant.
        closest: Option<String>,
    },
    /// Nested too deeply or too long to be evaluated with bounded memory.
    #[error("the formula is nested too deeply")]
    TooDeep,
}

fn suggestion(closest: &Option<String>) -> String {
    closest.as_ref().map_or(String::new(), |name| format!(", did you mean `{name}`?"))
}

const DEEPEST: usize = 500;

impl Formula {
    /// Reads what [`Formula::to_text`] writes, and other ways to write the same.
    pub fn parse(text: &str, names: &[String]) -> Result<Formula, FormulaError> {
        let mut reader = Reader { text, at: 0, names, depth: 0 };
        let nodes = reader.sum()?;
        reader.skip_blanks();
        if reader.at < text.len() {
            return Err(reader.expected("the end"));
        }
        Formula::from_nodes(nodes).ok_or(FormulaError::TooDeep)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    names: &'a [String],
    depth: usize,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn need(&mut self, wanted: char, expected: &'static str) -> Result<(), FormulaError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn expected(&self, expected: &'static str) -> FormulaError {
        FormulaError::Expected { expected, column: self.text[..self.at].chars().count() + 1 }
    }

    fn sum(&mut self) -> Result<Vec<Node>, FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(FormulaError::TooDeep);
        }
        let mut left = self.product()?;
        loop {
            let node = match self.peek() {
                Some('+') => Node::Add,
                Some('-') => Node::Subtract,
                _ => break,
            };
            self.at += 1;
            let right = self.product()?;
            left = joined(node, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Vec<Node>, FormulaError> {
        let mut left = self.factor()?;
        loop {
            let node = match self.peek() {
                Some('*') => Node::Multiply,
                Some('/') => Node::Divide,
                _ => break,
            };
            self.at += 1;
            let right = self.factor()?;
            left = joined(node, left, right);
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Vec<Node>, FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inside = self.sum()?;
                self.need(')', "`)`")?;
                Ok(inside)
            }
            Some('-') => {
                self.at += 1;
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(FormulaError::TooDeep);
                }
                let inside = self.factor()?;
                self.depth -= 1;
                Ok(match inside[..] {
                    [Node::Constant(value)] => vec![Node::Constant(-value)],
                    _ => joined(Node::Subtract, vec![Node::Constant(0.0)], inside),
                })
            }
            Some('"') => {
                self.at += 1;
                let rest = &self.text[self.at..];
                let Some(end) = rest.find('"') else { return Err(self.expected("`\"`")) };
                self.at += end + 1;
                self.attribute(&rest[..end])
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.word(),
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn number(&mut self) -> Result<Vec<Node>, FormulaError> {
        let rest = &self.text[self.at..];
        let mut end = 0;
        let mut last = ' ';
        for c in rest.chars() {
            let exponent_sign = (c == '-' || c == '+') && last == 'e';
            if !(c.is_ascii_digit() || c == '.' || c == 'e' || exponent_sign) {
                break;
            }
            end += 1;
            last = c;
        }
        match rest[..end].parse() {
            Ok(value) => {
                self.at += end;
                Ok(vec![Node::Constant(value)])
            }
            Err(_) => Err(self.expected("a number")),
        }
    }

    fn word(&mut self) -> Result<Vec<Node>, FormulaError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        self.at += end;
        let node = match word {
            "min" => Node::Min,
            "max" => Node::Max,
            "if" => Node::If,
            name => return self.attribute(name),
        };
        self.need('(', "`(`")?;
        let mut nodes = vec![node];
        for operand in 0..node.arity() {
            if operand > 0 {
                self.need(',', "`,`")?;
            }
            nodes.extend(self.sum()?);
        }
        self.need(')', "`)`")?;
        Ok(nodes)
    }

    fn attribute(&self, name: &str) -> Result<Vec<Node>, FormulaError> {
        match self.names.iter().position(|known| known == name) {
            Some(index) => Ok(vec![Node::Attribute(index as u16)]),
            None => Err(FormulaError::UnknownAttribute {
                name: name.to_string(),
                closest: closest(name, self.names.iter().map(String::as_str)).map(str::to_string),
            }),
        }
    }
}

fn joined(node: Node, left: Vec<Node>, right: Vec<Node>) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(left.len() + right.len() + 1);
    nodes.push(node);
    nodes.extend(left);
    nodes.extend(right);
    nodes
}
