//! A position: cities, the packets of cards that go round, and what has become of every card.

use super::city::City;
use super::components::{CardId, MAX_PLAYERS};

/// Cards in a packet when it is dealt.
pub const PACKET: usize = 7;
/// Turns in an age.
pub const TURNS: u8 = 6;
/// The most stages that let a city look through the discard pile.
pub const MOST_LOOKS: usize = 4;

/// The seven cards dealt together. The first ones are still in hand; behind them, from the end,
/// stand those taken out on the first turn, the second and so on, and last the left-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Packet {
    /// The cards.
    pub cards: [CardId; PACKET],
    /// Bit `e`: the card taken out on turn `e` went away face down.
    pub hidden: u8,
    /// Bit `e`: it went under a board.
    pub tucked: u8,
    /// Bit `e`: it went to the discard pile and was built from there later.
    pub taken: u8,
}

impl Packet {
    /// Where the card taken out on turn `event` stands (6 is the left-over).
    #[inline]
    pub fn slot_of(event: usize) -> usize {
        PACKET - 1 - event
    }

    /// The card taken out on turn `event`.
    #[inline]
    pub fn removed(&self, event: usize) -> CardId {
        self.cards[Self::slot_of(event)]
    }

    /// Takes a card out of a hand of `size` cards.
    #[inline]
    pub fn take(&mut self, card: CardId, size: usize, fate: Fate) {
        let last = size - 1;
        let event = PACKET - size;
        let held = self.cards[..size].iter().position(|held| *held == card);
        self.cards.swap(held.unwrap_or(last), last);
        match fate {
            Fate::Built => {}
            Fate::Tucked => {
                self.hidden |= 1 << event;
                self.tucked |= 1 << event;
            }
            Fate::Discarded => self.hidden |= 1 << event,
        }
    }

    /// Whether the card of `event` lies in the discard pile.
    #[inline]
    pub fn in_pile(&self, event: usize) -> bool {
        (self.hidden & !self.tucked & !self.taken) >> event & 1 == 1
    }
}

/// Where a played card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Face up into the city.
    Built,
    /// Face down under the board.
    Tucked,
    /// Face down onto the discard pile.
    Discarded,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Phase {
    /// Boards are drawn.
    #[default]
    Boards,
    /// The cards of the age are dealt.
    Deal,
    /// Everybody plays a card.
    Play,
    /// One player plays the last card of the age too.
    Seventh,
    /// One player builds from the discard pile.
    Pick,
    /// The game has ended.
    Over,
}

/// One look through the discard pile, and which card was built from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Look {
    /// The age of the look.
    pub age: u8,
    /// Its turn.
    pub turn: u8,
    /// The card's place, once one was built.
    pub taken: Option<Place>,
}

/// A removed card's place: the age it was dealt in, its packet and the turn it was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Age, from zero.
    pub age: u8,
    /// Packet.
    pub packet: u8,
    /// Turn, from zero; 6 is the left-over.
    pub event: u8,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct State {
    /// Cities by seat; only the first [`State::players`] are used.
    pub cities: [City; MAX_PLAYERS],
    /// Packets by age and by the seat they were dealt to.
    pub packets: [[Packet; MAX_PLAYERS]; 3],
    /// Guilds that are not in the game, one bit for each in the order of the components; known once
    /// the third age is dealt.
    pub absent_guilds: u16,
    /// Looks through the discard pile.
    pub looks: [Look; MOST_LOOKS],
    /// How many looks there were.
    pub look_count: u8,
    /// Players.
    pub players: u8,
    /// What happens next.
    pub phase: Phase,
    /// Age, from zero.
    pub age: u8,
    /// Turn, from zero.
    pub turn: u8,
    /// Cards in every hand.
    pub hand_size: u8,
    /// Who acts alone in [`Phase::Seventh`] and [`Phase::Pick`].
    pub actor: u8,
    /// Who looks through the pile at the end of this turn, one bit a seat.
    pub will_look: u8,
}

impl State {
    /// The seat to the left.
    #[inline]
    pub fn left(&self, seat: usize) -> usize {
        if seat + 1 == self.players() { 0 } else { seat + 1 }
    }

    /// The seat to the right.
    #[inline]
    pub fn right(&self, seat: usize) -> usize {
        if seat == 0 { self.players() - 1 } else { seat - 1 }
    }

    /// The number of players.
    #[inline]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// Which packet a seat holds on a turn of an age: ages one and three pass to the left.
    #[inline]
    pub fn packet_at(&self, age: usize, turn: usize, seat: usize) -> usize {
        let players = self.players();
        let steps = turn % players;
        let back = if age == 1 { steps } else { players - steps };
        let packet = seat + back;
        if packet >= players { packet - players } else { packet }
    }

    /// Which seat holds a packet on a turn of an age.
    #[inline]
    pub fn holder(&self, age: usize, turn: usize, packet: usize) -> usize {
        let players = self.players();
        let steps = turn % players;
        let on = if age == 1 { players - steps } else { steps };
        let seat = packet + on;
        if seat >= players { seat - players } else { seat }
    }

    /// The cards a seat holds now.
    #[inline]
    pub fn hand(&self, seat: usize) -> &[CardId] {
        let packet = self.packet_at(usize::from(self.age), usize::from(self.turn), seat);
        &self.packets[usize::from(self.age)][packet].cards[..usize::from(self.hand_size)]
    }

    /// How many cards have been taken out of every packet of an age.
    #[inline]
    pub fn events(&self, age: usize) -> usize {
        match age.cmp(&usize::from(self.age)) {
            std::cmp::Ordering::Less => PACKET,
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => match self.phase {
                Phase::Boards | Phase::Deal => 0,
                _ => PACKET - usize::from(self.hand_size),
            },
        }
    }

    /// The places of all cards in the discard pile.
    pub fn pile(&self) -> impl Iterator<Item = (Place, CardId)> + '_ {
        let places = (0..=usize::from(self.age.min(2))).flat_map(move |age| {
            (0..self.players()).flat_map(move |packet| {
                (0..self.events(age)).map(move |event| (age, packet, event))
            })
        });
        places.filter_map(|(age, packet, event)| {
            let cards = &self.packets[age][packet];
            let place = Place { age: age as u8, packet: packet as u8, event: event as u8 };
            cards.in_pile(event).then(|| (place, cards.removed(event)))
        })
    }
}
