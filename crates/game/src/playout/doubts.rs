//! What was legal at choices that are learned from, found out only once it is known whose those are.

use super::{Scratch, Way};
use crate::{Coding, Player, PlayerSet, Rules, Turn};

/// Positions of choices of which is still open what was legal. Only the winner's choices will be learned from, and who
/// that is shows at the end.
pub(super) struct Doubts<S> {
    states: Vec<S>,
    /// The steps of the record, each with whose choice it was; as many as there are positions in use.
    steps: Vec<(usize, Player)>,
}

impl<S> Default for Doubts<S> {
    fn default() -> Self {
        Doubts { states: Vec::new(), steps: Vec::new() }
    }
}

impl<S: Clone> Doubts<S> {
    /// Keeps the position of the choice that is recorded next.
    pub fn keep(&mut self, state: &S, step: usize, player: Player) {
        match self.states.get_mut(self.steps.len()) {
            Some(kept) => kept.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.steps.push((step, player));
    }

    /// Finds out what was legal at the winner's choices; where a game is not over, at everybody's.
    #[inline]
    pub fn settle<R: Rules<State = S>>(
        &mut self,
        way: &Way<'_, R>,
        end: &S,
        scratch: &mut Scratch,
    ) {
        if !self.steps.is_empty() {
            self.settle_all(way, end, scratch);
        }
    }

    #[cold]
    fn settle_all<R: Rules<State = S>>(
        &mut self,
        way: &Way<'_, R>,
        end: &S,
        scratch: &mut Scratch,
    ) {
        let over = way.rules.turn(end) == Turn::Over;
        let winner = over.then(|| {
            let mut payoffs = [0.0; PlayerSet::CAPACITY];
            let payoffs = &mut payoffs[..way.rules.info().players];
            way.rules.payoffs(end, payoffs);
            single_winner(payoffs)
        });
        let Scratch { record, families, .. } = scratch;
        for (&(step, player), state) in self.steps.iter().zip(&self.states) {
            if winner.is_none_or(|winner| winner == Some(player)) {
                way.families(state, player, Coding::Plain, families);
                way.rules.settle(state, player, families);
                record.complete(step, families);
            }
        }
        self.steps.clear();
    }
}

/// The player who alone did best; who plays alone must have more than half of what there is.
pub fn single_winner(payoffs: &[f32]) -> Option<Player> {
    if let [alone] = payoffs {
        return (*alone > 0.5).then_some(Player::FIRST);
    }
    let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut winners = payoffs.iter().enumerate().filter(|&(_, &payoff)| payoff == best);
    let (winner, _) = winners.next()?;
    winners.next().is_none().then_some(Player(winner as u8))
}
