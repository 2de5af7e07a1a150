//! Numbers with a point.

use crate::ctx::Ctx;
use crate::ir::Float;

impl Ctx<'_> {
    /// Evaluates a number with a point.
    pub fn float(&mut self, number: &Float) -> f32 {
        match number {
            Float::Const(n) => *n,
            Float::OfInt(n) => self.int(n) as f32,
            Float::OfBool(cond) => f32::from(u8::from(self.bool(cond))),
            Float::Unary(function, n) => function.of(self.float(n)),
            Float::Joined(op, all) => {
                let mut all = all.iter().map(|n| self.float(n));
                let first = all.next().unwrap_or(0.0);
                all.fold(first, |a, b| op.of(a, b))
            }
        }
    }
}
