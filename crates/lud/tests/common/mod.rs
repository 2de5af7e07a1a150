//! The games that come with the program, in their general form.

use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{Library, read};
use ludex_lud::{Ludemes, compile};
use std::path::PathBuf;

/// Where their descriptions are.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games/lud")
}

/// One of them with these options.
pub fn general(name: &str, options: &[String]) -> Ludemes {
    let text = std::fs::read_to_string(folder().join(format!("{name}.lud"))).expect("readable");
    let description = read(&text, SourceId(0), &Library::default(), options).expect("readable");
    Ludemes::new(compile(&description).expect("compiles")).expect("playable")
}
