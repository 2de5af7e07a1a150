//! A description prepared for running: what is fixed for the whole game is worked out, the rest
//! is left as rules.

use ludex_lang::kif::check::Strata;
use ludex_lang::kif::{Description, Keyword, Literal, Name, Names, Rule};

use super::bounds::{Bounds, Exceeded};
use super::condense::condense;
use super::pattern::Pattern;
use super::plan::{Catalogue, Found};
use super::saturate::{Program, Sink};
use super::store::{Store, ViewId};
use super::terms::TermId;

/// Rules with everything that depends on neither position nor moves worked out.
#[derive(Debug)]
pub struct Prepared {
    /// All names.
    pub names: Names,
    /// The rules that depend on the position or the moves.
    pub rules: Vec<Rule>,
    /// All facts that never change, `init` and `role` included.
    pub store: Store,
    /// The players in the order of the text.
    pub roles: Vec<TermId>,
    /// The facts of the first position (the arguments of `init`).
    pub init: Vec<TermId>,
    dynamic: Vec<bool>,
    has_open: bool,
}

/// What to do with a relation that never changes but is too large to work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oversized {
    /// Give up.
    Refuse,
    /// Leave its rules among those that are evaluated when asked. Nobody asks for the facts of the first position and
    /// for roles: those, and what they need, are worked out or refused.
    LeaveOpen,
}

impl Prepared {
    /// Works out what never changes in rules split for grounding; see [`condense`].
    pub fn condensed(description: &Description, bounds: &Bounds) -> Result<Prepared, Exceeded> {
        let mut names = description.names.clone();
        let rules = condense(&mut names, description.rules.clone());
        Prepared::new(names, rules, bounds, Oversized::Refuse)
    }

    /// Works out what never changes in the rules as they are written.
    pub fn direct(description: &Description, bounds: &Bounds) -> Result<Prepared, Exceeded> {
        let (names, rules) = (description.names.clone(), description.rules.clone());
        Prepared::new(names, rules, bounds, Oversized::LeaveOpen)
    }

    fn new(
        names: Names,
        rules: Vec<Rule>,
        bounds: &Bounds,
        oversized: Oversized,
    ) -> Result<Prepared, Exceeded> {
        let given = [Keyword::True, Keyword::Does];
        let results = [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal];
        let changing = given.into_iter().chain(results).map(Keyword::name);
        let mut dynamic = dependent_relations(&names, &rules, changing);
        let mut store = Store::default();
        let fixed = Fixed { rules: &rules, bounds, oversized };
        let open = fixed.evaluate(&mut store, &dynamic)?;
        let has_open = !open.is_empty();
        if has_open {
            let all = (0..)
                .map(Name)
                .zip(&dynamic)
                .filter(|(_, dynamic)| **dynamic)
                .map(|(name, _)| name);
            let all: Vec<Name> = all.chain(open).collect();
            dynamic = dependent_relations(&names, &rules, all.into_iter());
            (0..)
                .map(Name)
                .zip(&dynamic)
                .filter(|(_, dynamic)| **dynamic)
                .for_each(|(name, _)| store.clear(name));
        }
        let argument = |atom: &TermId| store.terms.args(*atom)[0];
        let of = |keyword: Keyword| store.facts(keyword.name()).iter().map(argument).collect();
        let (roles, init) = (of(Keyword::Role), of(Keyword::Init));
        let is_dynamic = |rule: &Rule| dynamic[rule.head.relation.0 as usize];
        let rules = rules.into_iter().filter(is_dynamic).collect();
        Ok(Prepared { names, rules, store, roles, init, dynamic, has_open })
    }

    /// Whether relations that never change were too large to work out.
    pub fn has_open_relations(&self) -> bool {
        self.has_open
    }

    /// Whether facts of the relation may differ between positions.
    pub fn is_dynamic(&self, relation: Name) -> bool {
        self.dynamic[relation.0 as usize]
    }
}

/// Marks the given relations and all that depend on them.
fn dependent_relations(names: &Names, rules: &[Rule], on: impl Iterator<Item = Name>) -> Vec<bool> {
    let mut dynamic = vec![false; names.len()];
    on.for_each(|name| dynamic[name.0 as usize] = true);
    loop {
        let mut changed = false;
        for rule in rules {
            let head = rule.head.relation.0 as usize;
            let needs = |literal: &Literal| {
                literal.atom().is_some_and(|atom| dynamic[atom.relation.0 as usize])
            };
            if !dynamic[head] && rule.body.iter().any(needs) {
                dynamic[head] = true;
                changed = true;
            }
        }
        if !changed {
            return dynamic;
        }
    }
}

/// The relations that the keywords depend on, themselves included.
pub fn needed(rules: &[Rule], keywords: &[Keyword]) -> Vec<Name> {
    let mut reached: Vec<Name> = keywords.iter().map(|keyword| keyword.name()).collect();
    let mut at = 0;
    while at < reached.len() {
        let name = reached[at];
        at += 1;
        for rule in rules.iter().filter(|rule| rule.head.relation == name) {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                if !reached.contains(&atom.relation) {
                    reached.push(atom.relation);
                }
            }
        }
    }
    reached
}

/// Evaluates the rules that never change.
struct Fixed<'r> {
    rules: &'r [Rule],
    bounds: &'r Bounds,
    oversized: Oversized,
}

impl Catalogue for Fixed<'_> {
    fn negation_is_known(&self, _: Name) -> bool {
        true
    }

    fn expected_size(&self, store: &Store, _: Name, view: ViewId) -> f64 {
        // Relations of the same component are still empty; nothing better is known of them.
        match store.read(view).len() {
            0 => 100.0,
            len => len as f64,
        }
    }
}

impl Fixed<'_> {
    /// Goes component by component, so that negations are exact. Returns the relations left open.
    fn evaluate(&self, store: &mut Store, dynamic: &[bool]) -> Result<Vec<Name>, Exceeded> {
        let rules = self.rules;
        let is_fixed = |rule: &usize| !dynamic[rules[*rule].head.relation.0 as usize];
        let (facts, mut derived): (Vec<usize>, Vec<usize>) =
            (0..rules.len()).filter(is_fixed).partition(|&rule| rules[rule].body.is_empty());
        let heads: Vec<Pattern> =
            rules.iter().map(|rule| Pattern::atom(&mut store.terms, &rule.head)).collect();
        for rule in facts {
            if let Pattern::Const(atom) = heads[rule] {
                store.insert(atom);
            }
        }
        let strata = Strata::new(rules);
        derived.sort_by_key(|&rule| (strata.component(rule), rule));
        let mut found = Found::within(self.bounds);
        let mut open: Vec<Name> = Vec::new();
        let needed = needed(rules, &[Keyword::Init, Keyword::Role]);
        let chunks =
            derived.chunk_by(|&one, &other| strata.component(one) == strata.component(other));
        for chunk in chunks {
            let own: Vec<Name> = chunk.iter().map(|&rule| rules[rule].head.relation).collect();
            let needs_open = |&rule: &usize| {
                let mut needed = rules[rule].body.iter().filter_map(|literal| literal.atom());
                needed.any(|atom| open.contains(&atom.relation))
            };
            let is_needed = own.iter().any(|name| needed.contains(name));
            let oversized = if is_needed { Oversized::Refuse } else { self.oversized };
            let too_large = chunk.iter().any(needs_open)
                || !self.component(store, chunk, &heads, oversized, &mut found);
            if too_large {
                if oversized == Oversized::Refuse {
                    let stage = if is_needed { "the first position" } else { "what never changes" };
                    return Err(Exceeded::of(found.budget == 0, stage));
                }
                own.iter().for_each(|&name| store.clear(name));
                open.extend(own);
            }
        }
        Ok(open)
    }

    /// Evaluates one component; `false` if it is too large.
    fn component(
        &self,
        store: &mut Store,
        chunk: &[usize],
        heads: &[Pattern],
        oversized: Oversized,
        found: &mut Found,
    ) -> bool {
        let mut most_terms = self.bounds.terms;
        match (oversized, self.oversized) {
            // What is left open costs little, so little is spent on finding that out.
            (Oversized::LeaveOpen, _) => {
                found.budget = self.bounds.work / 50;
                most_terms = store.terms.len() + self.bounds.terms / 20;
            }
            (Oversized::Refuse, Oversized::LeaveOpen) => found.budget = self.bounds.work,
            // Everything together has one bound.
            (Oversized::Refuse, Oversized::Refuse) => {}
        }
        let own = |name| chunk.iter().any(|&rule| self.rules[rule].head.relation == name);
        let program = Program::new(store, self.rules, chunk, &own, self);
        let mut sink = Heads { heads, most_terms };
        program.saturate(store, Vec::new(), found, &mut sink).is_ok()
    }
}

/// Adds the heads that follow.
struct Heads<'h> {
    heads: &'h [Pattern],
    most_terms: usize,
}

impl Sink for Heads<'_> {
    fn derive(
        &mut self,
        store: &mut Store,
        rule: usize,
        values: &[u32],
        _: &[u32],
        queue: &mut Vec<TermId>,
    ) {
        let head = &self.heads[rule];
        let atom = head.build(&mut store.terms, values);
        if store.add(atom) {
            queue.push(atom);
        }
    }

    fn is_full(&self, store: &Store) -> bool {
        store.terms.len() > self.most_terms
    }
}

#[cfg(test)]
mod tests {
    use ludex_lang::diagnostic::SourceId;
    use ludex_lang::kif;

    use super::*;

    /// Rules whose first position has ten facts to the power of `digits`.
    fn prepared(digits: usize) -> Result<Prepared, Exceeded> {
        let numbers: String = (0..10).map(|n| format!("(n {n}) ")).collect();
        let names: Vec<String> = (0..digits).map(|n| format!("?d{n}")).collect();
        let each: String = names.iter().map(|name| format!("(n {name}) ")).collect();
        let text = format!(
            "(role a) {numbers} (<= (init (c {})) {each}) (<= (legal a x) (true ?any))
            (<= (next ?any) (true ?any)) (goal a 0) (<= terminal (true over))",
            names.join(" ")
        );
        let checked = kif::read(SourceId(0), &text).expect("right rules");
        let bounds = Bounds { work: 150_000, terms: 6_000, ..Bounds::default() };
        Prepared::direct(&checked.description, &bounds)
    }

    #[test]
    fn the_first_position_is_worked_out_or_refused() {
        // More than is spent on what may be left open, and less than the bounds allow.
        assert_eq!(prepared(3).expect("within the bounds").init.len(), 1_000);
        assert!(prepared(4).is_err());
    }
}
