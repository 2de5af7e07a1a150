//! What a player may do.

use ludex_game::{Move, Rng};

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
    /// Cards whose structures need coins for the neighbours.
    traded: CardSet,
    /// Whether the next stage does.
    stage_traded: bool,
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
    pub(super) fn market<'a>(&self, state: &'a State, seat: usize) -> Market<'a> {
        let city = &state.cities[seat];
        Market {
            own: &city.own,
            left: &state.cities[state.left(seat)].sold,
            right: &state.cities[state.right(seat)].sold,
            prices: city.prices(&self.components.constants),
        }
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
            traded: 0,
            stage_traded: false,
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
        let market = self.market(state, seat);
        let stage = self.next_stage(state, seat);
        let stage_price = stage.and_then(|s| Self::affordable(&market, &s.cost, city.coins));
        options.stage_traded = stage_price.is_some_and(|price| price > 0);
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
                    Self::affordable(&market, &card.cost, city.coins)
                };
                if let Some(coins) = price {
                    options.push(Way::Build, id);
                    options.traded |= u128::from(coins > 0) << id;
                }
                if can_build_free && price != Some(0) {
                    options.push(Way::BuildFree, id);
                }
            }
            if stage_price.is_some() {
                options.push(Way::Stage, id);
            }
            options.push(Way::Discard, id);
        }
    }

    fn pick_options(&self, state: &State, seat: usize, options: &mut Options) {
        let built = state.cities[seat].built;
        let mut seen: CardSet = 0;
        for (_, id) in state.pile() {
            // Cards of one name are dealt in two ages; which of them is taken makes no difference.
            if (seen | built) & self.card(id).same_name == 0 {
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
        let pays = match way {
            Way::Build => options.traded >> card & 1 == 1,
            Way::Stage => options.stage_traded,
            _ => false,
        };
        if pays { self.traded(state, seat, (way, card)) } else { Action::free(way, card).to_move() }
    }

    /// The move of a legal couple that may need coins for the neighbours, at the cheapest price.
    fn traded(&self, state: &State, seat: usize, (way, card): (Way, CardId)) -> Move {
        let mut action = Action::free(way, card);
        if let Some(cost) = self.price_of(state, seat, way, card) {
            let favour = Self::favours_left(state, seat);
            action.pays = self.market(state, seat).cheapest(&cost.demand, favour);
        }
        action.to_move()
    }

    /// A legal couple's move at the cheapest price, every couple with the same probability.
    ///
    /// How many ways there are to use a card that is played from a hand.
    #[inline]
    fn ways(state: &State, seat: usize) -> u32 {
        let free = state.cities[seat].can_build_free() && state.phase == Phase::Play;
        if free { 4 } else { 3 }
    }

    /// All that could be legal with the cards of a hand, whatever it costs.
    pub(super) fn couples<'a>(
        &'a self,
        state: &'a State,
        seat: usize,
    ) -> impl Iterator<Item = (Way, CardId)> + 'a {
        let (hand, ways) = (state.hand(seat), Self::ways(state, seat) as usize);
        let first =
            move |&(index, id): &(usize, &CardId)| !(self.has_twins && hand[..index].contains(id));
        let cards = hand.iter().enumerate().filter(first);
        cards.flat_map(move |(_, &id)| Way::ALL[..ways].iter().map(move |&way| (way, id)))
    }

    /// Couples are drawn from all that could be legal until one is: a card can always be discarded, so
    /// this ends, and most prices are never asked for.
    #[inline]
    pub(super) fn random_couple(&self, state: &State, seat: usize, rng: &mut Rng) -> Move {
        let (hand, ways) = (state.hand(seat), Self::ways(state, seat));
        let mut stage_price = None;
        loop {
            let drawn = rng.below(hand.len() as u32 * ways);
            let (index, way) = ((drawn / ways) as usize, Way::ALL[(drawn % ways) as usize]);
            let id = hand[index];
            if self.has_twins && hand[..index].contains(&id) {
                continue;
            }
            let price = match way {
                Way::Stage => *stage_price.get_or_insert_with(|| self.price(state, seat, way, id)),
                way => self.price(state, seat, way, id),
            };
            if let Some(price) = price {
                return self.paid(state, seat, (way, id), price);
            }
        }
    }

    /// A couple with what is paid for it, unless it cannot be done.
    #[inline]
    pub(super) fn priced(&self, state: &State, seat: usize, couple: (Way, CardId)) -> Option<Move> {
        let price = self.price(state, seat, couple.0, couple.1)?;
        Some(self.paid(state, seat, couple, price))
    }

    #[inline]
    fn paid(&self, state: &State, seat: usize, (way, id): (Way, CardId), price: u8) -> Move {
        match price {
            0 => Action::free(way, id).to_move(),
            _ => self.traded(state, seat, (way, id)),
        }
    }

    /// The least that is paid for doing something with a card of a hand, if it can be done.
    #[inline]
    fn price(&self, state: &State, seat: usize, way: Way, id: CardId) -> Option<u8> {
        let city = &state.cities[seat];
        match way {
            Way::Stage => {
                let stage = self.next_stage(state, seat)?;
                Self::affordable(&self.market(state, seat), &stage.cost, city.coins)
            }
            Way::Build | Way::BuildFree => {
                let card = self.card(id);
                if city.built & card.same_name != 0 {
                    return None;
                }
                let price = if self.chained(state, seat, card) {
                    Some(0)
                } else {
                    Self::affordable(&self.market(state, seat), &card.cost, city.coins)
                };
                match way {
                    Way::Build => price,
                    _ => (price != Some(0)).then_some(0),
                }
            }
            _ => Some(0),
        }
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
