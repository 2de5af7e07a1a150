//! A search through the space of rule sets for one that comes nearer to a goal.
//!
//! Options of the description are tried first, then typed edits of whatever is kept in the archive: for each range of
//! lengths and of branching the best candidate (MAP-Elites). A candidate must compile, pass a filter of random games,
//! and race: it plays in stages and is dropped as soon as the interval of a number lies outside the goal. The best are
//! judged anew with fresh seeds and far more simulations ([`finals`]); where none of them holds the goal and time is
//! left, the search goes on with what that has shown.

mod finals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;
use ludex_arena::catalog::{GameSpec, RulesKey};
use ludex_arena::experiment::Store;
use ludex_game::{Game, Rng};
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use self::finals::Judged;
use crate::edit::{self, Attested, Keep, Pool};
use crate::evaluate::Evidence;
use crate::figure::{Figure, Origin};
use crate::goal::Goal;
use crate::observe::Counted;
use crate::searched::{self, Conduct, Searched, Series};
use crate::sheet::{self, Sheet};
use crate::{JudgeError, difference, ladder, metrics, random, sweep};

/// What is to be improved and how.
#[derive(Clone, Debug)]
pub struct ImprovePlan {
    /// The game; it must come from ludemes.
    pub game: GameSpec,
    /// What is wanted.
    pub goal: Goal,
    /// Parts that are never edited.
    pub keep: Keep,
    /// Who plays.
    pub agent: AgentSpec,
    /// His simulations while candidates race; the last judgement has four times as many as games of tier 1 have, or
    /// fewer where those would not be played in time.
    pub simulations: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Games side by side.
    pub threads: usize,
    /// Processor time of a thread for the whole search; a busy machine changes nothing.
    pub time: Duration,
    /// Where candidates and results are written.
    pub folder: PathBuf,
}

/// A rule set that was judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// Its description.
    pub text: String,
    /// Its numbers.
    pub metrics: BTreeMap<String, Figure>,
    /// How near it comes to the goal.
    pub quality: f64,
    /// What it is ordered by: how near it comes, and how likely it holds.
    pub promise: f64,
    /// Which attempt it was.
    pub born: u64,
    /// What changed from the original, in words.
    pub changes: Vec<String>,
    /// How far it is from the original, as a share of its words.
    pub distance: f64,
}

/// What is told while the search goes on.
#[derive(Clone, Debug)]
pub enum Step<'a> {
    /// So much of the time is used, so many attempts were made, so many rule sets are in the archive, and the best
    /// quality so far.
    Searching {
        /// Share of the time, from nought to one.
        spent: f64,
        /// Attempts.
        attempts: u64,
        /// Rule sets kept.
        kept: usize,
        /// The best quality.
        best: f64,
    },
    /// A finalist is judged anew.
    Finalist {
        /// His changes.
        changes: &'a [String],
        /// Games so far.
        games: u64,
    },
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The original, judged like the finalists; as in the race where there was no time for that.
    pub original: Candidate,
    /// The first finalist that held the goal when judged anew; otherwise the one that came nearest.
    pub best: Option<Candidate>,
    /// Whether he held it.
    pub reached: bool,
    /// Simulations of the last judgement.
    pub simulations: u64,
    /// Finalists that were judged anew, and those for which there was no time.
    pub finalists: (usize, usize),
    /// All that are in the archive, best first.
    pub archive: Vec<Candidate>,
    /// Attempts made.
    pub attempts: u64,
    /// Candidates by what became of them.
    pub fates: BTreeMap<String, u64>,
    /// Processor seconds used, all threads together.
    pub seconds: f64,
}

/// A search that can be gone on with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Progress {
    attempts: u64,
    seconds: f64,
    archive: BTreeMap<String, Candidate>,
    seen: BTreeSet<String>,
    fates: BTreeMap<String, u64>,
    original: Option<Candidate>,
    /// Simulations of the last judgement, settled once.
    simulations: u64,
    /// The share of the time at which the next finals begin, once the first have found nobody.
    until: f64,
    finals: BTreeMap<String, Judged>,
    /// Processor seconds that a game takes for each of its simulations a move, by rule set.
    costs: BTreeMap<String, f64>,
}

/// Games of the stages of a race.
const STAGES: [u64; 4] = [24, 64, 160, 320];
/// Share of the time that is left after which the finals begin; where they find nobody, the search goes on and uses
/// as much of what is left then.
const FINALS: f64 = 0.5;
/// Of the time, a share that is too short for another round.
const SHORT: f64 = 0.1;
/// Random games of the filter.
const FILTER_GAMES: u64 = 256;

/// Searches for a better game. Everything played and every candidate is kept: a run that was stopped goes on.
pub fn improve(
    plan: &ImprovePlan,
    store: &Store,
    stop: &AtomicBool,
    told: &mut dyn FnMut(Step),
) -> Result<Improvement, JudgeError> {
    let described = sweep::described(&plan.game)?.map(|(spec, _)| spec);
    let sheet = described.as_ref().map(Sheet::of).transpose()?.flatten();
    let (Some(game), Some(sheet)) = (described, sheet) else {
        return Err(JudgeError::Asked(format!(
            "{} cannot be edited: only games from ludemes (.lud) can",
            plan.game.name
        )));
    };
    if plan.keep.0.iter().any(|part| part.trim().is_empty()) {
        return Err(JudgeError::Asked("a part to keep is empty; name one, as `board`".to_string()));
    }
    if let Some(absent) = plan.keep.unmatched(&sheet).first() {
        return Err(JudgeError::Asked(format!("the rules have no part `{absent}` to keep")));
    }
    let key = format!(
        "improve | {} | {:?} | {:?} | {} at {} | seed {}",
        RulesKey::of(&sheet.text),
        plan.goal,
        plan.keep.0,
        plan.agent,
        plan.simulations,
        plan.seed
    );
    let kept = store.finding(&key)?.and_then(|text| serde_json::from_str(&text).ok());
    let candidates = plan.folder.join("candidates");
    std::fs::create_dir_all(&candidates).map_err(|error| JudgeError::file(&candidates, error))?;
    let progress: Progress = kept.unwrap_or_default();
    let players = sheet::compile(&sheet.text)?.info().players;
    if players < 2 {
        return Err(JudgeError::Asked(format!(
            "{} is for {players}: there are no seats to balance and nobody to play against",
            plan.game.name
        )));
    }
    let mut search = Search {
        plan,
        store,
        stop,
        game,
        attested: plan.keep.attested(&sheet.text),
        sheet,
        players,
        pool: Pool::built_in(),
        before: progress.seconds,
        begun: ProcessTime::now(),
        progress,
        key,
    };
    let found = search.run(told);
    if matches!(found, Err(JudgeError::Stopped)) {
        search.keep()?;
    }
    found
}

struct Search<'a> {
    plan: &'a ImprovePlan,
    store: &'a Store,
    stop: &'a AtomicBool,
    /// The game as it is described by ludemes.
    game: GameSpec,
    sheet: Sheet,
    attested: Attested,
    players: usize,
    pool: Pool,
    before: f64,
    begun: ProcessTime,
    progress: Progress,
    key: String,
}

/// What became of a candidate.
enum Raced {
    /// It stands in the archive, or somebody better does.
    Through(Box<Candidate>),
    /// Why it is not kept.
    Dropped(String),
    /// The time was over before it was judged: nothing is known of it.
    Late,
}

impl Search<'_> {
    fn run(&mut self, told: &mut dyn FnMut(Step)) -> Result<Improvement, JudgeError> {
        self.judge_original()?;
        if self.progress.attempts == 0 {
            for spec in sweep::of_each_option(&self.game)? {
                if self.spent() >= self.until() {
                    break;
                }
                self.tell(told);
                if let Ok(Some(sheet)) = Sheet::of(&spec) {
                    self.attempt(sheet.text)?;
                }
            }
        }
        loop {
            self.search(told)?;
            let found = self.finals(told)?;
            let left = 1.0 - self.spent();
            if found || left < SHORT {
                return self.conclude(told);
            }
            self.progress.until = 1.0 - FINALS * left;
        }
    }

    /// Makes attempts until it is time for the finals.
    fn search(&mut self, told: &mut dyn FnMut(Step)) -> Result<(), JudgeError> {
        while self.spent() < self.until() {
            self.check_stop()?;
            self.tell(told);
            let mut rng = Rng::stream(self.plan.seed, self.progress.attempts);
            if let Some(text) = self.proposal(&mut rng) {
                self.attempt(text)?;
            }
            self.progress.attempts += 1;
            if self.progress.attempts.is_multiple_of(16) {
                self.keep()?;
            }
        }
        self.keep()
    }

    fn tell(&self, told: &mut dyn FnMut(Step)) {
        let best = self.progress.archive.values().map(|one| one.quality).fold(0.0, f64::max);
        told(Step::Searching {
            spent: self.spent(),
            attempts: self.progress.attempts,
            kept: self.progress.archive.len(),
            best,
        });
    }

    fn check_stop(&self) -> Result<(), JudgeError> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(JudgeError::Stopped),
            false => Ok(()),
        }
    }

    /// Processor seconds so far, all threads together.
    fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// Processor seconds there are, all threads together.
    fn all_seconds(&self) -> f64 {
        (self.plan.time.as_secs_f64() * self.plan.threads.max(1) as f64).max(1e-9)
    }

    /// The share of the time that is used.
    fn spent(&self) -> f64 {
        self.seconds() / self.all_seconds()
    }

    /// The share of the time at which the next finals begin.
    fn until(&self) -> f64 {
        self.progress.until.max(FINALS)
    }

    fn keep(&mut self) -> Result<(), JudgeError> {
        self.progress.seconds = self.seconds();
        let text = serde_json::to_string(&self.progress)
            .map_err(|error| JudgeError::Asked(error.to_string()))?;
        Ok(self.store.keep_finding(&self.key, &text)?)
    }

    fn judge_original(&mut self) -> Result<(), JudgeError> {
        if self.progress.original.is_some() {
            return Ok(());
        }
        let text = self.sheet.text.clone();
        let game = sheet::compile(&text)?;
        let random = self.sample(&*game);
        let file = self.write(&text)?;
        let series = self.series(&file, self.plan.simulations, STAGES[2], self.plan.seed, &random);
        let (mut numbers, games) = self.play(&series, &*game, &random, self.until())?;
        if games == 0 {
            return Err(JudgeError::Asked(format!(
                "no game of {} was over in the time there is; give more --minutes",
                self.plan.game.name
            )));
        }
        if self.plan.goal.wants("depth") {
            numbers.extend(self.depth(&file, &random)?);
        }
        let original = self.candidate(text, numbers);
        self.enter(original.clone());
        self.progress.original = Some(original);
        self.progress.simulations = self.affordable();
        self.keep()
    }

    /// One or more edits of the original or of somebody in the archive.
    fn proposal(&self, rng: &mut Rng) -> Option<String> {
        let mut elites: Vec<&Candidate> = self.progress.archive.values().collect();
        elites.sort_by(|a, b| b.promise.total_cmp(&a.promise));
        let parent = match rng.below(10) {
            0..3 => self.sheet.clone(),
            // The better ones are drawn more often: the better of two.
            _ => {
                let draw = |rng: &mut Rng| rng.below(elites.len().max(1) as u32) as usize;
                let at = draw(rng).min(draw(rng));
                Sheet::read(elites.get(at)?.text.clone())?
            }
        };
        let mut text = edit::propose(&parent, &self.pool, &self.plan.keep, rng)?;
        while rng.below(4) == 0 {
            let sheet = Sheet::read(text.clone())?;
            text = edit::propose(&sheet, &self.pool, &self.plan.keep, rng).unwrap_or(text);
        }
        Some(text)
    }

    fn attempt(&mut self, text: String) -> Result<(), JudgeError> {
        let key = RulesKey::of(&text).to_string();
        if text == self.sheet.text || !self.progress.seen.insert(key.clone()) {
            return Ok(());
        }
        let raced = self.race(&text);
        let fate = match raced {
            Ok(Raced::Through(candidate)) => {
                self.enter(*candidate);
                "raced to the end".to_string()
            }
            Ok(Raced::Dropped(fate)) => fate,
            // Whoever goes on with the search meets it again.
            Ok(Raced::Late) | Err(_) => {
                self.progress.seen.remove(&key);
                return raced.map(|_| ());
            }
        };
        *self.progress.fates.entry(fate).or_default() += 1;
        Ok(())
    }

    /// Compiles, filters and races a candidate.
    fn race(&mut self, text: &str) -> Result<Raced, JudgeError> {
        let dropped = |fate: &str| Ok(Raced::Dropped(fate.to_string()));
        if !self.attested.stand_in(text) {
            return dropped("refused: a part that is kept would change");
        }
        let Ok(game) = sheet::compile(text) else { return dropped("refused by the compiler") };
        let random = self.sample(&*game);
        if let Some(fault) = self.filtered(&*game, &random) {
            return Ok(Raced::Dropped(fault));
        }
        let file = self.write(text)?;
        let mut numbers = BTreeMap::new();
        for games in STAGES {
            self.check_stop()?;
            let series = self.series(&file, self.plan.simulations, games, self.plan.seed, &random);
            let played = match self.play(&series, &*game, &random, self.until()) {
                Ok((found, played)) => {
                    numbers = found;
                    played
                }
                Err(JudgeError::Stopped) => return Err(JudgeError::Stopped),
                Err(_) => return dropped("failed while it was played"),
            };
            if played < games {
                return Ok(Raced::Late);
            }
            if self.plan.goal.missed(&numbers).is_some() {
                return Ok(Raced::Dropped(format!("dropped after {games} games")));
            }
        }
        if self.plan.goal.wants("depth") {
            numbers.extend(self.depth(&file, &random)?);
        }
        Ok(Raced::Through(Box::new(self.candidate(text.to_string(), numbers))))
    }

    fn sample(&self, game: &dyn Game) -> Counted {
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

    fn file(&self, text: &str) -> PathBuf {
        let name = format!("{}.lud", RulesKey::of(text));
        self.plan.folder.join("candidates").join(name)
    }

    fn write(&self, text: &str) -> Result<PathBuf, JudgeError> {
        let file = self.file(text);
        std::fs::write(&file, text).map_err(|error| JudgeError::file(&file, error))?;
        Ok(file)
    }

    fn series(
        &self,
        file: &std::path::Path,
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

    /// The numbers of a series and how many games of it were played in time.
    fn play(
        &mut self,
        series: &Series,
        game: &dyn Game,
        random: &Counted,
        until: f64,
    ) -> Result<(BTreeMap<String, Figure>, u64), JudgeError> {
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
        Ok((metrics::all(&evidence, &origin, &main), played.games))
    }

    /// How much four times the thinking wins, from nought (nothing) to one (everything).
    fn depth(
        &self,
        file: &std::path::Path,
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

    fn candidate(&self, text: String, metrics: BTreeMap<String, Figure>) -> Candidate {
        Candidate {
            quality: self.plan.goal.quality(&metrics),
            promise: self.plan.goal.promise(&metrics),
            born: self.progress.attempts,
            changes: difference::words(&self.sheet.text, &text),
            distance: difference::distance(&self.sheet.text, &text),
            text,
            metrics,
        }
    }

    /// Enters a candidate into the archive, where it must be better than whoever has its length and branching.
    fn enter(&mut self, candidate: Candidate) {
        let number = |name: &str| candidate.metrics.get(name).map_or(1.0, |figure| figure.value);
        // Each place of the archive is twice as wide as the one before, in halves.
        let bin = |value: f64| (2.0 * value.max(1.0).log2()).floor() as i64;
        let place =
            format!("length {} branching {}", bin(number("length")), bin(number("branching")));
        let known = self.progress.archive.get(&place);
        if known.is_none_or(|known| known.promise < candidate.promise) {
            self.progress.archive.insert(place, candidate);
        }
    }
}

/// A candidate as a file: its evaluation and its changes as comments, then its rules.
pub fn file_text(candidate: &Candidate, goal: &Goal, original: &str) -> String {
    let mut text = format!("// Found by a search for better rules, from {original}.\n");
    for change in &candidate.changes {
        text += &format!("// Change: {change}.\n");
    }
    text += &format!(
        "// Distance from the original: {:.1}% of its words.\n",
        100.0 * candidate.distance
    );
    let wanted: Vec<&str> = goal.terms.iter().map(|term| term.metric.as_str()).collect();
    for (name, figure) in &candidate.metrics {
        if wanted.contains(&name.as_str()) {
            text += &format!(
                "// {}: {} ({} games, {}, seed {}).\n",
                name.replace('_', " "),
                crate::verdict::shown(name, figure),
                figure.games,
                figure.agent,
                figure.seed
            );
        }
    }
    text + &candidate.text
}
