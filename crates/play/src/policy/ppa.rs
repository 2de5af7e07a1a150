//! Playout policy adaptation: PPA, with move features PPAF, memorised PPAFM, by payoffs PPA_P.
//!
//! Every code has a weight `w`; a playout draws a move in proportion to `e^(k·w)`. After a simulation
//! the winner's moves gain `α` each, and all moves that were legal beside them lose `α` in proportion to
//! `e^w`, with the weights from before the simulation throughout (and without `k`, as the paper has it).

use ludex_game::playout::{
    CodeTable, Gibbs, Record, Recording, Sampling, Step, exp, total_of_words,
};
use ludex_game::{Coding, Game, Player, Word};

use super::{PlayoutPolicy, PolicySettings, coding, each_learner};
use crate::spec::{Describe, Settings};

/// `ppa(alpha=0.32, k=1, payoff, features, memorize)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PpaSettings {
    /// How fast weights change.
    pub alpha: f32,
    /// How much weights count in playouts.
    pub k: f32,
    /// Everybody learns in proportion to his payoff, instead of the single winner alone.
    pub payoff: bool,
    /// Codes are those with move features.
    pub features: bool,
    /// What was learned is kept from move to move.
    pub memorize: bool,
}

impl Default for PpaSettings {
    fn default() -> Self {
        PpaSettings { alpha: 0.32, k: 1.0, payoff: false, features: false, memorize: false }
    }
}

impl Settings for PpaSettings {
    const NAME: &'static str = "ppa";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.number("alpha", &mut self.alpha, 0.0..=100.0, "how fast weights change");
        describe.number("k", &mut self.k, 0.0..=100.0, "how much weights count in playouts");
        describe.flag("payoff", &mut self.payoff, "all learn by their payoff, not only the winner");
        describe.flag("features", &mut self.features, "codes with move features (PPAF)");
        describe.flag("memorize", &mut self.memorize, "keep the weights from move to move (PPAFM)");
    }
}

impl PolicySettings for PpaSettings {
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        Box::new(Ppa::new(*self, game))
    }
}

/// A policy that adapts while it plays.
#[derive(Debug)]
pub struct Ppa {
    settings: PpaSettings,
    weights: CodeTable,
    /// Holds `e^(k·w)`.
    sampling: Sampling,
    /// Holds `e^w`, where that is something else.
    plain_odds: Option<CodeTable>,
    adaptation: Adaptation,
}

impl Ppa {
    /// A policy with all weights zero.
    pub fn new(settings: PpaSettings, game: &dyn Game) -> Self {
        let coding = coding(settings.features);
        let weights = CodeTable::for_game(game, coding, 0.0);
        let odds = CodeTable::for_game(game, coding, 1.0);
        Ppa {
            settings,
            adaptation: Adaptation::new(&weights),
            weights,
            plain_odds: (settings.k != 1.0).then(|| odds.clone()),
            sampling: Sampling::Gibbs(Gibbs::new(coding, odds)),
        }
    }

    fn refresh_all(&mut self) {
        let weights = self.weights.values();
        if let Some(plain) = &mut self.plain_odds {
            plain.values_mut().iter_mut().zip(weights).for_each(|(odds, &w)| *odds = exp(w));
        }
        let (k, odds) = (self.settings.k, odds_mut(&mut self.sampling).values_mut());
        odds.iter_mut().zip(weights).for_each(|(odds, &w)| *odds = exp(k * w));
    }
}

fn odds_mut(sampling: &mut Sampling) -> &mut CodeTable {
    match sampling {
        Sampling::Gibbs(gibbs) => &mut gibbs.odds,
        _ => unreachable!("PPA plays by Gibbs"),
    }
}

impl PlayoutPolicy for Ppa {
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
        let PpaSettings { alpha, k, payoff, .. } = self.settings;
        each_learner(payoff, payoffs, |player, share| {
            let weights = self.weights.of_mut(player);
            let odds = odds_mut(&mut self.sampling).of_mut(player);
            let plain = self.plain_odds.as_mut().map(|plain| plain.of_mut(player));
            self.adaptation.adapt(record, player, alpha * share, k, weights, odds, plain);
        });
    }

    fn between_turns(&mut self) {
        if !self.settings.memorize {
            self.weights.fill(0.0);
            self.refresh_all();
        }
    }

    fn weights(&self) -> Option<&CodeTable> {
        Some(&self.weights)
    }

    fn set_weights(&mut self, weights: &[f32]) -> bool {
        let own = self.weights.values_mut();
        let fits = own.len() == weights.len();
        if fits {
            own.copy_from_slice(weights);
            self.refresh_all();
        }
        fits
    }
}

/// Collects over a whole simulation how much each code is to lose, so that weights and exponentials change
/// once for each code and only after all steps have seen the old ones.
#[derive(Debug)]
pub(super) struct Adaptation {
    /// Over all steps where a code was legal, the sum of `α / Σ e^w`.
    shares: CodeTable,
    /// The codes whose shares are not zero, where there are too many codes to look at them all.
    touched: Vec<u32>,
    /// How many of those there are.
    count: usize,
    intervals: Intervals,
}

/// A player with at most this many codes has all of them brought up to date after a simulation: faster than
/// finding out which changed.
const FEW: usize = 512;

impl Adaptation {
    pub fn new(layout: &CodeTable) -> Self {
        let mut shares = layout.clone();
        shares.fill(0.0);
        let players = 0..layout.players() as u8;
        let most = players.map(|player| layout.of(Player(player)).len()).max().unwrap_or(0);
        // One more, so that the place after the last is there to write to.
        let intervals = Intervals::default();
        Adaptation { shares, touched: vec![0; most + 1], count: 0, intervals }
    }

    /// Learns from one player's choices: changes his weights and what moves are drawn by, `e^(k·w)`. Where that
    /// is something else than `e^w`, `plain` has those.
    #[expect(
        clippy::too_many_arguments,
        reason = "the tables of one player, each changed on its own"
    )]
    pub fn adapt(
        &mut self,
        record: &Record,
        player: Player,
        rate: f32,
        k: f32,
        weights: &mut [f32],
        odds: &mut [f32],
        plain: Option<&mut [f32]>,
    ) {
        match plain {
            None => {
                self.collect(record, player, rate, weights, odds, |step| step.total);
                self.apply(player, weights, odds);
            }
            Some(plain) => {
                self.collect(record, player, rate, weights, plain, |_| 0.0);
                self.apply(player, weights, plain);
                self.rescale(player, weights, k, odds);
            }
        }
    }

    /// Goes over one player's choices: adds `rate` to the weights of chosen moves and notes what the
    /// legal ones will lose. `total` knows the sum of the odds at a step, or says zero.
    fn collect(
        &mut self,
        record: &Record,
        player: Player,
        rate: f32,
        weights: &mut [f32],
        odds: &[f32],
        total: impl Fn(&Step) -> f32,
    ) {
        self.count = 0;
        let Adaptation { shares, touched, count, intervals } = self;
        let mut gains = Gains { shares: shares.of_mut(player), touched, count };
        intervals.begin();
        for step in record.steps().iter().filter(|step| step.player == player) {
            let (words, legal) = (record.words(step), record.legal(step));
            // The only legal move gains what it loses.
            if words.is_none() && legal.len() < 2 {
                continue;
            }
            let sum = match (total(step), words) {
                (known, _) if known > 0.0 => known,
                (_, Some(words)) => total_of_words(odds, words),
                (_, None) => total_of_list(odds, legal),
            };
            match words {
                Some(words) => intervals.note(words, rate / sum, &mut gains),
                None => gains.add_all(legal, rate / sum),
            }
            weights[step.chosen as usize] += rate;
        }
        intervals.end(&mut gains);
    }

    /// Takes from the weights what was noted and brings `odds` up to date.
    fn apply(&mut self, player: Player, weights: &mut [f32], odds: &mut [f32]) {
        let shares = self.shares.of_mut(player);
        if shares.len() <= FEW {
            for ((weight, odds), share) in weights.iter_mut().zip(odds).zip(shares) {
                *weight -= *share * *odds;
                *odds = exp(*weight);
                *share = 0.0;
            }
            return;
        }
        for &code in &self.touched[..self.count] {
            let code = code as usize;
            weights[code] -= shares[code] * odds[code];
            odds[code] = exp(weights[code]);
            shares[code] = 0.0;
        }
    }

    /// After that, writes `e^(k·w)` of all weights that changed.
    fn rescale(&self, player: Player, weights: &[f32], k: f32, odds: &mut [f32]) {
        if self.shares.of(player).len() <= FEW {
            odds.iter_mut().zip(weights).for_each(|(odds, weight)| *odds = exp(k * weight));
            return;
        }
        for &code in &self.touched[..self.count] {
            odds[code as usize] = exp(k * weights[code as usize]);
        }
    }
}

/// The shares of one player while they are collected.
struct Gains<'a> {
    shares: &'a mut [f32],
    touched: &'a mut Vec<u32>,
    count: &'a mut usize,
}

impl Gains<'_> {
    #[inline(always)]
    fn add(&mut self, code: u32, share: f32) {
        let few = self.shares.len() <= FEW;
        let sum = &mut self.shares[code as usize];
        if !few {
            // Rarely a share is zero again; then its code is there twice.
            if *self.count == self.touched.len() {
                self.touched.push(0);
            }
            self.touched[*self.count] = code;
            *self.count += usize::from(*sum == 0.0 && share != 0.0);
        }
        *sum += share;
    }

    #[inline]
    fn add_all(&mut self, legal: &[u32], share: f32) {
        legal.iter().for_each(|&code| self.add(code, share));
    }
}

/// Shares of codes that come as words. Most codes stay legal from one choice to the next: each is looked at
/// only where it appears and where it disappears, and gets what was shared out in between.
#[derive(Debug, Default)]
struct Intervals {
    last: Vec<Word>,
    /// All shares so far.
    sum: f32,
}

impl Intervals {
    fn begin(&mut self) {
        self.last.clear();
        self.sum = 0.0;
    }

    #[inline]
    fn note(&mut self, words: &[Word], share: f32, gains: &mut Gains<'_>) {
        let same = self.last.len() == words.len()
            && self.last.iter().zip(words).all(|(last, word)| last.first == word.first);
        if same {
            for (last, word) in self.last.iter_mut().zip(words) {
                change(word.first, word.bits & !last.bits, -self.sum, gains);
                change(word.first, last.bits & !word.bits, self.sum, gains);
                last.bits = word.bits;
            }
        } else {
            self.end(gains);
            self.last.extend_from_slice(words);
            words.iter().for_each(|word| change(word.first, word.bits, -self.sum, gains));
        }
        self.sum += share;
    }

    /// What is still legal at the end has its share, too.
    fn end(&mut self, gains: &mut Gains<'_>) {
        for word in self.last.drain(..) {
            change(word.first, word.bits, self.sum, gains);
        }
    }
}

#[inline(always)]
fn change(first: u32, mut bits: u64, share: f32, gains: &mut Gains<'_>) {
    while bits != 0 {
        gains.add(first + bits.trailing_zeros(), share);
        bits &= bits - 1;
    }
}

/// The sum of the odds of some codes, in four chains that do not wait for one another.
#[inline]
fn total_of_list(odds: &[f32], codes: &[u32]) -> f32 {
    let mut sums = [0.0f32; 4];
    let (fours, rest) = codes.as_chunks::<4>();
    for four in fours {
        for (sum, &code) in sums.iter_mut().zip(four) {
            *sum += odds[code as usize];
        }
    }
    let rest: f32 = rest.iter().map(|&code| odds[code as usize]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
