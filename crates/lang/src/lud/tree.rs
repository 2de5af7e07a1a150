//! The tree a `.lud` text is read into, before and after its defines and options are expanded.

use crate::diagnostic::Span;

/// One item of the text: an atom, a call, a list or an angle-bracketed group.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The `name:` written before the item.
    pub name: Option<Box<str>>,
    /// What the item is.
    pub kind: NodeKind,
    /// Where it stands in the text it was written in.
    pub span: Span,
    /// The use of a define or option that brought it here (index into [`Expansions`]; 0: none).
    pub via: u32,
    /// Asterisks written directly after the item (they mark default options).
    pub stars: u8,
}

/// The kinds of [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `(head argument …)`; the head is the first child.
    Call(Vec<Node>),
    /// `{ item … }`.
    List(Vec<Node>),
    /// `< item … >`: a reference to an option, or the text an option stands for.
    Angle(Vec<Node>),
    /// `"text"`.
    Text(Box<str>),
    /// A bare word or number.
    Word(Box<str>),
}

impl Node {
    /// A node without a name.
    pub fn new(kind: NodeKind, span: Span) -> Self {
        Node { name: None, kind, span, via: 0, stars: 0 }
    }

    /// The children of a call, list or angle group; nothing for atoms.
    pub fn children(&self) -> &[Node] {
        match &self.kind {
            NodeKind::Call(items) | NodeKind::List(items) | NodeKind::Angle(items) => items,
            NodeKind::Text(_) | NodeKind::Word(_) => &[],
        }
    }

    /// The bare word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The quoted text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The word at the head of a call.
    pub fn head(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Call(items) => items.first().and_then(Node::word),
            _ => None,
        }
    }
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}:")?;
        }
        let (open, close) = match &self.kind {
            NodeKind::Text(text) => return write!(f, "{text:?}"),
            NodeKind::Word(word) => return f.write_str(word),
            NodeKind::Call(_) => ('(', ')'),
            NodeKind::List(_) => ('{', '}'),
            NodeKind::Angle(_) => ('<', '>'),
        };
        write!(f, "{open}")?;
        for (at, child) in self.children().iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            write!(f, "{blank}{child}")?;
        }
        write!(f, "{close}")
    }
}

/// Which uses of defines and options brought nodes to their place, so that an error inside a
/// define can show both the define and its use.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    uses: Vec<Expansion>,
    defined: Vec<Box<str>>,
}

/// One use of a define or option.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// What was used.
    pub name: Box<str>,
    /// Where it was used.
    pub span: Span,
    /// The use that this use itself came from (0: none).
    pub outer: u32,
}

impl Expansions {
    /// Names of the defines of the text itself.
    pub fn defined(&self) -> &[Box<str>] {
        &self.defined
    }

    /// Notes the names of the defines of the text.
    pub fn define(&mut self, names: impl Iterator<Item = Box<str>>) {
        self.defined.extend(names);
    }

    /// Notes a use and returns its number.
    pub fn add(&mut self, name: &str, span: Span, outer: u32) -> u32 {
        self.uses.push(Expansion { name: name.into(), span, outer });
        u32::try_from(self.uses.len()).unwrap_or(u32::MAX)
    }

    /// The use with this number and those it came from, innermost first.
    pub fn chain(&self, via: u32) -> impl Iterator<Item = &Expansion> {
        let get = |via: u32| self.uses.get((via as usize).wrapping_sub(1));
        std::iter::successors(get(via), move |use_| get(use_.outer))
    }
}
