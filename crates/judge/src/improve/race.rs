//! How candidates are sorted out: the compiler, a filter of random games, and a race in stages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ludex_arena::catalog::{GameSpec, RulesKey};
use ludex_game::Game;

use super::{Candidate, Search};
use crate::evaluate::Evidence;
use crate::figure::{Figure, Origin};
use crate::observe::Counted;
use crate::searched::{self, Conduct, Played, Searched, Series};
use crate::{JudgeError, ladder, metrics, random, sheet};

/// Games of the stages of a race.
const STAGES: [u64; 3] = [24, 64, 160];
/// Whoever comes so far plays as many games again with the simulations of tier 1: searches that see further may find
/// that what looked even is not.
pub(super) const LAST_STAGE: u64 = 160;
/// Random games of the filter.
const FILTER_GAMES: u64 = 256;
/// A candidate may take so many times as long as the original, or such a share of all time if that is more: rules that
/// are much slower to play would never be judged in time, and meanwhile nobody else is.
const SLOWEST: f64 = 4.0;
const PATIENCE: f64 = 0.01;

/// What became of a candidate.
pub(super) enum Raced {
    /// It stands in the archive, or somebody better does.
    Through(Box<Candidate>),
    /// Why it is not kept.
    Dropped(String),
    /// The time was over before it was judged: nothing is known of it.
    Late,
}

impl Search<'_> {
    /// What `ludex check` would warn of, other than in the original.
    pub(super) fn doubt(&self, text: &str, game: &dyn Game) -> Option<String> {
        sheet::doubts(text, game).into_iter().find(|doubt| !self.doubts.contains(doubt))
    }

    /// Compiles, filters and races a candidate.
    pub(super) fn race(&mut self, text: &str) -> Result<Raced, JudgeError> {
        let dropped = |fate: &str| Ok(Raced::Dropped(fate.to_string()));
        if !self.attested.stand_in(text) {
            return dropped("refused: a part that is kept would change");
        }
        let Ok(game) = sheet::compile(text) else { return dropped("refused by the compiler") };
        let random = self.sample(&*game);
        if let Some(fault) = self.filtered(&*game, &random) {
            return Ok(Raced::Dropped(fault));
        }
        if self.doubt(text, &*game).is_some() {
            return dropped("filtered: `ludex check` warns of it");
        }
        let file = self.write(text)?;
        let longest = (SLOWEST * self.progress.original_seconds / self.all_seconds()).max(PATIENCE);
        let until = self.until().min(self.spent() + longest);
        let (mut numbers, mut last) = (BTreeMap::new(), None);
        let stages = STAGES.map(|games| (games, self.plan.simulations));
        for (games, simulations) in stages.into_iter().chain([(LAST_STAGE, self.tier_1())]) {
            self.check_stop()?;
            let series = self.series(&file, simulations, games, self.plan.seed, &random);
            let played = match self.play(&series, &*game, &random, until) {
                Ok((found, played)) => {
                    (numbers, last) = (found, Some(played));
                    played.games
                }
                Err(JudgeError::Stopped) => return Err(JudgeError::Stopped),
                Err(_) => return dropped("failed while it was played"),
            };
            if played < games && self.spent() < self.until() {
                return dropped("dropped: too slow to be judged in time");
            }
            if played < games {
                return Ok(Raced::Late);
            }
            if self.plan.goal.missed(&numbers).is_some() {
                let fate = format!("dropped after {games} games at {simulations} simulations");
                return Ok(Raced::Dropped(fate));
            }
        }
        let Some(last) = last else { return Ok(Raced::Late) };
        let shorter = self.simpler(text, last)?;
        if shorter != text {
            if shorter == self.sheet.text {
                return dropped("dropped: every game goes as by the original rules");
            }
            if !self.progress.seen.insert(RulesKey::of(&shorter).to_string()) {
                return dropped("dropped: every game goes as by simpler rules that were tried");
            }
            self.rename(text, &shorter)?;
        }
        if self.plan.goal.wants("depth") {
            numbers.extend(self.depth(&self.file(&shorter), &random)?);
        }
        Ok(Raced::Through(Box::new(self.candidate(shorter, numbers))))
    }

    pub(super) fn sample(&self, game: &dyn Game) -> Counted {
        let limits = random::Limits {
            games: FILTER_GAMES,
            time: Duration::from_millis(400),
            threads: self.plan.threads,
            stop: self.stop,
        };
        random::sample(game, self.plan.seed, 0, limits, &mut |_| {}).0
    }

    /// What random games say against a candidate.
    fn filtered(&self, game: &dyn Game, random: &Counted) -> Option<String> {
        let share = |tally: &ludex_arena::stats::Tally| tally.mean().unwrap_or(0.0);
        if game.info().players != self.players {
            return Some("filtered: another number of players".to_string());
        }
        if share(&random.unfinished) > 0.05 {
            return Some("filtered: random games do not end".to_string());
        }
        if random.plies.mean().unwrap_or(0.0) < 3.0 {
            return Some("filtered: over at once".to_string());
        }
        if share(&random.decisions) < self.least_decisions() {
            return Some("filtered: hardly a choice".to_string());
        }
        let (low, high) = self.plan.goal.range("length").unwrap_or((0.0, 1e9));
        let length = random.plies.mean().unwrap_or(0.0);
        // Searches play shorter or longer than chance does, but not by so much.
        if length < low / 3.0 || length > high * 4.0 {
            return Some("filtered: far from the wanted length".to_string());
        }
        None
    }

    /// Turns with a choice that a candidate must have: a quarter, or nearly what the original has.
    fn least_decisions(&self) -> f64 {
        let original = self.progress.original.as_ref();
        let known = original.and_then(|one| one.metrics.get("random_decisions"));
        known.map_or(0.25, |figure| (0.9 * figure.value).min(0.25))
    }

    pub(super) fn file(&self, text: &str) -> PathBuf {
        let name = format!("{}.lud", RulesKey::of(text));
        self.plan.folder.join("candidates").join(name)
    }

    pub(super) fn write(&self, text: &str) -> Result<PathBuf, JudgeError> {
        let file = self.file(text);
        std::fs::write(&file, text).map_err(|error| JudgeError::file(&file, error))?;
        Ok(file)
    }

    pub(super) fn series(
        &self,
        file: &Path,
        simulations: u64,
        games: u64,
        seed: u64,
        random: &Counted,
    ) -> Series {
        let long = random.length_at(0.95).unwrap_or(1).max(32);
        Series {
            game: GameSpec::named(file.display().to_string()),
            agents: vec![(self.plan.agent.clone(), simulations)],
            games,
            seed,
            plies: (3 * long).next_power_of_two(),
        }
    }

    /// Plays until so much of the whole time is used.
    fn conduct(&self, until: f64) -> Conduct<'_> {
        let left = (until - self.spent()).max(0.0);
        Conduct {
            store: self.store,
            threads: self.plan.threads,
            stop: self.stop,
            time: self.plan.time.mul_f64(left),
            title: "improvement",
        }
    }

    /// The numbers of a series and the games of it that were played in time.
    pub(super) fn play(
        &mut self,
        series: &Series,
        game: &dyn Game,
        random: &Counted,
        until: f64,
    ) -> Result<(BTreeMap<String, Figure>, Played), JudgeError> {
        let (begun, mut before, mut after) = (self.seconds(), None, 0);
        let all = std::slice::from_ref(series);
        let played = searched::play(all, &self.conduct(until), &mut |finished, _| {
            before.get_or_insert(finished);
            after = finished;
        })?[0];
        let (simulations, fresh) = (series.agents[0].1, after - before.unwrap_or(after));
        if fresh > 0 {
            let cost = (self.seconds() - begun) / (fresh * simulations) as f64;
            self.progress.costs.insert(series.game.name.clone(), cost);
        }
        let read = Searched::read(self.store, played, game, series.plies)?;
        let main = Origin {
            agent: format!("{} at {simulations} simulations", self.plan.agent),
            seed: series.seed,
        };
        let origin = Origin { agent: "random".to_string(), seed: self.plan.seed };
        let evidence =
            Evidence { random: random.clone(), searched: Some(read), ..Evidence::default() };
        Ok((metrics::all(&evidence, &origin, &main), played))
    }

    /// How much four times the thinking wins, from nought (nothing) to one (everything).
    pub(super) fn depth(
        &self,
        file: &Path,
        random: &Counted,
    ) -> Result<Option<(String, Figure)>, JudgeError> {
        let strong = self.plan.simulations;
        let weak = (strong / 4).max(1);
        let base = self.series(file, strong, 64, self.plan.seed, random);
        let series = ladder::series(&base, &self.plan.agent, weak, strong, 64);
        let played = searched::play(&[series], &self.conduct(self.until()), &mut |_, _| {})?;
        let rung = ladder::read(self.store, played[0], weak, strong)?;
        let interval = rung.score.interval();
        let scaled = |score: f64| (2.0 * score - 1.0).clamp(0.0, 1.0);
        let agent = format!("{} at {strong} against {weak} simulations", self.plan.agent);
        let origin = Origin { agent, seed: self.plan.seed };
        let (low, high) = (Some(scaled(interval.low)), Some(scaled(interval.high)));
        Ok(rung.score.mean().map(|mean| {
            ("depth".to_string(), origin.figure(scaled(mean), low, high, rung.score.matches))
        }))
    }
}
