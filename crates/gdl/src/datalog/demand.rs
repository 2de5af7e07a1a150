//! Rules rewritten so that bottom-up evaluation derives only what is asked for (magic sets).
//!
//! A condition `p(X, Y)` met with X known becomes a condition on a copy of `p` for that use, and a
//! new relation collects the values of X that are asked for: the copy's rules start from there.
//! Conditions are taken in the order in which they are written, as a prover would.

use ludex_lang::kif::{Atom, Keyword, Literal, Name, Names, Rule, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rules to rewrite, and the relations that must be worked out whole.
pub struct Demand<'r> {
    /// The rules.
    pub rules: &'r [Rule],
    /// Relations that are never asked for in part.
    pub whole: FxHashSet<Name>,
    /// The relation that each new one is a copy of.
    pub copies: FxHashMap<Name, Name>,
    /// The new relations that collect what is asked for.
    pub asks: FxHashSet<Name>,
}

impl Demand<'_> {
    /// Rewrites what the results depend on. `label` keeps the new relations of several rewritings
    /// apart.
    pub fn rewrite(&mut self, names: &mut Names, label: &str, results: &[Keyword]) -> Vec<Rule> {
        let mut rules_of: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for (number, rule) in self.rules.iter().enumerate() {
            rules_of.entry(rule.head.relation).or_default().push(number);
        }
        let mut rewriting = Rewriting {
            names,
            demand: self,
            rules_of,
            label,
            results,
            out: Vec::new(),
            seen: FxHashSet::default(),
            todo: results.iter().map(|result| (result.name(), Vec::new())).collect(),
        };
        while let Some((relation, known)) = rewriting.todo.pop() {
            if rewriting.seen.insert((relation, known.clone())) {
                rewriting.relation(relation, &known);
            }
        }
        rewriting.out
    }
}

/// Which arguments of a use are known; empty where none is and nothing need be collected.
type Known = Vec<bool>;

struct Rewriting<'r, 'd> {
    names: &'r mut Names,
    demand: &'r mut Demand<'d>,
    rules_of: FxHashMap<Name, Vec<usize>>,
    label: &'r str,
    results: &'r [Keyword],
    out: Vec<Rule>,
    seen: FxHashSet<(Name, Known)>,
    todo: Vec<(Name, Known)>,
}

impl Rewriting<'_, '_> {
    fn relation(&mut self, relation: Name, known: &Known) {
        for number in self.rules_of.get(&relation).cloned().unwrap_or_default() {
            let rule: &Rule = &self.demand.rules[number];
            self.rule(rule, known);
        }
    }

    fn rule(&mut self, rule: &Rule, known: &Known) {
        let mut bound = vec![false; rule.vars.len()];
        let mut body: Vec<Literal> = Vec::new();
        if !known.is_empty() {
            let asked = self.asked(&rule.head, known);
            asked.each_var(&mut |var| bound[var as usize] = true);
            body.push(Literal::Holds(asked));
        }
        let mut waiting: Vec<&Literal> = Vec::new();
        for literal in &rule.body {
            match literal {
                Literal::Holds(atom) => {
                    let atom = self.used(rule, atom, &bound, &body);
                    atom.each_var(&mut |var| bound[var as usize] = true);
                    body.push(Literal::Holds(atom));
                }
                filter => waiting.push(filter),
            }
            self.place_filters(rule, &mut waiting, &bound, &mut body);
        }
        self.place_filters(rule, &mut waiting, &bound, &mut body);
        let head = self.renamed(&rule.head, known);
        self.out.push(Rule { head, body, vars: rule.vars.clone(), span: rule.span });
    }

    fn place_filters(
        &mut self,
        rule: &Rule,
        waiting: &mut Vec<&Literal>,
        bound: &[bool],
        body: &mut Vec<Literal>,
    ) {
        let mut at = 0;
        while at < waiting.len() {
            let mut ready = true;
            waiting[at].each_var(&mut |var| ready &= bound[var as usize]);
            if !ready {
                at += 1;
                continue;
            }
            let placed = match waiting.remove(at) {
                Literal::Not(atom) => Literal::Not(self.used(rule, atom, bound, body)),
                other => other.clone(),
            };
            body.push(placed);
        }
    }

    /// The condition to look at instead of `atom`, after asking for it.
    fn used(&mut self, rule: &Rule, atom: &Atom, bound: &[bool], before: &[Literal]) -> Atom {
        if !self.rules_of.contains_key(&atom.relation) {
            return atom.clone();
        }
        let mut known: Known = atom.args.iter().map(|arg| is_known(arg, bound)).collect();
        if !known.contains(&true)
            || self.is_result(atom)
            || self.demand.whole.contains(&atom.relation)
        {
            known.clear();
        }
        self.todo.push((atom.relation, known.clone()));
        if !known.is_empty() {
            let head = self.asked(atom, &known);
            let body = before.to_vec();
            let asks = Rule { head, body, vars: rule.vars.clone(), span: rule.span };
            // A question that only repeats itself asks for nothing new.
            if !matches!(&asks.body[..], [Literal::Holds(only)] if *only == asks.head) {
                self.out.push(asks);
            }
        }
        self.renamed(atom, &known)
    }

    fn asked(&mut self, atom: &Atom, known: &Known) -> Atom {
        let relation = self.name("ask", atom.relation, known);
        self.demand.asks.insert(relation);
        let args = atom.args.iter().zip(known).filter(|(_, known)| **known);
        Atom { relation, args: args.map(|(arg, _)| arg.clone()).collect(), span: atom.span }
    }

    fn is_result(&self, atom: &Atom) -> bool {
        self.results.iter().any(|&keyword| atom.is(keyword))
    }

    /// The results keep their names. All else is copied, for another rewriting may ask for it too.
    fn renamed(&mut self, atom: &Atom, known: &Known) -> Atom {
        if self.is_result(atom) {
            return atom.clone();
        }
        let relation = self.name("use", atom.relation, known);
        self.demand.copies.insert(relation, atom.relation);
        Atom { relation, args: atom.args.clone(), span: atom.span }
    }

    fn name(&mut self, what: &str, relation: Name, known: &Known) -> Name {
        let pattern: String = known.iter().map(|&known| if known { 'k' } else { 'u' }).collect();
        // Blanks cannot occur in names that are read, so these are new.
        let text = format!("{what} {} {} {pattern}", self.label, self.names.text(relation));
        self.names.intern(&text)
    }
}

fn is_known(arg: &Term, bound: &[bool]) -> bool {
    let mut known = true;
    arg.each_var(&mut |var| known &= bound[var as usize]);
    known
}
