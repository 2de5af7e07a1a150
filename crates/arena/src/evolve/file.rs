//! Formulas and unfinished runs as TOML.

use std::collections::BTreeSet;
use std::path::Path;

use ludex_play::evolve::{Evolution, Formula, Individual, Judged};
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::ArenaError;

/// An evolved evaluation in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormulaFile {
    /// The game whose attributes it is made of, as on the command line.
    pub game: String,
    /// The formula, simplified.
    pub formula: String,
    /// Its fitness in training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitness: Option<f64>,
    /// Which birth it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<u64>,
    /// The seed of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl FormulaFile {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<FormulaFile, ArenaError> {
        let text = read(path)?;
        toml::from_str(&text).map_err(|error| fault(path, error.to_string()))
    }

    /// Writes a file.
    pub fn save(&self, path: &Path) -> Result<(), ArenaError> {
        let text = toml::to_string(self).map_err(|error| fault(path, error.to_string()))?;
        write_whole(path, &text)
    }
}

/// The agent with the formula of the file that it names, if it names one, looked for in `folder`.
pub fn with_formula(mut spec: AgentSpec, folder: &Path) -> Result<AgentSpec, ArenaError> {
    if let AgentSpec::Evolved(evolved) = &mut spec
        && let (Some(file), None) = (&evolved.file, &evolved.formula)
    {
        evolved.formula = Some(FormulaFile::load(&folder.join(file))?.formula);
    }
    Ok(spec)
}

/// A run that was stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunFile {
    /// What the run was started with; it goes on only with the same.
    pub started_with: String,
    pub births: u64,
    /// What all who were ever born come down to, in hexadecimal.
    known: String,
    pub best: Option<IndividualFile>,
    pub population: Vec<IndividualFile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct IndividualFile {
    pub formula: String,
    pub fitness: f64,
    pub born: u64,
    /// A `1` for each match in which it achieved something, a `0` for the others.
    achieved: String,
}

impl RunFile {
    pub fn of(evolution: &Evolution, started_with: &str, names: &[String]) -> RunFile {
        let individual = |one: &Individual| IndividualFile {
            formula: one.formula.to_text(names),
            fitness: one.judged.fitness,
            born: one.born,
            achieved: one.judged.achieved.iter().map(|&won| if won { '1' } else { '0' }).collect(),
        };
        let known = evolution.past().known.iter().map(|known| format!("{known:016x}"));
        RunFile {
            started_with: started_with.to_string(),
            births: evolution.births(),
            known: known.collect::<Vec<_>>().join(" "),
            best: evolution.best().map(individual),
            population: evolution.population().iter().map(individual).collect(),
        }
    }

    /// What all who were ever born come down to.
    pub fn known(&self, path: &Path) -> Result<BTreeSet<u64>, ArenaError> {
        let number = |word| u64::from_str_radix(word, 16);
        let known = self.known.split_whitespace().map(number).collect::<Result<_, _>>();
        known.map_err(|error| fault(path, format!("known: {error}")))
    }

    /// The run in the file, if there is one.
    pub fn load(path: &Path) -> Result<Option<RunFile>, ArenaError> {
        if !path.exists() {
            return Ok(None);
        }
        let read = toml::from_str(&read(path)?);
        read.map(Some).map_err(|error| fault(path, error.to_string()))
    }

    pub fn save(&self, path: &Path) -> Result<(), ArenaError> {
        let text = toml::to_string(self).map_err(|error| fault(path, error.to_string()))?;
        write_whole(path, &text)
    }
}

impl IndividualFile {
    pub fn individual(&self, names: &[String], path: &Path) -> Result<Individual, ArenaError> {
        let formula = Formula::parse(&self.formula, names);
        let formula = formula.map_err(|error| fault(path, error.to_string()))?;
        let achieved = self.achieved.chars().map(|mark| mark == '1').collect();
        let judged = Judged { fitness: self.fitness, achieved };
        Ok(Individual { formula, judged, born: self.born })
    }
}

pub(crate) fn read(path: &Path) -> Result<String, ArenaError> {
    std::fs::read_to_string(path).map_err(|error| fault(path, error.to_string()))
}

/// Either the old or the new file is there, whenever the program is stopped.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), ArenaError> {
    let aside = path.with_extension("new");
    std::fs::write(&aside, text).map_err(|error| fault(&aside, error.to_string()))?;
    std::fs::rename(&aside, path).map_err(|error| fault(path, error.to_string()))
}

pub(crate) fn fault(path: &Path, reason: String) -> ArenaError {
    ArenaError::Unusable { path: path.display().to_string(), reason }
}
