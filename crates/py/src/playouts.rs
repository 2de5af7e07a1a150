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
                    if !game.play(&mut rng, returns, lengths, &stop) {
                        return;
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

    /// Plays as many games as there are lengths; `false` where it was stopped before.
    fn play(
        &mut self,
        rng: &mut Rng,
        returns: &mut [f32],
        lengths: &mut [i32],
        stop: &Stop,
    ) -> bool {
        let (game, state) = (&*self.core.game, &mut self.state);
        let (limit, players) = (game.info().max_plies, self.core.players().max(1));
        for (payoffs, length) in returns.chunks_mut(players).zip(&mut *lengths) {
            if stop.is_raised() {
                return false;
            }
            state.copy_from(&self.start);
            let (sampling, scratch) = (&mut self.sampling, &mut self.scratch);
            let plies = game.playout(state, sampling, Style::Optimised, scratch, rng);
            game.payoffs(state, payoffs);
            // A game that was abandoned has reached the limit; few that have were.
            let abandoned = plies >= limit && game.turn(state) != Turn::Over;
            *length = if abandoned { -(plies as i32) } else { plies as i32 };
        }
        self.core.returns(returns, players, Ended::ByRules);
        for (returns, length) in returns.chunks_mut(players).zip(lengths) {
            if *length < 0 {
                *length = -*length;
                self.core.returns(returns, players, Ended::NotYet);
            }
        }
        true
    }
}
