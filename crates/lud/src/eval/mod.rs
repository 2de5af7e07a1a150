//! The general evaluator: every function of the typed form on any position.

mod angles;
mod bools;
mod connections;
mod counts;
mod directions;
mod dominoes;
pub mod fixed;
mod floats;
mod graphs;
mod groups;
pub mod ints;
mod known_groups;
mod known_steps;
mod lines;
mod lists;
mod loops;
mod nearby;
mod needs;
mod occupied;
mod paths;
mod patterns;
mod playable;
mod pyramids;
mod reach;
mod regions;
mod tiles;
mod tracks;
mod walks;

pub(crate) use known_groups::KnownGroups;
pub(crate) use known_steps::KnownSteps;
pub(crate) use nearby::expanded;
pub use reach::Reach;
