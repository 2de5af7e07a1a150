//! Any policy with stored replies or decisive moves before it.

use ludex_game::playout::{CodeTable, Composed, Decisive, Record, Recording, Replies, Sampling};
use ludex_game::{Coding, Game, Move, Player, State};

use super::{DecisiveSettings, LgrSettings, PlayoutPolicy};

/// A policy inside others. Its sampler lives inside the composed one and goes home only to learn.
pub struct Modified {
    inner: Box<dyn PlayoutPolicy>,
    lgr: Option<LgrSettings>,
    sampling: Sampling,
}

impl Modified {
    /// Puts what is asked for before a policy.
    pub fn new(
        mut inner: Box<dyn PlayoutPolicy>,
        lgr: Option<LgrSettings>,
        decisive: Option<DecisiveSettings>,
        game: &dyn Game,
    ) -> Self {
        let replies = lgr.map(|_| Replies::for_game(game, inner.coding()));
        let level = decisive.map_or(Decisive::Off, DecisiveSettings::level);
        let base = std::mem::take(inner.sampling());
        let composed = Composed::new(base, replies, level);
        Modified { inner, lgr, sampling: Sampling::Composed(Box::new(composed)) }
    }

    fn composed(&mut self) -> &mut Composed {
        match &mut self.sampling {
            Sampling::Composed(composed) => composed,
            _ => unreachable!("a modified policy plays by a composed sampler"),
        }
    }

    /// Lets the inner policy work with its sampler at home.
    fn at_home<T>(&mut self, work: impl FnOnce(&mut dyn PlayoutPolicy) -> T) -> T {
        let Sampling::Composed(composed) = &mut self.sampling else {
            unreachable!("a modified policy plays by a composed sampler");
        };
        std::mem::swap(self.inner.sampling(), &mut composed.base);
        let result = work(&mut *self.inner);
        std::mem::swap(self.inner.sampling(), &mut composed.base);
        result
    }
}

impl PlayoutPolicy for Modified {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.sampling
    }

    fn recording(&self) -> Recording {
        match self.inner.recording() {
            Recording::Nothing if self.lgr.is_some() => Recording::Chosen,
            needed => needed,
        }
    }

    fn coding(&self) -> Coding {
        self.inner.coding()
    }

    fn codes(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        moves: &[Move],
        out: &mut Vec<u32>,
    ) {
        self.inner.codes(game, state, player, moves, out);
    }

    fn learn(&mut self, record: &Record, payoffs: &[f32]) {
        if let Some(lgr) = self.lgr
            && let Some(replies) = &mut self.composed().replies
        {
            lgr.learn(replies, record, payoffs);
        }
        if self.inner.recording() != Recording::Nothing {
            self.at_home(|inner| inner.learn(record, payoffs));
        }
    }

    fn between_turns(&mut self) {
        self.at_home(|inner| inner.between_turns());
    }

    fn weights(&self) -> Option<&CodeTable> {
        self.inner.weights()
    }

    fn set_weights(&mut self, weights: &[f32]) -> bool {
        self.at_home(|inner| inner.set_weights(weights))
    }
}
