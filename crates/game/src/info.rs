//! What is known of a game before it is played.

use std::fmt;

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// The word that people and files use.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

words! {
    /// The language the rules of a game were written in.
    Language {
        /// Rust.
        Rust = "rust",
        /// Ludemes.
        Lud = "lud",
        /// The game description language of general game playing.
        Gdl = "gdl",
    }
}

words! {
    /// How uniform playouts find their moves.
    PlayoutKind {
        /// Every legal move is listed and one drawn.
        Listing = "listing",
        /// Sets of moves are counted and one is picked.
        CountAndPick = "count-and-pick",
        /// Any empty site is picked.
        AddToEmpty = "add-to-empty",
        /// Conditions on the position after a move are tried for the one that is drawn.
        Filter = "filter",
        /// Whether a position comes back is asked for the move that is drawn.
        NoRepetition = "no-repetition",
        /// What a move costs is worked out for the one that is drawn.
        DrawAndCheck = "draw-and-check",
        /// A propositional network has all legal moves at once.
        Network = "network",
        /// Legal moves are proved from the rules.
        Datalog = "datalog",
    }
}

words! {
    /// What plays a game.
    Machine {
        /// A game written in Rust plays itself.
        Rust = "rust",
        /// The evaluator of ludemes, which knows them all.
        General = "general",
        /// Sets of sites and families of moves.
        Families = "families",
        /// Families of two colours in a few words.
        Swift = "swift",
        /// Stones that are placed and stay.
        Stones = "stones",
        /// Chains that are taken, or may not be made, without liberties.
        Liberties = "liberties",
        /// Sowing.
        Seeds = "seeds",
        /// A propositional network.
        Network = "network",
        /// Proofs from the rules.
        Datalog = "datalog",
    }
}

/// What is known of a game before it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name people and files use.
    pub name: String,
    /// The language the rules were written in.
    pub language: Language,
    /// How many play, one to [`PlayerSet::CAPACITY`](crate::PlayerSet::CAPACITY).
    pub players: usize,
    /// The board in words, `8x8 square`; empty for games without one.
    pub board: String,
    /// What a state stores, one channel an item.
    pub channels: Vec<String>,
    /// How playouts run.
    pub playout: PlayoutKind,
    /// Why playouts run so, in a sentence.
    pub playout_reason: String,
    /// What plays the game.
    pub machine: Machine,
    /// Why no faster machine plays it, in words; empty where one does.
    pub refusal: String,
    /// Whether some players cannot see the whole state.
    pub hidden: bool,
    /// A playout longer than this is abandoned as a tie.
    pub max_plies: u32,
}

impl GameInfo {
    /// Information about a Rust game with nothing special about it; set the other fields as needed.
    pub fn named(name: impl Into<String>, players: usize) -> Self {
        GameInfo {
            name: name.into(),
            language: Language::Rust,
            players,
            board: String::new(),
            channels: Vec::new(),
            playout: PlayoutKind::Listing,
            playout_reason: "every legal move is listed and one is drawn".to_string(),
            machine: Machine::Rust,
            refusal: String::new(),
            hidden: false,
            max_plies: 10_000,
        }
    }
}
