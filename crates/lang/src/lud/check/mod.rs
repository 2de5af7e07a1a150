//! Binds every call of a description to a form in the table of ludemes, argument by argument.

mod guess;
mod habits;
mod words;

pub use words::describe;

use super::table::{Parameter, Row, Table, Type, table};
use super::tree::{Expansions, Node, NodeKind};
use crate::diagnostic::{Diagnostic, Span};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use words::{found, needs, plural, spoken};

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
    let mut checker = Checker::new(expansions);
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
                let failure = checker.advise(failure, node);
                let goes_on = checker.read_past(&failure);
                if goes_on != Some(Past::Guess) {
                    let fault = explain(failure, expansions);
                    if !faults.iter().any(|known| known.primary == fault.primary) {
                        faults.push(fault);
                    }
                }
                if faults.len() >= MOST_FAULTS || goes_on.is_none() {
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
    /// The word that was probably meant by one that nothing knows.
    meant: Option<Box<Meant>>,
    /// What the parameter that refused takes; nothing where there is none.
    takes: Option<Type>,
    /// The form whose argument is wrong.
    row: Option<&'static Row>,
}

impl Failure {
    fn at(node: &Node, message: String) -> Self {
        let (place, wrong) = (place(node), Wrong::Node(node));
        let (help, meant) = (None, None);
        Failure { message, help, place, depth: 0, weight: 0, wrong, meant, takes: None, row: None }
    }

    /// The form is the innermost one.
    fn of(self, row: &'static Row, takes: Option<Type>) -> Self {
        match self.row {
            Some(_) => self,
            None => Failure { row: Some(row), takes: self.takes.or(takes), ..self },
        }
    }
}

/// A word of a call and what was probably meant by it.
#[derive(Clone, Copy, Debug)]
struct Meant {
    call: *const Node,
    place: Place,
    written: *const Node,
    word: &'static str,
}

/// What is read past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Past {
    /// A fault.
    Fault,
    /// A guess at what a fault meant, which was wrong.
    Guess,
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
    /// Words that nothing knows, as what they were probably meant.
    meant: Vec<Meant>,
}

type Bound<T> = Result<T, Failure>;

impl<'a> Checker<'a> {
    fn new(expansions: &'a Expansions) -> Self {
        let (failures, excused) = (RefCell::default(), HashSet::new());
        Checker { table: table(), expansions, failures, excused, meant: Vec::new() }
    }

    /// Has a fault read past: a word that nothing knows is read as what was probably meant, so that what stands behind
    /// it is read as well, and where that does not fit, the call it stands in is taken for right. Nothing if the fault
    /// was read past before.
    fn read_past(&mut self, failure: &Failure) -> Option<Past> {
        self.failures.borrow_mut().clear();
        let guess = self.meant.iter().find(|meant| match failure.wrong {
            Wrong::Node(node) => node == meant.call,
            Wrong::Lack(place, _) => place == meant.place,
        });
        if let (Some(guess), None) = (guess, &failure.meant) {
            return self.excused.insert(Wrong::Node(guess.call)).then_some(Past::Guess);
        }
        match &failure.meant {
            Some(meant) => {
                let new = self.meant.iter().all(|known| known.written != meant.written);
                self.meant.push(**meant);
                new.then_some(Past::Fault)
            }
            None => self.excused.insert(failure.wrong).then_some(Past::Fault),
        }
    }

    /// A word as it is read: as it is written, or as what was probably meant.
    fn word<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let written = std::ptr::from_ref(node);
        let meant = self.meant.iter().find(|meant| meant.written == written);
        meant.map(|meant| meant.word).or_else(|| node.word())
    }

    fn fail<T>(&self, node: &Node, message: String) -> Bound<T> {
        Err(Failure::at(node, message))
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
            Type::Literal(word) if self.word(node).is_some_and(|given| selects(given, word)) => {
                Ok(Value::Word(word))
            }
            Type::Literal(word) => self.fail(node, format!("expected `{word}`")),
            Type::Kind(kind, 0) if kind == "ints" && matches!(node.kind, NodeKind::List(_)) => {
                self.bind_list(node, Type::Kind("int", 0))
            }
            Type::Kind(kind, 0) => match &node.kind {
                NodeKind::Call(_) => self.bind_call(node, kind),
                NodeKind::Word(word) => self.bind_word(node, self.word(node).unwrap_or(word), kind),
                NodeKind::Text(text) if kind == "str" => Ok(Value::Text(text.clone())),
                _ => self.mismatch(node, kind),
            },
            Type::Kind(kind, lists) => match &node.kind {
                NodeKind::List(_) => self.bind_list(node, Type::Kind(kind, lists - 1)),
                // Where a list of numbers may stand, one may as well.
                _ if guess::is_fraction(node) => self.mismatch(node, kind),
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
                if failure.row.is_none() {
                    failure.takes.get_or_insert(item);
                }
                failure
            })
        });
        Ok(Value::List(items.collect::<Bound<_>>()?))
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

    fn bind_call(&self, node: &Node, kind: &'static str) -> Bound<Value> {
        let head = node.children().first().and_then(|head| self.word(head));
        let Some(word) = head.map(|word| unspelled(word, kind)) else {
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
            Some(failure) if fits => {
                Err(self.unknown_form(node, word, kind, &failure).unwrap_or(failure))
            }
            _ => self.wrong_kind(node, word, kind),
        }
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
                Some(node) if self.word(node).is_some_and(|given| selects(given, word)) => {
                    count += 1;
                }
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
                Err(failure) => {
                    let failure = failure.of(call.row, Some(parameter.takes));
                    best = Some(Failure { weight: MEANT, ..deeper(failure) });
                }
            }
        }
        match best {
            Some(failure) => Err(failure),
            None => self.unknown_name(call.row, argument, name),
        }
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
                    let failure = failure.of(row, Some(parameter.takes));
                    keep_deepest(&mut best, Failure { weight, ..deeper(failure) });
                }
            }
            if !parameter.optional && parameter.group.is_none() {
                self.blame_gap(&mut best, call, first, at);
                break;
            }
        }
        match best {
            // What is wrong may also be one argument too many.
            _ if self.is_hole(first) => {
                self.bind_positional(call, rest, from).map_err(|without| best.unwrap_or(without))
            }
            Some(failure) => Err(failure),
            None => {
                let message = format!("`{}` takes no further argument", spoken(row));
                Err(Failure::at(first, message).of(row, None))
            }
        }
    }

    /// An argument that would fit behind the needed one at `at` says that this one was left out.
    fn blame_gap(&self, best: &mut Option<Failure>, call: &Call, node: &Node, at: usize) {
        // A word that only selects a form is not left out: another form was meant.
        let selects = match call.row.parameters[at].takes {
            Type::Kind(kind, 0) => self.table.values(kind.trim_start_matches('@')).len() == 1,
            _ => false,
        };
        let shallow = best.as_ref().is_some_and(|b| b.depth <= 1 && b.help.is_none()) && !selects;
        let later = call.row.parameters.iter().skip(at + 1).filter(|p| !p.named);
        let fits =
            |p: &Parameter| p.takes != Type::Kind("moves", 0) && self.bind(node, p.takes).is_ok();
        if shallow && later.into_iter().any(fits) {
            let lacking = &call.row.parameters[at];
            let message = format!("`{}` needs {} before this", spoken(call.row), needs(lacking));
            let wrong = Wrong::Lack(call.place, lacking);
            let failure = Failure::at(node, message).of(call.row, None);
            *best = Some(Failure { depth: 1, weight: MEANT, wrong, ..failure });
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
                    meant: None,
                    takes: None,
                    row: Some(call.row),
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
const SPELLINGS: [(&str, &str); 10] = [
    ("pow", "^"),
    ("le", "<="),
    ("lt", "<"),
    ("ge", ">="),
    ("gt", ">"),
    ("mod", "%"),
    ("mul", "*"),
    ("div", "/"),
    ("sub", "-"),
    ("add", "+"),
];

/// The name of a ludeme that may be spelled out. `add` is a move as well.
fn unspelled<'a>(word: &'a str, kind: &str) -> &'a str {
    spelled(word).filter(|_| word != "add" || kind == "int").unwrap_or(word)
}

/// What a word spells out.
pub(super) fn spelled(word: &str) -> Option<&'static str> {
    SPELLINGS.iter().find(|(spelling, _)| *spelling == word).map(|(_, name)| *name)
}

/// How else a ludeme of a kind may be spelled.
pub(super) fn spelling(row: &Row) -> Option<&'static str> {
    let fits = |(spelling, name): &&(&str, &str)| {
        *name == row.word && row.kinds.iter().any(|kind| unspelled(spelling, kind) == row.word)
    };
    SPELLINGS.iter().find(fits).map(|(spelling, _)| *spelling)
}

/// The word that selects a form.
fn selector_of(row: &Row) -> Option<&'static str> {
    match row.parameters.first()?.takes {
        Type::Literal(word) => Some(word),
        Type::Kind(..) => None,
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
    // A number, even one that cannot be, is meant where numbers belong.
    let begins = node.word().map(|word| word.trim_start_matches('-'));
    let digit = begins.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let numeric = |kind| matches!(kind, "int" | "Int" | "dim" | "float" | "Float" | "range");
    match parameter.takes {
        Type::Kind(kind, _) if kind.starts_with('@') && !word => 0,
        Type::Kind(kind, _) if digit && !numeric(kind) => 0,
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
