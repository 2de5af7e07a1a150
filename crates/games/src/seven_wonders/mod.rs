//! 7 Wonders: the base game, first edition, for three to seven players.
//!
//! One idea a file: `components` (what is in the box) read by `reader`; `demand` (can it be paid);
//! `city`, `state` (a position); `legal` and `turn` (the rules); `score`; `knowledge` (what a player
//! knows); `text` and `show` (what people see); `attributes` and `rule_ai` (what programs use).

pub mod action;
mod attributes;
pub mod city;
pub mod components;
pub mod demand;
mod knowledge;
mod legal;
mod reader;
pub mod rule_ai;
mod rules;
pub mod score;
mod show;
pub mod state;
mod text;
mod turn;

use std::str::FromStr;

use ludex_game::{GameInfo, PlayoutKind};
pub use reader::{Fault, read};

use crate::GamesError;
use components::{CardId, Components, MAX_PLAYERS};
use score::{Scoring, Sheet};
use state::State;

/// The components that come with the program.
pub const COMPONENTS: &str = include_str!("components.toml");

/// Which sides of the boards are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sides {
    /// Everybody plays side A.
    #[default]
    A,
    /// Everybody plays side B.
    B,
    /// Each city's side is drawn.
    Mixed,
}

impl Sides {
    fn allow(self, side: usize) -> bool {
        self == Sides::Mixed || self as usize == side
    }
}

impl FromStr for Sides {
    type Err = GamesError;

    fn from_str(text: &str) -> Result<Self, GamesError> {
        match text.to_ascii_lowercase().as_str() {
            "a" => Ok(Sides::A),
            "b" => Ok(Sides::B),
            "mixed" => Ok(Sides::Mixed),
            _ => Err(GamesError::UnknownValue {
                option: "sides",
                given: text.to_string(),
                known: "A, B or mixed",
            }),
        }
    }
}

/// Which ways to pay are listed as moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Payments {
    /// The cheapest; ties go to the left and to the right in turn. Others may still be named in text.
    #[default]
    Cheapest,
    /// Every way that is not worse than another for both neighbours.
    All,
}

impl FromStr for Payments {
    type Err = GamesError;

    fn from_str(text: &str) -> Result<Self, GamesError> {
        match text.to_ascii_lowercase().as_str() {
            "cheapest" => Ok(Payments::Cheapest),
            "all" => Ok(Payments::All),
            _ => Err(GamesError::UnknownValue {
                option: "payments",
                given: text.to_string(),
                known: "cheapest or all",
            }),
        }
    }
}

/// The rules for some number of players.
pub struct SevenWonders {
    components: Components,
    scoring: Scoring,
    counted: attributes::Counted,
    /// Cards of each age without guilds.
    decks: [Vec<CardId>; 3],
    guilds: Vec<CardId>,
    /// Whether some deck has two copies of a card.
    has_twins: bool,
    players: usize,
    sides: Sides,
    payments: Payments,
    info: GameInfo,
    attribute_names: Vec<String>,
}

impl SevenWonders {
    /// The game with the components that come with the program; 3 to 7 players, others are brought
    /// into that range.
    pub fn new(players: usize, sides: Sides, payments: Payments) -> SevenWonders {
        let components = read(COMPONENTS).expect("a test reads the components that come with us");
        Self::with_components(components, players, sides, payments)
    }

    /// The game with other components.
    pub fn with_components(
        components: Components,
        players: usize,
        sides: Sides,
        payments: Payments,
    ) -> SevenWonders {
        let players = players.clamp(3, MAX_PLAYERS);
        let used = |card: &components::Card| {
            card.copies.iter().filter(|&&from| usize::from(from) <= players).count()
        };
        let has_twins = components.cards.iter().any(|card| used(card) > 1);
        SevenWonders {
            scoring: Scoring::new(&components),
            counted: attributes::Counted::new(&components, players),
            decks: [1, 2, 3].map(|age| components.deck(age, players)),
            guilds: components.guilds(),
            has_twins,
            players,
            sides,
            payments,
            info: GameInfo {
                board: "seven boards, 3 to 7 cities".to_string(),
                channels: ["cities", "packets", "discard pile"].map(str::to_string).to_vec(),
                playout: PlayoutKind::DrawAndCheck,
                playout_reason: "couples of card and way are drawn until one can be paid, by \
                                 Hall's theorem; only that one's payment is settled"
                    .to_string(),
                hidden: true,
                max_plies: 64,
                ..GameInfo::named("7-wonders", players)
            },
            attribute_names: attributes::NAMES.map(str::to_string).to_vec(),
            components,
        }
    }

    /// What is in the box.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// A city's score sheet as if the game ended now.
    pub fn sheet(&self, state: &State, seat: usize) -> Sheet {
        let (left, right) = (state.left(seat), state.right(seat));
        self.scoring.sheet(&state.cities[seat], &state.cities[left], &state.cities[right])
    }
}
