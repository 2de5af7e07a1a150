#![doc = include_str!("../README.md")]

pub mod bits;
mod choices;
pub mod conformance;
mod erased;
mod error;
mod families;
pub mod features;
mod game;
pub mod geometry;
mod info;
#[cfg(feature = "lanes")]
pub mod lanes;
pub mod memory;
mod offers;
mod perft;
#[cfg(feature = "lanes")]
pub mod planes;
mod player;
pub mod playout;
mod rectangle;
mod rng;
mod rules;
mod spread;
mod state;
mod surroundings;
mod survey;
mod trial;
mod view;

pub use choices::{Choices, Marks, Space};
pub use erased::erase;
pub use error::{GameError, closest};
pub use families::{Families, Place, Word};
pub use game::Game;
pub use geometry::{Geometry, SiteId};
pub use info::{GameInfo, Language, Machine, PlayoutKind};
pub use offers::{Course, Script, Scripts, SeenMoves};
pub use perft::{joint_moves, perft};
pub use player::{Player, PlayerSet, Players, Turn};
pub use rng::{Rng, mix};
pub use rules::{Coding, Move, Rules};
pub use state::State;
pub use survey::Survey;
pub use trial::Trial;
pub use view::{Detail, Ends, Hidden, MoveKind, Piece, SetOf, View};
