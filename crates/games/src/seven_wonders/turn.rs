//! How a turn is resolved: everybody pays, then everybody builds, then coins come in.

use ludex_game::{Move, Rng};

use super::SevenWonders;
use super::action::{Action, Way};
use super::city::{City, counted_worth};
use super::components::*;
use super::state::{Fate, Look, PACKET, Packet, Phase, Place, State, TURNS};

impl SevenWonders {
    /// Puts the drawn boards in front of the players; five bits a seat, the lowest is the side.
    pub(super) fn seat_boards(&self, state: &mut State, boards: Move) {
        for seat in 0..state.players() {
            let code = (boards.0 >> (5 * seat) & 31) as u8;
            let (board, side) = (code >> 1, code & 1);
            let data = &self.components.boards[usize::from(board)];
            state.cities[seat] = City::new(board, side, data, &self.components.constants);
        }
        state.phase = Phase::Deal;
    }

    /// Shuffles and deals the cards of the age with the seed that chance drew.
    pub(super) fn deal(&self, state: &mut State, seed: Move) {
        let rng = &mut Rng::seeded(seed.0);
        let age = usize::from(state.age);
        let mut deck = [0 as CardId; PACKET * MAX_PLAYERS];
        let plain = &self.decks[age];
        deck[..plain.len()].copy_from_slice(plain);
        let cards = PACKET * state.players();
        if age == 2 {
            let mut guilds = [0u8; 16];
            let guilds = &mut guilds[..self.guilds.len()];
            for (index, guild) in guilds.iter_mut().enumerate() {
                *guild = index as u8;
            }
            rng.shuffle(guilds);
            let (used, absent) = guilds.split_at(cards - plain.len());
            for (slot, &guild) in deck[plain.len()..cards].iter_mut().zip(used) {
                *slot = self.guilds[usize::from(guild)];
            }
            state.absent_guilds = absent.iter().fold(0, |set, guild| set | 1 << guild);
        }
        rng.shuffle(&mut deck[..cards]);
        for (packet, cards) in state.packets[age].iter_mut().zip(deck[..cards].chunks_exact(PACKET))
        {
            *packet = Packet::default();
            packet.cards.copy_from_slice(cards);
        }
        for city in &mut state.cities {
            city.free_build_used = false;
        }
        state.turn = 0;
        state.hand_size = PACKET as u8;
        state.phase = Phase::Play;
    }

    /// Resolves a turn that everybody has chosen a move for.
    pub(super) fn resolve(&self, state: &mut State, joint: &[Move]) {
        let players = state.players();
        debug_assert_eq!(joint.len(), players);
        let mut actions = [Action::free(Way::Discard, 0); MAX_PLAYERS];
        let mut income = [0u16; MAX_PLAYERS];
        for seat in 0..players {
            let action = Action::of(joint[seat]);
            actions[seat] = action;
            income[state.left(seat)] += u16::from(action.pays.left);
            income[state.right(seat)] += u16::from(action.pays.right);
            let owed = u16::from(action.pays.total()) + self.bank_price(state, seat, action);
            state.cities[seat].coins -= owed;
        }
        for seat in 0..players {
            state.cities[seat].coins += income[seat];
            self.place(state, seat, actions[seat]);
        }
        for (seat, &action) in actions[..players].iter().enumerate() {
            self.pay_out(state, seat, action);
        }
        state.hand_size -= 1;
        self.after_main(state);
    }

    #[inline]
    pub(super) fn bank_price(&self, state: &State, seat: usize, action: Action) -> u16 {
        match action.way {
            Way::Build => {
                let card = self.card(action.card);
                if card.cost.coins == 0 || self.chained(state, seat, card) {
                    return 0;
                }
                u16::from(card.cost.coins)
            }
            Way::Stage => {
                let stage = self.next_stage(state, seat);
                stage.map_or(0, |stage| u16::from(stage.cost.coins))
            }
            _ => 0,
        }
    }

    /// Moves the card to where it goes; coins that this brings are paid out later.
    #[inline]
    fn place(&self, state: &mut State, seat: usize, action: Action) {
        let (age, size) = (usize::from(state.age), usize::from(state.hand_size));
        let packet = state.packet_at(age, usize::from(state.turn), seat);
        let fate = match action.way {
            Way::Stage => Fate::Tucked,
            Way::Discard => Fate::Discarded,
            _ => Fate::Built,
        };
        state.packets[age][packet].take(action.card, size, fate);
        match fate {
            Fate::Built => {
                let card = self.card(action.card);
                let city = &mut state.cities[seat];
                city.add_structure(action.card, card);
                city.free_build_used |= action.way == Way::BuildFree;
            }
            Fate::Tucked => {
                if let Some(stage) = self.next_stage(state, seat) {
                    let looks = stage.effects.powers & POWER_FROM_DISCARD != 0;
                    state.cities[seat].add_stage(stage);
                    state.will_look |= u8::from(looks) << seat;
                }
            }
            Fate::Discarded => {}
        }
    }

    /// Coins that an action brings, counted on the table as it is after everybody's action.
    #[inline]
    fn pay_out(&self, state: &mut State, seat: usize, action: Action) {
        let effects = match action.way {
            Way::Discard => {
                let coins = self.components.constants.coins_for_discard;
                state.cities[seat].coins += u16::from(coins);
                return;
            }
            Way::Stage => {
                let city = &state.cities[seat];
                let board = &self.components.boards[usize::from(city.board)];
                let built = usize::from(city.stages());
                &board.sides[usize::from(city.side)][built - 1].effects
            }
            Way::Decline => return,
            Way::Build | Way::BuildFree | Way::Pick => &self.card(action.card).effects,
        };
        let mut coins = u16::from(effects.coins);
        if let Some(per) = &effects.coins_per {
            let left = &state.cities[state.left(seat)];
            let right = &state.cities[state.right(seat)];
            coins += counted_worth(per, &state.cities[seat], left, right);
        }
        state.cities[seat].coins += coins;
    }

    /// After everybody's card: perhaps the extra card of an age, then the rest.
    fn after_main(&self, state: &mut State) {
        if state.turn + 1 < TURNS {
            return self.look_or_end_turn(state);
        }
        let seventh =
            (0..state.players()).find(|&seat| state.cities[seat].powers & POWER_SEVENTH_CARD != 0);
        match seventh {
            Some(seat) => {
                state.phase = Phase::Seventh;
                state.actor = seat as u8;
            }
            None => {
                self.discard_left_overs(state, None);
                self.look_or_end_turn(state);
            }
        }
    }

    /// Plays the extra card of an age.
    pub(super) fn play_seventh(&self, state: &mut State, mv: Move) {
        let seat = usize::from(state.actor);
        let action = Action::of(mv);
        let owed = u16::from(action.pays.total()) + self.bank_price(state, seat, action);
        state.cities[seat].coins -= owed;
        let (left, right) = (state.left(seat), state.right(seat));
        state.cities[left].coins += u16::from(action.pays.left);
        state.cities[right].coins += u16::from(action.pays.right);
        self.place(state, seat, action);
        self.pay_out(state, seat, action);
        self.discard_left_overs(state, Some(seat));
        self.look_or_end_turn(state);
    }

    fn discard_left_overs(&self, state: &mut State, except: Option<usize>) {
        let age = usize::from(state.age);
        for seat in 0..state.players() {
            if except != Some(seat) {
                let packet = state.packet_at(age, usize::from(state.turn), seat);
                let cards = &mut state.packets[age][packet];
                cards.take(cards.cards[0], 1, Fate::Discarded);
            }
        }
        state.hand_size = 0;
    }

    fn look_or_end_turn(&self, state: &mut State) {
        if state.will_look == 0 {
            return self.end_turn(state);
        }
        let seat = state.will_look.trailing_zeros() as usize;
        state.will_look = 0;
        let look = Look { age: state.age, turn: state.turn, taken: None };
        state.looks[usize::from(state.look_count)] = look;
        state.look_count += 1;
        let built = state.cities[seat].built;
        if state.pile().any(|(_, id)| built & self.card(id).same_name == 0) {
            state.phase = Phase::Pick;
            state.actor = seat as u8;
        } else {
            self.end_turn(state);
        }
    }

    /// Builds a card of the discard pile, or nothing.
    pub(super) fn pick(&self, state: &mut State, mv: Move) {
        let seat = usize::from(state.actor);
        let action = Action::of(mv);
        let place = state.pile().find(|(_, id)| *id == action.card).map(|(place, _)| place);
        if let (Way::Pick, Some(place)) = (action.way, place) {
            let Place { age, packet, event } = place;
            state.packets[usize::from(age)][usize::from(packet)].taken |= 1 << event;
            state.looks[usize::from(state.look_count) - 1].taken = Some(place);
            state.cities[seat].add_structure(action.card, self.card(action.card));
            self.pay_out(state, seat, action);
        }
        self.end_turn(state);
    }

    /// Hands go on, or the age ends.
    fn end_turn(&self, state: &mut State) {
        if state.turn + 1 < TURNS {
            state.turn += 1;
            state.phase = Phase::Play;
            return;
        }
        self.fight(state);
        if state.age == 2 {
            state.phase = Phase::Over;
        } else {
            state.age += 1;
            state.phase = Phase::Deal;
        }
    }

    fn fight(&self, state: &mut State) {
        let points = self.components.constants.victory_points[usize::from(state.age)];
        for seat in 0..state.players() {
            let other = state.left(seat);
            let (a, b) = (state.cities[seat].shields, state.cities[other].shields);
            let (winner, loser) = match a.cmp(&b) {
                std::cmp::Ordering::Greater => (seat, other),
                std::cmp::Ordering::Less => (other, seat),
                std::cmp::Ordering::Equal => continue,
            };
            state.cities[winner].victory_points += points;
            state.cities[loser].counts[COUNTED_DEFEAT] += 1;
        }
    }
}
