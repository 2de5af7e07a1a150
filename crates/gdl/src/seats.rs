//! Roles and players, and whose turn it is.
//!
//! In GDL every role moves at every step. In the contract only those move who have a choice: a
//! role with a single legal move makes it silently, so that policies see real choices only. The
//! role `random` is chance; where it chooses together with players, they choose first, unseen.

use ludex_lang::kif::Keyword;

use ludex_game::{GameError, Move, Player, PlayerSet, Turn, mix};

/// The roles of a game and the players they are.
#[derive(Debug)]
pub struct Seats {
    roles: Vec<String>,
    /// The role of each player.
    players: Vec<usize>,
    chance: Option<usize>,
}

impl Seats {
    /// Seats the roles, if there are not too many of them.
    pub fn new(roles: Vec<String>) -> Result<Seats, GameError> {
        let chance = roles.iter().position(|role| role == Keyword::Random.text());
        let players: Vec<usize> = (0..roles.len()).filter(|&role| Some(role) != chance).collect();
        if players.is_empty() || players.len() > PlayerSet::CAPACITY {
            let most = PlayerSet::CAPACITY;
            let message = format!("{} players; a game has one to {most}", players.len());
            return Err(GameError::Options(message));
        }
        Ok(Seats { roles, players, chance })
    }

    /// The names of the roles in the order of the rules.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players.len()
    }

    /// The role of a player.
    #[inline]
    pub fn role_of(&self, player: Player) -> usize {
        self.players[player.index()]
    }

    /// The role of chance; the first role where there is none.
    pub fn chance(&self) -> usize {
        self.chance.unwrap_or(0)
    }
}

/// Whose turn it is, and what was chosen in this step so far.
#[derive(Debug)]
pub struct Phase {
    turn: Turn,
    /// Roles with more than one legal move.
    choosers: u64,
    chance_follows: bool,
    /// The choice of each role.
    pub chosen: Box<[u32]>,
}

impl Clone for Phase {
    fn clone(&self) -> Self {
        Phase { chosen: self.chosen.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        self.turn = other.turn;
        self.choosers = other.choosers;
        self.chance_follows = other.chance_follows;
        self.chosen.copy_from_slice(&other.chosen);
    }
}

impl Phase {
    /// Before anything is known.
    pub fn new(roles: usize) -> Phase {
        let chosen = vec![0; roles].into();
        Phase { turn: Turn::Over, choosers: 0, chance_follows: false, chosen }
    }

    /// Whose turn it is.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Whether players have chosen and chance has not.
    pub fn is_half_chosen(&self) -> bool {
        self.chance_follows && self.turn == Turn::Chance
    }

    /// Notes that the game is over.
    #[inline]
    pub fn end(&mut self) {
        self.turn = Turn::Over;
    }

    /// Whether the role chooses in this step.
    #[inline]
    pub fn has_choice(&self, role: usize) -> bool {
        self.choosers >> role & 1 == 1
    }

    /// Starts a step. `count` gives the number of legal moves of a role; a game in which some role
    /// has none cannot go on.
    #[inline]
    pub fn begin(&mut self, seats: &Seats, over: bool, count: impl Fn(usize) -> u32) {
        self.choosers = 0;
        self.turn = Turn::Over;
        if over {
            return;
        }
        for role in 0..seats.roles.len() {
            match count(role) {
                0 => return,
                1 => {}
                _ => self.choosers |= 1 << role,
            }
        }
        let chance = seats.chance.filter(|&role| self.has_choice(role));
        let players: PlayerSet = (0..seats.players.len() as u8)
            .map(Player)
            .filter(|&player| self.has_choice(seats.role_of(player)))
            .collect();
        self.chance_follows = chance.is_some() && !players.is_empty();
        self.turn = match (players.is_empty(), chance) {
            (false, _) => Turn::Players(players),
            (true, Some(_)) => Turn::Chance,
            // Nobody has a choice: the first player makes the one move there is.
            (true, None) => {
                self.choosers |= 1 << seats.role_of(Player::FIRST);
                Turn::of(Player::FIRST)
            }
        };
    }

    /// Takes the moves of those whose turn it is; `true` when every choice of the step is made.
    #[inline]
    pub fn choose(&mut self, seats: &Seats, joint: &[Move]) -> bool {
        match self.turn {
            Turn::Over => return false,
            Turn::Chance => self.chosen[seats.chance()] = joint[0].0 as u32,
            Turn::Players(players) => {
                for (player, mv) in players.into_iter().zip(joint) {
                    self.chosen[seats.role_of(player)] = mv.0 as u32;
                }
                if self.chance_follows {
                    self.turn = Turn::Chance;
                    return false;
                }
            }
        }
        true
    }

    /// A position's hash with what was chosen unseen, if anything was.
    pub fn hash(&self, position: u64) -> u64 {
        if !self.is_half_chosen() {
            return position;
        }
        self.chosen.iter().fold(position, |hash, &chosen| mix(hash ^ u64::from(chosen)))
    }
}
