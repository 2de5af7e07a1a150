//! Sets of features inside the definitions of agents that come with Ludii's games:
//! `(featureSet P1 selectionFeatures:{ (pair "rel:…" 0.5) … })`.

use super::{Entry, Feature};
use crate::diagnostic::{Diagnostic, SourceId};
use crate::lud::reader;
use crate::lud::tree::{Node, NodeKind};

/// One set of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataSet {
    /// Whose moves it is for, from 1; none: everybody's.
    pub player: Option<u32>,
    /// The options or rulesets it is for; none: all.
    pub options: Vec<String>,
    /// What it is for: `selectionFeatures`, `playoutFeatures`, `tspgFeatures`, or empty for all.
    pub purpose: String,
    /// Its features.
    pub entries: Vec<Entry>,
    /// A weight for each.
    pub weights: Vec<f32>,
}

/// All sets of a definition, in the order of the text.
pub fn read_metadata(text: &str, source: SourceId) -> Result<Vec<MetadataSet>, Diagnostic> {
    let mut sets = Vec::new();
    for node in reader::read(text, source)? {
        collect(&node, &[], source, &mut sets)?;
    }
    Ok(sets)
}

/// Nesting is bounded by the reader.
fn collect(
    node: &Node,
    options: &[String],
    source: SourceId,
    sets: &mut Vec<MetadataSet>,
) -> Result<(), Diagnostic> {
    match node.head() {
        Some("featureSet") => return feature_set(node, options, source, sets),
        Some("useFor") => {
            let chosen: Vec<String> = node.children()[1..]
                .first()
                .into_iter()
                .flat_map(|first| match &first.kind {
                    NodeKind::List(items) => items.iter().collect::<Vec<_>>(),
                    _ => vec![first],
                })
                .filter_map(|item| item.text().map(str::to_owned))
                .collect();
            return node.children().iter().try_for_each(|n| collect(n, &chosen, source, sets));
        }
        _ => {}
    }
    node.children().iter().try_for_each(|child| collect(child, options, source, sets))
}

fn feature_set(
    node: &Node,
    options: &[String],
    source: SourceId,
    sets: &mut Vec<MetadataSet>,
) -> Result<(), Diagnostic> {
    let mut player = None;
    for child in &node.children()[1..] {
        match &child.kind {
            NodeKind::Word(word) => player = role(word, child)?,
            NodeKind::List(pairs) => {
                let mut set = MetadataSet {
                    player,
                    options: options.to_vec(),
                    purpose: child.name.as_deref().unwrap_or_default().to_owned(),
                    entries: Vec::new(),
                    weights: Vec::new(),
                };
                for item in pairs {
                    let (entry, weight) = pair(item, source)?;
                    set.entries.push(entry);
                    set.weights.push(weight);
                }
                sets.push(set);
            }
            _ => return Err(Diagnostic::error("expected a player or a list of pairs", child.span)),
        }
    }
    Ok(())
}

fn role(word: &str, node: &Node) -> Result<Option<u32>, Diagnostic> {
    if matches!(word, "All" | "Shared" | "Neutral") {
        return Ok(None);
    }
    let number = word.strip_prefix('P').and_then(|digits| digits.parse().ok());
    number.map(Some).ok_or_else(|| Diagnostic::error("this is no player", node.span))
}

/// `(pair "feature" weight)`.
fn pair(node: &Node, source: SourceId) -> Result<(Entry, f32), Diagnostic> {
    let wrong = || Diagnostic::error("expected a pair of a feature and a weight", node.span);
    let [_, text, weight] = node.children() else { return Err(wrong()) };
    let (Some("pair"), Some(feature), Some(weight)) = (node.head(), text.text(), weight.word())
    else {
        return Err(wrong());
    };
    let weight = weight.parse::<f32>().ok().filter(|weight| weight.is_finite());
    let weight = weight.ok_or_else(|| Diagnostic::error("this is no weight", node.span))?;
    // Places in the feature are those of the quoted text.
    let feature = Feature::read(feature, source).map_err(|fault| Diagnostic {
        primary: crate::diagnostic::Label { span: text.span, text: fault.primary.text },
        ..fault
    })?;
    Ok((Entry { feature, notation: super::Notation::Ludii, span: text.span }, weight))
}
