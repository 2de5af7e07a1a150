//! Anonymous propositions: a gate that only one other gate of its kind looks at is part of that gate.

use crate::network::{Kind, Lit, Network};

/// Merges such gates into their only reader.
pub fn merge_anonymous(network: &Network) -> Network {
    let fanouts = network.fanouts();
    let mut single = vec![false];
    network.rewrite(|out, gate, kind, inputs| {
        if matches!(kind, Kind::And | Kind::Or) {
            let mut merged: Vec<Lit> = Vec::with_capacity(inputs.len());
            for &lit in inputs.iter() {
                match part_of(out, kind, lit, &single) {
                    Some(negate) => {
                        merged.extend(
                            out.inputs(lit.gate()).iter().map(|part| part.negate_if(negate)),
                        );
                    }
                    None => merged.push(lit),
                }
            }
            *inputs = merged;
        }
        let lit = out.push(kind, inputs);
        single.push(fanouts[gate] == 1);
        lit
    })
}

/// Whether the inputs behind `lit` can stand in its place, and if so whether turned around.
fn part_of(out: &Network, kind: Kind, lit: Lit, single: &[bool]) -> Option<bool> {
    let inner = out.kind(lit.gate());
    let opposite = matches!((kind, inner), (Kind::And, Kind::Or) | (Kind::Or, Kind::And));
    let fits = if lit.negated() { opposite } else { inner == kind };
    (fits && single[lit.gate()] && matches!(inner, Kind::And | Kind::Or)).then_some(lit.negated())
}
