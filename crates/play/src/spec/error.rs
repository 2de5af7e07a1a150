//! A fault in the text of an agent, shown where it is.

use std::fmt;
use std::ops::Range;

/// What is wrong with the text of an agent, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The whole text.
    pub text: String,
    /// The faulty bytes; empty at the end of a text that stops too soon.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
}

impl std::error::Error for SpecError {}

impl fmt::Display for SpecError {
    /// The message, the text and a line that underlines the fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Control characters would break the line apart; each takes one column either way.
        let clean = |text: &str| -> String {
            text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        };
        let before = self.text.get(..self.span.start).unwrap_or_default().chars().count();
        let width = self.text.get(self.span.clone()).unwrap_or_default().chars().count().max(1);
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  {}", clean(&self.text))?;
        write!(f, "  {:before$}{}", "", "^".repeat(width))
    }
}
