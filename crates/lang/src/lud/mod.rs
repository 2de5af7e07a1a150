//! The ludeme language: `.lud` text to a checked description.
//!
//! Three steps, one file each: [`reader`] makes a tree of the text, [`options`] and [`expand`] put
//! the chosen options and the defines in their places, [`check`] binds every call to a row of the
//! one [`table`] of ludemes. Nothing here knows boards or play.

pub mod check;
pub mod examples;
pub mod expand;
pub mod options;
pub mod reader;
pub mod reference;
mod suspects;
pub mod table;
pub mod tree;

use crate::diagnostic::{Diagnostic, SourceId};
use expand::{Define, Defines};
use options::{Category, Ruleset};
use std::collections::HashMap;
use tree::{Expansions, Node, NodeKind};

/// Defines that any game may use, read once.
#[derive(Debug, Default)]
pub struct Library {
    defines: HashMap<Box<str>, Define>,
}

impl Library {
    /// Reads library texts; each may hold several defines. The source of a text is its place in
    /// the list, counted from `first`.
    pub fn read<'a>(
        texts: impl IntoIterator<Item = &'a str>,
        first: SourceId,
    ) -> Result<Self, Diagnostic> {
        let mut library = Library::default();
        for (source, text) in (first.0..).zip(texts) {
            for node in reader::read(text, SourceId(source))? {
                if node.head() == Some("define") {
                    let define = Define::read(&node)?;
                    library.defines.insert(define.name.clone(), define);
                }
            }
        }
        Ok(library)
    }

    /// Number of defines.
    pub fn len(&self) -> usize {
        self.defines.len()
    }

    /// Whether there are no defines.
    pub fn is_empty(&self) -> bool {
        self.defines.is_empty()
    }
}

/// A description with its options chosen and its defines expanded.
#[derive(Debug)]
pub struct Description {
    /// The `(game …)` or `(match …)`.
    pub game: Node,
    /// The `(metadata …)`, as written.
    pub metadata: Option<Node>,
    /// Options the text offers.
    pub options: Vec<Category>,
    /// Rulesets the text offers.
    pub rulesets: Vec<Ruleset>,
    /// Which uses of defines brought nodes to their place.
    pub expansions: Expansions,
    /// What is odd about options and uses of defines.
    pub warnings: Vec<Diagnostic>,
}

/// Reads one description: `choices` are options in the form `Heading/Item`, or rulesets by name.
pub fn read(
    text: &str,
    source: SourceId,
    library: &Library,
    choices: &[String],
) -> Result<Description, Diagnostic> {
    let end = crate::diagnostic::Span::new(source, text.len()..text.len());
    let (settings, rest): (Vec<Node>, Vec<Node>) = reader::read(text, source)?
        .into_iter()
        .partition(|node| matches!(node.head(), Some("option" | "rulesets" | "metadata")));
    let mut parts = Parts::default();
    let offers = settings.iter().filter(|node| node.head() != Some("metadata"));
    let mut warnings: Vec<Diagnostic> = offers.flat_map(options::passed_over).collect();
    for node in settings {
        parts.sort(node)?;
    }
    let chosen = options::choose(&parts.options, &parts.rulesets, choices)?;
    warnings.extend(options::doubts(&parts.options, &parts.rulesets, &rest));
    let mut expansions = Expansions::default();
    let mut rest = options::realise(&rest, &parts.options, &chosen, &mut expansions)?;
    let mut inner = Vec::new();
    for node in &mut rest {
        lift_defines(node, &mut inner);
    }
    expand::bind_inner(&mut inner, &rest);
    for node in rest.into_iter().chain(inner.into_iter().map(|(node, _)| node)) {
        parts.sort(node)?;
    }
    let Some(game) = parts.game else {
        let error = Diagnostic::error("this description has no `(game …)` or `(match …)`", end);
        return Err(error);
    };
    warnings.extend(expand::doubts(&parts.defines));
    expansions.define(parts.defines.iter().map(|define| define.name.clone()));
    let defines = Defines::new(parts.defines, &library.defines);
    let game = expand::expand(&game, &defines, &mut expansions, &mut warnings)?;
    Ok(Description {
        game,
        metadata: parts.metadata,
        options: parts.options,
        rulesets: parts.rulesets,
        expansions,
        warnings,
    })
}

/// Takes out the defines that stand inside other items (options bring them there), each with the name of the define
/// that it stood in.
fn lift_defines(node: &mut Node, out: &mut Vec<(Node, Option<Box<str>>)>) {
    let define = node.head() == Some("define");
    let outer = node.children().get(1).filter(|_| define).and_then(Node::text).map(Box::from);
    lift_inner(node, outer.as_deref(), out);
}

fn lift_inner(node: &mut Node, outer: Option<&str>, out: &mut Vec<(Node, Option<Box<str>>)>) {
    if let NodeKind::Call(items) | NodeKind::List(items) = &mut node.kind {
        for inner in items.extract_if(.., |item| item.head() == Some("define")) {
            out.push((inner, outer.map(Box::from)));
        }
        for item in items {
            lift_inner(item, outer, out);
        }
    }
}

/// The top-level items of a text, told apart.
#[derive(Default)]
struct Parts {
    game: Option<Node>,
    metadata: Option<Node>,
    defines: Vec<Define>,
    options: Vec<Category>,
    rulesets: Vec<Ruleset>,
}

impl Parts {
    fn sort(&mut self, node: Node) -> Result<(), Diagnostic> {
        match node.head() {
            Some("game" | "match") if self.game.is_none() => self.game = Some(node),
            Some("metadata") => self.metadata = Some(node),
            Some("define") => self.defines.push(Define::read(&node)?),
            Some("option") => self.options.push(Category::read(&node)?),
            Some("rulesets") => self.rulesets = options::read_rulesets(&node),
            Some(head @ ("game" | "match")) => {
                let message = format!("a second `({head} …)`; a description holds one");
                let error = Diagnostic::error(message, node.span);
                return Err(match &self.game {
                    Some(first) => error.also(first.span, "the first one"),
                    None => error,
                });
            }
            // A ruled line that is a stroke short of a comment says nothing.
            None if node.word().is_some_and(|word| !word.contains(char::is_alphanumeric)) => {}
            _ => {
                let error = Diagnostic::error("unexpected at the top of a description", node.span);
                let help = "expected `(game …)`, `(define …)`, `(option …)`, `(rulesets {…})` or `(metadata …)`";
                return Err(error.help(help));
            }
        }
        Ok(())
    }
}

/// The known word most like `word`, if any is near enough to be a slip.
pub fn closest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.filter(|k| k.len().abs_diff(word.len()) <= 2).map(|k| (distance(word, k), k));
    // Of words as near as each other, the one that begins alike: people stop too early more often than they begin too late.
    let begins = |k: &str| {
        k.chars().zip(word.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    let best = near.min_by_key(|&(off, k)| (off, std::cmp::Reverse(begins(k)), k))?;
    let allowed = match word.len() {
        ..=1 => 0,
        2 | 3 => 1,
        _ => 2,
    };
    (best.0 <= allowed).then_some(best.1)
}

/// Edit distance, letters of either case alike; two letters the wrong way round are one slip.
fn distance(a: &str, b: &str) -> usize {
    let letters = |word: &str| word.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(row[j - 1] + 1).min(last[j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
