//! N-gram playout policy adaptation: PPA with weights for sequences of moves.

use ludex_game::playout::{
    CodeTable, Comparison, Contexts, Draw, MAX_GRAM, Ngram, Record, Recording, Sampling, Sequences,
    Step, exp,
};
use ludex_game::{Coding, Game, GameError, Player};

use super::nst::ngram_mut;
use super::ppa::Adaptation;
use super::{PlayoutPolicy, PolicySettings, check_coding, coding, each_learner};
use crate::spec::{Describe, Settings};

/// `nppa(alpha=1, k=1, n=3, v=7, payoff, features, memorize)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NppaSettings {
    /// How fast weights change.
    pub alpha: f32,
    /// How much weights count in playouts.
    pub k: f32,
    /// The longest sequences.
    pub n: u64,
    /// How often a sequence must have been visited to count.
    pub v: u64,
    /// Everybody learns in proportion to his payoff, instead of the single winner alone.
    pub payoff: bool,
    /// Codes are those with move features.
    pub features: bool,
    /// What was learned is kept from move to move.
    pub memorize: bool,
}

impl Default for NppaSettings {
    fn default() -> Self {
        NppaSettings {
            alpha: 1.0,
            k: 1.0,
            n: 3,
            v: 7,
            payoff: false,
            features: false,
            memorize: false,
        }
    }
}

impl Settings for NppaSettings {
    const NAME: &'static str = "nppa";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.number("alpha", &mut self.alpha, 0.0..=100.0, "how fast weights change");
        describe.number("k", &mut self.k, 0.0..=100.0, "how much weights count in playouts");
        describe.count("n", &mut self.n, 1..=MAX_GRAM as u64, "the longest sequences");
        describe.count("v", &mut self.v, 0..=1_000_000, "visits a sequence needs to count");
        describe.flag("payoff", &mut self.payoff, "all learn by their payoff, not only the winner");
        describe.flag("features", &mut self.features, "codes with move features");
        describe.flag("memorize", &mut self.memorize, "keep the weights from move to move");
    }
}

impl PolicySettings for NppaSettings {
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        let coding = coding(self.features);
        let draw = Draw::Gibbs { k: self.k };
        let singles = CodeTable::for_game(game, coding, 0.0);
        let sampler = Ngram::new(coding, draw, self.n as usize, self.v as f32, singles.clone());
        Box::new(Nppa {
            settings: *self,
            adaptation: Adaptation::new(&singles),
            plain_odds: (self.k != 1.0).then(|| CodeTable::for_game(game, coding, 1.0)),
            sampling: Sampling::Ngram(Box::new(sampler)),
            comparison: Comparison::default(),
            lone: Lone::default(),
        })
    }

    fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        check_coding(coding(self.features), game)
    }
}

#[derive(Debug)]
struct Nppa {
    settings: NppaSettings,
    /// Holds `e^(k·w)` of single moves.
    sampling: Sampling,
    /// Holds `e^w` of single moves, where that is something else.
    plain_odds: Option<CodeTable>,
    adaptation: Adaptation,
    comparison: Comparison,
    lone: Lone,
}

impl PlayoutPolicy for Nppa {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.sampling
    }

    fn recording(&self) -> Recording {
        match self.settings.payoff {
            true => Recording::Legal,
            false => Recording::WinnersLegal,
        }
    }

    fn coding(&self) -> Coding {
        coding(self.settings.features)
    }

    fn learn(&mut self, record: &Record, payoffs: &[f32]) {
        let NppaSettings { alpha, payoff, .. } = self.settings;
        each_learner(payoff, payoffs, |player, share| self.adapt(record, player, alpha * share));
    }

    fn between_turns(&mut self) {
        if !self.settings.memorize {
            let sampler = ngram_mut(&mut self.sampling);
            sampler.singles.fill(0.0);
            sampler.grams.clear();
            sampler.odds.fill(1.0);
            self.plain_odds.iter_mut().for_each(|odds| odds.fill(1.0));
        }
    }
}

impl Nppa {
    fn adapt(&mut self, record: &Record, player: Player, rate: f32) {
        let sampler = ngram_mut(&mut self.sampling);
        let (weights, odds) = (sampler.singles.whole_mut(player), sampler.odds.whole_mut(player));
        let plain = self.plain_odds.as_mut().map(|plain| plain.whole_mut(player));
        self.adaptation.adapt(record, player, rate, self.settings.k, weights, odds, plain);
        let (steps, players) = (record.steps(), sampler.singles.players());
        for (at, step) in steps.iter().enumerate().filter(|(_, step)| step.player == player) {
            let contexts = Contexts::of(&steps[..at], step.ply, player, players, sampler.longest);
            for &context in contexts.hashes() {
                match record.words(step) {
                    Some(_) => self.comparison.note(context, at, record, &sampler.grams),
                    None => {
                        let legal = record.legal(step);
                        self.lone.note(context, step, legal, rate, &sampler.grams);
                    }
                }
            }
        }
        self.comparison.learn(record, rate, &mut sampler.grams);
        self.lone.learn(&mut sampler.grams);
    }
}

/// What single sequences are to gain where the legal moves of a choice were listed: collected over a whole
/// simulation, so that values change only after all steps have seen the old ones.
#[derive(Debug, Default)]
struct Lone {
    /// Context, code and gain.
    gains: Vec<(u64, u32, f32)>,
    odds: Vec<f32>,
}

impl Lone {
    /// Notes what the sequences of one context are to gain or lose (equation 6).
    fn note(&mut self, context: u64, step: &Step, legal: &[u32], rate: f32, grams: &Sequences) {
        self.odds.clear();
        self.odds.extend(legal.iter().map(|&code| grams.get(context, code).0));
        self.odds.iter_mut().for_each(|value| *value = exp(*value));
        let share = rate / self.odds.iter().sum::<f32>();
        let mut gain = rate;
        for (&odds, &code) in self.odds.iter().zip(legal) {
            let own = if code == step.chosen { std::mem::take(&mut gain) } else { 0.0 };
            self.gains.push((context, code, own - share * odds));
        }
    }

    fn learn(&mut self, grams: &mut Sequences) {
        grams.reserve(self.gains.len());
        for (context, code, gain) in self.gains.drain(..) {
            if let Some(word) = grams.open(context, code) {
                grams.add(word, code, gain);
            }
        }
    }
}
