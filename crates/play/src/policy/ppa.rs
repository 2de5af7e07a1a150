//! Playout policy adaptation: PPA, with move features PPAF, memorised PPAFM, by payoffs PPA_P. Features may be geometric
//! ones: codes then tell apart which of them hold for a move.
//!
//! Every code has a weight `w`; a playout draws a move in proportion to `e^(k·w)`. After a simulation
//! the winner's moves gain `α` each, and all moves that were legal beside them lose `α` in proportion to
//! `e^w`, with the weights from before the simulation throughout (and without `k`, as the paper has it).

use ludex_game::features::Classes;
use ludex_game::playout::{
    Classed, CodeTable, Gibbs, Page, Record, Recording, Sampling, Step, add_to_words, exp,
    lose_shares, total_of_words,
};
use ludex_game::{Coding, Game, GameError, Move, Player, State};

use super::{FeaturesSettings, PlayoutPolicy, PolicySettings, check_coding, coding, each_learner};
use crate::spec::{Describe, Settings};

/// `ppa(alpha=0.32, k=1, payoff, features, patterns=FILE, memorize)`.
#[derive(Clone, Debug, PartialEq)]
pub struct PpaSettings {
    /// How fast weights change.
    pub alpha: f32,
    /// How much weights count in playouts.
    pub k: f32,
    /// Everybody learns in proportion to his payoff, instead of the single winner alone.
    pub payoff: bool,
    /// Codes are those with move features.
    pub features: bool,
    /// Codes tell apart which of these geometric features hold.
    pub patterns: Option<FeaturesSettings>,
    /// What was learned is kept from move to move.
    pub memorize: bool,
}

impl Default for PpaSettings {
    fn default() -> Self {
        PpaSettings {
            alpha: 0.32,
            k: 1.0,
            payoff: false,
            features: false,
            patterns: None,
            memorize: false,
        }
    }
}

impl Settings for PpaSettings {
    const NAME: &'static str = "ppa";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.number("alpha", &mut self.alpha, 0.0..=100.0, "how fast weights change");
        describe.number("k", &mut self.k, 0.0..=100.0, "how much weights count in playouts");
        describe.flag("payoff", &mut self.payoff, "all learn by their payoff, not only the winner");
        describe.flag("features", &mut self.features, "codes with move features (PPAF)");
        let mut file = self.patterns.as_ref().and_then(|patterns| patterns.file.clone());
        let help = "codes with the geometric features of this file (PPAF)";
        describe.text("patterns", &mut file, help);
        if file != self.patterns.as_ref().and_then(|patterns| patterns.file.clone()) {
            self.patterns = Some(FeaturesSettings { file, ..FeaturesSettings::default() });
        }
        describe.flag("memorize", &mut self.memorize, "keep the weights from move to move (PPAFM)");
    }
}

impl PolicySettings for PpaSettings {
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        Box::new(Ppa::new(self.clone(), game))
    }

    fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        if let Some(patterns) = &self.patterns {
            patterns.features()?.classes(game)?;
            if self.features {
                let reason = "`ppa` has codes by `features` or by `patterns`, not by both";
                return Err(GameError::Options(reason.to_string()));
            }
        }
        check_coding(coding(self.features), game)
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
    /// How moves inside the tree are told apart, where features do.
    classes: Option<Classes>,
}

impl Ppa {
    /// A policy with all weights zero.
    pub fn new(settings: PpaSettings, game: &dyn Game) -> Self {
        let coding = coding(settings.features);
        // Features that do not fit the game were refused in words by `check` before.
        let set = settings.patterns.as_ref().and_then(|patterns| patterns.set.as_ref());
        let classes = set.and_then(|set| set.classes(game).ok());
        let odds = match &classes {
            Some(classes) => {
                let players = (0..game.info().players as u8).map(Player);
                let counts: Vec<u32> = players.map(|p| classes.count(game, p)).collect();
                CodeTable::new(&counts, 1.0)
            }
            None => CodeTable::for_game(game, coding, 1.0),
        };
        let mut weights = odds.clone();
        weights.fill(0.0);
        Ppa {
            adaptation: Adaptation::new(&weights),
            weights,
            plain_odds: (settings.k != 1.0).then(|| odds.clone()),
            sampling: match &classes {
                Some(classes) => Sampling::Classed(Box::new(Classed::new(classes.clone(), odds))),
                None => Sampling::Gibbs(Gibbs::new(coding, odds)),
            },
            classes,
            settings,
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
        Sampling::Classed(classed) => &mut classed.odds,
        _ => unreachable!("PPA plays by a table of odds"),
    }
}

impl PlayoutPolicy for Ppa {
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

    fn codes(
        &mut self,
        game: &dyn Game,
        state: &State,
        player: Player,
        moves: &[Move],
        out: &mut Vec<u32>,
    ) {
        match &mut self.classes {
            Some(classes) => classes.codes(game, state, player, moves, out),
            None => game.codes(state, player, moves, self.coding(), out),
        }
    }

    fn learn(&mut self, record: &Record, payoffs: &[f32]) {
        let PpaSettings { alpha, k, payoff, .. } = self.settings;
        each_learner(payoff, payoffs, |player, share| {
            let weights = self.weights.whole_mut(player);
            let odds = odds_mut(&mut self.sampling).whole_mut(player);
            let plain = self.plain_odds.as_mut().map(|plain| plain.whole_mut(player));
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
        self.classes.is_none().then_some(&self.weights)
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
    /// The words of codes that were legal at some step, and whether a word is one of them.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Adaptation {
    pub fn new(layout: &CodeTable) -> Self {
        let mut shares = layout.clone();
        shares.fill(0.0);
        let players = 0..layout.players() as u8;
        let codes = |player| layout.of(Player(player)).len();
        let words = players.map(|player| codes(player).div_ceil(64)).max().unwrap_or(0);
        Adaptation { shares, touched: Vec::with_capacity(words), is_touched: vec![false; words] }
    }

    /// Learns from one player's choices: changes his weights and what moves are drawn by, `e^(k·w)`. Where that
    /// is something else than `e^w`, `plain` has those. All are tables of whole words.
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
                for &word in &self.touched {
                    let (weights, odds) = (page(weights, word), page(odds, word));
                    let (plain, shares) =
                        (page(plain, word), page(self.shares.whole_mut(player), word));
                    lose_shares(weights, plain, shares);
                    odds.iter_mut()
                        .zip(weights)
                        .for_each(|(odds, weight)| *odds = exp(k * *weight));
                }
                self.forget();
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
        let shares = self.shares.whole_mut(player);
        let mut touch = |word: u32| {
            if !std::mem::replace(&mut self.is_touched[word as usize], true) {
                self.touched.push(word);
            }
        };
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
            let share = rate / sum;
            match words {
                Some(words) => {
                    add_to_words(shares, words, share);
                    words.iter().for_each(|word| touch(word.first / 64));
                }
                None => {
                    for &code in legal {
                        shares[code as usize] += share;
                        touch(code / 64);
                    }
                }
            }
            weights[step.chosen as usize] += rate;
        }
    }

    /// Takes from the weights what was noted and brings `odds` up to date.
    fn apply(&mut self, player: Player, weights: &mut [f32], odds: &mut [f32]) {
        let shares = self.shares.whole_mut(player);
        for &word in &self.touched {
            lose_shares(page(weights, word), page(odds, word), page(shares, word));
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.touched.drain(..).for_each(|word| self.is_touched[word as usize] = false);
    }
}

/// The numbers of a word's codes.
fn page(numbers: &mut [f32], word: u32) -> &mut Page {
    numbers[64 * word as usize..].first_chunk_mut().expect("tables hold whole words")
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
