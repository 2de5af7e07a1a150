//! N-gram playout policy adaptation: PPA with weights for sequences of moves.

use ludex_game::playout::{
    CodeTable, Contexts, Draw, MAX_GRAM, Ngram, Page, Record, Recording, Sampling, Sequences, Step,
    WordId, exp,
};
use ludex_game::{Coding, Game, GameError, Player, Word};

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
        let kernel = Ngram::new(coding, draw, self.n as usize, self.v as f32, singles.clone());
        Box::new(Nppa {
            settings: *self,
            adaptation: Adaptation::new(&singles),
            plain_odds: (self.k != 1.0).then(|| CodeTable::for_game(game, coding, 1.0)),
            sampling: Sampling::Ngram(Box::new(kernel)),
            comparison: Comparison::default(),
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
            let kernel = ngram_mut(&mut self.sampling);
            kernel.singles.fill(0.0);
            kernel.grams.clear();
            kernel.odds.fill(1.0);
            self.plain_odds.iter_mut().for_each(|odds| odds.fill(1.0));
        }
    }
}

impl Nppa {
    fn adapt(&mut self, record: &Record, player: Player, rate: f32) {
        let kernel = ngram_mut(&mut self.sampling);
        let (weights, odds) = (kernel.singles.whole_mut(player), kernel.odds.whole_mut(player));
        let plain = self.plain_odds.as_mut().map(|plain| plain.whole_mut(player));
        self.adaptation.adapt(record, player, rate, self.settings.k, weights, odds, plain);
        self.comparison.adapt(record, player, rate, kernel);
    }
}

/// Collects over a whole simulation what sequences are to lose, so that their weights change only after all
/// steps have seen the old ones.
#[derive(Debug, Default)]
struct Comparison {
    /// Words of moves, and for each of them what its sequences lose.
    words: Vec<(WordId, u64)>,
    losses: Vec<Page>,
    /// Sequences by themselves: context, code and gain.
    lone: Vec<(u64, u32, f32)>,
    odds: Vec<f32>,
    legal: Vec<u32>,
}

/// Moves are compared by words where a word has so many of them on average; by themselves where fewer.
const FEW: usize = 4;
/// Odds are summed in so many chains that do not wait for one another.
const LANES: usize = 16;

impl Comparison {
    fn adapt(&mut self, record: &Record, player: Player, rate: f32, kernel: &mut Ngram) {
        let steps = record.steps();
        let own = || steps.iter().enumerate().filter(|(_, step)| step.player == player);
        let room = |step| match dense_words(record, step) {
            Some(words) => words.len(),
            None => record.legal_count(step),
        };
        let room: usize = own().map(|(_, step)| room(step)).sum();
        kernel.grams.reserve(room * (kernel.longest - 1));
        self.words.clear();
        self.losses.clear();
        self.lone.clear();
        let (players, longest) = (kernel.singles.players(), kernel.longest);
        for (at, step) in own() {
            let contexts = Contexts::of(&steps[..at], step.ply, player, players, longest);
            match dense_words(record, step) {
                Some(words) => {
                    for &context in contexts.hashes() {
                        self.note_words(context, step.chosen, words, rate, &mut kernel.grams);
                    }
                }
                None => {
                    self.legal.clear();
                    record.list_legal(step, &mut self.legal);
                    for &context in contexts.hashes() {
                        self.note_list(context, step.chosen, rate, &kernel.grams);
                    }
                }
            }
        }
        for (&(word, bits), losses) in self.words.iter().zip(&self.losses) {
            kernel.grams.subtract(word, bits, losses);
        }
        for &(context, code, gain) in &self.lone {
            if let Some(word) = kernel.grams.open(context, code) {
                kernel.grams.add(word, code, gain);
            }
        }
    }

    /// Notes what the sequences of one context are to lose: all legal moves in proportion to `e^w`, less
    /// `rate` for the chosen move (equation 6).
    fn note_words(
        &mut self,
        context: u64,
        chosen: u32,
        words: &[Word],
        rate: f32,
        grams: &mut Sequences,
    ) {
        let first = self.losses.len();
        let mut sums = [0.0; LANES];
        let mut chosen_at = None;
        for word in words.iter().filter(|word| word.bits != 0) {
            let mut odds = [0.0; 64];
            let known = grams.odds(context, *word, &mut odds);
            for row in odds.as_chunks::<LANES>().0 {
                sums.iter_mut().zip(row).for_each(|(sum, odds)| *sum += odds);
            }
            // What there is no room for is compared, too, but forgotten.
            let Some(known) = known else { continue };
            if word.first == chosen & !63 && word.bits >> (chosen & 63) & 1 == 1 {
                // Where several moves have the chosen code, it still gains once.
                chosen_at.get_or_insert(self.losses.len());
            }
            self.words.push((known, word.bits));
            self.losses.push(odds);
        }
        let share = rate / sums.iter().sum::<f32>();
        for losses in &mut self.losses[first..] {
            losses.iter_mut().for_each(|loss| *loss *= share);
        }
        if let Some(at) = chosen_at {
            self.losses[at][chosen as usize % 64] -= rate;
        }
    }

    /// The same for the listed moves, one by one.
    fn note_list(&mut self, context: u64, chosen: u32, rate: f32, grams: &Sequences) {
        self.odds.clear();
        self.odds.extend(self.legal.iter().map(|&code| grams.get(context, code).0));
        self.odds.iter_mut().for_each(|value| *value = exp(*value));
        let share = rate / self.odds.iter().sum::<f32>();
        let mut gain = rate;
        for (&odds, &code) in self.odds.iter().zip(&self.legal) {
            let own = if code == chosen { std::mem::take(&mut gain) } else { 0.0 };
            self.lone.push((context, code, own - share * odds));
        }
    }
}

/// The words of a step's legal moves, where those are well filled.
fn dense_words<'a>(record: &'a Record, step: &Step) -> Option<&'a [Word]> {
    let filled = |words: &&[Word]| {
        let members: u32 = words.iter().map(|word| word.bits.count_ones()).sum();
        let words = words.iter().filter(|word| word.bits != 0).count();
        members as usize >= FEW * words
    };
    record.words(step).filter(filled)
}
