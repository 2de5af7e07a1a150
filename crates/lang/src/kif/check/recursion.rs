//! The recursion restriction: recursion must not build ever larger terms.
//!
//! In a rule whose head and condition depend on each other, every argument of the condition
//! is ground, an argument of the head, or an argument of a positive condition outside the
//! cycle.

use super::strata::Strata;
use crate::diagnostic::Diagnostic;
use crate::kif::description::{Atom, Description, Literal, Rule, Term};

/// Reports recursive conditions with arguments that nothing limits.
pub fn check(description: &Description, strata: &Strata, findings: &mut Vec<Diagnostic>) {
    for (number, rule) in description.rules.iter().enumerate() {
        let recursive = |atom: &Atom| strata.recursive(&description.rules, number, atom);
        for literal in &rule.body {
            let Literal::Holds(atom) = literal else { continue };
            if !recursive(atom) {
                continue;
            }
            if let Some(arg) = atom.args.iter().find(|arg| !limited(arg, rule, recursive)) {
                findings.push(unlimited(description, rule, atom, arg));
            }
        }
    }
}

fn limited(arg: &Term, rule: &Rule, recursive: impl Fn(&Atom) -> bool) -> bool {
    let outside = |literal: &Literal| match literal {
        Literal::Holds(atom) => atom.args.contains(arg) && !recursive(atom),
        _ => false,
    };
    arg.is_ground() || rule.head.args.contains(arg) || rule.body.iter().any(outside)
}

fn unlimited(description: &Description, rule: &Rule, atom: &Atom, arg: &Term) -> Diagnostic {
    let text = description.term_text(arg, &rule.vars);
    let relation = description.names.text(atom.relation);
    Diagnostic::error(format!("recursion through `{relation}` is not restricted"), atom.span)
        .label(format!("nothing limits `{text}`"))
        .help(format!(
            "let `{text}` be an argument of the head or of a condition outside the recursion"
        ))
}
