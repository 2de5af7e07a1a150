//! Trees to rules: relations, functions and variables told apart, `or` multiplied out.

use super::description::{Atom, Description, Literal, Rule, Term};
use super::names::{Keyword, Name, Names};
use super::tree::Tree;
use super::unify::Substitution;
use crate::diagnostic::{Diagnostic, SourceId, Span};

/// Most rules that the disjunctions of one rule may multiply out to.
const ALTERNATIVES_LIMIT: usize = 4096;

/// Turns trees into rules. Faulty rules are left out and reported.
pub fn lower(
    trees: &[Tree],
    source: SourceId,
    text_length: usize,
    findings: &mut Vec<Diagnostic>,
) -> Description {
    let mut names = Names::default();
    let mut rules = Vec::new();
    for tree in trees {
        let mut lowering = Lowering { names: &mut names, vars: Vec::new() };
        match lowering.rule(tree) {
            Ok(alternatives) => rules.extend(alternatives),
            Err(fault) => findings.push(*fault),
        }
    }
    Description { names, rules, span: Span::new(source, 0..text_length) }
}

type Lowered<T> = Result<T, Box<Diagnostic>>;

fn fault<T>(message: impl Into<String>, span: Span, label: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Diagnostic::error(message, span).label(label)))
}

/// A condition that all of a rule's others go with.
#[derive(Clone)]
enum Condition {
    Literal(Literal),
    /// Two terms are the same: a `distinct` that is negated.
    Same(Term, Term),
}

/// A body condition before disjunctions are multiplied out.
enum Formula {
    Condition(Condition),
    Or(Vec<Formula>),
    And(Vec<Formula>),
}

struct Lowering<'n> {
    names: &'n mut Names,
    vars: Vec<Name>,
}

impl Lowering<'_> {
    fn rule(&mut self, tree: &Tree) -> Lowered<Vec<Rule>> {
        let span = tree.span();
        let (head, body) = match tree {
            Tree::List(items, _) if items.first().and_then(Tree::atom) == Some("<=") => match items
                .get(1)
            {
                Some(head) => (head, &items[2..]),
                None => return fault("`<=` without a head", span, "expected `(<= head body…)`"),
            },
            other => (other, &[][..]),
        };
        let head = self.atom(head)?;
        check_head(&head, self.names)?;
        let body = body.iter().map(|tree| self.formula(tree, true)).collect::<Lowered<Vec<_>>>()?;
        let bodies = alternatives(&Formula::And(body), span)?;
        let vars = &self.vars;
        let rule = |body| {
            unified(Rule { head: head.clone(), body: Vec::new(), vars: vars.clone(), span }, body)
        };
        Ok(bodies.into_iter().filter_map(rule).collect())
    }

    /// A body condition; `positive` is false under an odd number of `not`s.
    fn formula(&mut self, tree: &Tree, positive: bool) -> Lowered<Formula> {
        let (operator, operands) = match tree {
            Tree::List(items, _) => match items.first() {
                Some(Tree::Atom(word, _)) => (self.operator(word), &items[1..]),
                _ => (None, &[][..]),
            },
            Tree::Atom(..) => (None, &[][..]),
        };
        let span = tree.span();
        match operator {
            Some(Keyword::Not) => match operands {
                [operand] => self.formula(operand, !positive),
                _ => fault("`not` takes one condition", span, count_text(operands.len())),
            },
            Some(Keyword::Or) if operands.is_empty() => {
                fault("`or` without alternatives", span, "expected at least one condition")
            }
            Some(Keyword::Or) => {
                let parts = operands.iter().map(|tree| self.formula(tree, positive));
                let parts = parts.collect::<Lowered<Vec<_>>>()?;
                Ok(if positive { Formula::Or(parts) } else { Formula::And(parts) })
            }
            Some(Keyword::Distinct) => self.distinct(operands, span, positive),
            _ => {
                let atom = self.atom(tree)?;
                check_body(&atom, self.names)?;
                let literal = if positive { Literal::Holds(atom) } else { Literal::Not(atom) };
                Ok(Formula::Condition(Condition::Literal(literal)))
            }
        }
    }

    fn operator(&self, word: &str) -> Option<Keyword> {
        let operators = [Keyword::Not, Keyword::Or, Keyword::Distinct];
        operators.into_iter().find(|operator| operator.text().eq_ignore_ascii_case(word))
    }

    fn distinct(&mut self, operands: &[Tree], span: Span, positive: bool) -> Lowered<Formula> {
        let [left, right] = operands else {
            return fault("`distinct` compares two terms", span, count_text(operands.len()));
        };
        let (left, right) = (self.term(left)?, self.term(right)?);
        Ok(Formula::Condition(match positive {
            true => Condition::Literal(Literal::Distinct(left, right, span)),
            false => Condition::Same(left, right),
        }))
    }

    fn atom(&mut self, tree: &Tree) -> Lowered<Atom> {
        let span = tree.span();
        let (relation, args) = match tree {
            Tree::Atom(..) => (tree, &[][..]),
            Tree::List(items, _) => match items.split_first() {
                Some((relation, args)) => (relation, args),
                None => return fault("empty brackets", span, "expected a relation"),
            },
        };
        let relation = match relation {
            Tree::Atom("<=", at) => {
                return fault(
                    "a rule inside a rule",
                    *at,
                    "`<=` stands only at the outermost level",
                );
            }
            Tree::Atom(word, at) if word.starts_with('?') => {
                return fault("a variable is no relation", *at, "expected a name");
            }
            Tree::Atom(word, _) => self.names.intern(word),
            Tree::List(_, at) => {
                return fault("a list is no relation", *at, "expected a name");
            }
        };
        let args = args.iter().map(|arg| self.term(arg)).collect::<Lowered<_>>()?;
        Ok(Atom { relation, args, span })
    }

    fn term(&mut self, tree: &Tree) -> Lowered<Term> {
        match tree {
            Tree::Atom(word, _) if word.starts_with('?') => Ok(Term::Var(self.var(word))),
            Tree::Atom(word, _) => Ok(Term::Const(self.names.intern(word))),
            Tree::List(items, span) => match items.split_first() {
                None => fault("empty brackets", *span, "expected a term"),
                Some((Tree::Atom(word, at), _)) if word.starts_with('?') => {
                    fault("a variable is no function", *at, "expected a name")
                }
                Some((Tree::List(_, at), _)) => {
                    fault("a list is no function", *at, "expected a name")
                }
                // Brackets around a lone constant mean the constant.
                Some((Tree::Atom(word, _), [])) => Ok(Term::Const(self.names.intern(word))),
                Some((Tree::Atom(word, _), args)) => {
                    let name = self.names.intern(word);
                    let args = args.iter().map(|arg| self.term(arg)).collect::<Lowered<_>>()?;
                    Ok(Term::Func(name, args))
                }
            },
        }
    }

    fn var(&mut self, word: &str) -> u32 {
        // Variables share the table of names but not their numbers: each rule counts anew.
        let name = self.names.intern(word);
        let known = self.vars.iter().position(|&var| var == name);
        known.unwrap_or_else(|| {
            self.vars.push(name);
            self.vars.len() - 1
        }) as u32
    }
}

fn count_text(count: usize) -> String {
    format!("{count} given")
}

/// Keywords that state what is given cannot be concluded.
fn check_head(head: &Atom, names: &Names) -> Lowered<()> {
    for keyword in [Keyword::True, Keyword::Does, Keyword::Distinct, Keyword::Not, Keyword::Or] {
        if head.is(keyword) {
            let text = names.text(head.relation);
            return fault(format!("`{text}` cannot be the head of a rule"), head.span, "");
        }
    }
    Ok(())
}

/// Keywords that only conclude cannot be conditions.
fn check_body(atom: &Atom, names: &Names) -> Lowered<()> {
    for keyword in [Keyword::Init, Keyword::Next] {
        if atom.is(keyword) {
            let text = names.text(atom.relation);
            let found = Diagnostic::error(format!("`{text}` cannot be a condition"), atom.span)
                .help("conditions about the position are written `(true …)`");
            return Err(Box::new(found));
        }
    }
    Ok(())
}

/// The rule with these conditions. Terms that must be the same are made the same wherever they stand;
/// a rule in which they never can be says nothing.
fn unified(rule: Rule, conditions: Vec<Condition>) -> Option<Rule> {
    let mut same = Substitution::new(rule.vars.len());
    let mut body = Vec::with_capacity(conditions.len());
    for condition in conditions {
        match condition {
            Condition::Literal(literal) => body.push(literal),
            Condition::Same(left, right) if same.unify(&left, &right) => {}
            Condition::Same(..) => return None,
        }
    }
    let body = body.into_iter().map(|literal| same.literal(literal)).collect();
    Some(Rule { head: same.atom(rule.head), body, ..rule })
}

/// Multiplies disjunctions out: every way to satisfy the formula as a list of conditions.
fn alternatives(formula: &Formula, span: Span) -> Lowered<Vec<Vec<Condition>>> {
    match formula {
        Formula::Condition(condition) => Ok(vec![vec![condition.clone()]]),
        Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(part, span)?);
                check_count(all.len(), span)?;
            }
            Ok(all)
        }
        Formula::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let choices = alternatives(part, span)?;
                check_count(all.len() * choices.len(), span)?;
                let extend = |before: &Vec<Condition>| {
                    let before = before.clone();
                    choices.iter().map(move |choice| [&before[..], &choice[..]].concat())
                };
                all = all.iter().flat_map(extend).collect();
            }
            Ok(all)
        }
    }
}

fn check_count(count: usize, span: Span) -> Lowered<()> {
    if count <= ALTERNATIVES_LIMIT {
        return Ok(());
    }
    let found = Diagnostic::error("the disjunctions of this rule multiply out too far", span)
        .label(format!("more than {ALTERNATIVES_LIMIT} combinations"))
        .help("move a disjunction into a relation of its own");
    Err(Box::new(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::tree;

    fn rules(text: &str) -> (Vec<String>, Vec<Diagnostic>) {
        let trees = tree::read(SourceId(0), text).unwrap();
        let mut findings = Vec::new();
        let description = lower(&trees, SourceId(0), text.len(), &mut findings);
        (description.rules.iter().map(|rule| description.rule_text(rule)).collect(), findings)
    }

    #[test]
    fn disjunctions_become_rules() {
        let (rules, findings) = rules("(<= (p ?x) (q ?x) (or (r ?x) (not (or s (t ?x)))))");
        assert_eq!(rules, ["(<= (p ?x) (q ?x) (r ?x))", "(<= (p ?x) (q ?x) (not s) (not (t ?x)))"]);
        assert!(findings.is_empty());
    }

    #[test]
    fn terms_that_are_not_distinct_are_the_same() {
        let (rules, findings) = rules(
            "(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)))
(<= (p ?x) (q ?x ?y) (not (distinct (f ?x b) (f a ?y))))
(<= (p ?x) (q ?x) (not (distinct a b)))
(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))
(<= (p ?x) (q ?x) (or (not (distinct ?x a)) (not (distinct a b)) (distinct ?x b)))",
        );
        let expected = [
            "(<= (p ?y ?y) (q ?y ?y))",
            "(<= (p a) (q a b))",
            "(<= (p a) (q a))",
            "(<= (p ?x) (q ?x) (distinct ?x b))",
        ];
        assert_eq!(rules, expected);
        assert!(findings.is_empty());
    }

    #[test]
    fn facts_and_nested_terms() {
        let (rules, _) = rules("(INIT (Cell (at 1 2) b)) (<= Terminal (true (x)))");
        assert_eq!(rules, ["(init (Cell (at 1 2) b))", "(<= terminal (true x))"]);
    }

    #[test]
    fn disjunctions_are_bounded() {
        let body = "(or a b c d) ".repeat(40);
        let (rules, findings) = rules(&format!("(<= p {body})"));
        assert!(rules.is_empty());
        assert!(findings[0].message.contains("multiply out"));
    }
}
