//! Matches, tournaments, statistics and the result store.
pub mod conform;
