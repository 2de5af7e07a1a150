//! Geometric features: files of them, and checking them against what Ludii's mean.

pub mod conform;
mod data;
