//! What a player may do.

use ludex_game::Move;

use super::SevenWonders;
use super::action::{Action, Way};
use super::components::{Card, CardId, CardSet, Cost, Stage};
use super::demand::{Market, Split};
use super::state::{Phase, State};

/// The most (card, way) couples of one decision: 7 cards in 4 ways, or a card of the pile each.
const MOST_OPTIONS: usize = 132;

/// The (card, way) couples that are legal now, before it is settled who is paid.
pub(super) struct Options {
    list: [(Way, CardId); MOST_OPTIONS],
    len: usize,
    market: Market,
}

impl Options {
    #[inline]
    fn push(&mut self, way: Way, card: CardId) {
        self.list[self.len] = (way, card);
        self.len += 1;
    }

    #[inline]
    pub fn as_slice(&self) -> &[(Way, CardId)] {
        &self.list[..self.len]
    }
}

impl SevenWonders {
    /// What a city can buy, and from whom.
    #[inline]
    pub(super) fn market(&self, state: &State, seat: usize) -> Market {
        let city = &state.cities[seat];
        let left = &state.cities[state.left(seat)].sold;
        let right = &state.cities[state.right(seat)].sold;
        Market::new(&city.own, left, right, city.prices(&self.components.constants))
    }

    /// The next stage of a city's wonder.
    #[inline]
    pub(super) fn next_stage(&self, state: &State, seat: usize) -> Option<&Stage> {
        let city = &state.cities[seat];
        let stages = &self.components.boards[usize::from(city.board)].sides[usize::from(city.side)];
        stages.get(usize::from(city.stages()))
    }

    #[inline]
    pub(super) fn card(&self, id: CardId) -> &Card {
        &self.components.cards[usize::from(id)]
    }

    /// Whether a city may not or need not pay for a card: it has one of that name, or a chain.
    #[inline]
    pub(super) fn chained(&self, state: &State, seat: usize, card: &Card) -> bool {
        state.cities[seat].built & card.free_after != 0
    }

    /// The least coins that pay a cost in full, if the city has them.
    #[inline]
    fn affordable(market: &Market, cost: &Cost, coins: u16) -> Option<u8> {
        let total = market.least_coins(&cost.demand)? + cost.coins;
        (u16::from(total) <= coins).then_some(total)
    }

    /// The legal (card, way) couples of a seat.
    #[inline]
    pub(super) fn options(&self, state: &State, seat: usize) -> Options {
        let mut options = Options {
            list: [(Way::Decline, 0); MOST_OPTIONS],
            len: 0,
            market: self.market(state, seat),
        };
        match state.phase {
            Phase::Pick => self.pick_options(state, seat, &mut options),
            _ => self.hand_options(state, seat, &mut options),
        }
        options
    }

    #[inline]
    fn hand_options(&self, state: &State, seat: usize, options: &mut Options) {
        let city = &state.cities[seat];
        let stage = self.next_stage(state, seat);
        let can_stage =
            stage.is_some_and(|s| Self::affordable(&options.market, &s.cost, city.coins).is_some());
        // The extra card of an age is no ordinary turn: the once-an-age power is for those.
        let can_build_free = city.can_build_free() && state.phase == Phase::Play;
        let mut seen: CardSet = 0;
        for &id in state.hand(seat) {
            if seen >> id & 1 == 1 {
                continue;
            }
            seen |= 1 << id;
            let card = self.card(id);
            if city.built & card.same_name == 0 {
                let price = if self.chained(state, seat, card) {
                    Some(0)
                } else {
                    Self::affordable(&options.market, &card.cost, city.coins)
                };
                if price.is_some() {
                    options.push(Way::Build, id);
                }
                if can_build_free && price != Some(0) {
                    options.push(Way::BuildFree, id);
                }
            }
            if can_stage {
                options.push(Way::Stage, id);
            }
            options.push(Way::Discard, id);
        }
    }

    fn pick_options(&self, state: &State, seat: usize, options: &mut Options) {
        let built = state.cities[seat].built;
        let mut seen: CardSet = 0;
        for (_, id) in state.pile() {
            if seen >> id & 1 == 0 && built & self.card(id).same_name == 0 {
                options.push(Way::Pick, id);
            }
            seen |= 1 << id;
        }
        options.push(Way::Decline, 0);
    }

    /// The price that a couple must pay, if it must pay any.
    #[inline]
    fn price_of(&self, state: &State, seat: usize, way: Way, card: CardId) -> Option<&Cost> {
        match way {
            Way::Build => {
                let card = self.card(card);
                (!self.chained(state, seat, card)).then_some(&card.cost)
            }
            Way::Stage => self.next_stage(state, seat).map(|stage| &stage.cost),
            _ => None,
        }
    }

    /// Whether ties between equally cheap payments go to the left this time.
    #[inline]
    fn favours_left(state: &State, seat: usize) -> bool {
        (usize::from(state.age * 6 + state.turn) + seat).is_multiple_of(2)
    }

    /// The move of a legal couple at the cheapest price.
    #[inline]
    pub(super) fn cheapest(
        &self,
        state: &State,
        seat: usize,
        options: &Options,
        (way, card): (Way, CardId),
    ) -> Move {
        let mut action = Action::free(way, card);
        if let Some(cost) = self.price_of(state, seat, way, card) {
            let favour = Self::favours_left(state, seat);
            action.pays = options.market.cheapest(&cost.demand, favour);
        }
        action.to_move()
    }

    /// Every way to pay for a couple that the city can afford.
    pub(super) fn payments(
        &self,
        state: &State,
        seat: usize,
        (way, card): (Way, CardId),
        out: &mut Vec<Split>,
    ) {
        let Some(cost) = self.price_of(state, seat, way, card) else {
            out.push(Split::default());
            return;
        };
        let first = out.len();
        self.market(state, seat).every_way(&cost.demand, out);
        let coins = state.cities[seat].coins;
        let mut kept = first;
        for i in first..out.len() {
            if u16::from(out[i].total()) + u16::from(cost.coins) <= coins {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Adds the legal moves with every way to pay.
    pub(super) fn moves_with_payments(&self, state: &State, seat: usize, out: &mut Vec<Move>) {
        let options = self.options(state, seat);
        let mut splits = Vec::new();
        for &(way, card) in options.as_slice() {
            splits.clear();
            self.payments(state, seat, (way, card), &mut splits);
            let moves = splits.iter().map(|&pays| Action { way, card, pays }.to_move());
            out.extend(moves);
        }
    }
}
