//! Ground rules to gates.

use ludex_lang::kif::Keyword;
use rustc_hash::FxHashMap;

use super::{Base, GATES_AT_A_TIME, Goal, Input, Kind, Lit, Loop, Network};
use crate::bounds::Cancel;
use crate::ground::Grounded;
use crate::program::Prepared;
use crate::terms::TermId;

/// Builds the network of all atoms that positions, moves, the end or goals depend on.
/// Once the signal is raised, what comes of it is worthless.
pub fn build(prepared: &Prepared, grounded: &Grounded, cancel: &Cancel) -> Network {
    let mut network = Network { cancel: cancel.clone(), ..Network::new(prepared.roles.len()) };
    let rules = RulesByHead::new(grounded);
    let mut builder = Builder {
        grounded,
        lits: vec![None; grounded.store.terms.len()],
        network: &mut network,
        rules: &rules,
    };
    builder.place_facts(prepared);
    builder.place_moves(prepared);
    let order = Order::new(&rules, builder.roots(), |atom| builder.is_given(atom), cancel);
    builder.place_atoms(&order);
    builder.connect(prepared);
    network
}

/// The ground rules grouped by their heads.
struct RulesByHead<'g> {
    instances: &'g [u32],
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl<'g> RulesByHead<'g> {
    fn new(grounded: &'g Grounded) -> Self {
        let instances = &grounded.instances;
        let mut starts = vec![0u32; grounded.store.terms.len() + 1];
        each_instance(instances, |at| starts[instances[at] as usize + 1] += 1);
        for atom in 1..starts.len() {
            starts[atom] += starts[atom - 1];
        }
        let mut places = vec![0; starts[starts.len() - 1] as usize];
        let mut next = starts.clone();
        each_instance(instances, |at| {
            let slot = &mut next[instances[at] as usize];
            places[*slot as usize] = at as u32;
            *slot += 1;
        });
        RulesByHead { instances, starts, places }
    }

    /// The bodies of the rules with this head.
    fn bodies(&self, atom: TermId) -> impl ExactSizeIterator<Item = &'g [u32]> + '_ {
        let range = self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize;
        self.places[range].iter().map(|&at| {
            let at = at as usize;
            &self.instances[at + 2..at + 2 + self.instances[at + 1] as usize]
        })
    }

    fn body_count(&self, atom: TermId) -> usize {
        (self.starts[atom as usize + 1] - self.starts[atom as usize]) as usize
    }

    fn body(&self, atom: TermId, number: usize) -> &'g [u32] {
        let at = self.places[self.starts[atom as usize] as usize + number] as usize;
        &self.instances[at + 2..at + 2 + self.instances[at + 1] as usize]
    }
}

fn each_instance(instances: &[u32], mut visit: impl FnMut(usize)) {
    let mut at = 0;
    while at < instances.len() {
        visit(at);
        at += 2 + instances[at + 1] as usize;
    }
}

/// The atoms that matter, each after those it depends on, except where they go in circles.
struct Order {
    atoms: Vec<TermId>,
    /// Place in `atoms`, by atom.
    place: Vec<u32>,
    /// Component, by place.
    component: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;

impl Order {
    /// Walks the dependencies depth first (Tarjan's components on the way).
    fn new(
        rules: &RulesByHead,
        roots: Vec<TermId>,
        given: impl Fn(TermId) -> bool,
        cancel: &Cancel,
    ) -> Order {
        let count = rules.starts.len() - 1;
        let mut order =
            Order { atoms: Vec::new(), place: vec![UNSEEN; count], component: Vec::new() };
        let mut seen = vec![UNSEEN; count];
        let mut low: Vec<u32> = Vec::new();
        let mut entered: Vec<TermId> = Vec::new();
        let mut open: Vec<TermId> = Vec::new();
        let mut closed = vec![false; count];
        let mut component_of: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut components = 0;
        let mut walk: Vec<(TermId, usize, usize)> = Vec::new();
        for root in roots {
            if seen[root as usize] != UNSEEN || cancel.is_raised() {
                continue;
            }
            let mut descend = Some(root);
            while descend.is_some() || !walk.is_empty() {
                if let Some(atom) = descend.take() {
                    seen[atom as usize] = entered.len() as u32;
                    low.push(entered.len() as u32);
                    entered.push(atom);
                    open.push(atom);
                    walk.push((atom, 0, 0));
                }
                let Some((atom, body, literal)) = walk.last_mut() else { break };
                let number = seen[*atom as usize] as usize;
                while *body < rules.body_count(*atom) {
                    let literals = rules.body(*atom, *body);
                    let Some(&next) = literals.get(*literal) else {
                        (*body, *literal) = (*body + 1, 0);
                        continue;
                    };
                    *literal += 1;
                    let next = next / 2;
                    if given(next) || closed[next as usize] {
                        continue;
                    }
                    match seen[next as usize] {
                        UNSEEN => {
                            descend = Some(next);
                            break;
                        }
                        other => low[number] = low[number].min(other),
                    }
                }
                if descend.is_some() {
                    continue;
                }
                let atom = *atom;
                walk.pop();
                order.place[atom as usize] = order.atoms.len() as u32;
                order.atoms.push(atom);
                if let Some(&(parent, ..)) = walk.last() {
                    let parent = seen[parent as usize] as usize;
                    low[parent] = low[parent].min(low[number]);
                }
                if low[number] == number as u32 {
                    while let Some(member) = open.pop() {
                        closed[member as usize] = true;
                        component_of.insert(member, components);
                        if member == atom {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        order.component = order.atoms.iter().map(|atom| component_of[atom]).collect();
        order
    }
}

struct Builder<'b> {
    grounded: &'b Grounded,
    lits: Vec<Option<Lit>>,
    network: &'b mut Network,
    rules: &'b RulesByHead<'b>,
}

impl Builder<'_> {
    fn place_facts(&mut self, prepared: &Prepared) {
        let store = &self.grounded.store;
        for &atom in store.facts(Keyword::True.name()) {
            let fact = store.terms.args(atom)[0];
            let lit = self.network.push(Kind::Base(self.network.bases.len() as u32), &[]);
            self.network.bases.push(Base { fact, initially: false, next: Lit::FALSE });
            self.lits[atom as usize] = Some(lit);
        }
        let number: FxHashMap<TermId, usize> =
            self.network.bases.iter().map(|base| base.fact).zip(0..).collect();
        for fact in &prepared.init {
            self.network.bases[number[fact]].initially = true;
        }
    }

    fn place_moves(&mut self, prepared: &Prepared) {
        let store = &self.grounded.store;
        let mut atoms: Vec<Vec<TermId>> = vec![Vec::new(); prepared.roles.len()];
        for &atom in store.facts(Keyword::Does.name()) {
            let args = store.terms.args(atom);
            if let Some(role) = prepared.roles.iter().position(|&role| role == args[0]) {
                atoms[role].push(atom);
                self.network.moves[role].push(Input { action: args[1], legal: Lit::FALSE });
            }
        }
        for (number, &atom) in atoms.iter().flatten().enumerate() {
            self.lits[atom as usize] = Some(self.network.push(Kind::Does(number as u32), &[]));
        }
    }

    /// Facts, moves and what can never hold need no rules.
    fn is_given(&self, atom: TermId) -> bool {
        let name = self.grounded.store.terms.row(atom)[0];
        name == Keyword::True.name().0
            || name == Keyword::Does.name().0
            || !self.grounded.store.holds(atom)
    }

    /// The atoms that something outside the network looks at.
    fn roots(&self) -> Vec<TermId> {
        let results = [Keyword::Next, Keyword::Legal, Keyword::Terminal, Keyword::Goal];
        let facts = |keyword: Keyword| self.grounded.store.facts(keyword.name()).iter().copied();
        results.into_iter().flat_map(facts).collect()
    }

    fn place_atoms(&mut self, order: &Order) {
        let mut loops: FxHashMap<TermId, Lit> = FxHashMap::default();
        for (place, &atom) in order.atoms.iter().enumerate() {
            if place.is_multiple_of(GATES_AT_A_TIME) && self.network.cancel.is_raised() {
                return;
            }
            let mut bodies = Vec::with_capacity(self.rules.body_count(atom));
            for body in self.rules.bodies(atom) {
                let inputs: Vec<Lit> = body
                    .iter()
                    .map(|&literal| self.literal(literal, place, order, &mut loops))
                    .collect();
                bodies.push(self.network.push(Kind::And, &inputs));
            }
            let lit = self.network.push(Kind::Or, &bodies);
            self.lits[atom as usize] = Some(lit);
        }
        for (atom, gate) in loops {
            let Kind::Loop(at) = self.network.kind(gate.gate()) else { continue };
            let definition = self.lits[atom as usize].expect("placed above");
            self.network.loops[at as usize].definition = definition;
        }
    }

    fn literal(
        &mut self,
        literal: u32,
        place: usize,
        order: &Order,
        loops: &mut FxHashMap<TermId, Lit>,
    ) -> Lit {
        let atom = literal / 2;
        let negated = literal & 1 == 1;
        if let Some(lit) = self.lits[atom as usize] {
            return lit.negate_if(negated);
        }
        let its_place = order.place[atom as usize];
        if its_place == UNSEEN || (its_place as usize) < place {
            return Lit::FALSE.negate_if(negated);
        }
        // The atom comes later: this is where a circle closes.
        let network = &mut *self.network;
        let gate = loops.entry(atom).or_insert_with(|| {
            let block = order.component[its_place as usize];
            network.loops.push(Loop { block, definition: Lit::FALSE });
            network.push(Kind::Loop(network.loops.len() as u32 - 1), &[])
        });
        gate.negate_if(negated)
    }

    fn lit(&self, row: &[u32]) -> Lit {
        let atom = self.grounded.store.terms.find(row);
        atom.and_then(|atom| self.lits[atom as usize]).unwrap_or(Lit::FALSE)
    }

    fn connect(&mut self, prepared: &Prepared) {
        for at in 0..self.network.bases.len() {
            let fact = self.network.bases[at].fact;
            self.network.bases[at].next = self.lit(&[Keyword::Next.name().0, fact]);
        }
        for role in 0..prepared.roles.len() {
            for at in 0..self.network.moves[role].len() {
                let action = self.network.moves[role][at].action;
                let row = [Keyword::Legal.name().0, prepared.roles[role], action];
                self.network.moves[role][at].legal = self.lit(&row);
            }
        }
        self.network.terminal = self.lit(&[Keyword::Terminal.name().0]);
        let store = &self.grounded.store;
        for &atom in store.facts(Keyword::Goal.name()) {
            let args = store.terms.args(atom);
            if let Some(role) = prepared.roles.iter().position(|&role| role == args[0]) {
                let reached = self.lits[atom as usize].unwrap_or(Lit::FALSE);
                self.network.goals[role].push(Goal { value: args[1], reached });
            }
        }
    }
}
