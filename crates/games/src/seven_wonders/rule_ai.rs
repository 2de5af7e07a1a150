//! A player by rules of thumb: invest for two ages, then take the most points at once.
//!
//! The rules are those of the paper's "rule-AI"; where its words can be read in two ways, the second
//! reading is an option.

use ludex_game::{GameError, Move, Rng};

use super::SevenWonders;
use super::action::{Action, Way};
use super::city::{City, counted_worth};
use super::components::*;
use super::legal::Options;
use super::state::State;

/// How the rules are read; the default is the first reading of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RuleAi {
    /// A resource counts as lacking while no fixed source gives it, even if a choice could.
    pub lacking_fixed: bool,
    /// The coin flip between blue and green is not taken back when the chosen colour is absent.
    pub strict_flip: bool,
    /// In the third age stages are not considered.
    pub no_late_stages: bool,
    /// In the third age coins are not worth points.
    pub no_late_coins: bool,
    /// Where nothing can be built, build a stage before discarding.
    pub stage_before_discard: bool,
}

const READINGS: [(&str, &str); 5] = [
    ("lacking", "fixed"),
    ("flip", "strict"),
    ("late-stages", "no"),
    ("late-coins", "no"),
    ("otherwise", "stage"),
];

impl RuleAi {
    /// Reads `rule-ai` or `rule-ai(lacking=fixed, flip=strict, late-stages=no, late-coins=no,
    /// otherwise=stage)` with any of the readings.
    pub fn parse(text: &str) -> Result<RuleAi, GameError> {
        let fault = |reason: String| Err(GameError::Options(reason));
        let text = text.trim();
        let (name, inside) = match text.split_once('(') {
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(inside) => (name.trim(), inside),
                None => return fault(format!("`{text}` does not end in `)`")),
            },
            None => (text, ""),
        };
        if name != "rule-ai" {
            return fault(format!("7-wonders has a scripted player `rule-ai`, not `{name}`"));
        }
        let mut bits = 0;
        for part in inside.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let pair = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match READINGS.iter().position(|reading| Some(*reading) == pair) {
                Some(index) => bits |= 1 << index,
                None => {
                    let known = READINGS.map(|(key, value)| format!("{key}={value}")).join(", ");
                    return fault(format!("`{part}` is not a reading of rule-ai: {known}"));
                }
            }
        }
        Ok(RuleAi::from_bits(bits))
    }

    /// One bit for each second reading, in the order of the fields.
    pub fn from_bits(bits: u64) -> RuleAi {
        RuleAi {
            lacking_fixed: bits & 1 != 0,
            strict_flip: bits & 2 != 0,
            no_late_stages: bits & 4 != 0,
            no_late_coins: bits & 8 != 0,
            stage_before_discard: bits & 16 != 0,
        }
    }

    /// The inverse of [`RuleAi::from_bits`].
    pub fn to_bits(self) -> u64 {
        u64::from(self.lacking_fixed)
            | u64::from(self.strict_flip) << 1
            | u64::from(self.no_late_stages) << 2
            | u64::from(self.no_late_coins) << 3
            | u64::from(self.stage_before_discard) << 4
    }
}

/// A (card, way) couple.
type Couple = (Way, CardId);

impl SevenWonders {
    /// The move that the rules of thumb choose for a seat.
    pub fn rule_move(&self, ai: RuleAi, state: &State, seat: usize, rng: &mut Rng) -> Move {
        let options = self.options(state, seat);
        let couple = if state.age == 2 {
            self.best_at_once(ai, state, seat, &options, rng)
        } else {
            self.invest(ai, state, seat, &options, rng)
        };
        self.cheapest(state, seat, &options, couple)
    }

    fn invest(
        &self,
        ai: RuleAi,
        state: &State,
        seat: usize,
        options: &Options,
        rng: &mut Rng,
    ) -> Couple {
        let city = &state.cities[seat];
        // A card that can be paid is not built by the wonder's power.
        let paid = |id: CardId| options.as_slice().contains(&(Way::Build, id));
        let builds = |&&(way, id): &&Couple| match way {
            Way::Build | Way::Pick => true,
            Way::BuildFree => !paid(id),
            _ => false,
        };
        let draw = |rng: &mut Rng, wanted: &dyn Fn(&Card) -> bool| {
            let fits = |couple: &&Couple| builds(couple) && wanted(self.card(couple.1));
            pick_one(options.as_slice(), fits, rng)
        };
        let sources = if ai.lacking_fixed { city.fixed_kinds } else { city.kinds };
        let strongest = self.strongest_other(state, seat);
        let flexible = |card: &Card| card.effects.kinds.count_ones() >= 2;
        let lacking =
            |card: &Card| card.effects.kinds.count_ones() == 1 && card.effects.kinds & sources == 0;
        let arming = |card: &Card| {
            card.colour == Colour::Red
                && city.shields <= strongest
                && city.shields + card.effects.shields >= strongest
        };
        let most_civil = options
            .as_slice()
            .iter()
            .filter(builds)
            .map(|couple| self.card(couple.1))
            .filter(|card| card.colour == Colour::Blue)
            .map(|card| card.effects.points)
            .max();
        let civil =
            |card: &Card| card.colour == Colour::Blue && Some(card.effects.points) == most_civil;
        let science = |card: &Card| card.colour == Colour::Green;
        if let Some(found) =
            draw(rng, &flexible).or_else(|| draw(rng, &lacking)).or_else(|| draw(rng, &arming))
        {
            return found;
        }
        let kinds: [&dyn Fn(&Card) -> bool; 2] = [&civil, &science];
        let side = rng.below(2) as usize;
        let mut found = draw(rng, kinds[side]);
        if found.is_none() && !ai.strict_flip {
            found = draw(rng, kinds[1 - side]);
        }
        found.or_else(|| draw(rng, &|_| true)).unwrap_or_else(|| {
            let stage = pick_one(options.as_slice(), |couple| couple.0 == Way::Stage, rng);
            stage
                .filter(|_| ai.stage_before_discard)
                .or_else(|| pick_one(options.as_slice(), |couple| couple.0 == Way::Discard, rng))
                .unwrap_or((Way::Decline, 0))
        })
    }

    fn strongest_other(&self, state: &State, seat: usize) -> u8 {
        let others = (0..state.players()).filter(|&other| other != seat);
        others.map(|other| state.cities[other].shields).max().unwrap_or(0)
    }

    /// The couple with the most points right after it, the other cities staying as they are.
    fn best_at_once(
        &self,
        ai: RuleAi,
        state: &State,
        seat: usize,
        options: &Options,
        rng: &mut Rng,
    ) -> Couple {
        let mut best = (Way::Decline, 0);
        let mut most = i16::MIN;
        let mut ties = 0;
        for &couple in options.as_slice() {
            if ai.no_late_stages && couple.0 == Way::Stage {
                continue;
            }
            let points = self.points_after(ai, state, seat, options, couple);
            if points > most {
                (best, most, ties) = (couple, points, 1);
            } else if points == most {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = couple;
                }
            }
        }
        best
    }

    fn points_after(
        &self,
        ai: RuleAi,
        state: &State,
        seat: usize,
        options: &Options,
        couple: Couple,
    ) -> i16 {
        let action = Action::of(self.cheapest(state, seat, options, couple));
        let (left, right) = (&state.cities[state.left(seat)], &state.cities[state.right(seat)]);
        let city = self.city_after(state, seat, action, left, right);
        let sheet = self.scoring.sheet(&city, left, right);
        sheet.total() - if ai.no_late_coins { sheet.treasury } else { 0 }
    }

    /// A city after its own action alone.
    fn city_after(
        &self,
        state: &State,
        seat: usize,
        action: Action,
        left: &City,
        right: &City,
    ) -> City {
        let mut city = state.cities[seat];
        let owed = u16::from(action.pays.total()) + self.bank_price(state, seat, action);
        city.coins -= owed;
        let effects = match action.way {
            Way::Decline => return city,
            Way::Discard => {
                city.coins += u16::from(self.components.constants.coins_for_discard);
                return city;
            }
            Way::Stage => match self.next_stage(state, seat) {
                Some(stage) => {
                    city.add_stage(stage);
                    &stage.effects
                }
                None => return city,
            },
            Way::Build | Way::BuildFree | Way::Pick => {
                let card = self.card(action.card);
                city.add_structure(action.card, card);
                &card.effects
            }
        };
        city.coins += u16::from(effects.coins);
        if let Some(per) = &effects.coins_per {
            city.coins += counted_worth(per, &city, left, right);
        }
        city
    }
}

/// One of the fitting couples, each with the same probability.
fn pick_one(couples: &[Couple], fits: impl Fn(&&Couple) -> bool, rng: &mut Rng) -> Option<Couple> {
    let count = couples.iter().filter(&fits).count();
    if count == 0 {
        return None;
    }
    let drawn = rng.below(count as u32) as usize;
    couples.iter().filter(fits).nth(drawn).copied()
}
