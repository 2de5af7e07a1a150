//! Any text: the ludeme reader answers, and what it has read prints as something that it reads as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/lud/tests/drawn/mod.rs"]
mod drawn;

fuzz_target!(|text: &str| drawn::is_read(text));
