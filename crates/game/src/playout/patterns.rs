//! Playouts by geometric features.

use super::gibbs::by_odds;
use super::kernel::Sampler;
use super::vectors::Vector;
use super::weigh::any as any_of;
use super::{Record, draw};
use crate::families::{Families, Place};
use crate::features::Judge;
use crate::{Detail, Ends, Player, Rng, Rules};

/// Draws moves in proportion to what features say of them.
///
/// Features look at positions, which codes do not show: whoever plays with this sampler lets it
/// [look](Sampler::look) before it draws and tells it what was [played](Sampler::played).
#[derive(Clone, Debug)]
pub struct Patterns {
    /// Whoever weighs the moves.
    pub judge: Judge,
    /// The probability of any move.
    pub epsilon: f32,
    /// So many plies of a playout are weighed; then any move is played.
    pub plies: u32,
    /// How many were.
    weighed: u32,
    /// The move before this ply, and the last one of this ply.
    last: Option<Ends>,
    next: Option<Ends>,
    ply: u32,
    /// Whether any move will do this time.
    any: bool,
    /// The ends of all moves, where codes do not tell them.
    listed: Vec<(Place, Ends)>,
    places: Vec<Place>,
    odds: Vec<f32>,
}

impl Patterns {
    /// A sampler.
    pub fn new(judge: Judge, epsilon: f32, plies: u32) -> Self {
        Patterns {
            judge,
            epsilon,
            plies,
            weighed: 0,
            last: None,
            next: None,
            ply: 0,
            any: false,
            listed: Vec::new(),
            places: Vec::new(),
            odds: Vec::new(),
        }
    }

    /// A playout begins after this move.
    pub(super) fn begin(&mut self, last: Option<Ends>) {
        (self.last, self.next) = (last, last);
        (self.weighed, self.ply) = (0, u32::MAX);
    }

    /// Draws in proportion to the odds of the position that was weighed.
    fn pick<V: Vector>(&mut self, player: Player, families: &mut Families, rng: &mut Rng) -> Place {
        if self.any {
            return any_of::<V::Select>(families.words(), rng);
        }
        let Patterns { judge, listed, places, odds, .. } = self;
        let codes = judge.codes();
        if let Some(known) = judge.odds(player)
            && families.words().iter().all(|word| codes.is_plain(player, word.first / 64))
        {
            return by_odds::<V>(known, families, rng).0;
        }
        odds.clear();
        if listed.is_empty() {
            let keys = |&code: &u32| codes.keys(player, code).unwrap_or_default();
            judge.add_odds(player, families.codes().iter().map(keys), odds);
            let (index, _) = draw(&odds[..], rng);
            return families.nth(index as u32);
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
        if self.weighed >= self.plies {
            return;
        }
        rules.view(state, None, Detail::Sets, &mut self.judge.view);
        self.judge.look();
        self.listed.clear();
        let codes = self.judge.codes();
        let tells = |word: &crate::Word| {
            let mut left = word.bits;
            codes.is_plain(player, word.first / 64)
                || std::iter::from_fn(|| {
                    let bit = (left != 0).then(|| left.trailing_zeros())?;
                    left &= left - 1;
                    Some(word.first + bit)
                })
                .all(|code| codes.keys(player, code).is_some())
        };
        if !families.words().iter().all(tells) {
            let ends = |place| {
                let mv = rules.member(state, player, families, place);
                (place, rules.ends(state, Some(player), mv))
            };
            self.listed.extend(families.places().map(ends));
        }
    }

    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        if record.plies() != self.ply {
            (self.ply, self.last) = (record.plies(), self.next);
        }
        self.any = self.weighed >= self.plies
            || (self.epsilon > 0.0 && rng.unit() < f64::from(self.epsilon));
        self.weighed = self.weighed.saturating_add(1);
        if !self.any {
            self.judge.weigh(player, self.last);
        }
        self.pick::<V>(player, families, rng)
    }

    fn redraw<V: Vector>(
        &mut self,
        _: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.pick::<V>(player, families, rng)
    }

    fn stuck(&mut self) {
        self.next = None;
    }

    fn played<R: Rules>(
        &mut self,
        rules: &R,
        state: &R::State,
        player: Player,
        families: &Families,
        place: Place,
    ) {
        let known = self.judge.codes().ends(player, families.code(place));
        self.next = Some(known.unwrap_or_else(|| {
            rules.ends(state, Some(player), rules.member(state, player, families, place))
        }));
    }
}
