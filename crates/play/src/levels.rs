//! Strength for people: ten levels from one that mostly guesses to all that an agent can do.

use std::sync::Arc;

use ludex_game::{Game, Move, Player, Rng, State};

use crate::agent::{Agent, Choice};
use crate::search::{Budget, Stop, Watch};
use crate::spec::{Describe, Settings};

/// `level(n=3)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSettings {
    /// From one to ten.
    pub n: u64,
}

/// The strongest.
pub const HIGHEST: u64 = 10;

impl Default for LevelSettings {
    fn default() -> Self {
        LevelSettings { n: HIGHEST }
    }
}

impl Settings for LevelSettings {
    const NAME: &'static str = "level";

    fn describe(&mut self, describe: &mut dyn Describe) {
        let help = "how strong: 10 is all that the agent can do";
        describe.count("n", &mut self.n, 1..=HIGHEST, help);
    }
}

impl LevelSettings {
    /// The share of its budget that an agent thinks with: half as much on each level down.
    fn share(self) -> f64 {
        0.5f64.powi((HIGHEST - self.n.clamp(1, HIGHEST)) as i32)
    }

    /// How often, in a thousand moves, one is made without a thought.
    fn slips(self) -> u32 {
        const SLIPS: [u32; HIGHEST as usize] = [500, 350, 240, 160, 100, 60, 30, 10, 0, 0];
        SLIPS[self.n.clamp(1, HIGHEST) as usize - 1]
    }
}

/// An agent that does less than it can.
pub struct Weaker {
    game: Arc<dyn Game>,
    agent: Box<dyn Agent>,
    level: LevelSettings,
    rng: Rng,
    legal: Vec<Move>,
}

impl Weaker {
    /// Plays as an agent does on a level.
    pub fn new(
        game: Arc<dyn Game>,
        agent: Box<dyn Agent>,
        level: LevelSettings,
        rng: &mut Rng,
    ) -> Self {
        Weaker { game, agent, level, rng: rng.split(), legal: Vec::new() }
    }
}

impl Agent for Weaker {
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice {
        if self.rng.below(1000) < self.level.slips() {
            self.legal.clear();
            self.game.moves(state, player, &mut self.legal);
            let drawn = self.rng.below(self.legal.len() as u32) as usize;
            return Choice { mv: self.legal[drawn], report: None };
        }
        self.agent.choose(state, player, budget.scaled(self.level.share()))
    }

    fn ponder(&mut self, _: &State, _: Player, _: Budget) {}

    fn obey(&mut self, stop: Stop) {
        self.agent.obey(stop);
    }

    fn watched(&mut self, watch: Option<Watch>) {
        self.agent.watched(watch);
    }

    fn played(&mut self, state: &State, joint: &[Move]) {
        self.agent.played(state, joint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_does_more_than_the_one_below() {
        for n in 2..=HIGHEST {
            let (lower, level) = (LevelSettings { n: n - 1 }, LevelSettings { n });
            assert!(lower.share() < level.share() && lower.slips() >= level.slips());
        }
        assert_eq!((LevelSettings::default().share(), LevelSettings::default().slips()), (1.0, 0));
    }
}
