//! Who is meant: a player by number, or several by role.

use super::Int;

/// One player by number, or several by role.
#[derive(Clone, Debug, PartialEq)]
pub enum Who {
    /// The player this number gives.
    One(Int),
    /// The players of a role.
    Role(Role),
}

/// Roles that stand for several players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Everybody, nobody and shared.
    All,
    /// Players who are not the mover's friends.
    Enemy,
    /// The mover's team without the mover.
    Ally,
    /// The mover's team.
    Friend,
    /// Players other than the mover.
    NonMover,
    /// A team by number.
    Team(i32),
    /// The mover's team.
    TeamMover,
}
