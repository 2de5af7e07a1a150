#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (ludex_laws::law("lud_edits").holds)(bytes));
