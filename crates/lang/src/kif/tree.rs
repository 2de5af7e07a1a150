//! Brackets and atoms with their places: the reader proper.

use crate::diagnostic::{Diagnostic, SourceId, Span};

/// Deepest allowed nesting of brackets. Rules by people stay below twenty; the limit keeps
/// every later pass, which recurses over trees, within its stack.
pub const NESTING_LIMIT: usize = 200;

/// An atom or a bracketed list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree<'t> {
    /// A word: a name, a number, a `?variable`, or `<=`.
    Atom(&'t str, Span),
    /// `( … )`.
    List(Vec<Tree<'t>>, Span),
}

impl<'t> Tree<'t> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Tree::Atom(_, span) | Tree::List(_, span) => *span,
        }
    }

    /// The word, if it is one.
    pub fn atom(&self) -> Option<&'t str> {
        match self {
            Tree::Atom(word, _) => Some(word),
            Tree::List(..) => None,
        }
    }
}

/// Reads all trees of a text. Comments run from `;` to the end of the line.
pub fn read(source: SourceId, text: &str) -> Result<Vec<Tree<'_>>, Diagnostic> {
    let mut open: Vec<(Vec<Tree>, usize)> = Vec::new();
    let mut top = Vec::new();
    for (word, start) in (Words { text, at: 0 }) {
        let span = Span::new(source, start..start + word.len());
        let finished = match word {
            "(" if open.len() == NESTING_LIMIT => return Err(too_deep(span)),
            "(" => {
                open.push((std::mem::take(&mut top), start));
                continue;
            }
            ")" => {
                let (outer, from) = open.pop().ok_or_else(|| unopened(span))?;
                let items = std::mem::replace(&mut top, outer);
                Tree::List(items, Span::new(source, from..start + 1))
            }
            _ => Tree::Atom(word, span),
        };
        top.push(finished);
    }
    match open.last() {
        None => Ok(top),
        Some(&(_, from)) => Err(unclosed(Span::new(source, from..from + 1), open.len())),
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(format!("brackets nested more than {NESTING_LIMIT} deep"), span)
        .label("one bracket too many")
}

fn unopened(span: Span) -> Diagnostic {
    Diagnostic::error("this bracket closes nothing", span)
        .label("no matching `(`")
        .help("remove it, or look for a missing `(` before it")
}

fn unclosed(span: Span, open: usize) -> Diagnostic {
    let message = match open {
        1 => "a bracket is never closed".to_owned(),
        _ => format!("{open} brackets are never closed"),
    };
    Diagnostic::error(message, span).label("the innermost one is opened here")
}

/// Brackets and words of a text with their first byte; blanks and comments are skipped.
struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Words<'t> {
    type Item = (&'t str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b';' => self.at += length_until(&bytes[self.at..], |b| b == b'\n' || b == b'\r'),
                _ if is_blank(byte) => self.at += 1,
                _ => break,
            }
        }
        let start = self.at;
        let length = match bytes.get(start)? {
            b'(' | b')' => 1,
            // All separators are ASCII, so the cut never splits a character.
            _ => length_until(&bytes[start..], |b| is_blank(b) || b"();".contains(&b)),
        };
        self.at += length;
        Some((&self.text[start..start + length], start))
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control()
}

fn length_until(bytes: &[u8], stop: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&b| stop(b)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(tree: &Tree) -> String {
        match tree {
            Tree::Atom(word, _) => (*word).to_owned(),
            Tree::List(items, _) => {
                format!("({})", items.iter().map(shape).collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn shapes(text: &str) -> String {
        read(SourceId(0), text).unwrap().iter().map(shape).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_blanks_vanish() {
        assert_eq!(shapes("(a;x)\n (b\t?c))\r\n;end"), "(a (b ?c))");
        assert_eq!(shapes("(a)(b) c"), "(a) (b) c");
    }

    #[test]
    fn spans_are_bytes_of_the_source() {
        let trees = read(SourceId(3), "é (ab c)").unwrap();
        assert_eq!(trees[1].span(), Span::new(SourceId(3), 3..9));
    }

    #[test]
    fn unbalanced_and_deep_texts_are_refused() {
        assert!(read(SourceId(0), "(a))").unwrap_err().message.contains("closes nothing"));
        assert!(read(SourceId(0), "((a)").unwrap_err().message.contains("never closed"));
        let deep = "(".repeat(1_000_000);
        assert!(read(SourceId(0), &deep).unwrap_err().message.contains("nested"));
    }
}
