//! The Python package `ludex`: games, players and experiments for programs written in Python.
//!
//! Nothing here decides anything about games. What Python sees is in `python/ludex`, this crate is its private part.

mod agent;
mod arena;
mod buffers;
mod crew;
mod error;
mod features;
mod game;
mod given;
mod guest;
mod judge;
mod matches;
mod network;
mod observe;
mod patience;
mod playouts;
mod source;
mod state;
mod vector;

use pyo3::prelude::*;

/// What the Python files of the package are built on.
#[pymodule(gil_used = false)]
mod _ludex {
    use super::*;

    #[pymodule_export]
    use super::agent::{Agent, SearchResult};
    #[pymodule_export]
    use super::arena::{fingerprint, merge, missing_matches, report, run_experiment};
    #[pymodule_export]
    use super::error::{GameError, IllegalActionError, InternalError, RulesError, fail};
    #[pymodule_export]
    use super::features::learn_features;
    #[pymodule_export]
    use super::game::{Game, games, load, offers};
    #[pymodule_export]
    use super::judge::{Evaluation, judge};
    #[pymodule_export]
    use super::matches::{MatchResult, play_series};
    #[pymodule_export]
    use super::network::SearchBatch;
    #[pymodule_export]
    use super::playouts::Playouts;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::vector::{Rng, Vector};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
