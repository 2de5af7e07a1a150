//! One file for each command.

pub mod bench;
pub mod check;
pub mod conform;
pub mod evolve;
pub mod exhibition;
pub mod experiments;
pub mod games;
pub mod ggp;
pub mod info;
pub mod ludemes;
pub mod matches;
pub mod perft;
pub mod play;
pub mod replay;
pub mod solve;
pub mod variants;
