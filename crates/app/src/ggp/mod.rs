//! A player for the GGP network protocol: the player is the HTTP server, the game manager calls.
//!
//! [`http`] moves text in and out, [`message`] understands it, [`player`] watches the clock,
//! [`workshop`] compiles, [`thinker`] thinks on a thread of its own, [`contest`] knows the position.

mod contest;
mod http;
mod limit;
#[cfg(test)]
mod manager_tests;
mod message;
mod player;
mod thinker;
mod workshop;

pub use http::serve;
pub use player::{GgpPlayer, Settings};
