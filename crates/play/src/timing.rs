//! Time for a whole game: how much of what is left a player spends on the move at hand.

use std::time::Duration;

use ludex_game::{Families, Game, Move, Player, PlayerSet, Rng, State, Turn};

/// What a player's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimeLeft {
    /// What is left.
    pub left: Duration,
    /// What is added after each move.
    pub more: Duration,
    /// For how many moves this has to do, where that is known; otherwise for the rest of the game.
    pub moves: Option<u32>,
}

/// What stays on the clock for whatever is between a player and it.
const RESERVE: Duration = Duration::from_millis(30);
/// Nobody knows how long a game goes on; a few moves are always still to come.
const FEWEST: f64 = 6.0;
/// Players who think end games sooner than players who guess, and early moves matter more.
const SOONER: f64 = 0.6;
const MOST: f64 = 50.0;

impl TimeLeft {
    /// The share of the move at hand, where a player is expected to make so many more.
    pub fn share(&self, expected: f64) -> Duration {
        let moves = match self.moves {
            Some(moves) => f64::from(moves.max(1)),
            None => expected.clamp(FEWEST, MOST),
        };
        let usable = self.left.saturating_sub(RESERVE.min(self.left / 2));
        let wanted = usable.div_f64(moves) + self.more.mul_f64(0.8);
        // Also with time added to every move the clock never runs dry on this one.
        let most = if moves <= 1.0 { usable } else { usable.mul_f64(0.5) };
        // A little to think with, as long as the clock has it for some more moves.
        wanted.min(most).max(Duration::from_millis(1).min(self.left / 4))
    }

    /// The clock after a move that took so long; nothing where that was too long.
    pub fn after(self, used: Duration) -> Option<TimeLeft> {
        let left = self.left.checked_sub(used)? + self.more;
        Some(TimeLeft { left, moves: self.moves.map(|moves| moves.saturating_sub(1)), ..self })
    }
}

/// How many moves a player is expected to make from a position to the end, by a few games at random.
pub fn expected_moves(game: &dyn Game, state: &State, player: Player) -> f64 {
    const GAMES: u64 = 4;
    const PLIES: u32 = 800;
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    let (mut families, mut here, mut count) = (Families::default(), state.clone(), 0u32);
    for seed in 0..GAMES {
        let mut rng = Rng::seeded(seed);
        here.copy_from(state);
        for _ in 0..PLIES {
            let length = match game.turn(&here) {
                Turn::Over => break,
                Turn::Chance => {
                    joint[0] = game.sample_chance(&here, &mut rng);
                    1
                }
                Turn::Players(players) => {
                    for (slot, mover) in joint.iter_mut().zip(players) {
                        *slot = game.random_move(&here, mover, &mut rng, &mut families);
                    }
                    count += u32::from(players.contains(player));
                    players.len()
                }
            };
            game.apply(&mut here, &joint[..length]);
        }
    }
    SOONER * f64::from(count) / GAMES as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// What is left after so many moves that each take their share.
    fn spent(mut clock: TimeLeft, moves: u32) -> Option<TimeLeft> {
        for made in 0..moves {
            clock = clock.after(clock.share(f64::from(moves - made)))?;
        }
        Some(clock)
    }

    #[test]
    fn no_clock_runs_dry_however_long_the_game() {
        for moves in [1, 2, 7, 40, 300, 2000] {
            for more in [Duration::ZERO, SECOND / 10] {
                let clock = TimeLeft { left: 60 * SECOND, more, moves: None };
                assert!(spent(clock, moves).is_some(), "{moves} moves, {more:?} each");
            }
        }
        let clock = TimeLeft { left: 60 * SECOND, moves: Some(40), ..TimeLeft::default() };
        assert!(spent(clock, 40).is_some());
    }

    #[test]
    fn most_of_the_time_is_used() {
        let clock = TimeLeft { left: 60 * SECOND, moves: Some(40), ..TimeLeft::default() };
        assert!(spent(clock, 40).unwrap().left < 3 * SECOND);
        let clock = TimeLeft { left: 60 * SECOND, ..TimeLeft::default() };
        assert!(spent(clock, 40).unwrap().left < 30 * SECOND);
    }

    #[test]
    fn a_clock_that_is_nearly_empty_still_gives_a_little() {
        let clock = TimeLeft { left: Duration::from_millis(4), ..TimeLeft::default() };
        assert!((1..=2).contains(&clock.share(30.0).as_millis()));
        assert!(clock.after(SECOND).is_none());
    }
}
