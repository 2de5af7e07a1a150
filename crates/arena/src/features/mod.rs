//! Geometric features: files of them, and checking them against what Ludii's mean.

pub mod conform;
mod data;
mod file;
pub mod learn;

pub use file::{
    Entry, FeatureFile, Learned, PlayerFeatures, ReadingName, features_in, features_key,
    load_features, policy_with_files, with_files,
};
