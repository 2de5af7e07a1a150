//! What can go wrong between a person's input and a game.

use crate::Player;

/// Why a move, a record or a game's options were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text is not one of the legal moves.
    #[error("`{text}` is not a legal move{}", suggestion(.closest))]
    IllegalMove {
        /// What was given.
        text: String,
        /// The legal move it resembles most, if any does.
        closest: Option<String>,
    },
    /// A move was offered when the game is over.
    #[error("the game is over")]
    Over,
    /// It is not this player's turn.
    #[error("it is not {0}'s turn")]
    NotYourTurn(Player),
    /// A game record that cannot be read.
    #[error("line {line} of the record: {reason}")]
    Record {
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A position was handed to a game it did not come from.
    #[error("this position belongs to another game than {game}")]
    Foreign {
        /// The game it was handed to.
        game: String,
    },
    /// A game cannot be built as asked.
    #[error("{0}")]
    Options(String),
}

fn suggestion(closest: &Option<String>) -> String {
    match closest {
        Some(text) => format!(", did you mean `{text}`?"),
        None => String::new(),
    }
}

/// The candidate nearest to `text` by edit distance, if it is near enough to be a likely slip.
pub fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &&str| edit_distance(text, candidate);
    let best = candidates.into_iter().min_by_key(near)?;
    let length = text.chars().count();
    // A word in which every letter is another was not meant.
    (near(&best) <= 1 + length / 3 && near(&best) < length.max(best.chars().count()))
        .then_some(best)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        let games = ["breakthrough", "nogo", "atarigo"];
        assert_eq!(closest("braekthrough", games), Some("breakthrough"));
        assert_eq!(closest("chess", games), None);
    }
}
