//! Geometric features as players use them: sets with weights, from text to what a playout asks.

mod set;

pub use set::{FeatureSet, Weighted, pattern};
