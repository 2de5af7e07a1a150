//! Constants: gates with a deciding input become constant, neutral inputs go.

use crate::network::{Kind, Lit, Network};

/// Folds constant, repeated and contradictory inputs.
pub fn fold_constants(network: &Network) -> Network {
    network.rewrite(|out, _, kind, inputs| {
        let decides = match kind {
            Kind::And => Lit::FALSE,
            Kind::Or => Lit::TRUE,
            _ => return out.push(kind, inputs),
        };
        inputs.retain(|&lit| lit != !decides);
        inputs.sort_unstable();
        inputs.dedup();
        // Sorted, a gate and its negation are neighbours.
        let contradiction = inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradiction || inputs.contains(&decides) {
            return decides;
        }
        if inputs.is_empty() {
            return !decides;
        }
        out.push(kind, inputs)
    })
}
