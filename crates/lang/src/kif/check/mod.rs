//! The restrictions that make a GDL text a game, one per file.

mod arity;
mod keywords;
mod presence;
mod recursion;
mod relations;
mod safety;
mod stratification;

pub use relations::Relations;

use super::description::Description;
use crate::diagnostic::Diagnostic;

/// Tests every restriction and reports what it finds.
pub fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    presence::check(description, findings);
    keywords::check(description, findings);
    arity::check(description, findings);
    safety::check(description, findings);
    let relations = Relations::new(description);
    stratification::check(description, &relations, findings);
    recursion::check(description, &relations, findings);
}
