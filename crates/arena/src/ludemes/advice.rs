//! What a designer would want to know of rules that compile: a few random games show whether anybody can
//! begin, whether games end, and which pieces never come into play.

use ludex_game::{Detail, Game, Rng, SetOf, State, Turn, View};
use ludex_lang::diagnostic::{Diagnostic, SourceId, Span};
use ludex_lang::lud::reader;
use ludex_lang::lud::tree::Node;
use std::time::{Duration, Instant};

/// So many games are tried.
const GAMES: u64 = 8;

/// Each is cut off after so many plies.
const PLIES: u32 = 1000;

/// No more time than this is spent on them.
const PATIENCE: Duration = Duration::from_secs(3);

/// Warnings about rules, each with its place in the text.
pub fn advise(text: &str, game: &dyn Game) -> Vec<Diagnostic> {
    let nodes = reader::read(text, SourceId(0)).unwrap_or_default();
    let mut out = Vec::new();
    let mut warn = |message: String, words: &[&str], help: Option<&str>| {
        let place = words.iter().find_map(|word| find(&nodes, word)).map(|node| node.span);
        let mut warning = Diagnostic::warning(message, place.unwrap_or_default());
        warning.help = help.map(Into::into);
        out.push(warning);
    };
    if game.info().players == 0 {
        warn("nobody plays this game".into(), &["players", "game"], None);
    }
    if begins_with_pass(game) && find(&nodes, "Pass").is_none() {
        let help = "pieces that move must be placed first, and `(forEach Piece)` moves those that have a rule";
        warn("there is no legal first move".into(), &["play", "rules", "game"], Some(help));
    }
    let found = Found::of(game);
    // Puzzles are not solved by chance.
    if found.ended == 0 && found.played > 0 && find(&nodes, "satisfy").is_none() {
        let message = format!("none of {} random games ended within {PLIES} plies", found.played);
        warn(message, &["end", "rules", "game"], None);
    }
    let kinds = game.geometry().map_or(&[][..], |geometry| &geometry.kinds);
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
    let seen = |wanted: &str| {
        kinds.iter().zip(&found.seen).any(|(kind, seen)| *seen && stem(&kind.name) == wanted)
    };
    let mut unused: Vec<String> = Vec::new();
    for name in kinds.iter().map(|kind| stem(&kind.name)).filter(|name| !seen(name)) {
        // A name that stands once stands where the piece is made.
        if text.matches(&format!("\"{name}")).count() == 1 && !unused.contains(&name) {
            unused.push(name);
        }
    }
    for name in unused {
        let place = find(&nodes, &name).map_or_else(Span::default, |node| node.span);
        let message = format!("the piece \"{name}\" never comes into play");
        out.push(Diagnostic::warning(message, place));
    }
    out
}

/// The first call with a head, or word or text, anywhere below.
fn find<'n>(nodes: &'n [Node], word: &str) -> Option<&'n Node> {
    nodes.iter().find_map(|node| {
        let is =
            node.head() == Some(word) || node.word() == Some(word) || node.text() == Some(word);
        if is { Some(node) } else { find(node.children(), word) }
    })
}

fn begins_with_pass(game: &dyn Game) -> bool {
    let state = game.start();
    let Turn::Players(players) = game.turn(&state) else {
        return false;
    };
    let mut moves = Vec::new();
    players.into_iter().all(|player| {
        moves.clear();
        game.moves(&state, player, &mut moves);
        let text = |mv| game.move_text(&state, Some(player), mv).to_lowercase();
        matches!(moves.as_slice(), [only] if text(*only) == "pass")
    })
}

/// What random games showed.
struct Found {
    played: u64,
    ended: u64,
    /// By kind of piece, whether it was ever there.
    seen: Vec<bool>,
}

impl Found {
    fn of(game: &dyn Game) -> Self {
        let kinds = game.geometry().map_or(0, |geometry| geometry.kinds.len());
        let mut found = Found { played: 0, ended: 0, seen: vec![false; kinds] };
        let end = Instant::now() + PATIENCE;
        let (mut view, mut moves, mut joint) = (View::new(), Vec::new(), Vec::new());
        for seed in 0..GAMES {
            let (mut state, mut rng) = (game.start(), Rng::seeded(seed));
            for _ in 0..PLIES {
                if Instant::now() > end {
                    return found;
                }
                found.look(game, &state, &mut view);
                joint.clear();
                match game.turn(&state) {
                    Turn::Over => {
                        found.ended += 1;
                        break;
                    }
                    Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
                    Turn::Players(players) => {
                        for player in players {
                            moves.clear();
                            game.moves(&state, player, &mut moves);
                            joint.push(moves[rng.below(moves.len() as u32) as usize]);
                        }
                    }
                }
                game.apply(&mut state, &joint);
            }
            found.played += 1;
        }
        found
    }

    fn look(&mut self, game: &dyn Game, state: &State, view: &mut View) {
        if self.seen.iter().all(|seen| *seen) {
            return;
        }
        game.view(state, None, Detail::Sets, view);
        for (kind, seen) in self.seen.iter_mut().enumerate().filter(|(_, seen)| !**seen) {
            *seen = view.set(SetOf::Kind(kind as u16)).iter().any(|word| *word != 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ludemes::Defines;

    fn warnings(players: u8, items: &str, play: &str) -> Vec<String> {
        warnings_of(players, items, play, "(if (is Line 3) (result Mover Win))")
    }

    fn warnings_of(players: u8, items: &str, play: &str, end: &str) -> Vec<String> {
        let text = format!(
            r#"(game "Advised" (players {players}) (equipment {{(board (square 3)) {items}}})
                (rules (play {play}) (end {end})))"#
        );
        let game = Defines::none().compile(&text, &[]).expect("compiles");
        let game = ludex_kernel::fastest(game).expect("playable");
        let found = advise(&text, &*game);
        found.iter().for_each(|found| assert_ne!(found.primary.span, Span::default()));
        found.into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn designers_hear_what_is_odd() {
        let disc = r#"(piece "Disc" Each)"#;
        let add = "(move Add (to (sites Empty)))";
        assert_eq!(warnings(2, disc, add), [""; 0]);
        let ghost = r#"(piece "Disc" Each) (piece "Ghost" P1)"#;
        assert_eq!(warnings(2, ghost, add), ["the piece \"Ghost\" never comes into play"]);
        assert_eq!(warnings(2, disc, "(forEach Piece)")[0], "there is no legal first move");
        // Games that end with the first move show nothing of the second player.
        let at_once = "(if (is In (last To) (sites Board)) (result Mover Win))";
        assert_eq!(warnings_of(2, disc, add, at_once), [""; 0]);
        let stepping = r#"(piece "Disc" Each (move Step (to if:(is Empty (to)))))"#;
        let endless = "(if (< (count Moves) 2) (move Add (to (sites Empty))) (forEach Piece))";
        let found = warnings(2, stepping, endless);
        assert_eq!(found, ["none of 8 random games ended within 1000 plies"]);
    }
}
