//! Numbers with a point: payoffs and probabilities.

use super::{Bool, Int};

/// A number with a point, as exact as the reference has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Float {
    /// Always the same.
    Const(f32),
    /// `(toFloat n)`.
    OfInt(Box<Int>),
    /// `(toFloat cond)`.
    OfBool(Box<Bool>),
    /// A function of one number.
    Unary(FloatFunction, Box<Float>),
    /// Several numbers brought together, from left to right.
    Joined(FloatOp, Vec<Float>),
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the ludeme of the same name")]
pub enum FloatFunction {
    Abs,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Exp,
    Log,
    Log10,
}

/// Ways to bring numbers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the ludeme of the same name")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Max,
    Min,
}

impl FloatFunction {
    /// Its value, worked out with more digits than are kept.
    pub fn of(self, n: f32) -> f32 {
        let wide = f64::from(n);
        let value = match self {
            FloatFunction::Abs => wide.abs(),
            FloatFunction::Sqrt => wide.sqrt(),
            FloatFunction::Sin => wide.sin(),
            FloatFunction::Cos => wide.cos(),
            FloatFunction::Tan => wide.tan(),
            FloatFunction::Exp => wide.exp(),
            FloatFunction::Log => wide.ln(),
            FloatFunction::Log10 => wide.log10(),
        };
        value as f32
    }
}

impl FloatOp {
    /// The value of two numbers.
    pub fn of(self, a: f32, b: f32) -> f32 {
        match self {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
            FloatOp::Pow => f64::from(a).powf(f64::from(b)) as f32,
            FloatOp::Max => a.max(b),
            FloatOp::Min => a.min(b),
        }
    }
}
