//! Files of features: our own, which say what they are for and how they came to be, and Ludii's.

use crate::ArenaError;
use crate::catalog::RulesKey;
use crate::evolve::with_formula;
use crate::ludemes::library::read_text;
use ludex_game::features::Reading;
use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::features::{Feature, MetadataSet, Notation, read_metadata, read_set, read_weights};
use ludex_play::features::{FeatureSet, Weighted};
use ludex_play::policy::{FeaturesSettings, PolicyConfig};
use ludex_play::spec::{AgentSpec, PlayoutSpec};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A set of features with what is known about it, as it is kept in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureFile {
    /// The game it was made for, as the command line names it.
    pub game: String,
    /// Options of that game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// How the features are read: as the `paper` says, or as `ludii` does.
    #[serde(default)]
    pub reading: ReadingName,
    /// How it came to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<Learned>,
    /// One for each player, or one for all.
    pub player: Vec<PlayerFeatures>,
}

/// A name for a way of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadingName {
    /// As the paper says.
    #[default]
    Paper,
    /// As Ludii does.
    Ludii,
}

/// How a set was learned.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// The search that taught it.
    pub teacher: String,
    /// Its simulations for each move.
    pub simulations: u64,
    /// Games played.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Minutes it took.
    pub minutes: f64,
    /// Rounds of playing and learning.
    #[serde(default)]
    pub rounds: u64,
    /// The file it was carried over from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The best way to use it, as an agent's text with `FILE` for the file; plain `uct` where no way was found to pay, and
    /// nothing where none was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The matches against a plain search that this was found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// How learning went, round by round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Point>,
}

/// Matches of one way to use a set against a plain search.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The agent, with `FILE` for the file.
    pub agent: String,
    /// Processor time of either side for each move, in milliseconds.
    pub milliseconds: f64,
    /// How many were played.
    pub matches: u64,
    /// The score with its interval.
    pub score: [f64; 3],
}

/// A round of learning.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its number, from one.
    pub round: u64,
    /// Positions that were learned from.
    pub samples: u64,
    /// The cross-entropy on positions put aside without features, and with them.
    pub before: f64,
    /// With them.
    pub after: f64,
    /// The score against a plain search, with its interval, where matches were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[f64; 3]>,
}

/// The features of one player's moves.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFeatures {
    /// The features with their weights.
    pub features: Vec<Entry>,
}

/// A feature with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The feature, in either notation.
    pub feature: String,
    /// Its weight.
    pub weight: f32,
}

impl FeatureFile {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<FeatureFile, ArenaError> {
        let text = bounded_text(path)?;
        if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
            return Err(fault(path, "it is no text".to_string()));
        }
        toml::from_str(&text).map_err(|error| fault(path, error.to_string()))
    }

    /// The file as text.
    pub fn to_text(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The features as players use them.
    pub fn set(&self, path: &Path) -> Result<FeatureSet, ArenaError> {
        let mut players = Vec::new();
        for player in &self.player {
            let mut weighted = Weighted::default();
            for entry in &player.features {
                let text = &entry.feature;
                let feature = Feature::read(text, SourceId(0))
                    .map_err(|found| fault(path, found.to_text(|_| text, |_| "feature")))?;
                if !entry.weight.is_finite() {
                    return Err(fault(path, format!("the weight of {text} is no number")));
                }
                weighted.features.push(feature);
                weighted.weights.push(entry.weight);
            }
            players.push(weighted);
        }
        let reading = match self.reading {
            ReadingName::Paper => Reading::Paper,
            ReadingName::Ludii => Reading::Ludii,
        };
        Ok(FeatureSet { players, reading })
    }

    /// The players' features as they are kept.
    pub fn entries(set: &FeatureSet) -> Vec<PlayerFeatures> {
        let entries = |player: &Weighted| {
            let pairs = player.features.iter().zip(&player.weights);
            let entry = |(feature, &weight): (&Feature, &f32)| Entry {
                feature: feature.write(Notation::Ludii),
                weight,
            };
            PlayerFeatures { features: pairs.map(entry).collect() }
        };
        set.players.iter().map(entries).collect()
    }
}

fn fault(path: &Path, reason: String) -> ArenaError {
    ArenaError::Rules(format!("{}: {reason}", path.display()))
}

fn explain(path: &Path, text: &str, found: &Diagnostic) -> ArenaError {
    ArenaError::Rules(found.to_text(|_| text, |_| path.to_str().unwrap_or("features")))
}

/// The text of a file that is not larger than any sensible set.
fn bounded_text(path: &Path) -> Result<String, ArenaError> {
    let size = std::fs::metadata(path).map_err(|error| ArenaError::file(path, error))?.len();
    if size > ludex_lang::features::MAX_FILE as u64 {
        return Err(fault(path, "the file is too large for a set of features".to_string()));
    }
    read_text(path)
}

/// Reads a set of features: our own `.toml`; Ludii's `.fs`, with the weights of the file beside it that has the
/// same name but for its end (`.weights`, `.txt`), for each player where the names have `.P1`, `.P2`; Ludii's
/// weights with the set they name; or the definition of an agent (`.def`).
pub fn load_features(path: &Path) -> Result<FeatureSet, ArenaError> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("toml") => FeatureFile::load(path)?.set(path),
        Some("fs") => load_sets(path),
        Some("def") => load_definition(path),
        Some("weights" | "txt") => {
            let weights = weights_of(path)?;
            let Some(set) = &weights.set else {
                return Err(fault(path, "the line `FeatureSet=` is missing".to_string()));
            };
            let features = features_of(&path.with_file_name(set))?;
            one_set(path, features, weights.weights)
        }
        _ => {
            Err(fault(path, "features are kept in .toml, .fs, .weights, .txt or .def".to_string()))
        }
    }
}

fn features_of(path: &Path) -> Result<Vec<Feature>, ArenaError> {
    let text = bounded_text(path)?;
    let set = read_set(&text, SourceId(0)).map_err(|found| explain(path, &text, &found))?;
    Ok(set.into_iter().map(|entry| entry.feature).collect())
}

fn weights_of(path: &Path) -> Result<ludex_lang::features::Weights, ArenaError> {
    let text = bounded_text(path)?;
    read_weights(&text, SourceId(0)).map_err(|found| explain(path, &text, &found))
}

fn one_set(
    path: &Path,
    features: Vec<Feature>,
    weights: Vec<f32>,
) -> Result<FeatureSet, ArenaError> {
    let players = vec![weighted(path, features, weights)?];
    Ok(FeatureSet { players, reading: Reading::Ludii })
}

fn weighted(
    path: &Path,
    features: Vec<Feature>,
    weights: Vec<f32>,
) -> Result<Weighted, ArenaError> {
    if features.len() != weights.len() {
        let reason = format!("{} features, but {} weights", features.len(), weights.len());
        return Err(fault(path, reason));
    }
    Ok(Weighted { features, weights })
}

/// A set of Ludii's, and those of the other players beside it.
fn load_sets(path: &Path) -> Result<FeatureSet, ArenaError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut files: Vec<PathBuf> = Vec::new();
    match name.strip_suffix(".fs").and_then(|stem| stem.rsplit_once(".P")) {
        Some((stem, digits)) if digits.parse::<u32>().is_ok() => {
            let player = |n: u32| path.with_file_name(format!("{stem}.P{n}.fs"));
            files.extend((1..).map(player).take_while(|file| file.exists()));
        }
        _ => files.push(path.to_path_buf()),
    }
    let mut players = Vec::new();
    for file in &files {
        let candidates = ["weights", "txt"].map(|end| file.with_extension(end));
        let Some(weights) = candidates.iter().find(|weights| weights.exists()) else {
            let reason = "there are no weights beside it (.weights or .txt)".to_string();
            return Err(fault(file, reason));
        };
        players.push(weighted(file, features_of(file)?, weights_of(weights)?.weights)?);
    }
    Ok(FeatureSet { players, reading: Reading::Ludii })
}

/// The sets for the game without options, or the first for each player.
fn load_definition(path: &Path) -> Result<FeatureSet, ArenaError> {
    let text = bounded_text(path)?;
    let sets = read_metadata(&text, SourceId(0)).map_err(|found| explain(path, &text, &found))?;
    let mut players = Vec::new();
    for player in 1.. {
        let of_player = |set: &&MetadataSet| set.player.is_none_or(|whose| whose == player);
        let mut own: Vec<&MetadataSet> = sets.iter().filter(of_player).collect();
        own.sort_by_key(|set| !set.options.is_empty());
        let Some(first) = own.first() else { break };
        let features = first.entries.iter().map(|entry| entry.feature.clone()).collect();
        players.push(Weighted { features, weights: first.weights.clone() });
        if first.player.is_none() {
            break;
        }
    }
    match players.is_empty() {
        true => Err(fault(path, "there are no features in it".to_string())),
        false => Ok(FeatureSet { players, reading: Reading::Ludii }),
    }
}

/// The agent with what the files hold that it names, looked for in `folder`.
pub fn with_files(spec: AgentSpec, folder: &Path) -> Result<AgentSpec, ArenaError> {
    let mut spec = with_formula(spec, folder)?;
    if let AgentSpec::Search(search) = &mut spec {
        for settings in [&mut search.prior, &mut search.start].into_iter().flatten() {
            load_into(settings, folder)?;
        }
        search.policy = policy_with_files(search.policy.clone(), folder)?;
    }
    if let Some(eval) = spec.eval_mut() {
        crate::train::load_into(eval, folder)?;
    }
    Ok(spec)
}

/// The features that an agent uses, once its files are read.
pub fn features_in(spec: &AgentSpec) -> impl Iterator<Item = &FeatureSet> {
    let search = match spec {
        AgentSpec::Search(search) => Some(search),
        _ => None,
    };
    let prior = search.and_then(|search| search.prior.as_ref());
    let start = search.and_then(|search| search.start.as_ref());
    let policy = search.and_then(|search| match &search.policy.base {
        PolicyConfig::Features(settings) => Some(settings),
        PolicyConfig::Ppa(settings) => settings.patterns.as_ref(),
        _ => None,
    });
    prior.into_iter().chain(start).chain(policy).filter_map(|settings| settings.set.as_deref())
}

/// The key of the content of a set: results are kept by it, not by the name of a file.
pub fn features_key(set: &FeatureSet) -> RulesKey {
    let mut text = format!("{:?}", set.reading);
    for player in FeatureFile::entries(set) {
        text.push('\n');
        for Entry { feature, weight } in player.features {
            text += &format!("{feature} {} ", weight.to_bits());
        }
    }
    RulesKey::of(&text)
}

/// The playout policy with what the file holds that it names.
pub fn policy_with_files(
    mut policy: PlayoutSpec,
    folder: &Path,
) -> Result<PlayoutSpec, ArenaError> {
    let settings = match &mut policy.base {
        PolicyConfig::Features(settings) => Some(settings),
        PolicyConfig::Ppa(settings) => settings.patterns.as_mut(),
        _ => None,
    };
    if let Some(settings) = settings {
        load_into(settings, folder)?;
    }
    Ok(policy)
}

fn load_into(settings: &mut FeaturesSettings, folder: &Path) -> Result<(), ArenaError> {
    if let (Some(file), None) = (&settings.file, &settings.set) {
        settings.set = Some(Arc::new(load_features(&folder.join(file))?));
    }
    Ok(())
}
