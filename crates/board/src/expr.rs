//! Boards from a tree of names and numbers, such as `(merge (square 5) (shift 0 4 (wedge 3)))`.
//!
//! The tree is the smallest that can hold such a description, so that any reader can make one; the
//! places come back in errors.

use crate::{BoardError, Place};

/// A node of a description.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where it was written.
    pub at: Place,
    /// What it is.
    pub kind: ExprKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Number(f64),
    /// A bare word, such as `Alternating` or `True`.
    Word(String),
    /// A text in quotes.
    Text(String),
    /// A list in braces.
    List(Vec<Expr>),
    /// A name with arguments, in brackets.
    Call {
        /// The name.
        name: String,
        /// What follows it.
        args: Vec<Arg>,
    },
}

/// An argument, with its name if it was given one.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The name before the colon.
    pub name: Option<String>,
    /// The value.
    pub value: Expr,
}

pub(super) fn fault(at: Place, message: impl Into<String>) -> BoardError {
    BoardError::Argument { message: message.into(), at }
}

impl Expr {
    /// A few words for messages: what kind of thing this is.
    pub fn describe(&self) -> String {
        match &self.kind {
            ExprKind::Number(n) => format!("the number {n}"),
            ExprKind::Word(word) => format!("`{word}`"),
            ExprKind::Text(_) => "a text".to_string(),
            ExprKind::List(_) => "a list".to_string(),
            ExprKind::Call { name, .. } => format!("`({name} …)`"),
        }
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Expr]> {
        match &self.kind {
            ExprKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// Whether this can be a number: a literal or arithmetic.
    pub fn is_number(&self) -> bool {
        match &self.kind {
            ExprKind::Number(_) => true,
            ExprKind::Call { name, .. } => operator(name).is_some(),
            _ => false,
        }
    }

    /// Value as a whole number; divisions round towards zero.
    pub fn int(&self) -> Result<i32, BoardError> {
        match &self.kind {
            ExprKind::Number(n) if n.fract() == 0.0 && n.abs() < 1e9 => Ok(*n as i32),
            ExprKind::Number(n) => {
                Err(fault(self.at, format!("expected a whole number, found {n}")))
            }
            ExprKind::Call { name, args } => {
                let values = self.operands(name, args, Expr::int)?;
                int_arithmetic(name, &values)
                    .ok_or_else(|| fault(self.at, format!("`{name}` has no value here")))
            }
            _ => Err(fault(self.at, format!("expected a whole number, found {}", self.describe()))),
        }
    }

    /// Value as a number of single precision, as coordinates are given.
    pub fn float(&self) -> Result<f32, BoardError> {
        match &self.kind {
            ExprKind::Number(n) if n.abs() < 1e9 => Ok(*n as f32),
            ExprKind::Number(_) => Err(fault(self.at, "this number is too large")),
            ExprKind::Call { name, args } => {
                let values = self.operands(name, args, Expr::float)?;
                float_arithmetic(name, &values)
                    .filter(|v| v.is_finite())
                    .ok_or_else(|| fault(self.at, format!("`{name}` has no value here")))
            }
            _ => Err(fault(self.at, format!("expected a number, found {}", self.describe()))),
        }
    }

    /// Truth value.
    pub fn boolean(&self) -> Result<bool, BoardError> {
        match self.word() {
            Some("True" | "true") => Ok(true),
            Some("False" | "false") => Ok(false),
            _ => Err(fault(self.at, format!("expected True or False, found {}", self.describe()))),
        }
    }

    fn operands<T>(
        &self,
        name: &str,
        args: &[Arg],
        value: impl Fn(&Expr) -> Result<T, BoardError>,
    ) -> Result<Vec<T>, BoardError> {
        if operator(name).is_none() {
            let message = format!("expected a number, found {}", self.describe());
            return Err(fault(self.at, message));
        }
        let one_list = match args {
            [only] => only.value.list(),
            _ => None,
        };
        match one_list {
            Some(items) => items.iter().map(value).collect(),
            None => args.iter().map(|a| value(&a.value)).collect(),
        }
    }
}

fn operator(name: &str) -> Option<()> {
    const NAMES: [&str; 12] =
        ["+", "-", "*", "/", "^", "%", "min", "max", "abs", "sqrt", "sin", "cos"];
    NAMES.contains(&name).then_some(())
}

fn int_arithmetic(name: &str, values: &[i32]) -> Option<i32> {
    match (name, values) {
        ("+", values) => values.iter().try_fold(0, |sum: i32, &v| sum.checked_add(v)),
        ("*", values) => values.iter().try_fold(1, |product: i32, &v| product.checked_mul(v)),
        ("-", &[a]) => a.checked_neg(),
        ("-", &[a, b]) => a.checked_sub(b),
        ("/", &[a, b]) => a.checked_div(b),
        ("%", &[a, b]) => a.checked_rem(b),
        ("^", &[a, b]) => a.checked_pow(u32::try_from(b).ok()?),
        ("min", values) => values.iter().copied().min(),
        ("max", values) => values.iter().copied().max(),
        ("abs", &[a]) => a.checked_abs(),
        _ => None,
    }
}

fn float_arithmetic(name: &str, values: &[f32]) -> Option<f32> {
    Some(match (name, values) {
        ("+", values) => values.iter().sum(),
        ("*", values) => values.iter().product(),
        ("-", &[a]) => -a,
        ("-", &[a, b]) => a - b,
        ("/", &[a, b]) => a / b,
        ("%", &[a, b]) => a % b,
        ("^", &[a, b]) => f64::from(a).powf(f64::from(b)) as f32,
        ("min", values) => values.iter().copied().reduce(f32::min)?,
        ("max", values) => values.iter().copied().reduce(f32::max)?,
        ("abs", &[a]) => a.abs(),
        ("sqrt", &[a]) => f64::from(a).sqrt() as f32,
        ("sin", &[a]) => f64::from(a).sin() as f32,
        ("cos", &[a]) => f64::from(a).cos() as f32,
        _ => return None,
    })
}
