#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (ludex_laws::law("ggp_messages").holds)(bytes));
