//! Positions as arrays of numbers.

use ludex_game::planes::{Kept, Perspective, Planes};
use ludex_game::{Game, Player, State, View};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::source::Core;

/// A perspective by its name.
pub fn perspective(name: &str) -> PyResult<Perspective> {
    match name {
        "mover" => Ok(Perspective::Mover),
        "absolute" => Ok(Perspective::Absolute),
        _ => {
            let text = format!("there is no perspective `{name}`: \"mover\" or \"absolute\"");
            Err(PyValueError::new_err(text))
        }
    }
}

/// The shape of an observation; of games without a board, how many attributes they have.
pub fn shape(core: &Core, perspective: Perspective) -> Vec<usize> {
    match core.planes(perspective) {
        Some(planes) => planes.shape().to_vec(),
        None => vec![core.game.attributes().len()],
    }
}

/// What the parts of an observation are.
pub fn channels(core: &Core, perspective: Perspective) -> Vec<String> {
    match core.planes(perspective) {
        Some(planes) => planes.names().to_vec(),
        None => core.game.attributes().to_vec(),
    }
}

/// Memory in which positions are prepared to be shown.
#[derive(Default)]
pub struct Easel {
    kept: Kept,
    pub view: View,
}

impl Easel {
    /// Writes planes of a position.
    pub fn write(
        &mut self,
        game: &dyn Game,
        state: &State,
        looks: Player,
        planes: &Planes,
        out: &mut [u8],
    ) {
        game.write_planes(state, planes, looks, &mut self.kept, &mut self.view, out);
    }
}
