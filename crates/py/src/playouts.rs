//! Complete games of random moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ludex_game::playout::{Sampling, Scratch, Style};
use ludex_game::{Coding, Rng, Turn};
use ludex_play::search::Stop;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::patience;
use crate::source::{Core, Ended};

/// Games are played so many at a time by one thread, with random numbers of their own: which ones does not depend on
/// the number of threads.
const TOGETHER: usize = 256;

/// How complete games of random moves ended.
#[pyclass(module = "ludex", frozen)]
pub struct Playouts {
    /// What each player got, `(n, players)`.
    #[pyo3(get)]
    returns: Py<PyArray2<f32>>,
    /// How many plies each game had.
    #[pyo3(get)]
    lengths: Py<PyArray1<i32>>,
}

#[pymethods]
impl Playouts {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.lengths.bind(py).len().unwrap_or(0)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<ludex.Playouts of {} games>", self.__len__(py))
    }
}

/// Plays them.
pub fn run(
    py: Python<'_>,
    core: &Arc<Core>,
    count: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Playouts> {
    let players = core.players();
    let (stop, core) = (Stop::default(), core.clone());
    let halt = stop.clone();
    let (returns, lengths) = patience::wait(
        py,
        || halt.raise(),
        move || {
            let (mut returns, mut lengths) = (vec![0.0f32; count * players], vec![0i32; count]);
            let next = AtomicUsize::new(0);
            let parts =
                returns.chunks_mut((TOGETHER * players).max(1)).zip(lengths.chunks_mut(TOGETHER));
            let mut parts: Vec<_> = parts.map(Some).collect();
            let parts: Vec<_> =
                parts.iter_mut().map(|part| std::sync::Mutex::new(part.take())).collect();
            let play = || {
                let mut game = Player::new(&core);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = parts.get(at) else { return };
                    let part = part.lock().ok().and_then(|mut part| part.take());
                    let Some((returns, lengths)) = part else { return };
                    let mut rng = Rng::stream(seed, at as u64);
                    for (returns, length) in returns.chunks_mut(players.max(1)).zip(lengths) {
                        if stop.is_raised() {
                            return;
                        }
                        *length = game.play(&mut rng, returns);
                    }
                }
            };
            std::thread::scope(|scope| {
                for _ in 1..threads.max(1) {
                    scope.spawn(play);
                }
                play();
            });
            drop(parts);
            Ok((returns, lengths))
        },
    )?;
    let returns = returns.into_pyarray(py).reshape([count, players])?.unbind();
    Ok(Playouts { returns, lengths: lengths.into_pyarray(py).unbind() })
}

/// Whoever plays games out on one thread.
struct Player<'a> {
    core: &'a Core,
    start: ludex_game::State,
    state: ludex_game::State,
    sampling: Sampling,
    scratch: Scratch,
}

impl<'a> Player<'a> {
    fn new(core: &'a Core) -> Self {
        let start = core.game.start();
        Player {
            core,
            state: start.clone(),
            start,
            sampling: Sampling::Uniform(Coding::Plain),
            scratch: Scratch::default(),
        }
    }

    fn play(&mut self, rng: &mut Rng, returns: &mut [f32]) -> i32 {
        let (game, state) = (&self.core.game, &mut self.state);
        state.copy_from(&self.start);
        let plies =
            game.playout(state, &mut self.sampling, Style::Optimised, &mut self.scratch, rng);
        game.payoffs(state, returns);
        let over = game.turn(state) == Turn::Over;
        self.core.returns(returns, if over { Ended::ByRules } else { Ended::NotYet });
        plies as i32
    }
}
