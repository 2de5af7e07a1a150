//! Matches, tournaments, statistics and the result store.
