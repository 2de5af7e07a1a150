//! Geometric features as players use them: sets with weights, from text to what a playout asks.

pub mod learn;
mod set;
mod words;

pub use set::{FeatureSet, Weighted, pattern};
pub use words::{Names, Strategy, sentence, strategies};
