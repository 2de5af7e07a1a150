//! GDL run directly: rules evaluated bottom-up for each position, for games that do not ground.
//!
//! A position owns its facts in a form that needs no table of terms; a [`workspace`] holds the
//! compiled joins, the indexes and the facts that never change. Workspaces are lent out one to
//! each caller, so threads never wait for each other's evaluation.

mod codes;
mod demand;
mod encode;
mod rules;
mod stages;
mod workspace;

pub use rules::DatalogRules;
