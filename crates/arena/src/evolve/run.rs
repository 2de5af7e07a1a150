//! An evolution from beginning to end, kept in a file on the way.

use std::path::PathBuf;

use ludex_play::evolve::{Config, Evolution, Individual, Past};

use super::file::{RunFile, fault};
use super::training::Training;
use crate::ArenaError;

/// A run over a training.
pub struct Run {
    training: Training,
    evolution: Evolution,
    started_with: String,
    checkpoint: Option<PathBuf>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Births so far, the first population included.
    pub births: u64,
    /// Births in the end.
    pub last_birth: u64,
    /// The best fitness so far.
    pub best: f64,
    /// The mean fitness of who lives.
    pub mean: f64,
    /// The mean size of who lives.
    pub size: f64,
}

impl Run {
    /// A run, or what is left of one that `checkpoint` holds. A checkpoint of another run is refused.
    pub fn new(
        training: Training,
        config: Config,
        checkpoint: Option<PathBuf>,
    ) -> Result<Run, ArenaError> {
        let names = training.game().attributes().to_vec();
        if names.is_empty() {
            let game = training.game().info().name.clone();
            return Err(ArenaError::NoAttributes { game });
        }
        let started_with = started_with(&training, &config);
        let seed = training.plan().seed;
        let mut evolution = Evolution::new(config.clone(), names.len(), seed);
        if let Some(path) = &checkpoint
            && let Some(file) = RunFile::load(path)?
        {
            if file.started_with != started_with {
                let reason = format!("it holds another run: {}", file.started_with);
                return Err(fault(path, reason));
            }
            let read = |one: &super::file::IndividualFile| one.individual(&names, path);
            let past = Past {
                population: file.population.iter().map(read).collect::<Result<_, _>>()?,
                best: file.best.as_ref().map(read).transpose()?,
                births: file.births,
                known: file.known(path)?,
            };
            evolution = Evolution::restored(config, names.len(), seed, past);
        }
        Ok(Run { training, evolution, started_with, checkpoint })
    }

    /// Goes on to the end, or until `progress` says to stop; it is called after every birth. The run is
    /// kept in its file once a generation and at the end.
    pub fn go_on(&mut self, mut progress: impl FnMut(&Progress) -> bool) -> Result<(), ArenaError> {
        let generation = self.evolution.config().population as u64;
        loop {
            let asked = self.evolution.ask();
            if asked.is_empty() {
                return self.keep();
            }
            let mut judged = Vec::with_capacity(asked.len());
            for formula in &asked {
                judged.push(self.training.judge(formula));
                let under_way = judged.len() < asked.len();
                if under_way && !progress(&self.progress(judged.len() as u64)) {
                    return self.keep();
                }
            }
            self.evolution.tell(asked, judged);
            let go_on = progress(&self.progress(0));
            if !go_on || self.evolution.births().is_multiple_of(generation) {
                self.keep()?;
            }
            if !go_on {
                return Ok(());
            }
        }
    }

    /// The fittest so far.
    pub fn best(&self) -> Option<&Individual> {
        self.evolution.best()
    }

    /// The training.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// Whether nothing is left to do.
    pub fn is_over(&self) -> bool {
        self.evolution.births() >= self.evolution.last_birth()
    }

    fn progress(&self, under_way: u64) -> Progress {
        Progress {
            births: self.evolution.births() + under_way,
            last_birth: self.evolution.last_birth(),
            best: self.evolution.best().map_or(0.0, Individual::fitness),
            mean: self.evolution.mean(),
            size: self.evolution.mean_size(),
        }
    }

    fn keep(&self) -> Result<(), ArenaError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let names = self.training.game().attributes();
        RunFile::of(&self.evolution, &self.started_with, names).save(path)
    }
}

/// All that decides what a run does; not how many threads it does it on.
fn started_with(training: &Training, config: &Config) -> String {
    let plan = training.plan();
    format!(
        "{} against {} ({:?}), {} x {} matches, {} samples, seed {}, {config:?}",
        training.game().info().name,
        plan.opponent,
        plan.budget.simulations,
        plan.configurations,
        plan.deals,
        plan.samples,
        plan.seed,
    )
}
