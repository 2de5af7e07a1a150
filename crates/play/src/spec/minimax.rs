//! The text form of minimax searches and of what they judge by: `alphabeta(quiet=4) + eval(weights.toml)`, `ubfm`.

use std::fmt;
use std::sync::Arc;

use ludex_game::{Game, GameError};

use super::text::Part;
use super::{Describe, Settings, SpecError, visit};
use crate::evaluation::{Attributed, Evaluation, Linear, Weights};
use crate::evolve::Formula;
use crate::minimax::{AlphaBetaSettings, BestFirstSettings};

/// A searching agent that judges positions.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MinimaxSpec {
    /// The search.
    pub search: MinimaxSearch,
    /// What it judges by; nothing: by weights that need no learning.
    pub eval: Option<EvalSpec>,
}

/// Which minimax search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MinimaxSearch {
    /// Deeper and deeper.
    AlphaBeta(AlphaBetaSettings),
    /// Along the best line.
    BestFirst(BestFirstSettings),
}

impl Default for MinimaxSearch {
    fn default() -> Self {
        MinimaxSearch::AlphaBeta(AlphaBetaSettings::default())
    }
}

impl MinimaxSearch {
    /// The search of this name with its usual settings.
    pub(super) fn named(name: &str) -> Option<MinimaxSearch> {
        let all =
            [MinimaxSearch::default(), MinimaxSearch::BestFirst(BestFirstSettings::default())];
        all.into_iter().find(|search| search.name() == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            MinimaxSearch::AlphaBeta(_) => AlphaBetaSettings::NAME,
            MinimaxSearch::BestFirst(_) => BestFirstSettings::NAME,
        }
    }

    fn describe(&mut self, describe: &mut dyn Describe) {
        match self {
            MinimaxSearch::AlphaBeta(settings) => settings.describe(describe),
            MinimaxSearch::BestFirst(settings) => settings.describe(describe),
        }
    }

    /// How many threads it thinks with.
    pub fn threads(&self) -> usize {
        match self {
            MinimaxSearch::AlphaBeta(settings) => settings.threads.max(1) as usize,
            MinimaxSearch::BestFirst(_) => 1,
        }
    }

    /// Lets it think with so many threads, where it can.
    pub fn set_threads(&mut self, threads: usize) {
        if let MinimaxSearch::AlphaBeta(settings) = self {
            settings.threads = threads.max(1) as u64;
        }
    }
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

    /// Evaluations of a game's positions, one for each of so many threads.
    pub fn build_for(
        &self,
        game: &dyn Game,
        threads: usize,
    ) -> Result<Vec<Box<dyn Evaluation>>, GameError> {
        let refuse = |reason: String| GameError::Options(reason);
        let threads = 0..threads.max(1);
        if let Some(weights) = &self.weights {
            let fitted = weights.fit(game).map_err(|error| refuse(error.to_string()))?;
            let linear = |_| -> Box<dyn Evaluation> {
                Box::new(Linear::new(fitted.0.clone(), fitted.1.clone()))
            };
            return Ok(threads.map(linear).collect());
        }
        let Some(text) = &self.formula else {
            return Err(refuse("an evaluation needs a file or a formula".to_string()));
        };
        let formula = Formula::parse(text, game.attributes());
        let formula = formula.map_err(|error| refuse(format!("{error} ({})", game.info().name)))?;
        let judge = |_| -> Box<dyn Evaluation> { Box::new(Attributed::new(game, formula.clone())) };
        Ok(threads.map(judge).collect())
    }

    pub(super) fn write(&self, out: &mut String) {
        // What has no name is known by its content.
        if let (None, Some(weights)) = (&self.file, &self.weights) {
            out.push_str(&format!("{}(weights={:016x})", Self::NAME, weights.content()));
            return;
        }
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
        let mut search = MinimaxSearch::named(&first.name.text).unwrap_or_default();
        visit::read_into(text, first, |reader| search.describe(reader))?;
        let mut spec = MinimaxSpec { search, eval: None };
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
                    let search = spec.search.name();
                    let message =
                        format!("`{name}` does not go with `{search}`; `eval(FILE)` does");
                    return Err(fault(message));
                }
            }
        }
        Ok(spec)
    }

    /// The text with every setting, and with what weights are instead of where they came from.
    pub(super) fn full(&self) -> String {
        let (mut search, mut out) = (self.search, String::new());
        visit::write(&mut out, self.search.name(), |d| search.describe(d), |_| {});
        write_full(self.eval.as_ref(), &mut out);
        out
    }
}

/// Adds what a search judges by, with what weights are instead of where they came from.
pub(super) fn write_full(eval: Option<&EvalSpec>, out: &mut String) {
    let weights = eval.and_then(|eval| eval.weights.as_ref());
    match (eval, weights) {
        (_, Some(weights)) => {
            let content = weights.content();
            out.push_str(&format!(" + eval(weights={content:016x})"));
        }
        (Some(eval), None) => {
            out.push_str(" + ");
            let file = eval.file.clone().filter(|_| eval.formula.is_none());
            let mut eval = EvalSpec { file, ..eval.clone() };
            visit::write(out, EvalSpec::NAME, |d| eval.describe(d), |_| {});
        }
        (None, None) => out.push_str(" + eval(plain)"),
    }
}

/// One evaluation of a game for each of so many threads; without a word about it, by weights that need no learning.
pub(crate) fn evaluations(
    eval: Option<&EvalSpec>,
    game: &dyn Game,
    threads: usize,
) -> Result<Vec<Box<dyn Evaluation>>, GameError> {
    let plain;
    let eval = match eval {
        Some(eval) => eval,
        None => {
            let weights = Some(Arc::new(Weights::plain(game)));
            plain = EvalSpec { weights, ..EvalSpec::default() };
            &plain
        }
    };
    eval.build_for(game, threads)
}

impl fmt::Display for MinimaxSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.search.name();
        let mut usual = MinimaxSearch::named(name).unwrap_or_default();
        let (mut ours, mut out) = (self.search, String::new());
        visit::write(&mut out, name, |d| ours.describe(d), |d| usual.describe(d));
        if let Some(eval) = &self.eval {
            out.push_str(" + ");
            eval.write(&mut out);
        }
        f.write_str(&out)
    }
}
