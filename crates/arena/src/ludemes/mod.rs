//! Ludeme games in files: libraries of descriptions, recorded games, and replaying them.

pub mod advice;
pub mod convert;
pub mod coverage;
pub mod library;
mod notes;
pub mod replay;
pub mod trial;
pub mod variants;

pub use library::Defines;
pub use replay::{Mismatch, replay};
pub use trial::Trial;
