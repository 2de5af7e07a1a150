//! Our own descriptions with words moved, doubled and taken out, as the input's bytes choose: the same as
//! `lud_compiler`, past the reader more often.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ludex_game::Rng;

#[path = "../../crates/lud/tests/drawn/mod.rs"]
mod drawn;

static CORPUS: LazyLock<Vec<String>> =
    LazyLock::new(|| drawn::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/lud")));

fuzz_target!(|bytes: &[u8]| {
    let text = drawn::mutants::text(&mut drawn::Bytes(bytes), &CORPUS);
    drawn::is_answered(&text, &mut Rng::seeded(bytes.len() as u64));
});
