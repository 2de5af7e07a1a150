//! The reference page in the documentation is what the table of ludemes says.

use ludex_lang::lud::reference;
use std::path::Path;

#[test]
fn the_page_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ludemes.md");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let same = written.replace("\r\n", "\n") == reference::page();
    assert!(same, "docs/ludemes.md is stale: run `ludex ludemes --markdown > docs/ludemes.md`");
}
