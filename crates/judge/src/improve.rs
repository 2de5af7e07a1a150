//! A search through the space of rule sets for one that comes nearer to a goal.
//!
//! Options of the description are tried first, then typed edits of whatever is kept in the archive: for each range of
//! lengths and of branching the best candidate (MAP-Elites). A candidate must compile, pass a filter of random games,
//! and race: it plays in stages and is dropped as soon as the interval of a number lies outside the goal. The best are
//! judged anew with fresh seeds at four times the budget.

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

use crate::edit::{self, Keep, Pool};
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
    /// His simulations while candidates race; the last judgement has four times as many.
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
    /// The original, judged like the finalists.
    pub original: Candidate,
    /// The first finalist that held the goal when judged anew; otherwise the one that came nearest.
    pub best: Option<Candidate>,
    /// Whether he held it.
    pub reached: bool,
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
struct Progress {
    attempts: u64,
    seconds: f64,
    archive: BTreeMap<String, Candidate>,
    seen: BTreeSet<String>,
    fates: BTreeMap<String, u64>,
    original: Option<Candidate>,
    finals: BTreeMap<String, Candidate>,
}

/// Games of the stages of a race.
const STAGES: [u64; 4] = [24, 64, 160, 320];
/// Games of the last judgement, look by look.
const LOOKS: [u64; 5] = [80, 200, 450, 800, 1200];
/// Share of the time after which the finals begin.
const FINALS: f64 = 0.5;
/// Random games of the filter.
const FILTER_GAMES: u64 = 256;
/// Finalists at most.
const MOST_FINALISTS: usize = 12;

/// Searches for a better game. Everything played and every candidate is kept: a run that was stopped goes on.
pub fn improve(
    plan: &ImprovePlan,
    store: &Store,
    stop: &AtomicBool,
    told: &mut dyn FnMut(Step),
) -> Result<Improvement, JudgeError> {
    let sheet = Sheet::of(&plan.game)?.ok_or_else(|| {
        JudgeError::Asked(format!(
            "{} cannot be edited: only games from ludemes (.lud) can",
            plan.game.name
        ))
    })?;
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
        sheet,
        players,
        pool: Pool::built_in(),
        before: progress.seconds,
        begun: ProcessTime::now(),
        progress,
        key,
    };
    search.run(told)
}

struct Search<'a> {
    plan: &'a ImprovePlan,
    store: &'a Store,
    stop: &'a AtomicBool,
    sheet: Sheet,
    players: usize,
    pool: Pool,
    before: f64,
    begun: ProcessTime,
    progress: Progress,
    key: String,
}

/// Why a candidate is not kept.
type Fate = String;

impl Search<'_> {
    fn run(&mut self, told: &mut dyn FnMut(Step)) -> Result<Improvement, JudgeError> {
        self.judge_original()?;
        for text in self.options()? {
            self.attempt(text)?;
        }
        while self.spent() < FINALS {
            self.check_stop()?;
            let best = self.progress.archive.values().map(|one| one.quality).fold(0.0, f64::max);
            told(Step::Searching {
                spent: self.spent(),
                attempts: self.progress.attempts,
                kept: self.progress.archive.len(),
                best,
            });
            let mut rng = Rng::stream(self.plan.seed, self.progress.attempts);
            self.progress.attempts += 1;
            let text = self.proposal(&mut rng);
            if let Some(text) = text {
                self.attempt(text)?;
            }
            if self.progress.attempts.is_multiple_of(16) {
                self.keep()?;
            }
        }
        self.keep()?;
        self.finals(told)
    }

    fn check_stop(&mut self) -> Result<(), JudgeError> {
        if self.stop.load(Ordering::Relaxed) {
            self.keep()?;
            return Err(JudgeError::Stopped);
        }
        Ok(())
    }

    /// Processor seconds so far, all threads together.
    fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// The share of the time that is used.
    fn spent(&self) -> f64 {
        let all = self.plan.time.as_secs_f64() * self.plan.threads.max(1) as f64;
        self.seconds() / all.max(1e-9)
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
        let numbers = self.play(&series, &*game, &random)?;
        let original = self.candidate(text, numbers);
        self.enter(original.clone());
        self.progress.original = Some(original);
        self.keep()
    }

    /// The variants that the description's own options make.
    fn options(&self) -> Result<Vec<String>, JudgeError> {
        let mut found = Vec::new();
        if self.progress.attempts > 0 {
            return Ok(found);
        }
        let text = ludex_arena::catalog::ludeme_text(
            &self.plan.game,
            ludex_arena::catalog::Places::here(),
        )?;
        let defines = ludex_arena::ludemes::Defines::none();
        let Some(Ok((categories, _))) = text.map(|text| defines.offers(&text)) else {
            return Ok(found);
        };
        for category in categories {
            let all = [format!("{}/*", category.heading)];
            for spec in sweep::variants(&self.plan.game, &all)? {
                if let Ok(Some(sheet)) = Sheet::of(&spec) {
                    found.push(sheet.text);
                }
            }
        }
        Ok(found)
    }

    /// One or more edits of the original or of somebody in the archive.
    fn proposal(&self, rng: &mut Rng) -> Option<String> {
        let mut elites: Vec<&Candidate> = self.progress.archive.values().collect();
        elites.sort_by(|a, b| b.quality.total_cmp(&a.quality));
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
        if text == self.sheet.text || !self.progress.seen.insert(key) {
            return Ok(());
        }
        let fate = match self.race(&text)? {
            Ok(candidate) => {
                self.enter(candidate);
                "raced to the end".to_string()
            }
            Err(fate) => fate,
        };
        *self.progress.fates.entry(fate).or_default() += 1;
        Ok(())
    }

    /// Compiles, filters and races a candidate.
    fn race(&mut self, text: &str) -> Result<Result<Candidate, Fate>, JudgeError> {
        let Ok(game) = sheet::compile(text) else {
            return Ok(Err("refused by the compiler".to_string()));
        };
        let random = self.sample(&*game);
        if let Some(fault) = self.filtered(&*game, &random) {
            return Ok(Err(fault));
        }
        let file = self.write(text)?;
        let mut numbers = BTreeMap::new();
        for games in STAGES {
            self.check_stop()?;
            let series = self.series(&file, self.plan.simulations, games, self.plan.seed, &random);
            numbers = match self.play(&series, &*game, &random) {
                Ok(numbers) => numbers,
                Err(JudgeError::Stopped) => return Err(JudgeError::Stopped),
                Err(_) => return Ok(Err("failed while it was played".to_string())),
            };
            if self.plan.goal.missed(&numbers).is_some() {
                return Ok(Err(format!("dropped after {games} games")));
            }
        }
        if self.plan.goal.wants("depth") {
            numbers.extend(self.depth(&file, &random)?);
        }
        Ok(Ok(self.candidate(text.to_string(), numbers)))
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
    fn filtered(&self, game: &dyn Game, random: &Counted) -> Option<Fate> {
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

    fn write(&self, text: &str) -> Result<PathBuf, JudgeError> {
        let name = format!("{}.lud", RulesKey::of(text));
        let file = self.plan.folder.join("candidates").join(name);
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

    fn conduct(&self) -> Conduct<'_> {
        Conduct {
            store: self.store,
            threads: self.plan.threads,
            stop: self.stop,
            time: Duration::from_secs(3600),
            title: "improvement",
        }
    }

    fn play(
        &self,
        series: &Series,
        game: &dyn Game,
        random: &Counted,
    ) -> Result<BTreeMap<String, Figure>, JudgeError> {
        let cells = searched::play(std::slice::from_ref(series), &self.conduct(), &mut |_, _| {})?;
        let read = Searched::read(self.store, cells[0], game, series.plies, series.games)?;
        let main = Origin {
            agent: format!("{} at {} simulations", self.plan.agent, series.agents[0].1),
            seed: series.seed,
        };
        let origin = Origin { agent: "random".to_string(), seed: self.plan.seed };
        let evidence =
            Evidence { random: random.clone(), searched: Some(read), ..Evidence::default() };
        Ok(metrics::all(&evidence, &origin, &main))
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
        let cells = searched::play(&[series], &self.conduct(), &mut |_, _| {})?;
        let rung = ladder::read(self.store, cells[0], weak, strong)?;
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
        if known.is_none_or(|known| known.quality < candidate.quality) {
            self.progress.archive.insert(place, candidate);
        }
    }

    /// Judges the best anew, with fresh seeds and four times the budget.
    fn finals(&mut self, told: &mut dyn FnMut(Step)) -> Result<Improvement, JudgeError> {
        let mut archive: Vec<Candidate> = self.progress.archive.values().cloned().collect();
        archive.sort_by(|a, b| b.quality.total_cmp(&a.quality).then(a.born.cmp(&b.born)));
        let finalists = archive.iter().filter(|one| !one.changes.is_empty()).take(MOST_FINALISTS);
        let mut best: Option<Candidate> = None;
        let mut reached = false;
        for finalist in finalists.cloned().collect::<Vec<_>>() {
            let judged = self.final_judgement(&finalist, told)?;
            let holds = self.plan.goal.holds(&judged.metrics) && finished(&judged);
            let nearer = best.as_ref().is_none_or(|best| judged.quality > best.quality);
            if holds || nearer {
                best = Some(judged);
            }
            if holds {
                reached = true;
                break;
            }
            if self.spent() >= 1.0 {
                break;
            }
        }
        self.keep()?;
        let original = self.progress.original.clone();
        Ok(Improvement {
            original: original.ok_or(JudgeError::Stopped)?,
            best,
            reached,
            archive,
            attempts: self.progress.attempts,
            fates: self.progress.fates.clone(),
            seconds: self.seconds(),
        })
    }

    fn final_judgement(
        &mut self,
        finalist: &Candidate,
        told: &mut dyn FnMut(Step),
    ) -> Result<Candidate, JudgeError> {
        let key = RulesKey::of(&finalist.text).to_string();
        if let Some(judged) = self.progress.finals.get(&key) {
            return Ok(judged.clone());
        }
        let game = sheet::compile(&finalist.text)?;
        let random = self.sample(&*game);
        let file = self.write(&finalist.text)?;
        let fresh = self.plan.seed.wrapping_add(0x0066_7265_7368);
        let mut judged = finalist.clone();
        for games in LOOKS {
            self.check_stop()?;
            told(Step::Finalist { changes: &finalist.changes, games });
            let series = self.series(&file, 4 * self.plan.simulations, games, fresh, &random);
            let mut numbers = self.play(&series, &*game, &random)?;
            if let Some(depth) = finalist.metrics.get("depth") {
                numbers.insert("depth".to_string(), depth.clone());
            }
            judged.quality = self.plan.goal.quality(&numbers);
            judged.metrics = numbers;
            if self.plan.goal.missed(&judged.metrics).is_some() {
                break;
            }
        }
        self.progress.finals.insert(key, judged.clone());
        self.keep()?;
        Ok(judged)
    }
}

/// Whether a candidate was judged by all games of the last judgement.
fn finished(candidate: &Candidate) -> bool {
    let games = candidate.metrics.get("first_seat").map_or(0, |figure| figure.games);
    games >= LOOKS[LOOKS.len() - 1]
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
