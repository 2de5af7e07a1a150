//! A position and a budget to a choice with its evidence.

pub mod agent;
pub mod evaluation;
pub mod evolve;
pub mod expectimax;
pub mod features;
pub mod guided;
pub mod levels;
pub mod minimax;
pub mod moment;
pub mod openings;
pub mod policy;
pub mod pondering;
pub mod scripted;
pub mod search;
pub mod spec;
pub mod survey;
pub mod timing;
