//! The move-average sampling technique: every code's mean payoff over all simulations it occurred in.

use ludex_game::playout::{CodeTable, Gibbs, Greedy, Record, Recording, Sampling, exp};
use ludex_game::{Coding, Game, GameError};

use super::{PlayoutPolicy, PolicySettings, check_coding, coding};
use crate::spec::{Describe, Settings};

/// `mast(epsilon=0.4, gibbs, tau=1, keep=0.2, fpu=1, features)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MastSettings {
    /// The probability of any move, where the best is played otherwise.
    pub epsilon: f32,
    /// Moves are drawn in proportion to `e^(mean/τ)` instead.
    pub gibbs: bool,
    /// The temperature of that.
    pub tau: f32,
    /// How much the past counts after each move played.
    pub keep: f32,
    /// The value of moves that never occurred.
    pub fpu: f32,
    /// Codes are those with move features.
    pub features: bool,
}

impl Default for MastSettings {
    fn default() -> Self {
        MastSettings { epsilon: 0.4, gibbs: false, tau: 1.0, keep: 0.2, fpu: 1.0, features: false }
    }
}

impl Settings for MastSettings {
    const NAME: &'static str = "mast";

    fn describe(&mut self, describe: &mut dyn Describe) {
        describe.number("epsilon", &mut self.epsilon, 0.0..=1.0, "the probability of any move");
        describe.flag("gibbs", &mut self.gibbs, "draw by e^(mean/tau) instead of the best");
        describe.number("tau", &mut self.tau, 1e-3..=1e3, "the temperature of that");
        describe.number("keep", &mut self.keep, 0.0..=1.0, "how much the past counts after a move");
        describe.number("fpu", &mut self.fpu, -1e6..=1e6, "the value of moves never seen");
        describe.flag("features", &mut self.features, "codes with move features");
    }
}

impl PolicySettings for MastSettings {
    fn build(&self, game: &dyn Game) -> Box<dyn PlayoutPolicy> {
        Box::new(Mast::new(*self, game))
    }

    fn check(&self, game: &dyn Game) -> Result<(), GameError> {
        check_coding(coding(self.features), game)
    }
}

#[derive(Debug)]
struct Mast {
    settings: MastSettings,
    averages: Averages,
    sampling: Sampling,
}

impl Mast {
    fn new(settings: MastSettings, game: &dyn Game) -> Self {
        let coding = coding(settings.features);
        let table = |value| CodeTable::for_game(game, coding, value);
        let sampling = if settings.gibbs {
            let odds = table(exp(settings.fpu / settings.tau));
            Sampling::Gibbs(Gibbs::new(coding, odds))
        } else {
            let (epsilon, scores) = (settings.epsilon, table(settings.fpu));
            Sampling::Greedy(Greedy::new(coding, epsilon, scores))
        };
        Mast { settings, averages: Averages::new(&table(0.0)), sampling }
    }
}

impl PlayoutPolicy for Mast {
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
        match &mut self.sampling {
            Sampling::Greedy(greedy) => {
                self.averages.learn(record, payoffs, &mut greedy.scores, |mean| mean);
            }
            Sampling::Gibbs(gibbs) => {
                let scale = 1.0 / self.settings.tau;
                self.averages.learn(record, payoffs, &mut gibbs.odds, |mean| exp(mean * scale));
            }
            _ => unreachable!("MAST plays greedily or by Gibbs"),
        }
    }

    fn between_turns(&mut self) {
        let (keep, fpu) = (self.settings.keep, self.settings.fpu);
        let forgotten = match &mut self.sampling {
            Sampling::Greedy(greedy) => (&mut greedy.scores, fpu),
            Sampling::Gibbs(gibbs) => (&mut gibbs.odds, exp(fpu / self.settings.tau)),
            _ => unreachable!("MAST plays greedily or by Gibbs"),
        };
        self.averages.fade(keep, forgotten.0, forgotten.1);
    }
}

/// How often each code occurred and what was made of it in all.
#[derive(Debug)]
pub(super) struct Averages {
    payoffs: CodeTable,
    visits: CodeTable,
}

impl Averages {
    pub fn new(layout: &CodeTable) -> Self {
        Averages { payoffs: layout.clone(), visits: layout.clone() }
    }

    /// Takes in every choice of a simulation and writes `shown(mean)` for its code.
    #[inline]
    pub fn learn(
        &mut self,
        record: &Record,
        payoffs: &[f32],
        table: &mut CodeTable,
        shown: impl Fn(f32) -> f32,
    ) {
        let (sums, visits) = (self.payoffs.values_mut(), self.visits.values_mut());
        for step in record.steps() {
            // All three tables are laid out alike.
            let at = table.start(step.player) + step.chosen as usize;
            sums[at] += payoffs[step.player.index()];
            visits[at] += 1.0;
            table.values_mut()[at] = shown(sums[at] / visits[at]);
        }
    }

    /// Lets the past count less; where nothing is kept the shown values go back to `unseen`.
    pub fn fade(&mut self, keep: f32, table: &mut CodeTable, unseen: f32) {
        for sums in [&mut self.payoffs, &mut self.visits] {
            sums.values_mut().iter_mut().for_each(|sum| *sum *= keep);
        }
        if keep == 0.0 {
            table.fill(unseen);
        }
    }
}
