//! Dead parts: gates that nothing looks at go.

use crate::network::{Lit, Network};

/// Drops gates that no output depends on, facts and moves that no rule asks about included.
pub fn drop_dead(network: &Network) -> Network {
    let mut alive = vec![false; network.len()];
    for lit in network.outputs() {
        alive[lit.gate()] = true;
    }
    for gate in (0..network.len()).rev() {
        if alive[gate] {
            for lit in network.inputs(gate) {
                alive[lit.gate()] = true;
            }
        }
    }
    network.rewrite(|out, gate, kind, inputs| match alive[gate] {
        true => out.push(kind, inputs),
        false => Lit::FALSE,
    })
}
