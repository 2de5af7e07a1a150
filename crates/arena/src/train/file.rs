//! Weights as TOML.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ludex_play::evaluation::Weights;
use ludex_play::spec::EvalSpec;
use serde::{Deserialize, Serialize};

use crate::ArenaError;
use crate::evolve::{FormulaFile, fault, read, write_whole};

/// How a round of learning went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Which round, from one.
    pub round: u64,
    /// Positions learned from.
    pub samples: u64,
    /// The mean surprise at their results, in nats.
    pub loss: f32,
    /// The score of the new weights against those before the round.
    pub score: f32,
}

/// A learned evaluation in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightsFile {
    /// The game, as on the command line.
    pub game: String,
    /// The rounds of learning so far.
    #[serde(default)]
    pub rounds: Vec<Round>,
    /// The weights of each group of features.
    weights: BTreeMap<String, Vec<f32>>,
}

impl WeightsFile {
    /// Weights of a game.
    pub fn new(game: &str, rounds: Vec<Round>, weights: &Weights) -> Self {
        // Four places are more than games can tell apart.
        let rounded = |value: &f32| (value * 1e4).round() / 1e4;
        let groups = weights.groups.iter();
        let weights =
            groups.map(|(name, values)| (name.clone(), values.iter().map(rounded).collect()));
        WeightsFile { game: game.to_string(), rounds, weights: weights.collect() }
    }

    /// The weights.
    pub fn weights(&self) -> Weights {
        Weights { groups: self.weights.clone() }
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<WeightsFile, ArenaError> {
        let text = read(path)?;
        toml::from_str(&text).map_err(|error| fault(path, error.to_string()))
    }

    /// Writes a file.
    pub fn save(&self, path: &Path) -> Result<(), ArenaError> {
        let text = toml::to_string(self).map_err(|error| fault(path, error.to_string()))?;
        write_whole(path, &text)
    }
}

/// What an evaluation judges by, where it names a file, looked for in `folder`: weights, or an evolved formula.
pub(crate) fn load_into(eval: &mut EvalSpec, folder: &Path) -> Result<(), ArenaError> {
    if let (Some(file), None, None) = (&eval.file, &eval.weights, &eval.formula) {
        let path = folder.join(file);
        match FormulaFile::load(&path) {
            Ok(formula) => eval.formula = Some(formula.formula),
            Err(_) => eval.weights = Some(Arc::new(WeightsFile::load(&path)?.weights())),
        }
    }
    Ok(())
}
