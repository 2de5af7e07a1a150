//! One game through the tiers: what is played, in which order, and which numbers come out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_arena::catalog::{self, GameSpec, Places};
use ludex_arena::experiment::Store;
use ludex_game::{Game, Rng, Turn};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::copycat::{self, Copycat};
use crate::figure::{Figure, Origin};
use crate::ladder::{self, Rung};
use crate::observe::Counted;
use crate::searched::{self, Conduct, FirstMoves, Played, Searched, Series};
use crate::sheet::Sheet;
use crate::work::Hands;
use crate::yardstick::{Kind, Yardstick};
use crate::{JudgeError, dead, metrics, random, verdict};

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// Random games: seconds.
    Random,
    /// Games between searches: a minute.
    Searched,
    /// The ladder of budgets: ten minutes.
    Ladder,
}

impl Tier {
    /// The tier of a number.
    pub fn numbered(number: u8) -> Option<Tier> {
        [Tier::Random, Tier::Searched, Tier::Ladder].get(number as usize).copied()
    }

    /// The number people call it by.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// What is to be judged and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: GameSpec,
    /// How far to go.
    pub tier: Tier,
    /// Who plays from tier 1 on.
    pub agent: AgentSpec,
    /// His simulations a move; chosen by the game's speed where nothing is said.
    pub simulations: Option<u64>,
    /// Random games at most.
    pub random_games: u64,
    /// Searched games at most.
    pub games: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// Games side by side.
    pub threads: usize,
    /// About how long each tier may take.
    pub time: [Duration; 3],
    /// Whether rules are taken out one by one to see which do nothing.
    pub dead_rules: DeadRules,
}

/// Whether dead rules are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadRules {
    /// They are.
    Sought,
    /// They are not: where thousands of candidates are judged, that would be most of the work.
    Ignored,
}

impl Plan {
    /// A plan with everything as usual.
    pub fn new(game: GameSpec, tier: Tier) -> Plan {
        Plan {
            game,
            tier,
            agent: "uct".parse().unwrap_or(AgentSpec::Random),
            simulations: None,
            random_games: 100_000,
            games: 1_000,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            time: [Duration::from_secs(1), Duration::from_secs(45), Duration::from_secs(540)],
            dead_rules: DeadRules::Sought,
        }
    }
}

/// What is told while a game is judged.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Random games so far.
    Random(u64),
    /// Searched games, finished and planned.
    Searched(u64, u64),
    /// Games of the ladder, finished and planned.
    Ladder(u64, u64),
    /// Rules are being tried.
    Rules,
}

/// What is known about a game.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The game as it was named.
    pub game: String,
    /// Its own name.
    pub name: String,
    /// How many play.
    pub players: usize,
    /// How far the evaluation went.
    pub tier: Tier,
    /// The seed.
    pub seed: u64,
    /// Who played from tier 1 on, with his budget.
    pub agent: String,
    /// Games of the highest tier's main sample.
    pub games: u64,
    /// All numbers by name.
    pub metrics: BTreeMap<String, Figure>,
    /// The verdict in one sentence or two.
    pub verdict: String,
    /// What is wrong, with evidence.
    pub warnings: Vec<String>,
    /// What is to be known about the numbers.
    pub notes: Vec<String>,
    /// Everything a page shows beside that.
    pub evidence: Evidence,
}

/// What numbers and pictures are made from.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Random games.
    pub random: Counted,
    /// Searched games.
    pub searched: Option<Searched>,
    /// The series of searched games in the store.
    pub cell: Option<i64>,
    /// Results of self-play by budget.
    pub by_budget: Vec<(u64, Counted)>,
    /// The first moves.
    pub first_moves: Option<FirstMoves>,
    /// The ladder.
    pub rungs: Vec<Rung>,
    /// A weak against a strong side.
    pub luck: Option<Rung>,
    /// Rules that do nothing.
    pub rules: Option<dead::Findings>,
    /// Pieces that do nothing.
    pub dead_pieces: Vec<String>,
    /// Sites that are never used.
    pub dead_sites: Vec<String>,
    /// Copying.
    pub copycat: Option<Copycat>,
    /// Plies after which a searched game is given up.
    pub limit: u32,
    /// Simulations of the main series.
    pub simulations: u64,
}

/// What was settled once and must not change when a run goes on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Settled {
    simulations: u64,
    plies: u32,
    rungs: u32,
}

/// A block of random games that the store keeps.
#[derive(Serialize, Deserialize)]
struct Sampled {
    next: u64,
    finished: bool,
    counted: Counted,
}

/// A game that never ends in so many random games is not given to searches, which would never come back.
pub const HOPELESS: f64 = 0.5;
/// Simulations of tier 1: as many as fit.
pub const BUDGETS: [u64; 4] = [1000, 500, 250, 125];
/// Its simulations where even the fewest of those do not fit.
pub const LEAST_BUDGET: u64 = 64;
/// Looks at the first moves.
const LOOKS: usize = 8;
/// Games at smaller budgets, for the balance by budget.
const BALANCE_GAMES: u64 = 200;

/// Judges a game. Everything played is kept in the store: a run that was stopped goes on.
pub fn evaluate(
    plan: &Plan,
    store: &Store,
    stop: &AtomicBool,
    told: &mut dyn FnMut(Step),
) -> Result<Evaluation, JudgeError> {
    let found = catalog::find(&plan.game, Places::here())?;
    let game = found.game;
    let key = format!("rules {} | seed {}", found.rules, plan.seed);
    let mut bench = Bench { plan, store, stop, game: game.clone(), key };
    let mut evidence = Evidence { random: bench.random(told)?, ..Evidence::default() };
    if evidence.random.turns == 0 || game.info().players == 0 {
        return Err(JudgeError::NoPlayers { game: game.info().name.clone() });
    }
    evidence.dead_pieces = dead::pieces(&*game, &evidence.random);
    evidence.dead_sites = dead::sites(&*game, &evidence.random);
    if plan.dead_rules == DeadRules::Sought
        && let Some(sheet) = Sheet::of(&plan.game)?
    {
        told(Step::Rules);
        let key = format!("dead rules | {} | {:?}", bench.key, plan.time[0]);
        let seek = || dead::rules(&sheet, plan.seed, bench.hands(), plan.time[0]);
        evidence.rules = Some(bench.once(&key, seek)?);
    }
    let endless = evidence.random.unfinished.mean().is_some_and(|share| share > HOPELESS);
    let mut tier = plan.tier;
    if endless && tier > Tier::Random {
        tier = Tier::Random;
    }
    if tier >= Tier::Searched && bench.searched(&mut evidence, told)? == Outcome::Late {
        tier = Tier::Random;
    }
    if tier >= Tier::Ladder {
        bench.ladder(&mut evidence, told)?;
    }
    Ok(conclude(plan, tier, &game, evidence))
}

/// Numbers, verdict and warnings from what was played.
fn conclude(plan: &Plan, tier: Tier, game: &Arc<dyn Game>, evidence: Evidence) -> Evaluation {
    let agent = match tier {
        Tier::Random => "random".to_string(),
        _ => format!("{} at {} simulations", plan.agent, evidence.simulations),
    };
    let random = Origin { agent: "random".to_string(), seed: plan.seed };
    let main = Origin { agent: agent.clone(), seed: plan.seed };
    let mut metrics = metrics::all(&evidence, &random, &main);
    let kind = Kind::of(&**game);
    for (name, figure) in &mut metrics {
        // The table is of random games; so must be what it is held against.
        let plain = name.strip_prefix("random_").unwrap_or(name);
        if figure.agent == random.agent {
            let standing = Yardstick::shipped().standing(&kind, plain, figure.value);
            figure.percentile = standing.map(|standing| standing.percentile);
        }
    }
    let games = match &evidence.searched {
        Some(searched) => searched.results.games,
        None => evidence.random.games,
    };
    let mut evaluation = Evaluation {
        game: plan.game.to_string(),
        name: game.info().name.clone(),
        players: game.info().players,
        tier,
        seed: plan.seed,
        agent,
        games,
        metrics,
        verdict: String::new(),
        warnings: Vec::new(),
        notes: verdict::notes(&kind, &evidence),
        evidence,
    };
    evaluation.verdict = verdict::sentence(&evaluation);
    evaluation.warnings = verdict::warnings(&evaluation, plan.tier);
    evaluation
}

/// Whether a tier came to anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Games were played.
    Done,
    /// Not one was over in time.
    Late,
}

/// A game on its way through the tiers.
struct Bench<'a> {
    plan: &'a Plan,
    store: &'a Store,
    stop: &'a AtomicBool,
    game: Arc<dyn Game>,
    key: String,
}

impl Bench<'_> {
    fn hands(&self) -> Hands<'_> {
        Hands { threads: self.plan.threads, stop: self.stop }
    }

    /// What the store has under a key; otherwise it is found out, and kept.
    fn once<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        find: impl FnOnce() -> Result<T, JudgeError>,
    ) -> Result<T, JudgeError> {
        if let Some(text) = self.store.finding(key)?
            && let Ok(known) = serde_json::from_str(&text)
        {
            return Ok(known);
        }
        let found = find()?;
        let text =
            serde_json::to_string(&found).map_err(|error| JudgeError::Asked(error.to_string()))?;
        self.store.keep_finding(key, &text)?;
        Ok(found)
    }

    /// What was asked for beside rules and seed: nothing that was found for one question answers another.
    fn asked(&self) -> String {
        let plan = self.plan;
        let said = plan.simulations.map_or("chosen".to_string(), |count| count.to_string());
        format!(
            "{} | {} | {said} | {} games | {:?} and {:?}",
            self.key, plan.agent, plan.games, plan.time[1], plan.time[2]
        )
    }

    /// Tier 0.
    fn random(&mut self, told: &mut dyn FnMut(Step)) -> Result<Counted, JudgeError> {
        let plan = self.plan;
        let key =
            format!("random | {} | {} games | {:?}", self.key, plan.random_games, plan.time[0]);
        let kept = self.store.finding(&key)?;
        let kept: Option<Sampled> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let mut sampled =
            kept.unwrap_or(Sampled { next: 0, finished: false, counted: Counted::default() });
        if sampled.finished {
            return Ok(sampled.counted);
        }
        let limits = random::Limits {
            games: plan.random_games,
            time: plan.time[0],
            threads: plan.threads,
            stop: self.stop,
        };
        let (counted, next) =
            random::sample(&*self.game, plan.seed, sampled.next, limits, &mut |games| {
                told(Step::Random(games));
            });
        sampled.counted.join(&counted);
        sampled.next = next;
        let stopped = self.stop.load(std::sync::atomic::Ordering::Relaxed);
        sampled.finished = !stopped;
        let text = serde_json::to_string(&sampled)
            .map_err(|error| JudgeError::Asked(error.to_string()))?;
        self.store.keep_finding(&key, &text)?;
        if stopped { Err(JudgeError::Stopped) } else { Ok(sampled.counted) }
    }

    /// The budget, the limit of plies and the rungs, settled once.
    fn settled(&self, random: &Counted) -> Result<Settled, JudgeError> {
        self.once(&format!("settled | {}", self.asked()), || self.settle(random))
    }

    fn settle(&self, random: &Counted) -> Result<Settled, JudgeError> {
        let plan = self.plan;
        let plies = random.plies.mean().unwrap_or(1.0).max(1.0);
        let rate = self.simulations_per_second()? * plan.threads.max(1) as f64;
        let fits = |simulations: &u64| {
            let enough = plan.games.min(400) as f64;
            enough * plies * *simulations as f64 <= rate * plan.time[1].as_secs_f64()
        };
        let simulations = match plan.simulations {
            Some(count) => count,
            None => BUDGETS.into_iter().find(fits).unwrap_or(LEAST_BUDGET),
        };
        let long = random.length_at(0.95).unwrap_or(1).max(32);
        let limit = (3 * long).next_power_of_two().min(self.game.info().max_plies);
        let afford = rate * plan.time[2].as_secs_f64();
        let rungs = ladder::affordable(&*self.game, plies, afford).max(1);
        Ok(Settled { simulations, plies: limit, rungs })
    }

    /// How fast the agent searches, by a short search at the start on the processor's clock.
    fn simulations_per_second(&self) -> Result<f64, JudgeError> {
        let mut rng = Rng::stream(self.plan.seed, 0x0073_7065_6564);
        let mut state = self.game.start();
        for _ in 0..64 {
            match self.game.turn(&state) {
                Turn::Chance => {
                    let outcome = self.game.sample_chance(&state, &mut rng);
                    self.game.apply(&mut state, &[outcome]);
                }
                _ => break,
            }
        }
        let Turn::Players(players) = self.game.turn(&state) else { return Ok(1.0) };
        let Some(player) = players.first() else { return Ok(1.0) };
        let mut agent = self.plan.agent.build(&self.game, None, &mut rng)?;
        let time = Duration::from_millis(150);
        let clock = ludex_play::search::Clock::Cpu;
        let budget = Budget { simulations: None, time: Some(time), clock };
        let choice = agent.choose(&state, player, budget);
        let simulations = choice.report.map_or(1, |report| report.simulations);
        Ok(simulations as f64 / time.as_secs_f64())
    }

    fn conduct(&self, time: Duration) -> Conduct<'_> {
        Conduct {
            store: self.store,
            threads: self.plan.threads,
            stop: self.stop,
            time,
            title: "evaluation",
        }
    }

    fn self_play(&self, simulations: u64, games: u64, plies: u32) -> Series {
        Series {
            game: self.plan.game.clone(),
            agents: vec![(self.plan.agent.clone(), simulations)],
            games,
            seed: self.plan.seed,
            plies,
        }
    }

    /// Plays series; once they were played as far as time allowed, those games are what counts.
    fn played(
        &self,
        tier: &str,
        series: &[Series],
        time: Duration,
        told: &mut dyn FnMut(u64, u64),
    ) -> Result<Vec<Played>, JudgeError> {
        let play = || searched::play(series, &self.conduct(time), told);
        self.once(&format!("{tier} | {}", self.asked()), play)
    }

    /// Tier 1.
    fn searched(
        &self,
        evidence: &mut Evidence,
        told: &mut dyn FnMut(Step),
    ) -> Result<Outcome, JudgeError> {
        let plan = self.plan;
        let settled = self.settled(&evidence.random)?;
        let (simulations, limit) = (settled.simulations, settled.plies);
        let small = [simulations / 16, simulations / 4].map(|count| count.max(2));
        let few = BALANCE_GAMES.min(plan.games);
        let mut series = vec![self.self_play(simulations, plan.games, limit)];
        series.extend(small.map(|count| self.self_play(count, few, limit)));
        series.dedup_by_key(|series| series.agents[0].1);
        let played = self.played("tier 1", &series, plan.time[1], &mut |done, planned| {
            told(Step::Searched(done, planned));
        })?;
        let main = Searched::read(self.store, played[0], &*self.game, limit)?;
        if main.results.games == 0 {
            return Ok(Outcome::Late);
        }
        (evidence.limit, evidence.simulations) = (limit, simulations);
        evidence.cell = Some(played[0].cell);
        for (series, &played) in series.iter().zip(&played).skip(1) {
            let read = Searched::read(self.store, played, &*self.game, limit)?;
            evidence.by_budget.push((series.agents[0].1, read.results));
        }
        evidence.by_budget.push((simulations, main.results.clone()));
        evidence.by_budget.sort_by_key(|(budget, _)| *budget);
        evidence.by_budget.retain(|(_, results)| results.games > 0);
        evidence.searched = Some(main);
        let (game, seed, hands) = (&self.game, plan.seed, self.hands());
        let about = format!("{} | {} at {simulations}", self.key, plan.agent);
        let looks = self.once(&format!("first moves | {about}"), || {
            searched::first_moves(game, &plan.agent, 4 * simulations, LOOKS, seed, hands)
        })?;
        evidence.first_moves = Some(looks).filter(|looks| looks.spread.count > 0);
        evidence.copycat = self.once(&format!("copying | {about}"), || {
            let (budget, games) = (simulations / 4 + 1, 24);
            copycat::look(game, &plan.agent, budget, games, seed, hands)
        })?;
        Ok(Outcome::Done)
    }

    /// Tier 2.
    fn ladder(
        &self,
        evidence: &mut Evidence,
        told: &mut dyn FnMut(Step),
    ) -> Result<(), JudgeError> {
        let plan = self.plan;
        let settled = self.settled(&evidence.random)?;
        if self.game.info().players < 2 {
            return Ok(());
        }
        let base = self.self_play(settled.simulations, plan.games, settled.plies);
        let games = ladder::GAMES.min(plan.games);
        let pairs: Vec<(u64, u64)> = (0..settled.rungs)
            .map(|rung| (ladder::LOWEST << rung, ladder::LOWEST << (rung + 1)))
            .collect();
        let top = ladder::LOWEST << settled.rungs;
        let weak = (top / 16).max(1);
        let mut series: Vec<Series> = pairs
            .iter()
            .map(|&(weak, strong)| ladder::series(&base, &plan.agent, weak, strong, games))
            .collect();
        series.push(ladder::series(&base, &plan.agent, weak, 16 * weak, games));
        let more = 4 * settled.simulations;
        series.push(self.self_play(more, BALANCE_GAMES.min(plan.games), settled.plies));
        let played = self.played("tier 2", &series, plan.time[2], &mut |done, planned| {
            told(Step::Ladder(done, planned));
        })?;
        for (&(weak, strong), &played) in pairs.iter().zip(&played) {
            evidence.rungs.push(ladder::read(self.store, played, weak, strong)?);
        }
        evidence.rungs.retain(|rung| rung.score.matches > 0);
        evidence.luck = Some(ladder::read(self.store, played[pairs.len()], weak, 16 * weak)?);
        let last = played[pairs.len() + 1];
        let deeper = Searched::read(self.store, last, &*self.game, settled.plies)?.results;
        if deeper.games > 0 {
            evidence.by_budget.push((more, deeper));
        }
        Ok(())
    }
}
