//! How forms, kinds and what was found are spoken of in messages.

use crate::lud::table::{Parameter, Row, Type, table};
use crate::lud::tree::{Node, NodeKind};

/// A form by its word and the words that select it, as in `move Step`.
pub(super) fn spoken(row: &Row) -> String {
    let mut out = row.word.to_owned();
    for parameter in &row.parameters {
        let Type::Literal(word) = parameter.takes else { break };
        out.push(' ');
        out.push_str(word);
    }
    out
}

/// The forms of a ludeme that words select, unless they are many.
pub(super) fn forms(word: &str, mut selectors: Vec<&str>) -> String {
    selectors.dedup();
    match selectors.len() {
        ..=MOST_FORMS => {
            let all: Vec<String> =
                selectors.iter().map(|form| format!("`{word} {form}`")).collect();
            format!("there is {}", all.join(", "))
        }
        _ => format!("`ludex ludemes {word}` lists its forms"),
    }
}

/// So many forms are listed in a message.
const MOST_FORMS: usize = 20;

/// What to do about a word in quotation marks as printers have them.
pub(super) fn straight(word: &str) -> Option<String> {
    const QUOTES: [char; 9] = ['“', '”', '„', '«', '»', '‟', '\'', '‘', '’'];
    let inner = word.trim_matches(QUOTES);
    (inner != word).then(|| format!("quotation marks are straight and double: `\"{inner}\"`"))
}

/// What a parameter asks for.
pub(super) fn needs(parameter: &Parameter) -> String {
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

/// What stands somewhere, in words.
pub(super) fn found(node: &Node) -> String {
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

/// Several of a kind in words.
pub(super) fn plural(kind: &str) -> String {
    match kind {
        "int" | "Int" | "float" | "Float" => "numbers".into(),
        "bool" => "conditions".into(),
        "region" => "site sets".into(),
        "str" => "texts".into(),
        other => describe(other),
    }
}
