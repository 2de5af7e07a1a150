//! What a GDL text says: rules over interned names.

use super::names::{Keyword, Name, Names};
use crate::diagnostic::Span;

/// A term with variables numbered within its rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the rule.
    Var(u32),
    /// A constant.
    Const(Name),
    /// A function applied to at least one argument.
    Func(Name, Box<[Term]>),
}

impl Term {
    /// Calls `visit` with every variable in the term.
    pub fn each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Term::Var(var) => visit(*var),
            Term::Const(_) => {}
            Term::Func(_, args) => args.iter().for_each(|arg| arg.each_var(visit)),
        }
    }

    /// Whether the term has no variables.
    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.each_var(&mut |_| ground = false);
        ground
    }
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: Name,
    /// Its arguments.
    pub args: Box<[Term]>,
    /// Where it is written.
    pub span: Span,
}

impl Atom {
    /// Whether it is an application of the keyword.
    pub fn is(&self, keyword: Keyword) -> bool {
        self.relation == keyword.name()
    }

    /// Calls `visit` with every variable in the atom.
    pub fn each_var(&self, visit: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.each_var(visit));
    }
}

/// One condition of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold.
    Not(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
}

impl Literal {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Literal::Holds(atom) | Literal::Not(atom) => atom.span,
            Literal::Distinct(_, _, span) => *span,
        }
    }

    /// Calls `visit` with every variable in the literal.
    pub fn each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Holds(atom) | Literal::Not(atom) => atom.each_var(visit),
            Literal::Distinct(left, right, _) => {
                left.each_var(visit);
                right.each_var(visit);
            }
        }
    }

    /// The atom, unless it is a `distinct`.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) | Literal::Not(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }
}

/// `head` holds where all of `body` does. A fact is a rule without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
    /// Names of the variables, by number.
    pub vars: Vec<Name>,
    /// Where it is written.
    pub span: Span,
}

/// All rules of a game. Disjunctions are gone: a rule with `or` became several rules.
#[derive(Clone, Debug)]
pub struct Description {
    /// The names that the rules use.
    pub names: Names,
    /// The rules in the order of the text.
    pub rules: Vec<Rule>,
    /// The whole text, for findings that belong to no place in particular.
    pub span: Span,
}

impl Description {
    /// The text of a term, variables by their names in `vars`.
    pub fn term_text(&self, term: &Term, vars: &[Name]) -> String {
        match term {
            Term::Var(var) => self.names.text(vars[*var as usize]).to_owned(),
            Term::Const(name) => self.names.text(*name).to_owned(),
            Term::Func(name, args) => self.application(*name, args, vars),
        }
    }

    /// The text of an atom.
    pub fn atom_text(&self, atom: &Atom, vars: &[Name]) -> String {
        match atom.args.len() {
            0 => self.names.text(atom.relation).to_owned(),
            _ => self.application(atom.relation, &atom.args, vars),
        }
    }

    /// The text of a rule, as the tests and `info --stage rules` show it.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let head = self.atom_text(&rule.head, &rule.vars);
        if rule.body.is_empty() {
            return head;
        }
        let body = rule.body.iter().map(|literal| self.literal_text(literal, &rule.vars));
        format!("(<= {head} {})", body.collect::<Vec<_>>().join(" "))
    }

    fn literal_text(&self, literal: &Literal, vars: &[Name]) -> String {
        match literal {
            Literal::Holds(atom) => self.atom_text(atom, vars),
            Literal::Not(atom) => format!("(not {})", self.atom_text(atom, vars)),
            Literal::Distinct(left, right, _) => {
                let [left, right] = [left, right].map(|term| self.term_text(term, vars));
                format!("(distinct {left} {right})")
            }
        }
    }

    fn application(&self, name: Name, args: &[Term], vars: &[Name]) -> String {
        let mut text = format!("({}", self.names.text(name));
        for arg in args {
            text.push(' ');
            text.push_str(&self.term_text(arg, vars));
        }
        text.push(')');
        text
    }
}
