//! Files of features and of their weights, one to a line.

use super::{Feature, Notation};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use std::fmt::Write as _;

/// The largest text that is read as features or weights.
pub const MAX_FILE: usize = 8 << 20;

/// The most features of one set.
pub const MAX_FEATURES: usize = 100_000;

/// A feature of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The feature.
    pub feature: Feature,
    /// How it was written.
    pub notation: Notation,
    /// Its line.
    pub span: Span,
}

/// Weights of a set.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Weights {
    /// One for each feature, in the order of the set.
    pub weights: Vec<f32>,
    /// The file that holds the set.
    pub set: Option<String>,
}

/// Reads a set: one feature a line, in either notation. Blank lines mean nothing.
pub fn read_set(text: &str, source: SourceId) -> Result<Vec<Entry>, Diagnostic> {
    let mut entries = Vec::new();
    for (start, line) in lines(text, source)? {
        let range = start..start + line.len();
        let span = Span::new(source, range.clone());
        if entries.len() == MAX_FEATURES {
            return Err(Diagnostic::error(
                format!("a set has at most {MAX_FEATURES} features"),
                span,
            ));
        }
        let (feature, notation) = super::read_at(text, range, source)?;
        entries.push(Entry { feature, notation, span });
    }
    Ok(entries)
}

/// Reads weights: a number a line, and last, if anything, `FeatureSet=` with the file of the set.
pub fn read_weights(text: &str, source: SourceId) -> Result<Weights, Diagnostic> {
    let mut read = Weights::default();
    for (start, line) in lines(text, source)? {
        let span = Span::new(source, start..start + line.len());
        if read.set.is_some() {
            let message = "nothing may follow the line `FeatureSet=`";
            return Err(Diagnostic::error(message, span));
        }
        if let Some(file) = line.strip_prefix("FeatureSet=") {
            read.set = Some(file.trim().to_owned());
            continue;
        }
        match line.parse::<f32>() {
            Ok(weight) if weight.is_finite() => read.weights.push(weight),
            _ => {
                return Err(Diagnostic::error("this is no weight", span)
                    .help("a weight is a number, one to a line in the order of the features"));
            }
        }
    }
    Ok(read)
}

/// A set as text.
pub fn write_set<'f>(
    features: impl IntoIterator<Item = &'f Feature>,
    notation: Notation,
) -> String {
    features.into_iter().map(|feature| feature.write(notation) + "\n").collect()
}

/// Weights as text.
pub fn write_weights(weights: &Weights) -> String {
    let mut out = String::new();
    for weight in &weights.weights {
        _ = writeln!(out, "{weight:?}");
    }
    if let Some(file) = &weights.set {
        _ = writeln!(out, "FeatureSet={file}");
    }
    out
}

/// The lines with something on them, each with its place.
fn lines(text: &str, source: SourceId) -> Result<Vec<(usize, &str)>, Diagnostic> {
    if text.len() > MAX_FILE {
        let message = format!("the file is larger than {} MiB", MAX_FILE >> 20);
        return Err(Diagnostic::error(message, Span::new(source, 0..0)));
    }
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split('\n') {
        let blank = line.len() - line.trim_start().len();
        if !line.trim().is_empty() {
            found.push((start + blank, line.trim()));
        }
        start += line.len() + 1;
    }
    Ok(found)
}
