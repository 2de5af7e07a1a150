//! A player for the GGP network protocol: the player is the HTTP server, the game manager calls.
//!
//! ```text
//! request ─▶ player ─▶ keeper ─▶ thinker
//!   (http)   (clock)   (position)  (search)      workshop: rules to games, beside it all
//! ```
//!
//! [`http`] moves text in and out and [`message`] understands it. [`player`] is the guard: it waits for a
//! match's answer and says, when the clock demands it, whatever is known by then. Each match has a
//! [`keeper`] on a thread of its own, which knows the position ([`contest`]) and has a legal move within
//! milliseconds, at first by the rules themselves and by a network once [`workshop`] has made one; and a
//! [`thinker`] on another, which may be as slow as it likes. A network that comes during a match is brought to its position
//! beside all that ([`catch_up`]).

mod catch_up;
mod contest;
mod http;
mod keeper;
#[cfg(test)]
mod manager_tests;
mod margin;
pub mod message;
mod player;
mod thinker;
mod workshop;

pub use http::{router, serve};
pub use player::{GgpPlayer, Settings};
