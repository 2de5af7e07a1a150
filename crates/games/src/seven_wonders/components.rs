//! What is in the box: cards, boards and constants, in the form the rules compute with.

use super::demand::Demand;

/// Index of a kind of card in [`Components::cards`] (copies of one card share it).
pub type CardId = u8;

/// A set of kinds of cards, one bit each.
pub type CardSet = u128;

/// The most players a game may have, and so the most cities in a state.
pub const MAX_PLAYERS: usize = 7;

/// Letters of the seven resources: four raw materials, then three manufactured goods.
pub const RESOURCE_LETTERS: [char; 7] = ['W', 'S', 'C', 'O', 'G', 'L', 'P'];

/// How many of [`RESOURCE_LETTERS`] are raw materials.
pub const RAW_KINDS: usize = 4;

/// The colour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Colour {
    /// Raw materials.
    Brown,
    /// Manufactured goods.
    Grey,
    /// Civil structures.
    Blue,
    /// Trade.
    Yellow,
    /// Military.
    Red,
    /// Science.
    Green,
    /// Guilds.
    Purple,
}

impl Colour {
    /// All colours, in the order of their discriminants.
    pub const ALL: [Colour; 7] = [
        Colour::Brown,
        Colour::Grey,
        Colour::Blue,
        Colour::Yellow,
        Colour::Red,
        Colour::Green,
        Colour::Purple,
    ];

    /// The word used in data files and on the table.
    pub fn word(self) -> &'static str {
        ["brown", "grey", "blue", "yellow", "red", "green", "purple"][self as usize]
    }
}

/// A science symbol; `Any` is chosen when the game is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Symbol {
    /// Compass.
    Compass,
    /// Gear.
    Gear,
    /// Tablet.
    Tablet,
    /// Whichever is worth most.
    Any,
}

/// Things that some effects count: the seven colours, then these.
pub const COUNTED_STAGE: usize = 7;
/// Military defeat tokens, as a counted thing.
pub const COUNTED_DEFEAT: usize = 8;

/// "`each` for every counted thing in the own city, the neighbours, or both".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerCount {
    /// Coins or points for each counted thing.
    pub each: u8,
    /// Bits of colours, [`COUNTED_STAGE`] and [`COUNTED_DEFEAT`].
    pub counted: u16,
    /// Whether the own city counts.
    pub own: bool,
    /// Whether the two neighbours count.
    pub neighbours: bool,
}

/// Raw materials from the left neighbour cost one coin.
pub const DISCOUNT_RAW_LEFT: u8 = 1;
/// Raw materials from the right neighbour cost one coin.
pub const DISCOUNT_RAW_RIGHT: u8 = 2;
/// Manufactured goods from both neighbours cost one coin.
pub const DISCOUNT_GOODS: u8 = 4;

/// Once per age, build one structure for nothing.
pub const POWER_FREE_BUILD: u8 = 1;
/// When built, build one card of the discard pile for nothing.
pub const POWER_FROM_DISCARD: u8 = 2;
/// Play the last card of each age instead of discarding it.
pub const POWER_SEVENTH_CARD: u8 = 4;
/// When scored, copy a neighbour's guild.
pub const POWER_COPY_GUILD: u8 = 8;

/// What a structure or a wonder stage does.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Effects {
    /// Capacity to pay that it adds.
    pub produces: Demand,
    /// The kinds of resources it can give, one bit each.
    pub kinds: u8,
    /// Whether it gives one of those kinds, not all of them.
    pub choice: bool,
    /// Shields.
    pub shields: u8,
    /// Points at the end.
    pub points: u8,
    /// Coins, once.
    pub coins: u8,
    /// Science symbol.
    pub science: Option<Symbol>,
    /// Coins for counted things, once.
    pub coins_per: Option<PerCount>,
    /// Points for counted things, at the end.
    pub points_per: Option<PerCount>,
    /// Bits `DISCOUNT_*`.
    pub discounts: u8,
    /// Bits `POWER_*`.
    pub powers: u8,
}

/// What must be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cost {
    /// Coins to the bank.
    pub coins: u8,
    /// Resources, by kind.
    pub resources: [u8; 7],
    /// The same as a demand.
    pub demand: Demand,
}

/// One kind of card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Printed name; a city never has two structures of one name.
    pub name: String,
    /// 1, 2 or 3.
    pub age: u8,
    /// Colour.
    pub colour: Colour,
    /// The smallest number of players of each printed copy; empty for guilds.
    pub copies: Vec<u8>,
    /// Price.
    pub cost: Cost,
    /// Every card of this name, itself included.
    pub same_name: CardSet,
    /// Structures that make this one free.
    pub free_after: CardSet,
    /// What it does.
    pub effects: Effects,
}

/// One stage of a wonder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Price.
    pub cost: Cost,
    /// What it does.
    pub effects: Effects,
}

/// One board with its two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Name of the city.
    pub name: String,
    /// Name of its wonder.
    pub wonder: String,
    /// What the city produces from the start.
    pub produces: Demand,
    /// The same as a set of kinds.
    pub kinds: u8,
    /// Stages of sides A and B, in building order.
    pub sides: [Vec<Stage>; 2],
}

/// Numbers of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Cards dealt to each player in each age (7, the most a hand can hold).
    pub hand: u8,
    /// Coins at the start.
    pub starting_coins: u8,
    /// Coins for a discarded card.
    pub coins_for_discard: u8,
    /// Price of one resource without a discount.
    pub trade_price: u8,
    /// Coins that make a point at the end.
    pub coins_per_point: u8,
    /// Points of a military victory in each age.
    pub victory_points: [u8; 3],
    /// Points for each set of three different symbols.
    pub science_set: u8,
    /// Guilds in the deck, beyond the number of players.
    pub guilds_beyond_players: u8,
}

/// Everything in the box, checked: indices are valid, decks have the right size for 3 to 7 players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Numbers of the rules.
    pub constants: Constants,
    /// Kinds of cards, by age and colour.
    pub cards: Vec<Card>,
    /// Boards.
    pub boards: Vec<Board>,
}

impl Components {
    /// The cards of an age with `players` players, one entry per copy, without guilds.
    pub fn deck(&self, age: u8, players: usize) -> Vec<CardId> {
        let of_age = (0u8..).zip(&self.cards).filter(|(_, card)| card.age == age);
        of_age
            .flat_map(|(id, card)| {
                let used = card.copies.iter().filter(|&&at| usize::from(at) <= players);
                used.map(move |_| id)
            })
            .collect()
    }

    /// All guilds.
    pub fn guilds(&self) -> Vec<CardId> {
        let ids = (0u8..).zip(&self.cards);
        ids.filter(|(_, card)| card.colour == Colour::Purple).map(|(id, _)| id).collect()
    }

    /// Finds a board by name, whatever the case of its letters.
    pub fn board_named(&self, name: &str) -> Option<usize> {
        let same = |board: &Board| board.name.eq_ignore_ascii_case(name);
        self.boards.iter().position(same)
    }
}
