//! The text form of a minimax search and of what it judges by: `alphabeta(quiet=4) + eval(weights.toml)`.

use std::fmt;
use std::sync::Arc;

use ludex_game::{Game, GameError};

use super::text::Part;
use super::{Describe, Settings, SpecError, visit};
use crate::evaluation::{Attributed, Evaluation, Weights};
use crate::evolve::Formula;
use crate::minimax::AlphaBetaSettings;

/// A searching agent that judges positions.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MinimaxSpec {
    /// The search.
    pub search: AlphaBetaSettings,
    /// What it judges by; nothing: by weights that need no learning.
    pub eval: Option<EvalSpec>,
}

/// What positions are judged by.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EvalSpec {
    /// The file that holds the weights or the formula; whoever reads files puts it into
    /// [`EvalSpec::weights`] or [`EvalSpec::formula`].
    pub file: Option<String>,
    /// The weights.
    pub weights: Option<Arc<Weights>>,
    /// A formula over the game's own attributes.
    pub formula: Option<String>,
}

impl EvalSpec {
    pub(super) const NAME: &'static str = "eval";

    pub(super) fn read_part(text: &str, part: &Part) -> Result<EvalSpec, SpecError> {
        let mut spec = EvalSpec::default();
        let part = part.with_file_first();
        visit::read_into(text, &part, |reader| spec.describe(reader))?;
        if spec.file.is_none() && spec.formula.is_none() {
            let message = "`eval` needs a file: `eval(weights.toml)`".to_string();
            return Err(SpecError { text: text.to_string(), span: part.name.span, message });
        }
        Ok(spec)
    }

    pub(super) fn describe(&mut self, describe: &mut dyn Describe) {
        describe.text("file", &mut self.file, "the file of weights, or of an evolved formula");
        describe.text("formula", &mut self.formula, "a formula over the game's attributes");
    }

    /// An evaluation of a game's positions.
    pub fn build(&self, game: &dyn Game) -> Result<Box<dyn Evaluation>, GameError> {
        let refuse = |reason: String| GameError::Options(reason);
        if let Some(weights) = &self.weights {
            let linear = weights.build(game).map_err(|error| refuse(error.to_string()))?;
            return Ok(Box::new(linear));
        }
        let Some(text) = &self.formula else {
            return Err(refuse("an evaluation needs a file or a formula".to_string()));
        };
        let formula = Formula::parse(text, game.attributes());
        let formula = formula.map_err(|error| refuse(format!("{error} ({})", game.info().name)))?;
        Ok(Box::new(Attributed::new(game, formula)))
    }

    pub(super) fn write(&self, out: &mut String) {
        let (mut ours, mut usual) = (self.clone(), EvalSpec::default());
        // What was read from a file is named by the file.
        if ours.file.is_some() {
            ours.formula = None;
        }
        visit::write(out, Self::NAME, |d| ours.describe(d), |d| usual.describe(d));
    }
}

impl MinimaxSpec {
    pub(super) fn read(text: &str, first: &Part, rest: &[Part]) -> Result<MinimaxSpec, SpecError> {
        let mut spec = MinimaxSpec { search: visit::read(text, first)?, eval: None };
        for part in rest {
            let fault = |message: String| SpecError {
                text: text.to_string(),
                span: part.name.span.clone(),
                message,
            };
            match part.name.text.as_str() {
                EvalSpec::NAME if spec.eval.is_some() => {
                    return Err(fault("`eval` is said twice".to_string()));
                }
                EvalSpec::NAME => spec.eval = Some(EvalSpec::read_part(text, part)?),
                name => {
                    let message =
                        format!("`{name}` does not go with `alphabeta`; `eval(FILE)` does");
                    return Err(fault(message));
                }
            }
        }
        Ok(spec)
    }

    /// The text with every setting, and with what weights are instead of where they came from.
    pub(super) fn full(&self) -> String {
        let (mut search, mut out) = (self.search, String::new());
        visit::write(&mut out, AlphaBetaSettings::NAME, |d| search.describe(d), |_| {});
        let weights = self.eval.as_ref().and_then(|eval| eval.weights.as_ref());
        match (&self.eval, weights) {
            (_, Some(weights)) => {
                let content = weights.content();
                out.push_str(&format!(" + eval(weights={content:016x})"));
            }
            (Some(eval), None) => {
                out.push_str(" + ");
                let file = eval.file.clone().filter(|_| eval.formula.is_none());
                let mut eval = EvalSpec { file, ..eval.clone() };
                visit::write(&mut out, EvalSpec::NAME, |d| eval.describe(d), |_| {});
            }
            (None, None) => out.push_str(" + eval(plain)"),
        }
        out
    }

    /// What the search judges by, for a game.
    pub fn evaluation(&self, game: &dyn Game) -> Result<Box<dyn Evaluation>, GameError> {
        match &self.eval {
            Some(eval) => eval.build(game),
            None => {
                let linear = Weights::plain(game).build(game);
                let linear = linear.map_err(|error| GameError::Options(error.to_string()))?;
                Ok(Box::new(linear))
            }
        }
    }
}

impl fmt::Display for MinimaxSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut ours, mut usual) = (self.search, AlphaBetaSettings::default());
        let mut out = String::new();
        let name = AlphaBetaSettings::NAME;
        visit::write(&mut out, name, |d| ours.describe(d), |d| usual.describe(d));
        if let Some(eval) = &self.eval {
            out.push_str(" + ");
            eval.write(&mut out);
        }
        f.write_str(&out)
    }
}
