//! Which rules are evaluated when: for every position, for goals, for the next position.

use ludex_lang::kif::check::Strata;
use ludex_lang::kif::{Keyword, Literal, Name, Names, Rule};

use rustc_hash::{FxHashMap, FxHashSet};

use super::demand::Demand;
use crate::program::{Prepared, needed};

/// Rules in three stages. A stage may use what the first one has concluded, never what another has.
#[derive(Debug)]
pub struct Stages {
    /// Names, those of new relations included.
    pub names: Names,
    /// All rules.
    pub rules: Vec<Rule>,
    /// What every position needs: legal moves and the end. Rules in groups that depend only on
    /// themselves and on earlier groups.
    pub view: Vec<Vec<usize>>,
    /// What goals need.
    pub goal: Vec<Vec<usize>>,
    /// What the next position needs.
    pub next: Vec<Vec<usize>>,
    /// Relations that collect what is asked for; a rule that has one is to start from it.
    pub asks: FxHashSet<Name>,
}

impl Stages {
    /// Everything that the rules conclude is worked out, asked for or not.
    pub fn exhaustive(prepared: &Prepared) -> Stages {
        let rules = prepared.rules.clone();
        let view = needed(&rules, &[Keyword::Legal, Keyword::Terminal]);
        let goal = needed(&rules, &[Keyword::Goal]);
        let next = needed(&rules, &[Keyword::Next]);
        let stage = |wanted: &dyn Fn(Name) -> bool| {
            let chosen = (0..rules.len()).filter(|&rule| wanted(rules[rule].head.relation));
            in_order(&rules, chosen.collect())
        };
        Stages {
            names: prepared.names.clone(),
            view: stage(&|name| view.contains(&name)),
            goal: stage(&|name| goal.contains(&name) && !view.contains(&name)),
            next: stage(&|name| next.contains(&name) && !view.contains(&name)),
            rules,
            asks: FxHashSet::default(),
        }
    }

    /// Only what somebody asks for is worked out. Where that would make a negation depend on
    /// itself, the negated relation is worked out whole.
    pub fn demanded(prepared: &Prepared) -> Stages {
        let mut whole = FxHashSet::default();
        loop {
            let mut names = prepared.names.clone();
            let copies = FxHashMap::default();
            let asks = FxHashSet::default();
            let mut demand = Demand { rules: &prepared.rules, whole, copies, asks };
            let mut rules = Vec::new();
            let mut stage = |label: &str, results: &[Keyword]| {
                let start = rules.len();
                rules.extend(demand.rewrite(&mut names, label, results));
                start..rules.len()
            };
            let view = stage("view", &[Keyword::Legal, Keyword::Terminal]);
            let goal = stage("goal", &[Keyword::Goal]);
            let next = stage("next", &[Keyword::Next]);
            let circular = circular_negations(&rules, &demand.copies);
            let asks = demand.asks;
            whole = demand.whole;
            let before = whole.len();
            whole.extend(circular);
            if whole.len() > before {
                continue;
            }
            let [view, goal, next] =
                [view, goal, next].map(|range| in_order(&rules, range.collect()));
            return Stages { names, rules, view, goal, next, asks };
        }
    }
}

/// The relations whose negation depends on itself.
fn circular_negations(rules: &[Rule], copies: &FxHashMap<Name, Name>) -> Vec<Name> {
    let strata = Strata::new(rules);
    let mut circular = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for literal in &rule.body {
            match literal {
                Literal::Not(atom) if strata.recursive(rules, number, atom) => {
                    circular.extend(copies.get(&atom.relation).copied());
                }
                _ => {}
            }
        }
    }
    circular
}

/// Groups rules by component, in the order of their dependencies; facts come first.
fn in_order(rules: &[Rule], mut chosen: Vec<usize>) -> Vec<Vec<usize>> {
    let strata = Strata::new(rules);
    let group = |rule: usize| match rules[rule].body.is_empty() {
        true => 0,
        false => 1 + strata.component(rule),
    };
    chosen.sort_by_key(|&rule| (group(rule), rule));
    chosen.chunk_by(|&one, &other| group(one) == group(other)).map(<[usize]>::to_vec).collect()
}
