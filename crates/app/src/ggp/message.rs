//! Messages of a game manager.

use ludex_lang::diagnostic::SourceId;
use ludex_lang::kif::tree::{self, Tree};
use ludex_lang::kif::{Checked, check_trees};

/// What a game manager wants.
pub enum Message {
    /// Who are you, and are you busy?
    Info,
    /// Rules to look at before a match, or nothing if they are faulty.
    Preview(Option<Box<Rules>>),
    /// A match begins.
    Start(Box<Start>),
    /// Everybody's last moves (none at the first step); what is yours?
    Play { id: String, moves: Option<Vec<String>> },
    /// The match is over.
    Stop { id: String },
    /// The match is abandoned.
    Abort { id: String },
}

/// The beginning of a match.
pub struct Start {
    /// The match.
    pub id: String,
    /// Our role.
    pub role: String,
    /// The rules, or nothing if they are faulty.
    pub rules: Option<Rules>,
    /// Seconds before the first move.
    pub start_clock: u64,
    /// Seconds for each move.
    pub play_clock: u64,
}

/// Checked rules, and a text by which they are known again.
pub struct Rules {
    /// What they say.
    pub checked: Checked,
    /// Their text with blanks made equal.
    pub text: String,
}

fn read_rules(trees: &[Tree], length: usize) -> Option<Rules> {
    let checked = check_trees(trees, SourceId(0), length).ok()?;
    Some(Rules { checked, text: trees.iter().map(term_text).collect::<Vec<_>>().join(" ") })
}

/// Reads a message; `None` if it is none.
pub fn read(text: &str) -> Option<Message> {
    let trees = tree::read(SourceId(0), text).ok()?;
    let [Tree::List(items, _)] = &trees[..] else { return None };
    let (word, rest) = items.split_first()?;
    match (word.atom()?.to_ascii_lowercase().as_str(), rest) {
        ("info", _) => Some(Message::Info),
        ("preview", rest) => Some(Message::Preview(match rest.first() {
            Some(Tree::List(rules, _)) => read_rules(rules, text.len()).map(Box::new),
            _ => None,
        })),
        ("start", [id, role, Tree::List(rules, _), start_clock, play_clock]) => {
            Some(Message::Start(Box::new(Start {
                id: term_text(id),
                role: term_text(role),
                rules: read_rules(rules, text.len()),
                start_clock: start_clock.atom()?.parse().ok()?,
                play_clock: play_clock.atom()?.parse().ok()?,
            })))
        }
        ("play", [id, moves]) => {
            Some(Message::Play { id: term_text(id), moves: read_moves(moves) })
        }
        ("stop", [id, ..]) => Some(Message::Stop { id: term_text(id) }),
        ("abort", [id, ..]) => Some(Message::Abort { id: term_text(id) }),
        _ => None,
    }
}

fn read_moves(tree: &Tree) -> Option<Vec<String>> {
    match tree {
        Tree::Atom(..) => None,
        Tree::List(moves, _) => Some(moves.iter().map(term_text).collect()),
    }
}

/// A term with one blank between items and none inside brackets.
fn term_text(tree: &Tree) -> String {
    match tree {
        Tree::Atom(word, _) => (*word).to_owned(),
        Tree::List(items, _) => {
            format!("({})", items.iter().map(term_text).collect::<Vec<_>>().join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        assert!(matches!(read("( INFO )"), Some(Message::Info)));
        let Some(Message::Play { id, moves }) = read("( PLAY m.1 ( ( mark 1 2 ) noop ) )") else {
            panic!("a play message");
        };
        assert_eq!((id.as_str(), moves), ("m.1", Some(vec!["(mark 1 2)".into(), "noop".into()])));
        assert!(matches!(read("(play m NIL)"), Some(Message::Play { moves: None, .. })));
        for broken in ["", "hello", "(start m white)", "((", "(play)", "(dance)"] {
            assert!(read(broken).is_none(), "{broken}");
        }
    }
}
