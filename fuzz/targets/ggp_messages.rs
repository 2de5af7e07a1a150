//! Any text: a message of the GGP protocol is understood or not, its rules read or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex_lang::kif::Strictness;
use ludex_web::ggp::message::{glance, read_moves, read_rules};

fuzz_target!(|text: &str| {
    let _ = (glance(text), read_moves(text));
    for strictness in [Strictness::Strict, Strictness::Lenient] {
        if let Err(faults) = read_rules(text, strictness) {
            assert!(!faults.is_empty(), "refused without a reason");
        }
    }
});
