//! Playouts by geometric features.

use super::{Recording, Scratch, any_move, draw, play_on};
use crate::features::Judge;
use crate::{Coding, Detail, Move, Player, Rng, Rules};

/// Draws moves in proportion to what features say of them.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// Whoever weighs the moves.
    pub judge: Judge,
    /// The probability of any move.
    pub epsilon: f32,
    /// So many plies of a playout are weighed; then any move is played.
    pub plies: u32,
    odds: Vec<f32>,
    moves: Vec<Move>,
}

impl Patterns {
    /// A sampler.
    pub fn new(judge: Judge, epsilon: f32, plies: u32) -> Self {
        Patterns { judge, epsilon, plies, odds: Vec::new(), moves: Vec::new() }
    }

    /// Draws a move of a player in the position that was looked at.
    fn choose<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        rng: &mut Rng,
    ) -> Move {
        self.moves.clear();
        rules.moves(state, player, &mut self.moves);
        if let [only] = self.moves[..] {
            return only;
        }
        self.judge.weigh(player, rules.last_move(state));
        self.odds.clear();
        let ends = self.moves.iter().map(|&mv| rules.ends(state, Some(player), mv));
        self.judge.add_odds(player, ends, &mut self.odds);
        let (drawn, _) = draw(&self.odds[..], rng);
        self.moves[drawn]
    }
}

/// Runs one playout by features and returns the number of plies.
pub(crate) fn run_patterns<R: Rules>(
    rules: &R,
    state: &mut R::State,
    sampler: &mut Patterns,
    scratch: &mut Scratch,
    rng: &mut Rng,
    limit: u32,
) -> u32 {
    let mut played = 0;
    play_on(rules, state, rng, limit, |state, players, joint, rng| {
        scratch.record.begin_ply();
        let weighs = played < sampler.plies;
        played += 1;
        if weighs {
            rules.view(state, None, Detail::Sets, &mut sampler.judge.view);
            sampler.judge.look();
        }
        for (slot, player) in joint.iter_mut().zip(players) {
            let any = !weighs || (sampler.epsilon > 0.0 && rng.unit() < f64::from(sampler.epsilon));
            *slot = match any {
                true => any_move(rules, state, player, &mut scratch.families, rng),
                false => sampler.choose(rules, state, player, rng),
            };
            if scratch.recording != Recording::Nothing {
                let code = rules.code(state, player, *slot, Coding::Plain);
                scratch.record.push_chosen(player, code);
            }
        }
    })
}
