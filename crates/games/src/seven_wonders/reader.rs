//! A components file, read and checked: every fault names its place in the text.

use std::collections::BTreeMap;
use std::ops::Range;

use ludex_game::closest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::components::*;
use super::demand::Demand;

type Checked<T> = Result<T, Box<Fault>>;
type Value<'a> = Spanned<DeValue<'a>>;

/// What is wrong with a components file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// One sentence, no full stop.
    pub message: String,
    /// The bytes of the text that have the fault.
    pub at: Range<usize>,
    /// What to say at that place; may be empty.
    pub label: String,
    /// What to do about it, or what was probably meant.
    pub help: Option<String>,
}

impl Fault {
    fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Reads a components file.
pub fn read(text: &str) -> Result<Components, Box<Fault>> {
    let parsed = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        fault(error.message().to_string(), at)
    })?;
    let whole = Fields::of(parsed.get_ref(), 0..text.len().min(1));
    let constants = constants(&whole.table("constants")?)?;
    let mut draft = Draft::default();
    for age in 1..=3u8 {
        draft.age(age, &whole.table(&format!("age-{age}"))?)?;
    }
    let headings = draft.headings;
    let cards = chained(draft.cards)?;
    let boards = boards(&whole.table("board")?)?;
    whole.nothing_else()?;
    let components = Components { constants, cards, boards };
    deck_sizes(&components, &headings)?;
    Ok(components)
}

fn fault(message: impl Into<String>, at: Range<usize>) -> Box<Fault> {
    Box::new(Fault { message: message.into(), at, label: String::new(), help: None })
}

/// The fields of one table; remembers which were asked for, so that the rest can be refused.
struct Fields<'a> {
    table: &'a DeTable<'a>,
    at: Range<usize>,
    asked: std::cell::RefCell<Vec<String>>,
}

impl<'a> Fields<'a> {
    fn of(table: &'a DeTable<'a>, at: Range<usize>) -> Self {
        let asked = Default::default();
        Fields { table, at, asked }
    }

    fn from_value(value: &'a Value<'a>) -> Checked<Self> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(Fields::of(table, value.span())),
            other => Err(expected("a table", other, value.span())),
        }
    }

    fn optional(&self, key: &str) -> Option<&'a Value<'a>> {
        self.asked.borrow_mut().push(key.to_string());
        let entry = self.table.iter().find(|(name, _)| name.get_ref() == key);
        entry.map(|(_, value)| value)
    }

    fn required(&self, key: &str) -> Checked<&'a Value<'a>> {
        self.optional(key).ok_or_else(|| fault(format!("`{key}` is missing"), self.at.clone()))
    }

    fn table(&self, key: &str) -> Checked<Fields<'a>> {
        Fields::from_value(self.required(key)?)
    }

    fn small(&self, key: &str) -> Checked<u8> {
        small(self.required(key)?)
    }

    fn small_or_zero(&self, key: &str) -> Checked<u8> {
        self.optional(key).map_or(Ok(0), small)
    }

    /// Entries in the order of the text.
    fn entries(&self) -> Vec<(&'a str, Range<usize>, &'a Value<'a>)> {
        let entry = |(name, value): (&'a Spanned<_>, &'a Value<'a>)| {
            let name: &'a Spanned<std::borrow::Cow<'a, str>> = name;
            (name.get_ref().as_ref(), name.span(), value)
        };
        let mut all: Vec<_> = self.table.iter().map(entry).collect();
        all.sort_by_key(|(_, at, _)| at.start);
        all
    }

    fn nothing_else(&self) -> Checked<()> {
        let asked = self.asked.borrow();
        let known = |name: &str| asked.iter().any(|key| key == name);
        match self.entries().into_iter().find(|(name, ..)| !known(name)) {
            None => Ok(()),
            Some((name, at, _)) => {
                let message = format!("`{name}` is not a field that belongs here");
                let help = format!("known here: {}", asked.join(", "));
                Err(Box::new(fault(message, at).help(help)))
            }
        }
    }
}

fn expected(what: &str, found: &DeValue<'_>, at: Range<usize>) -> Box<Fault> {
    fault(format!("expected {what}, found {}", found.type_str()), at)
}

/// A whole number from 0 to 99: nothing in the box is larger.
fn small(value: &Value<'_>) -> Checked<u8> {
    let DeValue::Integer(number) = value.get_ref() else {
        return Err(expected("a whole number", value.get_ref(), value.span()));
    };
    let read = i64::from_str_radix(number.as_str(), number.radix()).ok();
    match read {
        Some(n @ 0..=99) => Ok(n as u8),
        Some(n) if n < 0 => Err(fault("a count cannot be negative", value.span())),
        _ => Err(fault("expected a number from 0 to 99", value.span())),
    }
}

fn text<'a>(value: &'a Value<'a>) -> Checked<&'a str> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.as_ref()),
        other => Err(expected("a string", other, value.span())),
    }
}

fn list<'a>(value: &'a Value<'a>) -> Checked<&'a [Value<'a>]> {
    match value.get_ref() {
        DeValue::Array(items) => Ok(items),
        other => Err(expected("a list", other, value.span())),
    }
}

/// One of a few words, as its index; a near miss is suggested.
fn word(value: &Value<'_>, words: &[&str]) -> Checked<usize> {
    let given = text(value)?;
    if let Some(index) = words.iter().position(|word| *word == given) {
        return Ok(index);
    }
    let found = fault(format!("`{given}` is not known here"), value.span());
    Err(Box::new(found.help(format!("one of {}", words.join(", ")))))
}

fn constants(fields: &Fields<'_>) -> Checked<Constants> {
    let points = fields.required("victory-points")?;
    let items = list(points)?;
    let Ok(by_age) = <&[Value<'_>; 3]>::try_from(items) else {
        return Err(fault("expected three numbers, one per age", points.span()));
    };
    let hand = fields.required("hand")?;
    if small(hand)? != 7 {
        return Err(fault("hands of other sizes than 7 are not supported", hand.span()));
    }
    let per_point = fields.required("coins-per-point")?;
    if small(per_point)? == 0 {
        return Err(fault("a point costs at least one coin", per_point.span()));
    }
    let read = Constants {
        hand: 7,
        starting_coins: fields.small("starting-coins")?,
        coins_for_discard: fields.small("coins-for-discard")?,
        trade_price: fields.small("trade-price")?,
        coins_per_point: small(per_point)?,
        victory_points: [small(&by_age[0])?, small(&by_age[1])?, small(&by_age[2])?],
        science_set: fields.small("science-set")?,
        guilds_beyond_players: fields.small("guilds-beyond-players")?,
    };
    fields.nothing_else()?;
    Ok(read)
}

/// Names of structures that make a card free, and where they are written.
type Chain = Vec<(String, Range<usize>)>;

/// Cards before their chains are resolved, with where each chain is written.
#[derive(Default)]
struct Draft {
    cards: Vec<(Card, Chain)>,
    headings: [Range<usize>; 3],
}

impl Draft {
    fn age(&mut self, age: u8, fields: &Fields<'_>) -> Checked<()> {
        self.headings[usize::from(age) - 1] = fields.at.clone();
        for colour in Colour::ALL {
            let Some(value) = fields.optional(colour.word()) else {
                continue;
            };
            if colour == Colour::Purple && age != 3 {
                return Err(fault("guilds belong to age 3", value.span()));
            }
            for (name, at, value) in Fields::from_value(value)?.entries() {
                self.card(age, colour, name, at, value)?;
            }
        }
        fields.nothing_else()
    }

    fn card(
        &mut self,
        age: u8,
        colour: Colour,
        name: &str,
        at: Range<usize>,
        value: &Value<'_>,
    ) -> Checked<()> {
        if self.cards.len() == CardSet::BITS as usize {
            return Err(fault("more than 128 kinds of cards", at));
        }
        let fields = Fields::from_value(value)?;
        let copies = match (fields.optional("copies"), colour) {
            (Some(value), Colour::Purple) => {
                return Err(fault("a guild is a single card without `copies`", value.span()));
            }
            (Some(value), _) => copies(value)?,
            (None, Colour::Purple) => Vec::new(),
            (None, _) => return Err(fault(format!("`copies` of {name} is missing"), at)),
        };
        let after = fields.optional("after").map_or(Ok(Vec::new()), chain)?;
        let effects = effects(&fields)?;
        if effects.powers != 0 {
            return Err(fault("only wonder stages have a `power`", at));
        }
        let card = Card {
            name: name.to_string(),
            age,
            colour,
            copies,
            cost: cost(&fields)?,
            same_name: 0,
            free_after: 0,
            effects,
        };
        fields.nothing_else()?;
        self.cards.push((card, after));
        Ok(())
    }
}

fn copies(value: &Value<'_>) -> Checked<Vec<u8>> {
    let mut read = Vec::new();
    for item in list(value)? {
        let players = small(item)?;
        if !(3..=MAX_PLAYERS as u8).contains(&players) {
            return Err(fault("a copy is used from 3 to 7 players on", item.span()));
        }
        read.push(players);
    }
    Ok(read)
}

fn chain(value: &Value<'_>) -> Checked<Chain> {
    let read = |item: &Value<'_>| Ok((text(item)?.to_string(), item.span()));
    list(value)?.iter().map(read).collect()
}

/// Names of chains become sets of cards.
fn chained(drafts: Vec<(Card, Chain)>) -> Checked<Vec<Card>> {
    let mut by_name: BTreeMap<String, CardSet> = BTreeMap::new();
    for (id, (card, _)) in drafts.iter().enumerate() {
        *by_name.entry(card.name.clone()).or_default() |= 1 << id;
    }
    let ages: Vec<u8> = drafts.iter().map(|(card, _)| card.age).collect();
    let mut cards = Vec::with_capacity(drafts.len());
    for (mut card, after) in drafts {
        card.same_name = by_name[&card.name];
        for (name, at) in after {
            let Some(&set) = by_name.get(&name) else {
                return Err(unknown_card(&name, at, by_name.keys()));
            };
            let earlier = |id: usize| set >> id & 1 == 0 || ages[id] < card.age;
            if !(0..ages.len()).all(earlier) {
                let message = format!("{name} is not of an earlier age than {}", card.name);
                return Err(fault(message, at));
            }
            card.free_after |= set;
        }
        cards.push(card);
    }
    Ok(cards)
}

fn unknown_card<'a>(
    name: &str,
    at: Range<usize>,
    known: impl Iterator<Item = &'a String>,
) -> Box<Fault> {
    let found = fault(format!("there is no card named {name}"), at);
    match closest(name, known.map(String::as_str)) {
        Some(candidate) => Box::new(found.help(format!("did you mean {candidate}?"))),
        None => found,
    }
}

fn cost(fields: &Fields<'_>) -> Checked<Cost> {
    let Some(value) = fields.optional("cost") else {
        return Ok(Cost::default());
    };
    if value.get_ref().is_integer() {
        let coins = small(value)?;
        return Ok(Cost { coins, ..Cost::default() });
    }
    let resources = units(value, text(value)?)?;
    Ok(Cost { coins: 0, resources, demand: Demand::of_units(&resources) })
}

fn units(value: &Value<'_>, letters: &str) -> Checked<[u8; 7]> {
    let mut count = [0; 7];
    for letter in letters.chars() {
        match RESOURCE_LETTERS.iter().position(|known| *known == letter) {
            Some(kind) if count.iter().sum::<u8>() < 9 => count[kind] += 1,
            Some(_) => return Err(fault("more than nine resources", value.span())),
            None => {
                let found = fault(format!("`{letter}` is not a resource"), value.span());
                return Err(Box::new(found.help("resources are W S C O G L P")));
            }
        }
    }
    Ok(count)
}

/// What is produced, and the kinds of it.
fn production(value: &Value<'_>) -> Checked<(Demand, u8)> {
    let written = text(value)?;
    let count = units(value, &written.replace('/', ""))?;
    let kinds = (0..7).fold(0u8, |set, kind| set | u8::from(count[kind] > 0) << kind);
    if kinds == 0 {
        return Err(fault("nothing is produced", value.span()));
    }
    if !written.contains('/') {
        return Ok((Demand::of_units(&count), kinds));
    }
    let mixes = kinds & 0b1111 != 0 && kinds >> RAW_KINDS != 0;
    if mixes || count.iter().any(|&units| units > 1) {
        let message = "a choice is between different raw materials or different goods";
        return Err(fault(message, value.span()));
    }
    Ok((Demand::of_choice(kinds), kinds))
}

fn effects(fields: &Fields<'_>) -> Checked<Effects> {
    let mut read = Effects {
        shields: fields.small_or_zero("shields")?,
        points: fields.small_or_zero("points")?,
        coins: fields.small_or_zero("coins")?,
        coins_per: fields.optional("coins-per").map(per_count).transpose()?,
        points_per: fields.optional("points-per").map(per_count).transpose()?,
        ..Effects::default()
    };
    if let Some(value) = fields.optional("produces") {
        (read.produces, read.kinds) = production(value)?;
        read.choice = text(value)?.contains('/');
    }
    if let Some(value) = fields.optional("science") {
        let index = word(value, &["compass", "gear", "tablet", "any"])?;
        let symbols = [Symbol::Compass, Symbol::Gear, Symbol::Tablet, Symbol::Any];
        read.science = Some(symbols[index]);
    }
    if let Some(value) = fields.optional("discount") {
        read.discounts = discount(value)?;
    }
    if let Some(value) = fields.optional("power") {
        let powers = ["free-build", "build-from-discard", "seventh-card", "copy-guild"];
        read.powers = 1 << word(value, &powers)?;
    }
    Ok(read)
}

fn discount(value: &Value<'_>) -> Checked<u8> {
    let fields = Fields::from_value(value)?;
    let goods = word(fields.required("goods")?, &["raw", "manufactured"])?;
    let from = fields.required("from")?;
    let side = word(from, &["left", "right", "both"])?;
    fields.nothing_else()?;
    match (goods, side) {
        (0, 0) => Ok(DISCOUNT_RAW_LEFT),
        (0, 1) => Ok(DISCOUNT_RAW_RIGHT),
        (0, _) => Ok(DISCOUNT_RAW_LEFT | DISCOUNT_RAW_RIGHT),
        (_, 2) => Ok(DISCOUNT_GOODS),
        _ => Err(fault("goods are discounted from both sides only", from.span())),
    }
}

fn per_count(value: &Value<'_>) -> Checked<PerCount> {
    let fields = Fields::from_value(value)?;
    let mut words: Vec<&str> = Colour::ALL.iter().map(|colour| colour.word()).collect();
    words.extend(["stage", "defeat"]);
    let mut counted = 0;
    for item in list(fields.required("of")?)? {
        counted |= 1 << word(item, &words)?;
    }
    let place = word(fields.required("in")?, &["own", "neighbours", "all"])?;
    let read =
        PerCount { each: fields.small("each")?, counted, own: place != 1, neighbours: place != 0 };
    fields.nothing_else()?;
    Ok(read)
}

fn boards(fields: &Fields<'_>) -> Checked<Vec<Board>> {
    let entries = fields.entries();
    if !(MAX_PLAYERS..=16).contains(&entries.len()) {
        let message = format!("{} boards, expected 7 to 16", entries.len());
        let last = entries.last().map_or(fields.at.clone(), |(_, at, _)| at.clone());
        let found = fault(message, last).label("after this one");
        return Err(Box::new(found.help("seven players need seven boards")));
    }
    let mut read = Vec::new();
    let mut powers = 0;
    for (name, at, value) in entries {
        let board = board(name, value)?;
        let stages = board.sides.iter().flatten();
        let here = stages.fold(0, |set, stage| set | stage.effects.powers);
        if powers & here & (POWER_FROM_DISCARD | POWER_SEVENTH_CARD) != 0 {
            // Two such cities would have to act in some order after a turn; the rules know none.
            return Err(fault("only one board may have this power after a turn", at));
        }
        powers |= here;
        read.push(board);
    }
    Ok(read)
}

fn board(name: &str, value: &Value<'_>) -> Checked<Board> {
    let fields = Fields::from_value(value)?;
    let (produces, kinds) = production(fields.required("produces")?)?;
    let wonder = text(fields.required("wonder")?)?.to_string();
    let sides = [stages(fields.required("A")?)?, stages(fields.required("B")?)?];
    fields.nothing_else()?;
    Ok(Board { name: name.to_string(), wonder, produces, kinds, sides })
}

fn stages(value: &Value<'_>) -> Checked<Vec<Stage>> {
    let items = list(value)?;
    if !(1..=4).contains(&items.len()) {
        return Err(fault("a side has one to four stages", value.span()));
    }
    let stage = |item: &Value<'_>| {
        let fields = Fields::from_value(item)?;
        let read = Stage { cost: cost(&fields)?, effects: effects(&fields)? };
        fields.nothing_else()?;
        Ok(read)
    };
    items.iter().map(stage).collect()
}

/// Every age deals seven cards to each of 3 to 7 players, guilds included.
fn deck_sizes(components: &Components, headings: &[Range<usize>; 3]) -> Checked<()> {
    let guilds = components.guilds().len();
    let beyond = usize::from(components.constants.guilds_beyond_players);
    for (age, heading) in (1..=3u8).zip(headings) {
        for players in 3..=MAX_PLAYERS {
            let plain = components.deck(age, players).len();
            let drawn = if age == 3 { players + beyond } else { 0 };
            if age == 3 && drawn > guilds.min(16) {
                let message = format!("{drawn} guilds are drawn for {players} players of {guilds}");
                return Err(fault(message, heading.clone()));
            }
            let (found, wanted) = (plain + drawn, 7 * players);
            if found != wanted {
                let message =
                    format!("age {age} has {found} cards for {players} players, not {wanted}");
                return Err(fault(message, heading.clone()));
            }
        }
    }
    Ok(())
}
