//! Splitting rules so that variables which matter to few conditions are joined early and forgotten.
//!
//! `p(X) ← q(X), r(Y, Z), s(Z)` becomes `p(X) ← q(X), part` and `part ← r(Y, Z), s(Z)`: without
//! the split each X would meet each Y and Z. Grounding would otherwise multiply, above all in
//! frame rules, where a cell survives any of hundreds of moves elsewhere. It is variable
//! elimination, smallest new relation first.

use ludex_lang::kif::{Atom, Literal, Name, Names, Rule, Term};

/// Splits every rule as far as it helps.
pub fn condense(names: &mut Names, rules: Vec<Rule>) -> Vec<Rule> {
    let mut out = Vec::with_capacity(rules.len());
    for mut rule in rules {
        while let Some(split) = best_split(&rule) {
            let part = names.intern(&format!("part {}", out.len()));
            let (outer, inner) = apply(rule, &split, part);
            out.push(inner);
            rule = outer;
        }
        out.push(rule);
    }
    out
}

/// The conditions to take out and the variables that they share with the rest.
struct Split {
    inside: Vec<bool>,
    shared: Vec<u32>,
}

fn best_split(rule: &Rule) -> Option<Split> {
    let vars_of: Vec<Vec<u32>> = rule.body.iter().map(vars_of).collect();
    let mut head_vars = Vec::new();
    rule.head.each_var(&mut |var| head_vars.push(var));
    let count = distinct_count(vars_of.iter().flatten());
    let locals = (0..rule.vars.len() as u32).filter(|var| !head_vars.contains(var));
    let splits = locals.filter_map(|var| split_on(rule, &vars_of, &head_vars, count, var));
    splits.min_by_key(|split| split.shared.len())
}

/// The split that eliminates `var`, if it makes both rules smaller.
fn split_on(
    rule: &Rule,
    vars_of: &[Vec<u32>],
    head_vars: &[u32],
    count: usize,
    var: u32,
) -> Option<Split> {
    let mut inside: Vec<bool> = vars_of.iter().map(|vars| vars.contains(&var)).collect();
    if !inside.contains(&true) {
        return None;
    }
    absorb(rule, vars_of, &mut inside);
    if !inside.contains(&false) || !is_safe(rule, vars_of, &inside) {
        return None;
    }
    let side = |want: bool| {
        let parts = vars_of.iter().zip(&inside).filter(move |&(_, &inside)| inside == want);
        parts.flat_map(|(vars, _)| vars).copied()
    };
    let outside: Vec<u32> = side(false).chain(head_vars.iter().copied()).collect();
    let mut shared: Vec<u32> = side(true).filter(|var| outside.contains(var)).collect();
    shared.sort_unstable();
    shared.dedup();
    let inner = distinct_count(side(true).collect::<Vec<_>>().iter());
    let outer =
        distinct_count(side(false).chain(shared.iter().copied()).collect::<Vec<_>>().iter());
    (inner < count && outer < count).then_some(Split { inside, shared })
}

/// Takes in conditions whose variables are all inside anyway: they only make the part smaller.
fn absorb(rule: &Rule, vars_of: &[Vec<u32>], inside: &mut [bool]) {
    let mut bound: Vec<u32> = Vec::new();
    for (at, literal) in rule.body.iter().enumerate() {
        if inside[at] && matches!(literal, Literal::Holds(_)) {
            bound.extend(&vars_of[at]);
        }
    }
    for (at, literal) in rule.body.iter().enumerate() {
        let filter = !matches!(literal, Literal::Holds(_));
        let covered = !vars_of[at].is_empty() && vars_of[at].iter().all(|var| bound.contains(var));
        if filter && covered {
            inside[at] = true;
        }
    }
}

/// Whether negations and `distinct`s on both sides are bound on their own side.
fn is_safe(rule: &Rule, vars_of: &[Vec<u32>], inside: &[bool]) -> bool {
    let binds = |var: &u32, side: bool| {
        rule.body.iter().enumerate().any(|(at, literal)| {
            inside[at] == side && matches!(literal, Literal::Holds(_)) && vars_of[at].contains(var)
        })
    };
    // Outside, what the new condition shares is bound by it.
    rule.body.iter().enumerate().all(|(at, literal)| {
        matches!(literal, Literal::Holds(_))
            || !inside[at]
            || vars_of[at].iter().all(|var| binds(var, true))
    })
}

fn apply(rule: Rule, split: &Split, part: Name) -> (Rule, Rule) {
    let span = rule.span;
    let args: Box<[Term]> = split.shared.iter().map(|&var| Term::Var(var)).collect();
    let head = Atom { relation: part, args, span };
    let (mut inner_body, mut outer_body) = (Vec::new(), Vec::new());
    for (literal, &inside) in rule.body.into_iter().zip(&split.inside) {
        if inside { inner_body.push(literal) } else { outer_body.push(literal) }
    }
    outer_body.push(Literal::Holds(head.clone()));
    let inner = Rule { head, body: inner_body, vars: rule.vars.clone(), span };
    let outer = Rule { head: rule.head, body: outer_body, vars: rule.vars, span };
    (outer, inner)
}

fn vars_of(literal: &Literal) -> Vec<u32> {
    let mut vars = Vec::new();
    literal.each_var(&mut |var| {
        if !vars.contains(&var) {
            vars.push(var);
        }
    });
    vars
}

fn distinct_count<'v>(vars: impl Iterator<Item = &'v u32>) -> usize {
    let mut vars: Vec<u32> = vars.copied().collect();
    vars.sort_unstable();
    vars.dedup();
    vars.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::kif::{Description, lower, tree};

    fn condensed(text: &str) -> Vec<String> {
        let trees = tree::read(SourceId(0), text).unwrap();
        let mut findings = Vec::new();
        let mut read = lower::lower(&trees, SourceId(0), text.len(), &mut findings);
        let rules = condense(&mut read.names, std::mem::take(&mut read.rules));
        let read: Description = read;
        rules.iter().map(|rule| read.rule_text(rule)).collect()
    }

    #[test]
    fn frame_rules_forget_the_move() {
        let text =
            "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (does ?r (move ?a ?b)) (far ?x ?a))";
        assert_eq!(
            condensed(text),
            [
                "(<= (part 0 ?a) (does ?r (move ?a ?b)))",
                "(<= (part 1 ?x) (far ?x ?a) (part 0 ?a))",
                "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (part 1 ?x))",
            ]
        );
    }

    #[test]
    fn small_rules_stay() {
        let text = "(<= (p ?x) (q ?x ?y) (r ?y))";
        assert_eq!(condensed(text), [text]);
    }
}
