//! Numbers that describe a city, for evaluations that are evolved.

use super::SevenWonders;
use super::components::*;
use super::state::{Phase, State, TURNS};

/// Their names, as the paper on evolving evaluations for this game has them.
pub(super) const NAMES: [&str; 15] = [
    "Xmil",
    "Xlmil",
    "Xrmil",
    "Xtrade",
    "Xtradrsc",
    "Xcivil",
    "Xrsc",
    "Xdiffrsc",
    "Xscience",
    "Xsciencep",
    "Xgold",
    "Xchain",
    "Xage",
    "Xturn",
    "Xvp",
];

/// Sets of cards that attributes count.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Yellow cards that produce.
    yellow_producers: CardSet,
    /// For each card in the decks of this number of players that has a chain: its age, its own name,
    /// and what makes it free. One entry a name.
    chains: Vec<(u8, CardSet, CardSet)>,
}

impl Counted {
    pub fn new(components: &Components, players: usize) -> Counted {
        let mut counted = Counted { yellow_producers: 0, chains: Vec::new() };
        for (id, card) in components.cards.iter().enumerate() {
            if card.colour == Colour::Yellow && card.effects.kinds != 0 {
                counted.yellow_producers |= 1 << id;
            }
            let used = card.copies.iter().any(|&from| usize::from(from) <= players);
            if used && card.free_after != 0 {
                counted.chains.push((card.age - 1, card.same_name, card.free_after));
            }
        }
        counted
    }
}

impl SevenWonders {
    /// Age and turn, from zero, of the decision that led here.
    fn last_decision(state: &State) -> (u8, u8) {
        match state.phase {
            Phase::Play if state.turn > 0 => (state.age, state.turn - 1),
            Phase::Deal if state.age > 0 => (state.age - 1, TURNS - 1),
            _ => (state.age, state.turn),
        }
    }

    pub(super) fn write_attributes(&self, state: &State, seat: usize, out: &mut [f32]) {
        let city = &state.cities[seat];
        let (left, right) = (&state.cities[state.left(seat)], &state.cities[state.right(seat)]);
        let (age, turn) = Self::last_decision(state);
        let built = city.built;
        let open = |chain: &&(u8, CardSet, CardSet)| {
            chain.0 >= age && built & chain.1 == 0 && built & chain.2 != 0
        };
        let chains = self.counted.chains.iter().filter(open).count();
        let values = [
            f32::from(city.shields),
            f32::from(left.shields),
            f32::from(right.shields),
            f32::from(city.count(Colour::Yellow)),
            (built & self.counted.yellow_producers).count_ones() as f32,
            f32::from(city.count(Colour::Blue)),
            f32::from(city.count(Colour::Brown) + city.count(Colour::Grey)),
            city.kinds.count_ones() as f32,
            f32::from(city.count(Colour::Green)),
            f32::from(self.scoring.science_points(city)),
            f32::from(city.coins),
            chains as f32,
            f32::from(age + 1),
            f32::from(turn + 1),
            f32::from(self.scoring.sheet(city, left, right).total()),
        ];
        out[..values.len()].copy_from_slice(&values);
    }
}
