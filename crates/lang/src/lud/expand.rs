//! Defines: named pieces of text with numbered arguments, put in place of their uses.

use super::options::mark;
use super::tree::{Expansions, Node, NodeKind};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;

/// More nodes than any real description has; stops descriptions that explode.
const MAX_NODES: usize = 2_000_000;
/// How deep defines may use defines.
const MAX_DEPTH: usize = 120;

/// A define: its name and the items it stands for.
#[derive(Clone, Debug)]
pub struct Define {
    /// The name it is used by.
    pub name: Box<str>,
    /// What it stands for, with `#1`, `#2` … for its arguments.
    pub body: Vec<Node>,
    /// How many arguments it takes.
    takes: usize,
    /// Where it is written.
    span: Span,
}

impl Define {
    /// Reads `(define "Name" …)`.
    pub fn read(node: &Node) -> Result<Self, Diagnostic> {
        match node.children() {
            [_, name, body @ ..] if name.text().is_some() => {
                let name = name.text().unwrap_or_default().into();
                let takes = body.iter().map(last_parameter).max().unwrap_or(0);
                Ok(Define { name, body: body.to_vec(), takes, span: node.span })
            }
            _ => Err(Diagnostic::error(
                "a define needs a name in quotes and what it stands for",
                node.span,
            )),
        }
    }
}

/// What is odd about the defines of a game: a second one of a name.
pub(super) fn doubts(own: &[Define]) -> Vec<Diagnostic> {
    let mut first: HashMap<&str, &Define> = HashMap::new();
    let mut out = Vec::new();
    for define in own {
        let known = *first.entry(&define.name).or_insert(define);
        if known.span != define.span && known.body != define.body {
            let message = format!("a second define \"{}\": the name means the first", define.name);
            let doubt = Diagnostic::warning(message, define.span);
            out.push(doubt.also(known.span, "the first one"));
        }
    }
    out
}

/// In a define that stands inside another, `#1`, `#2` … are the arguments of the other: whoever uses that one writes the
/// inner one with it, and the first who does so is the one who counts.
pub(super) fn bind_inner(inner: &mut [(Node, Option<Box<str>>)], text: &[Node]) {
    for (define, outer) in inner {
        let Some(outer) = outer else { continue };
        // What is no define stands where the text begins to be expanded.
        let (defines, rest): (Vec<&Node>, Vec<&Node>) =
            text.iter().partition(|node| node.head() == Some("define"));
        let first = rest.into_iter().chain(defines).find_map(|node| use_of(node, outer));
        let arguments: Vec<Vec<Node>> =
            first.unwrap_or_default().iter().map(|argument| vec![argument.clone()]).collect();
        let via = define.via;
        if let NodeKind::Call(items) = &mut define.kind {
            *items = children(items, &arguments, via);
        }
    }
}

/// The arguments with which a node uses a define first.
fn use_of<'n>(node: &'n Node, name: &str) -> Option<&'n [Node]> {
    match &node.kind {
        NodeKind::Text(text) => (**text == *name).then_some(&[]),
        NodeKind::Call(items) => match items.as_slice() {
            [head, arguments @ ..] if head.text() == Some(name) => Some(arguments),
            // Its own name is no use of it.
            [head, _, rest @ ..] if head.word() == Some("define") => {
                rest.iter().find_map(|item| use_of(item, name))
            }
            items => items.iter().find_map(|item| use_of(item, name)),
        },
        NodeKind::List(items) | NodeKind::Angle(items) => {
            items.iter().find_map(|item| use_of(item, name))
        }
        NodeKind::Word(_) => None,
    }
}

/// The defines of a game and of the library behind it.
pub struct Defines<'a> {
    own: HashMap<Box<str>, Define>,
    library: &'a HashMap<Box<str>, Define>,
}

impl<'a> Defines<'a> {
    /// Defines of the game itself (the first of a name wins) before those of the library.
    pub fn new(own: Vec<Define>, library: &'a HashMap<Box<str>, Define>) -> Self {
        let own = own.into_iter().rev().map(|d| (d.name.clone(), d)).collect();
        Defines { own, library }
    }

    fn get(&self, name: &str) -> Option<&Define> {
        self.own.get(name).or_else(|| self.library.get(name))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.own.keys().chain(self.library.keys()).map(|name| &**name)
    }
}

/// Expands all defines and ranges in `node`; what is odd about uses is added to `doubts`.
pub fn expand(
    node: &Node,
    defines: &Defines<'_>,
    expansions: &mut Expansions,
    doubts: &mut Vec<Diagnostic>,
) -> Result<Node, Diagnostic> {
    let (active, faults) = (Vec::new(), Vec::new());
    let mut expander = Expander { defines, expansions, active, faults, doubts, nodes: 0 };
    let mut out = Vec::new();
    expander.one(node, &mut out)?;
    if let Some(faults) = Diagnostic::all(expander.faults) {
        return Err(faults);
    }
    match out.len() {
        1 => Ok(out.remove(0)),
        _ => Err(Diagnostic::error("expected one game", node.span)),
    }
}

struct Expander<'a, 'b> {
    defines: &'a Defines<'b>,
    expansions: &'a mut Expansions,
    active: Vec<Box<str>>,
    /// Defines that nothing defines; the text is read on without them.
    faults: Vec<Diagnostic>,
    /// What is odd, each once.
    doubts: &'a mut Vec<Diagnostic>,
    nodes: usize,
}

impl Expander<'_, '_> {
    fn all(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Diagnostic> {
        let mut out = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.one(node, &mut out)?;
        }
        join_site_ranges(out)
    }

    fn one(&mut self, node: &Node, out: &mut Vec<Node>) -> Result<(), Diagnostic> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Diagnostic::error(
                "the defines expand to more text than any game needs",
                node.span,
            ));
        }
        match &node.kind {
            NodeKind::Text(text) => match self.defines.get(text) {
                Some(_) => self.use_define(node, &text.clone(), &[], out),
                None => {
                    out.push(node.clone());
                    Ok(())
                }
            },
            NodeKind::Word(word) => expand_range(node, word, out),
            NodeKind::Call(items) => self.call(node, items, out),
            NodeKind::List(items) | NodeKind::Angle(items) => {
                let mut copy = node.clone();
                copy.kind = NodeKind::List(self.all(items)?);
                out.push(copy);
                Ok(())
            }
        }
    }

    fn call(&mut self, node: &Node, items: &[Node], out: &mut Vec<Node>) -> Result<(), Diagnostic> {
        if let Some(name) = items.first().and_then(Node::text) {
            let arguments = &items[1..];
            return self.use_define(node, name, arguments, out);
        }
        let mut children = match items {
            // The name of a game may be the name of a define as well.
            [head, name, rest @ ..] if head.word() == Some("game") => {
                let mut children = vec![head.clone(), name.clone()];
                children.extend(self.all(rest)?);
                children
            }
            _ => self.all(items)?,
        };
        // A bracketed define leaves doubled brackets behind; they mean the same as one pair.
        let doubled = children.first();
        if doubled.is_some_and(|first| matches!(first.kind, NodeKind::Call(_))) {
            if let Some(name) = &node.name {
                children[0].name = Some(name.clone());
            }
            out.extend(children);
            return Ok(());
        }
        if children.is_empty() && !items.is_empty() {
            return Ok(());
        }
        let mut copy = node.clone();
        copy.kind = NodeKind::Call(children);
        out.push(copy);
        Ok(())
    }

    fn use_define(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[Node],
        out: &mut Vec<Node>,
    ) -> Result<(), Diagnostic> {
        let Some(define) = self.defines.get(name) else {
            let fault = self.undefined(node, name);
            if !self.faults.iter().any(|known| known.primary == fault.primary) {
                self.faults.push(fault);
            }
            return Ok(());
        };
        if self.active.iter().any(|active| **active == *name) || self.active.len() >= MAX_DEPTH {
            return Err(Diagnostic::error(format!("define \"{name}\" uses itself"), node.span));
        }
        let takes = define.takes;
        if let Some(more) = arguments.get(takes) {
            let plural = if takes == 1 { "" } else { "s" };
            let message =
                format!("\"{name}\" takes {takes} argument{plural}, and makes nothing of more");
            let doubt = Diagnostic::warning(message, more.span);
            if !self.doubts.contains(&doubt) {
                self.doubts.push(doubt);
            }
        }
        let via = self.expansions.add(name, node.span, node.via);
        let mut filled = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let mut items = Vec::new();
            if self.waits(argument) {
                items.push(argument.clone());
            } else {
                self.one(argument, &mut items)?;
            }
            filled.push(items);
        }
        let mut body = Vec::new();
        for item in &define.body {
            substitute(item, &filled, via, &mut body);
        }
        self.active.push(name.into());
        let mut items = self.all(&body)?;
        self.active.pop();
        if let (Some(first), Some(name)) = (items.first_mut(), &node.name) {
            first.name = Some(name.clone());
        }
        out.extend(items);
        Ok(())
    }

    /// Whether an argument names a define that takes arguments itself: it gets them where the
    /// parameter stands at the head of a call, as in `(#1 (from) #2)`.
    fn waits(&self, argument: &Node) -> bool {
        let define = argument.text().and_then(|name| self.defines.get(name));
        argument.name.is_none() && define.is_some_and(|define| define.takes > 0)
    }

    fn undefined(&self, node: &Node, name: &str) -> Diagnostic {
        let error = Diagnostic::error(format!("nothing defines \"{name}\""), node.span);
        match super::closest(name, self.defines.names()) {
            Some(near) => error.help(format!("did you mean \"{near}\"?")),
            None => error.help("define it, or name the library of defines that has it (`--defs`)"),
        }
    }
}

/// The number of the last parameter, such as `#2`, that stands anywhere in it; 0 if there is none.
fn last_parameter(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Word(text) | NodeKind::Text(text) => {
            let numbers = text.split('#').skip(1).map(|rest| {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                rest[..digits].parse().unwrap_or(0)
            });
            numbers.max().unwrap_or(0)
        }
        NodeKind::Call(items) | NodeKind::List(items) | NodeKind::Angle(items) => {
            items.iter().map(last_parameter).max().unwrap_or(0)
        }
    }
}

/// Copies `node`, putting arguments in place of `#1`, `#2` …; a parameter without an argument
/// vanishes.
fn substitute(node: &Node, arguments: &[Vec<Node>], via: u32, out: &mut Vec<Node>) {
    let mut copy = node.clone();
    copy.via = via;
    match &node.kind {
        NodeKind::Word(word) if word.contains('#') => {
            return substitute_word(copy, word, arguments, out);
        }
        NodeKind::Text(text) if text.contains('#') => {
            copy.kind = NodeKind::Text(fill_text(text, arguments).into());
        }
        NodeKind::Call(items) => {
            let filled = children(items, arguments, via);
            // Brackets around a parameter without an argument vanish with it.
            if filled.is_empty() && !items.is_empty() {
                return;
            }
            copy.kind = NodeKind::Call(filled);
        }
        NodeKind::List(items) => copy.kind = NodeKind::List(children(items, arguments, via)),
        NodeKind::Angle(items) => copy.kind = NodeKind::Angle(children(items, arguments, via)),
        _ => {}
    }
    out.push(copy);
}

fn children(items: &[Node], arguments: &[Vec<Node>], via: u32) -> Vec<Node> {
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        substitute(item, arguments, via, &mut out);
    }
    out
}

fn substitute_word(copy: Node, word: &str, arguments: &[Vec<Node>], out: &mut Vec<Node>) {
    let number = word.strip_prefix('#').and_then(|n| n.parse::<usize>().ok());
    let Some(number) = number else {
        let filled = fill_text(word, arguments);
        if !filled.is_empty() {
            let kind = NodeKind::Word(filled.into());
            out.push(Node { kind, ..copy });
        }
        return;
    };
    let Some(items) = number.checked_sub(1).and_then(|at| arguments.get(at)) else {
        return;
    };
    let mut items: Vec<Node> = items.iter().filter(|n| n.word() != Some("~")).cloned().collect();
    mark(&mut items, copy.via);
    if let (Some(first), Some(name)) = (items.first_mut(), copy.name) {
        first.name = Some(name);
    }
    out.extend(items);
}

/// Replaces `#1` … inside a word or string by the text of the arguments.
fn fill_text(text: &str, arguments: &[Vec<Node>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        out.push_str(&rest[..at]);
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        if let Ok(number) = rest[at + 1..at + 1 + digits].parse::<usize>() {
            let items = number.checked_sub(1).and_then(|n| arguments.get(n));
            for item in items.into_iter().flatten() {
                match &item.kind {
                    NodeKind::Text(text) | NodeKind::Word(text) => out.push_str(text),
                    _ => out.push_str(&item.to_string()),
                }
            }
        } else {
            out.push('#');
        }
        rest = &rest[at + 1 + digits..];
    }
    out.push_str(rest);
    out
}

/// Ranges are written out, up to so many numbers.
const LONGEST_RANGE: u64 = 10_000;

/// `3..6` stands for `3 4 5 6`.
fn expand_range(node: &Node, word: &str, out: &mut Vec<Node>) -> Result<(), Diagnostic> {
    let bounds = word.split_once("..").and_then(|(low, high)| {
        let low: i64 = low.parse().ok()?;
        let high: i64 = high.parse().ok()?;
        Some((low, high))
    });
    let Some((low, high)) = bounds else {
        out.push(node.clone());
        return Ok(());
    };
    if low.abs_diff(high) >= LONGEST_RANGE {
        let message = format!("this range is too long: it may have {LONGEST_RANGE} numbers");
        return Err(Diagnostic::error(message, node.span));
    }
    let mut push = |number: i64| {
        let kind = NodeKind::Word(number.to_string().into());
        out.push(Node { kind, ..node.clone() });
    };
    if low <= high {
        (low..=high).for_each(&mut push);
    } else {
        (high..=low).rev().for_each(&mut push);
    }
    Ok(())
}

/// `"A1".."A3"` stands for `"A1" "A2" "A3"`; both letters and numbers run.
fn join_site_ranges(nodes: Vec<Node>) -> Result<Vec<Node>, Diagnostic> {
    if !nodes.iter().any(|node| node.word().is_some_and(|w| w.ends_with(".."))) {
        return Ok(nodes);
    }
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    let mut rest = nodes.into_iter().peekable();
    while let Some(node) = rest.next() {
        // The upper bound of `0..` may have come from an option.
        if let (Some(low), Some(high)) = (node.word(), rest.peek().and_then(Node::word))
            && low.len() > 2
            && low.ends_with("..")
        {
            let joined = format!("{low}{high}");
            rest.next();
            expand_range(&node, &joined, &mut out)?;
            continue;
        }
        let range = node.word() == Some("..");
        if range && let (Some(low), Some(high)) = (out.last(), rest.peek()) {
            let joined = low.word().zip(high.word());
            if let Some(joined) = joined.map(|(low, high)| format!("{low}..{high}")) {
                out.pop();
                rest.next();
                expand_range(&node, &joined, &mut out)?;
                continue;
            }
        }
        let ends = match (range, out.last().and_then(Node::text), rest.peek()) {
            (true, Some(low), Some(high)) => coordinate(low).zip(high.text().and_then(coordinate)),
            _ => None,
        };
        let Some((low, high)) = ends else {
            out.push(node);
            continue;
        };
        out.pop();
        rest.next();
        for letter in low.0..=high.0 {
            for number in low.1..=high.1 {
                let text = format!("{}{number}", letters(letter));
                let kind = NodeKind::Text(text.into());
                out.push(Node { kind, ..node.clone() });
            }
        }
    }
    Ok(out)
}

fn coordinate(text: &str) -> Option<(u32, u32)> {
    let split = text.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = text.split_at(split);
    let mut column = 0u32;
    for c in letters.bytes() {
        if !c.is_ascii_uppercase() {
            return None;
        }
        column = column.checked_mul(26)?.checked_add(u32::from(c - b'A') + 1)?;
    }
    let number: u32 = number.parse().ok()?;
    (column < 1000 && number < 1000).then_some((column, number))
}

fn letters(mut column: u32) -> String {
    let mut out = Vec::new();
    while column > 0 {
        column -= 1;
        out.push(char::from(b'A' + (column % 26) as u8));
        column /= 26;
    }
    out.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::SourceId;
    use crate::lud::{Library, read};

    fn expanded(text: &str) -> String {
        let description = read(text, SourceId(0), &Library::default(), &[]).expect("readable");
        description.game.to_string()
    }

    #[test]
    fn a_parameter_of_an_inner_define_is_the_outer_ones() {
        let text = |outer: &str| {
            format!(
                r#"(define "Inner" (pair #1 #2))
                (define "Outer" (define "Nested" ("Inner" 1 #1)) (list ("Nested" 7) #2))
                (game "G" {outer})"#
            )
        };
        assert_eq!(expanded(&text(r#"("Outer" 2 3)"#)), r#"(game "G" (list (pair 1 2) 3))"#);
        assert_eq!(expanded(&text(r#"("Outer")"#)), r#"(game "G" (list (pair 1)))"#);
        // The first use is the one that counts.
        let twice = expanded(&text(r#"("Outer" 2) ("Outer" 4)"#));
        assert_eq!(twice, r#"(game "G" (list (pair 1 2)) (list (pair 1 2)))"#);
    }

    #[test]
    fn a_define_that_stands_in_the_game_has_arguments_of_its_own() {
        let text = r#"(game "G" (define "Nested" (pair 1 #1)) ("Nested" 7))"#;
        assert_eq!(expanded(text), r#"(game "G" (pair 1 7))"#);
    }
}
