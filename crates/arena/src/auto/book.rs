//! What is known about which agent plays which game best, as a file of data.

use std::collections::BTreeMap;
#[cfg(feature = "matches")]
use std::path::Path;
use std::sync::OnceLock;

use ludex_play::evaluation::Weights;
use ludex_play::survey::Survey;
use serde::{Deserialize, Serialize};

#[cfg(feature = "matches")]
use crate::ArenaError;
use crate::catalog::RulesKey;
#[cfg(feature = "matches")]
use crate::evolve::{fault, read, write_whole};

/// Results by the content of rules and by kinds of games.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// Kinds of games; the first that a game is of counts.
    #[serde(default, rename = "kind")]
    pub kinds: Vec<KindEntry>,
    /// Games that were measured themselves.
    #[serde(default, rename = "game")]
    pub games: Vec<GameEntry>,
}

/// From the first number to the second, both included.
pub type Range = [f64; 2];

/// A kind of games and the agent for it. A game is of the kind where all that is said holds.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindEntry {
    /// By what such games are decided: line, reach, group, extinct, score, other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal: Vec<String>,
    /// What most moves are: place, move, sow, other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action: Vec<String>,
    /// How many play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Range>,
    /// The share of moves that capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captures: Option<Range>,
    /// The share of moves that make others' pieces the mover's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turned: Option<Range>,
    /// Moves to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching: Option<Range>,
    /// Plies of a game at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<Range>,
    /// The share of games at random that somebody wins alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<Range>,
    /// Whether chance decides something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<bool>,
    /// Whether only games are of this kind of whose positions a short lesson showed what they are worth.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub learned: bool,
    /// The agent.
    pub agent: String,
    /// Why: a sentence, with what was measured.
    pub why: String,
}

/// A game that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    /// The key of its rules, which is all that counts.
    pub rules: String,
    /// What it is called, for people.
    pub name: String,
    /// The agent.
    pub agent: String,
    /// What was measured.
    pub found: String,
    /// What the agent judges by; nothing: by weights that need no learning.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, Vec<f32>>,
}

impl GameEntry {
    /// What the agent judges by.
    pub fn weights(&self) -> Option<Weights> {
        (!self.weights.is_empty()).then(|| Weights { groups: self.weights.clone() })
    }
}

impl KindEntry {
    /// Whether a game is of this kind.
    pub fn fits(&self, survey: &Survey) -> bool {
        let among =
            |words: &[String], word: &str| words.is_empty() || words.iter().any(|w| w == word);
        let within = |range: Option<Range>, number: f64| {
            range.is_none_or(|[low, high]| (low..=high).contains(&number))
        };
        among(&self.goal, survey.goal.word())
            && among(&self.action, survey.action.word())
            && within(self.players, survey.players as f64)
            && within(self.captures, survey.captures)
            && within(self.turned, survey.turned)
            && within(self.branching, survey.branching)
            && within(self.plies, survey.plies)
            && within(self.decisive, survey.decisive)
            && self.chance.is_none_or(|chance| chance == survey.chance)
    }
}

impl Book {
    /// What comes with the program.
    pub fn usual() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        // A test reads it; a fault in it is ours.
        BOOK.get_or_init(|| Book::parse(include_str!("../../data/auto.toml")).unwrap_or_default())
    }

    /// Reads the text of a book.
    pub fn parse(text: &str) -> Result<Book, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Reads a book.
    #[cfg(feature = "matches")]
    pub fn load(path: &Path) -> Result<Book, ArenaError> {
        Book::parse(&read(path)?).map_err(|error| fault(path, error))
    }

    /// Writes a book.
    #[cfg(feature = "matches")]
    pub fn save(&self, path: &Path) -> Result<(), ArenaError> {
        let text = toml::to_string(self).map_err(|error| fault(path, error.to_string()))?;
        write_whole(path, &text)
    }

    /// What is known of the game with these rules.
    pub fn game(&self, rules: &RulesKey) -> Option<&GameEntry> {
        let key = rules.to_string();
        self.games.iter().find(|entry| entry.rules == key)
    }

    /// The kinds that a game is of, the first before the others.
    pub fn kinds(&self, survey: &Survey) -> impl Iterator<Item = &KindEntry> {
        self.kinds.iter().filter(move |kind| survey.board && kind.fits(survey))
    }

    /// Puts down what was found about a game, instead of what was there before.
    pub fn put(&mut self, entry: GameEntry) {
        self.games.retain(|old| old.rules != entry.rules);
        self.games.push(entry);
        self.games.sort_by(|a, b| (&a.name, &a.rules).cmp(&(&b.name, &b.rules)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_that_ships_can_be_read() {
        let book = Book::parse(include_str!("../../data/auto.toml")).unwrap();
        assert!(!book.kinds.is_empty());
        for agent in
            book.kinds.iter().map(|kind| &kind.agent).chain(book.games.iter().map(|g| &g.agent))
        {
            agent.parse::<ludex_play::spec::AgentSpec>().unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
}
