//! N-gram playout policy adaptation: PPA with weights for sequences of moves.

use ludex_game::playout::{
    CodeTable, Contexts, Draw, MAX_GRAM, Ngram, Record, Recording, Sampling, exp,
};
use ludex_game::{Coding, Game, Player};

use super::nst::ngram_mut;
use super::ppa::Adaptation;
use super::{PlayoutPolicy, PolicySettings, coding, each_learner};
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
        let kernel = Ngram::new(coding, draw, self.n as usize, self.v as f32, singles.clone());
        Box::new(Nppa {
            settings: *self,
            adaptation: Adaptation::new(&singles),
            odds: CodeTable::for_game(game, coding, 1.0),
            sampling: Sampling::Ngram(Box::new(kernel)),
            pending: Vec::new(),
            exponentials: Vec::new(),
            legal: Vec::new(),
        })
    }
}

#[derive(Debug)]
struct Nppa {
    settings: NppaSettings,
    sampling: Sampling,
    /// `e^w` of single moves.
    odds: CodeTable,
    adaptation: Adaptation,
    /// What each place in the table of sequences is to gain once all steps have seen the old weights.
    pending: Vec<(u32, f32)>,
    exponentials: Vec<f32>,
    legal: Vec<u32>,
}

impl PlayoutPolicy for Nppa {
    fn sampling(&mut self) -> &mut Sampling {
        &mut self.sampling
    }

    fn recording(&self) -> Recording {
        Recording::Legal
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
            let kernel = ngram_mut(&mut self.sampling);
            kernel.singles.fill(0.0);
            kernel.grams.clear();
            self.odds.fill(1.0);
        }
    }
}

impl Nppa {
    fn adapt(&mut self, record: &Record, player: Player, rate: f32) {
        let kernel = ngram_mut(&mut self.sampling);
        let weights = kernel.singles.of_mut(player);
        let odds = self.odds.of_mut(player);
        self.adaptation.collect(record, player, rate, weights, odds, false);
        self.adaptation.apply(player, weights, odds);

        let steps = record.steps();
        let own = || steps.iter().enumerate().filter(|(_, step)| step.player == player);
        let legal: usize = own().map(|(_, step)| record.legal_count(step)).sum();
        kernel.grams.reserve(legal * (kernel.longest - 1), kernel.threshold);
        self.pending.clear();
        let (players, longest) = (kernel.singles.players(), kernel.longest);
        for (at, step) in own() {
            let contexts = Contexts::of(&steps[..at], step.ply, player, players, longest);
            self.legal.clear();
            record.list_legal(step, &mut self.legal);
            let legal = std::mem::take(&mut self.legal);
            for &context in contexts.hashes() {
                self.pending_for(context, step.chosen, &legal, rate);
            }
            self.legal = legal;
        }
        let kernel = ngram_mut(&mut self.sampling);
        for &(place, delta) in &self.pending {
            kernel.grams.add(place as usize, delta);
        }
    }

    /// Notes what the sequences of one context are to gain: the chosen move `rate`, and all legal moves a
    /// loss in proportion to `e^w` (equation 6).
    fn pending_for(&mut self, context: u64, chosen: u32, legal: &[u32], rate: f32) {
        let kernel = ngram_mut(&mut self.sampling);
        let first = self.pending.len();
        self.exponentials.clear();
        for &code in legal {
            let place = kernel.grams.place(context, code);
            self.pending.push((place as u32, 0.0));
            self.exponentials.push(kernel.grams.value(place));
        }
        self.exponentials.iter_mut().for_each(|value| *value = exp(*value));
        let share = rate / self.exponentials.iter().sum::<f32>();
        let mut gain = rate;
        for ((pending, &odds), &code) in
            self.pending[first..].iter_mut().zip(&self.exponentials).zip(legal)
        {
            pending.1 = -share * odds;
            if code == chosen {
                // Where several moves have the chosen code, it still gains once.
                pending.1 += std::mem::take(&mut gain);
            }
        }
    }
}
