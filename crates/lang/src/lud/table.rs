//! The one table of ludemes: every form of every ludeme once, with its arguments and their types.
//!
//! Checking, the reference page and lowering all read this table; there is no other list of
//! ludemes. It is kept as text in `ludemes.tbl`, one form per line, tabs between the fields:
//!
//! ```text
//! enum   NAME   VALUE VALUE …
//! row    KEY    KIND,…   WORD   ARGUMENT ARGUMENT …   What it does.
//! ```
//!
//! An argument is `'Word` for a word that must stand there, or `name=type` with `*` per level of
//! list, then `?` if optional, `!` if written `name:`, and `/1` or `/2` where neighbours with the
//! same mark exclude each other.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One form of a ludeme.
#[derive(Debug)]
pub struct Row {
    /// What lowering knows it by: the word and the selecting words, as in `move.Step`.
    pub key: &'static str,
    /// The kinds of value it can stand for.
    pub kinds: Vec<&'static str>,
    /// The word at the head of the call.
    pub word: &'static str,
    /// Its arguments in order.
    pub parameters: Vec<Parameter>,
    /// What it does, one sentence.
    pub doc: &'static str,
}

/// One argument of a form.
#[derive(Debug)]
pub struct Parameter {
    /// Its name; the word itself for a selecting word.
    pub name: &'static str,
    /// What it takes.
    pub takes: Type,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it is written `name:`.
    pub named: bool,
    /// Arguments of one group exclude each other.
    pub group: Option<u8>,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// This very word.
    Literal(&'static str),
    /// A value of a kind (a function such as `int`, a literal such as `Int`, an enumeration such
    /// as `@SiteType`, or a helper such as `From`) inside so many levels of list.
    Kind(&'static str, u8),
}

/// The table.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Row>,
    by_word: HashMap<&'static str, Vec<usize>>,
    enums: HashMap<&'static str, Vec<&'static str>>,
}

impl Table {
    /// All forms.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The forms whose head is `word`.
    pub fn forms(&self, word: &str) -> impl Iterator<Item = &Row> {
        let rows = self.by_word.get(word).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|&row| &self.rows[row])
    }

    /// Whether any ludeme has this word.
    pub fn knows(&self, word: &str) -> bool {
        self.by_word.contains_key(word)
    }

    /// All words that head a ludeme.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.by_word.keys().copied()
    }

    /// All enumerations with their values.
    pub fn enumerations(&self) -> impl Iterator<Item = (&'static str, &[&'static str])> {
        self.enums.iter().map(|(name, values)| (*name, values.as_slice()))
    }

    /// The values of an enumeration.
    pub fn values(&self, enumeration: &str) -> &[&'static str] {
        self.enums.get(enumeration).map_or(&[], Vec::as_slice)
    }
}

/// The table, parsed once.
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| parse(include_str!("ludemes.tbl")));
    &TABLE
}

fn parse(text: &'static str) -> Table {
    let mut table = Table { rows: Vec::new(), by_word: HashMap::new(), enums: HashMap::new() };
    for line in text.lines() {
        let fields: Vec<&'static str> = line.split('\t').collect();
        match fields.as_slice() {
            ["enum", name, values] => {
                table.enums.insert(name, values.split(' ').collect());
            }
            ["row", key, kinds, word, rest @ ..] => {
                let parameters = rest.first().copied().unwrap_or("");
                let at = table.rows.len();
                table.by_word.entry(word).or_default().push(at);
                table.rows.push(Row {
                    key,
                    kinds: kinds.split(',').collect(),
                    word,
                    parameters: parse_parameters(parameters),
                    doc: rest.get(1).copied().unwrap_or(""),
                });
            }
            _ => {}
        }
    }
    table
}

fn parse_parameters(text: &'static str) -> Vec<Parameter> {
    let mut out: Vec<Parameter> = Vec::new();
    let mut last_mark = "";
    let mut group = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if let Some(literal) = word.strip_prefix('\'') {
            out.push(Parameter {
                name: literal,
                takes: Type::Literal(literal),
                optional: false,
                named: false,
                group: None,
            });
            continue;
        }
        let (name, rest) = word.split_once('=').unwrap_or((word, ""));
        let kind_end = rest.find(['*', '?', '!', '/']).unwrap_or(rest.len());
        let (kind, flags) = rest.split_at(kind_end);
        let lists = flags.bytes().filter(|&b| b == b'*').count();
        let mark = flags.split_once('/').map_or("", |(_, mark)| mark);
        // Only neighbours with the same mark exclude each other.
        if mark != last_mark {
            group += 1;
        }
        last_mark = mark;
        out.push(Parameter {
            name,
            takes: Type::Kind(kind, u8::try_from(lists).unwrap_or(0)),
            optional: flags.contains('?'),
            named: flags.contains('!'),
            group: (!mark.is_empty()).then_some(group),
        });
    }
    out
}
