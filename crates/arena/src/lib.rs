//! Matches, tournaments, their statistics and the store that keeps their results.

pub mod catalog;
#[cfg(feature = "matches")]
pub mod conform;
#[cfg(feature = "matches")]
mod contest;
#[cfg(feature = "matches")]
pub mod course;
#[cfg(feature = "matches")]
pub mod engine;
mod error;
#[cfg(feature = "matches")]
pub mod evolve;
#[cfg(feature = "matches")]
pub mod experiment;
#[cfg(feature = "matches")]
pub mod features;
pub mod ludemes;
#[cfg(feature = "matches")]
pub mod report;
#[cfg(feature = "matches")]
pub mod same;
#[cfg(feature = "matches")]
mod seating;
#[cfg(feature = "matches")]
mod series;
pub mod stats;
#[cfg(feature = "matches")]
mod thought;
#[cfg(feature = "matches")]
pub mod train;

#[cfg(feature = "matches")]
pub use contest::{Contestant, Forfeit, MatchRecord, SeatReport, play_match, play_match_within};
pub use error::ArenaError;
#[cfg(feature = "matches")]
pub use seating::{points, seatings};
#[cfg(feature = "matches")]
pub use series::{Series, match_seed};
#[cfg(feature = "matches")]
pub use thought::Thought;
