//! Everything that speaks HTTP: one server with its limits ([`server`]), on it the page ([`page`]) and the player
//! for the GGP protocol ([`ggp`]), and a game manager that calls such players ([`referee`]).
//!
//! The server decides how long anybody may keep it waiting; the player watches the clocks of its
//! matches; moves are decided in `ludex-play` and nowhere here.

pub mod ggp;
pub mod page;
pub mod referee;
pub mod server;
