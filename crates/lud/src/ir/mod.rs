//! The compact typed form of a game's rules: what lowering produces and the evaluator runs.

mod conditions;
mod course;
mod directions;
mod effects;
mod floats;
mod moves;
mod numbers;
mod players;
mod puzzle;
mod regions;
mod travel;
pub mod visit;

pub use conditions::*;
pub use course::*;
pub use directions::*;
pub use effects::*;
pub use floats::*;
pub use moves::*;
pub use numbers::*;
pub use players::*;
pub use puzzle::*;
pub use regions::*;
pub use travel::*;
