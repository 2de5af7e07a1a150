//! Who moves: players, sets of players, turns.

use std::fmt;

/// A player, counted from zero; shown to people as `P1`, `P2`, ….
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Player(pub u8);

impl Player {
    /// The first player.
    pub const FIRST: Player = Player(0);

    /// The player's place in per-player arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The other player of a two-player game.
    #[inline]
    pub fn opponent(self) -> Player {
        Player(self.0 ^ 1)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.0 + 1)
    }
}

/// A set of at most [`PlayerSet::CAPACITY`] players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerSet(u32);

impl PlayerSet {
    /// How many players a game may have.
    pub const CAPACITY: usize = 32;

    /// The set of one player.
    #[inline]
    pub fn one(player: Player) -> Self {
        PlayerSet(1 << player.0)
    }

    /// The first `count` players.
    #[inline]
    pub fn all(count: usize) -> Self {
        debug_assert!(count <= Self::CAPACITY);
        PlayerSet(((1u64 << count) - 1) as u32)
    }

    /// This set and one more player.
    #[inline]
    pub fn with(self, player: Player) -> Self {
        PlayerSet(self.0 | 1 << player.0)
    }

    /// Whether the player is in the set.
    #[inline]
    pub fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// How many players are in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest-numbered player of the set.
    #[inline]
    pub fn first(self) -> Option<Player> {
        (self.0 != 0).then(|| Player(self.0.trailing_zeros() as u8))
    }
}

impl FromIterator<Player> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        players.into_iter().fold(PlayerSet::default(), PlayerSet::with)
    }
}

impl IntoIterator for PlayerSet {
    type Item = Player;
    type IntoIter = Players;

    #[inline]
    fn into_iter(self) -> Players {
        Players(self.0)
    }
}

/// The players of a [`PlayerSet`] in order.
#[derive(Clone)]
pub struct Players(u32);

impl Iterator for Players {
    type Item = Player;

    #[inline]
    fn next(&mut self) -> Option<Player> {
        let player = PlayerSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(player)
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The game has ended.
    Over,
    /// Chance decides: a roll, a deal.
    Chance,
    /// These players move: one in turn-taking games, several at once in simultaneous ones. Never empty.
    Players(PlayerSet),
}

impl Turn {
    /// One player's turn.
    #[inline]
    pub fn of(player: Player) -> Turn {
        Turn::Players(PlayerSet::one(player))
    }

    /// The player to move, where it is exactly one.
    #[inline]
    pub fn mover(self) -> Option<Player> {
        match self {
            Turn::Players(players) if players.len() == 1 => players.first(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_list_their_players_in_order() {
        let set = PlayerSet::one(Player(4)).with(Player(1));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Player(1), Player(4)]);
        assert_eq!(PlayerSet::all(32).len(), 32);
        assert_eq!(Turn::Players(set).mover(), None);
        assert_eq!(Turn::of(Player(3)).mover(), Some(Player(3)));
    }
}
