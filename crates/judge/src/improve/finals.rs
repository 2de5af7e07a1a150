//! The last judgement: the best candidates and the original play anew, with fresh seeds and as many simulations as are
//! needed to believe it.
//!
//! All have a first look, as many as time allows; then whoever is nearest to the goal goes on, look by look, until one
//! has played all games and holds it. Whoever is unlikely to hold it plays no further, and nobody begins who could not finish.

use std::path::Path;

use ludex_arena::catalog::RulesKey;
use serde::{Deserialize, Serialize};

use super::{Candidate, Improvement, Search, Step};
use crate::evaluate::{BUDGETS, LEAST_BUDGET};
use crate::{JudgeError, sheet};

/// Games of the last judgement, look by look.
const LOOKS: [u64; 5] = [80, 200, 450, 800, 1200];
/// So many times the simulations of tier 1.
pub(super) const TIMES: u64 = 4;
/// Finalists at most.
const MOST_FINALISTS: usize = 12;
/// Whoever is less likely to hold the goal plays no further: the search finds others in less time.
const LIKELY: f64 = 0.1;
/// The whole judgement of the original must fit into such a share of the time; otherwise there are fewer simulations.
const FITS: f64 = 0.4;

/// A finalist and how many looks were had at him.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Judged {
    candidate: Candidate,
    looks: usize,
}

impl Judged {
    fn is_finished(&self) -> bool {
        self.looks == LOOKS.len()
    }
}

impl Search<'_> {
    /// Simulations of the last judgement: the most with which the original would be judged in time.
    pub(super) fn affordable(&self, original: &str) -> u64 {
        let fits = |simulations: &u64| {
            let seconds = self.seconds_for(original, LOOKS[LOOKS.len() - 1], *simulations);
            seconds <= FITS * self.all_seconds()
        };
        let budgets = BUDGETS.into_iter().map(|budget| TIMES * budget);
        let most = budgets.into_iter().find(fits).unwrap_or(TIMES * LEAST_BUDGET);
        most.max(self.plan.simulations)
    }

    /// Processor seconds that games of a rule set take.
    fn seconds_for(&self, text: &str, games: u64, simulations: u64) -> f64 {
        let cost = self.progress.costs.get(&self.file(text).display().to_string());
        cost.copied().unwrap_or(0.0) * (games * simulations) as f64
    }

    /// Processor seconds until a rule set has played so many games of the last judgement.
    fn seconds_until(&self, text: &str, games: u64) -> f64 {
        let looks = self.judged(text).map_or(0, |judged| judged.looks);
        let before = looks.checked_sub(1).map_or(0, |last| LOOKS[last]);
        self.seconds_for(text, games.saturating_sub(before), self.progress.simulations)
    }

    /// Processor seconds that are left.
    fn left(&self) -> f64 {
        self.all_seconds() - self.seconds()
    }

    fn judged(&self, text: &str) -> Option<&Judged> {
        self.progress.finals.get(&RulesKey::of(text).to_string())
    }

    /// Whether a rule set that was looked at is likely enough to hold the goal and could play all games in the time that
    /// is left.
    fn may_go_on(&self, text: &str, least: f64) -> bool {
        let open = self.judged(text).is_some_and(|judged| {
            !judged.is_finished() && self.plan.goal.chance(&judged.candidate.metrics) >= least
        });
        open && self.seconds_until(text, LOOKS[LOOKS.len() - 1]) <= self.left()
    }

    /// Judges the best of the archive anew, and says whether one of them holds the goal. Whoever was looked at stands in
    /// the archive with what he showed here.
    pub(super) fn finals(&mut self, told: &mut dyn FnMut(Step)) -> Result<bool, JudgeError> {
        let finalists = self.finalists();
        let original = self.original()?;
        for candidate in std::iter::once(&original).chain(&finalists) {
            let whole = LOOKS[0] + LOOKS[LOOKS.len() - 1];
            let fits = self.seconds_until(&candidate.text, whole) <= self.left();
            if self.judged(&candidate.text).is_none() && fits {
                self.look(candidate, told)?;
            }
        }
        while self.holder().is_none() {
            let open = finalists.iter().filter(|one| self.may_go_on(&one.text, LIKELY));
            let promise =
                |one: &&Candidate| self.judged(&one.text).map_or(0.0, |j| j.candidate.promise);
            let nearest = open.max_by(|a, b| promise(a).total_cmp(&promise(b))).cloned();
            let Some(nearest) = nearest else { break };
            if !self.look(&nearest, told)? {
                break;
            }
        }
        let finals = &self.progress.finals;
        for candidate in self.progress.archive.values_mut() {
            if let Some(judged) = finals.get(&RulesKey::of(&candidate.text).to_string()) {
                *candidate = judged.candidate.clone();
            }
        }
        self.keep()?;
        Ok(self.holder().is_some())
    }

    /// What came out of everything.
    pub(super) fn conclude(
        &mut self,
        told: &mut dyn FnMut(Step),
    ) -> Result<Improvement, JudgeError> {
        let original = self.original()?;
        while self.may_go_on(&original.text, 0.0) && self.look(&original, told)? {}
        let waiting =
            self.finalists().iter().filter(|one| self.judged(&one.text).is_none()).count();
        let known = self.progress.finals.values().map(|judged| &judged.candidate);
        let known: Vec<&Candidate> = known.filter(|one| !one.changes.is_empty()).collect();
        let nearest = known.iter().max_by(|a, b| a.promise.total_cmp(&b.promise));
        let reached = self.holder();
        let judged = self.judged(&original.text).map(|judged| judged.candidate.clone());
        Ok(Improvement {
            original: judged.unwrap_or(original),
            reached: reached.is_some(),
            finalists: (known.len(), waiting),
            best: reached.or(nearest.map(|one| (*one).clone())),
            simulations: self.progress.simulations,
            archive: self.by_promise(),
            attempts: self.progress.tried(),
            fates: self.progress.fates.clone(),
            seconds: self.seconds(),
            goal: self.plan.goal.clone(),
        })
    }

    fn original(&self) -> Result<Candidate, JudgeError> {
        self.progress.original.clone().ok_or(JudgeError::Stopped)
    }

    /// The archive, the best first.
    fn by_promise(&self) -> Vec<Candidate> {
        let mut archive: Vec<Candidate> = self.progress.archive.values().cloned().collect();
        archive.sort_by(|a, b| b.promise.total_cmp(&a.promise).then(a.born.cmp(&b.born)));
        archive
    }

    /// Who is judged anew.
    fn finalists(&self) -> Vec<Candidate> {
        let changed = self.by_promise().into_iter().filter(|one| !one.changes.is_empty());
        changed.take(MOST_FINALISTS).collect()
    }

    /// A finalist who played all games and holds the goal.
    fn holder(&self) -> Option<Candidate> {
        let holds = |judged: &&Judged| {
            judged.is_finished()
                && !judged.candidate.changes.is_empty()
                && self.plan.goal.holds(&judged.candidate.metrics)
        };
        self.progress.finals.values().find(holds).map(|judged| judged.candidate.clone())
    }

    /// Plays on to the next look; false where the time was over before.
    fn look(&mut self, one: &Candidate, told: &mut dyn FnMut(Step)) -> Result<bool, JudgeError> {
        self.check_stop()?;
        let looks = self.judged(&one.text).map_or(0, |judged| judged.looks);
        let games = LOOKS[looks];
        told(Step::Finalist { changes: &one.changes, games });
        let game = sheet::compile(&one.text)?;
        let random = self.sample(&*game);
        let file = self.write(&one.text)?;
        let fresh = self.plan.seed.wrapping_add(0x0066_7265_7368);
        let series =
            self.series(Path::new(&file), self.progress.simulations, games, fresh, &random);
        let (mut numbers, played) = self.play(&series, &*game, &random, 1.0)?;
        if played.games < games {
            return Ok(false);
        }
        if let Some(depth) = one.metrics.get("depth") {
            numbers.insert("depth".to_string(), depth.clone());
        }
        let (quality, promise) =
            (self.plan.goal.quality(&numbers), self.plan.goal.promise(&numbers));
        let candidate = Candidate { quality, promise, metrics: numbers, ..one.clone() };
        let key = RulesKey::of(&one.text).to_string();
        self.progress.finals.insert(key, Judged { candidate, looks: looks + 1 });
        self.keep()?;
        Ok(true)
    }
}
