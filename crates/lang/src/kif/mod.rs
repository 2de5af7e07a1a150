//! GDL: the Game Description Language, written in KIF.
//!
//! Four stages, one file each: [`tree`] reads brackets and atoms with their places, [`lower`]
//! turns trees into rules, [`check`] tests the restrictions that make GDL finite and
//! meaningful, and [`description`] is what comes out: interned names, roles, rules in
//! disjunctive form, ready to be grounded or evaluated. Nothing here knows how rules are run.

pub mod check;
pub mod description;
pub mod lower;
pub mod names;
mod relax;
pub mod tree;
mod unify;

pub use description::{Atom, Description, Literal, Rule, Term};
pub use names::{Keyword, Name, Names};

use crate::diagnostic::{Diagnostic, Severity, SourceId};

/// A description that passed every check, and what is worth knowing about it all the same.
#[derive(Debug)]
pub struct Checked {
    /// The rules.
    pub description: Description,
    /// Findings that do not stop the game from being played.
    pub warnings: Vec<Diagnostic>,
}

/// What to do with rules that break a restriction of GDL though their meaning can be guessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Refuse them.
    #[default]
    Strict,
    /// Play them as provers of game managers do, with a warning.
    Lenient,
}

/// Reads and checks a GDL text. On failure every finding is returned, the worst first.
pub fn read(source: SourceId, text: &str) -> Result<Checked, Vec<Diagnostic>> {
    read_as(source, text, Strictness::Strict)
}

/// The same, as strictly as asked.
pub fn read_as(
    source: SourceId,
    text: &str,
    strictness: Strictness,
) -> Result<Checked, Vec<Diagnostic>> {
    let trees = tree::read(source, text).map_err(|fault| vec![fault])?;
    check_trees(&trees, source, text.len(), strictness)
}

/// Checks rules that are already trees, as they arrive inside a message; `text_length` is that of the
/// whole source.
pub fn check_trees(
    trees: &[tree::Tree],
    source: SourceId,
    text_length: usize,
    strictness: Strictness,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let mut description = lower::lower(trees, source, text_length, &mut findings);
    if strictness == Strictness::Lenient {
        relax::relax(&mut description, &mut findings);
    }
    check::check(&description, strictness, &mut findings);
    findings.sort_by_key(|found| std::cmp::Reverse(found.severity));
    match findings.first() {
        Some(worst) if worst.severity > Severity::Warning => Err(findings),
        _ => Ok(Checked { description, warnings: findings }),
    }
}
