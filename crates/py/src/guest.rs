//! Players written in Python among those written in Rust.

use std::sync::{Arc, Mutex};

use ludex_arena::engine::Guest;
use ludex_game::{Move, Player, State as Position};
use ludex_play::agent::{Agent, Choice};
use ludex_play::search::{Budget, Stop};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::source::Core;
use crate::state::State;

/// The first exception that a player raised.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// A Python object with a method `choose(state, budget)`. Its first exception ends the series and is kept in `raised`.
pub fn guest(
    name: String,
    player: Py<PyAny>,
    core: &Arc<Core>,
    stop: &Stop,
    raised: &Raised,
) -> Guest {
    let (core, stop, raised) = (core.clone(), stop.clone(), raised.clone());
    Guest::new(name, move |_, _| {
        Box::new(Seated {
            player: Python::attach(|py| player.clone_ref(py)),
            state: State::start(&core),
            stop: stop.clone(),
            raised: raised.clone(),
        })
    })
}

struct Seated {
    player: Py<PyAny>,
    /// The match so far, with its actions.
    state: State,
    stop: Stop,
    raised: Raised,
}

impl Seated {
    fn ask(&mut self, player: Player, budget: Budget) -> PyResult<Move> {
        let action: i64 = Python::attach(|py| {
            let limits = PyDict::new(py);
            limits.set_item("simulations", budget.simulations)?;
            limits.set_item("time", budget.time.map(|time| time.as_secs_f64()))?;
            limits.set_item("player", player.0)?;
            let state = Bound::new(py, self.state.clone())?;
            self.player.bind(py).call_method1("choose", (state, limits))?.extract()
        })?;
        self.state.move_of(player, action)
    }
}

impl Agent for Seated {
    fn choose(&mut self, state: &Position, player: Player, budget: Budget) -> Choice {
        // Once the series is given up, nobody may be there any more who could answer.
        if !self.stop.is_raised() {
            match self.ask(player, budget) {
                Ok(mv) => return Choice { mv, report: None },
                Err(error) => {
                    if let Ok(mut raised) = self.raised.lock() {
                        raised.get_or_insert(error);
                    }
                    self.stop.raise();
                }
            }
        }
        // The match is given up before this is played.
        let mut moves = Vec::new();
        self.state.core().game.moves(state, player, &mut moves);
        Choice { mv: moves.first().copied().unwrap_or_default(), report: None }
    }

    fn played(&mut self, _: &Position, joint: &[Move]) {
        let _ = self.state.play_moves(joint);
    }
}
