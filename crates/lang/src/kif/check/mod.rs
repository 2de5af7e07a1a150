//! The restrictions that make a GDL text a game, one per file.

mod arity;
mod keywords;
mod presence;
mod recursion;
mod safety;
mod strata;
mod stratification;

pub use strata::Strata;

use super::description::Description;
use crate::diagnostic::Diagnostic;

/// Tests every restriction and reports what it finds.
pub fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    presence::check(description, findings);
    keywords::check(description, findings);
    arity::check(description, findings);
    safety::check(description, findings);
    let strata = Strata::new(&description.rules);
    stratification::check(description, &strata, findings);
    recursion::check(description, &strata, findings);
}
