//! The restrictions that make a GDL text a game, one per file.

mod arity;
mod keywords;
mod presence;
mod recursion;
mod safety;
mod strata;
mod stratification;

pub use strata::Strata;

use super::Strictness;
use super::description::Description;
use crate::diagnostic::{Diagnostic, Severity};

/// Tests every restriction and reports what it finds.
pub fn check(description: &Description, strictness: Strictness, findings: &mut Vec<Diagnostic>) {
    presence::check(description, strictness, findings);
    keywords::check(description, findings);
    arity::check(description, findings);
    safety::check(description, findings);
    let strata = Strata::new(&description.rules);
    stratification::check(description, &strata, findings);
    let before = findings.len();
    recursion::check(description, &strata, findings);
    if strictness == Strictness::Lenient {
        // Terms that grow without end are stopped where rules are run.
        findings[before..].iter_mut().for_each(|found| found.severity = Severity::Warning);
    }
}
