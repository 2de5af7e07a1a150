//! The rules of a game in a few lines for whoever is about to play it: what the description itself says, else what
//! can be read off its ludemes.

use std::fmt::Write;

use ludex_games::ludemes;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::tree::{Node, NodeKind};
use ludex_lang::lud::{self, Library};

use super::GameSpec;
use crate::ludemes::Defines;

/// Longer explanations are cut at the end of a sentence.
const ROOM: usize = 700;

/// What a game is about: the comment that its description opens with, or what its metadata call its rules, or a
/// paragraph made from its ludemes. Nothing where none of these is to be had.
pub fn rules_in_words(spec: &GameSpec) -> String {
    let name = spec.name.strip_suffix(".lud").unwrap_or(&spec.name);
    let text = match std::fs::read_to_string(&spec.name) {
        Ok(text) => text,
        Err(_) => match ludemes::description(name) {
            Some(text) => text.to_string(),
            None if name.eq_ignore_ascii_case("7-wonders") => return SEVEN_WONDERS.to_string(),
            None => return String::new(),
        },
    };
    let comment = opening_comment(&text, if spec.name.ends_with(".kif") { ";" } else { "//" });
    let told = match comment.is_empty() && !spec.name.ends_with(".kif") {
        true => from_description(&text, spec),
        false => comment,
    };
    shortened(&told)
}

const SEVEN_WONDERS: &str = "Cities are built from cards that are drafted in three ages.";

/// What a built-in game is about, in a sentence.
pub fn about(spec: &GameSpec) -> String {
    let told = rules_in_words(spec);
    let end = told.find(". ").map_or(told.len(), |end| end + 1);
    told[..end].to_string()
}

/// The comment before everything else, without ruled lines.
fn opening_comment(text: &str, mark: &str) -> String {
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    let comment = lines.map_while(|line| line.strip_prefix(mark));
    let words = comment.map(|line| line.trim_start_matches(['/', ';']).trim());
    words.filter(|line| line.contains(char::is_alphabetic)).collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() <= ROOM {
        return text;
    }
    let end =
        text.char_indices().map(|(at, _)| at).take_while(|&at| at <= ROOM).last().unwrap_or(0);
    let end = text[..end].rfind(". ").map_or(end, |stop| stop + 1);
    format!("{} …", &text[..end])
}

fn from_description(text: &str, spec: &GameSpec) -> String {
    let defines = spec.defs.as_deref().and_then(|folder| Defines::read(folder).ok());
    let none = Library::default();
    let library = defines.as_ref().map_or(&none, Defines::library);
    let Ok(description) = lud::read(text, SourceId(0), library, &spec.options) else {
        return String::new();
    };
    let info = |key: &str| description.metadata.as_ref().and_then(|node| quoted(node, key));
    info("rules").or_else(|| info("description")).unwrap_or_else(|| paragraph(&description.game))
}

/// The text of `(key "…")` somewhere below a node, without markup.
fn quoted(node: &Node, key: &str) -> Option<String> {
    if node.head() == Some(key) {
        let text = node.children().get(1).and_then(Node::text)?;
        return Some(without_tags(text)).filter(|text| text.contains(char::is_alphabetic));
    }
    node.children().iter().find_map(|child| quoted(child, key))
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for sign in text.chars() {
        match sign {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => out.push(sign),
            _ => {}
        }
    }
    out
}

/// A game in sentences made from its ludemes.
fn paragraph(game: &Node) -> String {
    let mut out = String::new();
    let mut pieces = Vec::new();
    each(game, &mut |node| {
        if node.head() == Some("piece")
            && let Some(name) = node.children().get(1).and_then(Node::text)
            && !pieces.contains(&name)
        {
            pieces.push(name);
        }
    });
    let mut acts: Vec<&str> = Vec::new();
    each(game, &mut |node| {
        if let Some(act) = act(node)
            && !acts.contains(&act)
        {
            acts.push(act);
        }
    });
    if !pieces.is_empty() {
        let _ = write!(out, "Pieces: {}. ", pieces.join(", "));
    }
    if !acts.is_empty() {
        let _ = write!(out, "A move is to {}. ", acts.join(", or to "));
    }
    each(game, &mut |node| {
        if let Some(sentence) = ending(node)
            && !out.contains(&sentence)
        {
            let _ = write!(out, "{sentence} ");
        }
    });
    out
}

fn each<'n>(node: &'n Node, visit: &mut dyn FnMut(&'n Node)) {
    visit(node);
    node.children().iter().for_each(|child| each(child, visit));
}

/// What a call of `move` or of an effect does.
fn act(node: &Node) -> Option<&'static str> {
    let word = node.children().get(1).and_then(Node::word);
    Some(match (node.head()?, word.unwrap_or_default()) {
        ("move", "Add") => "put a piece on the board",
        ("move", "Claim") => "claim a site",
        ("move", "Step") => "step to a neighbouring site",
        ("move", "Slide") => "slide in a straight line",
        ("move", "Hop") => "jump over a piece",
        ("move", "Leap") => "leap to a site some way off",
        ("move", "Shoot") => "shoot",
        ("move", "Remove") => "take a piece off the board",
        ("move", "Promote") => "promote a piece",
        ("move", "Select") => "choose a site",
        ("move", "Swap") => "swap two pieces",
        ("move", "Bet") => "bet",
        ("move", "Pass") => "pass",
        ("sow", _) => "sow the pieces of a hole one by one",
        _ => return None,
    })
}

/// `(if CONDITION (result WHO WHAT))` as a sentence.
fn ending(node: &Node) -> Option<String> {
    let [_, condition, result, ..] = node.children() else { return None };
    if node.head() != Some("if") || result.head() != Some("result") {
        return None;
    }
    let [_, who, what, ..] = result.children() else { return None };
    let who = match who.word()? {
        "Mover" => "Whoever moved",
        "Next" => "Whoever is to move next",
        "All" | "Each" => "Everybody",
        other => other,
    };
    let what = match what.word()? {
        "Win" => "wins",
        "Loss" => "loses",
        "Draw" => "draws",
        _ => "ends the game",
    };
    Some(format!("{who} {what} when {}.", said(condition)))
}

/// A condition in words, as far as there are words for it; else as it is written.
fn said(node: &Node) -> String {
    let children = node.children();
    let word = |at: usize| children.get(at).and_then(Node::word).unwrap_or_default();
    let joined = |by: &str| {
        let parts = children[1..].iter().flat_map(|child| match &child.kind {
            NodeKind::List(items) => &items[..],
            _ => std::slice::from_ref(child),
        });
        parts.map(said).collect::<Vec<_>>().join(by)
    };
    match (node.head().unwrap_or_default(), word(1)) {
        ("and", _) => joined(" and "),
        ("or", _) => joined(" or "),
        ("not", _) => format!("not: {}", joined(" ")),
        ("is", "Line") => format!("{} stand in a line", word(2)),
        ("is", "Connected") => "the sides are connected".to_string(),
        ("is", "Loop") => "a loop is closed".to_string(),
        ("is", "Full") => "the board is full".to_string(),
        ("is", "Checkmate") => "that is checkmate".to_string(),
        ("is", "In") => "the piece has reached its goal".to_string(),
        ("no", "Moves") => format!("{} cannot move", named(word(2))),
        ("no", "Pieces") => format!("{} has no pieces left", named(word(2))),
        ("all", "Passed") => "everybody passed".to_string(),
        _ => node.to_string(),
    }
}

fn named(role: &str) -> &str {
    match role {
        "Mover" => "whoever moved",
        "Next" => "the next player",
        "" => "somebody",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_games_say_what_they_are_about() {
        for spec in crate::catalog::builtins() {
            let told = rules_in_words(&spec);
            assert!(told.len() > 20, "{}: {told:?}", spec.name);
        }
    }

    #[test]
    fn metadata_come_before_what_is_made_up() {
        let game = "(game \"A\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each)}) \
             (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";
        let spec = GameSpec::named("a.lud");
        assert_eq!(
            from_description(game, &spec),
            "Pieces: Disc. A move is to put a piece on the board. \
             Whoever moved wins when 3 stand in a line. "
        );
        let told = format!("{game}(metadata (info {{(rules \"Make <b>three</b>.\")}}))");
        assert_eq!(from_description(&told, &spec), "Make three.");
    }
}
