//! The network as flat arrays, ready to propagate changes.
//!
//! Every gate is a counter. An `or` starts one below the middle of its range, an `and` as many
//! below as it has inputs; a true input adds one. The top bit of the counter is then the gate's
//! value, whatever the gate, and a change of an input is one addition and one test of that bit.

use super::modes::Modes;
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
/// that never matter, and every gate has exactly two outputs (perhaps of no meaning), because to a
/// processor a loop of unpredictable length costs more than a little useless work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fan {
    /// First connection.
    pub start: u32,
    /// Number of connections, in groups.
    pub groups: u32,
    /// The bits of the outputs.
    pub bits: [u32; OUTPUTS],
}

/// Outputs of one gate; what has more of them is repeated by other gates.
const OUTPUTS: usize = 2;

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

/// No gate: nothing asks.
pub const NOBODY: u32 = u32::MAX;

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
    /// The gate of each fact, or [`NOBODY`].
    pub base_gates: Vec<u32>,
    /// The recursive definitions, in blocks that depend only on earlier ones.
    pub blocks: Vec<Vec<LoopGate>>,
    /// The modes, the first position's first.
    pub modes: Vec<FlatMode>,
    /// The facts that decide the mode.
    pub mode_facts: Vec<usize>,
    /// The mode by the values of these facts.
    pub mode_of: Vec<u8>,
    /// The inputs of gates that only goals need.
    pub ordered_inputs: Vec<Lit>,
}

/// Where the answers of one mode are.
#[derive(Debug, Default)]
pub struct FlatMode {
    /// First word of each role's legal moves in the outputs, and one past the last role's.
    pub legal_words: Vec<usize>,
    /// First word of the facts that stay.
    pub keep_words: usize,
    /// First word of the facts that hold next in any case.
    pub effect_words: usize,
    /// The bit of `terminal`.
    pub terminal_bit: usize,
    /// The gate of each move, numbered through all roles, or [`NOBODY`].
    pub does_gates: Vec<u32>,
    /// Gates that only the goals of this mode need.
    pub ordered: Vec<Ordered>,
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
    pub fn new(modes: &Modes) -> Flat {
        let needed = needed_in_play(modes);
        let mut layout = Layout::new(&modes.network, &needed);
        layout.connect_gates();
        let places = layout.connect_outputs(modes);
        let mut flat = layout.finish(modes, places);
        flat.settle(modes);
        flat
    }

    /// Evaluates the first position with recursive definitions still false.
    fn settle(&mut self, modes: &Modes) {
        let network = &modes.network;
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
        let set = |outputs: &mut [u64], bit: usize, lit: Lit| {
            let on = values[lit.gate()] != lit.negated();
            outputs[bit / 64] |= u64::from(on) << (bit % 64);
        };
        each_output(modes, &self.modes, |bit, lit| set(&mut self.outputs, bit, lit));
    }
}

/// Calls `visit` with every bit of the outputs and the literal that it shows.
fn each_output(modes: &Modes, places: &[FlatMode], mut visit: impl FnMut(usize, Lit)) {
    for (number, (mode, place)) in modes.modes.iter().zip(places).enumerate() {
        let roles = place.legal_words.len() - 1;
        for role in 0..roles {
            let moves = &modes.network.moves[number * roles + role];
            for (at, input) in moves.iter().enumerate() {
                visit(place.legal_words[role] * 64 + at, input.legal);
            }
        }
        for (at, (&keep, &effect)) in mode.keep.iter().zip(&mode.effect).enumerate() {
            visit(place.keep_words * 64 + at, keep);
            visit(place.effect_words * 64 + at, effect);
        }
        visit(place.terminal_bit, mode.terminal);
    }
}

/// Marks the gates that legal moves, next facts or the end depend on.
fn needed_in_play(modes: &Modes) -> Vec<bool> {
    let network = &modes.network;
    let mut needed = vec![false; network.len()];
    let legal = network.moves.iter().flatten().map(|input| input.legal);
    let loops = network.loops.iter().map(|own| own.definition);
    let next = modes.modes.iter().flat_map(|mode| mode.keep.iter().chain(&mode.effect).copied());
    let ends = modes.modes.iter().map(|mode| mode.terminal);
    for lit in legal.chain(loops).chain(next).chain(ends) {
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
pub fn split_wide(network: &Network) -> Network {
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
    /// Words of outputs.
    words: usize,
}

impl<'n> Layout<'n> {
    fn new(network: &'n Network, needed: &'n [bool]) -> Self {
        let empty = vec![Vec::new(); network.len()];
        Layout { network, needed, to_gates: empty.clone(), to_outputs: empty, words: 0 }
    }

    fn connect_gates(&mut self) {
        for gate in (0..self.network.len()).filter(|&gate| self.needed[gate]) {
            for lit in self.network.inputs(gate) {
                self.to_gates[lit.gate()].push(gate as u32 * 2 + u32::from(lit.negated()));
            }
        }
    }

    fn connect_outputs(&mut self, modes: &Modes) -> Vec<FlatMode> {
        // The first word belongs to outputs of no meaning.
        let mut words = 1;
        let mut take = |bits: usize| {
            let first = words;
            words += bits.div_ceil(64);
            first
        };
        let roles = self.network.moves.len() / modes.modes.len();
        let mut places: Vec<FlatMode> = Vec::new();
        for moves in self.network.moves.chunks(roles) {
            let mut legal_words: Vec<usize> = moves.iter().map(|own| take(own.len())).collect();
            legal_words.push(take(0));
            let facts = self.network.bases.len();
            let (keep_words, effect_words) = (take(facts), take(facts));
            let terminal_bit = take(1) * 64;
            let place = FlatMode {
                legal_words,
                keep_words,
                effect_words,
                terminal_bit,
                ..FlatMode::default()
            };
            places.push(place);
        }
        each_output(modes, &places, |bit, lit| self.to_outputs[lit.gate()].push(bit as u32));
        self.words = words;
        places
    }

    /// Gives outputs beyond a gate's own to gates that repeat it; returns what those repeat.
    fn relay_outputs(&mut self) -> Vec<u32> {
        let mut relays = Vec::new();
        for gate in 0..self.to_outputs.len() {
            while self.to_outputs[gate].len() > OUTPUTS {
                let at = self.to_outputs[gate].len().saturating_sub(OUTPUTS).max(OUTPUTS);
                let bits = self.to_outputs[gate].split_off(at);
                let relay = self.to_gates.len() as u32;
                self.to_gates[gate].push(relay * 2);
                self.to_gates.push(Vec::new());
                self.to_outputs.push(bits);
                relays.push(gate as u32);
            }
        }
        relays
    }

    fn finish(mut self, modes: &Modes, mut places: Vec<FlatMode>) -> Flat {
        let network = self.network;
        // Constants never change.
        self.to_gates[0].clear();
        self.to_outputs[0].clear();
        let relays = self.relay_outputs();
        let idle = self.to_gates.len() as u32;
        let mut fans = Vec::with_capacity(self.to_gates.len());
        let mut edges = Vec::new();
        for (number, (gates, outputs)) in self.to_gates.iter().zip(&self.to_outputs).enumerate() {
            let start = edges.len() as u32;
            edges.extend_from_slice(gates);
            while edges.len() % GROUP != 0 {
                edges.push((idle + edges.len() as u32 % IDLE) * 2);
            }
            let groups = (edges.len() - start as usize) as u32 / GROUP as u32;
            let bit = |at: usize| outputs.get(at).copied().unwrap_or(number as u32 % 64);
            fans.push(Fan { start, groups, bits: std::array::from_fn(bit) });
        }
        let mut base_gates = vec![NOBODY; network.bases.len()];
        let mut does_gates = vec![NOBODY; network.moves.iter().map(Vec::len).sum()];
        let mut loops = Vec::new();
        for gate in 0..network.len() {
            match network.kind(gate) {
                Kind::Base(base) => base_gates[base as usize] = gate as u32,
                Kind::Does(does) => does_gates[does as usize] = gate as u32,
                Kind::Loop(own) => loops.push((own as usize, gate as u32)),
                _ => {}
            }
        }
        let mut ordered_inputs = Vec::new();
        let moves = does_gates.len() / places.len();
        for (number, (place, mode)) in places.iter_mut().zip(&modes.modes).enumerate() {
            place.does_gates = does_gates[number * moves..][..moves].to_vec();
            place.goals = mode.goals.clone();
            place.ordered = ordered(network, self.needed, &mode.goals, &mut ordered_inputs);
        }
        let mut mode_of = vec![0; 1 << modes.facts.len()];
        for (number, mode) in modes.modes.iter().enumerate() {
            mode_of[mode.values as usize] = number as u8;
        }
        Flat {
            counters: vec![VALUE / 2; fans.len() + IDLE as usize],
            fans,
            edges,
            relays,
            outputs: vec![0; self.words],
            base_gates,
            blocks: blocks(network, &loops),
            modes: places,
            mode_facts: modes.facts.clone(),
            mode_of,
            ordered_inputs,
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

/// The gates that some goals need and play does not, in order.
fn ordered(
    network: &Network,
    in_play: &[bool],
    goals: &[Vec<Lit>],
    inputs: &mut Vec<Lit>,
) -> Vec<Ordered> {
    let mut needed = vec![false; network.len()];
    goals.iter().flatten().for_each(|lit| needed[lit.gate()] = true);
    for gate in (0..network.len()).rev().filter(|&gate| !in_play[gate]) {
        if needed[gate] {
            network.inputs(gate).iter().for_each(|lit| needed[lit.gate()] = true);
        }
    }
    let mut gates = Vec::new();
    for gate in (0..network.len()).filter(|&gate| needed[gate] && !in_play[gate]) {
        let start = inputs.len() as u32;
        inputs.extend_from_slice(network.inputs(gate));
        let is_or = network.kind(gate) == Kind::Or;
        gates.push(Ordered { gate: gate as u32, start, end: inputs.len() as u32, is_or });
    }
    gates
}
