#![doc = include_str!("../README.md")]

pub mod bits;
pub mod board;
pub mod conformance;
mod error;
mod game;
pub mod gdl;
pub mod lud;
mod perft;
mod player;
pub mod playout;
mod rng;
mod rules;
mod trial;

pub use ludex_lang::diagnostic;

pub use error::{GameError, closest};
pub use game::{Game, State, erase};
pub use perft::{joint_moves, perft};
pub use player::{Player, PlayerSet, Players, Turn};
pub use rng::{Rng, mix};
pub use rules::{Coding, GameInfo, Listing, Move, Rules, Script};
pub use trial::Trial;
