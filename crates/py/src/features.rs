//! Patterns around moves, learned as `ludex features learn` learns them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ludex_arena::ArenaError;
use ludex_arena::features::FeatureFile;
use ludex_arena::features::learn::{Plan, Progress, Stage, learn};
use ludex_play::features::learn::Limits;
use ludex_play::search::Stop;
use pyo3::exceptions::{PyFileNotFoundError, PyValueError};
use pyo3::prelude::*;

use crate::error::plain;
use crate::game::Game;
use crate::patience;

/// Learns features for a game by self-play, as `ludex features learn` does, and writes them to a file; gives what was
/// reached, a line for each round and player.
#[pyfunction]
#[pyo3(signature = (game, out, *, games=300, minutes=10.0, simulations=1000, rounds=3, most=12, seed=1, threads=1))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn learn_features(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    out: PathBuf,
    games: u64,
    minutes: f64,
    simulations: u64,
    rounds: u64,
    most: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<String>> {
    let time = Duration::try_from_secs_f64(60.0 * minutes);
    let time = time.map_err(|_| PyValueError::new_err("`minutes` is a number of minutes"))?;
    let core = game.get().core.clone();
    let stop = Stop::default();
    let plan = Plan {
        game: core.game.clone(),
        name: core.source.spec.name.clone(),
        options: core.source.spec.options.clone(),
        games,
        simulations: simulations.max(2),
        rounds: rounds.max(1),
        limits: Limits { features: most, ..Limits::default() },
        time,
        matches: 0,
        seed,
        threads: crate::given::threads(threads)?,
        stop: stop.clone(),
    };
    patience::wait(
        py,
        || stop.raise(),
        move || {
            // Before anything is learned that could not be kept.
            let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let text = format!("{}: there is no such folder", folder.display());
                return Err(PyFileNotFoundError::new_err(text));
            }
            // What an earlier run learned is where this one begins.
            let before = match out.exists() {
                true => {
                    let file = FeatureFile::load(&out).map_err(plain)?;
                    Some(Stage { file, samples: Vec::new() })
                }
                false => None,
            };
            let mut told = Vec::new();
            let save = |stage: &Stage| match plan.stop.is_raised() {
                true => Ok(()),
                false => write_whole(&out, &stage.file.to_text())
                    .map_err(|error| ArenaError::Rules(format!("{}: {error}", out.display()))),
            };
            learn(&plan, before, |progress| told.push(line(&progress)), save).map_err(plain)?;
            Ok(told)
        },
    )
}

fn line(progress: &Progress) -> String {
    match progress {
        Progress::Played { round, games, samples } => {
            format!("round {round}: {games} games, {samples} positions")
        }
        Progress::Learned { player, features, curve } => {
            let last = curve.last().copied().unwrap_or_default();
            let who = player.map_or("all players".to_string(), |n| format!("player {}", n + 1));
            format!("{who}: {features} features, cross-entropy {last:.4}")
        }
        Progress::Checked { score } => {
            format!("{:.1}% against uct", 100.0 * score.mean().unwrap_or(0.5))
        }
    }
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("toml.part");
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}
