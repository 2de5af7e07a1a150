//! The general evaluator: every function of the typed form on any position.

mod bools;
mod directions;
mod groups;
pub(in crate::lud) mod ints;
mod lines;
mod regions;
mod walks;
