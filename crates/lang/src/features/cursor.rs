//! What both notations are made of: blanks, words, numbers, walks.

use super::{MAX_STEPS, Turn, Walk};
use crate::diagnostic::{Diagnostic, SourceId, Span};
use std::ops::Range;

/// A place in a text, with what can be read from there.
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    source: SourceId,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, range: Range<usize>, source: SourceId) -> Self {
        Cursor { text, at: range.start, end: range.end, source }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// From an earlier place to here.
    pub(super) fn since(&self, start: usize) -> Span {
        Span::new(self.source, start..self.at.max(start))
    }

    pub(super) fn span_of_rest(&self) -> Span {
        let length = self.rest().trim_end().len();
        Span::new(self.source, self.at..self.at + length)
    }

    /// The next character, or the place behind the last.
    fn span_here(&self) -> Span {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        Span::new(self.source, self.at..self.at + length)
    }

    pub(super) fn skip_blank(&mut self) {
        self.at = self.end - self.rest().trim_start().len();
    }

    /// Takes these characters if they come next.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn expect(&mut self, word: &str, what: &str) -> Result<(), Diagnostic> {
        if self.take(word) {
            return Ok(());
        }
        Err(self.expected(&format!("`{word}` {what}")))
    }

    /// That something else should stand here.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.rest().chars().next() {
            Some(c) => format!("found `{c}`"),
            None => "the feature ends here".to_owned(),
        };
        Diagnostic::error(format!("expected {what}"), self.span_here()).label(found)
    }

    /// Nothing but blanks may be left.
    pub(super) fn finish(&mut self) -> Result<(), Diagnostic> {
        self.skip_blank();
        match self.rest() {
            "" => Ok(()),
            _ => Err(Diagnostic::error("the feature is over before this", self.span_of_rest())),
        }
    }

    /// As many characters as fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A whole number without a sign.
    pub(super) fn index(&mut self, what: &str) -> Result<u32, Diagnostic> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        let too_large = |_| Diagnostic::error("this number is too large", self.since(start));
        digits.parse().map_err(too_large)
    }

    /// `{turn, …}`.
    pub(super) fn walk(&mut self) -> Result<Walk, Diagnostic> {
        let start = self.at;
        self.expect("{", "before the turns of a walk")?;
        let mut walk = Walk::new();
        self.skip_blank();
        if self.take("}") {
            return Ok(walk);
        }
        loop {
            self.skip_blank();
            walk.push(self.turn()?);
            self.skip_blank();
            if self.take("}") {
                return Ok(walk);
            }
            self.expect(",", "or `}` after a turn")?;
            if walk.len() == MAX_STEPS {
                let message = format!("a walk has at most {MAX_STEPS} steps");
                return Err(Diagnostic::error(message, self.since(start)));
            }
        }
    }

    /// `0`, `-1/4`, `0.25`.
    pub(super) fn turn(&mut self) -> Result<Turn, Diagnostic> {
        let start = self.at;
        let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let word = self.take_while(number);
        if word.is_empty() {
            return Err(
                self.expected("a turn: a whole number, a fraction such as `1/4`, or a decimal")
            );
        }
        let value = match self.take("/") {
            true => {
                let parts = word.parse::<i32>().ok();
                let sides = self.index("the number of parts of a full turn")?;
                parts.filter(|_| sides > 0).map(|parts| parts as f32 / sides as f32)
            }
            false => word.parse::<f32>().ok(),
        };
        let sane = value.filter(|turn| turn.is_finite() && turn.abs() <= MOST_TURNS);
        let wrong = || {
            Diagnostic::error("this is no turn", self.since(start))
                .help("a turn is a part of the full circle, such as `0`, `1/4`, `-1/6` or `0.5`")
        };
        Ok(Turn(sane.ok_or_else(wrong)? + 0.0))
    }
}

/// More than a few full circles are a mistake; and single precision can count no more of them exactly.
const MOST_TURNS: f32 = 100.0;
