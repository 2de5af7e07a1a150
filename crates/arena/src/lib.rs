//! Matches, tournaments, their statistics and the store that keeps their results.

pub mod auto;
pub mod catalog;
pub mod conform;
mod contest;
pub mod course;
pub mod engine;
mod error;
pub mod evolve;
pub mod experiment;
pub mod features;
pub mod ludemes;
pub mod report;
pub mod same;
mod seating;
mod series;
pub mod stats;
mod thought;
pub mod train;

pub use contest::{Contestant, Forfeit, MatchRecord, SeatReport, play_match, play_match_within};
pub use error::ArenaError;
pub use seating::{points, seatings};
pub use series::{Series, match_seed};
pub use thought::Thought;
