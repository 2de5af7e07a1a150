//! Positions.

use std::sync::Arc;

use ludex_draw::picture;
use ludex_game::planes::Perspective;
use ludex_game::{Choices, Detail, Marks, Move, Player, PlayerSet, Rng, Turn, View};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList};

use crate::error::{IllegalActionError, guarded};
use crate::game::Game;
use crate::observe;
use crate::source::{Core, Ended, Pickled};

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
    turn: Turn,
    /// The legal moves of a player, once somebody has asked for them.
    choices: Choices,
    /// Whose they are.
    chosen_for: Option<Player>,
    marks: Marks,
    view: View,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            core: self.core.clone(),
            state: self.state.clone(),
            history: self.history.clone(),
            plies: self.plies,
            turn: self.turn,
            choices: Choices::default(),
            chosen_for: None,
            marks: Marks::default(),
            view: View::new(),
        }
    }
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
            choices: Choices::default(),
            chosen_for: None,
            marks: Marks::default(),
            view: View::new(),
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
        if self.plies >= self.core.game.info().max_plies { Turn::Over } else { self.turn }
    }

    /// The only player who moves, or the one named among several.
    pub fn mover(&self, player: Option<i32>) -> PyResult<Player> {
        let player = player.filter(|&player| player >= 0);
        match (self.turn(), player) {
            (Turn::Players(players), None) if players.len() == 1 => {
                Ok(players.first().unwrap_or_default())
            }
            (Turn::Players(players), Some(player)) => {
                let player = Player(u8::try_from(player).unwrap_or(u8::MAX));
                let moves = player.index() < self.core.players() && players.contains(player);
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

    fn choices(&mut self, player: Player) -> &Choices {
        if self.chosen_for != Some(player) {
            let space = self.core.survey().space;
            let (marks, choices) = (&mut self.marks, &mut self.choices);
            self.core.game.choices(&self.state, player, space, marks, choices);
            self.chosen_for = Some(player);
        }
        &self.choices
    }

    /// The legal move with this number.
    pub fn move_of(&mut self, player: Player, action: i64) -> PyResult<Move> {
        let number = u32::try_from(action).ok();
        let found = number.and_then(|number| self.choices(player).find(number));
        let error = || {
            let count = self.choices.count();
            let name = &self.core.game.info().name;
            IllegalActionError::new_err(format!(
                "action {action} is not one of the {count} that {player} has here in {name}"
            ))
        };
        let place = found.ok_or_else(error)?;
        Ok(self.core.game.chosen(&self.state, player, &self.choices, place))
    }

    /// The number of a legal move.
    pub fn number_of(&mut self, player: Player, mv: Move) -> Option<u32> {
        let numbers = self.numbers(player);
        let game = self.core.game.clone();
        numbers.into_iter().find(|&number| {
            let place = self.choices.find(number);
            place.is_some_and(|place| game.chosen(&self.state, player, &self.choices, place) == mv)
        })
    }

    fn numbers(&mut self, player: Player) -> Vec<u32> {
        let choices = self.choices(player);
        let mut numbers = Vec::with_capacity(choices.count() as usize);
        choices.each(|number| numbers.push(number));
        numbers
    }

    /// The legal actions of whoever moves, or of the player named, in order.
    fn legal_numbers(&mut self, player: Option<i32>) -> PyResult<Vec<u32>> {
        match self.turn() {
            Turn::Over => Ok(Vec::new()),
            Turn::Chance => Ok(self.chance_outcomes()?.into_iter().map(|(at, _)| at).collect()),
            Turn::Players(players) => {
                let named = player.and_then(|player| u8::try_from(player).ok()).map(Player);
                if named.is_some_and(|player| !players.contains(player)) {
                    return Ok(Vec::new());
                }
                let player = self.mover(player)?;
                let mut numbers = self.numbers(player);
                if !numbers.is_sorted() {
                    numbers.sort_unstable();
                }
                Ok(numbers)
            }
        }
    }

    /// Outcomes of chance; numbers that seed a draw where they are too many to list.
    fn outcomes(&self) -> Vec<(Move, f64)> {
        let mut outcomes = Vec::new();
        if !self.core.game.chance_outcomes(&self.state, &mut outcomes) {
            outcomes.clear();
        }
        outcomes
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
        self.chosen_for = None;
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
        self.chosen_for = None;
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

#[pymethods]
impl State {
    /// Who moves: a player from nought; -1 chance, -2 several at once, -4 nobody any more.
    fn current_player(&self) -> i32 {
        match self.turn() {
            Turn::Over => TERMINAL,
            Turn::Chance => CHANCE,
            Turn::Players(players) if players.len() > 1 => SIMULTANEOUS,
            Turn::Players(players) => players.first().map_or(TERMINAL, |player| player.0.into()),
        }
    }

    /// The players who move now.
    fn movers(&self) -> Vec<u8> {
        match self.turn() {
            Turn::Players(players) => players.into_iter().map(|player| player.0).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// Whether it ended by the limit of plies and not by its rules.
    fn is_truncated(&self) -> bool {
        self.turn() == Turn::Over && self.turn != Turn::Over
    }

    /// Whether chance moves.
    fn is_chance_node(&self) -> bool {
        self.turn() == Turn::Chance
    }

    /// Whether several players move at once.
    fn is_simultaneous_node(&self) -> bool {
        matches!(self.turn(), Turn::Players(players) if players.len() > 1)
    }

    /// The legal actions of whoever moves, or of the player named; outcomes of chance where it moves.
    #[pyo3(signature = (player=None))]
    fn legal_actions<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<i32>,
    ) -> PyResult<Bound<'py, PyList>> {
        let numbers = guarded(|| self.legal_numbers(player))?;
        // Numbers that Python has already are had faster than new ones.
        let known = self.core.integers(py);
        let integers = numbers.into_iter().map(|number| match known.get(number as usize) {
            Some(integer) => integer.bind(py).clone(),
            None => PyInt::new(py, number),
        });
        PyList::new(py, integers)
    }

    /// Writes the observation and the mask of whoever moves into two arrays at once, as `observation` and
    /// `legal_actions_mask` do.
    fn write(&mut self, observation: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        let core = self.core.clone();
        let Some(planes) = core.planes(Perspective::Mover) else {
            self.observation(observation.py(), None, "mover", Some(observation.clone()))?;
            self.legal_actions_mask(mask.py(), None, Some(mask.clone()))?;
            return Ok(());
        };
        let names = planes.names().len();
        let (shape, size) = match planes.grid() {
            Some((rows, columns)) => ([names, rows, columns], core.survey().space.len() as usize),
            None => ([names, planes.cells(), 0], core.survey().space.len() as usize),
        };
        let shape = &shape[..if planes.grid().is_some() { 3 } else { 2 }];
        let (shown, flags) =
            (given::<u8>(observation, "uint8", shape)?, given::<bool>(mask, "bool", &[size])?);
        let looks = self.observer(None)?;
        // SAFETY: both arrays were checked, and nothing else runs meanwhile.
        let (bytes, flags) = unsafe {
            let flags = flags.as_slice_mut().map_err(|_| strides("mask"))?;
            let flags =
                std::slice::from_raw_parts_mut(flags.as_mut_ptr().cast::<u8>(), flags.len());
            (shown.as_slice_mut().map_err(|_| strides("observation"))?, flags)
        };
        flags.fill(0);
        guarded(|| {
            let (way, view) = (Perspective::Mover, &mut self.view);
            observe::write_planes(&core, &self.state, looks, way, view, bytes);
            if let Turn::Players(_) = self.turn() {
                let player = self.mover(None)?;
                self.choices(player).write_mask(flags);
            }
            Ok(())
        })
    }

    /// The same as an array of true and false, written to `out` where that is given.
    #[pyo3(signature = (player=None, *, out=None))]
    fn legal_actions_mask<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<i32>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let size = self.core.survey().space.len() as usize;
        let array = match out {
            Some(out) => one_row(given::<bool>(&out, "bool", &[size])?)?,
            None => PyArray1::zeros(py, [size], false),
        };
        // SAFETY: the array is contiguous, was checked or made above, and nothing else runs meanwhile.
        let bytes = unsafe {
            let flags = array.as_slice_mut().map_err(|_| strides("out"))?;
            std::slice::from_raw_parts_mut(flags.as_mut_ptr().cast::<u8>(), flags.len())
        };
        bytes.fill(0);
        if let Turn::Players(players) = self.turn() {
            let named = player.and_then(|player| u8::try_from(player).ok()).map(Player);
            if named.is_none_or(|player| players.contains(player)) {
                let player = self.mover(player)?;
                guarded(|| {
                    self.choices(player).write_mask(bytes);
                    Ok(())
                })?;
            }
        }
        Ok(array)
    }

    /// Plays an action, or an outcome of chance.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        if let Turn::Players(players) = self.turn()
            && players.len() > 1
        {
            let text = "several players move at once: use apply_actions";
            return Err(PyValueError::new_err(text));
        }
        guarded(|| self.play(&[action]))
    }

    /// Plays an action for each player; those of players who do not move are ignored.
    fn apply_actions(&mut self, actions: Vec<i64>) -> PyResult<()> {
        let Turn::Players(players) = self.turn() else {
            return Err(PyValueError::new_err("it is not the players' turn"));
        };
        if actions.len() != self.core.players() {
            let (wanted, given) = (self.core.players(), actions.len());
            let text = format!("one action for each of {wanted} players is wanted, not {given}");
            return Err(PyValueError::new_err(text));
        }
        let joint: Vec<i64> = players.into_iter().map(|p| actions[p.index()]).collect();
        guarded(|| self.play(&joint))
    }

    /// The outcomes of chance with their probabilities. Where they are too many to list there are 1,024, each of
    /// which stands for one of them.
    fn chance_outcomes(&self) -> PyResult<Vec<(u32, f64)>> {
        if self.turn() != Turn::Chance {
            return Err(PyValueError::new_err("it is not chance's turn"));
        }
        let outcomes = self.outcomes();
        Ok(match outcomes.len() {
            0 => (0..SEEDS).map(|seed| (seed, 1.0 / f64::from(SEEDS))).collect(),
            _ => (0..).zip(outcomes).map(|(at, (_, odds))| (at, odds)).collect(),
        })
    }

    /// What each player gets: from -1 to 1 at the end of a game, 0 before it and where it was abandoned.
    fn returns(&self) -> Vec<f64> {
        let mut payoffs = vec![0.0; self.core.players()];
        self.core.game.payoffs(&self.state, &mut payoffs);
        let ended = if self.turn == Turn::Over { Ended::ByRules } else { Ended::NotYet };
        self.core.returns(&mut payoffs, self.core.players(), ended);
        payoffs.into_iter().map(f64::from).collect()
    }

    /// What the last action gave each player: nothing before the end.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// Payoffs as the game has them, from 0 to 1; shares of the point before the end.
    fn payoffs(&self) -> Vec<f64> {
        let mut payoffs = vec![0.0; self.core.players()];
        self.core.game.payoffs(&self.state, &mut payoffs);
        payoffs.into_iter().map(f64::from).collect()
    }

    /// The text of a legal action, with the player first or alone as in pyspiel.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&mut self, player_or_action: i64, action: Option<i64>) -> PyResult<String> {
        let (player, action) = match action {
            Some(action) => (Some(player_or_action as i32), action),
            None => (None, player_or_action),
        };
        guarded(|| match self.turn() {
            Turn::Chance => {
                let outcome = self.outcome_of(action)?;
                Ok(self.core.game.move_text(&self.state, None, outcome))
            }
            _ => {
                let player = self.mover(player)?;
                let mv = self.move_of(player, action)?;
                Ok(self.core.game.move_text(&self.state, Some(player), mv))
            }
        })
    }

    /// The legal action with this text.
    #[pyo3(signature = (text, player=None))]
    fn string_to_action(&mut self, text: &str, player: Option<i32>) -> PyResult<i64> {
        guarded(|| {
            let player = self.mover(player)?;
            let mv = self.core.game.parse_move(&self.state, player, text);
            let mv = mv.map_err(|error| IllegalActionError::new_err(error.to_string()))?;
            Ok(self.number_of(player, mv).map_or(-1, i64::from))
        })
    }

    /// The actions so far, those of chance included.
    fn history(&self) -> Vec<i64> {
        self.history.iter().map(|(_, action)| *action).collect()
    }

    /// The same with who took each.
    fn full_history(&self) -> Vec<(i32, i64)> {
        self.history.clone()
    }

    /// How many plies were played, those of chance included.
    fn move_number(&self) -> u32 {
        self.plies
    }

    /// A text from which `Game.deserialize_state` makes the same position.
    fn serialize(&self) -> String {
        let actions: Vec<String> = self.history.iter().map(|(_, one)| one.to_string()).collect();
        actions.join(" ")
    }

    /// A copy.
    #[pyo3(name = "clone")]
    fn copied(&self) -> State {
        self.clone()
    }

    /// The position after an action.
    fn child(&self, action: i64) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// The game.
    fn get_game(&self) -> Game {
        Game { core: self.core.clone() }
    }

    /// The position as planes of small numbers, as a player sees it: of boards uint8, of games without one their
    /// attributes as float32. Written to `out` where that is given.
    #[pyo3(signature = (player=None, *, perspective="mover", out=None))]
    fn observation<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<i32>,
        perspective: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let looks = self.observer(player)?;
        let perspective = observe::perspective(perspective)?;
        let shape = observe::shape(&self.core, perspective);
        if self.core.planes(perspective).is_none() {
            let array = match out {
                Some(out) => given::<f32>(&out, "float32", &shape)?.clone(),
                None => PyArrayDyn::<f32>::zeros(py, shape, false),
            };
            // SAFETY: as for masks.
            let values = unsafe { array.as_slice_mut().map_err(|_| strides("out"))? };
            self.core.game.attribute_values(&self.state, looks, values);
            return Ok(array.into_any());
        }
        let array = match out {
            Some(out) => given::<u8>(&out, "uint8", &shape)?.clone(),
            None => PyArrayDyn::<u8>::zeros(py, shape, false),
        };
        // SAFETY: as for masks.
        let bytes = unsafe { array.as_slice_mut().map_err(|_| strides("out"))? };
        guarded(|| {
            let view = &mut self.view;
            observe::write_planes(&self.core, &self.state, looks, perspective, view, bytes);
            Ok(())
        })?;
        Ok(array.into_any())
    }

    /// The position as pyspiel gives it: float32 in one row, planes of the first player first.
    #[pyo3(signature = (player=None, *, out=None))]
    fn observation_tensor<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<i32>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let looks = self.observer(player)?;
        let size = observe::shape(&self.core, Perspective::Absolute).iter().product();
        let array = match out {
            Some(out) => one_row(given::<f32>(&out, "float32", &[size])?)?,
            None => PyArray1::zeros(py, [size], false),
        };
        // SAFETY: as for masks.
        let values = unsafe { array.as_slice_mut().map_err(|_| strides("out"))? };
        if self.core.planes(Perspective::Absolute).is_none() {
            self.core.game.attribute_values(&self.state, looks, values);
            return Ok(array);
        }
        guarded(|| {
            let (mut bytes, view) = (vec![0; size], &mut self.view);
            let way = Perspective::Absolute;
            observe::write_planes(&self.core, &self.state, looks, way, view, &mut bytes);
            values.iter_mut().zip(bytes).for_each(|(value, byte)| *value = f32::from(byte));
            Ok(())
        })?;
        Ok(array)
    }

    /// The position as text, as a player sees it.
    #[pyo3(signature = (player=None))]
    fn observation_string(&self, player: Option<i32>) -> PyResult<String> {
        let looks = self.observer(player)?;
        let viewer = self.core.game.info().hidden.then_some(looks);
        guarded(|| Ok(self.core.game.show(&self.state, viewer)))
    }

    /// The position as a picture.
    fn svg(&mut self) -> Option<String> {
        let game = &self.core.game;
        let geometry = game.geometry()?;
        game.view(&self.state, None, Detail::Pieces, &mut self.view);
        Some(picture(geometry, &self.view, game.last_move(&self.state)))
    }

    fn _repr_svg_(&mut self) -> Option<String> {
        self.svg()
    }

    /// A number that is the same for the same position.
    fn hash(&self) -> u64 {
        self.core.game.hash(&self.state)
    }

    fn __str__(&self) -> PyResult<String> {
        guarded(|| Ok(self.core.game.show(&self.state, None)))
    }

    fn __repr__(&self) -> String {
        format!("<ludex.State of {} after {} plies>", self.core.game.info().name, self.plies)
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Pickled<'py, (Game, Bound<'py, PyBytes>)>> {
        let again = py.import("ludex")?.getattr("_replayed")?;
        Ok((again, (self.get_game(), PyBytes::new(py, self.serialize().as_bytes()))))
    }
}

/// An array somebody gave, if it is one of this type and shape that is laid out row by row.
fn given<'a, 'py, T: numpy::Element>(
    array: &'a Bound<'py, PyAny>,
    dtype: &str,
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let wanted = || format!("an array of {dtype} with shape {shape:?} is wanted");
    let Ok(typed) = array.cast::<PyArrayDyn<T>>() else {
        let given = match array.getattr("dtype") {
            Ok(dtype) => format!("one of {dtype}"),
            Err(_) => array.get_type().to_string(),
        };
        return Err(PyTypeError::new_err(format!("{}, not {given}", wanted())));
    };
    if typed.shape() != shape {
        let text = format!("{}, not one with shape {:?}", wanted(), typed.shape());
        return Err(PyValueError::new_err(text));
    }
    if !typed.is_c_contiguous() {
        return Err(strides("out"));
    }
    Ok(typed)
}

/// An array that has one row.
fn one_row<'py, T: numpy::Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    Ok(array.clone().into_any().cast_into::<PyArray1<T>>()?)
}

fn strides(name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "`{name}` must be laid out row by row without gaps (C order); numpy.ascontiguousarray makes it so"
    ))
}
