//! Edits that do nothing are taken back: what is left of a candidate is what makes the difference.
//!
//! Each change from the original is taken back by itself. Where recorded games of the candidate go the same way by the
//! rules without it (the same turns, as many legal moves, the same results), it is left out.

use std::time::Duration;

use ludex_game::{Game, Trial};

use super::Search;
use crate::searched::Played;
use crate::{JudgeError, dead, difference, random, sheet};

/// Random games beside those of the race; their plies; and the time they may take.
const GAMES: u64 = 64;
const PLIES: usize = 6_000;
const TIME: Duration = Duration::from_millis(500);

impl Search<'_> {
    /// The rules of a candidate without the changes that do nothing in the games it played.
    pub(super) fn simpler(&self, text: &str, played: Played) -> Result<String, JudgeError> {
        let Some(game) = sheet::compile_plainly(text) else { return Ok(text.to_string()) };
        let mut games = random::records(&*game, self.plan.seed, GAMES, PLIES, TIME);
        self.store.games(played.cell, |stored| {
            let trial = Trial { seed: stored.seed, moves: stored.moves, ..Trial::default() };
            games.push(trial);
            stored.number + 1 < played.games
        })?;
        let fits = |text: &str, game: &dyn Game| {
            self.attested.stand_in(text) && self.doubt(text, game).is_none()
        };
        Ok(simplest(&self.sheet.text, text, &games, &fits))
    }

    /// Gives rules that play like others a file of their own and the costs of those.
    pub(super) fn rename(&mut self, before: &str, after: &str) -> Result<(), JudgeError> {
        let file = self.write(after)?.display().to_string();
        let known = self.progress.costs.get(&self.file(before).display().to_string());
        if let Some(&cost) = known {
            self.progress.costs.insert(file, cost);
        }
        Ok(())
    }
}

/// What is left of the changes from an original when each by which the games would go the same way is taken back, as
/// long as what stands then fits.
fn simplest(
    original: &str,
    text: &str,
    games: &[Trial],
    fits: &dyn Fn(&str, &dyn Game) -> bool,
) -> String {
    let mut text = text.to_string();
    // Every round leaves a change less.
    while let Some(game) = sheet::compile_plainly(&text) {
        let shorter = difference::taken_back(original, &text).into_iter().find(|shorter| {
            let Some(without) = sheet::compile_plainly(shorter) else { return false };
            let same = dead::same_games(&*game, &*without, games, usize::MAX).is_some();
            same && fits(shorter, &*without)
        });
        match shorter {
            Some(shorter) => text = shorter,
            None => break,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str =
        "(game \"Three\" (players 2) (equipment {(board (square 3)) (piece \"Ball\" Each)})
        (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))";

    fn simplified(after: &str, fits: &dyn Fn(&str, &dyn Game) -> bool) -> String {
        let game = sheet::compile_plainly(after).expect("a game");
        let games = random::records(&*game, 1, 200, 6_000, Duration::from_secs(600));
        simplest(ORIGINAL, after, &games, fits)
    }

    #[test]
    fn what_changes_no_game_is_taken_back_and_nothing_else() {
        let plain = sheet::tidied(ORIGINAL);
        let larger = ORIGINAL.replace("square 3", "square 4");
        // Nowhere is room for a line of five.
        let idle = larger.replace("(is Line 3)", "(or (is Line 3) (is Line 5))");
        let all = |_: &str, _: &dyn Game| true;
        assert_eq!(simplified(&idle, &all), sheet::tidied(&larger));
        let more = idle.replace("(rules ", "(rules (meta (swap)) ");
        assert!(simplified(&more, &all).contains("(swap)"), "the right to swap is used");
        let none = ORIGINAL.replace("(is Line 3)", "(or (is Line 3) (is Line 4))");
        assert_eq!(simplified(&none, &all), plain);
        let kept = simplified(&none, &|text: &str, _: &dyn Game| text.contains("Line 4"));
        assert_eq!(kept, none, "what does not fit stays");
    }
}
