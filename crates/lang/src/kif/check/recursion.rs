//! The recursion restriction: recursion must not build ever larger terms.
//!
//! In a rule whose head and condition depend on each other, every argument of the condition
//! is ground, an argument of the head, or an argument of a positive condition outside the
//! cycle. Breaking it is reported as a warning: what such rules do is bounded when they run.

use super::relations::Relations;
use crate::diagnostic::Diagnostic;
use crate::kif::description::{Atom, Description, Literal, Rule, Term};

/// Reports recursive conditions with arguments that nothing limits.
pub fn check(description: &Description, relations: &Relations, findings: &mut Vec<Diagnostic>) {
    for rule in &description.rules {
        for literal in &rule.body {
            let Literal::Holds(atom) = literal else { continue };
            if !relations.mutual(rule.head.relation, atom.relation) {
                continue;
            }
            if let Some(arg) = atom.args.iter().find(|arg| !limited(arg, rule, relations)) {
                findings.push(unlimited(description, rule, atom, arg));
            }
        }
    }
}

fn limited(arg: &Term, rule: &Rule, relations: &Relations) -> bool {
    let outside = |literal: &Literal| match literal {
        Literal::Holds(atom) => {
            !relations.mutual(rule.head.relation, atom.relation) && atom.args.contains(arg)
        }
        _ => false,
    };
    arg.is_ground() || rule.head.args.contains(arg) || rule.body.iter().any(outside)
}

fn unlimited(description: &Description, rule: &Rule, atom: &Atom, arg: &Term) -> Diagnostic {
    let text = description.term_text(arg, &rule.vars);
    let relation = description.names.text(atom.relation);
    Diagnostic::warning(format!("recursion through `{relation}` is not restricted"), atom.span)
        .label(format!("nothing limits `{text}`"))
        .help(format!("let `{text}` be an argument of the head or of a condition outside the recursion"))
}
