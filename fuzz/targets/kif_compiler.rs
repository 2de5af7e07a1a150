//! Any text: both engines of GDL answer within their bounds, and what they compile plays for some steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex_game::Rng;

#[path = "../../crates/gdl/tests/drawn/mod.rs"]
mod drawn;

fuzz_target!(|text: &str| drawn::is_answered(text, &mut Rng::seeded(1)));
