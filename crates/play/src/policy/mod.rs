//! Playout policies: what they play by, what they learn from a simulation, what they keep.
//!
//! A policy owns the tables of the sampler it plays by, so that learning writes where the next playout
//! reads. One policy serves one search thread.
//!
//! Each policy is one file: its settings with their text form, its tables, its learning. A new one is a
//! new file and its name in the list at the end of this one.

mod decisive;
mod features;
mod lgr;
mod mast;
mod modified;
mod nppa;
mod nst;
mod ppa;
mod uniform;

use ludex_game::playout::{CodeTable, Record, Recording, Sampling};
use ludex_game::{Coding, Game, GameError, Move, Player, State};

pub use ludex_game::playout::single_winner;

pub use decisive::DecisiveSettings;
pub use features::FeaturesSettings;
pub use lgr::LgrSettings;
pub use mast::MastSettings;
pub use modified::Modified;
pub use nppa::NppaSettings;
pub use nst::NstSettings;
pub use ppa::{Ppa, PpaSettings};
pub use uniform::{Uniform, UniformSettings};

use crate::spec::{Describe, Settings};

/// A playout policy in the middle of its work.
pub trait PlayoutPolicy: Send {
    /// What the next playout plays by.
    fn sampling(&mut self) -> &mut Sampling;

    /// How much of a simulation the policy must see: search records the moves inside the tree by
    /// [`PlayoutPolicy::coding`], the playout records the rest.
    fn recording(&self) -> Recording {
        Recording::Nothing
    }

    /// The codes the policy learns by.
    fn coding(&self) -> Coding {
        Coding::Plain
    }

    /// Adds the codes of some legal moves, as playouts record them.
    fn codes(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        moves: &[Move],
        out: &mut Vec<u32>,
    ) {
        game.codes(state, player, moves, self.coding(), out);
    }

    /// Learns from one simulation, from the root to its end; not called where nothing is recorded.
    fn learn(&mut self, _record: &Record, _payoffs: &[f32]) {}

    /// A move was played: keeps, fades or forgets what was learned, before the next search begins.
    fn between_turns(&mut self) {}

    /// What was learned of each code, where that is all there is to know.
    fn weights(&self) -> Option<&CodeTable> {
        None
    }

    /// Starts from weights learned before instead of from nothing; `false` where they do not fit.
    fn set_weights(&mut self, _weights: &[f32]) -> bool {
        false
    }
}

/// Calls `adapt(player, share)` for everyone who learns from a simulation with these payoffs: the single
/// winner by one, or everybody by his payoff.
fn each_learner(by_payoff: bool, payoffs: &[f32], mut adapt: impl FnMut(Player, f32)) {
    if !by_payoff {
        if let Some(winner) = single_winner(payoffs) {
            adapt(winner, 1.0);
        }
        return;
    }
    for (player, &payoff) in payoffs.iter().enumerate() {
        if payoff > 0.0 {
            adapt(Player(player as u8), payoff);
        }
    }
}

fn coding(features: bool) -> Coding {
    if features { Coding::Features } else { Coding::Plain }
}

/// Refuses move features where a game's moves have none, rather than learn without them.
fn check_coding(coding: Coding, game: &dyn Game) -> Result<(), GameError> {
    let players = (0..game.info().players as u8).map(Player);
    match coding == Coding::Plain || players.into_iter().any(|p| game.code_count(p, coding) > 0) {
        true => Ok(()),
        false => Err(GameError::Options(format!(
            "moves of {} have no features, for its rules show no board; play it without `features` \
             (`ppa` instead of `ppaf`, `ppa(memorize)` instead of `ppafm`)",
            game.info().name
        ))),
    }
}

/// Settings of a playout policy.
pub trait PolicySettings: Settings {
    /// A policy that has learned nothing yet.
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy>;

    /// Whether the policy can play a game; asked before it is built.
    fn check(&self, _game: &dyn Game) -> Result<(), GameError> {
        Ok(())
    }
}

macro_rules! policies {
    ($($variant:ident($settings:ty),)*) => {
        /// The settings of one of the playout policies.
        #[derive(Clone, Debug, PartialEq)]
        pub enum PolicyConfig {
            $(#[doc = concat!("See [`", stringify!($settings), "`].")] $variant($settings),)*
        }

        impl PolicyConfig {
            /// Every policy with its usual settings.
            pub fn all() -> Vec<PolicyConfig> {
                vec![$(PolicyConfig::$variant(<$settings>::default()),)*]
            }

            /// The policy's name.
            pub fn name(&self) -> &'static str {
                match self { $(PolicyConfig::$variant(_) => <$settings>::NAME,)* }
            }

            /// Goes through the policy's settings.
            pub fn describe(&mut self, describe: &mut dyn Describe) {
                match self { $(PolicyConfig::$variant(settings) => settings.describe(describe),)* }
            }

            /// A policy that has learned nothing yet.
            pub fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
                match self { $(PolicyConfig::$variant(settings) => settings.build(game),)* }
            }

            /// Whether the policy can play a game; to be asked before it is built.
            pub fn check(&self, game: &dyn Game) -> Result<(), GameError> {
                match self { $(PolicyConfig::$variant(settings) => settings.check(game),)* }
            }
        }
    };
}

policies! {
    Uniform(UniformSettings),
    Mast(MastSettings),
    Nst(NstSettings),
    Ppa(PpaSettings),
    Nppa(NppaSettings),
    Features(FeaturesSettings),
}

impl Default for PolicyConfig {
    fn default() -> Self {
        PolicyConfig::Uniform(UniformSettings)
    }
}
