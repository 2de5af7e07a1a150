//! A search through the space of rule sets for one that comes nearer to a goal.
//!
//! Options of the description are tried first, then whatever is one small step away (each rule about all rules, each
//! number one more or less), then typed edits of whatever is kept in the archive: for each range of lengths and of
//! branching the best candidate (MAP-Elites). A candidate must compile, pass a filter of random games,
//! and race: it plays in stages and is dropped as soon as the interval of a number lies outside the goal. The best are
//! judged anew with fresh seeds and far more simulations ([`finals`]); where none of them holds the goal and time is
//! left, the search goes on with what that has shown.

mod finals;
mod race;
mod simpler;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;
use ludex_arena::catalog::{self, GameSpec, Places, RulesKey};
use ludex_arena::experiment::Store;
use ludex_game::Rng;
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use self::finals::Judged;
use self::race::{LAST_STAGE, Raced};
use crate::edit::{self, Attested, Keep, Pool};
use crate::evaluate::HOPELESS;
use crate::figure::Figure;
use crate::goal::Goal;
use crate::sheet::{self, Sheet};
use crate::{JudgeError, difference, sweep};

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
    /// So much of the time is used, so many rule sets were tried, so many rule sets are in the archive, and the best
    /// quality so far.
    Searching {
        /// Share of the time, from nought to one.
        spent: f64,
        /// Rule sets that were tried.
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
    /// Rule sets that were tried.
    pub attempts: u64,
    /// Candidates by what became of them.
    pub fates: BTreeMap<String, u64>,
    /// Processor seconds used, all threads together.
    pub seconds: f64,
    /// The goal as it is for so many players.
    pub goal: Goal,
}

/// A search that can be gone on with.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Progress {
    /// Edits drawn at random so far; each draw has a stream of random numbers of its own.
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
    /// Processor seconds that the original took for what candidates race through.
    original_seconds: f64,
}

impl Progress {
    /// Rule sets that were tried.
    fn tried(&self) -> u64 {
        self.fates.values().sum()
    }
}

/// Share of the time that is left after which the finals begin where a number is to be large; where they find nobody,
/// the search goes on and uses as much of what is left then.
const FINALS: f64 = 0.5;
/// The same where the goal has only ranges: the first that holds them ends the search.
const EARLY_FINALS: f64 = 0.12;
/// Of the time, a share that is too short for another round.
const SHORT: f64 = 0.1;
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
        // Whether there is such a game at all comes first.
        catalog::find(&plan.game, Places::here())?;
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
    let original = sheet::compile(&sheet.text)?;
    let players = original.info().players;
    if players < 2 {
        let whom = if players == 0 { "nobody" } else { "one" };
        return Err(JudgeError::Asked(format!(
            "{} is for {whom}: there are no seats to balance and nobody to play against",
            plan.game.name
        )));
    }
    let plan = &ImprovePlan { goal: plan.goal.clone().for_players(players), ..plan.clone() };
    let mut search = Search {
        plan,
        store,
        stop,
        game,
        attested: plan.keep.attested(&sheet.text),
        doubts: sheet::doubts(&sheet.text, &*original),
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
    /// What `ludex check` warns of in the original.
    doubts: Vec<String>,
    players: usize,
    pool: Pool,
    before: f64,
    begun: ProcessTime,
    progress: Progress,
    key: String,
}

impl Search<'_> {
    fn run(&mut self, told: &mut dyn FnMut(Step)) -> Result<Improvement, JudgeError> {
        self.judge_original()?;
        if self.progress.attempts == 0 {
            let options = sweep::of_each_option(&self.game)?.into_iter();
            let options = options.filter_map(|spec| Some(Sheet::of(&spec).ok()??.text));
            let near = edit::nearest(&self.sheet, &self.pool, &self.plan.keep);
            for text in options.chain(near) {
                if self.spent() >= self.until() {
                    break;
                }
                self.check_stop()?;
                self.tell(told);
                self.attempt(text)?;
            }
        }
        loop {
            self.search(told)?;
            let found = self.finals(told)?;
            let left = 1.0 - self.spent();
            if found || left < SHORT {
                return self.conclude(told);
            }
            self.progress.until = 1.0 - (1.0 - self.finals_after()) * left;
        }
    }

    /// The share of the time that is left after which the finals begin.
    fn finals_after(&self) -> f64 {
        if self.plan.goal.is_endless() { FINALS } else { EARLY_FINALS }
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
            attempts: self.progress.tried(),
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
        self.progress.until.max(self.finals_after())
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
        let begun = self.seconds();
        let text = self.sheet.text.clone();
        let game = sheet::compile(&text)?;
        let random = self.sample(&*game);
        let file = self.write(&text)?;
        let seed = self.plan.seed;
        let quick = self.series(&file, self.plan.simulations, LAST_STAGE, seed, &random);
        let (mut numbers, quick) = self.play(&quick, &*game, &random, self.until())?;
        if quick.games == 0 {
            let endless = random.unfinished.mean().is_some_and(|share| share > HOPELESS);
            let why = if endless { "; most random games by these rules do not end" } else { "" };
            return Err(JudgeError::Asked(format!(
                "no game of {} was over in the time there is{why}; give more --minutes",
                self.plan.game.name
            )));
        }
        self.progress.simulations = self.affordable(&text);
        let series = self.series(&file, self.tier_1(), LAST_STAGE, seed, &random);
        let (again, played) = self.play(&series, &*game, &random, self.until())?;
        if played.games > 0 {
            numbers = again;
        }
        if self.plan.goal.wants("depth") {
            numbers.extend(self.depth(&file, &random)?);
        }
        self.progress.original_seconds = self.seconds() - begun;
        // It is the parent of many, but takes nobody's place in the archive.
        self.progress.original = Some(self.candidate(text, numbers));
        self.keep()
    }

    /// Simulations of tier 1: a quarter of those of the last judgement.
    fn tier_1(&self) -> u64 {
        (self.progress.simulations / finals::TIMES).max(self.plan.simulations)
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
        let raced = match catch_unwind(AssertUnwindSafe(|| self.race(&text))) {
            Ok(raced) => raced,
            Err(_) => {
                self.keep_fault(&text)?;
                Ok(Raced::Dropped("failed by a fault of the program; see `faults`".to_string()))
            }
        };
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

    /// Rules that a fault of the program was found by, for whoever mends it: no candidate ends a search.
    fn keep_fault(&self, text: &str) -> Result<(), JudgeError> {
        let folder = self.plan.folder.join("faults");
        let file = folder.join(format!("{}.lud", RulesKey::of(text)));
        let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
        kept.map_err(|error| JudgeError::file(&file, error))
    }

    fn candidate(&self, text: String, metrics: BTreeMap<String, Figure>) -> Candidate {
        Candidate {
            quality: self.plan.goal.quality(&metrics),
            promise: self.plan.goal.promise(&metrics),
            born: self.progress.tried(),
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
