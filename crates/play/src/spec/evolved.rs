//! The text form of an agent that judges by an evolved formula.

use std::fmt;

use ludex_game::{Game, GameError};

use super::text::Part;
use super::{Describe, SpecError, visit};
use crate::evolve::Formula;
use crate::expectimax::SAMPLES;

/// A depth-one expectimax with a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct EvolvedSpec {
    /// The file that holds the formula; whoever reads files puts it into [`EvolvedSpec::formula`].
    pub file: Option<String>,
    /// The formula.
    pub formula: Option<String>,
    /// How many draws judge a decision.
    pub samples: u64,
}

impl Default for EvolvedSpec {
    fn default() -> Self {
        EvolvedSpec { file: None, formula: None, samples: SAMPLES as u64 }
    }
}

impl EvolvedSpec {
    pub(super) const NAME: &'static str = "evolved";

    /// The formula, in the names of a game's attributes.
    pub fn read(&self, game: &dyn Game) -> Result<Formula, GameError> {
        let refuse = |reason: String| GameError::Options(reason);
        let Some(text) = &self.formula else {
            return Err(refuse("an evolved agent needs a file or a formula".to_string()));
        };
        let formula = Formula::parse(text, game.attributes());
        formula.map_err(|error| refuse(format!("{error} ({})", game.info().name)))
    }

    /// The text with every setting, and with the formula instead of the file that it came from.
    pub(super) fn full(&self) -> String {
        let mut ours = self.clone();
        if ours.formula.is_some() {
            ours.file = None;
        }
        let mut out = String::new();
        visit::write(&mut out, Self::NAME, |d| ours.describe(d), |_| {});
        out
    }

    pub(super) fn read_part(text: &str, part: &Part) -> Result<EvolvedSpec, SpecError> {
        let mut spec = EvolvedSpec::default();
        let part = part.with_file_first();
        visit::read_into(text, &part, |reader| spec.describe(reader))?;
        if spec.file.is_none() && spec.formula.is_none() {
            let message = "`evolved` needs a file: `evolved(best.toml)`".to_string();
            return Err(SpecError { text: text.to_string(), span: part.name.span, message });
        }
        Ok(spec)
    }

    pub(super) fn describe(&mut self, describe: &mut dyn Describe) {
        describe.text("file", &mut self.file, "the file that holds the formula");
        describe.text("formula", &mut self.formula, "the formula itself");
        describe.count("samples", &mut self.samples, 1..=100_000, "draws that judge a decision");
    }
}

impl fmt::Display for EvolvedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut ours, mut usual) = (self.clone(), EvolvedSpec::default());
        // A formula that was read from a file is named by the file.
        if ours.file.is_some() {
            ours.formula = None;
        }
        let mut out = String::new();
        visit::write(&mut out, Self::NAME, |d| ours.describe(d), |d| usual.describe(d));
        f.write_str(&out)
    }
}
