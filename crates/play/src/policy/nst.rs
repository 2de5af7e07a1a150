//! The N-gram selection technique: mean payoffs of sequences of moves.

use ludex_game::playout::{
    CodeTable, Contexts, Draw, MAX_GRAM, Ngram, Record, Recording, Sampling,
};
use ludex_game::{Coding, Game, GameError};

use super::mast::Averages;
use super::{PlayoutPolicy, PolicySettings, check_coding, coding};
use crate::spec::{Describe, Settings};

/// `nst(epsilon=0.4, n=3, v=7, keep=0.2, fpu=1, features)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NstSettings {
    /// The probability of any move.
    pub epsilon: f32,
    /// The longest sequences.
    pub n: u64,
    /// How often a sequence must have been visited to count.
    pub v: u64,
    /// How much the past counts after each move played.
    pub keep: f32,
    /// The value of moves that never occurred.
    pub fpu: f32,
    /// Codes are those with move features.
    pub features: bool,
}

impl Default for NstSettings {
    fn default() -> Self {
        NstSettings { epsilon: 0.4, n: 3, v: 7, keep: 0.2, fpu: 1.0, features: false }
    }
}

impl Settings for NstSettings {
    const NAME: &'static str = "nst";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.number("epsilon", &mut self.epsilon, 0.0..=1.0, "the probability of any move");
        describe.count("n", &mut self.n, 1..=MAX_GRAM as u64, "the longest sequences");
        describe.count("v", &mut self.v, 0..=1_000_000, "visits a sequence needs to count");
        describe.number("keep", &mut self.keep, 0.0..=1.0, "how much the past counts after a move");
        describe.number("fpu", &mut self.fpu, -1e6..=1e6, "the value of moves never seen");
        describe.flag("features", &mut self.features, "codes with move features");
    }
}

impl PolicySettings for NstSettings {
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        let coding = coding(self.features);
        let draw = Draw::Greedy { epsilon: self.epsilon };
        let singles = CodeTable::for_game(game, coding, self.fpu);
        let averages = Averages::new(&CodeTable::for_game(game, coding, 0.0));
        let sampler = Ngram::new(coding, draw, self.n as usize, self.v as f32, singles);
        let sampling = Sampling::Ngram(Box::new(sampler));
        Box::new(Nst { settings: *self, averages, sampling, observed: Vec::new() })
    }

    fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        check_coding(coding(self.features), game)
    }
}

#[derive(Debug)]
struct Nst {
    settings: NstSettings,
    averages: Averages,
    sampling: Sampling,
    /// The sequences of a simulation, each with its last code and what was made of it: written down first,
    /// so that the memory has time to find them.
    observed: Vec<(u64, u32, f32)>,
}

impl PlayoutPolicy for Nst {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.sampling
    }

    fn recording(&self) -> Recording {
        Recording::Chosen
    }

    fn coding(&self) -> Coding {
        coding(self.settings.features)
    }

    fn learn(&mut self, record: &Record, payoffs: &[f32]) {
        let sampler = ngram_mut(&mut self.sampling);
        self.averages.learn(record, payoffs, &mut sampler.singles, |mean| mean);
        let (steps, players) = (record.steps(), sampler.singles.players());
        self.observed.clear();
        for (at, step) in steps.iter().enumerate() {
            let before = &steps[..at];
            let contexts = Contexts::of(before, step.ply, step.player, players, sampler.longest);
            for &context in contexts.hashes() {
                sampler.grams.expect(context, step.chosen);
                self.observed.push((context, step.chosen, payoffs[step.player.index()]));
            }
        }
        sampler.grams.reserve_means(self.observed.len());
        for &(context, code, payoff) in &self.observed {
            sampler.grams.average(context, code, payoff);
        }
    }

    fn between_turns(&mut self) {
        let NstSettings { keep, fpu, .. } = self.settings;
        let sampler = ngram_mut(&mut self.sampling);
        self.averages.fade(keep, &mut sampler.singles, fpu);
        if keep == 0.0 {
            sampler.grams.clear();
        } else {
            sampler.grams.fade(keep);
        }
    }
}

pub(super) fn ngram_mut(sampling: &mut Sampling) -> &mut Ngram {
    match sampling {
        Sampling::Ngram(sampler) => sampler,
        _ => unreachable!("this policy plays by sequences"),
    }
}
