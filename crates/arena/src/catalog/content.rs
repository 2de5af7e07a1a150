//! What the rules of a game are, whatever file they come from and whatever they are called.

use std::fmt::{self, Write as _};

use ludex_lang::kif::tree::Tree;
use sha2::{Digest, Sha256};

/// A short hash of rules with their options. Results are kept under it: who edits a rules file gets new
/// results, and who moves or renames one keeps the old.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RulesKey(String);

impl RulesKey {
    /// The key of a text.
    pub fn of(text: &str) -> RulesKey {
        let hash = Sha256::digest(text.as_bytes());
        RulesKey(hash[..8].iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }))
    }
}

impl fmt::Display for RulesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// GDL as one line, without comments and blanks that mean nothing.
pub(super) fn plain(trees: &[Tree]) -> String {
    let mut out = String::new();
    trees.iter().for_each(|tree| write_tree(tree, &mut out));
    out
}

fn write_tree(tree: &Tree, out: &mut String) {
    match tree {
        Tree::Atom(word, _) => out.extend([word, " "]),
        Tree::List(items, _) => {
            out.push('(');
            items.iter().for_each(|item| write_tree(item, out));
            out.push(')');
        }
    }
}
