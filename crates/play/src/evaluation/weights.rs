//! What features are worth, as plain values that files hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludex_game::{Game, mix};

use super::{Features, Linear};

/// Weights by the names of groups of features. Groups that are not named count for nothing and cost nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Weights {
    /// The weights of each group, in the order of its features.
    pub groups: BTreeMap<String, Vec<f32>>,
}

/// Why weights do not fit a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightError {
    /// A group of features that the game does not have.
    #[error("{game} has no features `{group}`; it has {known}")]
    NoGroup {
        /// The game.
        game: String,
        /// The group.
        group: String,
        /// The groups it has.
        known: String,
    },
    /// A group with another number of features.
    #[error("{game} has {has} features `{group}`, not {given}")]
    Count {
        /// The game.
        game: String,
        /// The group.
        group: String,
        /// How many it has.
        has: usize,
        /// How many weights there are.
        given: usize,
    },
}

impl Weights {
    /// The weights of all features, by group.
    pub fn of(features: &Features, values: &[f32]) -> Weights {
        let groups =
            features.groups().map(|(name, places)| (name.to_string(), values[places].to_vec()));
        Weights { groups: groups.collect() }
    }

    /// The features of a game that these weights are for, and the weight of each.
    pub fn fit(&self, game: &dyn Game) -> Result<(Arc<Features>, Arc<[f32]>), WeightError> {
        let all = Features::new(game);
        let name = || game.info().name.clone();
        for (group, given) in &self.groups {
            let Some((_, places)) = all.groups().find(|(known, _)| known == group) else {
                let known: Vec<&str> = all.groups().map(|(name, _)| name).collect();
                let (group, known) = (group.clone(), known.join(", "));
                return Err(WeightError::NoGroup { game: name(), group, known });
            };
            if places.len() != given.len() {
                let (has, given) = (places.len(), given.len());
                return Err(WeightError::Count { game: name(), group: group.clone(), has, given });
            }
        }
        let features = all.only(|name| self.groups.contains_key(name));
        let values: Vec<f32> =
            features.groups().flat_map(|(name, _)| self.groups[name].iter().copied()).collect();
        Ok((Arc::new(features), values.into()))
    }

    /// A number that other weights do not have.
    pub fn content(&self) -> u64 {
        let groups = self.groups.iter().flat_map(|(name, weights)| {
            let bytes = name.bytes().map(u64::from);
            bytes.chain([u64::MAX]).chain(weights.iter().map(|weight| u64::from(weight.to_bits())))
        });
        groups.fold(1, |content, item| mix(content.rotate_left(7) ^ item))
    }

    /// An evaluation of a game by these weights.
    pub fn build(&self, game: &dyn Game) -> Result<Linear, WeightError> {
        let (features, weights) = self.fit(game)?;
        Ok(Linear::new(features, weights))
    }

    /// Weights that need no learning: a piece is worth something, whatever it is, and so is the score.
    pub fn plain(game: &dyn Game) -> Weights {
        let features = Features::new(game);
        let plain = |name: &str| match name {
            "tempo" => Some(0.05),
            "material" => Some(0.6),
            "score" => Some(1.0),
            _ => None,
        };
        let groups = features.groups().filter_map(|(name, places)| {
            plain(name).map(|weight| (name.to_string(), vec![weight; places.len()]))
        });
        Weights { groups: groups.collect() }
    }
}
