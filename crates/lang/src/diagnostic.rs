//! A diagnostic is a plain value: what is wrong, where, and what was probably meant.
//!
//! Nothing here prints. The edge of the program (the command line, the web page) renders the
//! value; tests compare [`Diagnostic::to_text`], which needs no terminal.

use std::fmt::Write as _;
use std::ops::Range;

/// Which of several texts a span points into (a rules file, a library of defines, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A range of bytes of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The text the bytes belong to.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `range` in `source`. Positions beyond 4 GiB saturate.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { source, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The byte range inside the source.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that covers both (of the same source; otherwise `self`).
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the game still plays.
    Warning,
    /// The text is valid but needs something that is not built.
    Unsupported,
    /// The text is wrong.
    Error,
}

/// A place in the text and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty, then the place is only underlined.
    pub text: String,
}

/// One finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, no full stop.
    pub message: String,
    /// The fault itself.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do about it, or what was probably meant.
    pub help: Option<String>,
    /// Further faults of the same text, found by reading on as if this one were mended.
    pub more: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A finding of the given severity at `span`.
    pub fn new(severity: Severity, message: impl Into<String>, span: Span) -> Self {
        Diagnostic {
            severity,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: None,
            more: Vec::new(),
        }
    }

    /// An error at `span`.
    pub fn error(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, message, span)
    }

    /// A warning at `span`.
    pub fn warning(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, message, span)
    }

    /// Something valid that is not supported, at `span`.
    pub fn unsupported(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Unsupported, message, span)
    }

    /// Says something at the fault itself.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do about it.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Several faults as one finding: the first, with the others behind it.
    pub fn all(faults: Vec<Diagnostic>) -> Option<Diagnostic> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        first.more.extend(faults);
        Some(first)
    }

    /// Plain text of the finding and of those behind it, each place with its line underlined; `text_of` and `name_of`
    /// give the text and the display name of a source.
    pub fn to_text<'a>(
        &self,
        text_of: impl Fn(SourceId) -> &'a str,
        name_of: impl Fn(SourceId) -> &'a str,
    ) -> String {
        self.written(&text_of, &name_of)
    }

    fn written<'a>(
        &self,
        text_of: &dyn Fn(SourceId) -> &'a str,
        name_of: &dyn Fn(SourceId) -> &'a str,
    ) -> String {
        let mut out = format!("{}: {}\n", self.severity.word(), self.message);
        // What is not about a place in a text, such as a wrong option, has the empty span.
        let labels = std::iter::once(&self.primary).chain(&self.secondary);
        for label in labels.filter(|label| label.span != Span::default()) {
            let source = label.span.source;
            underline(&mut out, text_of(source), name_of(source), label);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "help: {help}");
        }
        for fault in &self.more {
            out.push_str(&fault.written(text_of, name_of));
        }
        out
    }
}

impl Severity {
    /// The word that a message starts with.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Unsupported => "unsupported",
            Severity::Error => "error",
        }
    }
}

/// Line and column (both from 1, columns in characters) of a byte of `text`.
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..byte.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    (line, column)
}

fn underline(out: &mut String, text: &str, name: &str, label: &Label) {
    let start = label.span.range().start.min(text.len());
    let (line, column) = line_and_column(text, start);
    let content = text.lines().nth(line - 1).unwrap_or("");
    let place = format!("{name}:{line}:{column}");
    let (content, column) = window(content, column);
    let room = content.chars().count().saturating_sub(column - 1).max(1);
    let fault = text.as_bytes().get(label.span.range()).unwrap_or_default();
    let width = String::from_utf8_lossy(fault).chars().count().clamp(1, room);
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, "{gutter}--> {place}");
    let _ = writeln!(out, "{number} | {}", content.replace('\t', " "));
    let marks = format!("{}{}", " ".repeat(column - 1), "^".repeat(width));
    let _ = writeln!(out, "{gutter} | {marks} {}", label.text);
    // A line without a label must not end in a blank.
    out.truncate(out.trim_end().len());
    out.push('\n');
}

/// The part of a line around a column that fits a terminal, and the column in it.
fn window(line: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 160;
    let length = line.chars().count();
    if length <= WIDTH {
        return (line.to_owned(), column);
    }
    let first = column.saturating_sub(WIDTH / 2).min(length - WIDTH);
    let cut: String = line.chars().skip(first).take(WIDTH).collect();
    let (before, after) =
        (if first > 0 { "…" } else { "" }, if first + WIDTH < length { "…" } else { "" });
    (format!("{before}{cut}{after}"), column - first + usize::from(first > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_underlines_the_fault_and_its_reason() {
        let text = "one\ntwo three\n";
        let span = |range| Span::new(SourceId(0), range);
        let found = Diagnostic::error("three is too many", span(8..13))
            .label("here")
            .also(span(0..3), "")
            .help("count again");
        let expected = "\
error: three is too many
 --> f:2:5
2 | two three
  |     ^^^^^ here
 --> f:1:1
1 | one
  | ^^^
help: count again
";
        assert_eq!(found.to_text(|_| text, |_| "f"), expected);
    }

    #[test]
    fn spans_outside_the_text_do_not_panic() {
        let span = Span::new(SourceId(0), 50..60);
        let text = Diagnostic::warning("w", span).to_text(|_| "é", |_| "f");
        assert!(text.starts_with("warning: w\n"));
    }
}
