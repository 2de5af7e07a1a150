//! What a player knows, and a full state drawn uniformly from all that agree with it.
//!
//! A player remembers every packet that went through his hands. Between two of his sights of a
//! packet the others took cards out of it, some face down: he knows the set of those but not which
//! went when. Cards that left before his first sight of a packet, and packets he has not met, share
//! one pool: all cards of the age that he has not seen. Whoever looked through the discard pile knows
//! besides which of these cards lay in it. So the places of hidden cards fall into groups, and every
//! way to lay a group's cards on its places agrees with what is known: to draw one is to shuffle each
//! group. Only two things tie a card: one that was built from the discard pile lay there before, and
//! guilds that are not in the game are guilds.
//!
//! Copies of a card bear different numbers in print, so they are told apart here too.

use ludex_game::Rng;

use super::SevenWonders;
use super::components::*;
use super::state::{Look, MOST_LOOKS, PACKET, Packet, Phase, Place, State, TURNS};

const MOST_SLOTS: usize = PACKET * MAX_PLAYERS;

/// A place where a card of the age is: its packet and position.
type Slot = (u8, u8);

/// Places that exchange their cards.
struct Group {
    slots: [Slot; MOST_SLOTS],
    len: usize,
}

impl Group {
    fn new() -> Group {
        Group { slots: [(0, 0); MOST_SLOTS], len: 0 }
    }

    #[inline]
    fn push(&mut self, slot: Slot) {
        self.slots[self.len] = slot;
        self.len += 1;
    }
}

impl SevenWonders {
    /// Draws a state from all that agree with what the player in `seat` knows.
    pub(super) fn imagine(&self, state: &State, seat: usize, rng: &mut Rng) -> State {
        let mut drawn = *state;
        if matches!(state.phase, Phase::Boards | Phase::Over) {
            return drawn;
        }
        // Old discards matter only to whoever may yet look through them.
        let first = if self.pile_matters(state) { 0 } else { usize::from(state.age) };
        for age in first..=usize::from(state.age) {
            if age < usize::from(state.age) || state.phase != Phase::Deal {
                self.imagine_age(&mut drawn, age, seat, rng);
            }
        }
        drawn
    }

    fn pile_matters(&self, state: &State) -> bool {
        let looks_later = |seat| self.powers_to_come(state, seat) & POWER_FROM_DISCARD != 0;
        state.phase == Phase::Pick || (0..state.players()).any(looks_later)
    }

    /// Powers of the stages that a city has not built yet.
    fn powers_to_come(&self, state: &State, seat: usize) -> u8 {
        let city = &state.cities[seat];
        let board = &self.components.boards[usize::from(city.board)];
        let to_come = &board.sides[usize::from(city.side)][usize::from(city.stages())..];
        to_come.iter().fold(0, |powers, stage| powers | stage.effects.powers)
    }

    /// Whether it can matter this turn which of his cards a player keeps in hand or puts away face down:
    /// the pile may be looked through, or he may play his last card, too.
    pub(super) fn meets_again(&self, state: &State, seat: usize) -> bool {
        let powers = state.cities[seat].powers | self.powers_to_come(state, seat);
        powers & POWER_SEVENTH_CARD != 0 || self.pile_matters(state)
    }

    fn imagine_age(&self, state: &mut State, age: usize, seat: usize, rng: &mut Rng) {
        let current = age == usize::from(state.age);
        let last_turn = if current { state.turn } else { TURNS - 1 };
        let looks = if state.cities[seat].powers & POWER_FROM_DISCARD != 0 {
            usize::from(state.look_count)
        } else {
            0
        };
        // One class for each look that showed the card in the pile, and one for the rest.
        for class in 0..=looks {
            let mut pool = Group::new();
            for packet in 0..state.players() {
                self.imagine_packet(
                    state,
                    age,
                    packet,
                    seat,
                    last_turn,
                    (class, looks),
                    &mut pool,
                    rng,
                );
            }
            let with_absent = age == 2 && class == looks;
            self.redistribute(state, age, &pool, with_absent, rng);
        }
    }

    /// Shuffles the groups of one packet and adds the places from before its first sight to `pool`.
    #[allow(clippy::too_many_arguments)]
    fn imagine_packet(
        &self,
        state: &mut State,
        age: usize,
        packet: usize,
        seat: usize,
        last_turn: u8,
        (class, looks): (usize, usize),
        pool: &mut Group,
        rng: &mut Rng,
    ) {
        let events = state.events(age);
        let mut group = Group::new();
        let mut seen = false;
        // Time runs backwards through positions, so walk turns forward and close a group at each sight.
        for moment in 0..=PACKET {
            let sight =
                moment <= usize::from(last_turn) && state.holder(age, moment, packet) == seat;
            if sight {
                if seen {
                    self.redistribute(state, age, &group, false, rng);
                }
                group = Group::new();
                seen = true;
            }
            let open = if seen { &mut group } else { &mut *pool };
            if moment < events {
                let cards = &state.packets[age][packet];
                let own = moment < usize::from(TURNS) && sight;
                let hidden = cards.hidden >> moment & 1 == 1;
                if hidden && !own && class_of(state, age, packet, moment, looks) == class {
                    open.push((packet as u8, Packet::slot_of(moment) as u8));
                }
            } else if moment == PACKET && class == looks {
                for position in 0..PACKET - events {
                    open.push((packet as u8, position as u8));
                }
            }
        }
        if seen {
            self.redistribute(state, age, &group, false, rng);
        }
    }

    /// Lays a group's cards on its places in random order.
    fn redistribute(
        &self,
        state: &mut State,
        age: usize,
        group: &Group,
        with_absent: bool,
        rng: &mut Rng,
    ) {
        let mut places = Group { slots: group.slots, len: group.len };
        if places.len == 0 {
            return;
        }
        // Equal knowledge must give equal draws, whatever the true order of places and cards.
        places.slots[..places.len].sort_unstable();
        let mut cards = [0 as CardId; MOST_SLOTS + 16];
        let mut count = 0;
        for &slot in &places.slots[..places.len] {
            if !was_taken(state, age, slot) {
                cards[count] = card_at(state, age, slot);
                count += 1;
            }
        }
        cards[..count].sort_unstable();
        place_taken(state, age, &mut places, rng);
        if with_absent {
            self.draw_absent(state, &mut cards, &mut count, rng);
        }
        rng.shuffle(&mut cards[..count]);
        for (&(packet, position), &card) in places.slots[..places.len].iter().zip(&cards) {
            state.packets[age][usize::from(packet)].cards[usize::from(position)] = card;
        }
    }

    /// Exchanges absent guilds with unseen ones.
    fn draw_absent(
        &self,
        state: &mut State,
        cards: &mut [CardId],
        count: &mut usize,
        rng: &mut Rng,
    ) {
        let mut unseen = state.absent_guilds;
        let mut kept = 0;
        for i in 0..*count {
            match self.guilds.iter().position(|guild| *guild == cards[i]) {
                Some(index) => unseen |= 1 << index,
                None => {
                    cards[kept] = cards[i];
                    kept += 1;
                }
            }
        }
        let mut guilds = [0u8; 16];
        let mut found = 0;
        for index in 0..self.guilds.len() {
            if unseen >> index & 1 == 1 {
                guilds[found] = index as u8;
                found += 1;
            }
        }
        rng.shuffle(&mut guilds[..found]);
        let absent = state.absent_guilds.count_ones() as usize;
        state.absent_guilds = guilds[..absent].iter().fold(0, |set, guild| set | 1 << guild);
        for &guild in &guilds[absent..found] {
            cards[kept] = self.guilds[usize::from(guild)];
            kept += 1;
        }
        *count = kept;
    }
}

/// Settles where cards that were later built from the discard pile had lain, and takes their places
/// out of the group.
fn place_taken(state: &mut State, age: usize, places: &mut Group, rng: &mut Rng) {
    let looks = state.looks;
    let ours = |place: &Place, places: &Group| {
        let slot = (place.packet, Packet::slot_of(usize::from(place.event)) as u8);
        let inside = places.slots[..places.len].contains(&slot);
        (usize::from(place.age) == age && inside).then_some(slot)
    };
    // All of them are lifted before the first is laid down again.
    let mut lifted = [None; MOST_LOOKS];
    for (look, lifted) in looks[..usize::from(state.look_count)].iter().zip(&mut lifted) {
        if let Some(slot) = look.taken.and_then(|place| ours(&place, places)) {
            *lifted = Some(card_at(state, age, slot));
            state.packets[age][usize::from(slot.0)].taken &= !flag(slot);
        }
    }
    for (index, card) in lifted.into_iter().enumerate() {
        let Some(card) = card else { continue };
        let possible = |slot: &Slot| lay_in_pile(state, age, *slot, &looks[index]);
        let choices = places.slots[..places.len].iter().filter(|slot| possible(slot)).count();
        let pick = rng.below(choices.max(1) as u32) as usize;
        let chosen = (0..places.len).filter(|&i| possible(&places.slots[i])).nth(pick).unwrap_or(0);
        let (packet, position) = places.slots[chosen];
        let cards = &mut state.packets[age][usize::from(packet)];
        cards.cards[usize::from(position)] = card;
        cards.taken |= flag((packet, position));
        let event = PACKET as u8 - 1 - position;
        state.looks[index].taken = Some(Place { age: age as u8, packet, event });
        places.len -= 1;
        places.slots.copy_within(chosen + 1..places.len + 1, chosen);
    }
}

/// The bit of a place in the flags of its packet.
fn flag((_, position): Slot) -> u8 {
    1 << (PACKET as u8 - 1 - position)
}

fn card_at(state: &State, age: usize, (packet, position): Slot) -> CardId {
    state.packets[age][usize::from(packet)].cards[usize::from(position)]
}

fn was_taken(state: &State, age: usize, slot: Slot) -> bool {
    let event = PACKET - 1 - usize::from(slot.1);
    let removed = event < state.events(age);
    removed && state.packets[age][usize::from(slot.0)].taken & flag(slot) != 0
}

/// Which look first showed the card in the pile; `looks` if none did.
fn class_of(state: &State, age: usize, packet: usize, event: usize, looks: usize) -> usize {
    let slot = (packet as u8, Packet::slot_of(event) as u8);
    let showed = |look: &Look| lay_in_pile(state, age, slot, look);
    state.looks[..looks].iter().position(showed).unwrap_or(looks)
}

/// Whether the card of a place had been discarded when the pile was looked through.
fn lay_in_pile(state: &State, age: usize, (packet, position): Slot, look: &Look) -> bool {
    let event = PACKET - 1 - usize::from(position);
    let cards = &state.packets[age][usize::from(packet)];
    let discarded = event < state.events(age) && (cards.hidden & !cards.tucked) >> event & 1 == 1;
    let turn = event.min(usize::from(TURNS) - 1);
    discarded && (age, turn) <= (usize::from(look.age), usize::from(look.turn))
}
