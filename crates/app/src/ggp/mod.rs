//! A player for the GGP network protocol: the player is the HTTP server, the game manager calls.
//!
//! [`http`] moves text in and out, [`message`] understands it, [`player`] plays.

mod http;
#[cfg(test)]
mod manager_tests;
mod message;
mod player;

pub use http::serve;
pub use player::{GgpPlayer, Settings};
