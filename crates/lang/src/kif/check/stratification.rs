//! No relation depends on its own negation, and the keywords depend on each other one way.

use std::collections::BTreeSet;

use super::strata::Strata;
use crate::diagnostic::Diagnostic;
use crate::kif::description::{Atom, Description, Literal};
use crate::kif::names::{Keyword, Name};

/// Reports negative cycles and keywords that depend on what is not known yet.
pub fn check(description: &Description, strata: &Strata, findings: &mut Vec<Diagnostic>) {
    for (number, rule) in description.rules.iter().enumerate() {
        for literal in &rule.body {
            let Literal::Not(atom) = literal else { continue };
            if strata.recursive(&description.rules, number, atom) {
                findings.push(negative_cycle(description, rule.head.relation, atom));
            }
        }
    }
    let forbidden = [
        (Keyword::Role, Keyword::True),
        (Keyword::Role, Keyword::Does),
        (Keyword::Init, Keyword::True),
        (Keyword::Init, Keyword::Does),
        (Keyword::Legal, Keyword::Does),
        (Keyword::Terminal, Keyword::Does),
        (Keyword::Goal, Keyword::Does),
    ];
    for (keyword, given) in forbidden {
        if let Some(fault) = dependence(description, keyword, given) {
            findings.push(fault);
        }
    }
}

fn negative_cycle(description: &Description, head: Name, atom: &Atom) -> Diagnostic {
    let [head, needed] = [head, atom.relation].map(|name| description.names.text(name));
    Diagnostic::error(
        format!("unstratified negation: `{head}` depends on its own negation"),
        atom.span,
    )
    .label(format!("`{needed}` depends on `{head}`"))
}

/// The fault, if `keyword` depends on `given` through any chain of rules.
fn dependence(description: &Description, keyword: Keyword, given: Keyword) -> Option<Diagnostic> {
    let mut reached: BTreeSet<Name> = [keyword.name()].into();
    let mut pending = vec![keyword.name()];
    while let Some(name) = pending.pop() {
        for rule in description.rules.iter().filter(|rule| rule.head.relation == name) {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                if atom.is(given) {
                    let (keyword, given) = (keyword.text(), given.text());
                    let message = format!("`{keyword}` must not depend on `{given}`");
                    return Some(
                        Diagnostic::error(message, atom.span).label("it does through this"),
                    );
                }
                if reached.insert(atom.relation) {
                    pending.push(atom.relation);
                }
            }
        }
    }
    None
}
