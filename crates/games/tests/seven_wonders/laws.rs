//! What holds in every position of every game.

use std::collections::HashSet;

use ludex_game::{Course, Move, Player, Rng, Rules, Turn};
use ludex_games::seven_wonders::action::{Action, Way};
use ludex_games::seven_wonders::components::*;
use ludex_games::seven_wonders::state::{Phase, State};
use ludex_games::seven_wonders::{Payments, SevenWonders, Sides};

use super::{games_per_variant, naive, play, variants};

#[test]
fn random_games_keep_the_laws() {
    for rules in variants() {
        for game in 0..games_per_variant(60) {
            let seed = game * 7 + 1;
            let mut before: Option<(State, Vec<Move>)> = None;
            let end = play(&rules, seed, 0.3 * (game % 4) as f64, |state, joint| {
                if let Some((earlier, moves)) = &before {
                    coins_are_accounted_for(&rules, earlier, moves, state);
                }
                position_is_sound(&rules, state);
                before = Some((*state, joint.to_vec()));
            });
            let (earlier, moves) = before.expect("a game has moves");
            coins_are_accounted_for(&rules, &earlier, &moves, &end);
            position_is_sound(&rules, &end);
            payoffs_name_the_winner(&rules, &end);
        }
    }
}

fn position_is_sound(rules: &SevenWonders, state: &State) {
    if state.phase == Phase::Boards {
        return;
    }
    cards_are_conserved(rules, state);
    tokens_balance(rules, state);
    for seat in 0..state.players() {
        let cards = naive::structures(rules, state, seat);
        let names: HashSet<&str> = cards.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(names.len(), cards.len(), "two structures of one name");
        assert_eq!(rules.sheet(state, seat).categories(), naive::sheet(rules, state, seat));
    }
}

/// Every copy of the deck is in exactly one packet, and what was built is what left packets face up.
fn cards_are_conserved(rules: &SevenWonders, state: &State) {
    let components = rules.components();
    let mut built = [0u128; MAX_PLAYERS];
    for age in 0..3 {
        let dealt = age < usize::from(state.age)
            || age == usize::from(state.age) && state.phase != Phase::Deal;
        if !dealt {
            continue;
        }
        let mut expected = components.deck(age as u8 + 1, state.players());
        if age == 2 {
            let guilds = components.guilds();
            let absent = |index: &usize| state.absent_guilds >> index & 1 == 1;
            expected.extend((0..guilds.len()).filter(|i| !absent(i)).map(|i| guilds[i]));
        }
        let packets = &state.packets[age][..state.players()];
        let mut found: Vec<u8> = packets.iter().flat_map(|packet| packet.cards).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        for (k, packet) in packets.iter().enumerate() {
            for event in 0..state.events(age) {
                if packet.hidden >> event & 1 == 0 {
                    built[state.holder(age, event.min(5), k)] |= 1 << packet.removed(event);
                }
            }
        }
    }
    for look in &state.looks[..usize::from(state.look_count)] {
        if let Some(place) = look.taken {
            let packet = &state.packets[usize::from(place.age)][usize::from(place.packet)];
            let looker = (0..state.players())
                .find(|&seat| state.cities[seat].powers & POWER_FROM_DISCARD != 0)
                .expect("somebody looked");
            built[looker] |= 1 << packet.removed(usize::from(place.event));
        }
    }
    for (city, built) in state.cities[..state.players()].iter().zip(built) {
        assert_eq!(city.built, built);
    }
}

fn tokens_balance(rules: &SevenWonders, state: &State) {
    // With one more age fought each time, the number of victories is found from their points.
    let cities = &state.cities[..state.players()];
    let points: u32 = cities.iter().map(|city| u32::from(city.victory_points)).sum();
    let defeats: u32 = cities.iter().map(|city| u32::from(city.defeats())).sum();
    let fought = if state.phase == Phase::Over { 3 } else { usize::from(state.age) };
    let worth = &rules.components().constants.victory_points[..fought];
    let pairs = state.players() as u32;
    let possible = (0..=pairs)
        .flat_map(|a| (0..=pairs).flat_map(move |b| (0..=pairs).map(move |c| [a, b, c])));
    let adds_up = |tokens: [u32; 3]| {
        let by_age = |age: usize| worth.get(age).map_or(0, |&points| u32::from(points));
        let unused = (fought..3).all(|age| tokens[age] == 0);
        let total: u32 = (0..3).map(|age| tokens[age] * by_age(age)).sum();
        unused && total == points && tokens.iter().sum::<u32>() == defeats
    };
    assert!(possible.into_iter().any(adds_up), "{points} points against {defeats} defeats");
}

/// The coins of all cities change by what the bank takes and gives, and by nothing else.
fn coins_are_accounted_for(rules: &SevenWonders, before: &State, joint: &[Move], after: &State) {
    let players = match rules.turn(before) {
        Turn::Players(players) => players,
        _ => {
            if before.phase == Phase::Deal {
                assert_eq!(coins(before), coins(after));
            }
            return;
        }
    };
    let mut expected: Vec<i32> =
        before.cities[..before.players()].iter().map(|city| i32::from(city.coins)).collect();
    for (player, &mv) in players.into_iter().zip(joint) {
        let (seat, action) = (player.index(), Action::of(mv));
        expected[seat] -= i32::from(action.pays.total());
        expected[before.left(seat)] += i32::from(action.pays.left);
        expected[before.right(seat)] += i32::from(action.pays.right);
        expected[seat] += bank(rules, before, after, seat, action);
    }
    let found: Vec<i32> =
        after.cities[..after.players()].iter().map(|city| i32::from(city.coins)).collect();
    assert_eq!(found, expected);
}

fn coins(state: &State) -> u32 {
    state.cities[..state.players()].iter().map(|city| u32::from(city.coins)).sum()
}

/// What the bank gives for an action, less what it takes.
fn bank(rules: &SevenWonders, before: &State, after: &State, seat: usize, action: Action) -> i32 {
    let constants = &rules.components().constants;
    let card = &rules.components().cards[usize::from(action.card)];
    let effects = match action.way {
        Way::Discard => return i32::from(constants.coins_for_discard),
        Way::Decline => return 0,
        Way::Stage => &naive::stages(rules, after, seat).last().expect("a stage was built").effects,
        _ => &card.effects,
    };
    let chained = before.cities[seat].built & card.free_after != 0;
    let price = if action.way == Way::Build && !chained { card.cost.coins } else { 0 };
    // Only the fight at the end of an age changes counted things after coins are paid out.
    let counted = effects.coins_per.map_or(0, |per| naive::worth(rules, after, seat, &per));
    i32::from(effects.coins) + i32::from(counted) - i32::from(price)
}

fn payoffs_name_the_winner(rules: &SevenWonders, end: &State) {
    let mut payoffs = vec![0.0; end.players()];
    rules.payoffs(end, &mut payoffs);
    let standing: Vec<(i16, u16)> = (0..end.players())
        .map(|seat| (naive::sheet(rules, end, seat).iter().sum(), end.cities[seat].coins))
        .collect();
    let best = standing.iter().max().unwrap();
    let winners = standing.iter().filter(|s| *s == best).count();
    for (payoff, standing) in payoffs.iter().zip(&standing) {
        let expected = if standing == best { 1.0 / winners as f32 } else { 0.0 };
        assert_eq!(*payoff, expected);
    }
}

#[test]
fn moves_judged_alike_lead_to_equal_attributes() {
    for rules in variants() {
        for game in 0..games_per_variant(4) {
            play(&rules, game + 5, 0.3, |state, joint| {
                if state.phase == Phase::Play {
                    (0..state.players())
                        .for_each(|seat| keys_are_right(&rules, state, joint, seat));
                }
            });
        }
    }
}

fn keys_are_right(rules: &SevenWonders, state: &State, joint: &[Move], seat: usize) {
    let player = Player(seat as u8);
    let mut moves = Vec::new();
    rules.moves(state, player, &mut moves);
    let numbers = |mv: Move| {
        let mut joint = joint.to_vec();
        joint[seat] = mv;
        let mut after = *state;
        rules.apply(&mut after, &joint);
        let mut numbers = vec![0.0; rules.attributes().len()];
        rules.attribute_values(&after, player, &mut numbers);
        (numbers, rules.mid_turn(&after))
    };
    let key = |mv: Move| rules.attribute_key(state, player, mv);
    for (index, &mv) in moves.iter().enumerate() {
        if let Some(&twin) = moves[..index].iter().find(|&&other| key(other) == key(mv)) {
            assert_eq!(numbers(mv), numbers(twin));
        }
    }
}

#[test]
fn what_can_be_paid_is_what_trying_everything_finds() {
    for rules in variants() {
        for game in 0..games_per_variant(2).min(300) {
            play(&rules, 1000 + game, 0.7, |state, _| {
                if state.phase != Phase::Play || !state.turn.is_multiple_of(2) {
                    return;
                }
                for seat in 0..state.players() {
                    builds_are_right(&rules, state, seat);
                }
            });
        }
    }
}

fn builds_are_right(rules: &SevenWonders, state: &State, seat: usize) {
    let mut moves = Vec::new();
    rules.moves(state, Player(seat as u8), &mut moves);
    let actions: Vec<Action> = moves.iter().map(|&mv| Action::of(mv)).collect();
    let city = &state.cities[seat];
    for &id in state.hand(seat) {
        let card = &rules.components().cards[usize::from(id)];
        let found = actions.iter().find(|a| a.way == Way::Build && a.card == id);
        let least = if city.built & card.free_after != 0 {
            Some(0)
        } else {
            naive::least_coins(rules, state, seat, &card.cost)
                .filter(|least| least + u16::from(card.cost.coins) <= city.coins)
        };
        let allowed = least.filter(|_| city.built & card.same_name == 0);
        assert_eq!(found.map(|a| u16::from(a.pays.total())), allowed, "{}", card.name);
    }
}

#[test]
fn fresh_cities_are_worth_their_coins() {
    for rules in variants() {
        let mut state = rules.start();
        let boards = rules.sample_chance(&state, &mut Rng::seeded(5));
        rules.apply(&mut state, &[boards]);
        for seat in 0..state.players() {
            assert_eq!(rules.sheet(&state, seat).total(), 1);
        }
    }
}

/// The same deals one seat further, with everybody playing as before, give the same results one seat
/// further. (Payments are tied to sides, so they are named in full.)
#[test]
fn seats_are_equal() {
    for players in 3..=7 {
        let rules = SevenWonders::new(players, Sides::Mixed, Payments::All);
        for seed in 0..20 {
            let mut original = Vec::new();
            let end =
                play(&rules, seed, 0.5, |state, joint| original.push((*state, joint.to_vec())));
            let mut turned = rules.start();
            for (state, joint) in &original {
                turned = rotate(state, players);
                let joint = rotate_joint(&rules, state, joint, players);
                rules.apply(&mut turned, &joint);
            }
            for seat in 0..players {
                let there = (seat + 1) % players;
                assert_eq!(rules.sheet(&end, seat), rules.sheet(&turned, there));
            }
        }
    }
}

fn rotate(state: &State, players: usize) -> State {
    let mut turned = *state;
    for seat in 0..players {
        let there = (seat + 1) % players;
        turned.cities[there] = state.cities[seat];
        for age in 0..3 {
            turned.packets[age][there] = state.packets[age][seat];
        }
    }
    turned.actor = (state.actor + 1) % players as u8;
    for look in &mut turned.looks {
        if let Some(place) = &mut look.taken {
            place.packet = (place.packet + 1) % players as u8;
        }
    }
    turned
}

fn rotate_joint(rules: &SevenWonders, state: &State, joint: &[Move], players: usize) -> Vec<Move> {
    match rules.turn(state) {
        Turn::Players(set) if set.len() == players => {
            (0..players).map(|seat| joint[(seat + players - 1) % players]).collect()
        }
        _ => joint.to_vec(),
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let rules = SevenWonders::new(5, Sides::Mixed, Payments::Cheapest);
    let end = |seed| play(&rules, seed, 0.2, |_, _| {});
    assert_eq!(end(3), end(3));
    assert_ne!(rules.hash(&end(3)), rules.hash(&end(4)));
}

#[test]
fn random_moves_are_uniform_and_texts_lead_back() {
    let rules = SevenWonders::new(4, Sides::Mixed, Payments::All);
    let cheap = SevenWonders::new(4, Sides::Mixed, Payments::Cheapest);
    play(&rules, 11, 0.4, |state, joint| {
        let Turn::Players(players) = rules.turn(state) else {
            let text = rules.move_text(state, None, joint[0]);
            assert_eq!(rules.parse_chance(state, &text), Some(joint[0]));
            return;
        };
        for player in players {
            let mut moves = Vec::new();
            rules.moves(state, player, &mut moves);
            for &mv in &moves {
                let text = rules.move_text(state, Some(player), mv);
                assert_eq!(rules.parse_move(state, player, &text), Ok(mv));
            }
            let mut few = Vec::new();
            cheap.moves(state, player, &mut few);
            assert!(few.iter().all(|mv| moves.contains(mv)));
            is_uniform(&cheap, state, player, &few);
        }
    });
}

fn is_uniform(rules: &SevenWonders, state: &State, player: Player, moves: &[Move]) {
    let rng = &mut Rng::seeded(1);
    let mut counts = vec![0u32; moves.len()];
    let mut buffer = Vec::new();
    let each = 60;
    for _ in 0..each * moves.len() {
        let mv = rules.random_move(state, player, rng, &mut buffer);
        counts[moves.iter().position(|&listed| listed == mv).expect("a legal move")] += 1;
    }
    let each = each as f64;
    let chi: f64 = counts.iter().map(|&n| (f64::from(n) - each).powi(2) / each).sum();
    let freedom = moves.len() as f64 - 1.0;
    // Six standard deviations: hundreds of positions are tried.
    assert!(chi < freedom + 6.0 * (2.0 * freedom).sqrt() + 12.0, "{chi} {counts:?}");
}
