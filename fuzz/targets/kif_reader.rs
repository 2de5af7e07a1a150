//! Any text: the reader of GDL answers with rules or with reasons.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gdl/tests/drawn/mod.rs"]
mod drawn;

fuzz_target!(|text: &str| drawn::is_read(text));
