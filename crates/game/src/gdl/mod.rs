//! Games described in GDL: checked descriptions compiled to something that plays.

pub mod bounds;
mod condense;
pub mod datalog;
pub mod ground;
pub mod machine;
pub mod network;
mod pattern;
mod plan;
pub mod program;
mod saturate;
mod seats;
pub mod store;
pub mod terms;
