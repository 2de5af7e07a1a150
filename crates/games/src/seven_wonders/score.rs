//! What a city is worth.

use super::city::{City, counted_worth};
use super::components::*;

/// The score sheet of one city.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sheet {
    /// Military tokens, victories less defeats.
    pub military: i16,
    /// Coins.
    pub treasury: i16,
    /// Wonder stages.
    pub wonder: i16,
    /// Civil structures.
    pub civil: i16,
    /// Science.
    pub science: i16,
    /// Trade.
    pub trade: i16,
    /// Guilds.
    pub guilds: i16,
}

impl Sheet {
    /// Names of the categories, in the order of [`Sheet::categories`].
    pub const NAMES: [&str; 7] =
        ["military", "treasury", "wonder", "civil", "science", "trade", "guilds"];

    /// Points by category.
    pub fn categories(&self) -> [i16; 7] {
        [
            self.military,
            self.treasury,
            self.wonder,
            self.civil,
            self.science,
            self.trade,
            self.guilds,
        ]
    }

    /// All points together.
    #[inline]
    pub fn total(&self) -> i16 {
        self.categories().into_iter().sum()
    }
}

/// What scoring needs to know of the cards, drawn from the components once.
#[derive(Clone, Debug)]
pub struct Scoring {
    counting: Vec<(CardId, Colour, PerCount)>,
    counting_set: CardSet,
    guilds: CardSet,
    any_symbol: CardSet,
    coins_per_point: u16,
    science: ScienceTable,
}

impl Scoring {
    /// Prepares scoring.
    pub fn new(components: &Components) -> Scoring {
        let mut scoring = Scoring {
            counting: Vec::new(),
            counting_set: 0,
            guilds: 0,
            any_symbol: 0,
            coins_per_point: u16::from(components.constants.coins_per_point),
            science: ScienceTable::new(components.constants.science_set),
        };
        for (id, card) in (0u8..).zip(&components.cards) {
            if let Some(per) = card.effects.points_per {
                scoring.counting.push((id, card.colour, per));
                scoring.counting_set |= 1 << id;
            }
            if card.colour == Colour::Purple {
                scoring.guilds |= 1 << id;
            }
            if card.effects.science == Some(Symbol::Any) {
                scoring.any_symbol |= 1 << id;
            }
        }
        scoring
    }

    /// The sheet of a city between its neighbours.
    pub fn sheet(&self, city: &City, left: &City, right: &City) -> Sheet {
        let mut sheet = Sheet {
            military: i16::from(city.victory_points) - i16::from(city.defeats()),
            treasury: (city.coins / self.coins_per_point) as i16,
            wonder: i16::from(city.stage_points),
            civil: i16::from(city.civil_points),
            science: self.science.points(city.science),
            ..Sheet::default()
        };
        if city.built & self.counting_set != 0 {
            for (id, colour, per) in &self.counting {
                if city.built >> id & 1 == 1 {
                    let worth = counted_worth(per, city, left, right) as i16;
                    match colour {
                        Colour::Purple => sheet.guilds += worth,
                        _ => sheet.trade += worth,
                    }
                }
            }
        }
        if city.powers & POWER_COPY_GUILD != 0 {
            let (science, guilds) = self.best_copy(city, left, right, sheet.science);
            sheet.science = science;
            sheet.guilds += guilds;
        }
        sheet
    }

    /// Science points alone.
    #[inline]
    pub fn science_points(&self, city: &City) -> i16 {
        self.science.points(city.science)
    }

    /// Science points and added guild points with the best neighbouring guild copied.
    fn best_copy(&self, city: &City, left: &City, right: &City, science: i16) -> (i16, i16) {
        let offered = (left.built | right.built) & self.guilds;
        let mut best = (science, 0);
        for (id, _, per) in &self.counting {
            if offered >> id & 1 == 1 {
                best.1 = best.1.max(counted_worth(per, city, left, right) as i16);
            }
        }
        if offered & self.any_symbol != 0 {
            let mut symbols = city.science;
            symbols[Symbol::Any as usize] += 1;
            let with_symbol = self.science.points(symbols);
            if with_symbol - science > best.1 {
                best = (with_symbol, 0);
            }
        }
        best
    }
}

const MOST_OF_A_SYMBOL: usize = 8;
const MOST_WILD: usize = 4;

/// Points of every combination of symbols, wild ones used for the best.
#[derive(Clone, Debug)]
struct ScienceTable(Vec<i16>);

impl ScienceTable {
    fn new(set: u8) -> ScienceTable {
        let mut table = Vec::new();
        for wild in 0..MOST_WILD {
            for index in 0..MOST_OF_A_SYMBOL.pow(3) {
                let symbols = [
                    index / MOST_OF_A_SYMBOL.pow(2),
                    index / MOST_OF_A_SYMBOL % MOST_OF_A_SYMBOL,
                    index % MOST_OF_A_SYMBOL,
                ];
                table.push(best_science(symbols, wild, i16::from(set)));
            }
        }
        ScienceTable(table)
    }

    #[inline]
    fn points(&self, symbols: [u8; 4]) -> i16 {
        let at = |symbol: usize| usize::from(symbols[symbol]).min(MOST_OF_A_SYMBOL - 1);
        let wild = usize::from(symbols[3]).min(MOST_WILD - 1);
        let index = (at(0) * MOST_OF_A_SYMBOL + at(1)) * MOST_OF_A_SYMBOL + at(2);
        self.0[wild * MOST_OF_A_SYMBOL.pow(3) + index]
    }
}

fn best_science(symbols: [usize; 3], wild: usize, set: i16) -> i16 {
    if wild == 0 {
        let sets = symbols.into_iter().min().unwrap_or(0) as i16;
        let squares: usize = symbols.iter().map(|count| count * count).sum();
        return squares as i16 + set * sets;
    }
    let spend_on = |symbol: usize| {
        let mut more = symbols;
        more[symbol] += 1;
        best_science(more, wild - 1, set)
    };
    (0..3).map(spend_on).max().unwrap_or(0)
}
