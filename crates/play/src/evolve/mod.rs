//! Genetic programming: evaluations that grow out of a game's own attributes.
//!
//! A [`Formula`] is an expression over the numbers a game names ([`ludex_game::Rules::attributes`]).
//! [`Evolution`] breeds them; whoever runs it is asked for fitness and tells it back, so that nothing
//! here plays games, keeps time or writes files, and a run can stop and go on at any birth.

mod batch;
mod config;
mod evolution;
mod formula;
mod parse;
mod polynomial;
mod random;
mod vary;

pub use batch::Batch;
pub use config::{Config, MutationRate, Operators, Replacement, Scheme};
pub use evolution::{Evolution, Individual, Judged, Past};
pub use formula::{Formula, Node};
pub use parse::FormulaError;
