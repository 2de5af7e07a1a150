//! Who is on whose side. Teams are formed at the start and stay.

use super::Builder;
use crate::Built;
use crate::code::{Cond, Num};
use ludex_lud::ir::visit::Part;
use ludex_lud::ir::{Cmp, Moves, MovesKind, Role};

/// Players of one side, as bits.
#[derive(Clone, Copy)]
pub(super) struct Allies(u16);

impl Allies {
    pub(super) fn has(self, player: i32) -> bool {
        (1..16).contains(&player) && self.0 >> player & 1 == 1
    }

    fn each(self) -> impl Iterator<Item = i32> {
        (1..16).filter(move |&player| self.has(player))
    }

    /// The one player, if there is no other.
    pub(super) fn only(self) -> Option<i32> {
        self.each().next().filter(|_| self.0.is_power_of_two())
    }

    /// A number is that of one of them.
    pub(super) fn with(self, player: &Num) -> Cond {
        let is = |n| Cond::Compare(Cmp::Eq, player.clone(), Num::Const(n));
        one_or(self.each().map(is).collect(), Cond::Any)
    }

    /// A number is that of none of them.
    pub(super) fn without(self, player: &Num) -> Cond {
        let is_not = |n| Cond::Compare(Cmp::Ne, player.clone(), Num::Const(n));
        one_or(self.each().map(is_not).collect(), Cond::All)
    }
}

fn one_or(mut all: Vec<Cond>, joined: impl FnOnce(Vec<Cond>) -> Cond) -> Cond {
    match all.len() {
        1 => all.swap_remove(0),
        _ => joined(all),
    }
}

impl Builder<'_> {
    /// The players who do not play against one, himself included.
    pub(super) fn allies(&self, of: i32) -> Allies {
        let teams = self.game.teams;
        let same = |player: &i32| match teams {
            true => self.ctx.team_of(*player) == self.ctx.team_of(of),
            false => *player == of,
        };
        Allies((1..=self.game.players).filter(same).fold(0, |all, player| all | 1 << player))
    }

    /// The players whom a role stands for, who are none but players.
    pub(super) fn players_as(&self, role: Role) -> Allies {
        let players = self.ctx.real_players(role).into_iter().filter(|&player| player > 0);
        Allies(players.fold(0, |all, player| all | 1 << (player & 15)))
    }

    /// Teams that rules change in the course of a game.
    pub(super) fn keeps_teams(&self) -> Built<()> {
        let changes = |part: Part<'_>| {
            matches!(part, Part::Moves(Moves { kind: MovesKind::SetTeam(..), .. }))
        };
        match self.game.teams && self.game.mentions(&mut { changes }) {
            true => self.refuse("teams that change"),
            false => Ok(()),
        }
    }
}
