//! One file for each command.

pub mod agents;
pub mod auto;
pub mod bench;
pub mod check;
pub mod conform;
pub mod engine;
pub mod evaluate;
pub mod evolve;
pub mod exhibition;
pub mod experiments;
pub mod features;
pub mod games;
pub mod ggp;
pub mod improve;
pub mod info;
pub mod ludemes;
pub mod matches;
pub mod perft;
pub mod play;
pub mod referee;
pub mod replay;
pub mod serve;
pub mod show;
pub mod solve;
pub mod train;
pub mod variants;
