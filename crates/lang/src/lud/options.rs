//! Options: named choices between pieces of text, and rulesets that choose several at once.

use super::reader::FRAGMENT_MARKS;
use super::tree::{Expansions, Node, NodeKind};
use crate::diagnostic::{Diagnostic, Span};

/// How often an option may stand inside another.
const MAX_NESTING: usize = 40;

/// One option of a game, with its items.
#[derive(Clone, Debug)]
pub struct Category {
    /// The heading people choose by, as in `Board Size`.
    pub heading: Box<str>,
    /// The word the rules use for it, as in `<Board>`.
    pub tag: Box<str>,
    /// Names of the parts every item supplies.
    pub parts: Vec<Box<str>>,
    /// The choices.
    pub items: Vec<Item>,
    /// Where it is written.
    pub span: Span,
}

/// One choice of an option.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name people choose by, as in `9x9`.
    pub name: Box<str>,
    /// What each part stands for.
    pub texts: Vec<Vec<Node>>,
    /// The more asterisks, the more it is the default.
    pub stars: u8,
    /// Where it is written.
    pub span: Span,
}

/// A named set of choices.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Its name, as in `Ruleset/Tournament`.
    pub name: Box<str>,
    /// Choices in the form `Heading/Item`.
    pub choices: Vec<Box<str>>,
    /// Where it is written.
    pub span: Span,
}

impl Category {
    /// Reads `(option "Heading" <Tag> args:{…} {(item …)…})`.
    pub fn read(node: &Node) -> Result<Self, Diagnostic> {
        let mut category = Category {
            heading: "".into(),
            tag: "".into(),
            parts: Vec::new(),
            items: Vec::new(),
            span: node.span,
        };
        for child in node.children().iter().skip(1) {
            match &child.kind {
                NodeKind::Text(text) if category.heading.is_empty() => {
                    category.heading = text.clone();
                }
                NodeKind::Angle(_) => category.tag = tag_of(child).unwrap_or_default(),
                NodeKind::List(parts) if child.name.as_deref() == Some("args") => {
                    category.parts = parts.iter().filter_map(tag_of).collect();
                }
                NodeKind::List(items) => {
                    category.items = items.iter().filter_map(Item::read).collect();
                }
                _ => {}
            }
        }
        if category.items.is_empty() {
            return Err(Diagnostic::error("this option has no items", node.span));
        }
        Ok(category)
    }

    fn default_item(&self) -> usize {
        let most = self.items.iter().map(|item| item.stars).max();
        let first = |item: &Item| Some(item.stars) == most;
        self.items.iter().position(first).unwrap_or(0)
    }
}

impl Item {
    fn read(node: &Node) -> Option<Self> {
        if node.head() != Some("item") {
            return None;
        }
        let name = node.children().iter().find_map(Node::text)?.into();
        let is_text = |child: &&Node| matches!(child.kind, NodeKind::Angle(_));
        let texts = node.children().iter().filter(is_text);
        Some(Item {
            name,
            texts: texts.map(|angle| angle.children().to_vec()).collect(),
            stars: node.stars,
            span: node.span,
        })
    }
}

fn tag_of(node: &Node) -> Option<Box<str>> {
    node.children().first()?.word().map(Into::into)
}

/// Reads `(rulesets {(ruleset "Name" {"Heading/Item" …})…})`.
pub fn read_rulesets(node: &Node) -> Vec<Ruleset> {
    let lists = node.children().iter().flat_map(Node::children);
    let rulesets = lists.filter(|n| n.head() == Some("ruleset"));
    rulesets
        .filter_map(|ruleset| {
            let name = ruleset.children().iter().find_map(Node::text)?.into();
            let lists = ruleset.children().iter().flat_map(Node::children);
            let choices = lists.filter_map(Node::text).map(Into::into).collect();
            Some(Ruleset { name, choices, span: ruleset.span })
        })
        .collect()
}

/// What stands among items or rulesets and is neither, which is passed over.
pub(super) fn passed_over(node: &Node) -> Vec<Diagnostic> {
    let wanted = if node.head() == Some("option") { "item" } else { "ruleset" };
    let lists = node.children().iter().filter(|child| child.name.is_none());
    let parts = lists.filter_map(|child| match &child.kind {
        NodeKind::List(parts) => Some(parts),
        _ => None,
    });
    let named = |part: &&Node| {
        part.head() == Some(wanted) && part.children().iter().any(|child| child.text().is_some())
    };
    let odd = parts.flatten().filter(|part| !named(part));
    odd.map(|part| {
        let message = match part.head() {
            Some(head) if head == wanted => format!("this {wanted} has no name and is passed over"),
            _ => format!("this is no `({wanted} …)` and is passed over"),
        };
        let doubt = Diagnostic::warning(message, part.span);
        match part.head().and_then(|head| super::closest(head, [wanted].into_iter())) {
            Some(near) if part.head() != Some(near) => {
                doubt.help(format!("did you mean `{near}`?"))
            }
            _ => doubt,
        }
    })
    .collect()
}

/// Which item of each category is chosen: the named ones, and defaults for the rest. A choice may
/// also name a ruleset.
pub fn choose(
    categories: &[Category],
    rulesets: &[Ruleset],
    choices: &[String],
) -> Result<Vec<usize>, Diagnostic> {
    let mut chosen: Vec<usize> = categories.iter().map(Category::default_item).collect();
    let mut named: Vec<Option<(usize, &str)>> = vec![None; categories.len()];
    for choice in choices {
        if let Some(ruleset) = rulesets.iter().find(|r| *r.name == **choice) {
            for choice in &ruleset.choices {
                choose_one(categories, rulesets, &mut chosen, choice)?;
            }
        } else {
            let at = choose_one(categories, rulesets, &mut chosen, choice)?;
            match named[at].replace((chosen[at], choice)) {
                Some((other, before)) if other != chosen[at] => {
                    let message = format!("`{before}` and `{choice}` exclude each other");
                    return Err(Diagnostic::error(message, Span::default()));
                }
                _ => {}
            }
        }
    }
    Ok(chosen)
}

fn choose_one(
    categories: &[Category],
    rulesets: &[Ruleset],
    chosen: &mut [usize],
    choice: &str,
) -> Result<usize, Diagnostic> {
    let Some((at, item)) = named(categories, choice) else {
        return Err(unknown(categories, rulesets, choice));
    };
    chosen[at] = item;
    Ok(at)
}

/// The category and the item that a choice names.
fn named(categories: &[Category], choice: &str) -> Option<(usize, usize)> {
    categories.iter().enumerate().find_map(|(at, category)| {
        let name = choice.strip_prefix(&*category.heading)?.strip_prefix('/')?;
        let item = category.items.iter().position(|item| &*item.name == name)?;
        Some((at, item))
    })
}

/// What is odd about options: rulesets that choose what is not there, items that no name reaches or that do not say
/// what their option is made of, and options that no part of the text asks for.
pub(super) fn doubts(
    categories: &[Category],
    rulesets: &[Ruleset],
    text: &[Node],
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for ruleset in rulesets {
        for choice in ruleset.choices.iter().filter(|choice| named(categories, choice).is_none()) {
            let message = format!("no option is `{choice}`, which this ruleset chooses");
            let known = categories.iter().flat_map(|category| {
                category.items.iter().map(|item| format!("{}/{}", category.heading, item.name))
            });
            let known: Vec<String> = known.collect();
            let mut doubt = Diagnostic::warning(message, ruleset.span);
            if let Some(near) = super::closest(choice, known.iter().map(String::as_str)) {
                doubt = doubt.help(format!("did you mean `{near}`?"));
            }
            out.push(doubt);
        }
    }
    for category in categories {
        for (at, item) in category.items.iter().enumerate() {
            let (texts, parts) = (item.texts.len(), category.parts.len());
            if parts > 0 && texts != parts {
                let plural = if texts == 1 { "" } else { "s" };
                let message = format!("{texts} text{plural} in `<…>`, where `args:` names {parts}");
                out.push(Diagnostic::warning(message, item.span));
            }
            if let Some(first) = category.items[..at].iter().find(|other| other.name == item.name) {
                let message =
                    format!("a second item \"{}\": the name chooses the first", item.name);
                let doubt = Diagnostic::warning(message, item.span);
                out.push(doubt.also(first.span, "the first one"));
            }
        }
        let texts = categories.iter().flat_map(|other| &other.items).flat_map(|item| &item.texts);
        let asks = |nodes: &[Node]| nodes.iter().any(|node| asks_for(node, &category.tag));
        if !asks(text) && !texts.into_iter().any(|text| asks(text)) {
            let message =
                format!("nothing asks for `<{}>`: this option changes nothing", category.tag);
            out.push(Diagnostic::warning(message, category.span));
        }
    }
    out
}

/// Whether `<Tag>`, or a part of it, stands anywhere in a node.
fn asks_for(node: &Node, tag: &str) -> bool {
    let named = |item: &Node| item.name.as_deref().or(item.word()) == Some(tag);
    match &node.kind {
        NodeKind::Angle(items) if items.first().is_some_and(named) => true,
        NodeKind::Text(text) => text
            .split('<')
            .skip(1)
            .any(|rest| rest.strip_prefix(tag).is_some_and(|rest| rest.starts_with(['>', ':']))),
        _ => node.children().iter().any(|child| asks_for(child, tag)),
    }
}

/// Says that there is no such option, and which there are.
fn unknown(categories: &[Category], rulesets: &[Ruleset], choice: &str) -> Diagnostic {
    let options = categories.iter().flat_map(|category| {
        category.items.iter().map(|item| format!("{}/{}", category.heading, item.name))
    });
    let known: Vec<String> =
        options.chain(rulesets.iter().map(|ruleset| ruleset.name.to_string())).collect();
    let message = format!("this game has no option `{choice}`");
    let error = Diagnostic::error(message, Default::default());
    error.help(match super::closest(choice, known.iter().map(String::as_str)) {
        _ if known.is_empty() => "it has no options at all".to_owned(),
        Some(near) if known.len() > 12 => format!("did you mean `{near}`?"),
        _ => format!("there are: {}", known.join(", ")),
    })
}

/// Puts the chosen texts in place of `<Tag>` and `<Tag:part>`.
pub fn realise(
    nodes: &[Node],
    categories: &[Category],
    chosen: &[usize],
    expansions: &mut Expansions,
) -> Result<Vec<Node>, Diagnostic> {
    let mut realiser = Realiser { categories, chosen, expansions, depth: 0 };
    realiser.all(nodes)
}

struct Realiser<'a> {
    categories: &'a [Category],
    chosen: &'a [usize],
    expansions: &'a mut Expansions,
    depth: usize,
}

impl Realiser<'_> {
    fn all(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Diagnostic> {
        let mut out = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.one(node, &mut out)?;
        }
        Ok(out)
    }

    fn one(&mut self, node: &Node, out: &mut Vec<Node>) -> Result<(), Diagnostic> {
        if let NodeKind::Angle(tag) = &node.kind {
            return self.tag(node, tag, out);
        }
        let mut copy = node.clone();
        match &mut copy.kind {
            NodeKind::Call(items) | NodeKind::List(items) => *items = joined(self.all(items)?)?,
            NodeKind::Text(text) if text.contains('<') => *text = self.fill(text).into(),
            _ => {}
        }
        out.push(copy);
        Ok(())
    }

    fn tag(&mut self, node: &Node, tag: &[Node], out: &mut Vec<Node>) -> Result<(), Diagnostic> {
        let Some((tag_name, part, text)) = self.lookup(tag) else {
            let error = Diagnostic::error(format!("no option provides `{node}`"), node.span);
            let known = self.categories.iter().flat_map(|category| {
                let parts = category.parts.iter().map(|part| format!("<{}:{part}>", category.tag));
                std::iter::once(format!("<{}>", category.tag)).chain(parts)
            });
            let known: Vec<String> = known.collect();
            let asked = node.to_string();
            if known.contains(&asked) {
                let message = format!("the item that is chosen has no text for `{asked}`");
                return Err(Diagnostic::error(message, node.span));
            }
            return Err(match super::closest(&asked, known.iter().map(String::as_str)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None if self.names_no_parts(tag) => {
                    error.help("this option names no parts: `args:{…}` stands before its items")
                }
                None => error,
            });
        };
        if self.depth >= MAX_NESTING {
            return Err(Diagnostic::error(
                format!("option `{tag_name}` contains itself"),
                node.span,
            ));
        }
        let shown = if part.is_empty() { tag_name } else { format!("{tag_name}:{part}") };
        let via = self.expansions.add(&shown, node.span, node.via);
        self.depth += 1;
        let mut texts = self.all(&text)?;
        self.depth -= 1;
        mark(&mut texts, via);
        if let (Some(first), Some(name)) = (texts.first_mut(), &node.name) {
            first.name = Some(name.clone());
        }
        out.extend(texts);
        Ok(())
    }

    /// Puts chosen words in place of the tags inside a string; what is no tag stays.
    fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            let Some(length) = rest[start..].find('>') else {
                break;
            };
            let tag = &rest[start + 1..start + length];
            let (name, part) = tag.split_once(':').unwrap_or((tag, ""));
            out.push_str(&rest[..start]);
            match self.lookup_named(name, part) {
                Some((.., words)) => words.iter().for_each(|word| match &word.kind {
                    NodeKind::Text(word) | NodeKind::Word(word) => out.push_str(word),
                    _ => out.push_str(&word.to_string()),
                }),
                None => out.push_str(&rest[start..=start + length]),
            }
            rest = &rest[start + length + 1..];
        }
        out.push_str(rest);
        out
    }

    /// Whether there is such an option, whose items have no parts with names.
    fn names_no_parts(&self, tag: &[Node]) -> bool {
        let name = tag.first().and_then(|item| item.name.as_deref());
        self.categories.iter().any(|c| Some(&*c.tag) == name && c.parts.is_empty())
    }

    fn lookup(&self, tag: &[Node]) -> Option<(String, String, Vec<Node>)> {
        let [item] = tag else { return None };
        let word = item.word()?;
        match &item.name {
            Some(name) => self.lookup_named(name, word),
            None => self.lookup_named(word, ""),
        }
    }

    fn lookup_named(&self, tag_name: &str, part: &str) -> Option<(String, String, Vec<Node>)> {
        let at = self.categories.iter().position(|c| {
            &*c.tag == tag_name && (part.is_empty() || c.parts.iter().any(|p| &**p == part))
        })?;
        let category = &self.categories[at];
        let index = match part {
            "" => 0,
            part => category.parts.iter().position(|p| &**p == part)?,
        };
        let text = category.items[self.chosen[at]].texts.get(index)?.clone();
        Some((tag_name.to_owned(), part.to_owned(), text))
    }
}

/// Puts brackets together whose halves came from options, such as `(dual` and `)`.
fn joined(nodes: Vec<Node>) -> Result<Vec<Node>, Diagnostic> {
    let fragment = |node: &Node| node.word().is_some_and(|w| w.contains(FRAGMENT_MARKS));
    if !nodes.iter().any(fragment) {
        return Ok(nodes);
    }
    let half = |node: &Node| {
        let message =
            "an option that is only part of a bracket, whose other part does not come here,";
        Err(Diagnostic::unsupported(format!("{message} is not supported"), node.span))
    };
    let mut out: Vec<Node> = Vec::new();
    let mut open: Vec<(Node, usize)> = Vec::new();
    for node in nodes {
        let Some(word) = node.word().filter(|word| word.contains(FRAGMENT_MARKS)) else {
            out.push(node);
            continue;
        };
        match (word.strip_prefix('('), open.pop()) {
            (Some(words), outer) if !words.contains(FRAGMENT_MARKS) => {
                let start = out.len();
                for word in words.split_whitespace() {
                    out.push(Node { kind: NodeKind::Word(word.into()), ..node.clone() });
                }
                open.extend(outer);
                open.push((node, start));
            }
            (None, Some((first, start))) if word == ")" => {
                let items = out.split_off(start);
                out.push(Node { kind: NodeKind::Call(items), ..first });
            }
            _ => return half(&node),
        }
    }
    match open.first() {
        Some((node, _)) => half(node),
        None => Ok(out),
    }
}

/// Notes on nodes that do not say so yet which use brought them.
pub(super) fn mark(nodes: &mut [Node], via: u32) {
    for node in nodes {
        if node.via == 0 {
            node.via = via;
        }
        match &mut node.kind {
            NodeKind::Call(items) | NodeKind::List(items) | NodeKind::Angle(items) => {
                mark(items, via);
            }
            _ => {}
        }
    }
}
