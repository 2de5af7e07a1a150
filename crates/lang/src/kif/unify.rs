//! Making terms equal by giving their variables values.

use super::description::{Atom, Literal, Term};

/// A value for some of a rule's variables.
pub(super) struct Substitution(Vec<Option<Term>>);

impl Substitution {
    /// No values for so many variables.
    pub fn new(vars: usize) -> Self {
        Substitution(vec![None; vars])
    }

    /// Makes two terms equal, if they can be.
    pub fn unify(&mut self, left: &Term, right: &Term) -> bool {
        match (self.term(left), self.term(right)) {
            (Term::Var(one), Term::Var(other)) if one == other => true,
            (Term::Var(var), term) | (term, Term::Var(var)) => {
                let mut inside = false;
                term.each_var(&mut |other| inside |= other == var);
                self.0[var as usize] = Some(term);
                !inside
            }
            (Term::Func(one, left), Term::Func(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(&right).all(|(left, right)| self.unify(left, right))
            }
            (left, right) => left == right,
        }
    }

    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Var(var) => match &self.0[*var as usize] {
                Some(value) => self.term(value),
                None => term.clone(),
            },
            Term::Const(_) => term.clone(),
            Term::Func(name, args) => {
                Term::Func(*name, args.iter().map(|arg| self.term(arg)).collect())
            }
        }
    }

    /// The atom with the values in place.
    pub fn atom(&self, atom: Atom) -> Atom {
        Atom { args: atom.args.iter().map(|arg| self.term(arg)).collect(), ..atom }
    }

    /// The literal with the values in place.
    pub fn literal(&self, literal: Literal) -> Literal {
        match literal {
            Literal::Holds(atom) => Literal::Holds(self.atom(atom)),
            Literal::Not(atom) => Literal::Not(self.atom(atom)),
            Literal::Distinct(left, right, span) => {
                Literal::Distinct(self.term(&left), self.term(&right), span)
            }
        }
    }
}
