//! Learning an evaluation by self-play: rounds of games, after each of which weights are fitted to all games
//! of the last rounds. What is learned is kept after every round, and a later run goes on from there.

mod file;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludex_game::{Game, GameError, Rng};
use ludex_play::agent::Agent;
use ludex_play::evaluation::learn::{Fit, Samples, play_and_learn};
use ludex_play::evaluation::{Evaluation, Features, Linear, Weights};
use ludex_play::minimax::{AlphaBetaAgent, AlphaBetaSettings};
use ludex_play::search::Budget;
use ludex_play::survey::Survey;

pub(crate) use file::load_into;
pub use file::{Round, WeightsFile};

use crate::ArenaError;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games of a round.
    pub games: u64,
    /// Positions that a move is decided by.
    pub positions: u64,
    /// Samples that are kept from round to round.
    pub keep: usize,
    /// What all seeds come from.
    pub seed: u64,
    /// Games played side by side.
    pub threads: usize,
    /// Which features are learned.
    pub reach: Reach,
}

/// Which features are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reach {
    /// All that the game has.
    #[default]
    All,
    /// Those whose weights a few games show: none by site and no lines, unless there is something to begin from.
    Few,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { games: 100, positions: 400, keep: 60_000, seed: 1, threads: 1, reach: Reach::All }
    }
}

/// A run of learning.
pub struct Training {
    game: Arc<dyn Game>,
    plan: Plan,
    features: Arc<Features>,
    weights: Vec<f32>,
    samples: Samples,
    rounds: Vec<Round>,
    looked_at: AtomicU64,
}

/// What one side of a game judges by.
#[derive(Clone)]
struct Side {
    features: Arc<Features>,
    weights: Arc<[f32]>,
}

/// Groups of features that are dropped where they prove to be of no use.
const OPTIONAL: [&str; 6] = ["shape", "lines", "mobility", "nearer", "joining", "guard"];
/// Groups of features that it takes many games to learn, or long to measure.
const SLOW: [&str; 6] = ["squares", "lines", "mobility", "nearer", "joining", "guard"];
/// What share of the points shows that a lesson was worth it.
const BETTER: f32 = 0.65;
/// What a group must take off the mean surprise to stay.
const WORTH_KEEPING: f32 = 0.002;

impl Training {
    /// Begins to learn a game, or goes on from what a file has.
    pub fn new(
        game: Arc<dyn Game>,
        plan: Plan,
        from: Option<&WeightsFile>,
    ) -> Result<Self, ArenaError> {
        let refuse = |reason: String| ArenaError::Game(GameError::Options(reason));
        if game.info().hidden || game.info().players < 2 {
            let name = &game.info().name;
            return Err(refuse(format!(
                "{name}: only games of two or more in the open are learned"
            )));
        }
        let (features, weights) = match from {
            Some(file) => {
                let fitted = file.weights().fit(&*game);
                let (features, weights) = fitted.map_err(|error| refuse(error.to_string()))?;
                (features, weights.to_vec())
            }
            None => {
                let start = Weights::start(&*game, &Survey::of(&*game));
                let all = Features::new(&*game);
                let slow = |name: &str| SLOW.iter().any(|slow| name.starts_with(slow));
                let features = match plan.reach {
                    Reach::All => all,
                    Reach::Few => all.only(|name| !slow(name) || start.groups.contains_key(name)),
                };
                let weights = beginning(&start, &features);
                (Arc::new(features), weights)
            }
        };
        let rounds = from.map_or(Vec::new(), |file| file.rounds.clone());
        let looked_at = AtomicU64::new(0);
        let samples = Samples::default();
        Ok(Training { game, plan, features, weights, samples, rounds, looked_at })
    }

    /// What is known so far, for a file; `name` is the game as it was asked for.
    pub fn file(&self, name: &str) -> WeightsFile {
        WeightsFile::new(name, self.rounds.clone(), &self.weights())
    }

    /// The weights so far.
    pub fn weights(&self) -> Weights {
        Weights::of(&self.features, &self.weights)
    }

    /// How many positions were looked at in all games so far, whoever counts: the same everywhere.
    pub fn looked_at(&self) -> u64 {
        self.looked_at.load(Ordering::Relaxed)
    }

    /// What a side would judge by now.
    fn side(&self) -> Side {
        Side { features: self.features.clone(), weights: self.weights.clone().into() }
    }

    /// Plays a round, learns from it, and returns how it went.
    pub fn round(&mut self) -> Round {
        let number = self.rounds.len() as u64;
        let before = self.side();
        let (played, _) = self.play(number, [&before, &before]);
        self.samples.extend(&played);
        self.samples.keep_last(self.plan.keep);
        let mut rng = Rng::stream(self.plan.seed, u64::MAX - number);
        Fit::default().run(&self.samples, &mut self.weights, &mut rng);
        if number == 1 {
            self.drop_useless(&mut rng);
        }
        let loss = self.samples.loss(&self.weights);
        let (new_games, score) = self.play(number | 1 << 40, [&self.side(), &before]);
        self.samples.extend(&new_games);
        let round = Round { round: number + 1, samples: self.samples.len() as u64, loss, score };
        self.rounds.push(round);
        round
    }

    /// Learns in rounds until so many positions were looked at. The weights, where they prove better than those before
    /// anything was learned.
    pub fn lesson(mut self, positions: u64) -> Option<Weights> {
        let start = self.side();
        while self.looked_at() < positions {
            self.round();
        }
        let (_, score) = self.play(1 << 41, [&self.side(), &start]);
        (score >= BETTER).then(|| self.weights())
    }

    /// Plays games of the first side against the second; the positions, and how the first did.
    fn play(&self, number: u64, sides: [&Side; 2]) -> (Samples, f32) {
        let games = self.plan.games;
        let next = AtomicU64::new(0);
        let worker = || {
            let (mut samples, mut points) = (Vec::new(), 0.0);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= games {
                    return (samples, points);
                }
                let mut rng = Rng::stream(self.plan.seed ^ number << 20, index);
                let (sample, point) = self.play_one(index, sides, &mut rng);
                samples.push((index, sample));
                points += point;
            }
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.plan.threads.max(1)).map(|_| scope.spawn(worker)).collect();
            threads
                .into_iter()
                .map(|thread| match thread.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect()
        });
        let points: f32 = results.iter().map(|(_, points)| points).sum();
        let mut all: Vec<_> = results.into_iter().flat_map(|(samples, _)| samples).collect();
        // In the order of the games, whichever thread played them.
        all.sort_by_key(|(index, _)| *index);
        let mut samples = Samples::default();
        all.iter().for_each(|(_, sample)| samples.extend(sample));
        (samples, points / games as f32)
    }

    fn play_one(&self, index: u64, sides: [&Side; 2], rng: &mut Rng) -> (Samples, f32) {
        let game = &self.game;
        let players = game.info().players;
        let mut samples = Samples::default();
        let settings = AlphaBetaSettings { table: 12, ..AlphaBetaSettings::default() };
        let mut agents: Vec<AlphaBetaAgent> = sides
            .iter()
            .map(|side| {
                let evaluation = || -> Box<dyn Evaluation> {
                    Box::new(Linear::new(side.features.clone(), side.weights.clone()))
                };
                AlphaBetaAgent::new(game.clone(), settings, evaluation, rng)
            })
            .collect();
        let seat = (index % players as u64) as usize;
        let budget = Budget::simulations(self.plan.positions);
        let mut choose = |state: &ludex_game::State, player: ludex_game::Player| {
            let side = usize::from(player.index() != seat);
            let choice = agents[side].choose(state, player, budget);
            let looked_at = choice.report.map_or(0, |report| report.simulations);
            self.looked_at.fetch_add(looked_at, Ordering::Relaxed);
            choice.mv
        };
        let opening = rng.below(8);
        let chooser = &mut choose;
        let payoffs =
            play_and_learn(&**game, &self.features, chooser, (opening, 12), rng, &mut samples);
        (samples, payoffs[seat])
    }

    /// Leaves groups of features out that positions are judged as well without.
    fn drop_useless(&mut self, rng: &mut Rng) {
        let whole = self.samples.loss(&self.weights);
        let useless = |(name, places): (&str, std::ops::Range<usize>)| {
            let optional = OPTIONAL.iter().any(|optional| name.starts_with(optional));
            let mut without = self.weights.clone();
            without[places].fill(0.0);
            (optional && self.samples.loss(&without) < whole + WORTH_KEEPING)
                .then(|| name.to_string())
        };
        let useless: Vec<String> = self.features.groups().filter_map(useless).collect();
        if useless.is_empty() {
            return;
        }
        let weights = Weights::of(&self.features, &self.weights);
        let fewer = self.features.only(|name| !useless.iter().any(|other| other == name));
        self.weights = fewer.groups().flat_map(|(name, _)| weights.groups[name].clone()).collect();
        self.samples = self.samples.only(&self.features, &fewer);
        self.features = Arc::new(fewer);
        Fit::default().run(&self.samples, &mut self.weights, rng);
    }
}

/// The weights of features before anything is learned.
fn beginning(start: &Weights, features: &Features) -> Vec<f32> {
    let of_group = |(name, places): (&str, std::ops::Range<usize>)| {
        start.groups.get(name).cloned().unwrap_or_else(|| vec![0.0; places.len()])
    };
    features.groups().flat_map(of_group).collect()
}
