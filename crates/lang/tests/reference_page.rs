//! The reference page in the documentation is what the table of ludemes says. When it is stale,
//! `ludex ludemes --markdown > docs/ludemes.md` writes it anew.

use expect_test::expect_file;
use ludex_lang::lud::reference;

#[test]
fn the_page_is_not_stale() {
    expect_file!["../../../docs/ludemes.md"].assert_eq(&reference::page());
}
