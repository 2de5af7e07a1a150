//! Rules that break a restriction of GDL, rewritten to what a prover that asks one question at a time makes
//! of them. Managers use such provers and some of their games rely on it.
//!
//! - A `not` or `distinct` with a variable that no condition without `not` binds is left out.
//! - A variable that only the head of `legal` or `goal` mentions as its role stands for each role.
//! - Another one that only the head binds gets its value from whoever asks: any term that the rules name.
//! - What is legal, the goals and the end are asked before anybody moves: `does` never holds there.
//!
//! Each change is reported as a warning at the rule it is about; so are recursion that nothing restricts and positions
//! that never change, which such provers play as they are. What is left is refused as before.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::description::{Atom, Description, Literal, Rule, Term};
use super::names::{Keyword, Name};
use crate::diagnostic::{Diagnostic, Span};

/// Rewrites what can be and says where.
pub(super) fn relax(description: &mut Description, findings: &mut Vec<Diagnostic>) {
    let universe = description.names.intern("any term");
    let mut asked = false;
    for rule in &mut description.rules {
        drop_filters(rule, findings);
        bind_role(rule, findings);
        asked |= bind_head(rule, universe, findings);
    }
    if asked {
        let terms = named_terms(description, universe);
        description.rules.extend(terms);
    }
    forget_moves(description, findings);
}

fn warn(findings: &mut Vec<Diagnostic>, message: &str, span: Span, label: &str) {
    findings.push(Diagnostic::warning(message.to_owned(), span).label(label.to_owned()));
}

fn bound_vars(rule: &Rule) -> Vec<bool> {
    let mut bound = vec![false; rule.vars.len()];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal {
            atom.each_var(&mut |var| bound[var as usize] = true);
        }
    }
    bound
}

fn bind_role(rule: &mut Rule, findings: &mut Vec<Diagnostic>) {
    let asked_by_role = rule.head.is(Keyword::Legal) || rule.head.is(Keyword::Goal);
    let Some(&Term::Var(var)) = rule.head.args.first().filter(|_| asked_by_role) else { return };
    if bound_vars(rule)[var as usize] {
        return;
    }
    let (args, span) = ([Term::Var(var)].into(), rule.head.span);
    rule.body.push(Literal::Holds(Atom { relation: Keyword::Role.name(), args, span }));
    warn(findings, "unsafe rule: its role is not bound", span, "taken to hold for each role");
}

/// Binds variables that only the head binds to any term of the rules; says whether there are any.
fn bind_head(rule: &mut Rule, universe: Name, findings: &mut Vec<Diagnostic>) -> bool {
    let bound = bound_vars(rule);
    let mut open = BTreeSet::new();
    rule.head.each_var(&mut |var| {
        if !bound[var as usize] {
            open.insert(var);
        }
    });
    let span = rule.head.span;
    for &var in &open {
        let args = [Term::Var(var)].into();
        rule.body.push(Literal::Holds(Atom { relation: universe, args, span }));
    }
    if !open.is_empty() {
        let label = "taken to hold for whatever is asked about";
        warn(findings, "unsafe rule: a variable of the head is not bound", span, label);
    }
    !open.is_empty()
}

/// Facts that say which terms the rules name.
fn named_terms(description: &Description, universe: Name) -> Vec<Rule> {
    let mut terms = Vec::new();
    for rule in &description.rules {
        let atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
        for arg in atoms.flat_map(|atom| &atom.args) {
            collect_ground(arg, &mut terms);
        }
        for literal in &rule.body {
            if let Literal::Distinct(left, right, _) = literal {
                collect_ground(left, &mut terms);
                collect_ground(right, &mut terms);
            }
        }
    }
    let mut seen = HashSet::new();
    terms.retain(|term| seen.insert(term.clone()));
    let span = description.span;
    let fact = |term| Rule {
        head: Atom { relation: universe, args: [term].into(), span },
        body: Vec::new(),
        vars: Vec::new(),
        span,
    };
    terms.into_iter().map(fact).collect()
}

/// The term and its parts, as far as they have no variables.
fn collect_ground(term: &Term, into: &mut Vec<Term>) {
    if term.is_ground() {
        into.push(term.clone());
    }
    if let Term::Func(_, args) = term {
        args.iter().for_each(|arg| collect_ground(arg, into));
    }
}

/// Leaves out negations and `distinct`s with variables that nothing binds.
fn drop_filters(rule: &mut Rule, findings: &mut Vec<Diagnostic>) {
    let bound = bound_vars(rule);
    rule.body.retain(|literal| {
        let mut open = false;
        literal.each_var(&mut |var| open |= !bound[var as usize]);
        if open {
            let message = "unsafe rule: a variable is not bound";
            warn(findings, message, literal.span(), "left out, as if it held");
        }
        !open
    });
}

const ASKED_BEFORE_MOVES: [Keyword; 3] = [Keyword::Legal, Keyword::Terminal, Keyword::Goal];

/// Gives what is asked before anybody moves relations of its own in which nobody did anything.
fn forget_moves(description: &mut Description, findings: &mut Vec<Diagnostic>) {
    let mut depends = dependent(&description.rules);
    depends.remove(&Keyword::Does.name());
    let roots = ASKED_BEFORE_MOVES.map(Keyword::name);
    let asks_a_root = description
        .rules
        .iter()
        .flat_map(|rule| &rule.body)
        .filter_map(Literal::atom)
        .any(|atom| roots.contains(&atom.relation) && depends.contains(&atom.relation));
    // A rule that asks for a root while moves are made would need both readings.
    if asks_a_root || !roots.iter().any(|root| depends.contains(root)) {
        return;
    }
    let copied: Vec<Name> = reached(&description.rules, &roots)
        .into_iter()
        .filter(|name| depends.contains(name) && !roots.contains(name))
        .collect();
    let mut copies = BTreeMap::new();
    for name in copied {
        let text = format!("{} before moves", description.names.text(name));
        copies.insert(name, description.names.intern(&text));
    }
    let mut rules = Vec::with_capacity(description.rules.len());
    for rule in description.rules.drain(..) {
        let head = rule.head.relation;
        match copies.get(&head) {
            _ if roots.contains(&head) => rules.extend(before_moves(&rule, &copies, findings)),
            Some(&relation) => {
                let head = Atom { relation, ..rule.head.clone() };
                let copy = Rule { head, ..rule.clone() };
                rules.extend(before_moves(&copy, &copies, findings));
                rules.push(rule);
            }
            None => rules.push(rule),
        }
    }
    description.rules = rules;
}

/// The rule where `does` never holds; nothing if it needs it to.
fn before_moves(
    rule: &Rule,
    copies: &BTreeMap<Name, Name>,
    findings: &mut Vec<Diagnostic>,
) -> Option<Rule> {
    let mut body = Vec::with_capacity(rule.body.len());
    let mut possible = true;
    for literal in &rule.body {
        let Some(atom) = literal.atom() else {
            body.push(literal.clone());
            continue;
        };
        let relation = copies.get(&atom.relation).copied().unwrap_or(atom.relation);
        let atom = Atom { relation, ..atom.clone() };
        match literal {
            Literal::Holds(_) if atom.is(Keyword::Does) => possible = false,
            Literal::Not(_) if atom.is(Keyword::Does) => {}
            Literal::Not(_) => body.push(Literal::Not(atom)),
            _ => body.push(Literal::Holds(atom)),
        }
        if literal.atom().is_some_and(|atom| atom.is(Keyword::Does)) {
            let message = "what is legal, the goals and the end must not depend on `does`";
            warn(findings, message, literal.span(), "taken never to hold when they are asked");
        }
    }
    possible.then(|| Rule { body, ..rule.clone() })
}

/// The relations that depend on what is done.
fn dependent(rules: &[Rule]) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = [Keyword::Does.name()].into();
    loop {
        let before = found.len();
        for rule in rules {
            if rule.body.iter().filter_map(Literal::atom).any(|atom| found.contains(&atom.relation))
            {
                found.insert(rule.head.relation);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The relations that these depend on, themselves included.
fn reached(rules: &[Rule], roots: &[Name]) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = roots.iter().copied().collect();
    loop {
        let before = found.len();
        for rule in
            rules.iter().filter(|rule| found.contains(&rule.head.relation)).collect::<Vec<_>>()
        {
            found.extend(rule.body.iter().filter_map(Literal::atom).map(|atom| atom.relation));
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::SourceId;
    use crate::kif::{Strictness, read, read_as};

    const FRAME: &str =
        "(role w) (role b) (init (at 1)) (n 1) (n 2) (legal w stay) (legal w (go 1))
(legal b stay) (<= (next (at ?n)) (does w (go ?n))) (goal w 100) (goal b 0) ";

    /// The rules that lenience makes of one rule, and what it says about it.
    fn relaxed(rule: &str) -> (Vec<String>, Vec<String>) {
        let text = format!("{FRAME}{rule}");
        assert!(read(SourceId(0), &text).is_err(), "{rule} is refused otherwise");
        let checked =
            read_as(SourceId(0), &text, Strictness::Lenient).expect("played all the same");
        let known =
            read(SourceId(0), &format!("{FRAME}(<= terminal (true (at 2)))")).expect("right");
        let all = |checked: &crate::kif::Checked| -> Vec<String> {
            let rules = &checked.description.rules;
            rules.iter().map(|rule| checked.description.rule_text(rule)).collect()
        };
        let before = all(&known);
        let rules = all(&checked).into_iter().filter(|rule| !before.contains(rule)).collect();
        (rules, checked.warnings.iter().map(|found| found.message.clone()).collect())
    }

    #[test]
    fn an_end_that_depends_on_moves_is_asked_before_them() {
        let (rules, warnings) = relaxed(
            "(<= terminal (true (at 2)) moved) (<= terminal (true (at 1)) (not moved)) (<= moved (does w (go ?n)))",
        );
        let expected = [
            "(<= terminal (true (at 2)) moved before moves)",
            "(<= terminal (true (at 1)) (not moved before moves))",
            "(<= moved (does w (go ?n)))",
        ];
        assert_eq!(rules, expected);
        assert!(
            warnings.iter().any(|text| text.contains("must not depend on `does`")),
            "{warnings:?}"
        );
    }

    #[test]
    fn conditions_about_nothing_known_are_left_out() {
        let (rules, warnings) =
            relaxed("(<= terminal (true (at 2)) (not (n ?x)) (distinct ?y 3) (distinct 1 2))");
        assert_eq!(rules, ["(<= terminal (true (at 2)) (distinct 1 2))"]);
        assert_eq!(warnings, ["unsafe rule: a variable is not bound"; 2]);
    }

    #[test]
    fn a_role_that_only_the_head_has_is_each_role() {
        let (rules, _) = relaxed("(<= terminal (true (at 2))) (<= (legal ?r wave) (true (at 1)))");
        assert_eq!(rules, ["(<= (legal ?r wave) (true (at 1)) (role ?r))"]);
    }

    #[test]
    fn a_variable_that_only_the_head_has_is_bound_by_whoever_asks() {
        let (rules, warnings) = relaxed(
            "(<= terminal (true (at ?n)) (near ?n 2)) (<= (near ?x ?y) (n ?x) (distinct ?x 1))",
        );
        let expected = "(<= (near ?x ?y) (n ?x) (distinct ?x 1) (any term ?y))";
        assert!(rules.iter().any(|rule| rule == expected), "{rules:?}");
        assert!(rules.iter().any(|rule| rule == "(any term 2)"), "{rules:?}");
        assert_eq!(warnings, ["unsafe rule: a variable of the head is not bound"]);
    }

    #[test]
    fn recursion_without_restriction_is_followed() {
        let (rules, warnings) = relaxed(
            "(<= terminal (true (at ?n)) (way ?n 2)) (<= (way ?x ?y) (n ?x) (n ?y))
            (<= (way ?x ?y) (way ?x ?z) (way ?z ?y))",
        );
        assert_eq!(rules.len(), 3, "{rules:?}");
        assert!(warnings.iter().all(|text| text.contains("is not restricted")), "{warnings:?}");
    }
}
