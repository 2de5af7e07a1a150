//! What a player has seen, written down from the history; drawn states must agree with it.

use std::collections::BTreeMap;

use ludex_game::{Player, Rng, Rules};
use ludex_games::seven_wonders::components::POWER_FROM_DISCARD;
use ludex_games::seven_wonders::state::{PACKET, Phase, State};
use ludex_games::seven_wonders::{Payments, SevenWonders, Sides};

use super::{games_per_variant, play, variants};

/// Everything a seat has seen so far.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// Cities and the flags of what was hidden, tucked or discarded.
    table: Vec<String>,
    /// The hand at each turn, sorted.
    hands: Vec<Vec<u8>>,
    /// Cards that left packets face up or by the seat's own hand.
    plays: Vec<(usize, usize, usize, u8)>,
    /// The pile at each look, sorted; only for whoever looked.
    piles: Vec<Vec<u8>>,
    /// Cards built from the pile.
    taken: Vec<Option<u8>>,
}

fn seen(state: &State, seat: usize) -> Seen {
    let players = state.players();
    let mut seen = Seen {
        table: state.cities[..players].iter().map(|city| format!("{city:?}")).collect(),
        hands: Vec::new(),
        plays: Vec::new(),
        piles: Vec::new(),
        taken: Vec::new(),
    };
    for age in 0..=usize::from(state.age.min(2)) {
        if age == usize::from(state.age) && state.phase == Phase::Deal {
            break;
        }
        let last = if age < usize::from(state.age) { 5 } else { usize::from(state.turn) };
        for turn in 0..=last {
            let packet = &state.packets[age][state.packet_at(age, turn, seat)];
            let mut hand = packet.cards[..PACKET - turn].to_vec();
            hand.sort_unstable();
            seen.hands.push(hand);
        }
        for k in 0..players {
            let packet = &state.packets[age][k];
            seen.table.push(format!("{} {}", packet.hidden, packet.tucked));
            for event in 0..state.events(age) {
                let own = state.holder(age, event.min(5), k) == seat;
                if own || packet.hidden >> event & 1 == 0 {
                    seen.plays.push((age, k, event, packet.removed(event)));
                }
            }
        }
    }
    let looked = state.cities[seat].powers & POWER_FROM_DISCARD != 0;
    for (index, look) in state.looks[..usize::from(state.look_count)].iter().enumerate() {
        let card = |place: ludex_games::seven_wonders::state::Place| {
            state.packets[usize::from(place.age)][usize::from(place.packet)]
                .removed(usize::from(place.event))
        };
        seen.taken.push(look.taken.map(card));
        if looked {
            let mut pile = pile_at(state, look.age, look.turn);
            for earlier in &state.looks[..index] {
                if let Some(place) = earlier.taken {
                    let at = pile.iter().position(|&c| c == card(place)).expect("it lay there");
                    pile.remove(at);
                }
            }
            pile.sort_unstable();
            seen.piles.push(pile);
        }
    }
    seen
}

/// The cards discarded up to the end of a turn, taken or not.
fn pile_at(state: &State, age: u8, turn: u8) -> Vec<u8> {
    let mut pile = Vec::new();
    for earlier in 0..=usize::from(age) {
        for packet in &state.packets[earlier][..state.players()] {
            for event in 0..state.events(earlier) {
                let discarded = (packet.hidden & !packet.tucked) >> event & 1 == 1;
                if discarded && (earlier as u8, event.min(5) as u8) <= (age, turn) {
                    pile.push(packet.removed(event));
                }
            }
        }
    }
    pile
}

#[test]
fn drawn_states_agree_with_what_was_seen() {
    for rules in variants() {
        for game in 0..games_per_variant(20) {
            let rng = &mut Rng::seeded(game);
            play(&rules, 100 + game, 0.25 * (game % 4) as f64, |state, _| {
                let seat = rng.below(state.players() as u32) as usize;
                if state.phase == Phase::Boards {
                    return;
                }
                let drawn = rules.determinize(state, Player(seat as u8), rng);
                assert_eq!(seen(&drawn, seat), seen(state, seat));
                cards_are_the_same(&rules, state, &drawn);
                // Another truth with the same knowledge leads to the same draws.
                let again = rules.determinize(state, Player(seat as u8), &mut Rng::seeded(game));
                let other = rules.determinize(&drawn, Player(seat as u8), &mut Rng::seeded(game));
                assert_eq!(hidden_part(&again), hidden_part(&other));
            });
        }
    }
}

fn hidden_part(state: &State) -> (Vec<[u8; 7]>, u16) {
    let hand = usize::from(state.hand_size);
    let sorted = |packet: &ludex_games::seven_wonders::state::Packet| {
        let mut cards = packet.cards;
        cards[..hand].sort_unstable();
        cards
    };
    let current = usize::from(state.age.min(2));
    (state.packets[current].iter().map(sorted).collect(), state.absent_guilds)
}

fn cards_are_the_same(rules: &SevenWonders, a: &State, b: &State) {
    let guilds = rules.components().guilds();
    let all = |state: &State| {
        let absent = (0..guilds.len()).filter(|i| state.absent_guilds >> i & 1 == 1);
        let mut cards: Vec<u8> = absent.map(|i| guilds[i]).collect();
        cards.extend(state.packets.iter().flatten().flat_map(|packet| packet.cards));
        cards.sort_unstable();
        cards
    };
    assert_eq!(all(a), all(b));
}

/// A layout without the order inside hands.
fn layout(state: &State, seat: usize) -> Vec<u8> {
    let mut key = Vec::new();
    for age in 0..=usize::from(state.age) {
        for packet in &state.packets[age][..state.players()] {
            let hand = PACKET - state.events(age);
            let mut cards = packet.cards;
            cards[..hand].sort_unstable();
            key.extend(cards);
        }
    }
    for look in &state.looks[..usize::from(state.look_count)] {
        key.extend(look.taken.map_or([9; 3], |p| [p.age, p.packet, p.event]));
    }
    key.extend(state.absent_guilds.to_le_bytes());
    key.push(seat as u8);
    key
}

/// Counts the layouts of the current age that agree with what a seat has seen, by trying card after
/// card on place after place. Three players: no two cards of an age are alike.
struct Counter<'a> {
    state: &'a State,
    seat: usize,
    wanted: Seen,
    slots: Vec<(usize, usize)>,
    found: std::collections::BTreeSet<Vec<u8>>,
}

impl Counter<'_> {
    fn count(state: &State, seat: usize, guilds: &[u8], most: usize) -> Option<usize> {
        let age = usize::from(state.age);
        let mut slots = Vec::new();
        for k in 0..state.players() {
            for position in 0..PACKET {
                let event = PACKET - 1 - position;
                let removed = event < state.events(age);
                let packet = &state.packets[age][k];
                let known = if removed {
                    packet.hidden >> event & 1 == 0 || state.holder(age, event.min(5), k) == seat
                } else {
                    state.packet_at(age, usize::from(state.turn), seat) == k
                };
                if !known {
                    slots.push((k, position));
                }
            }
        }
        let mut cards: Vec<u8> =
            slots.iter().map(|&(k, position)| state.packets[age][k].cards[position]).collect();
        if age == 2 {
            let absent = (0..guilds.len()).filter(|i| state.absent_guilds >> i & 1 == 1);
            cards.extend(absent.map(|i| guilds[i]));
        }
        let mut counter =
            Counter { state, seat, wanted: seen(state, seat), slots, found: Default::default() };
        let mut trial = *state;
        counter.search(0, &mut cards, &mut trial, guilds, most);
        (counter.found.len() <= most).then_some(counter.found.len())
    }

    fn search(
        &mut self,
        at: usize,
        cards: &mut Vec<u8>,
        trial: &mut State,
        guilds: &[u8],
        most: usize,
    ) {
        let age = usize::from(self.state.age);
        if self.found.len() > most {
            return;
        }
        let Some(&(k, position)) = self.slots.get(at) else {
            // Whatever is left over is not in the game, so it must be guilds.
            let Some(absent) = cards
                .iter()
                .map(|card| guilds.iter().position(|guild| guild == card))
                .collect::<Option<Vec<usize>>>()
            else {
                return;
            };
            if age == 2 {
                trial.absent_guilds = absent.iter().fold(0, |set, guild| set | 1 << guild);
            }
            if seen(trial, self.seat) == self.wanted {
                self.found.insert(layout(trial, self.seat));
            }
            return;
        };
        for index in 0..cards.len() {
            let card = cards[index];
            if self.contradicts(k, position, card) {
                continue;
            }
            // Hands have no order: keep them sorted as they are filled.
            let in_hand = PACKET - 1 - position >= self.state.events(age);
            if in_hand && position > 0 && trial.packets[age][k].cards[position - 1] > card {
                continue;
            }
            cards.remove(index);
            trial.packets[age][k].cards[position] = card;
            self.search(at + 1, cards, trial, guilds, most);
            cards.insert(index, card);
        }
    }

    /// Whether the seat saw this packet with the card when it was not there, or without it when it was.
    fn contradicts(&self, k: usize, position: usize, card: u8) -> bool {
        let (age, state) = (usize::from(self.state.age), self.state);
        let event = PACKET - 1 - position;
        let left_on = if event < state.events(age) { event } else { usize::MAX };
        (0..=usize::from(state.turn)).any(|turn| {
            state.holder(age, turn, k) == self.seat && {
                let hand = &state.packets[age][k].cards[..PACKET - turn];
                hand.contains(&card) != (left_on >= turn)
            }
        })
    }
}

#[test]
fn draws_are_uniform() {
    let mut tried = [0; 3];
    for seed in 0..400 {
        let sides = [Sides::A, Sides::B][seed as usize % 2];
        let rules = SevenWonders::new(3, sides, Payments::Cheapest);
        let guilds = rules.components().guilds();
        play(&rules, seed, 0.97, |state, _| {
            let age = usize::from(state.age);
            // Earlier ages multiply the layouts; they are looked at by the test above.
            let pile_is_old = state.look_count > 0 || state.phase == Phase::Pick;
            let halikarnassos = rules.components().board_named("Halikarnassos").unwrap() as u8;
            let with_pile = state.cities[..3].iter().any(|city| city.board == halikarnassos);
            let plain = state.phase == Phase::Play && !pile_is_old && (age == 0 || !with_pile);
            if !plain || state.turn < 3 || tried[age] >= 4 {
                return;
            }
            let seat = seed as usize % 3;
            let Some(layouts) = Counter::count(state, seat, &guilds, 400) else { return };
            if layouts < 4 {
                return;
            }
            tried[age] += 1;
            check_uniform(&rules, state, seat, layouts, seed);
        });
    }
    assert!(tried.iter().all(|&count| count > 0), "{tried:?}");
}

fn check_uniform(rules: &SevenWonders, state: &State, seat: usize, layouts: usize, seed: u64) {
    let rng = &mut Rng::seeded(seed);
    let mut counts: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    let each = 40.0;
    for _ in 0..layouts * each as usize {
        let drawn = rules.determinize(state, Player(seat as u8), rng);
        *counts.entry(layout(&drawn, seat)).or_default() += 1;
    }
    assert_eq!(counts.len(), layouts, "every layout and no other is drawn");
    let chi: f64 = counts.values().map(|&n| (f64::from(n) - each).powi(2) / each).sum();
    let freedom = layouts as f64 - 1.0;
    assert!(chi < freedom + 4.5 * (2.0 * freedom).sqrt() + 6.0, "{chi} with {layouts} layouts");
}
