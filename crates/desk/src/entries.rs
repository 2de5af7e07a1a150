//! The list of games: what each says of itself.

use ludex_arena::catalog::{self, GameSpec};
use ludex_arena::ludemes::Defines;
use ludex_games::gdl;
use ludex_lang::diagnostic::SourceId;
use ludex_lang::lud::{self, tree::Node};
use serde::Serialize;

use crate::shelf::{LIBRARY, Language, own_text};

/// A line of the list of games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Entry {
    /// By which it is opened.
    pub name: String,
    /// What people call it.
    pub title: String,
    about: String,
    players: usize,
    board: String,
    kind: String,
}

/// The games that come with the program.
pub fn built_in() -> Vec<Entry> {
    let mut entries: Vec<Entry> = names().iter().map(|name| of(name)).collect();
    entries
        .sort_by(|a, b| a.title.cmp(&b.title).then(a.kind.cmp(&b.kind)).then(a.name.cmp(&b.name)));
    // A game that is written in Rust and described in ludemes is one game to whoever looks for it.
    entries.dedup_by(|a, b| a.title == b.title && a.kind == b.kind);
    entries
}

/// A game of a library, as far as its path tells.
pub fn by_path(path: &str) -> Entry {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    Entry {
        name: format!("{LIBRARY}{path}"),
        title: file.strip_suffix(".lud").unwrap_or(file).to_string(),
        kind: folder.replace('/', " · "),
        ..Entry::default()
    }
}

/// A game of a library with what its description tells.
pub fn described(entry: &Entry, text: &str, defines: &Defines) -> Entry {
    let mut told = entry.clone();
    told.about = metadata_about(text);
    if let Ok(description) = defines.describe(text, &[]) {
        (told.players, told.board) = players_and_board(&description.game);
    }
    told
}

/// The names of all games that come with the program.
pub fn names() -> Vec<String> {
    let gdl = gdl::DESCRIPTIONS.iter().map(|(name, _)| format!("{name}.kif"));
    catalog::builtins().map(|spec| spec.name).chain(gdl).collect()
}

/// A line of the list for a game that comes with the program. Ludemes are read, not compiled: nobody waits for sixty
/// games to be made before the first of them is chosen.
fn of(name: &str) -> Entry {
    match own_text(name) {
        Some((text, Language::Lud)) => of_ludemes(name, text),
        Some((text, Language::Kif)) => Entry {
            title: title(name.trim_end_matches(".kif")),
            about: opening_comment(text),
            players: text.split("(role ").skip(1).filter(|rest| !rest.starts_with('?')).count(),
            kind: "GDL".to_string(),
            name: name.to_string(),
            ..Entry::default()
        },
        None => match catalog::load(&GameSpec::named(name)) {
            Ok(game) => Entry {
                title: title(&game.info().name),
                about: catalog::about(&GameSpec::named(name)),
                players: game.info().players,
                board: game.info().board.clone(),
                name: name.to_string(),
                ..Entry::default()
            },
            Err(_) => Entry { name: name.to_string(), title: title(name), ..Entry::default() },
        },
    }
}

fn of_ludemes(name: &str, text: &str) -> Entry {
    let mut entry = Entry {
        name: name.to_string(),
        title: title(name.trim_end_matches(".lud")),
        about: opening_comment(text),
        ..Entry::default()
    };
    let Ok(description) = lud::read(text, SourceId(0), &lud::Library::default(), &[]) else {
        return entry;
    };
    let game = &description.game;
    if let Some(title) = game.children().get(1).and_then(|node| node.text()) {
        entry.title = title.to_string();
    }
    (entry.players, entry.board) = players_and_board(game);
    entry
}

/// How many play, and on what.
fn players_and_board(game: &Node) -> (usize, String) {
    let words = |node: &Node| {
        let words = node.children().iter().filter_map(|child| child.word());
        words.collect::<Vec<_>>().join(" ")
    };
    let number = |node: &Node| words(node).split(' ').nth(1).and_then(|word| word.parse().ok());
    let players = below(game, "players");
    let one_by_one = |node: &Node| node.children().get(1).map_or(0, |list| list.children().len());
    let players = players.map_or(0, |node| number(node).unwrap_or_else(|| one_by_one(node)));
    let board = ["board", "mancalaBoard"].iter().find_map(|head| below(game, head));
    let shape = board.map(|board| match board.children().get(1) {
        Some(inner) if inner.head().is_some() => words(inner),
        _ => words(board).replace("mancalaBoard", "mancala"),
    });
    (players, shape.map(|shape| in_words(&shape)).unwrap_or_default())
}

/// What a board is without how its diagonals run.
fn in_words(shape: &str) -> String {
    let diagonals = ["Alternating", "Concentric", "Implied", "Radiating", "Solid", "SolidNoSplit"];
    let words = shape.split(' ').filter(|word| !diagonals.contains(word));
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The first call of this name.
fn below<'a>(node: &'a Node, head: &str) -> Option<&'a Node> {
    match node.head() == Some(head) {
        true => Some(node),
        false => node.children().iter().find_map(|child| below(child, head)),
    }
}

pub fn title(name: &str) -> String {
    let mut words = name.replace('-', " ");
    if let Some(first) = words.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The comment that a description opens with.
pub fn opening_comment(text: &str) -> String {
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| line.starts_with("//") || line.starts_with(';'));
    lines.map(|line| line.trim_start_matches(['/', ';']).trim()).collect::<Vec<_>>().join(" ")
}

/// What the metadata of a library's description says of the game.
pub fn metadata_about(text: &str) -> String {
    let Ok(nodes) = lud::reader::read(text, SourceId(0)) else { return String::new() };
    fn find(node: &lud::tree::Node) -> Option<String> {
        if node.head() == Some("description") {
            // Some begin with signs of the form that they were kept in.
            let plain = |text: &str| text.trim_start_matches(['|', ' ']).to_string();
            return node.children().iter().find_map(|child| child.text().map(plain));
        }
        node.children().iter().find_map(find)
    }
    nodes.iter().filter(|node| node.head() == Some("metadata")).find_map(find).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_told_without_their_diagonals() {
        assert_eq!(in_words("square 5 Alternating"), "square 5");
        assert_eq!(in_words("hex Diamond 7"), "hex diamond 7");
    }
}
