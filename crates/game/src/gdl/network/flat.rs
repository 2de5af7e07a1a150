//! The network as flat arrays, ready to propagate changes.
//!
//! Every gate is a counter. An `or` starts one below the middle of its range, an `and` as many
//! below as it has inputs; a true input adds one. The top bit of the counter is then the gate's
//! value, whatever the gate, and a change of an input is one addition and one test of that bit.

use super::{Kind, Lit, Loop, Network};

/// The bit of a counter that is the gate's value.
pub const VALUE: u16 = 0x8000;

/// Gates that fill lists up. They are many so that none is ever counted far from its start.
const IDLE: u32 = 64;

/// Most inputs of one gate; wider gates are split into trees.
const WIDEST: usize = 0x4000;

/// Connections are walked this many at a time.
pub const GROUP: usize = 4;

/// What happens when a gate changes. Lists are filled up to whole groups with connections to gates
/// that never matter, and every gate has exactly one output (perhaps of no bits), because to a
/// processor a loop of unpredictable length costs more than a little useless work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fan {
    /// First connection.
    pub start: u32,
    /// Number of connections, in groups.
    pub groups: u32,
    /// The word of the output.
    pub word: u32,
    /// Its bit, or nothing.
    pub mask: u64,
}

/// A gate that is evaluated in order instead of by changes.
#[derive(Clone, Copy, Debug)]
pub struct Ordered {
    /// Its own number.
    pub gate: u32,
    /// First input in [`Flat::ordered_inputs`].
    pub start: u32,
    /// One past the last input.
    pub end: u32,
    /// Whether it is an `or`.
    pub is_or: bool,
}

/// The arrays. Gates that only goals depend on are not propagated but evaluated in order when
/// the game is over.
#[derive(Debug)]
pub struct Flat {
    /// The connections of each gate.
    pub fans: Vec<Fan>,
    /// What reads a gate: the reader's number times two, plus one if it reads the negation.
    pub edges: Vec<u32>,
    /// The gates that the gates after the network's own repeat.
    relays: Vec<u32>,
    /// Counters of the first position before any move.
    pub counters: Vec<u16>,
    /// Outputs of the first position.
    pub outputs: Vec<u64>,
    /// The gate of each fact that rules ask about.
    pub base_gates: Vec<Option<u32>>,
    /// The gate of each move that rules ask about, numbered through all roles.
    pub does_gates: Vec<Option<u32>>,
    /// The recursive definitions, in blocks that depend only on earlier ones.
    pub blocks: Vec<Vec<LoopGate>>,
    /// First word of each role's legal moves in the outputs.
    pub legal_words: Vec<usize>,
    /// First word of the next facts in the outputs.
    pub next_words: usize,
    /// The bit of `terminal` in the outputs.
    pub terminal_bit: usize,
    /// Gates that only goals need.
    pub ordered: Vec<Ordered>,
    /// Their inputs.
    pub ordered_inputs: Vec<Lit>,
    /// The goals of each role as literals of the gates here.
    pub goals: Vec<Vec<Lit>>,
}

/// A gate that is defined through itself.
#[derive(Clone, Copy, Debug)]
pub struct LoopGate {
    /// The gate that others look at.
    pub gate: u32,
    /// What it must equal.
    pub definition: Lit,
}

impl Flat {
    /// Lays a network out.
    pub fn new(network: &Network) -> Flat {
        let network = &split_wide(network);
        let needed = needed_in_play(network);
        let mut layout = Layout::new(network, &needed);
        layout.connect_gates();
        let (terminal_bit, legal_words, next_words) = layout.connect_outputs();
        let mut flat = layout.finish(terminal_bit, legal_words, next_words);
        flat.settle(network);
        flat
    }

    /// Evaluates the first position with recursive definitions still false.
    fn settle(&mut self, network: &Network) {
        let count = network.len();
        let mut values = vec![false; count];
        for gate in 0..count {
            let inputs = network.inputs(gate);
            let value = |lit: &Lit| values[lit.gate()] != lit.negated();
            values[gate] = match network.kind(gate) {
                Kind::And => inputs.iter().all(value),
                Kind::Or => inputs.iter().any(value),
                Kind::Base(base) => network.bases[base as usize].initially,
                Kind::False | Kind::Does(_) | Kind::Loop(_) => false,
            };
        }
        for gate in 0..count {
            let inputs = network.inputs(gate);
            let truths =
                inputs.iter().filter(|lit| values[lit.gate()] != lit.negated()).count() as u16;
            self.counters[gate] = match network.kind(gate) {
                Kind::And => VALUE - inputs.len() as u16 + truths,
                Kind::Or => VALUE - 1 + truths,
                _ if values[gate] => VALUE,
                _ => VALUE - 1,
            };
        }
        for (at, &gate) in self.relays.iter().enumerate() {
            self.counters[count + at] = VALUE - 1 + u16::from(values[gate as usize]);
        }
        self.fill_outputs(network, &values);
    }

    fn fill_outputs(&mut self, network: &Network, values: &[bool]) {
        let value = |lit: Lit| values[lit.gate()] != lit.negated();
        let mut set = |bit: usize, on: bool| self.outputs[bit / 64] |= u64::from(on) << (bit % 64);
        for (role, moves) in network.moves.iter().enumerate() {
            for (at, input) in moves.iter().enumerate() {
                set(self.legal_words[role] * 64 + at, value(input.legal));
            }
        }
        for (at, base) in network.bases.iter().enumerate() {
            set(self.next_words * 64 + at, value(base.next));
        }
        set(self.terminal_bit, value(network.terminal));
    }
}

/// Marks the gates that legal moves, next facts or the end depend on.
fn needed_in_play(network: &Network) -> Vec<bool> {
    let mut needed = vec![false; network.len()];
    let next = network.bases.iter().map(|base| base.next);
    let legal = network.moves.iter().flatten().map(|input| input.legal);
    let loops = network.loops.iter().map(|own| own.definition);
    for lit in next.chain(legal).chain(loops).chain([network.terminal]) {
        needed[lit.gate()] = true;
    }
    for gate in (0..network.len()).rev() {
        let is_gate = matches!(network.kind(gate), Kind::And | Kind::Or);
        needed[gate] |= !is_gate;
        if needed[gate] {
            network.inputs(gate).iter().for_each(|lit| needed[lit.gate()] = true);
        }
    }
    needed
}

/// Splits gates with more inputs than a counter can count.
fn split_wide(network: &Network) -> Network {
    network.rewrite(|out, _, kind, inputs| {
        while inputs.len() > WIDEST {
            let parts: Vec<Lit> = inputs.chunks(WIDEST).map(|part| out.push(kind, part)).collect();
            *inputs = parts;
        }
        out.push(kind, inputs)
    })
}

struct Layout<'n> {
    network: &'n Network,
    needed: &'n [bool],
    to_gates: Vec<Vec<u32>>,
    to_outputs: Vec<Vec<u32>>,
}

impl<'n> Layout<'n> {
    fn new(network: &'n Network, needed: &'n [bool]) -> Self {
        let empty = vec![Vec::new(); network.len()];
        Layout { network, needed, to_gates: empty.clone(), to_outputs: empty }
    }

    fn connect_gates(&mut self) {
        for gate in (0..self.network.len()).filter(|&gate| self.needed[gate]) {
            for lit in self.network.inputs(gate) {
                self.to_gates[lit.gate()].push(gate as u32 * 2 + u32::from(lit.negated()));
            }
        }
    }

    fn connect_outputs(&mut self) -> (usize, Vec<usize>, usize) {
        let mut words = 0;
        let mut legal_words = Vec::new();
        for moves in &self.network.moves {
            legal_words.push(words);
            for (at, input) in moves.iter().enumerate() {
                self.to_outputs[input.legal.gate()].push((words * 64 + at) as u32);
            }
            words += moves.len().div_ceil(64);
        }
        let next_words = words;
        for (at, base) in self.network.bases.iter().enumerate() {
            self.to_outputs[base.next.gate()].push((words * 64 + at) as u32);
        }
        words += self.network.bases.len().div_ceil(64);
        let terminal_bit = words * 64;
        self.to_outputs[self.network.terminal.gate()].push(terminal_bit as u32);
        (terminal_bit, legal_words, next_words)
    }

    /// Gives outputs beyond a gate's first one to gates of their own; returns what those repeat.
    fn relay_outputs(&mut self) -> Vec<u32> {
        let mut relays = Vec::new();
        for gate in 0..self.to_outputs.len() {
            while self.to_outputs[gate].len() > 1 {
                let bit = self.to_outputs[gate].pop().expect("there are at least two");
                let relay = self.to_gates.len() as u32;
                self.to_gates[gate].push(relay * 2);
                self.to_gates.push(Vec::new());
                self.to_outputs.push(vec![bit]);
                relays.push(gate as u32);
            }
        }
        relays
    }

    fn finish(mut self, terminal_bit: usize, legal_words: Vec<usize>, next_words: usize) -> Flat {
        let network = self.network;
        // Constants never change.
        self.to_gates[0].clear();
        self.to_outputs[0].clear();
        let relays = self.relay_outputs();
        let idle = self.to_gates.len() as u32;
        let mut fans = Vec::with_capacity(self.to_gates.len());
        let mut edges = Vec::new();
        for (gates, outputs) in self.to_gates.iter().zip(&self.to_outputs) {
            let start = edges.len() as u32;
            edges.extend_from_slice(gates);
            while edges.len() % GROUP != 0 {
                edges.push((idle + edges.len() as u32 % IDLE) * 2);
            }
            let bit = outputs.first().copied();
            fans.push(Fan {
                start,
                groups: (edges.len() - start as usize) as u32 / GROUP as u32,
                word: bit.unwrap_or(0) / 64,
                mask: bit.map_or(0, |bit| 1 << (bit % 64)),
            });
        }
        let mut base_gates = vec![None; network.bases.len()];
        let mut does_gates = vec![None; network.moves.iter().map(Vec::len).sum()];
        let mut loops = Vec::new();
        for gate in 0..network.len() {
            match network.kind(gate) {
                Kind::Base(base) => base_gates[base as usize] = Some(gate as u32),
                Kind::Does(does) => does_gates[does as usize] = Some(gate as u32),
                Kind::Loop(own) => loops.push((own as usize, gate as u32)),
                _ => {}
            }
        }
        let (ordered, ordered_inputs) = ordered(network, self.needed);
        let goals = network.goals.iter();
        Flat {
            counters: vec![VALUE / 2; fans.len() + IDLE as usize],
            fans,
            edges,
            relays,
            outputs: vec![0; terminal_bit / 64 + 1],
            base_gates,
            does_gates,
            blocks: blocks(network, &loops),
            legal_words,
            next_words,
            terminal_bit,
            ordered,
            ordered_inputs,
            goals: goals.map(|goals| goals.iter().map(|goal| goal.reached).collect()).collect(),
        }
    }
}

fn blocks(network: &Network, loops: &[(usize, u32)]) -> Vec<Vec<LoopGate>> {
    let mut numbered: Vec<(u32, LoopGate)> = loops
        .iter()
        .map(|&(own, gate)| {
            let Loop { block, definition } = &network.loops[own];
            (*block, LoopGate { gate, definition: *definition })
        })
        .collect();
    numbered.sort_by_key(|&(block, own)| (block, own.gate));
    let chunks = numbered.chunk_by(|one, other| one.0 == other.0);
    chunks.map(|chunk| chunk.iter().map(|&(_, own)| own).collect()).collect()
}

fn ordered(network: &Network, needed: &[bool]) -> (Vec<Ordered>, Vec<Lit>) {
    let (mut gates, mut inputs) = (Vec::new(), Vec::new());
    for gate in (0..network.len()).filter(|&gate| !needed[gate]) {
        let start = inputs.len() as u32;
        inputs.extend_from_slice(network.inputs(gate));
        let is_or = network.kind(gate) == Kind::Or;
        gates.push(Ordered { gate: gate as u32, start, end: inputs.len() as u32, is_or });
    }
    (gates, inputs)
}
