#![doc = include_str!("../README.md")]

pub mod bits;
mod choices;
pub mod conformance;
mod error;
mod families;
pub mod features;
mod game;
pub mod geometry;
pub mod lanes;
mod perft;
pub mod planes;
mod player;
pub mod playout;
mod rectangle;
mod rng;
mod rules;
mod survey;
mod trial;
mod view;

pub use choices::{Choices, Marks, Space};
pub use error::{GameError, closest};
pub use families::{Families, Place, Word};
pub use game::{Game, State, erase};
pub use geometry::{Geometry, SiteId};
pub use perft::{joint_moves, perft};
pub use player::{Player, PlayerSet, Players, Turn};
pub use rng::{Rng, mix};
pub use rules::{Coding, GameInfo, Move, Rules, Script};
pub use survey::Survey;
pub use trial::Trial;
pub use view::{Detail, Ends, Hidden, MoveKind, Piece, SetOf, View};
