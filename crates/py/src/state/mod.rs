//! Positions: what can be chosen in them and what follows. What Python sees of it is in `methods`.

mod methods;

use std::sync::Arc;

use ludex_game::{Choices, Marks, Move, Player, PlayerSet, Rng, Turn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::error::IllegalActionError;
use crate::observe::Easel;
use crate::source::Core;

/// Chance moves.
const CHANCE: i32 = -1;
/// Several players move at once.
const SIMULTANEOUS: i32 = -2;
/// Nobody moves any more.
const TERMINAL: i32 = -4;
/// Outcomes that are too many to list are drawn by so many equally likely numbers.
const SEEDS: u32 = 1024;

/// A position, with the actions that led to it.
#[pyclass(module = "ludex")]
pub struct State {
    core: Arc<Core>,
    state: ludex_game::State,
    /// Who did what, one after the other; players who move at once follow each other.
    history: Vec<(i32, i64)>,
    plies: u32,
    /// The most plies that the game allows; it is asked for in every call.
    limit: u32,
    turn: Turn,
    legal: Legal,
    easel: Easel,
}

/// The legal moves of a player, once somebody has asked for them.
#[derive(Default)]
struct Legal {
    choices: Choices,
    /// Whose they are.
    of: Option<Player>,
    marks: Marks,
    /// Memory for their numbers; nothing in it carries meaning.
    numbers: Vec<u32>,
}

impl Legal {
    #[inline]
    fn of(&mut self, core: &Core, state: &ludex_game::State, player: Player) -> &Choices {
        if self.of != Some(player) {
            let space = core.survey().space;
            core.game.choices(state, player, space, &mut self.marks, &mut self.choices);
            self.of = Some(player);
        }
        &self.choices
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            core: self.core.clone(),
            state: self.state.clone(),
            history: self.history.clone(),
            plies: self.plies,
            limit: self.limit,
            turn: self.turn,
            legal: Legal::default(),
            easel: Easel::default(),
        }
    }
}

/// The player of a number, where one is given that stands for one; large numbers are nobody's.
fn named(player: Option<i32>) -> Option<Player> {
    let player = player.filter(|&player| player >= 0)?;
    Some(Player(u8::try_from(player).unwrap_or(u8::MAX)))
}

impl State {
    /// The position before the first move.
    pub fn start(core: &Arc<Core>) -> State {
        let state = core.game.start();
        State {
            turn: core.game.turn(&state),
            core: core.clone(),
            state,
            history: Vec::new(),
            plies: 0,
            limit: core.game.info().max_plies,
            legal: Legal::default(),
            easel: Easel::default(),
        }
    }

    /// The position after the actions that a text lists.
    pub fn replayed(core: &Arc<Core>, text: &str) -> PyResult<State> {
        let mut state = State::start(core);
        let mut actions = text.split_whitespace().map(|word| {
            let fault = |_| PyValueError::new_err(format!("`{word}` is not an action"));
            word.parse::<i64>().map_err(fault)
        });
        while let Some(action) = actions.next() {
            let mut joint = vec![action?];
            if let Turn::Players(players) = state.turn {
                for _ in 1..players.len() {
                    let missing = || PyValueError::new_err("the last joint action is incomplete");
                    joint.push(actions.next().ok_or_else(missing)??);
                }
            }
            state.play(&joint)?;
        }
        Ok(state)
    }

    /// The game it belongs to.
    pub fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// The position itself.
    pub fn inner(&self) -> &ludex_game::State {
        &self.state
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        if self.plies >= self.limit { Turn::Over } else { self.turn }
    }

    /// The only player who moves, or the one named among several.
    pub fn mover(&self, player: Option<i32>) -> PyResult<Player> {
        match (self.turn(), named(player)) {
            (Turn::Players(players), None) if players.len() == 1 => {
                Ok(players.first().unwrap_or_default())
            }
            (Turn::Players(players), Some(player)) => {
                let moves = self.is_among(players, player);
                let error = || PyValueError::new_err(format!("it is not {player}'s turn"));
                moves.then_some(player).ok_or_else(error)
            }
            (Turn::Players(_), None) => {
                Err(PyValueError::new_err("several players move at once: name one"))
            }
            (Turn::Chance, _) => Err(PyValueError::new_err("it is chance's turn")),
            (Turn::Over, _) => Err(PyValueError::new_err("the game is over")),
        }
    }

    /// Whether a player, who may be none of this game's, is among these.
    fn is_among(&self, players: PlayerSet, player: Player) -> bool {
        player.index() < self.core.players() && players.contains(player)
    }

    fn choices(&mut self, player: Player) -> &Choices {
        self.legal.of(&self.core, &self.state, player)
    }

    /// The legal move with this number.
    pub fn move_of(&mut self, player: Player, action: i64) -> PyResult<Move> {
        let number = u32::try_from(action).ok();
        let found = number.and_then(|number| self.choices(player).find(number));
        let error = || {
            let (legal, name) = (&mut self.legal, &self.core.game.info().name);
            let count = legal.of(&self.core, &self.state, player).count();
            IllegalActionError::new_err(format!(
                "action {action} is not one of the {count} that {player} has here in {name}"
            ))
        };
        let place = found.ok_or_else(error)?;
        Ok(self.core.game.chosen(&self.state, player, &self.legal.choices, place))
    }

    /// The number of a legal move.
    pub fn number_of(&mut self, player: Player, mv: Move) -> Option<u32> {
        let mut numbers = Vec::new();
        self.choices(player).each(|number| numbers.push(number));
        let game = self.core.game.clone();
        numbers.into_iter().find(|&number| {
            let place = self.legal.choices.find(number);
            place.is_some_and(|place| {
                game.chosen(&self.state, player, &self.legal.choices, place) == mv
            })
        })
    }

    /// Writes the legal actions of whoever moves, or of the player named, in order.
    fn legal_numbers(&mut self, player: Option<i32>, out: &mut Vec<u32>) -> PyResult<()> {
        out.clear();
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend(self.chances()?.into_iter().map(|(at, _)| at)),
            Turn::Players(players) => {
                let named = named(player);
                if named.is_some_and(|player| !self.is_among(players, player)) {
                    return Ok(());
                }
                let player = self.mover(player)?;
                self.choices(player).each(|number| out.push(number));
                if !out.is_sorted() {
                    out.sort_unstable();
                }
            }
        }
        Ok(())
    }

    /// Outcomes of chance; numbers that seed a draw where they are too many to list.
    fn outcomes(&self) -> Vec<(Move, f64)> {
        let mut outcomes = Vec::new();
        if !self.core.game.chance_outcomes(&self.state, &mut outcomes) {
            outcomes.clear();
        }
        outcomes
    }

    /// The same by number, with their probabilities.
    fn chances(&self) -> PyResult<Vec<(u32, f64)>> {
        if self.turn() != Turn::Chance {
            return Err(PyValueError::new_err("it is not chance's turn"));
        }
        let outcomes = self.outcomes();
        Ok(match outcomes.len() {
            0 => (0..SEEDS).map(|seed| (seed, 1.0 / f64::from(SEEDS))).collect(),
            _ => (0..).zip(outcomes).map(|(at, (_, odds))| (at, odds)).collect(),
        })
    }

    fn outcome_of(&self, action: i64) -> PyResult<Move> {
        let outcomes = self.outcomes();
        let number = usize::try_from(action).ok();
        match outcomes.is_empty() {
            true => {
                let mut rng = Rng::stream(self.core.game.hash(&self.state), action as u64);
                Ok(self.core.game.sample_chance(&self.state, &mut rng))
            }
            false => number.and_then(|at| outcomes.get(at)).map(|found| found.0).ok_or_else(|| {
                let count = outcomes.len();
                IllegalActionError::new_err(format!("chance has no outcome {action} of {count}"))
            }),
        }
    }

    /// Plays one action for each player who moves, or an outcome of chance.
    pub fn play(&mut self, actions: &[i64]) -> PyResult<()> {
        match self.turn() {
            Turn::Over => return Err(PyValueError::new_err("the game is over")),
            Turn::Chance => {
                let outcome = self.outcome_of(actions[0])?;
                self.history.push((CHANCE, actions[0]));
                self.core.game.apply(&mut self.state, &[outcome]);
            }
            Turn::Players(players) if players.len() == 1 => {
                let player = players.first().unwrap_or_default();
                let mv = self.move_of(player, actions[0])?;
                self.history.push((i32::from(player.0), actions[0]));
                self.core.game.apply(&mut self.state, &[mv]);
            }
            Turn::Players(players) => {
                let mut joint = [Move::default(); PlayerSet::CAPACITY];
                for ((slot, player), &action) in joint.iter_mut().zip(players).zip(actions) {
                    *slot = self.move_of(player, action)?;
                }
                let made = players.into_iter().zip(actions);
                self.history.extend(made.map(|(player, &action)| (i32::from(player.0), action)));
                self.core.game.apply(&mut self.state, &joint[..players.len()]);
            }
        }
        self.plies += 1;
        self.turn = self.core.game.turn(&self.state);
        self.legal.of = None;
        Ok(())
    }

    /// Plays moves that are known to be legal.
    pub fn play_moves(&mut self, joint: &[Move]) -> PyResult<()> {
        let actions: Vec<i64> = match self.turn() {
            Turn::Players(players) => {
                let numbers = players.into_iter().zip(joint);
                numbers.map(|(p, &mv)| self.number_of(p, mv).map_or(-1, i64::from)).collect()
            }
            _ => {
                let outcomes = self.outcomes();
                let at = outcomes.iter().position(|(mv, _)| Some(mv) == joint.first());
                vec![at.map_or(-1, |at| at as i64)]
            }
        };
        let movers: Vec<i32> = match self.turn() {
            Turn::Players(players) => players.into_iter().map(|p| i32::from(p.0)).collect(),
            _ => vec![CHANCE],
        };
        self.history.extend(movers.into_iter().zip(actions));
        self.core.game.apply(&mut self.state, joint);
        self.plies += 1;
        self.turn = self.core.game.turn(&self.state);
        self.legal.of = None;
        Ok(())
    }

    fn observer(&self, player: Option<i32>) -> PyResult<Player> {
        let players = self.core.players();
        match player {
            Some(player) if player >= 0 && (player as usize) < players => Ok(Player(player as u8)),
            Some(player) => {
                let text = format!("there is no player {player}: they are 0 to {}", players - 1);
                Err(PyIndexError::new_err(text))
            }
            None => match self.turn() {
                Turn::Players(movers) => Ok(movers.first().unwrap_or_default()),
                _ => Ok(Player::FIRST),
            },
        }
    }
}
