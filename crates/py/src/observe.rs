//! Positions as arrays of numbers.

use ludex_game::planes::Perspective;
use ludex_game::{Player, State, View};
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
        Some(planes) => match planes.grid() {
            Some((rows, columns)) => vec![planes.names().len(), rows, columns],
            None => vec![planes.names().len(), planes.cells()],
        },
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

/// Writes the planes of a position with a board.
pub fn write_planes(
    core: &Core,
    state: &State,
    looks: Player,
    perspective: Perspective,
    view: &mut View,
    out: &mut [u8],
) {
    let Some(planes) = core.planes(perspective) else { return };
    let game = &core.game;
    game.plane_view(state, game.info().hidden.then_some(looks), planes.detail(), view);
    planes.write(view, game.plane_last(state), looks, out);
}
