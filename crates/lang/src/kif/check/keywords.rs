//! Words that look like keywords but are not, and keywords that are not supported.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Span};
use crate::kif::description::{Atom, Description};
use crate::kif::names::{KEYWORDS, Keyword, Name};

/// Words of KIF and logic that GDL does not have.
const FOREIGN: &[&str] = &["and", "=>", "<=>", "=", "forall", "exists", "if", "equal", "same"];

/// Reports misspelt keywords, relations that nothing concludes, and `sees`.
pub fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut concluded = BTreeMap::new();
    let mut required = BTreeMap::new();
    for rule in &description.rules {
        remember(&mut concluded, &rule.head);
        for atom in rule.body.iter().filter_map(|literal| literal.atom()) {
            remember(&mut required, atom);
        }
    }
    if let Some(&span) = concluded.get(&Keyword::Sees.name()) {
        let found = Diagnostic::unsupported("`sees` is not supported yet", span)
            .label("what players see is part of GDL-II")
            .help("only the role `random` of GDL-II is understood");
        findings.push(found);
    }
    let given: BTreeSet<Name> = [Keyword::True, Keyword::Does].map(Keyword::name).into();
    for (&name, &span) in &required {
        if !concluded.contains_key(&name) && !given.contains(&name) {
            findings.push(unconcluded(description, name, span));
        }
    }
    for (&name, &span) in &concluded {
        let text = description.names.text(name);
        if let Some(meant) = near_keyword(text).filter(|_| !required.contains_key(&name)) {
            // A relation of that name may be meant: repository games have an unused `int`.
            let unused = Diagnostic::warning(format!("no rule asks for `{text}`"), span)
                .help(format!("did you mean the keyword `{meant}`?"));
            findings.push(unused);
        }
    }
}

fn remember(places: &mut BTreeMap<Name, Span>, atom: &Atom) {
    places.entry(atom.relation).or_insert(atom.span);
}

fn unconcluded(description: &Description, name: Name, span: Span) -> Diagnostic {
    let text = description.names.text(name);
    if FOREIGN.contains(&text) {
        return Diagnostic::error(format!("unknown keyword `{text}`"), span)
            .label("GDL has `not`, `or` and `distinct`")
            .help("conditions one after another are already joined by \"and\"");
    }
    match near_keyword(text) {
        Some(meant) => unknown_keyword(text, meant, span),
        None => Diagnostic::warning(format!("no rule concludes `{text}`"), span)
            .label("this never holds"),
    }
}

fn unknown_keyword(text: &str, meant: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("unknown keyword `{text}`"), span)
        .help(format!("did you mean `{meant}`?"))
}

/// The keyword that a word is probably a misspelling of.
fn near_keyword(word: &str) -> Option<&'static str> {
    if word.len() < 3 || KEYWORDS.iter().any(|(_, text)| *text == word) {
        return None;
    }
    let relations = KEYWORDS.iter().filter(|(keyword, _)| keyword.arity().is_some());
    let near = relations.filter(|(_, text)| {
        let allowed = if text.len() > 5 { 2 } else { 1 };
        one_slip_apart(word, text) || (allowed > 1 && distance(word, text) <= allowed)
    });
    near.map(|(_, text)| *text).next()
}

/// Whether exchanging two neighbouring letters or one edit makes the words equal.
fn one_slip_apart(word: &str, other: &str) -> bool {
    let (a, b) = (word.as_bytes(), other.as_bytes());
    if a.len() == b.len() {
        let wrong: Vec<usize> = (0..a.len()).filter(|&at| a[at] != b[at]).collect();
        if let [first, second] = wrong[..] {
            return second == first + 1 && a[first] == b[second] && a[second] == b[first];
        }
    }
    distance(word, other) == 1
}

/// Edit distance of two short words; far longer words count as far away.
fn distance(word: &str, other: &str) -> usize {
    let (a, b) = (word.as_bytes(), other.as_bytes());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognised() {
        assert_eq!(near_keyword("ture"), Some("true"));
        assert_eq!(near_keyword("leagl"), Some("legal"));
        assert_eq!(near_keyword("terminals"), Some("terminal"));
        assert_eq!(near_keyword("cell"), None);
        assert_eq!(near_keyword("goal"), None);
    }
}
