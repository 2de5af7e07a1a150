//! A description prepared for running: condensed rules, and what is fixed for the whole game.

use ludex_lang::kif::check::Strata;
use ludex_lang::kif::{Description, Keyword, Literal, Name, Names, Rule};

use super::bounds::{Bounds, Exceeded};
use super::condense::condense;
use super::pattern::Pattern;
use super::plan::{Catalogue, Found};
use super::saturate::{Program, Sink};
use super::store::{Store, ViewId};
use super::terms::TermId;

/// Condensed rules with everything that depends on neither position nor moves worked out.
#[derive(Debug)]
pub struct Prepared {
    /// All names.
    pub names: Names,
    /// The rules that depend on the position or the moves.
    pub rules: Vec<Rule>,
    /// The order in which those rules can be evaluated: a rule needs only its own component and
    /// smaller ones.
    pub component: Vec<usize>,
    /// All facts that never change, `init` and `role` included.
    pub store: Store,
    /// The players in the order of the text.
    pub roles: Vec<TermId>,
    /// The facts of the first position (the arguments of `init`).
    pub init: Vec<TermId>,
    dynamic: Vec<bool>,
}

impl Prepared {
    /// Works out what never changes.
    pub fn new(description: &Description, bounds: &Bounds) -> Result<Prepared, Exceeded> {
        let mut names = description.names.clone();
        let rules = condense(&mut names, description.rules.clone());
        let strata = Strata::new(&rules);
        let dynamic = dynamic_relations(&names, &rules);
        let is_dynamic = |rule: usize| dynamic[rules[rule].head.relation.0 as usize];
        let mut fixed: Vec<usize> = (0..rules.len()).filter(|&rule| !is_dynamic(rule)).collect();
        // Facts first: no rule depends on them having been derived in its own component.
        fixed.sort_by_key(|&rule| (!rules[rule].body.is_empty(), strata.component(rule), rule));
        let mut store = Store::default();
        evaluate_fixed(&mut store, &rules, &fixed, &strata, bounds)?;

        let argument = |store: &Store, atom: TermId| store.terms.args(atom)[0];
        let of = |keyword: Keyword| {
            store.facts(keyword.name()).iter().map(|&atom| argument(&store, atom))
        };
        let (roles, init) = (of(Keyword::Role).collect(), of(Keyword::Init).collect());
        let moving: Vec<usize> = (0..rules.len()).filter(|&rule| is_dynamic(rule)).collect();
        Ok(Prepared {
            component: moving.iter().map(|&rule| strata.component(rule)).collect(),
            rules: moving.iter().map(|&rule| rules[rule].clone()).collect(),
            names,
            store,
            roles,
            init,
            dynamic,
        })
    }

    /// Whether facts of the relation may differ between positions.
    pub fn is_dynamic(&self, relation: Name) -> bool {
        self.dynamic[relation.0 as usize]
    }
}

/// Marks the relations that depend on `true` or `does`, and those that are results.
fn dynamic_relations(names: &Names, rules: &[Rule]) -> Vec<bool> {
    let mut dynamic = vec![false; names.len()];
    let given = [Keyword::True, Keyword::Does];
    let results = [Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal];
    for keyword in given.into_iter().chain(results) {
        dynamic[keyword.name().0 as usize] = true;
    }
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

struct Fixed;

impl Catalogue for Fixed {
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

/// Evaluates rules that never change, component by component, so that negations are exact.
fn evaluate_fixed(
    store: &mut Store,
    rules: &[Rule],
    fixed: &[usize],
    strata: &Strata,
    bounds: &Bounds,
) -> Result<(), Exceeded> {
    let heads: Vec<Pattern> =
        rules.iter().map(|rule| Pattern::atom(&mut store.terms, &rule.head)).collect();
    let mut sink = Heads { heads: &heads, most_terms: bounds.terms };
    let mut found = Found::within(bounds.work);
    let mut at = 0;
    while at < fixed.len() {
        let key = |rule: usize| (!rules[rule].body.is_empty(), strata.component(rule));
        let first = key(fixed[at]);
        let length = match first.0 {
            // All facts go in at once.
            false => fixed[at..].iter().take_while(|&&rule| !key(rule).0).count(),
            true => fixed[at..].iter().take_while(|&&rule| key(rule) == first).count(),
        };
        let chosen = &fixed[at..at + length];
        at += length;
        if !first.0 {
            for &rule in chosen {
                if let Pattern::Const(atom) = heads[rule] {
                    store.insert(atom);
                }
            }
            continue;
        }
        let own: Vec<Name> = chosen.iter().map(|&rule| rules[rule].head.relation).collect();
        let program = Program::new(store, rules, chosen, &|name| own.contains(&name), &Fixed);
        program
            .saturate(store, Vec::new(), &mut found, &mut sink)
            .map_err(|_| Exceeded::of(found.budget == 0, "the rules that never change"))?;
    }
    Ok(())
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
