//! A position and a budget to a choice with its evidence.

pub mod policy;
