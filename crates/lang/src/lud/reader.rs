//! Text to tree: brackets, words, strings, `name:` arguments, comments.

use super::suspects;
use super::tree::{Node, NodeKind};
use crate::diagnostic::{Diagnostic, SourceId, Span};

/// No word has these, unless it is part of a bracket.
pub(super) const FRAGMENT_MARKS: [char; 4] = ['(', ')', '{', '}'];

/// Deeper nesting than any sensible description; guards the stack.
const MAX_DEPTH: usize = 200;

/// Reads all items of a text.
pub fn read(text: &str, source: SourceId) -> Result<Vec<Node>, Diagnostic> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, source, depth: 0 };
    let items = reader.items(None)?;
    Ok(items)
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    source: SourceId,
    depth: usize,
}

/// An open bracket: where, and what closes it.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    close: u8,
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start..end)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if byte == b'/' && self.bytes.get(self.at + 1) == Some(&b'/') {
                while self.peek().is_some_and(|b| b != b'\n') {
                    self.at += 1;
                }
            } else {
                break;
            }
        }
    }

    /// Items up to the bracket that closes `open`, or to the end of the text.
    fn items(&mut self, open: Option<Open>) -> Result<Vec<Node>, Diagnostic> {
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            let Some(byte) = self.peek() else {
                return match open {
                    None => Ok(items),
                    Some(open) => Err(self.unclosed(open)),
                };
            };
            if open.is_some_and(|o| o.close == byte) {
                self.at += 1;
                return Ok(items);
            }
            if let Some(open) = open.filter(|_| matches!(byte, b')' | b'}')) {
                return Err(self.crossed(open, byte));
            }
            if byte == b'>' && self.doubled_close(&items) {
                self.at += 1;
                continue;
            }
            let head = items.is_empty() && open.is_some_and(|o| o.close == b')');
            let start = self.at;
            match self.item(byte, head) {
                Ok(item) => items.push(item),
                Err(_) if open.is_none() && self.text[start..].starts_with("(metadata") => {
                    items.push(self.rest_as_metadata(start));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// A second `>` after an option's name or text, a slip that descriptions in use contain.
    fn doubled_close(&self, items: &[Node]) -> bool {
        items.last().is_some_and(|node| matches!(node.kind, NodeKind::Angle(_)))
    }

    /// Metadata is not ours to judge: what cannot be read of it is kept as one unread rest.
    fn rest_as_metadata(&mut self, start: usize) -> Node {
        self.at = self.text.len();
        self.depth = 0;
        let word = Node::new(NodeKind::Word("metadata".into()), self.span(start + 1, start + 9));
        Node::new(NodeKind::Call(vec![word]), self.span(start, self.at))
    }

    fn unclosed(&self, open: Open) -> Diagnostic {
        let close = char::from(open.close);
        let span = self.span(open.at, open.at + 1);
        let error =
            Diagnostic::error(format!("this bracket is never closed; expected `{close}`"), span)
                .label("opened here");
        match suspects::left_open(self.text) {
            Some(at) if at != open.at => {
                let hint = "perhaps this one: the next line starts as if it were closed";
                error.also(self.span(at, at + 1), hint)
            }
            _ => error,
        }
    }

    /// A closing bracket of another kind than the one that is open.
    fn crossed(&self, open: Open, found: u8) -> Diagnostic {
        let (close, found) = (char::from(open.close), char::from(found));
        let here = self.span(self.at, self.at + 1);
        Diagnostic::error(format!("expected `{close}`, found `{found}`"), here)
            .also(self.span(open.at, open.at + 1), "this bracket is still open")
    }

    fn item(&mut self, byte: u8, head: bool) -> Result<Node, Diagnostic> {
        let start = self.at;
        match byte {
            b'(' => self.group(b')'),
            b'{' => self.group(b'}'),
            b'<' if self.stands_alone() => Ok(self.less()),
            b'<' if !(head && self.operator_follows()) => self.group(b'>'),
            b'"' => self.string(),
            b')' | b'}' => Err(Diagnostic::error(
                format!("`{}` closes nothing", char::from(byte)),
                self.span(start, start + 1),
            )),
            b'>' if !head => {
                let error = Diagnostic::error("`>` closes nothing", self.span(start, start + 1));
                let rest = self.text[start + 1..].trim_start_matches('=');
                Err(match rest.starts_with(char::is_whitespace) && self.depth > 0 {
                    true => error.help("a comparison stands first in its bracket: `(> A B)`"),
                    false => error,
                })
            }
            b';' => Err(self.foreign_comment(start)),
            b'#' if self.bytes.get(start + 1).is_none_or(u8::is_ascii_whitespace) => {
                Err(self.foreign_comment(start))
            }
            b'/' if self.bytes.get(start + 1) == Some(&b'*') => Err(self.foreign_comment(start)),
            _ => self.word(head),
        }
    }

    /// A comment as other languages begin it.
    fn foreign_comment(&self, start: usize) -> Diagnostic {
        let line = self.text[start..].lines().next().unwrap_or_default();
        let span = self.span(start, start + line.trim_end().len());
        Diagnostic::error("this is no part of a description", span).help("comments begin with `//`")
    }

    /// Whether `<` at the head of a call is the comparison.
    fn operator_follows(&self) -> bool {
        self.bytes.get(self.at + 1).is_none_or(|&b| b == b'=' || b.is_ascii_whitespace())
    }

    /// Whether `<` stands alone: the comparison again, as the whole of a define or of an argument `<<>`. Where a `>`
    /// comes later in the line, `<)` begins an argument such as `<)>`.
    fn stands_alone(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let in_brackets = self.text[..self.at].ends_with('<')
            && rest.strip_prefix('=').unwrap_or(rest).starts_with('>');
        let closes = rest.trim_start().starts_with(')');
        in_brackets
            || closes && !rest.trim_start().lines().next().is_some_and(|line| line.contains('>'))
    }

    /// The comparison `<` or `<=` as a word of its own.
    fn less(&mut self) -> Node {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some(b'=') {
            self.at += 1;
        }
        let kind = NodeKind::Word(self.text[start..self.at].into());
        Node::new(kind, self.span(start, self.at))
    }

    fn group(&mut self, close: u8) -> Result<Node, Diagnostic> {
        let start = self.at;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error(
                format!("brackets nest deeper than {MAX_DEPTH}"),
                self.span(start, start + 1),
            ));
        }
        self.at += 1;
        let depth = self.depth;
        let mut items = match self.items(Some(Open { at: start, close })) {
            Err(error) if close == b'>' => vec![self.fragment(start).ok_or(error)?],
            read => read?,
        };
        self.depth = depth - 1;
        let span = self.span(start, self.at);
        if close == b')' {
            unname_head(&mut items);
        }
        let kind = match close {
            b')' => NodeKind::Call(items),
            b'}' => NodeKind::List(items),
            _ => NodeKind::Angle(items),
        };
        let mut node = Node::new(kind, span);
        while close == b')' && self.peek() == Some(b'*') {
            self.at += 1;
            node.stars = node.stars.saturating_add(1);
        }
        Ok(node)
    }

    /// A text for an option that is only part of a bracket, such as `<(dual >`: one word, kept as it
    /// is written, which nothing but the choice of that very option asks about.
    fn fragment(&mut self, start: usize) -> Option<Node> {
        let inner = &self.text[start + 1..];
        let end = inner.find(['<', '>', '"', '\n'])?;
        if !inner[end..].starts_with('>') {
            return None;
        }
        let word = inner[..end].trim();
        if !word.contains(FRAGMENT_MARKS) {
            return None;
        }
        self.at = start + 1 + end + 1;
        let kind = NodeKind::Word(word.into());
        Some(Node::new(kind, self.span(start + 1, start + 1 + end)))
    }

    fn string(&mut self) -> Result<Node, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut content = String::new();
        let mut rest = self.text[self.at..].char_indices();
        while let Some((offset, c)) = rest.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    let kind = NodeKind::Text(content.into());
                    return Ok(Node::new(kind, self.span(start, self.at)));
                }
                '\\' => content.extend(rest.next().map(|(_, c)| c)),
                _ => content.push(c),
            }
        }
        let span = self.span(start, start + 1);
        let error = Diagnostic::error("this string is never closed; expected `\"`", span);
        Err(match suspects::string_over_lines(self.text) {
            Some(at) if at != start => error
                .also(self.span(at, at + 1), "perhaps this one: it runs past the end of its line"),
            _ => error,
        })
    }

    /// A bare word, or `name:` with the item it names.
    fn word(&mut self, head: bool) -> Result<Node, Diagnostic> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let stop = byte.is_ascii_whitespace() || b"(){}\"".contains(&byte);
            let angle = (byte == b'<' || byte == b'>') && !head;
            let comment = byte == b'/' && self.bytes.get(self.at + 1) == Some(&b'/');
            if stop || angle || comment {
                break;
            }
            self.at += 1;
            if byte == b':' {
                return self.named(start);
            }
        }
        let word = &self.text[start..self.at];
        let kind = NodeKind::Word(word.into());
        Ok(Node::new(kind, self.span(start, self.at)))
    }

    fn named(&mut self, start: usize) -> Result<Node, Diagnostic> {
        let name = &self.text[start..self.at - 1];
        let colon = self.at;
        self.skip_blank();
        let missing = || {
            Diagnostic::error(
                format!("`{name}:` names nothing"),
                Span::new(self.source, start..colon),
            )
        };
        match self.peek() {
            None | Some(b')' | b'}' | b'>') => Err(missing()),
            Some(byte) => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(missing());
                }
                let mut node = self.item(byte, false)?;
                self.depth -= 1;
                node.name = Some(name.into());
                Ok(node)
            }
        }
    }
}

/// `(coord: "A1")` means `(coord "A1")`.
fn unname_head(items: &mut Vec<Node>) {
    let Some(name) = items.first_mut().and_then(|head| head.name.take()) else {
        return;
    };
    let span = items[0].span;
    items.insert(0, Node::new(NodeKind::Word(name), span));
}
