//! Learning features by self-play: a search plays against itself, features learn to think as it did, and the
//! next round's search starts from what they think.

use super::file::{FeatureFile, Learned, ReadingName};
use crate::stats::Tally;
use crate::{ArenaError, Contestant, Series, match_seed};
use ludex_game::features::{Ground, Reading};
use ludex_game::{Game, GameError, Move, PlayerSet, Rng, Turn, View};
use ludex_play::features::learn::{Limits, Sample, Vocabulary, learn as learn_player};
use ludex_play::features::{FeatureSet, Weighted};
use ludex_play::policy::{FeaturesSettings, PolicyConfig};
use ludex_play::search::{Budget, Search, Stop};
use ludex_play::spec::{AgentSpec, SearchSpec};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What is to be learned, and how.
pub struct Plan {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Its name, and its options, for the file.
    pub name: String,
    /// Options of the game.
    pub options: Vec<String>,
    /// Games of self-play, over all rounds.
    pub games: u64,
    /// Simulations of the teacher for each move.
    pub simulations: u64,
    /// How often features are learned; each time the teacher is better.
    pub rounds: u64,
    /// How much is learned.
    pub limits: Limits,
    /// Self-play ends after this time, if it has not before.
    pub time: Duration,
    /// What everything random comes from.
    pub seed: u64,
    /// Games side by side.
    pub threads: usize,
    /// Ends self-play early when it is raised; what was learned until then is of no use.
    pub stop: Stop,
}

/// What learning has come to.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A round of games was played: its number from one, the games, and the samples so far.
    Played {
        /// The round.
        round: u64,
        /// Games in it.
        games: u64,
        /// Samples so far.
        samples: usize,
    },
    /// The features of a player (from nought) were learned.
    Learned {
        /// The player.
        player: usize,
        /// How many features he has.
        features: usize,
        /// The cross-entropy on samples put aside, from no feature to the last step.
        curve: Vec<f64>,
    },
}

/// The most samples that are kept; the oldest go first.
const MAX_SAMPLES: usize = 30_000;

/// So many plies of each game are played at random at most, so that games differ.
const RANDOM_PLIES: u32 = 4;

/// Learns features and returns the file that holds them. `before` are features learned earlier, which the
/// first round starts from.
pub fn learn(
    plan: &Plan,
    before: Option<FeatureSet>,
    mut progress: impl FnMut(Progress),
) -> Result<FeatureFile, ArenaError> {
    let started = Instant::now();
    let info = plan.game.info();
    let refuse =
        |reason: &str| ArenaError::Game(GameError::Options(format!("{}: {reason}", info.name)));
    let Some(geometry) = plan.game.geometry() else {
        return Err(refuse("features need a board, and this game shows none"));
    };
    if info.hidden {
        return Err(refuse("features are learned only where everybody sees the whole position"));
    }
    let ground = Ground::new(geometry, info.players);
    let vocabulary = Vocabulary::new(&ground, geometry.kinds.len() as u32);
    let (mut set, mut samples, mut games) = (before, Vec::new(), 0);
    for round in 0..plan.rounds.max(1) {
        let share = plan.time.as_secs_f64() * (round + 1) as f64 / plan.rounds.max(1) as f64;
        let until = started + Duration::from_secs_f64(share * SHARE_OF_PLAY);
        let played = self_play(plan, set.as_ref(), round, until, &mut samples)?;
        games += played;
        let excess = samples.len().saturating_sub(MAX_SAMPLES);
        samples.drain(..excess);
        progress(Progress::Played { round: round + 1, games: played, samples: samples.len() });
        let mut players = Vec::new();
        for player in 0..info.players {
            let mut rng = Rng::stream(plan.seed ^ 0x006c_6561_726e, round * 100 + player as u64);
            let found = learn_player(&vocabulary, &ground, &samples, player, plan.limits, &mut rng);
            let features = found.set.features.len();
            progress(Progress::Learned { player, features, curve: found.curve });
            players.push(found.set);
        }
        set = Some(FeatureSet { players, reading: Reading::Paper });
    }
    let set = set.unwrap_or_default();
    Ok(FeatureFile {
        game: plan.name.clone(),
        options: plan.options.clone(),
        reading: ReadingName::Paper,
        learned: Some(Learned {
            teacher: "uct(prior=features) after the first round".to_string(),
            simulations: plan.simulations,
            games,
            seed: plan.seed,
            minutes: started.elapsed().as_secs_f64() / 60.0,
        }),
        player: FeatureFile::entries(&set),
    })
}

/// The share of the time that is for playing; the rest is for learning.
const SHARE_OF_PLAY: f64 = 0.75;

/// Plays a round of games and adds a sample for every decision; returns how many games were played.
fn self_play(
    plan: &Plan,
    set: Option<&FeatureSet>,
    round: u64,
    until: Instant,
    samples: &mut Vec<Sample>,
) -> Result<u64, ArenaError> {
    let count = plan.games.div_ceil(plan.rounds.max(1));
    let judge = match set {
        Some(set) if set.players.iter().any(has_features) => Some(set.judge(&*plan.game)?),
        _ => None,
    };
    let next = AtomicU64::new(0);
    let found = std::thread::scope(|scope| {
        let play = || {
            let mut ours = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                // One game at least, however short the time.
                let late = Instant::now() >= until || plan.stop.is_raised();
                if number >= count || (number > 0 && late) {
                    return ours;
                }
                let seed = match_seed(plan.seed, round * count + number);
                ours.push((number, one_game(plan, judge.as_ref(), seed)));
            }
        };
        let threads: Vec<_> = (0..plan.threads.max(1)).map(|_| scope.spawn(play)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_default());
        joined.flatten().collect::<Vec<_>>()
    });
    let mut found = found;
    // In the order of their numbers, whichever thread played them.
    found.sort_by_key(|(number, _)| *number);
    let games = found.len() as u64;
    samples.extend(found.into_iter().flat_map(|(_, game)| game));
    Ok(games)
}

fn has_features(set: &Weighted) -> bool {
    !set.features.is_empty()
}

/// One game of the teacher against itself.
fn one_game(plan: &Plan, judge: Option<&ludex_game::features::Judge>, seed: u64) -> Vec<Sample> {
    let (game, mut rng) = (&plan.game, Rng::seeded(seed));
    let spec = SearchSpec::default();
    let mut config = spec.search;
    config.threads = 1;
    let policy = || spec.policy.build(&**game);
    let mut search = Search::new(game.clone(), config, policy, &mut rng).with_prior(judge);
    search.obey(plan.stop.clone());
    let (mut state, mut view, mut samples) = (game.start(), View::new(), Vec::new());
    let random = rng.below(RANDOM_PLIES + 1);
    let mut moves = Vec::new();
    for ply in 0..game.info().max_plies.min(MAX_PLIES) {
        if plan.stop.is_raised() {
            break;
        }
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        let count = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                joint[0] = game.sample_chance(&state, &mut rng);
                1
            }
            Turn::Players(players) => {
                for (slot, player) in joint.iter_mut().zip(players) {
                    moves.clear();
                    game.moves(&state, player, &mut moves);
                    *slot = moves[rng.below(moves.len() as u32) as usize];
                    if ply < random || moves.len() < 2 {
                        continue;
                    }
                    let report =
                        search.think(&state, player, Budget::simulations(plan.simulations));
                    samples.extend(Sample::new(&**game, &state, player, &report, &mut view));
                    *slot = drawn(&report, &mut rng);
                }
                players.len()
            }
        };
        search.played(&joint[..count]);
        game.apply(&mut state, &joint[..count]);
    }
    samples
}

/// Games of self-play are not longer than this.
const MAX_PLIES: u32 = 600;

/// A move in proportion to the simulations that chose it.
fn drawn(report: &ludex_play::search::Report, rng: &mut Rng) -> Move {
    let total: u64 = report.moves.iter().map(|found| found.visits).sum();
    let mut left = rng.unit() * total as f64;
    for found in &report.moves {
        left -= found.visits as f64;
        if left < 0.0 {
            return found.mv;
        }
    }
    report.best
}

/// How a searching agent uses features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// As priors of selection.
    Prior,
    /// In playouts.
    Playouts,
    /// Both.
    Both,
}

impl Use {
    /// All of them.
    pub const ALL: [Use; 3] = [Use::Prior, Use::Playouts, Use::Both];

    /// The agent in words, with the file it reads.
    pub fn agent(self, file: &str) -> String {
        match self {
            Use::Prior => format!("uct(prior=features({file}))"),
            Use::Playouts => format!("uct + features({file})"),
            Use::Both => format!("uct(prior=features({file})) + features({file})"),
        }
    }

    fn spec(self, set: &Arc<FeatureSet>) -> AgentSpec {
        let file = Some("learned".to_string());
        let settings = FeaturesSettings { file, set: Some(set.clone()), ..Default::default() };
        let mut spec = SearchSpec::default();
        if self != Use::Playouts {
            spec.prior = Some(settings.clone());
        }
        if self != Use::Prior {
            spec.policy.base = PolicyConfig::Features(settings);
        }
        AgentSpec::Search(Box::new(spec))
    }
}

/// Plays features against a plain search.
pub fn check(
    plan: &Plan,
    set: &Arc<FeatureSet>,
    how: Use,
    matches: u64,
    budget: Budget,
) -> Result<Tally, ArenaError> {
    let plain = AgentSpec::Search(Box::default());
    let contestants = vec![Contestant::new(how.spec(set), budget), Contestant::new(plain, budget)];
    let game = plan.game.clone();
    let seed = plan.seed ^ 0x63_6865_636b;
    let series =
        Series { game, contestants, matches, seed, threads: plan.threads, stop: Stop::default() };
    let tallies = series.play(|_, _| true)?;
    Ok(tallies.into_iter().next().unwrap_or_default())
}
