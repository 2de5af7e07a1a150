//! Games written in Rust.
