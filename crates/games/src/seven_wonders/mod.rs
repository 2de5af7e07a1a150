//! 7 Wonders: the base game, first edition, for three to seven players.

pub mod components;
pub mod demand;
mod reader;

pub use reader::read;
