//! What to say of words that nothing knows, or that stand where they do not belong, and what was probably meant by them.

use super::words::{describe, forms, found, spoken, straight};
use super::{Bound, Checker, Failure, Meant, Wrong, place, selector_of};
use crate::lud::closest;
use crate::lud::table::{Parameter, Row, Type};
use crate::lud::tree::Node;

impl<'a> Checker<'a> {
    pub(super) fn mismatch<T>(&self, node: &Node, kind: &str) -> Bound<T> {
        let large = |word: &str| word.parse::<i128>().is_ok() && word.parse::<i32>().is_err();
        if matches!(kind, "int" | "Int" | "dim") && node.word().is_some_and(large) {
            return self
                .fail(node, "this number is too large or too small; numbers have 32 bits".into());
        }
        let message = match is_fraction(node) && matches!(kind, "int" | "Int" | "dim") {
            true => format!("expected a whole number, found {}", found(node)),
            false => format!("expected {}, found {}", describe(kind), found(node)),
        };
        let undefined =
            node.text().filter(|_| kind != "str").map(|text| self.no_define(text, kind));
        let undefined = super::habits::coordinate(node, kind).or(undefined);
        let help = undefined.or_else(|| node.word().and_then(straight));
        Err(Failure { help, ..Failure::at(node, message) })
    }

    /// A text where no text belongs was meant to be a define, or where a number belongs, that of a piece, or it is a
    /// word of the language.
    fn no_define(&self, text: &str, kind: &str) -> String {
        if self.words(kind).contains(&text) {
            return format!("this word has no quotation marks: `{text}`");
        }
        if kind == "region" && self.is_form("sites", text) {
            return format!("did you mean `(sites {text})`?");
        }
        let known = self.expansions.defined();
        match closest(text, known.iter().map(|name| &**name)) {
            Some(near) => format!("nothing defines \"{text}\"; did you mean \"{near}\"?"),
            None if kind == "int" => {
                format!("to speak of the piece \"{text}\" write `(id \"{text}\")`")
            }
            None => format!("nothing defines \"{text}\""),
        }
    }

    /// The words that may stand for a kind.
    fn words(&self, kind: &str) -> Vec<&'static str> {
        match kind {
            "bool" | "Bool" => vec!["True", "False"],
            "dir" | "facing" => {
                let absolute = self.table.values("AbsoluteDirection");
                let relative = self.table.values("RelativeDirection");
                absolute.iter().chain(relative).copied().collect()
            }
            _ => self.table.values(kind.trim_start_matches('@')).to_vec(),
        }
    }

    /// Whether a word selects a form of a ludeme.
    pub(super) fn is_form(&self, ludeme: &str, word: &str) -> bool {
        self.table.forms(ludeme).any(|row| selector_of(row) == Some(word))
    }

    pub(super) fn unknown_word<T>(&self, node: &Node, word: &str, kind: &str) -> Bound<T> {
        let values = self.words(kind);
        let mut failure = match self.mismatch::<()>(node, kind) {
            Ok(()) => unreachable!("a mismatch is an error"),
            Err(failure) => failure,
        };
        let point = compass(word).filter(|point| values.contains(&point.as_str()));
        let near = point.as_deref().or_else(|| closest(word, values.iter().copied()));
        let bare = self.table.forms(word).any(|row| row.kinds.contains(&kind));
        failure.help = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => bare.then(|| format!("did you mean `({word})`?")).or(failure.help),
        };
        Err(failure)
    }

    /// A ludeme of another kind than belongs here; one of the right kind may have nearly the same name. But a word that
    /// is known is seldom a slip.
    pub(super) fn wrong_kind<T>(&self, node: &Node, word: &str, kind: &'static str) -> Bound<T> {
        let fitting = self.table.rows().iter().filter(|row| row.kinds.contains(&kind));
        let near = closest(word, fitting.map(|row| row.word))
            .filter(|near| word.len() >= 4 && crate::lud::distance(word, near) <= 1);
        self.mismatch(node, kind).map_err(|failure| Failure {
            help: near.map(|near| format!("did you mean `({near} …)`?")).or(failure.help),
            ..failure
        })
    }

    /// What to say when the word that selects a form, as in `(move Slide …)`, is none of those known.
    pub(super) fn unknown_form(
        &self,
        node: &Node,
        word: &str,
        kind: &str,
        failure: &Failure,
    ) -> Option<Failure> {
        let selector = node.children().get(1).filter(|second| second.name.is_none())?;
        let given = self.word(selector)?;
        let rows = || self.table.forms(word).filter(|row| row.kinds.contains(&kind));
        let selectors: Vec<&'static str> = rows().filter_map(selector_of).collect();
        let takes_it = |row: &'a Row| leading(row).any(|p| self.bind(selector, p.takes).is_ok());
        if selectors.is_empty() || rows().any(takes_it) {
            return None;
        }
        let elsewhere = self.table.forms(word).find(|row| selector_of(row) == Some(given));
        if let Some(row) = elsewhere {
            let other = !row.kinds.contains(&kind);
            let message = format!(
                "`{word} {given}` is {}, and {} belongs here; {}",
                describe(row.kinds[0]),
                describe(kind),
                forms(word, selectors)
            );
            return other.then(|| Failure { depth: 1, ..Failure::at(node, message) });
        }
        let near = closest(given, selectors.iter().copied());
        // A word of another kind may have been meant.
        let takes_words = |row: &'a Row| {
            leading(row).any(|p| matches!(p.takes, Type::Kind(kind, _) if kind.starts_with('@') || kind == "dir"))
        };
        let plain = || rows().filter(|row| selector_of(row).is_none());
        if near.is_none() && (failure.help.is_some() || plain().any(takes_words)) {
            return None;
        }
        let help = match near {
            Some(near) => format!("did you mean `({word} {near} …)`?"),
            None => forms(word, selectors),
        };
        let meant = near.map(|word| {
            Box::new(Meant { call: node, place: place(node), written: selector, word })
        });
        let message = format!("`{word}` has no form `{given}`");
        let failure =
            Failure { help: Some(help), depth: 20, meant, ..Failure::at(selector, message) };
        Some(Failure { wrong: Wrong::Node(node), ..failure })
    }

    pub(super) fn unknown_ludeme<T>(&self, node: &Node, word: &str) -> Bound<T> {
        let near = closest(word, self.table.words()).or_else(|| self.longer(word));
        let head = node.children().first().unwrap_or(node);
        let meant = near
            .map(|word| Box::new(Meant { call: node, place: place(node), written: head, word }));
        let define = self.expansions.defined().iter().any(|name| **name == *word);
        Err(Failure {
            help: match define {
                true => Some(format!("a define is called in quotation marks: `(\"{word}\" …)`")),
                false => near.map(|near| format!("did you mean `{near}`?")),
            },
            // A wrong name is what the author must hear about, whatever else was tried.
            depth: 50,
            wrong: Wrong::Node(node),
            meant,
            ..Failure::at(head, format!("there is no ludeme `{word}`"))
        })
    }

    /// A ludeme whose name a word goes on from, as `hexagon` does from `hex`.
    fn longer(&self, word: &str) -> Option<&'static str> {
        let begins = |name: &&'static str| name.len() >= 3 && word.starts_with(*name);
        self.table.words().filter(begins).max_by_key(|name| name.len())
    }

    pub(super) fn unknown_name(&self, row: &Row, argument: &Node, name: &str) -> Bound<()> {
        let named = row.parameters.iter().filter(|p| p.named).map(|p| p.name);
        if named.clone().any(|known| known == name) {
            let message = format!("`{}` takes `{name}:` once", spoken(row));
            return Err(Failure { depth: 1, ..Failure::at(argument, message) });
        }
        let near = closest(name, named);
        let message = format!("`{}` takes no argument `{name}:`", spoken(row));
        let bracket = row.parameters.iter().any(|p| {
            matches!(p.takes, Type::Kind(kind, 0) if !p.named && kind.eq_ignore_ascii_case(name))
        });
        let help = match near {
            Some(near) => Some(format!("did you mean `{near}:`?")),
            None => bracket.then(|| format!("that is a bracket of its own: `({name} …)`")),
        };
        Err(Failure { help, depth: 1, ..Failure::at(argument, message) })
    }
}

/// Whether a node is a number that is not whole.
pub(super) fn is_fraction(node: &Node) -> bool {
    node.word().and_then(|word| word.parse::<f64>().ok()).is_some_and(|n| n.fract() != 0.0)
}

/// A direction of the compass that is spelled out, such as `NorthWest`.
fn compass(word: &str) -> Option<String> {
    const POINTS: [(&str, char); 4] =
        [("north", 'N'), ("south", 'S'), ("east", 'E'), ("west", 'W')];
    let (mut rest, mut point) = (word.to_lowercase().replace(['-', '_'], ""), String::new());
    while !rest.is_empty() {
        let (name, letter) = POINTS.iter().find(|(name, _)| rest.starts_with(name))?;
        point.push(*letter);
        rest.drain(..name.len());
    }
    Some(point).filter(|point| !point.is_empty())
}

/// The parameters to which the first argument without a name may belong.
pub(super) fn leading(row: &Row) -> impl Iterator<Item = &Parameter> {
    let unnamed = || row.parameters.iter().filter(|parameter| !parameter.named);
    let needed = unnamed().position(|p| !p.optional && p.group.is_none());
    unnamed().take(needed.map_or(usize::MAX, |needed| needed + 1))
}
