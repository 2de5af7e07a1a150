//! Playing a match that a game manager runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludex_game::gdl::bounds::Bounds;
use ludex_game::gdl::compile;
use ludex_game::{Game, Move, Player, Rng, State, Turn};
use ludex_play::agent::Agent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

use super::message::{self, Message, Start};

/// How a player plays.
pub struct Settings {
    /// The name it gives.
    pub name: String,
    /// Who chooses its moves.
    pub agent: AgentSpec,
    /// Most simulations for a move; the clock alone decides where there is no limit.
    pub simulations: Option<u64>,
    /// Part of every clock that is kept for the way there and back.
    pub margin: Duration,
    /// The seed of everything random.
    pub seed: u64,
}

/// A player that can be asked from many threads at once.
pub struct GgpPlayer {
    settings: Settings,
    /// The match under way; its own lock is held while a move is thought about.
    current: Mutex<Option<(String, Arc<Mutex<Match>>)>>,
}

/// A match under way.
struct Match {
    game: Arc<dyn Game>,
    roles: Vec<String>,
    /// The role of each player.
    seats: Vec<usize>,
    player: Player,
    state: State,
    agent: Box<dyn Agent>,
    play_clock: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic in one match must not end all others.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GgpPlayer {
    /// A player without a match.
    pub fn new(settings: Settings) -> Self {
        GgpPlayer { settings, current: Mutex::new(None) }
    }

    /// The answer to a message.
    pub fn answer(&self, text: &str) -> String {
        let arrived = Instant::now();
        match message::read(text) {
            Some(Message::Info) => self.info(),
            Some(Message::Preview) => "ready".to_owned(),
            Some(Message::Start(start)) => self.start(*start, arrived),
            Some(Message::Play { id, moves }) => match self.find(&id) {
                Some(found) => self.play(&found, moves.as_deref(), arrived),
                None => "busy".to_owned(),
            },
            Some(Message::Stop { id }) => self.end(&id, "done"),
            Some(Message::Abort { id }) => self.end(&id, "aborted"),
            None => "unreadable".to_owned(),
        }
    }

    fn info(&self) -> String {
        let status = if lock(&self.current).is_some() { "busy" } else { "available" };
        format!("( ( name {} ) ( status {status} ) )", self.settings.name)
    }

    fn find(&self, id: &str) -> Option<Arc<Mutex<Match>>> {
        let current = lock(&self.current);
        current.as_ref().filter(|(known, _)| known == id).map(|(_, found)| found.clone())
    }

    fn end(&self, id: &str, reply: &str) -> String {
        let mut current = lock(&self.current);
        match current.take_if(|(known, _)| known == id) {
            Some(_) => reply.to_owned(),
            None => "busy".to_owned(),
        }
    }

    /// Prepares a match and thinks about the first move. A match that was under way is given up: its
    /// manager is gone.
    fn start(&self, start: Start, arrived: Instant) -> String {
        let clock = Duration::from_secs(start.start_clock);
        let id = start.id.clone();
        let Some(fresh) = self.prepare(start) else { return "busy".to_owned() };
        let fresh = Arc::new(Mutex::new(fresh));
        *lock(&self.current) = Some((id, fresh.clone()));
        let mut own = lock(&fresh);
        let budget = self.budget(clock, arrived);
        if own.is_our_turn() {
            own.choose(budget);
        }
        "ready".to_owned()
    }

    fn prepare(&self, start: Start) -> Option<Match> {
        let checked = start.rules?;
        let game = compile("match", &checked.description, None, &Bounds::default()).ok()?;
        let roles = game.role_names().to_vec();
        let seats: Vec<usize> = (0..roles.len()).filter(|&role| roles[role] != "random").collect();
        let player = seats.iter().position(|&role| roles[role] == start.role)?;
        let game = game.into_game();
        let mut rng = Rng::seeded(self.settings.seed);
        let agent = self.settings.agent.build(&game, None, &mut rng).ok()?;
        Some(Match {
            state: game.start(),
            game,
            roles,
            seats,
            player: Player(player as u8),
            agent,
            play_clock: Duration::from_secs(start.play_clock),
        })
    }

    fn play(&self, found: &Mutex<Match>, moves: Option<&[String]>, arrived: Instant) -> String {
        let mut own = lock(found);
        if let Some(moves) = moves {
            own.advance(moves);
        }
        let budget = self.budget(own.play_clock, arrived);
        own.choose(budget)
    }

    /// What is left of a clock after the margin and what has already passed.
    fn budget(&self, clock: Duration, arrived: Instant) -> Budget {
        let kept = self.settings.margin.max(clock / 20).min(clock / 2);
        let left = (clock - kept).saturating_sub(arrived.elapsed()).max(Duration::from_millis(1));
        Budget { simulations: self.settings.simulations, time: Some(left) }
    }
}

impl Match {
    fn is_our_turn(&self) -> bool {
        matches!(self.game.turn(&self.state), Turn::Players(players) if players.contains(self.player))
    }

    /// Our move: the only one, or what the agent chooses.
    fn choose(&mut self, budget: Budget) -> String {
        let mut legal = Vec::new();
        self.game.moves(&self.state, self.player, &mut legal);
        let chosen = match (&legal[..], self.is_our_turn()) {
            ([], _) => return "noop".to_owned(),
            (&[only], _) => only,
            (_, true) => self.agent.choose(&self.state, self.player, budget).mv,
            (&[first, ..], false) => first,
        };
        self.game.move_text(&self.state, Some(self.player), chosen)
    }

    /// Makes everybody's moves, in role order. Moves that make no sense leave the position as it is.
    fn advance(&mut self, moves: &[String]) {
        if moves.len() != self.roles.len() {
            return;
        }
        // Players first; where chance chooses in the same step, it follows.
        for _ in 0..2 {
            let joint: Option<Vec<Move>> = match self.game.turn(&self.state) {
                Turn::Over => return,
                Turn::Chance => {
                    let role = self.roles.iter().position(|role| role == "random");
                    let outcome =
                        role.and_then(|role| self.game.parse_chance(&self.state, &moves[role]));
                    outcome.map(|outcome| vec![outcome])
                }
                Turn::Players(players) => {
                    let parse = |player: Player| {
                        let text = &moves[self.seats[player.index()]];
                        self.game.parse_move(&self.state, player, text).ok()
                    };
                    players.into_iter().map(parse).collect()
                }
            };
            let Some(joint) = joint else { return };
            let first = self.game.turn(&self.state);
            self.agent.played(&self.state, &joint);
            self.game.apply(&mut self.state, &joint);
            let chance_follows = first != Turn::Chance
                && self.game.turn(&self.state) == Turn::Chance
                && self.roles.iter().zip(moves).any(|(role, text)| {
                    role == "random" && self.game.parse_chance(&self.state, text).is_some()
                });
            if !chance_follows {
                return;
            }
        }
    }
}
