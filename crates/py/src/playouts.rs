//! Complete games of random moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ludex_game::{Rng, State};
use ludex_play::search::Stop;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::given::{room, threads as so_many};
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
    let threads = so_many(threads)?;
    room(count, 4 * (players + 1), "games")?;
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
                let start = core.game.start();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = parts.get(at) else { return };
                    let part = part.lock().ok().and_then(|mut part| part.take());
                    let Some((returns, lengths)) = part else { return };
                    let mut rng = Rng::stream(seed, at as u64);
                    play_part(&core, &start, &mut rng, returns, lengths, &stop);
                    if stop.is_raised() {
                        return;
                    }
                }
            };
            std::thread::scope(|scope| {
                for _ in 1..threads.min(parts.len()) {
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

/// Plays as many games as there are lengths, unless it is stopped before.
fn play_part(
    core: &Core,
    start: &State,
    rng: &mut Rng,
    returns: &mut [f32],
    lengths: &mut [i32],
    stop: &Stop,
) {
    let players = core.players().max(1);
    let mut games = returns.chunks_exact_mut(players).zip(lengths);
    let Some(mut game) = games.next() else { return };
    core.game.playouts(start, rng, &mut |played| {
        let (returns, length) = &mut game;
        returns.copy_from_slice(played.payoffs);
        core.returns(returns, players, if played.over { Ended::ByRules } else { Ended::NotYet });
        **length = played.plies as i32;
        match games.next() {
            Some(next) if !stop.is_raised() => game = next,
            _ => return false,
        }
        true
    });
}
