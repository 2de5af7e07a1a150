//! What Python asks of a position.

use ludex_draw::picture;
use ludex_game::planes::Perspective;
use ludex_game::{Detail, PlayerSet, Turn};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::{CHANCE, SIMULTANEOUS, State, TERMINAL, named};
use crate::error::{IllegalActionError, guarded};
use crate::game::Game;
use crate::given::{bytes, given, numbers, one_row, slice_of};
use crate::observe;
use crate::source::{Ended, Pickled};

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
    fn movers(&self) -> Vec<i32> {
        match self.turn() {
            Turn::Players(players) => players.into_iter().map(|player| player.0.into()).collect(),
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

    /// Whether one player moves.
    fn is_player_node(&self) -> bool {
        matches!(self.turn(), Turn::Players(players) if players.len() == 1)
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
        guarded(|| self.list_legal(player))?;
        self.core.list(py, &self.legal.numbers)
    }

    /// Writes the observation and the mask of whoever moves into two arrays at once, as `observation` and
    /// `legal_actions_mask` do, and gives the legal actions: none at the end.
    fn write<'py>(
        &mut self,
        observation: &Bound<'py, PyAny>,
        mask: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = mask.py();
        if self.core.planes(Perspective::Mover).is_none() {
            self.observation(py, None, "mover", Some(observation.clone()))?;
            self.legal_actions_mask(py, None, Some(mask.clone()))?;
            return self.legal_actions(py, None);
        }
        let movers = match self.turn() {
            Turn::Players(players) => players,
            _ => PlayerSet::default(),
        };
        if movers.len() > 1 {
            return Err(PyValueError::new_err("several players move at once: name one"));
        }
        let State { core, state, legal, easel, .. } = self;
        let Some(planes) = core.planes(Perspective::Mover) else { return Ok(PyList::empty(py)) };
        let size = core.survey().space.len() as usize;
        let shown = given::<u8>("observation", observation, planes.shape())?;
        let flags = given::<bool>("mask", mask, &[size])?;
        // SAFETY: both arrays were checked, and nothing else runs meanwhile.
        let (shown, flags) = unsafe { (slice_of(shown), bytes(slice_of(flags))) };
        flags.fill(0);
        guarded(|| {
            easel.write(&*core.game, state, movers.first().unwrap_or_default(), planes, shown);
            let Some(player) = movers.first() else { return Ok(()) };
            legal.of(core, state, player).write_mask(flags);
            legal.list();
            Ok(())
        })?;
        match movers.first() {
            Some(_) => core.list(py, &legal.numbers),
            None => self.legal_actions(py, None),
        }
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
            Some(out) => given::<bool>("out", &out, &[size])?.clone(),
            None => PyArrayDyn::zeros(py, vec![size], false),
        };
        // SAFETY: the array was checked or made above, and nothing else runs meanwhile.
        let flags = unsafe { bytes(slice_of(&array)) };
        flags.fill(0);
        if let Turn::Players(players) = self.turn()
            && named(player).is_none_or(|player| self.is_among(players, player))
        {
            let player = self.mover(player)?;
            guarded(|| {
                self.choices(player).write_mask(flags);
                Ok(())
            })?;
        }
        one_row(&array)
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
    fn apply_actions(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = numbers(actions)?;
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
        guarded(|| self.chances())
    }

    /// What each player gets: from -1 to 1 at the end of a game, 0 before it and where it was abandoned.
    fn returns(&self) -> PyResult<Vec<f64>> {
        let mut payoffs = self.shares()?;
        let ended = if self.turn == Turn::Over { Ended::ByRules } else { Ended::NotYet };
        self.core.returns(&mut payoffs, self.core.players(), ended);
        Ok(payoffs.into_iter().map(f64::from).collect())
    }

    /// What the last action gave each player: nothing before the end.
    fn rewards(&self) -> PyResult<Vec<f64>> {
        self.returns()
    }

    /// What a player gets, as `returns` has it.
    fn player_return(&self, player: usize) -> PyResult<f64> {
        let returns = self.returns()?;
        let error = || PyIndexError::new_err(format!("there is no player {player}"));
        returns.get(player).copied().ok_or_else(error)
    }

    /// What the last action gave a player.
    fn player_reward(&self, player: usize) -> PyResult<f64> {
        self.player_return(player)
    }

    /// Payoffs as the game has them, from 0 to 1; shares of the point before the end.
    fn payoffs(&self) -> PyResult<Vec<f64>> {
        Ok(self.shares()?.into_iter().map(f64::from).collect())
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
    fn full_history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let made = py.import("ludex")?.getattr("PlayerAction")?;
        self.history.iter().map(|&taken| made.call1(taken)).collect()
    }

    /// The actions so far as text.
    fn history_str(&self) -> String {
        let actions: Vec<String> = self.history.iter().map(|(_, one)| one.to_string()).collect();
        actions.join(", ")
    }

    /// How many plies were played, those of chance included.
    fn move_number(&self) -> u32 {
        self.plies
    }

    /// A text from which `Game.deserialize_state` makes the same position.
    fn serialize(&self) -> String {
        self.text()
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

    /// How many play.
    fn num_players(&self) -> usize {
        self.core.players()
    }

    /// Actions are below this.
    fn num_distinct_actions(&self) -> u32 {
        self.core.survey().space.len()
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
        let Some(planes) = self.core.planes(perspective) else {
            let array = match out {
                Some(out) => given::<f32>("out", &out, &shape)?.clone(),
                None => PyArrayDyn::<f32>::zeros(py, shape, false),
            };
            // SAFETY: as for masks.
            let values = unsafe { slice_of(&array) };
            self.write_attributes(looks, values)?;
            return Ok(array.into_any());
        };
        let array = match out {
            Some(out) => given::<u8>("out", &out, &shape)?.clone(),
            None => PyArrayDyn::<u8>::zeros(py, shape, false),
        };
        // SAFETY: as for masks.
        let bytes = unsafe { slice_of(&array) };
        guarded(|| {
            self.easel.write(&*self.core.game, &self.state, looks, planes, bytes);
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
            Some(out) => given::<f32>("out", &out, &[size])?.clone(),
            None => PyArrayDyn::zeros(py, vec![size], false),
        };
        // SAFETY: as for masks.
        let values = unsafe { slice_of(&array) };
        let Some(planes) = self.core.planes(Perspective::Absolute) else {
            self.write_attributes(looks, values)?;
            return one_row(&array);
        };
        guarded(|| {
            let mut bytes = vec![0; size];
            self.easel.write(&*self.core.game, &self.state, looks, planes, &mut bytes);
            values.iter_mut().zip(bytes).for_each(|(value, byte)| *value = f32::from(byte));
            Ok(())
        })?;
        one_row(&array)
    }

    /// The position as text, as a player sees it.
    #[pyo3(signature = (player=None))]
    fn observation_string(&self, player: Option<i32>) -> PyResult<String> {
        let looks = self.observer(player)?;
        let viewer = self.core.game.info().hidden.then_some(looks);
        guarded(|| Ok(self.core.game.show(&self.state, viewer)))
    }

    /// The position as a picture.
    fn svg(&mut self) -> PyResult<Option<String>> {
        guarded(|| {
            let game = &self.core.game;
            let Some(geometry) = game.geometry() else { return Ok(None) };
            let view = &mut self.easel.view;
            game.view(&self.state, None, Detail::Pieces, view);
            Ok(Some(picture(geometry, view, game.last_move(&self.state))))
        })
    }

    fn _repr_svg_(&mut self) -> PyResult<Option<String>> {
        self.svg()
    }

    /// The position as text for a notebook, where there is no board to draw.
    fn _repr_html_(&self) -> PyResult<Option<String>> {
        if self.core.game.geometry().is_some() {
            return Ok(None);
        }
        let text = guarded(|| Ok(self.core.game.show(&self.state, None)))?;
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        Ok(Some(format!("<pre>{text}</pre>")))
    }

    /// A number that is the same for the same position.
    fn hash(&self) -> PyResult<u64> {
        guarded(|| Ok(self.core.game.hash(&self.state)))
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
