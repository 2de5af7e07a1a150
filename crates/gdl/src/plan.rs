//! How the conditions of one rule are joined: in which order, through which indexes.

use ludex_lang::kif::{Atom, Literal, Name, Rule, Term};

use super::bounds::{Bounds, Cancel};
use super::pattern::Pattern;
use super::store::{Shape, Store, ViewId, key_of};
use super::terms::TermId;

/// A value known before a row is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// Always the same.
    Const(TermId),
    /// A variable bound by an earlier step.
    Var(usize),
}

impl Known {
    #[inline]
    fn value(self, values: &[u32]) -> u32 {
        match self {
            Known::Const(id) => id,
            Known::Var(var) => values[var],
        }
    }
}

/// Finds facts for one positive condition.
#[derive(Clone, Debug)]
pub struct Match {
    /// The condition's place in the body.
    pub literal: usize,
    /// The table to look in.
    pub view: ViewId,
    index: Option<usize>,
    key: Box<[Known]>,
    checks: Box<[(usize, Known)]>,
    same: Box<[(usize, usize)]>,
    binds: Box<[(usize, usize)]>,
    /// Whether only facts older than the one that started the join count.
    older: bool,
}

impl Match {
    /// Tests a row and takes its values.
    #[inline]
    pub fn accept(&self, columns: &[u32], values: &mut [u32]) -> bool {
        let expected =
            self.checks.iter().all(|&(column, known)| columns[column] == known.value(values));
        if !expected || self.same.iter().any(|&(one, other)| columns[one] != columns[other]) {
            return false;
        }
        for &(column, var) in &self.binds {
            values[var] = columns[column];
        }
        true
    }
}

/// One step of a join.
#[derive(Clone, Debug)]
pub enum Step {
    /// A positive condition.
    Match(Match),
    /// Two terms must differ.
    Differ(Pattern, Pattern),
    /// An atom must not hold.
    Absent(Pattern),
}

/// A compiled rule, started by nothing or by one new fact.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule's number.
    pub rule: usize,
    /// The condition that a new fact fills, if the plan is started by one.
    pub trigger: Option<Match>,
    steps: Box<[Step]>,
    vars: usize,
    positives: usize,
}

/// What a plan's author must know about relations.
pub trait Catalogue {
    /// Whether a negation can be tested while joining. If not, it is left out of the plan.
    fn negation_is_known(&self, relation: Name) -> bool;
    /// How many facts to expect.
    fn expected_size(&self, store: &Store, relation: Name, view: ViewId) -> f64;
}

impl Plan {
    /// Compiles a rule. With a trigger, conditions before it must be met by older facts, so that
    /// each combination of facts is found exactly once.
    pub fn new(
        store: &mut Store,
        rules: &[Rule],
        rule: usize,
        trigger: Option<usize>,
        catalogue: &dyn Catalogue,
    ) -> Plan {
        let Rule { body, vars, .. } = &rules[rule];
        let mut planner =
            Planner { store, bound: vec![false; vars.len()], trigger, steps: Vec::new() };
        let trigger = trigger.map(|literal| planner.take(body, literal));
        let mut matches: Vec<usize> = Vec::new();
        let mut filters: Vec<usize> = Vec::new();
        for (literal, condition) in body.iter().enumerate() {
            match condition {
                Literal::Holds(_) if planner.trigger == Some(literal) => {}
                Literal::Holds(_) => matches.push(literal),
                Literal::Not(atom) if !catalogue.negation_is_known(atom.relation) => {}
                _ => filters.push(literal),
            }
        }
        loop {
            planner.place_filters(body, &mut filters);
            let Some(best) = planner.cheapest(body, &matches, catalogue) else { break };
            let literal = matches.swap_remove(best);
            let step = planner.take(body, literal);
            planner.steps.push(Step::Match(step));
        }
        debug_assert!(filters.is_empty(), "safe rules bind all variables");
        let steps = planner.steps.into();
        Plan { rule, trigger, steps, vars: vars.len(), positives: body.len() }
    }
}

struct Planner<'s> {
    store: &'s mut Store,
    bound: Vec<bool>,
    trigger: Option<usize>,
    steps: Vec<Step>,
}

impl Planner<'_> {
    fn place_filters(&mut self, body: &[Literal], filters: &mut Vec<usize>) {
        filters.retain(|&literal| {
            let mut ready = true;
            body[literal].each_var(&mut |var| ready &= self.bound[var as usize]);
            if ready {
                let terms = &mut self.store.terms;
                self.steps.push(match &body[literal] {
                    Literal::Not(atom) => Step::Absent(Pattern::atom(terms, atom)),
                    Literal::Distinct(left, right, _) => {
                        Step::Differ(Pattern::new(terms, left), Pattern::new(terms, right))
                    }
                    Literal::Holds(_) => unreachable!("positive conditions are no filters"),
                });
            }
            !ready
        });
    }

    /// The position in `matches` of the condition that promises the fewest rows.
    fn cheapest(
        &mut self,
        body: &[Literal],
        matches: &[usize],
        catalogue: &dyn Catalogue,
    ) -> Option<usize> {
        let mut best = None;
        for (at, &literal) in matches.iter().enumerate() {
            let cost = self.cost(positive(&body[literal]), catalogue);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn cost(&mut self, atom: &Atom, catalogue: &dyn Catalogue) -> f64 {
        let shapes: Vec<Shape> = atom.args.iter().map(Shape::of).collect();
        let view = self.store.view(atom.relation, &shapes);
        let size = catalogue.expected_size(self.store, atom.relation, view).max(1.0);
        let (mut known, mut all) = (0usize, 0usize);
        let mut columns = Vec::new();
        atom.args.iter().for_each(|arg| leaves(arg, &mut columns));
        for leaf in columns {
            all += 1;
            known += usize::from(match leaf {
                Term::Var(var) => self.bound[*var as usize],
                _ => true,
            });
        }
        let unknown = if all == 0 { 0.0 } else { (all - known) as f64 / all as f64 };
        size.powf(unknown)
    }

    /// Compiles a positive condition and marks its variables as bound.
    fn take(&mut self, body: &[Literal], literal: usize) -> Match {
        let atom = positive(&body[literal]);
        let shapes: Vec<Shape> = atom.args.iter().map(Shape::of).collect();
        let view = self.store.view(atom.relation, &shapes);
        let mut columns = Vec::new();
        atom.args.iter().for_each(|arg| leaves(arg, &mut columns));
        let (mut checks, mut same, mut binds) =
            (Vec::new(), Vec::new(), Vec::<(usize, usize)>::new());
        for (column, leaf) in columns.into_iter().enumerate() {
            match leaf {
                Term::Var(var) if self.bound[*var as usize] => {
                    checks.push((column, Known::Var(*var as usize)));
                }
                Term::Var(var) => {
                    let var = *var as usize;
                    match binds.iter().find(|&&(_, other)| other == var) {
                        Some(&(first, _)) => same.push((first, column)),
                        None => binds.push((column, var)),
                    }
                }
                ground => {
                    let Pattern::Const(id) = Pattern::new(&mut self.store.terms, ground) else {
                        unreachable!("leaves are variables or ground")
                    };
                    checks.push((column, Known::Const(id)));
                }
            }
        }
        for &(_, var) in &binds {
            self.bound[var] = true;
        }
        let is_trigger = self.trigger == Some(literal);
        let index = (!checks.is_empty() && !is_trigger).then(|| {
            let columns: Vec<usize> = checks.iter().map(|&(column, _)| column).collect();
            self.store.index(view, &columns)
        });
        let key = checks.iter().map(|&(_, known)| known).collect();
        let older = self.trigger.is_some_and(|trigger| literal < trigger);
        let (checks, same, binds) = (checks.into(), same.into(), binds.into());
        Match { literal, view, index, key, checks, same, binds, older }
    }
}

fn positive(literal: &Literal) -> &Atom {
    match literal {
        Literal::Holds(atom) => atom,
        _ => unreachable!("only positive conditions are matched"),
    }
}

/// The places of a term that are columns of its view.
fn leaves<'t>(term: &'t Term, out: &mut Vec<&'t Term>) {
    match term {
        Term::Func(_, args) if !term.is_ground() => args.iter().for_each(|arg| leaves(arg, out)),
        _ => out.push(term),
    }
}

/// Most words that one join may find; a join that finds more has exhausted every bound.
const MOST_WORDS: usize = 100_000_000;

/// Rows that a join looks at between two looks at the signal to stop.
pub const ROWS_AT_A_TIME: u64 = 4096;

/// What joins have found: for each combination the variables' values, then the atom that met each
/// condition of the body. Reused from join to join.
#[derive(Debug, Default)]
pub struct Found {
    values: Vec<u32>,
    atoms: Vec<u32>,
    /// All combinations, one after another.
    pub rows: Vec<u32>,
    /// How many rows joins may still look at.
    pub budget: u64,
    cancel: Cancel,
}

impl Found {
    /// An empty store of findings that allows as many rows to be looked at as the bounds do.
    pub fn within(bounds: &Bounds) -> Self {
        Found { budget: bounds.work, cancel: bounds.cancel.clone(), ..Found::default() }
    }

    /// Whether looking must stop. To be asked now and then: it costs more than a comparison.
    pub fn is_over(&mut self) -> bool {
        if self.cancel.is_raised() {
            self.budget = 0;
        }
        self.budget == 0
    }

    /// Splits a combination into values and atoms.
    pub fn split<'f>(&'f self, plan: &Plan, row: usize) -> (&'f [u32], &'f [u32]) {
        let width = plan.width();
        self.rows[row * width..(row + 1) * width].split_at(plan.vars)
    }
}

impl Plan {
    fn width(&self) -> usize {
        self.vars + self.positives
    }

    /// Finds every combination and returns their number; with a trigger, `row` is the new fact's.
    /// Looking stops when the budget is spent.
    pub fn run(&self, store: &Store, row: Option<u32>, found: &mut Found) -> usize {
        found.values.resize(self.vars, 0);
        found.atoms.clear();
        found.atoms.resize(self.positives, 0);
        found.rows.clear();
        let mut count = 0;
        match (&self.trigger, row) {
            (Some(trigger), Some(row)) => {
                let view = store.read(trigger.view);
                if trigger.accept(view.columns(row), &mut found.values) {
                    found.atoms[trigger.literal] = view.atom(row);
                    self.step(store, 0, view.age(row), found, &mut count);
                }
            }
            _ if self.wants_the_unknown(store) => {}
            _ => self.step(store, 0, u32::MAX, found, &mut count),
        }
        count
    }

    /// Whether a condition cannot be met because its relation is empty; those before it might be many.
    fn wants_the_unknown(&self, store: &Store) -> bool {
        let empty =
            |step: &Step| matches!(step, Step::Match(step) if store.read(step.view).len() == 0);
        self.steps.iter().any(empty)
    }

    fn step(&self, store: &Store, at: usize, age: u32, found: &mut Found, count: &mut usize) {
        let Some(step) = self.steps.get(at) else {
            // Rules without variables or conditions still count.
            found.rows.extend_from_slice(&found.values[..self.vars]);
            found.rows.extend_from_slice(&found.atoms);
            *count += 1;
            if found.rows.len() > MOST_WORDS {
                found.budget = 0;
            }
            return;
        };
        match step {
            Step::Differ(left, right) => {
                if !left.same(right, &store.terms, &found.values) {
                    self.step(store, at + 1, age, found, count);
                }
            }
            Step::Absent(atom) => {
                let known = atom.find(&store.terms, &found.values);
                if !known.is_some_and(|atom| store.holds(atom)) {
                    self.step(store, at + 1, age, found, count);
                }
            }
            Step::Match(step) => self.each_match(store, step, at, age, found, count),
        }
    }

    fn each_match(
        &self,
        store: &Store,
        step: &Match,
        at: usize,
        age: u32,
        found: &mut Found,
        count: &mut usize,
    ) {
        let view = store.read(step.view);
        let mut visit = |row: u32, found: &mut Found| {
            if found.budget.is_multiple_of(ROWS_AT_A_TIME) && found.is_over() {
                return false;
            }
            found.budget -= 1;
            let young_enough = !step.older || view.age(row) < age;
            if young_enough && step.accept(view.columns(row), &mut found.values) {
                found.atoms[step.literal] = view.atom(row);
                self.step(store, at + 1, age, found, count);
            }
            true
        };
        match step.index {
            Some(index) => {
                let key = key_of(step.key.iter().map(|known| known.value(&found.values)));
                let mut row = view.first(index, key);
                while let Some(this) = row {
                    if !visit(this, found) {
                        return;
                    }
                    row = view.next(index, this);
                }
            }
            None => {
                for row in 0..view.len() as u32 {
                    if !visit(row, found) {
                        return;
                    }
                }
            }
        }
    }
}
