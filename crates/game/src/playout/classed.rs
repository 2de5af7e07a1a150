//! Playouts by a table of odds whose codes tell apart which features hold for a move.

use super::sampler::Sampler;
use super::vectors::Vector;
use super::watch::Watch;
use super::{CodeTable, Record, Recording, draw};
use crate::families::{Families, Place};
use crate::features::Classes;
use crate::{Player, Rng, Rules};

/// Each move with a probability in proportion to the number of its class.
#[derive(Clone, Debug)]
pub struct Classed {
    pub(super) watch: Watch,
    classes: Classes,
    /// Positive numbers, kept up to date by whoever learns.
    pub odds: CodeTable,
    /// The moves that were drawn from, and their codes.
    places: Vec<Place>,
    codes: Vec<u32>,
    numbers: Vec<f32>,
}

impl Classed {
    /// A sampler that tells moves apart by these classes.
    pub fn new(classes: Classes, odds: CodeTable) -> Self {
        let watch = Watch::new(classes.judge.clone());
        Classed { watch, classes, odds, places: Vec::new(), codes: Vec::new(), numbers: Vec::new() }
    }

    /// Lists the moves of the position that was weighed, with their codes.
    fn list(&mut self, player: Player, families: &Families) {
        let Classed { watch: Watch { judge, listed, .. }, classes, places, codes, .. } = self;
        places.clear();
        codes.clear();
        let mut add = |place: Place, keys: [u32; 3]| {
            places.push(place);
            codes.push(classes.code(families.code(place), judge.sum(player, keys)));
        };
        if listed.is_empty() {
            for place in families.places() {
                let keys = judge.codes().keys(player, families.code(place));
                add(place, keys.unwrap_or_default());
            }
        } else {
            let left = |place: &Place| families.word(*place).bits >> place.bit & 1 == 1;
            for &(place, ends) in listed.iter().filter(|(place, _)| left(place)) {
                add(place, judge.keys(player, ends));
            }
        }
    }
}

impl Sampler for Classed {
    fn look<R: Rules>(&mut self, rules: &R, state: &R::State, player: Player, families: &Families) {
        self.watch.look(rules, state, player, families);
    }

    fn draw<V: Vector>(
        &mut self,
        record: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.watch.turn(record);
        self.watch.weigh(player);
        self.redraw::<V>(record, player, families, rng)
    }

    fn redraw<V: Vector>(
        &mut self,
        _: &Record,
        player: Player,
        families: &mut Families,
        rng: &mut Rng,
    ) -> Place {
        self.list(player, families);
        let odds = self.odds.whole_words(player);
        self.numbers.clear();
        self.numbers.extend(self.codes.iter().map(|&code| odds[code as usize]));
        let (index, _) = draw(&self.numbers, rng);
        self.places[index]
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

    fn note(
        &mut self,
        record: &mut Record,
        player: Player,
        families: &mut Families,
        place: Place,
        recording: Recording,
    ) {
        // What was drawn from may have been less than what was legal: decisive moves alone.
        if self.places.len() != families.count() as usize {
            self.list(player, families);
        }
        let index = self.places.iter().position(|&known| known == place).unwrap_or_default();
        record.push(player, &self.codes, index, recording);
    }
}
