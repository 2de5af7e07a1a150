//! The propositional network: every ground rule as gates over the facts and the moves.

mod batch;
mod build;
mod flat;
mod lanes;
mod modes;
pub mod passes;
mod position;
mod rules;
mod sample;

pub use build::build;
pub use rules::NetworkRules;

use super::bounds::Cancel;
use super::terms::TermId;

/// A gate or its negation: the gate's number times two, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    /// Never true.
    pub const FALSE: Lit = Lit(0);
    /// Always true.
    pub const TRUE: Lit = Lit(1);

    /// The plain literal of a gate.
    pub fn of(gate: usize) -> Lit {
        Lit(gate as u32 * 2)
    }

    /// The gate.
    pub fn gate(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether the gate's value is turned around.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal or its negation.
    pub fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    /// Whether the value never changes.
    pub fn is_constant(self) -> bool {
        self.gate() == 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.negate_if(true)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing: always false. Gate 0 and no other.
    False,
    /// A fact of the position.
    Base(u32),
    /// A move that is made, numbered through all roles.
    Does(u32),
    /// The value of a recursive definition; see [`Loop`].
    Loop(u32),
    /// True where all inputs are.
    And,
    /// True where some input is.
    Or,
}

/// A fact of the position.
#[derive(Clone, Debug)]
pub struct Base {
    /// The fact.
    pub fact: TermId,
    /// Whether it holds at the start.
    pub initially: bool,
    /// Whether it holds next.
    pub next: Lit,
}

/// A move of a role.
#[derive(Clone, Debug)]
pub struct Input {
    /// The move's term.
    pub action: TermId,
    /// Whether it is legal.
    pub legal: Lit,
}

/// A gate that is defined through itself. Its value is the least one that satisfies the
/// definition, taken together with the other loops of its block.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Loops that depend on each other share a block; a block depends only on smaller ones.
    pub block: u32,
    /// What it equals.
    pub definition: Lit,
}

/// A goal of a role.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The value's term.
    pub value: TermId,
    /// Whether it is reached.
    pub reached: Lit,
}

/// Gates that are looked at between two looks at the signal to stop.
const GATES_AT_A_TIME: usize = 1 << 14;

/// A network. Gates stand after their inputs.
#[derive(Clone, Debug)]
pub struct Network {
    /// Once this is raised, whatever is made of the network is worthless, and soon made.
    pub cancel: Cancel,
    kinds: Vec<Kind>,
    ends: Vec<u32>,
    inputs: Vec<Lit>,
    /// The facts of positions.
    pub bases: Vec<Base>,
    /// The moves of each role.
    pub moves: Vec<Vec<Input>>,
    /// Whether the game is over.
    pub terminal: Lit,
    /// The goals of each role.
    pub goals: Vec<Vec<Goal>>,
    /// The recursive definitions.
    pub loops: Vec<Loop>,
    /// Whatever else is asked.
    pub asked: Vec<Lit>,
}

impl Network {
    /// A network without gates; its literals are false.
    fn new(roles: usize) -> Network {
        let mut network = Network {
            cancel: Cancel::default(),
            kinds: Vec::new(),
            ends: Vec::new(),
            inputs: Vec::new(),
            bases: Vec::new(),
            moves: vec![Vec::new(); roles],
            terminal: Lit::FALSE,
            goals: vec![Vec::new(); roles],
            loops: Vec::new(),
            asked: Vec::new(),
        };
        network.push(Kind::False, &[]);
        network
    }

    /// Adds a gate.
    pub fn push(&mut self, kind: Kind, inputs: &[Lit]) -> Lit {
        self.kinds.push(kind);
        self.inputs.extend_from_slice(inputs);
        self.ends.push(self.inputs.len() as u32);
        Lit::of(self.kinds.len() - 1)
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Never true: gate 0 is always there.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.inputs.len()
    }

    /// What a gate computes.
    pub fn kind(&self, gate: usize) -> Kind {
        self.kinds[gate]
    }

    /// What a gate looks at.
    pub fn inputs(&self, gate: usize) -> &[Lit] {
        let start = gate.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.inputs[start as usize..self.ends[gate] as usize]
    }

    /// Every literal that something outside the gates looks at.
    pub fn outputs(&self) -> impl Iterator<Item = Lit> + '_ {
        let next = self.bases.iter().map(|base| base.next);
        let legal = self.moves.iter().flatten().map(|input| input.legal);
        let goals = self.goals.iter().flatten().map(|goal| goal.reached);
        let loops = self.loops.iter().map(|own| own.definition);
        let asked = self.asked.iter().copied();
        next.chain(legal).chain(goals).chain(loops).chain(asked).chain([self.terminal])
    }

    /// Calls `visit` with every literal that something outside the gates looks at.
    pub fn each_output(&mut self, mut visit: impl FnMut(&mut Lit)) {
        self.bases.iter_mut().for_each(|base| visit(&mut base.next));
        self.moves.iter_mut().flatten().for_each(|input| visit(&mut input.legal));
        visit(&mut self.terminal);
        self.goals.iter_mut().flatten().for_each(|goal| visit(&mut goal.reached));
        self.loops.iter_mut().for_each(|own| visit(&mut own.definition));
        self.asked.iter_mut().for_each(visit);
    }

    /// The same network with every gate passed through `place`, which gets the new network, the
    /// kind and the new inputs (to change at will), and returns what now stands for the gate.
    pub fn rewrite(
        &self,
        mut place: impl FnMut(&mut Network, usize, Kind, &mut Vec<Lit>) -> Lit,
    ) -> Network {
        let mut out = Network {
            cancel: self.cancel.clone(),
            kinds: Vec::with_capacity(self.kinds.len()),
            ends: Vec::with_capacity(self.ends.len()),
            inputs: Vec::with_capacity(self.inputs.len()),
            bases: self.bases.clone(),
            moves: self.moves.clone(),
            terminal: self.terminal,
            goals: self.goals.clone(),
            loops: self.loops.clone(),
            asked: self.asked.clone(),
        };
        out.push(Kind::False, &[]);
        let mut map = vec![Lit::FALSE];
        let mut inputs = Vec::new();
        for gate in 1..self.len() {
            if gate.is_multiple_of(GATES_AT_A_TIME) && self.cancel.is_raised() {
                return self.called_off();
            }
            inputs.clear();
            let renamed =
                self.inputs(gate).iter().map(|lit| map[lit.gate()].negate_if(lit.negated()));
            inputs.extend(renamed);
            map.push(place(&mut out, gate, self.kinds[gate], &mut inputs));
        }
        out.each_output(|lit| *lit = map[lit.gate()].negate_if(lit.negated()));
        out
    }

    /// A network with the same outputs, all of them false: quick to go on with until somebody notices.
    fn called_off(&self) -> Network {
        let mut out = Network {
            cancel: self.cancel.clone(),
            bases: self.bases.clone(),
            moves: self.moves.clone(),
            goals: self.goals.clone(),
            asked: self.asked.clone(),
            ..Network::new(0)
        };
        out.each_output(|lit| *lit = Lit::FALSE);
        out
    }

    /// How many gates and outputs look at each gate.
    pub fn fanouts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        self.inputs.iter().for_each(|lit| counts[lit.gate()] += 1);
        for lit in self.outputs() {
            counts[lit.gate()] += 1;
        }
        counts
    }
}
