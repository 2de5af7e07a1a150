//! The inner loop of a policy: drawing one move from families.
//!
//! Everything that learns lives to the right of this crate; it hands its tables to a sampler, and the game
//! runs the whole playout with it.

use super::vectors::{Single, Vector};
use super::watch::Watch;
use super::weigh::any;
use super::{Classed, Composed, Decisive, Gibbs, Greedy, Ngram, Patterns, Record, Recording};
use crate::families::{Families, Place};
use crate::{Coding, Ends, Player, Rng, Rules};

/// Draws a move.
pub(super) trait Sampler {
    /// The codes this sampler understands.
    fn coding(&self) -> Coding {
        Coding::Plain
    }

    /// Looks at the position that is about to be drawn from, for samplers that go by more than codes.
    #[inline(always)]
    fn look<R: Rules>(
        &mut self,
        _rules: &R,
        _state: &R::State,
        _player: Player,
        _families: &Families,
    ) {
    }

    /// Is told what is played of these families, before it is.
    #[inline(always)]
    fn played<R: Rules>(
        &mut self,
        _rules: &R,
        _state: &R::State,
        _player: Player,
        _families: &Families,
        _place: Place,
    ) {
    }

    /// Is told that there was nothing to draw from.
    #[inline(always)]
    fn stuck(&mut self) {}

    /// Draws one of the moves, of which there is at least one; `record` holds the simulation so far.
    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place;

    /// Draws again within the same choice: what was drawn proved illegal and was taken out. Drawing among
    /// the others in proportion to their weights is drawing among the legal ones.
    #[inline(always)]
    fn redraw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.draw::<V>(record, player, families, rng)
    }

    /// Records what was drawn of these families, before it is played.
    #[inline]
    fn note(
        &mut self,
        record: &mut Record,
        player: Player,
        families: &mut Families,
        place: Place,
        recording: Recording,
    ) {
        record.push_from(player, families, place, self.total(), recording);
    }

    /// The sum of the odds at the last draw, where that is what was drawn by; zero otherwise.
    #[inline]
    fn total(&self) -> f32 {
        0.0
    }
}

/// The samplers, as one value that can cross a `dyn` boundary once per playout.
#[derive(Debug)]
pub enum Sampling {
    /// Every move with the same probability; recorded, if at all, by these codes.
    Uniform(Coding),
    /// In proportion to a table of odds.
    Gibbs(Gibbs),
    /// The best of a table of scores, most of the time.
    Greedy(Greedy),
    /// By values of sequences of moves.
    Ngram(Box<Ngram>),
    /// By geometric features, which look at positions.
    Patterns(Box<Patterns>),
    /// In proportion to a table of odds whose codes tell features apart.
    Classed(Box<Classed>),
    /// Any of these, with stored replies or decisive moves before it.
    Composed(Box<Composed>),
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling::Uniform(Coding::Plain)
    }
}

impl Sampling {
    /// A playout begins after this move: whoever looks at positions is told.
    pub(super) fn begin(&mut self, last: Option<Ends>) {
        match self {
            Sampling::Patterns(patterns) => patterns.begin(),
            Sampling::Composed(composed) => return composed.base.begin(last),
            _ => {}
        }
        if let Some(watch) = self.watch() {
            watch.begin(last);
        }
    }

    /// What it sees of positions, if it looks at any.
    pub(super) fn watch(&mut self) -> Option<&mut Watch> {
        match self {
            Sampling::Patterns(patterns) => Some(&mut patterns.watch),
            Sampling::Classed(classed) => Some(&mut classed.watch),
            Sampling::Composed(composed) => composed.base.watch(),
            _ => None,
        }
    }

    /// Whether it draws at random but for moves that win at once.
    pub(super) fn only_looks_for_wins(&self) -> bool {
        let Sampling::Composed(composed) = self else { return false };
        matches!(composed.base, Sampling::Uniform(Coding::Plain))
            && composed.replies.is_none()
            && composed.decisive == Decisive::Wins
    }

    /// The codes by which moves are drawn and recorded.
    #[inline]
    pub fn coding(&self) -> Coding {
        match self {
            Sampling::Uniform(coding) => *coding,
            Sampling::Gibbs(sampler) => sampler.coding(),
            Sampling::Greedy(sampler) => sampler.coding(),
            Sampling::Ngram(sampler) => sampler.coding(),
            Sampling::Patterns(_) | Sampling::Classed(_) => Coding::Plain,
            Sampling::Composed(sampler) => sampler.coding(),
        }
    }

    /// Draws one move outside a playout, for whoever wants to see what is preferred; there is at least one.
    pub fn draw_once(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.draw::<Single>(record, player, families, rng)
    }
}

impl Sampler for Sampling {
    #[inline]
    fn coding(&self) -> Coding {
        Sampling::coding(self)
    }

    #[inline(always)]
    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        match self {
            Sampling::Uniform(_) => any::<V::Select>(families, rng),
            Sampling::Patterns(sampler) => sampler.draw::<V>(record, player, families, rng),
            Sampling::Classed(sampler) => sampler.draw::<V>(record, player, families, rng),
            Sampling::Gibbs(sampler) => sampler.draw::<V>(record, player, families, rng),
            Sampling::Greedy(sampler) => sampler.draw::<V>(record, player, families, rng),
            Sampling::Ngram(sampler) => sampler.draw::<V>(record, player, families, rng),
            Sampling::Composed(sampler) => sampler.draw::<V>(record, player, families, rng),
        }
    }

    #[inline(always)]
    fn redraw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        match self {
            Sampling::Uniform(_) => any::<V::Select>(families, rng),
            Sampling::Patterns(sampler) => sampler.redraw::<V>(record, player, families, rng),
            Sampling::Classed(sampler) => sampler.redraw::<V>(record, player, families, rng),
            Sampling::Gibbs(sampler) => sampler.redraw::<V>(record, player, families, rng),
            Sampling::Greedy(sampler) => sampler.redraw::<V>(record, player, families, rng),
            Sampling::Ngram(sampler) => sampler.redraw::<V>(record, player, families, rng),
            Sampling::Composed(sampler) => sampler.redraw::<V>(record, player, families, rng),
        }
    }

    #[inline]
    fn total(&self) -> f32 {
        match self {
            Sampling::Gibbs(sampler) => sampler.total(),
            _ => 0.0,
        }
    }
}
