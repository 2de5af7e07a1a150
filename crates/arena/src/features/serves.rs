//! Which parts of the rules a feature serves: those without which, or with which turned around, it loses its weight.
//!
//! Every part is altered by itself in the text of the description, the altered game is played by the same search, and the weights of the same
//! features are fitted to that. Alterations that are no rules are left out.

use super::explain::Explained;
use super::learn::{Plan, refit};
use crate::ArenaError;
use crate::catalog::{self, GameSpec, Language, Places};
use ludex_play::features::FeatureSet;

/// A part of the rules, altered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alteration {
    /// Which part.
    pub part: String,
    /// The whole description with it altered.
    pub text: String,
}

/// The alterations of a description: every result of its end turned around, every consequence of a move taken out, and
/// straight and diagonal ways exchanged.
pub fn alterations(text: &str) -> Vec<Alteration> {
    let mut found = Vec::new();
    let rules = text.find("(rules").unwrap_or(0);
    for (start, end) in blocks(text, rules, "(end") {
        for (word, other) in [("Win", "Loss"), ("Loss", "Win")] {
            for at in words(text, start..end, word) {
                let part = format!("the end rule {}", condition(&text[start..at]));
                let text = format!("{}{other}{}", &text[..at], &text[at + word.len()..]);
                found.push(Alteration { part, text });
            }
        }
    }
    for (start, end) in blocks(text, rules, "(then") {
        let inside = text[start + "(then".len()..end].trim().trim_start_matches(['(', '"']);
        let name: String = inside.chars().take_while(|c| !"()\"".contains(*c)).collect();
        let text = format!("{}{}", &text[..start], &text[end..]);
        found.push(Alteration { part: format!("the consequence {}", name.trim()), text });
    }
    let ways = [("Orthogonal", "Diagonal"), ("Diagonal", "Orthogonal"), ("Forward", "Backward")];
    for (way, other) in ways {
        if text[rules..].contains(way) {
            let text = format!("{}{}", &text[..rules], text[rules..].replace(way, other));
            found.push(Alteration { part: format!("moves that go {way}"), text });
        }
    }
    found
}

/// Where brackets that begin with a word begin and end.
fn blocks(text: &str, from: usize, word: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in text[from..].match_indices(word) {
        let start = from + at;
        let whole = text[start + word.len()..].starts_with(|c: char| c.is_whitespace() || c == '(');
        let mut depth = 0;
        let close = text[start..].char_indices().find(|(_, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth == 0
        });
        if let Some((length, _)) = close.filter(|_| whole) {
            found.push((start, start + length + 1));
        }
    }
    found
}

/// Where a word stands alone.
fn words(text: &str, range: std::ops::Range<usize>, word: &str) -> Vec<usize> {
    let part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let alone = |at: usize| {
        !part(text[..at].chars().next_back()) && !part(text[at + word.len()..].chars().next())
    };
    let found = text[range.clone()].match_indices(word).map(|(at, _)| range.start + at);
    found.filter(|&at| alone(at)).collect()
}

/// What a result depends on, by the last condition or call before it.
fn condition(before: &str) -> String {
    let at = before.rfind("(if (").map(|at| at + "(if (".len());
    let call = before.rfind("(\"").map(|at| at + 1);
    let start = at.into_iter().chain(call).max().unwrap_or(0);
    let name: String = before[start..].chars().take_while(|c| !"()".contains(*c)).collect();
    name.trim().to_string()
}

/// How much of a weight must be gone.
const SHARE: f32 = 0.5;
/// Weights below this are nothing.
const LEAST: f32 = 0.15;

/// Notes for every feature which parts of the rules it serves. `plan` says how much is played for each alteration.
pub fn find_served(
    spec: &GameSpec,
    plan: &Plan,
    set: &FeatureSet,
    explained: &mut [Explained],
) -> Result<Vec<String>, ArenaError> {
    let described =
        GameSpec { name: format!("{}.lud", spec.name.trim_end_matches(".lud")), ..spec.clone() };
    let Ok(Some(text)) = catalog::ludeme_text(&described, Places::here()) else {
        return Err(ArenaError::Rules(format!("{} has no description to alter", spec.name)));
    };
    let usual = refit(plan, set)?;
    let mut tried = Vec::new();
    for Alteration { part, text } in alterations(&text) {
        let game = catalog::find_in_text(&text, Language::Lud, &described, Places::here());
        let Ok(game) = game.map(|found| found.game) else { continue };
        if set.judge(&*game).is_err() {
            continue;
        }
        let options = plan.options.clone();
        let altered =
            Plan { game, name: plan.name.clone(), options, stop: plan.stop.clone(), ..*plan };
        let fitted = refit(&altered, set)?;
        for feature in explained.iter_mut() {
            let [was, is] =
                [&usual, &fitted].map(|set| set.players[feature.player].weights[feature.number]);
            let gone = was.abs() > LEAST && is * was.signum() < SHARE * was.abs();
            if gone {
                feature.serves.push(format!("{part} ({was:+.2}, altered {is:+.2})"));
            }
        }
        tried.push(part);
    }
    Ok(tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_altered_by_itself() {
        let text = "(game \"G\" (rules (play (forEach Piece)) (end {(if (is Line 4) (result Mover Win)) (\"Row\" 3 Loss)}))) \
                    ";
        let found = alterations(text);
        let parts: Vec<&str> = found.iter().map(|a| a.part.as_str()).collect();
        assert_eq!(parts, ["the end rule is Line 4", "the end rule \"Row\" 3"]);
        assert!(found[0].text.contains("(result Mover Loss)) (\"Row\" 3 Loss)"));
        assert!(found[1].text.contains("(result Mover Win)) (\"Row\" 3 Win)"));
        let moves =
            "(rules (play (move Step Forward (to if:(is Empty (to))) (then (remove (to))))))";
        let parts: Vec<String> = alterations(moves).into_iter().map(|a| a.part).collect();
        assert_eq!(parts, ["the consequence remove", "moves that go Forward"]);
    }
}
