//! The arguments of a call, asked for by name. An argument that was given and that nothing has
//! read is refused by name, so that no part of a description is silently left out.

use super::{Lower, Lowered};
use crate::ir::{Bool, Int, Moves, Region};
use crate::topo::SiteType;
use ludex_lang::lud::check::{Argument, Call, Value};
use ludex_lang::lud::table::Type;
use std::cell::Cell;

/// A call whose arguments are asked for by name; what nobody has read is refused.
pub struct Args<'a> {
    pub(super) call: &'a Call,
    read: Cell<u64>,
}

impl<'a> Args<'a> {
    pub(super) fn new(call: &'a Call) -> Self {
        Args { call, read: Cell::new(0) }
    }

    /// What the call is known by.
    pub fn key(&self) -> &'static str {
        self.call.row.key
    }

    /// The call as it is spoken of.
    pub fn spoken(&self) -> String {
        format!("`({} …)`", self.key().replace('.', " "))
    }

    /// Several arguments may have one name, told apart by type; at most one of them is given.
    fn find(&self, name: &str) -> Option<(usize, &'a Argument)> {
        let parameters = self.call.row.parameters.iter().zip(&self.call.arguments).enumerate();
        let mut named = parameters.filter(|(_, (parameter, _))| parameter.name == name);
        named.find_map(|(at, (_, argument))| Some((at, argument.as_ref()?)))
    }

    fn mark(&self, at: usize) {
        self.read.set(self.read.get() | 1 << at);
    }

    /// The argument of a name, if it was given, to be read.
    pub fn get(&self, name: &str) -> Option<&'a Argument> {
        let (at, argument) = self.find(name)?;
        self.mark(at);
        Some(argument)
    }

    /// Whether an argument of this name was given; it is still to be read.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What `meaning` makes of an argument. One that it can make nothing of stays unread.
    fn read_as<T>(&self, name: &str, meaning: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let (at, argument) = self.find(name)?;
        let value = meaning(&argument.value)?;
        self.mark(at);
        Some(value)
    }

    /// The first argument that was given and not read, with its name.
    pub(super) fn unread(&self) -> Option<(&'static str, &'a Argument)> {
        let parameters = self.call.row.parameters.iter().zip(&self.call.arguments).enumerate();
        let mut given =
            parameters.filter_map(|(at, (p, argument))| Some((at, p, argument.as_ref()?)));
        let unread = |at: usize, takes: Type| {
            !matches!(takes, Type::Literal(_)) && self.read.get() >> at & 1 == 0
        };
        let (_, parameter, argument) = given.find(|(at, p, _)| unread(*at, p.takes))?;
        Some((parameter.name, argument))
    }
}

impl Lower<'_> {
    pub(super) fn call_of<'c>(&self, argument: &'c Argument) -> Lowered<Args<'c>> {
        match &argument.value {
            Value::Call(call) => Ok(Args::new(call)),
            _ => self.refuse(argument.place, "this value"),
        }
    }

    pub(super) fn need<'c>(&self, args: &Args<'c>, name: &str) -> Lowered<&'c Argument> {
        match args.get(name) {
            Some(argument) => Ok(argument),
            None => self.wrong(args.call.place, format!("this needs `{name}`")),
        }
    }

    pub(super) fn opt_int(&mut self, args: &Args<'_>, name: &str) -> Lowered<Option<Int>> {
        args.get(name).map(|argument| self.int(argument)).transpose()
    }

    pub(super) fn opt_bool(&mut self, args: &Args<'_>, name: &str) -> Lowered<Option<Bool>> {
        args.get(name).map(|argument| self.bool(argument)).transpose()
    }

    pub(super) fn opt_region(&mut self, args: &Args<'_>, name: &str) -> Lowered<Option<Region>> {
        args.get(name).map(|argument| self.region(argument)).transpose()
    }

    pub(super) fn opt_moves(&mut self, args: &Args<'_>, name: &str) -> Lowered<Option<Moves>> {
        args.get(name).map(|argument| self.moves(argument)).transpose()
    }

    pub(super) fn need_int(&mut self, args: &Args<'_>, name: &str) -> Lowered<Int> {
        let argument = self.need(args, name)?;
        self.int(argument)
    }

    pub(super) fn int_or(&mut self, args: &Args<'_>, name: &str, default: Int) -> Lowered<Int> {
        Ok(self.opt_int(args, name)?.unwrap_or(default))
    }

    pub(super) fn bool_or(&mut self, args: &Args<'_>, name: &str, default: bool) -> Lowered<Bool> {
        Ok(self.opt_bool(args, name)?.unwrap_or(Bool::Const(default)))
    }

    pub(super) fn flag(&self, args: &Args<'_>, name: &str) -> bool {
        self.flag_or(args, name, false)
    }

    pub(super) fn flag_or(&self, args: &Args<'_>, name: &str, default: bool) -> bool {
        let flag = |value: &Value| match value {
            Value::Bool(value) => Some(*value),
            _ => None,
        };
        args.read_as(name, flag).unwrap_or(default)
    }

    pub(super) fn text<'c>(&self, args: &Args<'c>, name: &str) -> Option<&'c str> {
        args.read_as(name, |value| match value {
            Value::Text(text) => Some(&**text),
            _ => None,
        })
    }

    /// One text or a list of them.
    pub(super) fn texts_of(&self, args: &Args<'_>, name: &str) -> Vec<Box<str>> {
        let text = |item: &Argument| match &item.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        let texts = args.read_as(name, |value| match value {
            Value::Text(text) => Some(vec![text.clone()]),
            Value::List(items) => items.iter().map(text).collect(),
            _ => None,
        });
        texts.unwrap_or_default()
    }

    pub(super) fn word(&self, args: &Args<'_>, name: &str) -> Option<&'static str> {
        args.read_as(name, |value| match value {
            Value::Word(word) => Some(*word),
            _ => None,
        })
    }

    /// A list of words.
    pub(super) fn words(&self, args: &Args<'_>, name: &str) -> Vec<&'static str> {
        let word = |item: &Argument| match item.value {
            Value::Word(word) => Some(word),
            _ => None,
        };
        let words = args.read_as(name, |value| match value {
            Value::List(items) => items.iter().map(word).collect::<Option<Vec<_>>>(),
            _ => None,
        });
        words.unwrap_or_default()
    }

    pub(super) fn number(&self, args: &Args<'_>, name: &str) -> Option<i32> {
        args.read_as(name, |value| match value {
            Value::Int(n) => Some(*n),
            _ => None,
        })
    }

    /// A list of plain numbers.
    pub(super) fn numbers(&self, args: &Args<'_>, name: &str) -> Vec<i32> {
        let number = |item: &Argument| match item.value {
            Value::Int(n) => Some(n),
            _ => None,
        };
        let numbers = args.read_as(name, |value| match value {
            Value::List(items) => items.iter().map(number).collect::<Option<Vec<_>>>(),
            _ => None,
        });
        numbers.unwrap_or_default()
    }

    pub(super) fn items<'c>(&self, args: &Args<'c>, name: &str) -> &'c [Argument] {
        let items = args.read_as(name, |value| match value {
            Value::List(items) => Some(items.as_slice()),
            _ => None,
        });
        items.unwrap_or_default()
    }

    /// A kind of site as written.
    pub(super) fn kind(&self, args: &Args<'_>, name: &str) -> Option<SiteType> {
        self.word(args, name).and_then(SiteType::from_name)
    }

    pub(super) fn kind_or_default(&self, args: &Args<'_>, name: &str) -> SiteType {
        self.kind(args, name).unwrap_or(self.topo.default)
    }
}
