//! A relation or function always takes the same number of arguments.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::kif::description::{Atom, Description, Literal, Term};
use crate::kif::names::{KEYWORDS, Name};

/// Reports relations and functions used with different numbers of arguments.
pub fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut seen =
        Seen { description, relations: keyword_arities(), functions: FxHashMap::default() };
    for rule in &description.rules {
        seen.atom(&rule.head, findings);
        for literal in &rule.body {
            match literal {
                Literal::Holds(atom) | Literal::Not(atom) => seen.atom(atom, findings),
                Literal::Distinct(left, right, span) => {
                    seen.term(left, *span, findings);
                    seen.term(right, *span, findings);
                }
            }
        }
    }
}

/// Number of arguments and where it was first seen (nowhere for keywords).
type Arities = FxHashMap<Name, (usize, Option<Span>)>;

fn keyword_arities() -> Arities {
    let arity = |(keyword, _): &(crate::kif::names::Keyword, _)| {
        keyword.arity().map(|arity| (keyword.name(), (arity, None)))
    };
    KEYWORDS.iter().filter_map(arity).collect()
}

struct Seen<'d> {
    description: &'d Description,
    relations: Arities,
    functions: Arities,
}

impl Seen<'_> {
    fn atom(&mut self, atom: &Atom, findings: &mut Vec<Diagnostic>) {
        let (name, count) = (atom.relation, atom.args.len());
        let first = *self.relations.entry(name).or_insert((count, Some(atom.span)));
        self.compare("relation", name, count, atom.span, first, findings);
        for arg in &atom.args {
            self.term(arg, atom.span, findings);
        }
    }

    fn term(&mut self, term: &Term, span: Span, findings: &mut Vec<Diagnostic>) {
        let Term::Func(name, args) = term else { return };
        let first = *self.functions.entry(*name).or_insert((args.len(), Some(span)));
        self.compare("function", *name, args.len(), span, first, findings);
        for arg in args {
            self.term(arg, span, findings);
        }
    }

    fn compare(
        &self,
        kind: &str,
        name: Name,
        count: usize,
        span: Span,
        (expected, first): (usize, Option<Span>),
        findings: &mut Vec<Diagnostic>,
    ) {
        if count == expected {
            return;
        }
        let text = self.description.names.text(name);
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("{kind} `{text}` takes {expected} argument{plural}, not {count}");
        let found = Diagnostic::error(message, span);
        findings.push(match first {
            Some(first) => found.also(first, format!("{expected} argument{plural} here")),
            None => found,
        });
    }
}
