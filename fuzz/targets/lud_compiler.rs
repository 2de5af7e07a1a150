//! Any text: reading, checking and compiling ludemes answers with a game or a message, and the game plays.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex_game::Rng;

#[path = "../../crates/lud/tests/drawn/mod.rs"]
mod drawn;

fuzz_target!(|text: &str| drawn::is_answered(text, &mut Rng::seeded(1)));
