//! Evaluating rules for one position at a time.

use std::sync::Arc;

use ludex_lang::kif::{Keyword, Name};
use rustc_hash::FxHashSet;

use super::encode::{self, TermList};
use super::stages::Stages;
use crate::pattern::Pattern;
use crate::plan::{Catalogue, Found};
use crate::program::Prepared;
use crate::saturate::{OutOfBounds, Program, Sink};
use crate::store::{Store, ViewId};
use crate::terms::TermId;

/// Most rows that joins may look at for one position, and most terms that may be in use.
pub const WORK_LIMIT: u64 = 200_000_000;
const TERMS_LIMIT: usize = 20_000_000;

/// What rules say about a position.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The facts that are true.
    pub facts: TermList,
    /// The legal moves of each role.
    pub legal: Vec<TermList>,
    /// Whether the game is over.
    pub terminal: bool,
    /// The goal values of each role; worked out when the game is over.
    pub goals: Vec<TermList>,
}

/// Compiled rules and the facts they work on.
pub struct Workspace {
    store: Store,
    heads: Vec<Pattern>,
    view: Vec<Program>,
    goal: Vec<Program>,
    next: Vec<Program>,
    dynamic: Vec<Name>,
    roles: Vec<TermId>,
    fixed_terms: usize,
    found: Found,
    loaded: Option<Arc<Answers>>,
    /// Most rows that joins may look at in one stage.
    pub work_limit: u64,
    work_done: u64,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Workspace")
    }
}

impl Workspace {
    /// Compiles the rules.
    pub fn new(prepared: &Prepared, stages: &Stages) -> Workspace {
        let mut store = prepared.store.clone();
        let rules = &stages.rules;
        let heads = rules.iter().map(|rule| Pattern::atom(&mut store.terms, &rule.head)).collect();
        let mut dynamic: Vec<Name> = rules.iter().map(|rule| rule.head.relation).collect();
        dynamic.extend([Keyword::True.name(), Keyword::Does.name()]);
        dynamic.sort_unstable();
        dynamic.dedup();
        let catalogue = PerPosition { dynamic: &dynamic, asks: &stages.asks };
        let mut compile = |groups: &Vec<Vec<usize>>| -> Vec<Program> {
            let program = |group: &Vec<usize>| {
                let own: Vec<Name> = group.iter().map(|&rule| rules[rule].head.relation).collect();
                let grows = |name: Name| own.contains(&name);
                Program::new(&mut store, rules, group, &grows, &catalogue)
            };
            groups.iter().map(program).collect()
        };
        Workspace {
            heads,
            view: compile(&stages.view),
            goal: compile(&stages.goal),
            next: compile(&stages.next),
            dynamic,
            roles: prepared.roles.clone(),
            fixed_terms: store.terms.len(),
            store,
            found: Found::default(),
            loaded: None,
            work_limit: WORK_LIMIT,
            work_done: 0,
        }
    }

    /// Rows looked at so far.
    pub fn work_done(&self) -> u64 {
        self.work_done
    }

    /// What the rules say about the first position.
    pub fn first(&mut self, prepared: &Prepared) -> Result<Arc<Answers>, OutOfBounds> {
        let facts = TermList::sorted(&self.store.terms, prepared.init.iter().copied());
        self.answer(facts)
    }

    /// What the rules say about a position.
    fn answer(&mut self, facts: TermList) -> Result<Arc<Answers>, OutOfBounds> {
        self.load(&facts)?;
        let mut answers = Answers { facts, ..Answers::default() };
        let terminal = self.store.terms.find(&[Keyword::Terminal.name().0]);
        answers.terminal = terminal.is_some_and(|atom| self.store.holds(atom));
        answers.legal = self.by_role(Keyword::Legal);
        if answers.terminal {
            answers.goals = self.goals()?;
        }
        let answers = Arc::new(answers);
        self.loaded = Some(answers.clone());
        Ok(answers)
    }

    /// The goal values of each role in a position.
    pub fn goals_of(&mut self, position: &Arc<Answers>) -> Result<Vec<TermList>, OutOfBounds> {
        self.reload(position)?;
        let goals = self.goals();
        self.loaded = None;
        goals
    }

    /// What follows when each role makes its move (given by its place among the legal ones).
    pub fn advance(
        &mut self,
        position: &Arc<Answers>,
        joint: &[u32],
    ) -> Result<Arc<Answers>, OutOfBounds> {
        self.reload(position)?;
        self.loaded = None;
        for (role, &chosen) in joint.iter().enumerate() {
            let action =
                encode::read(&mut self.store.terms, position.legal[role].words(chosen as usize));
            let does = self.store.terms.intern(&[Keyword::Does.name().0, self.roles[role], action]);
            self.store.insert(does);
        }
        self.run(Group::Next)?;
        let terms = &self.store.terms;
        let next = self.store.facts(Keyword::Next.name()).iter().map(|&atom| terms.args(atom)[0]);
        let facts = TermList::sorted(terms, next);
        self.answer(facts)
    }

    fn goals(&mut self) -> Result<Vec<TermList>, OutOfBounds> {
        self.run(Group::Goal)?;
        Ok(self.by_role(Keyword::Goal))
    }

    fn by_role(&self, keyword: Keyword) -> Vec<TermList> {
        let terms = &self.store.terms;
        let of_role = |&role: &TermId| {
            let atoms = self.store.facts(keyword.name()).iter().map(|&atom| terms.args(atom));
            TermList::sorted(terms, atoms.filter(|args| args[0] == role).map(|args| args[1]))
        };
        self.roles.iter().map(of_role).collect()
    }

    fn reload(&mut self, position: &Arc<Answers>) -> Result<(), OutOfBounds> {
        match &self.loaded {
            Some(loaded) if Arc::ptr_eq(loaded, position) => Ok(()),
            _ => self.load(&position.facts),
        }
    }

    /// Enters a position's facts and works out what every position needs.
    fn load(&mut self, facts: &TermList) -> Result<(), OutOfBounds> {
        self.loaded = None;
        for &relation in &self.dynamic {
            self.store.clear(relation);
        }
        if self.store.terms.len() > self.fixed_terms * 2 + 200_000 {
            self.store.terms.truncate(self.fixed_terms);
        }
        for at in 0..facts.len() {
            let fact = encode::read(&mut self.store.terms, facts.words(at));
            let atom = self.store.terms.intern(&[Keyword::True.name().0, fact]);
            self.store.insert(atom);
        }
        self.run(Group::View)
    }

    fn run(&mut self, group: Group) -> Result<(), OutOfBounds> {
        self.found.budget = self.work_limit;
        let limit = self.work_limit;
        let Workspace { store, heads, view, goal, next, found, work_done, .. } = self;
        let programs = match group {
            Group::View => view,
            Group::Goal => goal,
            Group::Next => next,
        };
        for program in programs {
            program.saturate(store, Vec::new(), found, &mut Conclude { heads })?;
        }
        *work_done += limit - found.budget;
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Group {
    View,
    Goal,
    Next,
}

struct PerPosition<'p> {
    dynamic: &'p [Name],
    asks: &'p FxHashSet<Name>,
}

impl Catalogue for PerPosition<'_> {
    fn negation_is_known(&self, _: Name) -> bool {
        true
    }

    fn expected_size(&self, store: &Store, relation: Name, view: ViewId) -> f64 {
        match self.dynamic.binary_search(&relation).is_ok() {
            // Nothing is worth looking at before it is asked for.
            true if self.asks.contains(&relation) => 1.0,
            true if relation == Keyword::Does.name() => 2.0,
            true => 60.0,
            false => store.read(view).len() as f64,
        }
    }
}

/// Adds the heads that follow.
struct Conclude<'h> {
    heads: &'h [Pattern],
}

impl Sink for Conclude<'_> {
    fn derive(
        &mut self,
        store: &mut Store,
        rule: usize,
        values: &[u32],
        _: &[u32],
        queue: &mut Vec<TermId>,
    ) {
        let atom = self.heads[rule].build(&mut store.terms, values);
        if store.add(atom) {
            queue.push(atom);
        }
    }

    fn is_full(&self, store: &Store) -> bool {
        store.terms.len() > TERMS_LIMIT
    }
}
