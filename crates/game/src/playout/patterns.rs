//! Playouts by geometric features.

use super::gibbs::by_odds;
use super::list::Listed;
use super::sampler::Sampler;
use super::vectors::{Vector, Work};
use super::watch::Watch;
use super::weigh::any as any_of;
use super::{Record, draw};
use crate::families::{Families, Place};
use crate::features::Judge;
use crate::{Player, Rng, Rules};

/// Draws moves in proportion to what features say of them.
#[derive(Clone, Debug)]
pub struct Patterns {
    pub(super) watch: Watch,
    /// The probability of any move.
    pub epsilon: f32,
    /// So many plies of a playout are weighed; then any move is played.
    pub plies: u32,
    /// How many were.
    weighed: u32,
    /// Whether any move will do this time.
    any: bool,
    places: Vec<Place>,
    odds: Vec<f32>,
    numbers: Listed,
}

impl Patterns {
    /// A sampler.
    pub fn new(judge: Judge, epsilon: f32, plies: u32) -> Self {
        Patterns {
            watch: Watch::new(judge),
            epsilon,
            plies,
            weighed: 0,
            any: false,
            places: Vec::new(),
            odds: Vec::new(),
            numbers: Listed::default(),
        }
    }

    /// A playout begins.
    pub(super) fn begin(&mut self) {
        self.weighed = 0;
    }

    /// Draws in proportion to the odds of the position that was weighed.
    #[inline(always)]
    fn pick<V: Vector>(&mut self, player: Player, families: &mut Families, rng: &mut Rng) -> Place {
        if self.any {
            return any_of::<V::Select>(families, rng);
        }
        let Patterns { watch: Watch { judge, listed, .. }, places, odds, numbers, .. } = self;
        let codes = judge.codes();
        if let Some(known) = judge.odds(player)
            && families.words().iter().all(|word| codes.is_plain(player, word.first / 64))
        {
            return by_odds::<V>(known, families, numbers, rng).0;
        }
        odds.clear();
        if listed.is_empty() {
            let keys = |&code: &u32| codes.keys(player, code).unwrap_or_default();
            judge.add_odds(player, families.codes().iter().map(keys), odds);
            let (index, _) = draw(&odds[..], rng);
            return families.listed(index);
        }
        places.clear();
        let left = |place: &Place| families.word(*place).bits >> place.bit & 1 == 1;
        let known = listed.iter().filter(|(place, _)| left(place));
        places.extend(known.clone().map(|&(place, _)| place));
        judge.add_odds(player, known.map(|&(_, ends)| judge.keys(player, ends)), odds);
        let (index, _) = draw(&odds[..], rng);
        places[index]
    }
}

impl Sampler for Patterns {
    fn look<R: Rules>(&mut self, rules: &R, state: &R::State, player: Player, families: &Families) {
        if self.weighed < self.plies {
            self.watch.look(rules, state, player, families);
        }
    }

    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.watch.turn(record);
        self.any = self.weighed >= self.plies
            || (self.epsilon > 0.0 && rng.unit() < f64::from(self.epsilon));
        self.weighed = self.weighed.saturating_add(1);
        V::apart(Choice { patterns: self, fresh: true, player, families, rng })
    }

    fn redraw<V: Vector>(
        &mut self,
        _: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        V::apart(Choice { patterns: self, fresh: false, player, families, rng })
    }

    fn stuck(&mut self) {
        self.watch.stuck();
    }

    fn played<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
        place: Place,
    ) {
        self.watch.played(rules, state, player, families, place);
    }
}

/// Weighing and drawing, compiled once for each kind of vectors and not for each game.
struct Choice<'a> {
    patterns: &'a mut Patterns,
    /// Whether the position has not been weighed yet.
    fresh: bool,
    player: Player,
    families: &'a mut Families,
    rng: &'a mut Rng,
}

impl Work for Choice<'_> {
    type Output = Place;

    #[inline(always)]
    fn run<V: Vector>(self) -> Place {
        let Choice { patterns, fresh, player, families, rng } = self;
        if fresh && !patterns.any {
            patterns.watch.weigh(player);
        }
        patterns.pick::<V>(player, families, rng)
    }
}
