//! Facts that never change are constants.

use crate::network::{Kind, Lit, Network};

/// Replaces facts that keep their first value by that value.
pub fn fix_frozen_facts(network: &Network) -> Network {
    let mut gates = vec![None; network.bases.len()];
    for gate in 0..network.len() {
        if let Kind::Base(base) = network.kind(gate) {
            gates[base as usize] = Some(Lit::of(gate));
        }
    }
    let frozen = |base: usize| {
        let fact = &network.bases[base];
        let value = Lit::FALSE.negate_if(fact.initially);
        (fact.next == value || Some(fact.next) == gates[base]).then_some(value)
    };
    let mut out = network.rewrite(|out, _, kind, inputs| match kind {
        Kind::Base(base) => frozen(base as usize).unwrap_or_else(|| out.push(kind, inputs)),
        _ => out.push(kind, inputs),
    });
    for base in 0..out.bases.len() {
        if let Some(value) = frozen(base) {
            out.bases[base].next = value;
        }
    }
    out
}
