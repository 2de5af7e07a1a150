//! The general evaluator: every function of the typed form on any position.

mod bools;
mod connections;
mod counts;
mod directions;
pub(in crate::lud) mod fixed;
mod groups;
pub(in crate::lud) mod ints;
mod lines;
mod lists;
mod loops;
mod patterns;
mod pyramids;
mod regions;
mod tracks;
mod walks;
