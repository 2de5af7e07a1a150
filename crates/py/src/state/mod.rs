//! Positions: what can be chosen in them and what follows. What Python sees of it is in `methods`.

mod methods;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use ludex_game::{Choices, Machine, Marks, Move, Player, PlayerSet, Rng, Turn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::error::{IllegalActionError, guarded};
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
/// Those that were drawn otherwise begin so in texts.
const DRAWN: char = '~';

/// A position, with the actions that led to it.
#[pyclass(module = "ludex")]
pub struct State {
    core: Arc<Core>,
    state: ludex_game::State,
    /// Who did what, one after the other; players who move at once follow each other.
    history: Vec<(i32, i64)>,
    /// Outcomes of chance that no number stands for, by their place in the history: matches draw them among all there are.
    drawn: Vec<(usize, Move)>,
    plies: u32,
    /// The most plies that the game allows; it is asked for in every call.
    limit: u32,
    /// Whether a move may take so long that it is given up in the middle.
    is_slow: bool,
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
    /// The numbers that were listed last.
    numbers: Vec<u32>,
}

impl Legal {
    #[inline]
    fn of(&mut self, core: &Core, state: &ludex_game::State, player: Player) -> &Choices {
        if self.of != Some(player) {
            let space = core.survey().space;
            // Whatever is given up in the middle is not known afterwards.
            self.of = None;
            core.game.choices(state, player, space, &mut self.marks, &mut self.choices);
            self.of = Some(player);
        }
        &self.choices
    }

    /// Writes the numbers of what was asked for last, in order.
    fn list(&mut self) {
        let numbers = &mut self.numbers;
        numbers.clear();
        // At once what most positions need, instead of little by little.
        numbers.reserve(32);
        self.choices.each(|number| numbers.push(number));
        if !numbers.is_sorted() {
            numbers.sort_unstable();
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            core: self.core.clone(),
            state: self.state.clone(),
            history: self.history.clone(),
            drawn: self.drawn.clone(),
            plies: self.plies,
            limit: self.limit,
            is_slow: self.is_slow,
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
            history: Vec::with_capacity(64),
            drawn: Vec::new(),
            plies: 0,
            limit: core.game.info().max_plies,
            is_slow: core.game.info().machine == Machine::General,
            legal: Legal::default(),
            easel: Easel::default(),
        }
    }

    /// The position after the actions that a text lists.
    pub fn replayed(core: &Arc<Core>, text: &str) -> PyResult<State> {
        let mut state = State::start(core);
        let number = |word: &str| {
            let fault = |_| PyValueError::new_err(format!("`{word}` is not an action"));
            word.parse::<i64>().map_err(fault)
        };
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if let Some(outcome) = word.strip_prefix(DRAWN).and_then(|word| word.parse().ok())
                && state.turn == Turn::Chance
                && state.outcomes().is_empty()
            {
                state.play_moves(&[Move(outcome)])?;
                continue;
            }
            let mut joint = vec![number(word)?];
            if let Turn::Players(players) = state.turn {
                for _ in 1..players.len() {
                    let missing = || PyValueError::new_err("the last joint action is incomplete");
                    joint.push(number(words.next().ok_or_else(missing)?)?);
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

    /// Lists the legal actions of whoever moves, or of the player named, in order.
    fn list_legal(&mut self, player: Option<i32>) -> PyResult<()> {
        self.legal.numbers.clear();
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => {
                let chances = self.chances()?;
                self.legal.numbers.extend(chances.into_iter().map(|(at, _)| at));
            }
            Turn::Players(players) => {
                let named = named(player);
                if named.is_some_and(|player| !self.is_among(players, player)) {
                    return Ok(());
                }
                let player = self.mover(player)?;
                self.choices(player);
                self.legal.list();
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
        let count = if outcomes.is_empty() { SEEDS as usize } else { outcomes.len() };
        let Some(number) = number.filter(|&number| number < count) else {
            let text = format!("chance has no outcome {action} of {count}");
            return Err(IllegalActionError::new_err(text));
        };
        Ok(match outcomes.get(number) {
            Some(found) => found.0,
            None => {
                let mut rng = Rng::stream(self.core.game.hash(&self.state), number as u64);
                self.core.game.sample_chance(&self.state, &mut rng)
            }
        })
    }

    /// Plays one action for each player who moves, or an outcome of chance.
    pub fn play(&mut self, actions: &[i64]) -> PyResult<()> {
        match self.turn() {
            Turn::Over => return Err(PyValueError::new_err("the game is over")),
            Turn::Chance => {
                let outcome = self.outcome_of(actions[0])?;
                self.advance(&[outcome]);
                self.history.push((CHANCE, actions[0]));
            }
            Turn::Players(players) if players.len() == 1 => {
                let player = players.first().unwrap_or_default();
                let mv = self.move_of(player, actions[0])?;
                self.advance(&[mv]);
                self.history.push((i32::from(player.0), actions[0]));
            }
            Turn::Players(players) => {
                let mut joint = [Move::default(); PlayerSet::CAPACITY];
                for ((slot, player), &action) in joint.iter_mut().zip(players).zip(actions) {
                    *slot = self.move_of(player, action)?;
                }
                self.advance(&joint[..players.len()]);
                let made = players.into_iter().zip(actions);
                self.history.extend(made.map(|(player, &action)| (i32::from(player.0), action)));
            }
        }
        Ok(())
    }

    /// Plays moves. Where that is given up in the middle, the position is what it was.
    #[inline]
    fn advance(&mut self, joint: &[Move]) {
        // Nothing else than the evaluator of slow rules is given up, but for mistakes of a game.
        let before = self.is_slow.then(|| self.state.clone());
        let played = catch_unwind(AssertUnwindSafe(|| {
            self.core.game.apply(&mut self.state, joint);
            self.core.game.turn(&self.state)
        }));
        self.legal.of = None;
        match played {
            Ok(turn) => (self.turn, self.plies) = (turn, self.plies + 1),
            Err(thrown) => self.restore(before, thrown),
        }
    }

    #[cold]
    fn restore(&mut self, before: Option<ludex_game::State>, thrown: Box<dyn Any + Send>) -> ! {
        match before {
            Some(before) => self.state = before,
            None => {
                if let Ok(again) = State::replayed(&self.core, &self.text()) {
                    *self = again;
                }
            }
        }
        resume_unwind(thrown)
    }

    /// The actions as text.
    pub fn text(&self) -> String {
        let mut drawn = self.drawn.iter().peekable();
        let words = self.history.iter().enumerate().map(|(at, (_, action))| {
            match drawn.next_if(|(place, _)| *place == at) {
                Some((_, outcome)) => format!("{DRAWN}{}", outcome.0),
                None => action.to_string(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// How many actions there were.
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// The actions after the first so many.
    pub fn actions_since(&self, first: usize) -> Vec<i64> {
        self.history.iter().skip(first).map(|(_, action)| *action).collect()
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
        self.advance(joint);
        if let ([CHANCE], [-1], [outcome]) = (&movers[..], &actions[..], joint) {
            self.drawn.push((self.history.len(), *outcome));
        }
        self.history.extend(movers.into_iter().zip(actions));
        Ok(())
    }

    /// Payoffs as the game has them.
    fn shares(&self) -> PyResult<Vec<f32>> {
        let mut payoffs = vec![0.0; self.core.players()];
        guarded(|| {
            self.core.game.payoffs(&self.state, &mut payoffs);
            Ok(payoffs)
        })
    }

    /// Writes the attributes of a game without a board.
    fn write_attributes(&self, looks: Player, values: &mut [f32]) -> PyResult<()> {
        guarded(|| {
            self.core.game.attribute_values(&self.state, looks, values);
            Ok(())
        })
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
