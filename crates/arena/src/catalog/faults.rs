//! What is wrong with rules, with the place of it.

use std::fmt;
use std::ops::Range;

use ludex_lang::diagnostic::{Diagnostic, Span, line_and_column};

use crate::ludemes::Defines;

/// A rules file with what is wrong in it.
#[derive(Debug)]
pub struct FaultyRules {
    /// The file.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What was found, the worst first.
    pub findings: Vec<Diagnostic>,
}

impl fmt::Display for FaultyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, found) in self.findings.iter().enumerate() {
            let text = found.to_text(|_| &self.text, |_| &self.path);
            // The word `error` is already there when an error of ours is shown.
            let text = if at == 0 { text.trim_start_matches("error: ") } else { &text };
            write!(f, "{text}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FaultyRules {}

/// What is wrong with a description in ludemes.
#[derive(Debug, thiserror::Error)]
#[error("{shown}")]
pub struct FaultyDescription {
    /// The finding with the lines it points at, as people read it.
    shown: String,
    /// The finding.
    pub finding: Diagnostic,
    /// The text it is in: the description's name, or a file of defines.
    pub file: String,
    /// Line and column, both from one; nothing where it is about no place in a text.
    pub place: Option<(usize, usize)>,
    /// Where it begins and ends among the characters of that text.
    pub span: Option<(usize, usize)>,
}

/// A range of a text in characters.
pub fn in_characters(text: &str, bytes: Range<usize>) -> (usize, usize) {
    let before = |end: usize| text.char_indices().take_while(|&(at, _)| at < end).count();
    (before(bytes.start), before(bytes.end))
}

impl FaultyDescription {
    /// A finding about a description of this name.
    pub(super) fn new(defines: &Defines, finding: Diagnostic, name: &str, text: &str) -> Self {
        let span = finding.primary.span;
        let (file, inside) = defines.source(span.source).unwrap_or((name, text));
        let range = (span != Span::default()).then(|| span.range());
        FaultyDescription {
            // The word `error` is already there when an error of ours is shown.
            shown: defines
                .explain(&finding, name, text)
                .trim_start_matches("error: ")
                .trim_end()
                .to_string(),
            file: file.to_string(),
            place: range.clone().map(|range| line_and_column(inside, range.start)),
            span: range.map(|range| in_characters(inside, range)),
            finding,
        }
    }
}
