//! Duplicates: gates that compute the same from the same inputs are one gate.

use rustc_hash::FxHashMap;

use crate::network::{Kind, Lit, Network};

/// Keeps one gate of each kind and set of inputs. An `or` of negations is stored as the negation of
/// an `and`, so that both forms meet.
pub fn share_duplicates(network: &Network) -> Network {
    let mut known: FxHashMap<(bool, Box<[Lit]>), Lit> = FxHashMap::default();
    network.rewrite(|out, _, kind, inputs| {
        let is_or = match kind {
            Kind::And => false,
            Kind::Or => true,
            _ => return out.push(kind, inputs),
        };
        inputs.sort_unstable();
        let negations = inputs.iter().filter(|lit| lit.negated()).count();
        let turn = negations * 2 > inputs.len() || (negations * 2 == inputs.len() && is_or);
        if turn {
            inputs.iter_mut().for_each(|lit| *lit = !*lit);
        }
        let is_or = is_or != turn;
        let kind = if is_or { Kind::Or } else { Kind::And };
        let lit = *known
            .entry((is_or, inputs.as_slice().into()))
            .or_insert_with(|| out.push(kind, inputs));
        lit.negate_if(turn)
    })
}
