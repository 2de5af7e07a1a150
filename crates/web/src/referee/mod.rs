//! A game manager of the GGP protocol: any players, any number of roles, clocks, and what the protocol says
//! about moves that are illegal or late.
//!
//! [`call`] asks one player one thing, [`rules`] knows what is legal, [`game`] runs one match, [`record`]
//! writes it down, [`tournament`] runs many.

mod call;
mod game;
mod record;
mod rules;
mod tournament;

pub use call::{Failure, ask};
pub use game::{Clocks, Fault, MatchReport, Seat};
pub use record::{ggp_json, trial};
pub use rules::{RefereeError, Ruled};
pub use tournament::{Contestant, Event, Tournament};
