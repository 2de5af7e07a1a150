//! Evolving evaluations: fitness by matches, runs that survive being stopped, formulas in files.

mod file;
mod run;
mod training;

pub use file::{FormulaFile, with_formula};
pub(crate) use file::{fault, read, write_whole};
pub use run::{Progress, Run};
pub use training::{Plan, Training};
