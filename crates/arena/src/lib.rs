//! Matches, tournaments, their statistics and the store that keeps their results.

mod contest;
mod error;
mod seating;
pub mod stats;

pub use contest::{Contestant, MatchRecord, SeatReport, play_match};
pub use error::ArenaError;
pub use seating::{points, seatings};
