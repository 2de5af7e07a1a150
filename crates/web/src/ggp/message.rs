//! Messages of a game manager.

use ludex_lang::diagnostic::{Diagnostic, SourceId};
use ludex_lang::kif::tree::{self, Tree};
use ludex_lang::kif::{Checked, Strictness, check_trees};

/// What a message is about, seen at its two ends without reading what lies between: rules of several
/// megabytes must not hide the clock under which they arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Glance<'t> {
    /// Who are you, and are you busy?
    Info,
    /// Rules to look at before a match.
    Preview {
        /// Seconds to look.
        clock: u64,
    },
    /// A match begins.
    Start {
        /// The match.
        id: &'t str,
        /// Our role.
        role: &'t str,
        /// Seconds before the first move.
        start_clock: u64,
        /// Seconds for each move.
        play_clock: u64,
    },
    /// Everybody's last moves; what is yours?
    Play {
        /// The match.
        id: &'t str,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: &'t str,
    },
    /// The match is abandoned.
    Abort {
        /// The match.
        id: &'t str,
    },
}

/// Looks at a message; `None` if it is none.
pub fn glance(text: &str) -> Option<Glance<'_>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let end = |letter: char| letter.is_whitespace() || letter == '(' || letter == ')';
    let mut first = inside.split(end).filter(|word| !word.is_empty());
    let mut last = inside.rsplit(char::is_whitespace).filter(|word| !word.is_empty());
    let mut clock = || last.next().and_then(|word| word.trim_start_matches(')').parse().ok());
    let word = first.next()?.to_ascii_lowercase();
    match word.as_str() {
        "info" => Some(Glance::Info),
        "preview" => Some(Glance::Preview { clock: clock().unwrap_or(0) }),
        "start" => {
            let (id, role) = (first.next()?, first.next()?);
            let (play_clock, start_clock) = (clock()?, clock()?);
            Some(Glance::Start { id, role, start_clock, play_clock })
        }
        "play" => Some(Glance::Play { id: first.next()? }),
        "stop" => Some(Glance::Stop { id: first.next()? }),
        "abort" => Some(Glance::Abort { id: first.next()? }),
        _ => None,
    }
}

/// Checked rules, and a text by which they are known again.
pub struct Rules {
    /// What they say.
    pub checked: Checked,
    /// Their text with blanks made equal.
    pub text: String,
}

/// The rules in a message that holds some: the first list in it. On failure, what is wrong with them.
pub fn read_rules(message: &str, strictness: Strictness) -> Result<Rules, Vec<Diagnostic>> {
    let trees = tree::read(SourceId(0), message).map_err(|fault| vec![fault])?;
    let items = match &trees[..] {
        [Tree::List(items, _)] => &items[..],
        _ => &[],
    };
    let rules = items.iter().find_map(|item| match item {
        Tree::List(rules, _) => Some(&rules[..]),
        Tree::Atom(..) => None,
    });
    let rules = rules.unwrap_or(&[]);
    let checked = check_trees(rules, SourceId(0), message.len(), strictness)?;
    Ok(Rules { checked, text: rules.iter().map(term_text).collect::<Vec<_>>().join(" ") })
}

/// Everybody's last moves in a message that asks for ours; none at the first step.
pub fn read_moves(message: &str) -> Option<Vec<String>> {
    let trees = tree::read(SourceId(0), message).ok()?;
    let [Tree::List(items, _)] = &trees[..] else { return None };
    match items.get(2)? {
        Tree::Atom(..) => None,
        Tree::List(moves, _) => Some(moves.iter().map(term_text).collect()),
    }
}

/// A term with one blank between items and none inside brackets.
fn term_text(tree: &Tree) -> String {
    let mut out = String::new();
    write_term(tree, &mut out);
    out
}

fn write_term(tree: &Tree, out: &mut String) {
    match tree {
        Tree::Atom(word, _) => out.push_str(word),
        Tree::List(items, _) => {
            out.push('(');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                write_term(item, out);
            }
            out.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        assert_eq!(glance("( INFO )"), Some(Glance::Info));
        let play = "( PLAY m.1 ( ( mark 1 2 ) noop ) )";
        assert_eq!(glance(play), Some(Glance::Play { id: "m.1" }));
        assert_eq!(read_moves(play), Some(vec!["(mark 1 2)".into(), "noop".into()]));
        assert_eq!(glance("(play m NIL)"), Some(Glance::Play { id: "m" }));
        assert_eq!(read_moves("(play m NIL)"), None);
        for clocks in ["2 1)", " 2 1 )", "2\n1)"] {
            let text = format!("(start m white ((role white) (goal white 100)) {clocks}");
            let start = Glance::Start { id: "m", role: "white", start_clock: 2, play_clock: 1 };
            assert_eq!(glance(&text), Some(start), "{text}");
        }
        for broken in
            ["", "hello", "(start m white)", "((", "(play)", "(dance)", "()", "(start m x (r) a 1)"]
        {
            assert_eq!(glance(broken), None, "{broken}");
        }
    }
}
