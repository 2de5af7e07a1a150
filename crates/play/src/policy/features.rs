//! Playouts by geometric features: moves are drawn in proportion to `e` to the weights of what holds for them.

use std::sync::Arc;

use ludex_game::playout::{Patterns, Sampling};
use ludex_game::{Game, GameError};

use super::{PlayoutPolicy, PolicySettings, Uniform};
use crate::features::FeatureSet;
use crate::spec::{Describe, Settings};

/// `features(hex.toml, epsilon=0, plies=1000000)`.
#[derive(Clone, Debug, PartialEq)]
pub struct FeaturesSettings {
    /// The file that holds the features; whoever reads files puts them into [`FeaturesSettings::set`].
    pub file: Option<String>,
    /// The features.
    pub set: Option<Arc<FeatureSet>>,
    /// The probability of any move.
    pub epsilon: f32,
    /// So many plies of a playout go by features; then any move is played.
    pub plies: u64,
}

impl Default for FeaturesSettings {
    fn default() -> Self {
        FeaturesSettings { file: None, set: None, epsilon: 0.0, plies: 1_000_000 }
    }
}

impl Settings for FeaturesSettings {
    const NAME: &'static str = "features";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.text("file", &mut self.file, "the file that holds the features");
        describe.number("epsilon", &mut self.epsilon, 0.0..=1.0, "the probability of any move");
        let help = "plies of a playout that go by features";
        describe.count("plies", &mut self.plies, 0..=1_000_000, help);
    }
}

impl PolicySettings for FeaturesSettings {
    fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        self.features()?.judge(game).map(|_| ())
    }

    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        let judge = self.features().and_then(|set| set.judge(game));
        // Whoever cannot be built was refused in words by `check` before.
        let Ok(judge) = judge else { return Box::new(Uniform::default()) };
        let plies = u32::try_from(self.plies).unwrap_or(u32::MAX);
        let sampler = Patterns::new(judge, self.epsilon, plies);
        Box::new(Features(Sampling::Patterns(Box::new(sampler))))
    }
}

impl FeaturesSettings {
    /// The features.
    pub fn features(&self) -> Result<&FeatureSet, GameError> {
        let missing = || GameError::Options("`features` needs a file: `features(hex.toml)`".into());
        self.set.as_deref().ok_or_else(missing)
    }
}

/// Plays by features and learns nothing.
struct Features(Sampling);

impl PlayoutPolicy for Features {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.0
    }
}
