//! One player's city: what stands in it, in numbers that add up as things are built.

use super::components::*;
use super::demand::{Demand, Prices};

/// A city. Everything but `built` is a running total over its structures and stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct City {
    /// Structures.
    pub built: CardSet,
    /// Producers for own use.
    pub own: Demand,
    /// Producers that neighbours may buy from.
    pub sold: Demand,
    /// Structures by colour, then built stages, then defeat tokens (see [`PerCount`]).
    pub counts: [u8; 9],
    /// Symbols: compass, gear, tablet, any.
    pub science: [u8; 4],
    /// Coins.
    pub coins: u16,
    /// Shields.
    pub shields: u8,
    /// Points printed on structures (blue ones, in the base game).
    pub civil_points: u8,
    /// Points of built stages.
    pub stage_points: u8,
    /// Points of military victories.
    pub victory_points: u8,
    /// Index of the board.
    pub board: u8,
    /// 0 for side A, 1 for side B.
    pub side: u8,
    /// Kinds of resources it can produce at all.
    pub kinds: u8,
    /// Kinds it produces without having to choose.
    pub fixed_kinds: u8,
    /// Bits `DISCOUNT_*`.
    pub discounts: u8,
    /// Bits `POWER_*`.
    pub powers: u8,
    /// Whether this age's free build is used up.
    pub free_build_used: bool,
}

impl City {
    /// A new city on the given side of a board.
    pub fn new(board: u8, side: u8, data: &Board, constants: &Constants) -> City {
        City {
            own: data.produces,
            sold: data.produces,
            kinds: data.kinds,
            fixed_kinds: data.kinds,
            coins: u16::from(constants.starting_coins),
            board,
            side,
            ..City::default()
        }
    }

    /// Structures of a colour.
    #[inline]
    pub fn count(&self, colour: Colour) -> u8 {
        self.counts[colour as usize]
    }

    /// Built stages.
    #[inline]
    pub fn stages(&self) -> u8 {
        self.counts[COUNTED_STAGE]
    }

    /// Defeat tokens.
    #[inline]
    pub fn defeats(&self) -> u8 {
        self.counts[COUNTED_DEFEAT]
    }

    /// Things an effect counts in this city.
    #[inline]
    pub fn counted(&self, set: u16) -> u16 {
        let mut total = 0;
        let mut rest = set;
        while rest != 0 {
            total += u16::from(self.counts[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
        total
    }

    /// What this city pays its neighbours for one unit.
    #[inline]
    pub fn prices(&self, constants: &Constants) -> Prices {
        let price = |discount| {
            if self.discounts & discount != 0 { 1 } else { constants.trade_price }
        };
        Prices {
            raw_left: price(DISCOUNT_RAW_LEFT),
            raw_right: price(DISCOUNT_RAW_RIGHT),
            goods: price(DISCOUNT_GOODS),
        }
    }

    /// Whether a free build is at hand this turn.
    #[inline]
    pub fn can_build_free(&self) -> bool {
        self.powers & POWER_FREE_BUILD != 0 && !self.free_build_used
    }

    /// Puts up a structure; its coins are not paid out here.
    #[inline]
    pub fn add_structure(&mut self, id: CardId, card: &Card) {
        self.built |= 1 << id;
        self.counts[card.colour as usize] += 1;
        self.civil_points += card.effects.points;
        if matches!(card.colour, Colour::Brown | Colour::Grey) {
            self.sold.add(&card.effects.produces);
        }
        self.add_effects(&card.effects);
    }

    /// Builds the next stage; its coins are not paid out here.
    #[inline]
    pub fn add_stage(&mut self, stage: &Stage) {
        self.counts[COUNTED_STAGE] += 1;
        self.stage_points += stage.effects.points;
        self.add_effects(&stage.effects);
    }

    #[inline]
    fn add_effects(&mut self, effects: &Effects) {
        if effects.kinds != 0 {
            self.own.add(&effects.produces);
            self.kinds |= effects.kinds;
            if !effects.choice {
                self.fixed_kinds |= effects.kinds;
            }
        }
        self.shields += effects.shields;
        if let Some(symbol) = effects.science {
            self.science[symbol as usize] += 1;
        }
        self.discounts |= effects.discounts;
        self.powers |= effects.powers;
    }
}

/// Coins or points that an effect gives a city between two neighbours.
#[inline]
pub fn counted_worth(per: &PerCount, city: &City, left: &City, right: &City) -> u16 {
    let mut count = 0;
    if per.own {
        count += city.counted(per.counted);
    }
    if per.neighbours {
        count += left.counted(per.counted) + right.counted(per.counted);
    }
    u16::from(per.each) * count
}
