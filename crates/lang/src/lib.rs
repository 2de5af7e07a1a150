//! Text of a game to a checked description.

pub mod diagnostic;
pub mod kif;
pub mod lud;
