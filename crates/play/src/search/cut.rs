//! Playouts that end early: after a few plies an evaluation judges instead of the end of the game.

use ludex_game::{Families, Game, Move, Player, PlayerSet, Turn};

use super::worker::Worker;
use crate::evaluation::Evaluation;
use crate::spec::{Describe, Settings};

/// `cut(plies=4)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutSettings {
    /// How many plies are played at random before the position is judged.
    pub plies: u64,
}

impl Default for CutSettings {
    fn default() -> Self {
        CutSettings { plies: 4 }
    }
}

impl Settings for CutSettings {
    const NAME: &'static str = "cut";

    fn describe(&mut self, describe: &mut dyn Describe) {
        let help = "plies that a playout goes on before it is judged";
        describe.count("plies", &mut self.plies, 0..=100_000, help);
    }
}

/// One thread's part of it.
pub(super) struct Cut {
    plies: u64,
    evaluation: Box<dyn Evaluation>,
    families: Families,
}

impl Cut {
    pub fn new(settings: CutSettings, evaluation: Box<dyn Evaluation>) -> Self {
        Cut { plies: settings.plies, evaluation, families: Families::default() }
    }
}

impl Worker {
    /// Plays on at random for a few plies and leaves the payoffs that the position is judged to have there.
    pub(super) fn play_short(&mut self, game: &dyn Game) {
        let Some(cut) = &mut self.cut else { return };
        let (state, rng) = (&mut self.state, &mut self.rng);
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        let mut left = cut.plies;
        loop {
            let count = match game.turn(state) {
                Turn::Over => return game.payoffs(state, &mut self.payoffs),
                // A position is judged when somebody has to move.
                Turn::Chance => {
                    joint[0] = game.sample_chance(state, rng);
                    1
                }
                Turn::Players(_) if left == 0 => break,
                Turn::Players(players) => {
                    for (slot, player) in joint.iter_mut().zip(players) {
                        *slot = game.random_move(state, player, rng, &mut cut.families);
                    }
                    players.len()
                }
            };
            game.apply(state, &joint[..count]);
            left = left.saturating_sub(1);
        }
        let expected = |value: f32| 0.5 + 0.5 * value;
        match &mut self.payoffs[..] {
            [first, second] => {
                *first = expected(cut.evaluation.value(game, state, Player(0)));
                *second = 1.0 - *first;
            }
            payoffs => {
                for (player, payoff) in (0..).map(Player).zip(payoffs.iter_mut()) {
                    *payoff = expected(cut.evaluation.value(game, state, player));
                }
                let sum: f32 = payoffs.iter().sum();
                if payoffs.len() > 1 && sum > 0.0 {
                    payoffs.iter_mut().for_each(|payoff| *payoff /= sum);
                }
            }
        }
    }
}
