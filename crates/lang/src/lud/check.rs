//! Binds every call of a description to a form in the table of ludemes, argument by argument.

use super::table::{Parameter, Row, Table, Type, table};
use super::tree::{Expansions, Node, NodeKind};
use crate::diagnostic::{Diagnostic, Span};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A call bound to a form of the table: one entry per parameter.
#[derive(Clone, Debug)]
pub struct Call {
    /// The form.
    pub row: &'static Row,
    /// The arguments in the order of the form's parameters.
    pub arguments: Vec<Option<Argument>>,
    /// Where the call stands.
    pub place: Place,
}

/// A value given to a parameter.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub place: Place,
}

/// A place in the text and the use of a define that brought it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Where it is written.
    pub span: Span,
    /// Through which use (see [`Expansions`]).
    pub via: u32,
}

/// What can be given to a parameter.
#[derive(Clone, Debug)]
pub enum Value {
    /// A ludeme.
    Call(Call),
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f64),
    /// `True` or `False`.
    Bool(bool),
    /// Quoted text.
    Text(Box<str>),
    /// A word of an enumeration.
    Word(&'static str),
    /// `{…}`.
    List(Vec<Argument>),
}

/// Words that stand for whole numbers.
const CONSTANTS: [(&str, i32); 4] =
    [("Off", -1), ("End", -2), ("Undefined", -1), ("Infinity", 1_000_000_000)];

/// Checks that `node` is of `kind` and binds it.
pub fn check(node: &Node, kind: &'static str, expansions: &Expansions) -> Result<Call, Diagnostic> {
    let (failures, excused) = (RefCell::default(), HashSet::new());
    let mut checker = Checker { table: table(), expansions, failures, excused };
    let mut faults: Vec<Diagnostic> = Vec::new();
    loop {
        match checker.bind(node, Type::Kind(kind, 0)) {
            Ok(Argument { value: Value::Call(call), .. }) if faults.is_empty() => return Ok(call),
            Ok(argument) if faults.is_empty() => {
                let message = format!("expected {}", describe(kind));
                return Err(Diagnostic::error(message, argument.place.span));
            }
            Ok(_) => break,
            // What is wrong is taken for right, to see what else is wrong.
            Err(failure) => {
                let wrong = failure.wrong;
                let fault = explain(failure, expansions);
                if !faults.iter().any(|known| known.primary == fault.primary) {
                    faults.push(fault);
                }
                checker.failures.borrow_mut().clear();
                if faults.len() >= MOST_FAULTS || !checker.excused.insert(wrong) {
                    break;
                }
            }
        }
    }
    let nothing = || Diagnostic::error("nothing is wrong here", node.span);
    Err(Diagnostic::all(faults).unwrap_or_else(nothing))
}

/// Of one text no more faults are told than these.
const MOST_FAULTS: usize = 20;

/// Adds to a diagnostic the uses of defines that led to its place.
pub fn located(mut diagnostic: Diagnostic, via: u32, expansions: &Expansions) -> Diagnostic {
    for use_ in expansions.chain(via) {
        diagnostic = diagnostic.also(use_.span, format!("through this use of \"{}\"", use_.name));
    }
    diagnostic
}

/// Why a node does not fit, and how far into the text the attempt came: of several attempts the
/// deepest one is what the author meant.
#[derive(Clone, Debug)]
struct Failure {
    message: String,
    help: Option<String>,
    place: Place,
    depth: u32,
    /// How likely the parameter that refused is the one that was meant.
    weight: u8,
    wrong: Wrong,
}

/// What is wrong, by its place in memory. Once told it is excused, to see what else is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wrong {
    /// A node that does not fit; excused, it fits anything.
    Node(*const Node),
    /// An argument that the call at a place lacks; excused, the call needs none.
    Lack(Place, *const Parameter),
}

fn explain(failure: Failure, expansions: &Expansions) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(failure.message, failure.place.span);
    diagnostic.help = failure.help;
    located(diagnostic, failure.place.via, expansions)
}

struct Checker<'a> {
    table: &'static Table,
    expansions: &'a Expansions,
    failures: RefCell<HashMap<(*const Node, Type), Failure>>,
    /// What was told already.
    excused: HashSet<Wrong>,
}

type Bound<T> = Result<T, Failure>;

impl Checker<'_> {
    fn fail<T>(&self, node: &Node, message: String) -> Bound<T> {
        let (place, wrong) = (place(node), Wrong::Node(node));
        Err(Failure { message, help: None, place, depth: 0, weight: 0, wrong })
    }

    fn is_hole(&self, node: &Node) -> bool {
        self.excused.contains(&Wrong::Node(node))
    }

    /// Whether it was told that a call lacks a parameter, or one that could stand in its place.
    fn lacks(&self, call: &Call, parameter: &Parameter) -> bool {
        let told = |p: &Parameter| self.excused.contains(&Wrong::Lack(call.place, p));
        let alike = |p: &&Parameter| p.group.is_some() && p.group == parameter.group;
        told(parameter) || call.row.parameters.iter().filter(alike).any(told)
    }

    /// Binds a node to a type; failures are remembered, so that trying many forms stays cheap.
    fn bind(&self, node: &Node, takes: Type) -> Bound<Argument> {
        if self.is_hole(node) {
            return Ok(Argument { value: Value::Bool(false), place: place(node) });
        }
        let key = (std::ptr::from_ref(node), takes);
        if let Some(failure) = self.failures.borrow().get(&key) {
            return Err(failure.clone());
        }
        let bound = self.bind_fresh(node, takes);
        match bound {
            Ok(value) => Ok(Argument { value, place: place(node) }),
            Err(failure) => {
                self.failures.borrow_mut().insert(key, failure.clone());
                Err(failure)
            }
        }
    }

    fn bind_fresh(&self, node: &Node, takes: Type) -> Bound<Value> {
        match takes {
            Type::Literal(word) if node.word().is_some_and(|given| selects(given, word)) => {
                Ok(Value::Word(word))
            }
            Type::Literal(word) => self.fail(node, format!("expected `{word}`")),
            Type::Kind(kind, 0) if kind == "ints" && matches!(node.kind, NodeKind::List(_)) => {
                self.bind_list(node, Type::Kind("int", 0))
            }
            Type::Kind(kind, 0) => match &node.kind {
                NodeKind::Call(_) => self.bind_call(node, kind),
                NodeKind::Word(word) => self.bind_word(node, word, kind),
                NodeKind::Text(text) if kind == "str" => Ok(Value::Text(text.clone())),
                _ => self.mismatch(node, kind),
            },
            Type::Kind(kind, lists) => match &node.kind {
                NodeKind::List(_) => self.bind_list(node, Type::Kind(kind, lists - 1)),
                _ => self.fail(
                    node,
                    format!("expected a list of {}, found {}", plural(kind), found(node)),
                ),
            },
        }
    }

    fn bind_list(&self, node: &Node, item: Type) -> Bound<Value> {
        let items = node.children().iter().map(|child| {
            self.bind(child, item).map_err(|mut failure| {
                failure.depth += 1;
                failure
            })
        });
        Ok(Value::List(items.collect::<Bound<_>>()?))
    }

    fn mismatch<T>(&self, node: &Node, kind: &str) -> Bound<T> {
        let large = |word: &str| word.parse::<i128>().is_ok() && word.parse::<i32>().is_err();
        if matches!(kind, "int" | "Int" | "dim") && node.word().is_some_and(large) {
            return self
                .fail(node, "this number is too large or too small; numbers have 32 bits".into());
        }
        let message = format!("expected {}, found {}", describe(kind), found(node));
        let help = node.text().filter(|_| kind != "str").map(|text| self.no_define(text));
        let (place, wrong) = (place(node), Wrong::Node(node));
        Err(Failure { message, help, place, depth: 0, weight: 0, wrong })
    }

    /// A text where no text belongs was meant to be a define.
    fn no_define(&self, text: &str) -> String {
        let known = self.expansions.defined();
        match super::closest(text, known.iter().map(|name| &**name)) {
            Some(near) => format!("nothing defines \"{text}\"; did you mean \"{near}\"?"),
            None => format!("nothing defines \"{text}\""),
        }
    }

    fn bind_word(&self, node: &Node, word: &str, kind: &'static str) -> Bound<Value> {
        let value = match kind {
            "bool" | "Bool" => match word {
                "True" => Some(Value::Bool(true)),
                "False" => Some(Value::Bool(false)),
                _ => None,
            },
            "int" | "Int" | "dim" => whole(word).map(Value::Int),
            "float" | "Float" => word.parse().ok().map(Value::Float),
            "dir" | "facing" => self
                .enum_value("AbsoluteDirection", word)
                .or_else(|| self.enum_value("RelativeDirection", word)),
            _ => kind.strip_prefix('@').and_then(|enumeration| self.enum_value(enumeration, word)),
        };
        match value {
            Some(value) => Ok(value),
            None => self.unknown_word(node, word, kind),
        }
    }

    fn enum_value(&self, enumeration: &str, word: &str) -> Option<Value> {
        let mut values = self.table.values(enumeration).iter();
        let value = values.find(|value| **value == word)?;
        Some(Value::Word(value))
    }

    fn unknown_word<T>(&self, node: &Node, word: &str, kind: &str) -> Bound<T> {
        let values: Vec<&str> = match kind {
            "dir" | "facing" => {
                let absolute = self.table.values("AbsoluteDirection");
                let relative = self.table.values("RelativeDirection");
                absolute.iter().chain(relative).copied().collect()
            }
            _ => self.table.values(kind.trim_start_matches('@')).to_vec(),
        };
        let mut failure = match self.mismatch::<()>(node, kind) {
            Ok(()) => unreachable!("a mismatch is an error"),
            Err(failure) => failure,
        };
        let near = super::closest(word, values.iter().copied());
        let bare = self.table.forms(word).any(|row| row.kinds.contains(&kind));
        failure.help = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => bare.then(|| format!("did you mean `({word})`?")),
        };
        Err(failure)
    }

    fn bind_call(&self, node: &Node, kind: &'static str) -> Bound<Value> {
        let Some(word) = node.head().map(|word| unspelled(word, kind)) else {
            return self.fail(node, "expected the name of a ludeme".into());
        };
        if !self.table.knows(word) {
            return self.unknown_ludeme(node, word);
        }
        let mut best: Option<Failure> = None;
        let mut fits = false;
        for row in self.table.forms(word) {
            if !row.kinds.contains(&kind) {
                continue;
            }
            fits = true;
            match self.bind_form(node, row) {
                Ok(call) => return Ok(Value::Call(call)),
                Err(failure) => keep_deepest(&mut best, failure),
            }
        }
        match best {
            Some(failure) if fits => Err(self.unknown_form(node, word, kind).unwrap_or(failure)),
            _ => self.wrong_kind(node, word, kind),
        }
    }

    /// A ludeme of another kind than belongs here; one of the right kind may have nearly the same name.
    fn wrong_kind<T>(&self, node: &Node, word: &str, kind: &'static str) -> Bound<T> {
        let fitting = self.table.rows().iter().filter(|row| row.kinds.contains(&kind));
        let near = super::closest(word, fitting.map(|row| row.word));
        self.mismatch(node, kind).map_err(|failure| Failure {
            help: near.map(|near| format!("did you mean `({near} …)`?")).or(failure.help),
            ..failure
        })
    }

    /// What to say when the word that selects a form, as in `(move Slide …)`, is none of those known.
    fn unknown_form(&self, node: &Node, word: &str, kind: &str) -> Option<Failure> {
        let selector = node.children().get(1).filter(|second| second.name.is_none())?;
        let given = selector.word()?;
        let rows = || self.table.forms(word).filter(|row| row.kinds.contains(&kind));
        let selectors = || {
            rows().filter_map(|row| match row.parameters.first()?.takes {
                Type::Literal(known) => Some(known),
                Type::Kind(..) => None,
            })
        };
        let takes_word = |row: &Row| {
            let first = row.parameters.iter().filter(|parameter| !parameter.named);
            let upto_needed = first.take(4);
            upto_needed.into_iter().any(|p| self.bind(selector, p.takes).is_ok())
        };
        // It is a form of another kind of value, which is told where a value of this kind is expected.
        let elsewhere = self.table.forms(word).any(|row| {
            row.parameters
                .first()
                .is_some_and(|p| matches!(p.takes, Type::Literal(w) if w == given))
        });
        if selectors().next().is_none() || elsewhere || rows().any(takes_word) {
            return None;
        }
        let near = super::closest(given, selectors());
        if near.is_none() && rows().count() != selectors().count() {
            return None;
        }
        let help = match near {
            Some(near) => format!("did you mean `({word} {near} …)`?"),
            None => format!("`ludex ludemes {word}` lists its forms"),
        };
        let message = format!("`{word}` has no form `{given}`");
        let (place, wrong) = (place(selector), Wrong::Node(node));
        Some(Failure { message, help: Some(help), place, depth: 20, weight: 0, wrong })
    }

    fn unknown_ludeme<T>(&self, node: &Node, word: &str) -> Bound<T> {
        let near = super::closest(word, self.table.words());
        Err(Failure {
            message: format!("there is no ludeme `{word}`"),
            help: near.map(|near| format!("did you mean `{near}`?")),
            place: node.children().first().map_or(place(node), place),
            // A wrong name is what the author must hear about, whatever else was tried.
            depth: 50,
            weight: 0,
            wrong: Wrong::Node(node),
        })
    }

    fn bind_form(&self, node: &Node, row: &'static Row) -> Bound<Call> {
        let mut call =
            Call { row, arguments: vec![None; row.parameters.len()], place: place(node) };
        let given = &node.children()[1..];
        let mut positional = Vec::with_capacity(given.len());
        positional.extend(given.iter().filter(|argument| argument.name.is_none()));
        let selected = self.selected(row, &positional, node)?;
        let nearer = |failure: Failure| Failure { depth: failure.depth + selected, ..failure };
        for argument in given {
            if let Some(name) = &argument.name {
                self.bind_named(&mut call, argument, name).map_err(nearer)?;
            }
        }
        self.bind_positional(&mut call, &positional, 0)?;
        Ok(call)
    }

    /// How many words select this form, all of which must be there: they say what was meant.
    fn selected(&self, row: &Row, positional: &[&Node], call: &Node) -> Bound<u32> {
        let mut count = 0;
        for (at, parameter) in row.parameters.iter().enumerate() {
            let Type::Literal(word) = parameter.takes else { break };
            match positional.get(at) {
                Some(node) if node.word().is_some_and(|given| selects(given, word)) => count += 1,
                Some(node) => return self.fail(node, format!("expected `{word}`")),
                None => return self.fail(call, format!("`{}` needs `{word}`", row.word)),
            }
        }
        Ok(count)
    }

    fn bind_named(&self, call: &mut Call, argument: &Node, name: &str) -> Bound<()> {
        if self.is_hole(argument) {
            return Ok(());
        }
        let mut best = None;
        for (at, parameter) in call.row.parameters.iter().enumerate() {
            if !parameter.named || parameter.name != name || call.arguments[at].is_some() {
                continue;
            }
            match self.bind(argument, parameter.takes) {
                Ok(bound) => {
                    call.arguments[at] = Some(bound);
                    return Ok(());
                }
                // Its name was meant, whatever other forms of the ludeme call theirs.
                Err(failure) => best = Some(Failure { weight: MEANT, ..deeper(failure) }),
            }
        }
        match best {
            Some(failure) => Err(failure),
            None => self.unknown_name(call.row, argument, name),
        }
    }

    fn unknown_name(&self, row: &Row, argument: &Node, name: &str) -> Bound<()> {
        let named = row.parameters.iter().filter(|p| p.named).map(|p| p.name);
        let near = super::closest(name, named);
        Err(Failure {
            message: format!("`{}` takes no argument `{name}:`", spoken(row)),
            help: near.map(|near| format!("did you mean `{near}:`?")),
            place: place(argument),
            depth: 1,
            weight: 0,
            wrong: Wrong::Node(argument),
        })
    }

    /// Gives the arguments without names to the parameters in order, leaving optional ones out
    /// where that is what fits.
    fn bind_positional(&self, call: &mut Call, given: &[&Node], from: usize) -> Bound<()> {
        let row = call.row;
        let Some((first, rest)) = given.split_first() else {
            return self.complete(call);
        };
        let mut best: Option<Failure> = None;
        for (at, parameter) in row.parameters.iter().enumerate().skip(from) {
            if parameter.named || group_taken(call, at, parameter) || self.lacks(call, parameter) {
                continue;
            }
            match self.bind(first, parameter.takes) {
                Ok(bound) => {
                    call.arguments[at] = Some(bound);
                    match self.bind_positional(call, rest, at + 1) {
                        Ok(()) => return Ok(()),
                        Err(failure) => keep_deepest(&mut best, deeper(failure)),
                    }
                    call.arguments[at] = None;
                }
                Err(failure) => {
                    let weight = weight(first, parameter);
                    keep_deepest(&mut best, Failure { weight, ..deeper(failure) });
                }
            }
            if !parameter.optional && parameter.group.is_none() {
                self.blame_gap(&mut best, call, first, at);
                break;
            }
        }
        match best {
            // What is wrong and fits nowhere is one argument too many.
            _ if self.is_hole(first) => self.bind_positional(call, rest, from),
            Some(failure) => Err(failure),
            None => self.fail(first, format!("`{}` takes no further argument", spoken(row))),
        }
    }

    /// An argument that would fit behind the needed one at `at` says that this one was left out.
    fn blame_gap(&self, best: &mut Option<Failure>, call: &Call, node: &Node, at: usize) {
        let shallow = best.as_ref().is_some_and(|b| b.depth <= 1 && b.help.is_none());
        let later = call.row.parameters.iter().skip(at + 1).filter(|p| !p.named);
        let fits =
            |p: &Parameter| p.takes != Type::Kind("moves", 0) && self.bind(node, p.takes).is_ok();
        if shallow && later.into_iter().any(fits) {
            let lacking = &call.row.parameters[at];
            let message = format!("`{}` needs {} before this", spoken(call.row), needs(lacking));
            let (place, wrong) = (place(node), Wrong::Lack(call.place, lacking));
            *best = Some(Failure { message, help: None, place, depth: 1, weight: MEANT, wrong });
        }
    }

    /// All that must be there is there.
    fn complete(&self, call: &Call) -> Bound<()> {
        for (at, parameter) in call.row.parameters.iter().enumerate() {
            let given = call.arguments[at].is_some() || group_taken(call, at, parameter);
            if !parameter.optional && !given && !self.lacks(call, parameter) {
                let others = call.row.parameters.iter().skip(at + 1);
                let alike = others.filter(|p| p.group.is_some() && p.group == parameter.group);
                let all: Vec<String> =
                    std::iter::once(parameter).chain(alike.take(2)).map(needs).collect();
                return Err(Failure {
                    message: format!("`{}` needs {}", spoken(call.row), all.join(", or ")),
                    help: None,
                    place: call.place,
                    depth: 1,
                    weight: 0,
                    wrong: Wrong::Lack(call.place, parameter),
                });
            }
        }
        Ok(())
    }
}

/// Whether a word selects a form: in use, some are written with a small first letter.
fn selects(given: &str, word: &str) -> bool {
    given == word
        || given.get(1..) == word.get(1..)
            && given.get(..1).map(str::to_ascii_uppercase).as_deref() == word.get(..1)
}

/// Operators may also be spelled out.
fn unspelled<'a>(word: &'a str, kind: &str) -> &'a str {
    match word {
        "pow" => "^",
        "le" => "<=",
        "lt" => "<",
        "ge" => ">=",
        "gt" => ">",
        "mod" => "%",
        "mul" => "*",
        "div" => "/",
        "sub" => "-",
        "add" if kind == "int" => "+",
        other => other,
    }
}

/// A form by its word and the words that select it, as in `move Step`.
fn spoken(row: &Row) -> String {
    let mut out = row.word.to_owned();
    for parameter in &row.parameters {
        let Type::Literal(word) = parameter.takes else { break };
        out.push(' ');
        out.push_str(word);
    }
    out
}

/// What a parameter asks for.
fn needs(parameter: &Parameter) -> String {
    let value = match parameter.takes {
        Type::Literal(word) => return format!("`{word}`"),
        Type::Kind(kind, 0) => describe(kind),
        Type::Kind(kind, _) => format!("a list of {}", plural(kind)),
    };
    match parameter.named {
        true => format!("`{}:` with {value}", parameter.name),
        false if value.starts_with('`') => value,
        false => format!("{value} ({})", parameter.name),
    }
}

fn deeper(mut failure: Failure) -> Failure {
    failure.depth += 1;
    failure
}

/// The weight of a parameter that was meant beyond doubt.
const MEANT: u8 = 3;

/// What must be there was meant rather than what may be there, and no bracket and no number was meant as a word of a list.
fn weight(node: &Node, parameter: &Parameter) -> u8 {
    let word = matches!(&node.kind, NodeKind::Word(word) if word.parse::<f64>().is_err());
    match parameter.takes {
        Type::Kind(kind, _) if kind.starts_with('@') && !word => 0,
        _ if parameter.optional => 1,
        _ => 2,
    }
}

/// Keeps the attempt that came farthest; of equals the one that knows what was meant.
fn keep_deepest(best: &mut Option<Failure>, failure: Failure) {
    let rank = |f: &Failure| (f.depth, f.weight >= MEANT, f.help.is_some(), f.weight);
    if best.as_ref().is_none_or(|b| rank(&failure) > rank(b)) {
        *best = Some(failure);
    }
}

fn group_taken(call: &Call, at: usize, parameter: &Parameter) -> bool {
    parameter.group.is_some()
        && call.row.parameters.iter().enumerate().any(|(other, p)| {
            other != at && p.group == parameter.group && call.arguments[other].is_some()
        })
}

fn place(node: &Node) -> Place {
    Place { span: node.span, via: node.via }
}

fn whole(word: &str) -> Option<i32> {
    let constant = CONSTANTS.iter().find(|(name, _)| *name == word);
    constant.map(|(_, value)| *value).or_else(|| word.parse().ok())
}

fn found(node: &Node) -> String {
    match &node.kind {
        NodeKind::Call(_) => match node.head() {
            Some(word) => match table().forms(word).next() {
                Some(row) => match describe(row.kinds[0]) {
                    kind if kind.starts_with('`') => format!("`({word} …)`"),
                    kind => format!("`({word} …)`, which is {kind}"),
                },
                None => format!("`({word} …)`"),
            },
            None => "a bracket without a ludeme".into(),
        },
        NodeKind::List(_) => "a list".into(),
        NodeKind::Angle(_) => "an option".into(),
        NodeKind::Text(text) => format!("the text {text:?}"),
        NodeKind::Word(word) if word.parse::<f64>().is_ok() => format!("the number {word}"),
        NodeKind::Word(word) => format!("`{word}`"),
    }
}

/// A kind in words, with its article.
pub fn describe(kind: &str) -> String {
    match kind {
        "bool" => "a condition".into(),
        "int" => "a number".into(),
        "Int" => "a plain number".into(),
        "float" | "Float" => "a decimal number".into(),
        "dim" => "a board dimension".into(),
        "region" => "a site set".into(),
        "ints" => "a list of numbers".into(),
        "dir" => "a direction".into(),
        "facing" => "a facing".into(),
        "moves" => "a move".into(),
        "graph" => "a board graph".into(),
        "range" => "a range".into(),
        "str" => "text in quotes".into(),
        "Bool" => "True or False".into(),
        "start" => "a starting rule".into(),
        "item" => "a piece of equipment".into(),
        "endrule" => "an end rule".into(),
        "metarule" => "a meta rule".into(),
        other => match other.strip_prefix('@') {
            Some(enumeration) => {
                let values = table().values(enumeration);
                let shown: Vec<String> = values.iter().take(8).map(|v| format!("`{v}`")).collect();
                let more = if values.len() > 8 { " …" } else { "" };
                format!("one of {}{more}", shown.join(", "))
            }
            None => {
                let mut chars = other.chars();
                let first = chars.next().map(|c| c.to_ascii_lowercase());
                let word: String = first.into_iter().chain(chars).collect();
                format!("`({word} …)`")
            }
        },
    }
}

fn plural(kind: &str) -> String {
    match kind {
        "int" | "Int" | "float" | "Float" => "numbers".into(),
        "bool" => "conditions".into(),
        "region" => "site sets".into(),
        "str" => "texts".into(),
        other => describe(other),
    }
}
