//! Geometric features as players use them: sets with weights, from text to what a playout asks.

pub mod learn;
mod set;

pub use set::{FeatureSet, Weighted, pattern};
