//! A game needs roles, moves, an end and goals.

use crate::diagnostic::{Diagnostic, Severity};
use crate::kif::Strictness;
use crate::kif::description::Description;
use crate::kif::names::Keyword;

/// Reports keywords that no rule concludes.
pub fn check(description: &Description, strictness: Strictness, findings: &mut Vec<Diagnostic>) {
    let needed = [
        (Keyword::Role, "there are no players", "(role white)"),
        (Keyword::Legal, "nobody can move", "(legal white noop)"),
        (Keyword::Next, "the position never changes", "(next (control black))"),
        (Keyword::Terminal, "the game never ends", "(<= terminal (true (step 10)))"),
        (Keyword::Goal, "nobody can win", "(goal white 100)"),
    ];
    for (keyword, why, example) in needed {
        if !concludes(description, keyword) {
            let message = format!("no rule concludes `{}`: {why}", keyword.text());
            let help = format!("add one, such as `{example}`");
            let mut found = Diagnostic::error(message, description.span).help(help);
            if strictness == Strictness::Lenient && keyword == Keyword::Next {
                found.severity = Severity::Warning;
            }
            findings.push(found);
        }
    }
    if !concludes(description, Keyword::Init) {
        let message = "no rule concludes `init`: the game starts from an empty position";
        findings.push(Diagnostic::warning(message, description.span));
    }
}

fn concludes(description: &Description, keyword: Keyword) -> bool {
    description.rules.iter().any(|rule| rule.head.is(keyword))
}
