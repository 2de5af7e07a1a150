//! Single-input gates are their input.

use crate::network::{Kind, Network};

/// Replaces gates with one input by that input.
pub fn skip_singles(network: &Network) -> Network {
    network.rewrite(|out, _, kind, inputs| match (kind, &inputs[..]) {
        (Kind::And | Kind::Or, &[only]) => only,
        _ => out.push(kind, inputs),
    })
}
