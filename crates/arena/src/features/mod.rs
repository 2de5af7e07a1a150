//! Geometric features: files of them, and checking them against what Ludii's mean.

pub mod conform;
mod data;
pub mod explain;
pub mod figures;
mod file;
pub mod learn;
pub mod serves;
pub mod transfer;

pub use file::{
    Check, Entry, FeatureFile, Learned, PlayerFeatures, Point, ReadingName, features_in,
    features_key, load_features, policy_with_files, with_files,
};
