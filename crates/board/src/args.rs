//! Taking the arguments of a call one by one, by name or by position.

use super::BoardError;
use super::expr::{Arg, Expr, ExprKind, fault};
use crate::Place;

/// The arguments of one call, taken as they are understood; whatever is left at the end is an
/// error.
pub(super) struct Args<'a> {
    pub call: &'a str,
    pub at: Place,
    positional: Vec<&'a Expr>,
    named: Vec<(&'a str, &'a Expr)>,
    next: usize,
}

impl<'a> Args<'a> {
    pub fn new(call: &'a str, at: Place, args: &'a [Arg]) -> Self {
        let mut split = Args { call, at, positional: Vec::new(), named: Vec::new(), next: 0 };
        for arg in args {
            match &arg.name {
                Some(name) => split.named.push((name, &arg.value)),
                None => split.positional.push(&arg.value),
            }
        }
        split
    }

    /// The argument with this name, if it was given.
    pub fn named(&mut self, name: &str) -> Option<&'a Expr> {
        let at = self.named.iter().position(|(n, _)| *n == name)?;
        Some(self.named.remove(at).1)
    }

    /// The named truth value, or `otherwise`.
    pub fn flag(&mut self, name: &str, otherwise: bool) -> Result<bool, BoardError> {
        self.named(name).map_or(Ok(otherwise), Expr::boolean)
    }

    /// The next argument by position, left in place.
    pub fn peek(&self) -> Option<&'a Expr> {
        self.positional.get(self.next).copied()
    }

    /// The next argument by position.
    pub fn take(&mut self) -> Option<&'a Expr> {
        let found = self.peek()?;
        self.next += 1;
        Some(found)
    }

    /// The next argument, which must be there.
    pub fn required(&mut self, what: &str) -> Result<&'a Expr, BoardError> {
        self.take().ok_or_else(|| {
            let message = format!("`{}` needs {what}", self.call);
            fault(self.at, message)
        })
    }

    /// The next argument if it is one of the words `from_name` knows.
    pub fn word<T>(&mut self, from_name: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.peek()?.word().and_then(from_name)?;
        self.next += 1;
        Some(value)
    }

    /// The next argument if it is a list of other things than boards.
    pub fn list(&mut self) -> Option<&'a [Expr]> {
        let list = self.peek()?.list()?;
        self.next += 1;
        Some(list)
    }

    /// The next argument if it is a call of this name.
    pub fn call_of(&mut self, wanted: &str) -> Option<&'a Expr> {
        match &self.peek()?.kind {
            ExprKind::Call { name, .. } if name == wanted => self.take(),
            _ => None,
        }
    }

    /// The next argument as a whole number, which must be there.
    pub fn int(&mut self, what: &str) -> Result<i32, BoardError> {
        self.required(what)?.int()
    }

    /// The next argument if it is a number.
    pub fn optional_int(&mut self) -> Result<Option<i32>, BoardError> {
        match self.peek() {
            Some(next) if next.is_number() => {
                self.next += 1;
                next.int().map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The next argument if it is a number, as a coordinate.
    pub fn optional_float(&mut self) -> Result<Option<f64>, BoardError> {
        match self.peek() {
            Some(next) if next.is_number() => {
                self.next += 1;
                next.float().map(|v| Some(f64::from(v)))
            }
            _ => Ok(None),
        }
    }

    /// Everything must have been understood.
    pub fn finish(self) -> Result<(), BoardError> {
        if let Some((name, value)) = self.named.first() {
            let message = format!("`{}` has no argument `{name}:`", self.call);
            return Err(fault(value.at, message));
        }
        match self.peek() {
            Some(extra) => {
                let message = format!("`{}` cannot use {}", self.call, extra.describe());
                Err(fault(extra.at, message))
            }
            None => Ok(()),
        }
    }
}
