//! Bottom-up evaluation: rules are applied until nothing new follows.
//!
//! Facts wait in a queue. Each is shown to the joins once and starts only the plans of the
//! conditions it fits, so no combination of facts is ever looked at twice (semi-naive
//! evaluation, one fact at a time).

use ludex_lang::kif::{Literal, Name, Rule};
use rustc_hash::FxHashMap;

use super::plan::{Catalogue, Found, Plan, ROWS_AT_A_TIME};
use super::store::Store;
use super::terms::TermId;

/// Compiled rules that are evaluated together.
#[derive(Debug, Default)]
pub struct Program {
    full: Vec<Plan>,
    triggered: FxHashMap<Name, Vec<Plan>>,
}

/// What to do with each combination of facts that a rule's conditions admit.
pub trait Sink {
    /// Takes a combination: the variables' values and the atom that met each condition. Facts
    /// that follow and are new are pushed on the queue.
    fn derive(
        &mut self,
        store: &mut Store,
        rule: usize,
        values: &[u32],
        atoms: &[u32],
        queue: &mut Vec<TermId>,
    );

    /// Whether there is no room for more.
    fn is_full(&self, store: &Store) -> bool;
}

/// Evaluation stopped before everything followed: a bound was reached.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfBounds;

impl Program {
    /// Compiles the chosen rules; new facts of relations that `grows` accepts start plans.
    pub fn new(
        store: &mut Store,
        rules: &[Rule],
        chosen: &[usize],
        grows: &dyn Fn(Name) -> bool,
        catalogue: &dyn Catalogue,
    ) -> Program {
        let mut program = Program::default();
        for &rule in chosen {
            program.full.push(Plan::new(store, rules, rule, None, catalogue));
            for (literal, condition) in rules[rule].body.iter().enumerate() {
                match condition {
                    Literal::Holds(atom) if grows(atom.relation) => {
                        let plan = Plan::new(store, rules, rule, Some(literal), catalogue);
                        program.triggered.entry(atom.relation).or_default().push(plan);
                    }
                    _ => {}
                }
            }
        }
        program
    }

    /// Applies the rules until nothing new follows. `queue` may hold facts to start from, which are
    /// added to the store but not shown yet. Where a bound is reached, those that were not shown are taken back:
    /// nobody could clear them.
    pub fn saturate(
        &self,
        store: &mut Store,
        mut queue: Vec<TermId>,
        found: &mut Found,
        sink: &mut dyn Sink,
    ) -> Result<(), OutOfBounds> {
        let mut next = 0;
        let result = self.follow(store, &mut queue, &mut next, found, sink);
        if result.is_err() {
            queue[next..].iter().for_each(|&atom| store.take_back(atom));
        }
        result
    }

    /// The part of the queue before `next` is done.
    fn follow(
        &self,
        store: &mut Store,
        queue: &mut Vec<TermId>,
        next: &mut usize,
        found: &mut Found,
        sink: &mut dyn Sink,
    ) -> Result<(), OutOfBounds> {
        for plan in &self.full {
            apply(plan, None, store, found, sink, queue)?;
        }
        while let Some(&atom) = queue.get(*next) {
            *next += 1;
            let relation = Name(store.terms.row(atom)[0]);
            store.show(atom);
            for plan in self.triggered.get(&relation).into_iter().flatten() {
                let view = plan.trigger.as_ref().expect("triggered plans have one").view;
                if let Some(row) = store.newest_row(view, atom) {
                    apply(plan, Some(row), store, found, sink, queue)?;
                }
            }
            // The part of the queue that is done is dropped now and then.
            if *next > 1 << 16 {
                queue.drain(..*next);
                *next = 0;
            }
        }
        Ok(())
    }
}

fn apply(
    plan: &Plan,
    row: Option<u32>,
    store: &mut Store,
    found: &mut Found,
    sink: &mut dyn Sink,
    queue: &mut Vec<TermId>,
) -> Result<(), OutOfBounds> {
    let count = plan.run(store, row, found);
    if found.budget == 0 {
        return Err(OutOfBounds);
    }
    for at in 0..count {
        let (values, atoms) = found.split(plan, at);
        sink.derive(store, plan.rule, values, atoms, queue);
        // A single join may find millions.
        let stopped = (at as u64).is_multiple_of(ROWS_AT_A_TIME) && found.is_over();
        if stopped || sink.is_full(store) {
            return Err(OutOfBounds);
        }
    }
    Ok(())
}
