//! Simplifications of the network, one per file. Each takes a network and returns a smaller one
//! that computes the same; none knows of the others.

mod choices;
mod constants;
mod dead;
mod duplicates;
mod frozen;
mod merge;
mod singles;

pub use choices::turn_wide_choices;
pub use constants::fold_constants;
pub use dead::drop_dead;
pub use duplicates::share_duplicates;
pub use frozen::fix_frozen_facts;
pub use merge::merge_anonymous;
pub use singles::skip_singles;

use super::Network;

/// Runs all passes that look at gates alone until the network stops shrinking.
pub fn reduce(network: Network) -> Network {
    until_settled(network, |network| network)
}

/// The same, and facts that never change become constants.
pub fn simplify(network: Network) -> Network {
    until_settled(network, |network| fix_frozen_facts(&network))
}

fn until_settled(mut network: Network, also: impl Fn(Network) -> Network) -> Network {
    loop {
        let before = (network.len(), network.connections());
        network = fold_constants(&network);
        network = skip_singles(&network);
        network = share_duplicates(&network);
        network = merge_anonymous(&network);
        network = also(network);
        network = drop_dead(&network);
        if (network.len(), network.connections()) == before {
            return network;
        }
    }
}
