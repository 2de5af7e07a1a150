//! Modes: whose turn it is, taken out of the network.
//!
//! In most games a few facts say whose turn it is, and nearly every legal move asks for one of them: each
//! ply would change hundreds of gates that nothing else touches. Here the network is written down once for
//! each set of values that those facts can have together, with them as constants, and shares whatever
//! came out the same. A role that only waits in a mode makes its one move silently, and what is asked
//! about moves concerns those who choose.
//!
//! A fact's next value is taken apart as well: `next = fact ∧ keep ∨ effect`, so that most facts that
//! merely stay have no gates that follow them.

use super::flat::split_wide;
use super::passes::{reduce, turn_wide_choices};
use super::sample::{Sample, sample};
use super::{Kind, Lit, Network};

/// More modes than this are not worth their memory.
const MOST_MODES: usize = 6;

/// Networks with more connections than this have one mode.
const MOST_CONNECTIONS: usize = 300_000;

/// A fact that fewer of each role's moves ask about stays in the network.
const ASKED_BY: f32 = 0.1;

/// So does one that changes more rarely, in changes a ply.
const CHANGES: f32 = 0.2;

/// More facts than this are never taken out.
const MOST_FACTS: usize = 6;

/// A network written down for each mode.
#[derive(Debug)]
pub struct Modes {
    /// The shared gates. Its roles are the game's, once for each mode, and so are its moves.
    pub network: Network,
    /// The facts that decide the mode.
    pub facts: Vec<usize>,
    /// The modes, the first position's first.
    pub modes: Vec<Mode>,
}

/// What the shared gates say in one mode.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The values of the deciding facts as bits.
    pub values: u64,
    /// Whether a fact that holds stays.
    pub keep: Vec<Lit>,
    /// Whether a fact holds next in any case.
    pub effect: Vec<Lit>,
    /// Whether the game is over.
    pub terminal: Lit,
    /// The goals of each role.
    pub goals: Vec<Vec<Lit>>,
}

impl Modes {
    /// One mode only.
    pub fn single(network: &Network) -> Modes {
        pool(network, &[], vec![Restricted { values: 0, network: with_latches(network.clone()) }])
    }

    /// Takes out the facts that many legal moves ask about, as many as leave few modes. A
    /// network so large that this would take longer than it saves is left as it is.
    pub fn new(network: &Network) -> Modes {
        if !network.loops.is_empty() || network.connections() > MOST_CONNECTIONS {
            return Modes::single(network);
        }
        let sample = &sample(network);
        let candidates = turn_facts(network, sample);
        let fitting = |count: usize| {
            let facts = &candidates[..count];
            Some(pool(network, facts, Restricted::all(network, facts, &sample.moves)?))
        };
        let found = (0..=candidates.len()).rev().find_map(fitting);
        found.unwrap_or_else(|| Modes::single(network))
    }
}

/// The facts that change often and that a good part of some role's legal moves asks about, the most
/// asked first.
fn turn_facts(network: &Network, sample: &Sample) -> Vec<usize> {
    let mut best = vec![0.0f32; network.bases.len()];
    for moves in &network.moves {
        let mut counts = vec![0u32; network.bases.len()];
        for input in moves {
            let mut asked: Vec<usize> = Vec::new();
            for part in parts(network, input.legal, Kind::Or) {
                let bases = parts(network, part, Kind::And).into_iter();
                asked.extend(bases.filter_map(|lit| match network.kind(lit.gate()) {
                    Kind::Base(base) => Some(base as usize),
                    _ => None,
                }));
            }
            asked.sort_unstable();
            asked.dedup();
            asked.iter().for_each(|&base| counts[base] += 1);
        }
        for (share, count) in best.iter_mut().zip(counts) {
            if count > 1 {
                *share = share.max(count as f32 / moves.len() as f32);
            }
        }
    }
    let asked = |base: &usize| best[*base] >= ASKED_BY && sample.changes[*base] >= CHANGES;
    let mut facts: Vec<usize> = (0..best.len()).filter(asked).collect();
    facts.sort_by(|&one, &other| best[other].total_cmp(&best[one]).then(one.cmp(&other)));
    facts.truncate(MOST_FACTS);
    facts
}

/// What a literal is the disjunction (or conjunction) of; itself where it is none.
fn parts(network: &Network, lit: Lit, kind: Kind) -> Vec<Lit> {
    let own = network.kind(lit.gate());
    let turned = match (own, lit.negated()) {
        (Kind::And | Kind::Or, false) => own == kind,
        (Kind::And | Kind::Or, true) => own != kind,
        _ => false,
    };
    match turned {
        true => {
            network.inputs(lit.gate()).iter().map(|part| part.negate_if(lit.negated())).collect()
        }
        false => vec![lit],
    }
}

/// The network under fixed values of the deciding facts.
struct Restricted {
    values: u64,
    network: Network,
}

impl Restricted {
    /// The modes that can be reached, unless they are too many.
    fn all(network: &Network, facts: &[usize], weights: &[f32]) -> Option<Vec<Restricted>> {
        let first = facts
            .iter()
            .enumerate()
            .map(|(at, &base)| u64::from(network.bases[base].initially) << at);
        let mut reached = vec![first.sum::<u64>()];
        let mut modes: Vec<Restricted> = Vec::new();
        while let Some(&values) = reached.get(modes.len()) {
            let mode = Restricted::new(network, facts, values, weights);
            for next in mode.successors(facts)? {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            if reached.len() > MOST_MODES {
                return None;
            }
            modes.push(mode);
        }
        Some(modes)
    }

    fn new(network: &Network, facts: &[usize], values: u64, weights: &[f32]) -> Restricted {
        let fixed = network.rewrite(|out, _, kind, inputs| match kind {
            Kind::Base(base) => match facts.iter().position(|&fact| fact == base as usize) {
                Some(at) => Lit::FALSE.negate_if(values >> at & 1 == 1),
                None => out.push(kind, inputs),
            },
            _ => out.push(kind, inputs),
        });
        let fixed = reduce(without_idle_choices(&reduce(fixed)));
        let latched = reduce(with_latches(fixed));
        Restricted { values, network: reduce(turn_wide_choices(&latched, weights)) }
    }

    /// The values that the deciding facts can have next. What is unknown may be either.
    fn successors(&self, facts: &[usize]) -> Option<Vec<u64>> {
        // A constant is no fact that could stay: all there is of it is its effect.
        let effects = &self.network.asked[self.network.bases.len()..];
        let next = |at: usize| effects[facts[at]];
        let mut unknown: Vec<usize> = (0..facts.len()).map(|at| next(at).gate()).collect();
        unknown.retain(|&gate| gate != 0);
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.len() > 3 {
            return None;
        }
        let values = |guess: u64| {
            let bit = |at: usize| {
                let place = unknown.iter().position(|&gate| gate == next(at).gate());
                let holds = place.is_some_and(|place| guess >> place & 1 == 1);
                u64::from(holds != next(at).negated()) << at
            };
            (0..facts.len()).map(bit).sum::<u64>()
        };
        Some((0..1u64 << unknown.len()).map(values).collect())
    }
}

/// Moves that are never legal are never made, and a role's only possible move always is.
fn without_idle_choices(network: &Network) -> Network {
    let mut known: Vec<Option<Lit>> = Vec::new();
    for moves in &network.moves {
        let possible = moves.iter().filter(|input| input.legal != Lit::FALSE).count();
        known.extend(moves.iter().map(|input| match input.legal {
            Lit::FALSE => Some(Lit::FALSE),
            _ if possible == 1 => Some(Lit::TRUE),
            _ => None,
        }));
    }
    network.rewrite(|out, _, kind, inputs| match kind {
        Kind::Does(number) => known[number as usize].unwrap_or_else(|| out.push(kind, inputs)),
        _ => out.push(kind, inputs),
    })
}

/// Joins the modes' networks; gates that came out the same become one.
fn pool(network: &Network, facts: &[usize], restricted: Vec<Restricted>) -> Modes {
    let roles = network.moves.len();
    let mut pool = Network { cancel: network.cancel.clone(), ..Network::new(0) };
    pool.bases = network.bases.clone();
    pool.bases.iter_mut().for_each(|base| base.next = Lit::FALSE);
    let bases: Vec<Lit> =
        (0..network.bases.len()).map(|base| pool.push(Kind::Base(base as u32), &[])).collect();
    let mut values = Vec::new();
    for (number, mode) in restricted.into_iter().enumerate() {
        values.push(mode.values);
        add_mode(&mut pool, number, mode.network, &bases);
    }
    let network = split_wide(&reduce(pool));
    let mut asked = network.asked.iter().copied();
    let mut modes = Vec::new();
    for values in values {
        let mut take = |count: usize| asked.by_ref().take(count).collect::<Vec<Lit>>();
        let (keep, effect) = (take(bases.len()), take(bases.len()));
        let terminal = take(1)[0];
        let goals = (0..roles).map(|role| take(network.goals[role].len())).collect();
        modes.push(Mode { values, keep, effect, terminal, goals });
    }
    Modes { network, facts: facts.to_vec(), modes }
}

fn add_mode(pool: &mut Network, number: usize, mut mode: Network, bases: &[Lit]) {
    let moves: usize = mode.moves.iter().map(Vec::len).sum();
    let mut map: Vec<Lit> = vec![Lit::FALSE];
    let mut inputs = Vec::new();
    for gate in 1..mode.len() {
        inputs.clear();
        let renamed = mode.inputs(gate).iter();
        inputs.extend(renamed.map(|lit| map[lit.gate()].negate_if(lit.negated())));
        map.push(match mode.kind(gate) {
            Kind::Base(base) => bases[base as usize],
            Kind::Does(does) => pool.push(Kind::Does((number * moves) as u32 + does), &inputs),
            kind => pool.push(kind, &inputs),
        });
    }
    mode.each_output(|lit| *lit = map[lit.gate()].negate_if(lit.negated()));
    pool.moves.extend(mode.moves);
    pool.asked.extend(mode.asked);
    pool.asked.push(mode.terminal);
    pool.asked.extend(mode.goals.iter().flatten().map(|goal| goal.reached));
    // Only a network of one mode has any: see `Modes::new`.
    pool.loops.extend(mode.loops);
    pool.goals = mode
        .goals
        .into_iter()
        .map(|mut goals| {
            goals.iter_mut().for_each(|goal| goal.reached = Lit::FALSE);
            goals
        })
        .collect();
}

/// Takes every fact's next value apart: asked is first whether each stays if it holds, then whether each
/// holds anyway.
fn with_latches(mut network: Network) -> Network {
    let mut gates = vec![None; network.bases.len()];
    for gate in 0..network.len() {
        if let Kind::Base(base) = network.kind(gate) {
            gates[base as usize] = Some(Lit::of(gate));
        }
    }
    let (mut keeps, mut effects) = (Vec::new(), Vec::new());
    for (base, fact) in gates.into_iter().enumerate() {
        let next = std::mem::replace(&mut network.bases[base].next, Lit::FALSE);
        let (keep, effect) = match fact {
            Some(fact) => latch(&mut network, next, fact),
            None => (Lit::FALSE, next),
        };
        keeps.push(keep);
        effects.push(effect);
    }
    network.asked = keeps;
    network.asked.append(&mut effects);
    network
}

fn latch(network: &mut Network, next: Lit, fact: Lit) -> (Lit, Lit) {
    let (mut keep, mut effect) = (Vec::new(), Vec::new());
    let disjuncts = parts(network, next, Kind::Or);
    for &part in &disjuncts {
        let conjuncts = parts(network, part, Kind::And);
        if conjuncts.contains(&fact) {
            let others: Vec<Lit> = conjuncts.into_iter().filter(|&lit| lit != fact).collect();
            keep.push(network.push(Kind::And, &others));
        } else {
            effect.push(part);
        }
    }
    if keep.is_empty() {
        return (Lit::FALSE, next);
    }
    (network.push(Kind::Or, &keep), network.push(Kind::Or, &effect))
}
