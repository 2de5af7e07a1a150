//! Games described in GDL: checked descriptions compiled to something that plays.
//!
//! ```text
//! description ─ condense ─▶ program ─ saturate ─▶ ground ─▶ network ─ passes ─▶ flat arrays
//!            └──────────────────────────────────────────▶ datalog (rules run directly)
//! ```
//!
//! Both engines fulfil the contract and answer GDL's own questions ([`machine`]); nothing outside
//! this folder knows which one runs. Bounds are counted work, never time.

mod attributes;
mod bounds;
mod compile;
mod condense;
mod datalog;
mod ground;
mod machine;
mod network;
mod pattern;
mod plan;
mod program;
mod saturate;
mod seats;
mod sites;
mod store;
mod terms;

pub use bounds::{Bounds, Cancel};
pub use compile::{Compiled, Engine, compile};
pub use machine::Machine;
