//! Who is in which place, where more than two play: whoever wins or loses is out, and the others play on.

use crate::build::MOST_PLAYERS;

/// The places of players, in halves, and who still plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranks {
    /// Twice the place of each player; nought: none yet.
    twice: [u8; MOST_PLAYERS],
    /// Who still plays, as bits of players.
    active: u8,
    players: u8,
    winners: u8,
    losers: u8,
    /// How many lost by the rules that are being asked.
    losses: u8,
}

impl Ranks {
    /// Everybody plays.
    pub(super) fn of_all(players: i32) -> Self {
        let active = ((1u16 << (players + 1)) - 2) as u8;
        Ranks { active, players: players as u8, ..Ranks::default() }
    }

    /// Whether a player still plays.
    #[inline(always)]
    pub(super) fn plays(&self, player: i32) -> bool {
        (0..8).contains(&player) && self.active >> player & 1 == 1
    }

    /// Whether nobody does.
    pub(super) fn all_out(&self) -> bool {
        self.active == 0
    }

    /// The next who plays after a player.
    #[inline(always)]
    pub(super) fn following(&self, player: u8) -> u8 {
        let mut next = player % self.players + 1;
        for _ in 0..self.players {
            if self.plays(next.into()) {
                break;
            }
            next = next % self.players + 1;
        }
        next
    }

    /// All rules of a kind have been asked.
    #[inline(always)]
    pub(super) fn end_of_rules(&mut self) {
        self.losses = 0;
    }

    fn only(&self) -> Option<usize> {
        (self.active.count_ones() == 1).then(|| self.active.trailing_zeros() as usize)
    }

    /// A player takes the best place that is left.
    pub(super) fn win(&mut self, player: i32) {
        self.active &= !(1 << player);
        self.winners += 1;
        let place = 2 * self.winners;
        self.twice[player as usize - 1] = place;
        if let Some(last) = self.only() {
            self.twice[last - 1] = place + 2;
            self.active = 0;
        }
    }

    /// Players of one team share the best place that nobody has; if only players of another are left, these share
    /// the next, also those who lost before. Gives whether the game is over. Whoever is left has not
    /// left the game then, as the reference has it.
    pub(super) fn win_together(&mut self, teams: &[i32], team: i32) -> bool {
        let players = 1..=usize::from(self.players);
        let of = |player: usize| teams.get(player).copied().unwrap_or(0);
        let members = players.clone().filter(|&player| of(player) == team);
        let (mut place, mut count) = (2, 0);
        while self.twice[..self.players as usize].contains(&place) {
            place += 2;
        }
        for player in members {
            self.active &= !(1 << player);
            self.twice[player - 1] = place;
            count += 1;
        }
        self.winners += count;
        let mut left = players.clone().filter(|&player| self.active >> player & 1 == 1);
        let Some(first) = left.next() else {
            return true;
        };
        let losing = of(first);
        if left.any(|player| of(player) != losing) {
            return false;
        }
        for player in players.filter(|&player| of(player) == losing) {
            self.twice[player - 1] = place + 2 * count;
        }
        true
    }

    /// A player takes the last place that is left; those who lose at once share theirs. Gives who comes next.
    pub(super) fn lose(&mut self, player: i32, mut next: u8) -> u8 {
        self.active &= !(1 << player);
        if i32::from(next) == player && self.active != 0 {
            while !self.plays(next.into()) {
                next = next % self.players + 1;
            }
        }
        let together = 2 * (self.players - self.losers) + 1 + self.losses;
        let place = together - 1;
        self.twice[player as usize - 1] = place;
        self.losers += 1;
        for other in &mut self.twice[..self.players as usize] {
            if *other == together {
                *other = place;
            }
        }
        if let Some(last) = self.only() {
            self.twice[last - 1] = 2 * (self.winners + 1);
            self.active = 0;
        }
        self.losses += 1;
        next
    }

    /// Those who still play share the places that are left.
    pub(super) fn draw(&mut self) {
        let place = self.active.count_ones() as u8 + 1 + 2 * self.winners;
        for other in &mut self.twice[..self.players as usize] {
            if *other == 0 {
                *other = place;
            }
        }
        self.active = 0;
    }

    /// Places by scores, whatever was decided before.
    pub(super) fn by_score(&mut self, scores: &[i32; MOST_PLAYERS], misere: bool) {
        let scores = &scores[..self.players as usize];
        let worth = |score: i32| if misere { -i64::from(score) } else { i64::from(score) };
        for (place, &score) in self.twice.iter_mut().zip(scores) {
            let better = scores.iter().filter(|other| worth(**other) > worth(score)).count();
            let equal = scores.iter().filter(|other| **other == score).count();
            *place = (2 * (better + 1) + equal - 1) as u8;
        }
        self.active = 0;
    }

    /// What the place of a player is worth, from one for the first to nought for the last.
    pub(super) fn payoff(&self, player: u8) -> f32 {
        let last = f64::from(self.players);
        let rank = f64::from(self.twice[player as usize - 1]) / 2.0;
        if rank == 0.0 { 0.5 } else { ((last - rank) / (last - 1.0)) as f32 }
    }

    /// All of it in one number.
    pub(super) fn key(&self) -> u64 {
        let places = self.twice.iter().fold(0, |all, &place| all << 8 | u64::from(place));
        places << 8 | u64::from(self.active)
    }
}
