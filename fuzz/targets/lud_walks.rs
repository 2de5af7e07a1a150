//! Rules drawn from the table of ludemes, as the input's bytes choose: the kernel, where there is one, walks
//! beside the general evaluator and shows the same at every step.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/lud/tests/drawn/mod.rs"]
mod drawn;

fuzz_target!(|bytes: &[u8]| {
    let text = drawn::rules::description(&mut drawn::Bytes(bytes));
    drawn::plays_alike(&text, bytes.len() as u64);
});
