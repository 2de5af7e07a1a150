//! Tier 2: the ladder of budgets: how often twice the thinking wins, and what remains to luck.

use ludex_arena::experiment::Store;
use ludex_arena::stats::Tally;
use ludex_game::Game;
use ludex_play::spec::AgentSpec;

use crate::JudgeError;
use crate::searched::{Played, Series};

/// A rung counts as skill where its score is surely above this.
pub const SKILL: f64 = 0.55;
/// Simulations of the lowest rung's weaker side.
pub const LOWEST: u64 = 16;
/// Rungs there may be: 16 against 32 up to 4096 against 8192.
pub const MOST_RUNGS: u32 = 9;
/// Games of a rung.
pub const GAMES: u64 = 400;

/// One comparison: the stronger side's points.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// Simulations of the weaker side.
    pub weak: u64,
    /// Simulations of the stronger side.
    pub strong: u64,
    /// The stronger side's share of the point, over all seatings.
    pub score: Tally,
}

impl Rung {
    /// Whether the stronger side surely gains by its thinking.
    pub fn is_skill(&self) -> bool {
        self.score.matches > 0 && self.score.interval().low > SKILL
    }
}

/// Games in which one side thinks longer than the other.
pub fn series(base: &Series, agent: &AgentSpec, weak: u64, strong: u64, games: u64) -> Series {
    let agents = vec![(agent.clone(), strong), (agent.clone(), weak)];
    Series { agents, games, ..base.clone() }
}

/// The stronger side's points in a series of the store.
pub fn read(store: &Store, played: Played, weak: u64, strong: u64) -> Result<Rung, JudgeError> {
    let mut score = Tally::default();
    for stored in store.matches(played.cell)?.iter().take(played.games as usize) {
        if let Some(&points) = stored.points.first() {
            score.add(points);
        }
    }
    Ok(Rung { weak, strong, score })
}

/// How many doublings surely gain, at least and at most: those whose interval lies above the mark, and those whose
/// interval does not lie below it.
pub fn depth(rungs: &[Rung]) -> (u64, u64) {
    let sure = rungs.iter().filter(|rung| rung.is_skill()).count() as u64;
    let possible = rungs.iter().filter(|rung| rung.score.interval().high > SKILL).count() as u64;
    (sure, possible)
}

/// Rungs that fit into so many simulated plies, judged by the length of a game.
pub fn affordable(game: &dyn Game, plies: f64, simulations: f64) -> u32 {
    let seats = game.info().players.max(1) as f64;
    let cost = |rung: u32| {
        let weak = (LOWEST << rung) as f64;
        GAMES as f64 * plies * weak * (1.0 + (seats - 1.0).max(1.0)).max(3.0) / 2.0
    };
    let mut spent = 0.0;
    (0..MOST_RUNGS)
        .take_while(|&rung| {
            spent += cost(rung);
            spent <= simulations
        })
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(won: u32, lost: u32) -> Rung {
        let mut score = Tally::default();
        (0..won).for_each(|_| score.add(1.0));
        (0..lost).for_each(|_| score.add(0.0));
        Rung { weak: 16, strong: 32, score }
    }

    #[test]
    fn depth_by_hand() {
        // 80 of 100 is surely above 0.55 (Wilson from 0.711), 60 of 100 may be (0.502 to 0.691), 40 is not.
        let rungs = [rung(80, 20), rung(60, 40), rung(40, 60)];
        assert_eq!(depth(&rungs), (1, 2));
        assert_eq!(depth(&[]), (0, 0));
    }
}
