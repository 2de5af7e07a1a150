//! Grounding: every rule instance that some reachable position might use.
//!
//! Evaluation starts from `init` and treats "may hold" as "holds": whatever `next` gives may be
//! `true` later, whatever is `legal` may be done, and a negation of something that changes may
//! be satisfied. What never changes was worked out before and leaves no trace in the instances.

use ludex_lang::kif::{Keyword, Literal, Name};

use super::bounds::{Bounds, Exceeded};
use super::pattern::Pattern;
use super::plan::{Catalogue, Found};
use super::program::Prepared;
use super::saturate::{Program, Sink};
use super::store::{Store, ViewId};
use super::terms::TermId;

/// The ground rules of a game.
#[derive(Debug)]
pub struct Grounded {
    /// All terms, atoms and facts.
    pub store: Store,
    /// Ground rules one after another: head, number of literals, then literals, each an atom
    /// times two, plus one if it is negated.
    pub instances: Vec<u32>,
}

/// Grounds the rules, if that stays within the bounds.
pub fn ground(prepared: &Prepared, bounds: &Bounds) -> Result<Grounded, Exceeded> {
    let mut store = prepared.store.clone();
    let recorded = (0..prepared.rules.len()).map(|rule| Recorded::new(prepared, &mut store, rule));
    let mut sink = Recorder {
        recorded: recorded.collect(),
        roles: &prepared.roles,
        instances: Vec::new(),
        literals: Vec::new(),
        bounds,
    };
    let all: Vec<usize> = (0..prepared.rules.len()).collect();
    let grows = |name: Name| prepared.is_dynamic(name);
    let program = Program::new(&mut store, &prepared.rules, &all, &grows, &Reachable(prepared));
    let mut queue = Vec::new();
    for &fact in &prepared.init {
        assume(&mut store, &[Keyword::True.name().0, fact], &mut queue);
    }
    let mut found = Found::within(bounds);
    let done = program.saturate(&mut store, queue, &mut found, &mut sink);
    done.map_err(|_| Exceeded::of(found.budget == 0, "grounding"))?;
    Ok(Grounded { store, instances: sink.instances })
}

fn assume(store: &mut Store, row: &[u32], queue: &mut Vec<TermId>) {
    let atom = store.terms.intern(row);
    if store.add(atom) {
        queue.push(atom);
    }
}

struct Reachable<'p>(&'p Prepared);

impl Catalogue for Reachable<'_> {
    fn negation_is_known(&self, relation: Name) -> bool {
        !self.0.is_dynamic(relation)
    }

    fn expected_size(&self, store: &Store, relation: Name, view: ViewId) -> f64 {
        match self.0.is_dynamic(relation) {
            true => 1000.0,
            false => store.read(view).len() as f64,
        }
    }
}

/// What an instance of a rule keeps: its head and the literals that change.
struct Recorded {
    head: Pattern,
    effect: Effect,
    positive: Vec<usize>,
    negative: Vec<Pattern>,
}

/// What follows from a head beyond itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    MayBeTrue,
    MayBeDone,
}

impl Recorded {
    fn new(prepared: &Prepared, store: &mut Store, rule: usize) -> Recorded {
        let rule = &prepared.rules[rule];
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for (at, literal) in rule.body.iter().enumerate() {
            match literal {
                Literal::Holds(atom) if prepared.is_dynamic(atom.relation) => positive.push(at),
                Literal::Not(atom) if prepared.is_dynamic(atom.relation) => {
                    negative.push(Pattern::atom(&mut store.terms, atom));
                }
                _ => {}
            }
        }
        let effect = match () {
            () if rule.head.is(Keyword::Next) => Effect::MayBeTrue,
            () if rule.head.is(Keyword::Legal) => Effect::MayBeDone,
            () => Effect::Nothing,
        };
        Recorded { head: Pattern::atom(&mut store.terms, &rule.head), effect, positive, negative }
    }
}

struct Recorder<'p> {
    recorded: Vec<Recorded>,
    roles: &'p [TermId],
    instances: Vec<u32>,
    literals: Vec<u32>,
    bounds: &'p Bounds,
}

impl Sink for Recorder<'_> {
    fn derive(
        &mut self,
        store: &mut Store,
        rule: usize,
        values: &[u32],
        atoms: &[u32],
        queue: &mut Vec<TermId>,
    ) {
        let Recorded { head, effect, positive, negative } = &self.recorded[rule];
        self.literals.clear();
        self.literals.extend(positive.iter().map(|&at| atoms[at] * 2));
        for atom in negative {
            self.literals.push(atom.build(&mut store.terms, values) * 2 + 1);
        }
        let head = head.build(&mut store.terms, values);
        let mut argument = [Keyword::True.name().0, 0, 0];
        match effect {
            Effect::Nothing => {}
            Effect::MayBeTrue => {
                argument[1] = store.terms.args(head)[0];
                assume(store, &argument[..2], queue);
            }
            Effect::MayBeDone => {
                let args = store.terms.args(head);
                argument = [Keyword::Does.name().0, args[0], args[1]];
                if !self.roles.contains(&args[0]) {
                    return;
                }
                assume(store, &argument, queue);
            }
        }
        if store.add(head) {
            queue.push(head);
        }
        self.instances.extend([head, self.literals.len() as u32]);
        self.instances.extend_from_slice(&self.literals);
    }

    fn is_full(&self, store: &Store) -> bool {
        store.terms.len() > self.bounds.terms || self.instances.len() > self.bounds.literals
    }
}
