//! Terms with variables, filled in from the values a join has found.

use ludex_lang::kif::{Atom, Name, Term};

use super::terms::{TermId, Terms};

/// A term whose ground parts are numbers already.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A ground term.
    Const(TermId),
    /// A variable's value.
    Var(usize),
    /// A function of other patterns.
    Func(Name, Box<[Pattern]>),
}

impl Pattern {
    /// The pattern of a term.
    pub fn new(terms: &mut Terms, term: &Term) -> Pattern {
        match term {
            Term::Var(var) => Pattern::Var(*var as usize),
            Term::Const(name) => Pattern::Const(terms.constant(*name)),
            Term::Func(name, args) => Pattern::apply(terms, *name, args),
        }
    }

    /// The pattern of an atom.
    pub fn atom(terms: &mut Terms, atom: &Atom) -> Pattern {
        Pattern::apply(terms, atom.relation, &atom.args)
    }

    fn apply(terms: &mut Terms, name: Name, args: &[Term]) -> Pattern {
        let args: Box<[Pattern]> = args.iter().map(|arg| Pattern::new(terms, arg)).collect();
        let ground: Option<Vec<TermId>> = args.iter().map(Pattern::ground).collect();
        match ground {
            Some(ids) => Pattern::Const(terms.intern(&row(name, &ids))),
            None => Pattern::Func(name, args),
        }
    }

    fn ground(&self) -> Option<TermId> {
        match self {
            Pattern::Const(id) => Some(*id),
            _ => None,
        }
    }

    /// The term for these values, added to the table if it is new.
    pub fn build(&self, terms: &mut Terms, values: &[u32]) -> TermId {
        match self {
            Pattern::Const(id) => *id,
            Pattern::Var(var) => values[*var],
            Pattern::Func(name, args) => {
                let mut row = Row::new(*name);
                args.iter().for_each(|arg| row.push(arg.build(terms, values)));
                terms.intern(row.as_slice())
            }
        }
    }

    /// The term for these values, if it is in the table.
    pub fn find(&self, terms: &Terms, values: &[u32]) -> Option<TermId> {
        match self {
            Pattern::Const(id) => Some(*id),
            Pattern::Var(var) => Some(values[*var]),
            Pattern::Func(name, args) => {
                let mut row = Row::new(*name);
                for arg in args {
                    row.push(arg.find(terms, values)?);
                }
                terms.find(row.as_slice())
            }
        }
    }

    /// Whether two patterns give the same term; neither need be in the table.
    pub fn same(&self, other: &Pattern, terms: &Terms, values: &[u32]) -> bool {
        match (self, other) {
            (Pattern::Func(name, args), Pattern::Func(other_name, others)) => {
                name == other_name
                    && args.len() == others.len()
                    && args.iter().zip(others).all(|(one, other)| one.same(other, terms, values))
            }
            _ => match (self.find(terms, values), other.find(terms, values)) {
                (Some(one), Some(other)) => one == other,
                // Only one of them is known to the table, so they differ.
                _ => false,
            },
        }
    }
}

fn row(name: Name, args: &[u32]) -> Vec<u32> {
    std::iter::once(name.0).chain(args.iter().copied()).collect()
}

/// A row under construction; almost all fit without allocating.
struct Row {
    near: [u32; Row::NEAR],
    len: usize,
    far: Vec<u32>,
}

impl Row {
    const NEAR: usize = 12;

    fn new(name: Name) -> Self {
        let mut row = Row { near: [0; Row::NEAR], len: 0, far: Vec::new() };
        row.push(name.0);
        row
    }

    fn push(&mut self, value: u32) {
        if self.len < Row::NEAR {
            self.near[self.len] = value;
        } else {
            if self.len == Row::NEAR {
                self.far.extend(self.near);
            }
            self.far.push(value);
        }
        self.len += 1;
    }

    fn as_slice(&self) -> &[u32] {
        if self.len <= Row::NEAR { &self.near[..self.len] } else { &self.far }
    }
}
