//! Lowering of numbers with a point.

use super::{Args, Lower, Lowered};
use crate::ir::{Float, FloatFunction, FloatOp};
use ludex_lang::lud::check::{Argument, Value};

impl Lower<'_> {
    /// A number with a point.
    pub(super) fn float(&mut self, argument: &Argument) -> Lowered<Float> {
        match &argument.value {
            Value::Float(n) => Ok(Float::Const(*n as f32)),
            Value::Int(n) => Ok(Float::Const(*n as f32)),
            _ => {
                let args = self.call_of(argument)?;
                let float = self.float_call(&args)?;
                self.done(&args)?;
                Ok(float)
            }
        }
    }

    fn float_call(&mut self, args: &Args<'_>) -> Lowered<Float> {
        use FloatFunction as F;
        use FloatOp as Op;
        match args.key() {
            "toFloat" => match (args.get("bool"), args.get("int")) {
                (Some(cond), _) => Ok(Float::OfBool(Box::new(self.bool(cond)?))),
                (None, Some(n)) => Ok(Float::OfInt(Box::new(self.int(n)?))),
                (None, None) => self.unknown(args),
            },
            "abs" => self.unary(args, F::Abs),
            "sqrt" => self.unary(args, F::Sqrt),
            "sin" => self.unary(args, F::Sin),
            "cos" => self.unary(args, F::Cos),
            "tan" => self.unary(args, F::Tan),
            "exp" => self.unary(args, F::Exp),
            "log" => self.unary(args, F::Log),
            "log10" => self.unary(args, F::Log10),
            "+" => self.joined(args, Op::Add),
            "-" => self.joined(args, Op::Sub),
            "*" => self.joined(args, Op::Mul),
            "/" => self.joined(args, Op::Div),
            "^" => self.joined(args, Op::Pow),
            "max" => self.joined(args, Op::Max),
            "min" => self.joined(args, Op::Min),
            _ => self.unknown(args),
        }
    }

    fn unary(&mut self, args: &Args<'_>, function: FloatFunction) -> Lowered<Float> {
        let n = self.need(args, args.call.row.parameters[0].name)?;
        Ok(Float::Unary(function, Box::new(self.float(n)?)))
    }

    fn joined(&mut self, args: &Args<'_>, op: FloatOp) -> Lowered<Float> {
        let items: Vec<&Argument> = match args.has("list") {
            true => self.items(args, "list").iter().collect(),
            false => args.call.row.parameters.iter().filter_map(|p| args.get(p.name)).collect(),
        };
        let all: Lowered<Vec<Float>> = items.into_iter().map(|item| self.float(item)).collect();
        Ok(Float::Joined(op, all?))
    }
}
