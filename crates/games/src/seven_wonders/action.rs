//! A move as its parts: which card, what is done with it, and what is paid to the neighbours.

use ludex_game::Move;

use super::components::CardId;
use super::demand::Split;

/// What is done with a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Way {
    /// Build the structure.
    Build,
    /// Build the next stage of the wonder with it.
    Stage,
    /// Discard it for coins.
    Discard,
    /// Build the structure by the wonder's power, for nothing.
    BuildFree,
    /// Build it from the discard pile.
    Pick,
    /// Build nothing from the discard pile.
    Decline,
}

impl Way {
    /// All ways, in the order of their discriminants.
    pub const ALL: [Way; 6] =
        [Way::Build, Way::Stage, Way::Discard, Way::BuildFree, Way::Pick, Way::Decline];
}

/// A card and what is done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// What is done.
    pub way: Way,
    /// The card (0 for [`Way::Decline`]).
    pub card: CardId,
    /// Coins for the neighbours.
    pub pays: Split,
}

impl Action {
    /// An action that pays nobody.
    #[inline]
    pub fn free(way: Way, card: CardId) -> Action {
        Action { way, card, pays: Split::default() }
    }

    /// The move.
    #[inline]
    pub fn to_move(self) -> Move {
        let pays = u64::from(self.pays.left) << 16 | u64::from(self.pays.right) << 24;
        Move(u64::from(self.card) | (self.way as u64) << 8 | pays)
    }

    /// The parts of a move of a player.
    #[inline]
    pub fn of(mv: Move) -> Action {
        Action {
            way: Way::ALL[(mv.0 >> 8 & 7) as usize % Way::ALL.len()],
            card: mv.0 as u8,
            pays: Split { left: (mv.0 >> 16) as u8, right: (mv.0 >> 24) as u8 },
        }
    }
}
