//! Every variable of a head, a negation or a `distinct` is bound by a positive condition.

use crate::diagnostic::{Diagnostic, Span};
use crate::kif::description::{Description, Literal, Rule};

/// Reports unbound variables, once for each variable and rule.
pub fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for rule in &description.rules {
        check_rule(description, rule, findings);
    }
}

fn check_rule(description: &Description, rule: &Rule, findings: &mut Vec<Diagnostic>) {
    let mut bound = vec![false; rule.vars.len()];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal {
            atom.each_var(&mut |var| bound[var as usize] = true);
        }
    }
    let mut report = |var: u32, span: Span, place: &str| {
        if std::mem::replace(&mut bound[var as usize], true) {
            return;
        }
        let name = description.names.text(rule.vars[var as usize]);
        let found = Diagnostic::error(format!("unsafe rule: `{name}` is not bound"), span)
            .label(format!("`{name}` occurs in {place} only"))
            .help(format!("mention `{name}` in a condition without `not`"));
        findings.push(found);
    };
    rule.head.each_var(&mut |var| report(var, rule.head.span, "the head"));
    for literal in &rule.body {
        let place = match literal {
            Literal::Holds(_) => continue,
            Literal::Not(_) => "a negation",
            Literal::Distinct(..) => "`distinct`",
        };
        literal.each_var(&mut |var| report(var, literal.span(), place));
    }
}
