//! Games written in Rust.

pub mod seven_wonders;
