//! Any text: an experiment file is read or refused with a place in the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex_arena::experiment::Experiment;

fuzz_target!(|text: &str| {
    if let Err(fault) = Experiment::read("drawn.toml", text) {
        assert!(fault.to_string().contains("drawn.toml"), "{fault}");
    }
});
