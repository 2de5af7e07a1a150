//! One file for each command.

pub mod bench;
pub mod games;
pub mod info;
pub mod perft;
pub mod play;
