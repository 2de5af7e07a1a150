//! A game under way that somebody else drives: positions, moves in the making, a player that thinks.

use std::sync::{Arc, mpsc};

use ludex_game::{Game, GameError, Move, Player, Rng, State, Turn};
use ludex_play::agent::Choice;
use ludex_play::pondering::Seat;
use ludex_play::search::{Budget, Report, Stop, Watch};
use ludex_play::spec::AgentSpec;
use ludex_play::timing::expected_moves;

/// Why a command was refused. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The game or the move.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Nobody moves any more.
    #[error("the game is over")]
    Over,
    /// Players wait for chance.
    #[error("it is chance's turn: play its outcome")]
    Chance,
    /// Chance cannot give this.
    #[error("chance cannot give `{0}`")]
    NoSuchOutcome(String),
    /// The player is not to move, or has moved.
    #[error("it is not the turn of {0}")]
    NotToMove(Player),
    /// Nothing was played.
    #[error("there is nothing to take back")]
    NothingPlayed,
}

/// A game that is played by commands.
pub struct Session {
    game: Arc<dyn Game>,
    spec: AgentSpec,
    seed: u64,
    seats: Vec<Seat>,
    /// Whether whoever was asked for a move last thinks on while others are to move.
    ponders: bool,
    asked: Option<Player>,
    states: Vec<State>,
    /// Moves of players who move at once, as long as others are missing.
    pending: Vec<(Player, Move)>,
}

impl Session {
    /// The start of a game.
    pub fn new(game: Arc<dyn Game>, spec: AgentSpec, seed: u64) -> Result<Session, SessionError> {
        let (seats, states, pending) = (Vec::new(), vec![game.start()], Vec::new());
        let (ponders, asked) = (false, None);
        let mut session = Session { game, spec, seed, seats, ponders, asked, states, pending };
        session.seat()?;
        Ok(session)
    }

    /// The same with another game.
    pub fn with_game(&self, game: Arc<dyn Game>) -> Result<Session, SessionError> {
        let session = Session::new(game, self.spec.clone(), self.seed)?;
        Ok(session.pondering(self.ponders))
    }

    /// Whether players think in the time of others, too. What they find then depends on how long that is.
    pub fn pondering(mut self, ponders: bool) -> Session {
        self.ponders = ponders;
        self
    }

    /// Whether somebody thinks unasked at this moment.
    pub fn is_pondering(&self) -> bool {
        self.seats.iter().any(Seat::is_pondering)
    }

    /// Begins anew.
    pub fn restart(&mut self) -> Result<(), SessionError> {
        self.states.truncate(1);
        self.pending.clear();
        self.seat()
    }

    /// Players who know nothing of what was played before.
    fn seat(&mut self) -> Result<(), SessionError> {
        let mut rng = Rng::seeded(self.seed);
        let seats = 0..self.game.info().players;
        let agents: Result<Vec<_>, _> =
            seats.map(|_| self.spec.build(&self.game, None, &mut rng)).collect();
        self.seats = agents?.into_iter().map(Seat::new).collect();
        self.asked = None;
        Ok(())
    }

    /// The game.
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state())
    }

    /// The players whose moves are still missing.
    pub fn missing(&self) -> Vec<Player> {
        let Turn::Players(players) = self.turn() else { return Vec::new() };
        let moved = |player: &Player| self.pending.iter().any(|(who, _)| who == player);
        players.into_iter().filter(|player| !moved(player)).collect()
    }

    /// The first player whose move is missing.
    pub fn next(&self) -> Result<Player, SessionError> {
        match self.turn() {
            Turn::Over => Err(SessionError::Over),
            Turn::Chance => Err(SessionError::Chance),
            Turn::Players(_) => self.missing().first().copied().ok_or(SessionError::Over),
        }
    }

    /// A player who was named, or the next one.
    pub fn chosen(&self, named: Option<Player>) -> Result<Player, SessionError> {
        let Some(player) = named else { return self.next() };
        self.next()?;
        match self.missing().contains(&player) {
            true => Ok(player),
            false => Err(SessionError::NotToMove(player)),
        }
    }

    /// The legal moves of a player who is to move, with their texts.
    pub fn moves(&self, player: Player) -> Vec<(String, Move)> {
        let mut moves = Vec::new();
        self.game.moves(self.state(), player, &mut moves);
        let text = |&mv: &Move| (self.game.move_text(self.state(), Some(player), mv), mv);
        moves.iter().map(text).collect()
    }

    /// The texts of all that chance may give, where that can be listed.
    pub fn outcomes(&self) -> Vec<String> {
        let mut outcomes = Vec::new();
        match self.game.chance_outcomes(self.state(), &mut outcomes) {
            true => outcomes
                .iter()
                .map(|(mv, _)| self.game.move_text(self.state(), None, *mv))
                .collect(),
            false => Vec::new(),
        }
    }

    /// Plays a move or an outcome of chance, said as text.
    pub fn play_text(&mut self, named: Option<Player>, text: &str) -> Result<(), SessionError> {
        if self.turn() == Turn::Chance {
            let outcome = self.game.parse_chance(self.state(), text);
            let outcome = outcome.ok_or_else(|| SessionError::NoSuchOutcome(text.to_string()))?;
            self.apply(&[outcome]);
            return Ok(());
        }
        let player = self.chosen(named)?;
        let mv = self.game.parse_move(self.state(), player, text)?;
        self.play(player, mv);
        Ok(())
    }

    /// Plays a legal move of a player who is to move.
    pub fn play(&mut self, player: Player, mv: Move) {
        self.pending.push((player, mv));
        if self.missing().is_empty() {
            self.pending.sort();
            let joint: Vec<Move> = self.pending.drain(..).map(|(_, mv)| mv).collect();
            self.apply(&joint);
        }
    }

    fn apply(&mut self, joint: &[Move]) {
        let state = self.state().clone();
        self.seats.iter_mut().for_each(|seat| seat.played(&state, joint));
        let mut next = state;
        self.game.apply(&mut next, joint);
        if let (true, Some(asked)) = (self.ponders, self.asked)
            && !matches!(self.game.turn(&next), Turn::Players(players) if players.contains(asked))
        {
            self.seats[asked.index()].ponder(&self.game, &next);
        }
        self.states.push(next);
    }

    /// Takes back what was played last.
    pub fn undo(&mut self) -> Result<(), SessionError> {
        if self.pending.pop().is_some() {
            return Ok(());
        }
        if self.states.len() < 2 {
            return Err(SessionError::NothingPlayed);
        }
        self.states.pop();
        self.seat()
    }

    /// The payoffs of a finished game.
    pub fn payoffs(&self) -> Option<Vec<f32>> {
        (self.turn() == Turn::Over).then(|| {
            let mut payoffs = vec![0.0; self.game.info().players];
            self.game.payoffs(self.state(), &mut payoffs);
            payoffs
        })
    }

    /// How many moves a player is expected to make to the end of the game.
    pub fn expected_moves(&self, player: Player) -> f64 {
        expected_moves(&*self.game, self.state(), player)
    }

    /// Thinks about a player's move, telling `found` by and by, until the budget is used up or `stop` raised.
    pub fn think(
        &mut self,
        player: Player,
        budget: Budget,
        stop: Stop,
        mut found: impl FnMut(&dyn Game, &State, &Report),
    ) -> Choice {
        let state = &self.states[self.states.len() - 1];
        self.asked = Some(player);
        let (game, agent) = (&*self.game, self.seats[player.index()].agent());
        let (sender, receiver) = mpsc::channel::<Report>();
        agent.obey(stop);
        agent.watched(Some(Watch::new(move |report| drop(sender.send(report.clone())))));
        std::thread::scope(|scope| {
            let thinking = scope.spawn(|| {
                let choice = agent.choose(state, player, budget);
                agent.watched(None);
                choice
            });
            for report in receiver {
                found(game, state, &report);
            }
            match thinking.join() {
                Ok(choice) => choice,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}
