//! Scoring and paying done again, the slow and obvious way.

use ludex_games::seven_wonders::SevenWonders;
use ludex_games::seven_wonders::components::*;
use ludex_games::seven_wonders::state::State;

/// The structures of a city, by card.
pub fn structures<'a>(rules: &'a SevenWonders, state: &State, seat: usize) -> Vec<&'a Card> {
    let cards = &rules.components().cards;
    let built = state.cities[seat].built;
    (0..cards.len()).filter(|id| built & (1 << id) != 0).map(|id| &cards[id]).collect()
}

/// The stages a city has built.
pub fn stages<'a>(rules: &'a SevenWonders, state: &State, seat: usize) -> &'a [Stage] {
    let city = &state.cities[seat];
    let board = &rules.components().boards[city.board as usize];
    &board.sides[city.side as usize][..city.stages() as usize]
}

fn count(rules: &SevenWonders, state: &State, seat: usize, what: u16) -> i16 {
    let colours = structures(rules, state, seat)
        .iter()
        .filter(|card| what & (1 << card.colour as u16) != 0)
        .count();
    let built = if what & 1 << COUNTED_STAGE != 0 { stages(rules, state, seat).len() } else { 0 };
    let lost = if what & 1 << COUNTED_DEFEAT != 0 { state.cities[seat].defeats() } else { 0 };
    (colours + built) as i16 + i16::from(lost)
}

/// What an effect is worth to a seat.
pub fn worth(rules: &SevenWonders, state: &State, seat: usize, per: &PerCount) -> i16 {
    let players = state.players();
    let mut total = 0;
    for other in 0..players {
        let own = other == seat;
        let next = other == (seat + 1) % players || seat == (other + 1) % players;
        if own && per.own || next && !own && per.neighbours {
            total += count(rules, state, other, per.counted);
        }
    }
    total * i16::from(per.each)
}

fn science(rules: &SevenWonders, symbols: &[Symbol], chosen: [i16; 3]) -> i16 {
    if let Some((first, rest)) = symbols.split_first() {
        let with = |kind: usize| {
            let mut more = chosen;
            more[kind] += 1;
            science(rules, rest, more)
        };
        return match first {
            Symbol::Any => (0..3).map(with).max().unwrap(),
            known => with(*known as usize),
        };
    }
    let sets = *chosen.iter().min().unwrap();
    let squares: i16 = chosen.iter().map(|n| n * n).sum();
    squares + sets * i16::from(rules.components().constants.science_set)
}

/// Points by category, in the order of the score sheet.
pub fn sheet(rules: &SevenWonders, state: &State, seat: usize) -> [i16; 7] {
    let city = &state.cities[seat];
    let cards = structures(rules, state, seat);
    let stages = stages(rules, state, seat);
    let effects = || cards.iter().map(|c| &c.effects).chain(stages.iter().map(|s| &s.effects));
    let symbols: Vec<Symbol> = effects().filter_map(|effects| effects.science).collect();
    let per = |purple: bool| -> i16 {
        let of = cards.iter().filter(|card| (card.colour == Colour::Purple) == purple);
        of.filter_map(|card| card.effects.points_per.as_ref())
            .map(|per| worth(rules, state, seat, per))
            .sum()
    };
    let mut science_points = science(rules, &symbols, [0; 3]);
    let mut guilds = per(true);
    if stages.iter().any(|stage| stage.effects.powers & POWER_COPY_GUILD != 0) {
        let (before, base) = (science_points, guilds);
        let mut best = (0, 0);
        let players = state.players();
        for other in [(seat + 1) % players, (seat + players - 1) % players] {
            for card in structures(rules, state, other) {
                if card.colour != Colour::Purple {
                    continue;
                }
                let points = card.effects.points_per.map_or(0, |p| worth(rules, state, seat, &p));
                let with: Vec<Symbol> =
                    symbols.iter().copied().chain(card.effects.science).collect();
                let gained = science(rules, &with, [0; 3]) - before;
                // Of equally good copies, the one worth points itself is written down.
                if (points + gained, points) > best {
                    best = (points + gained, points);
                    (science_points, guilds) = (before + gained, base + points);
                }
            }
        }
    }
    [
        i16::from(city.victory_points) - i16::from(city.defeats()),
        (city.coins / 3) as i16,
        stages.iter().map(|stage| i16::from(stage.effects.points)).sum(),
        cards.iter().map(|card| i16::from(card.effects.points)).sum(),
        science_points,
        per(false),
        guilds,
    ]
}

/// A producer: the kinds it can give one unit of, and where it stands (0 own, 1 left, 2 right).
type Producer = (u8, usize);

fn producers_of(effects: &Effects, place: usize, out: &mut Vec<Producer>) {
    if effects.choice {
        out.push((effects.kinds, place));
    } else {
        for kind in 0..7 {
            let units = effects.produces.units(kind);
            out.extend((0..units).map(|_| (1 << kind, place)));
        }
    }
}

/// Every producer that a seat can use.
fn producers(rules: &SevenWonders, state: &State, seat: usize) -> Vec<Producer> {
    let players = state.players();
    let mut all = Vec::new();
    for (place, at) in
        [seat, (seat + 1) % players, (seat + players - 1) % players].into_iter().enumerate()
    {
        let board = &rules.components().boards[state.cities[at].board as usize];
        all.push((board.kinds, place));
        for card in structures(rules, state, at) {
            if place == 0 || matches!(card.colour, Colour::Brown | Colour::Grey) {
                producers_of(&card.effects, place, &mut all);
            }
        }
        if place == 0 {
            stages(rules, state, at).iter().for_each(|s| producers_of(&s.effects, 0, &mut all));
        }
    }
    all
}

/// The least coins for the neighbours that pay a cost, by trying every assignment.
pub fn least_coins(rules: &SevenWonders, state: &State, seat: usize, cost: &Cost) -> Option<u16> {
    let mut discounts = 0;
    for card in structures(rules, state, seat) {
        discounts |= card.effects.discounts;
    }
    for stage in stages(rules, state, seat) {
        discounts |= stage.effects.discounts;
    }
    let price = |kind: usize, place: usize| -> u16 {
        let flag = match (kind < RAW_KINDS, place) {
            (_, 0) => return 0,
            (true, 1) => DISCOUNT_RAW_LEFT,
            (true, _) => DISCOUNT_RAW_RIGHT,
            (false, _) => DISCOUNT_GOODS,
        };
        if discounts & flag != 0 { 1 } else { 2 }
    };
    let mut units = Vec::new();
    for kind in 0..7 {
        units.extend((0..cost.resources[kind]).map(|_| kind));
    }
    let producers = producers(rules, state, seat);
    let mut used = vec![false; producers.len()];
    assign(&units, &producers, &mut used, &price, 0)
}

fn assign(
    units: &[usize],
    producers: &[Producer],
    used: &mut [bool],
    price: &dyn Fn(usize, usize) -> u16,
    from: usize,
) -> Option<u16> {
    let Some(&kind) = units.first() else { return Some(0) };
    let mut best = None;
    let mut tried: Vec<Producer> = Vec::new();
    for at in from..producers.len() {
        let (kinds, place) = producers[at];
        // Two unused producers that are alike need not both be tried.
        if used[at] || kinds >> kind & 1 == 0 || tried.contains(&producers[at]) {
            continue;
        }
        tried.push(producers[at]);
        used[at] = true;
        if let Some(rest) = assign(&units[1..], producers, used, price, 0) {
            let total = rest + price(kind, place);
            best = Some(best.map_or(total, |least: u16| least.min(total)));
        }
        used[at] = false;
    }
    best
}
