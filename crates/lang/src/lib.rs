//! Text of a game, or of features of its moves, to a checked description.

pub mod diagnostic;
pub mod features;
pub mod kif;
pub mod lud;
