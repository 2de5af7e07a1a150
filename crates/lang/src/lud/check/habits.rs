//! What is written out of habit: as other languages have it, in another order, without a name or a bracket. Asked only
//! about faults that are told, since nearly every argument is refused by some form before it finds its own.

use super::guess::leading;
use super::words::{describe, needs};
use super::{Call, Checker, Failure, Parameter, Wrong, place, selector_of};
use crate::lud::table::{Row, Type};
use crate::lud::tree::{Node, NodeKind};

impl<'a> Checker<'a> {
    /// Adds to a fault what was probably meant, unless that is known.
    pub(super) fn advise(&self, mut failure: Failure, root: &Node) -> Failure {
        let Wrong::Node(wrong) = failure.wrong else {
            return match (failure.row, self.called_at(root, &failure)) {
                (Some(row), Some(call)) => {
                    self.reorder(self.or_else(failure, row, call), row, call)
                }
                _ => failure,
            };
        };
        if failure.help.is_some() {
            return failure;
        }
        let Some((call, node)) = find(root, wrong) else { return failure };
        if let Some((call, row)) = call.zip(failure.row)
            && let Some(message) = self.once(row, call, node)
        {
            return Failure { message, ..failure };
        }
        if let Some((call, operator)) = call.and_then(|call| Some((call, between(call, node)?))) {
            let help = Some(format!("operators stand first: `({operator} {} …)`", brief(node)));
            return Failure { help, wrong: Wrong::Node(call), ..failure };
        }
        let sites = failure.row.and_then(|row| self.without_sites(row, node));
        failure.help = sites.or_else(|| habit(node, failure.takes));
        let named =
            |row: &&Row| row.parameters.iter().any(|p| p.named && node.word() == Some(p.name));
        if let (None, Some(row)) = (&failure.help, failure.row)
            && self.table.forms(row.word).any(|other| named(&other))
        {
            let name = node.word().unwrap_or_default();
            let help = Some(format!("the name of an argument ends in a colon: `{name}:`"));
            let call = call.unwrap_or(node);
            return Failure { help, wrong: Wrong::Node(call), ..failure };
        }
        if let (None, Some(row), Some(call)) = (&failure.help, failure.row, call) {
            let missing = || self.without_name(row, call, node);
            failure.help = self
                .without_braces(&failure, row, call, node)
                .or_else(missing)
                .or_else(|| self.without_bracket(&failure, node))
                .or_else(|| self.home(&failure, call, node));
            if failure.help.is_none() {
                return self.reorder(failure, row, call);
            }
        }
        failure
    }

    /// The call that lacks something.
    fn called_at<'n>(&self, root: &'n Node, failure: &Failure) -> Option<&'n Node> {
        let Wrong::Lack(at, _) = failure.wrong else { return None };
        // What a define stands for may be no call and have the same place.
        walk(root).map(|(_, node)| node).find(|node| place(node) == at && node.head().is_some())
    }

    /// What another form lacks, and nothing more.
    fn or_else(&self, failure: Failure, row: &'static Row, call: &Node) -> Failure {
        let others = self.table.forms(row.word).filter(|other| !std::ptr::eq(*other, row));
        let lacking = others.flat_map(|other| other.parameters.iter().map(move |p| (other, p)));
        let mut enough = lacking.filter(|(_, p)| !p.optional && !p.named).filter(|(other, p)| {
            let mut with = Checker::new(self.expansions);
            with.excused.clone_from(&self.excused);
            with.excused.insert(Wrong::Lack(place(call), *p));
            with.bind_form(call, other).is_ok()
        });
        match enough.next() {
            Some((_, p)) if failure.message.ends_with(&needs(p)) => failure,
            Some((_, p)) => {
                let message = format!("{}, or {}", failure.message, needs(p));
                Failure { message, ..failure }
            }
            None => failure,
        }
    }

    /// Arguments that would fit the other way round.
    fn reorder(&self, failure: Failure, row: &'static Row, call: &Node) -> Failure {
        let unnamed = || call.children().iter().skip(1).filter(|node| node.name.is_none());
        let mut given: Vec<&Node> = unnamed().collect();
        for at in 1..given.len().min(MOST_ORDERED) {
            given.swap(at - 1, at);
            let arguments = vec![None; row.parameters.len()];
            let mut bound = Call { row, arguments, place: place(call) };
            let named = || call.children().iter().filter(|node| node.name.is_some());
            let known = |node: &Node| {
                let name = node.name.as_deref().unwrap_or_default();
                let mut alone =
                    Call { row, arguments: bound.arguments.clone(), place: bound.place };
                self.bind_named(&mut alone, node, name).is_ok()
            };
            if named().all(known) && self.bind_positional(&mut bound, &given, 0).is_ok() {
                let all = given.iter().copied().chain(named()).map(brief);
                let order = all.collect::<Vec<_>>().join(" ");
                let message = format!("`{}` takes its arguments in another order", row.word);
                let help = Some(format!("write `({} {order})`", row.word));
                return Failure { help, ..Failure::at(call, message) };
            }
            given.swap(at - 1, at);
        }
        failure
    }

    /// One or several where a list belongs.
    fn without_braces(
        &self,
        failure: &Failure,
        row: &Row,
        call: &Node,
        node: &Node,
    ) -> Option<String> {
        if let Some(Type::Kind(kind, lists @ 1..)) = failure.takes {
            let fits = self.bind(node, Type::Kind(kind, lists - 1)).is_ok();
            return fits
                .then(|| format!("a list stands in braces, also of one: `{{{} …}}`", brief(node)));
        }
        // What stands before it is one of those that several would be.
        let before = call.children().iter().take_while(|child| !std::ptr::eq(*child, node)).last();
        if failure.takes.is_some() && before.is_none_or(|before| before.head().is_none()) {
            return None;
        }
        let of = |item: Type| before.is_some_and(|before| self.bind(before, item).is_ok());
        let lists = |p: &Parameter| match p.takes {
            Type::Kind(kind, lists @ 1..) => {
                let item = Type::Kind(kind, lists - 1);
                self.bind(node, item).is_ok() && (failure.takes.is_none() || of(item))
            }
            _ => false,
        };
        let alike = |other: &&Row| selector_of(other) == selector_of(row);
        let several = self
            .table
            .forms(row.word)
            .filter(alike)
            .any(|other| other.parameters.iter().any(lists));
        several.then(|| format!("several stand in braces: `({} {{…}})`", row.word))
    }

    /// An argument that has a name, without it.
    fn without_name(&self, row: &Row, call: &Node, node: &Node) -> Option<String> {
        let given = |name: &str| call.children().iter().any(|c| c.name.as_deref() == Some(name));
        let fits = |p: &&Parameter| p.named && !given(p.name) && self.bind(node, p.takes).is_ok();
        let mut meant = row.parameters.iter().filter(fits).map(|p| p.name);
        if let Some(name) = meant.next().filter(|name| meant.all(|other| other == *name)) {
            return Some(format!("this argument has a name: `{name}:{}`", brief(node)));
        }
        // A list that must be there selects another form, such as that of rules in phases.
        let forms = self.table.forms(row.word).flat_map(|form| &form.parameters);
        let lists = forms.filter(|p| p.named && !p.optional && p.group.is_none());
        let mut fitting = lists.filter_map(|p| match p.takes {
            Type::Kind(_, lists) if lists > 0 && self.bind(node, p.takes).is_ok() => {
                Some(format!("{}:{}", p.name, brief(node)))
            }
            Type::Kind(kind, 1) if self.bind(node, Type::Kind(kind, 0)).is_ok() => {
                Some(format!("{}:{{{}}}", p.name, brief(node)))
            }
            _ => None,
        });
        fitting.next().map(|meant| format!("this argument has a name: `{meant}`"))
    }

    /// What stands in a bracket of its own, without it.
    fn without_bracket(&self, failure: &Failure, node: &Node) -> Option<String> {
        let Some(Type::Kind(kind, 0)) = failure.takes else { return None };
        if kind != "endrule" && !describe(kind).starts_with('`') {
            return None;
        }
        let fits =
            |p: &Parameter| matches!(p.takes, Type::Kind(..)) && self.bind(node, p.takes).is_ok();
        let rows = self.table.rows().iter().filter(|row| row.kinds.contains(&kind));
        let around = rows.filter(|row| leading(row).any(fits)).map(|row| row.word).next()?;
        let more = if kind == "endrule" { " …" } else { "" };
        Some(format!("did you mean `({around} {}{more})`?", brief(node)))
    }

    /// A word that selects sites, without the ludeme that it selects them by.
    fn without_sites(&self, row: &Row, node: &Node) -> Option<String> {
        let word = node.word().filter(|word| self.is_form("sites", word))?;
        let takes = |p: &Parameter| p.takes == Type::Kind("region", 0);
        let mut forms = self.table.forms(row.word).filter(|form| form.kinds == row.kinds);
        forms
            .any(|form| form.parameters.iter().any(takes))
            .then(|| format!("did you mean `(sites {word})`?"))
    }

    /// A ludeme that a call takes once and has already.
    fn once(&self, row: &Row, call: &Node, node: &Node) -> Option<String> {
        let head = node.head()?;
        let before = call.children().iter().take_while(|child| !std::ptr::eq(*child, node));
        let same = before.filter(|child| child.head() == Some(head)).count();
        let fits = |p: &&Parameter| matches!(p.takes, Type::Kind(kind, 0) if self.bind_call(node, kind).is_ok());
        let most = row.parameters.iter().filter(fits).count();
        let is_part = self.table.forms(head).all(|row| describe(row.kinds[0]).starts_with('`'));
        (is_part && most == 1 && same == 1)
            .then(|| format!("`{}` takes `({head} …)` once", row.word))
    }

    /// Where a ludeme belongs that few others take.
    fn home(&self, failure: &Failure, call: &Node, node: &Node) -> Option<String> {
        failure.takes?;
        let mut forms = self.table.forms(node.head()?);
        let kinds = &forms.next()?.kinds;
        if forms.any(|other| other.kinds != *kinds) {
            return None;
        }
        let takes = |p: &Parameter| matches!(p.takes, Type::Kind(kind, _) if kinds.contains(&kind));
        let rows = self.table.rows().iter().filter(|row| row.parameters.iter().any(takes));
        let mut words: Vec<&str> = rows.map(|row| row.word).collect();
        words.dedup();
        if call.head().is_some_and(|head| words.contains(&head)) {
            return None;
        }
        let homes: Vec<String> = words.iter().map(|word| format!("`({word} …)`")).collect();
        (1..=MOST_HOMES).contains(&homes.len()).then(|| {
            format!("`({} …)` stands in {}", node.head().unwrap_or_default(), homes.join(" or "))
        })
    }
}

/// Of so many arguments another order is tried.
const MOST_ORDERED: usize = 6;

/// What belongs in more places than these has no home.
const MOST_HOMES: usize = 3;

/// A word as other languages have it.
fn habit(node: &Node, takes: Option<Type>) -> Option<String> {
    let kind = match takes {
        Some(Type::Kind(kind, _)) => kind,
        _ => "",
    };
    let word = node.word()?;
    if word.starts_with('#') {
        return Some("what stands for the arguments of a define is numbered: `#1`, `#2` …".into());
    }
    if word == "else" {
        return Some("there is no `else`: what holds otherwise follows what holds, as in `(if CONDITION THIS THAT)`".into());
    }
    if let Some(name) = word.strip_suffix('=').filter(|name| !name.is_empty()) {
        return Some(format!("the name of an argument ends in a colon: `{name}:`"));
    }
    if word.len() > 1 && word.ends_with(',') {
        return Some("arguments have blanks between them, no commas".into());
    }
    if let Some((rows, columns)) = word.split_once('x')
        && kind == "dim"
        && [rows, columns].iter().all(|side| side.parse::<u32>().is_ok())
    {
        return Some(format!("two dimensions are two numbers: `{rows} {columns}`"));
    }
    (kind == "str").then(|| format!("text stands in quotes: `\"{word}\"`"))
}

/// The operator that stands behind an argument.
fn between<'n>(call: &'n Node, node: &Node) -> Option<&'n str> {
    let mut after = call.children().iter().skip_while(|child| !std::ptr::eq(*child, node));
    after.nth(1)?.word().filter(|word| OPERATORS.contains(word))
}

/// What to write for a site that is called by its name.
pub(super) fn coordinate(node: &Node, kind: &str) -> Option<String> {
    let name = node.text().or_else(|| node.word()).filter(|word| is_coordinate(word))?;
    match kind {
        "Int" | "region" => Some(format!("sites by their names are `(sites {{\"{name}\" …}})`")),
        "int" => Some(format!("the site of that name is `(coord \"{name}\")`")),
        _ => None,
    }
}

/// Operators that other languages have between what they join.
const OPERATORS: [&str; 9] = ["+", "-", "*", "/", "=", "==", "!=", "and", "or"];

/// Whether a word is the name of a site, such as `A1`.
fn is_coordinate(word: &str) -> bool {
    let letters = word.chars().take_while(char::is_ascii_alphabetic).count();
    let digits = &word[letters..];
    (1..=2).contains(&letters) && (1..=2).contains(&digits.len()) && digits.parse::<u32>().is_ok()
}

/// A node in a few characters.
fn brief(node: &Node) -> String {
    let bare = match &node.kind {
        NodeKind::Word(word) => word.to_string(),
        NodeKind::Text(text) => format!("{text:?}"),
        NodeKind::List(_) => "{…}".into(),
        NodeKind::Angle(_) => "<…>".into(),
        NodeKind::Call(children) => match (node.head(), children.len()) {
            (Some(head), 1) => format!("({head})"),
            (Some(head), _) => format!("({head} …)"),
            (None, _) => "(…)".into(),
        },
    };
    match &node.name {
        Some(name) => format!("{name}:{bare}"),
        None => bare,
    }
}

/// A node by its place in memory, and the call whose argument it is.
fn find(root: &Node, wanted: *const Node) -> Option<(Option<&Node>, &Node)> {
    walk(root).find(|(_, node)| std::ptr::eq(*node, wanted))
}

/// All nodes, each with the nearest call around it.
fn walk(root: &Node) -> impl Iterator<Item = (Option<&Node>, &Node)> {
    let mut open = vec![(None, root)];
    std::iter::from_fn(move || {
        let (call, node) = open.pop()?;
        let around = if matches!(node.kind, NodeKind::Call(_)) { Some(node) } else { call };
        open.extend(node.children().iter().rev().map(|child| (around, child)));
        Some((call, node))
    })
}
