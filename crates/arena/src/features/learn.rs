//! Learning features by self-play: a search plays against itself, features learn to think as it did, and the
//! next round's search starts from what they think.

use super::file::{FeatureFile, Point, ReadingName};
use crate::stats::Tally;
use crate::{ArenaError, Contestant, Series, match_seed};
use ludex_game::features::{Ground, Reading};
use ludex_game::{
    Detail, Game, GameError, Geometry, Move, Player, PlayerSet, Rng, SetOf, Turn, View,
};
use ludex_play::features::learn::{
    Limits, Sample, Vocabulary, Who, learn as learn_player, refit as refit_player,
};
use ludex_play::features::{FeatureSet, Weighted};
use ludex_play::policy::{FeaturesSettings, PolicyConfig};
use ludex_play::search::{Budget, Search, Stop};
use ludex_play::spec::{AgentSpec, SearchSpec};
use std::path::Path;
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
    /// After each round so many matches are played against a plain search.
    pub matches: u64,
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
        /// The player; nobody where features are for all alike.
        player: Option<usize>,
        /// How many features he has.
        features: usize,
        /// The cross-entropy on samples put aside, from no feature to the last step.
        curve: Vec<f64>,
    },
    /// They played against a plain search.
    Checked {
        /// The score.
        score: Tally,
    },
}

/// The most samples that are kept; the oldest go first.
const MAX_SAMPLES: usize = 12_000;

/// So many plies of each game are played at random at most, so that games differ.
const RANDOM_PLIES: u32 = 4;

/// What learning goes on from: what is written after every round.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The features so far, and how they came to be.
    pub file: FeatureFile,
    /// What they were learned from.
    pub samples: Vec<Sample>,
}

/// Learns features, goes on from `before` if there is something, and hands what there is to `save` after every
/// round; what was saved goes on as if it had never stopped.
pub fn learn(
    plan: &Plan,
    before: Option<Stage>,
    mut progress: impl FnMut(Progress),
    mut save: impl FnMut(&Stage) -> Result<(), ArenaError>,
) -> Result<FeatureFile, ArenaError> {
    let started = Instant::now();
    let info = plan.game.info();
    let (ground, geometry) = board_of(&*plan.game)?;
    let alike = are_alike(&*plan.game);
    let kinds = if alike { 0 } else { geometry.kinds.len() as u32 };
    let vocabulary = Vocabulary::new(&ground, kinds, !alike);
    let whose: Vec<Who> =
        if alike { vec![Who::All] } else { (0..info.players).map(Who::One).collect() };
    let mut stage = before.unwrap_or_else(|| Stage {
        file: FeatureFile {
            game: plan.name.clone(),
            options: plan.options.clone(),
            reading: ReadingName::Paper,
            learned: None,
            player: Vec::new(),
        },
        samples: Vec::new(),
    });
    let mut learned = stage.file.learned.clone().unwrap_or_default();
    learned.teacher = "uct, with these features as prior after the first round".to_string();
    (learned.simulations, learned.seed) = (plan.simulations, plan.seed);
    let (earlier, first) = (learned.minutes, learned.rounds);
    for round in first..plan.rounds.max(1) {
        let set = stage.file.set(Path::new("learned"))?;
        let share = (round + 1 - first) as f64 / (plan.rounds.max(1) - first) as f64;
        let until = started + plan.time.mul_f64(share * SHARE_OF_PLAY);
        let played = self_play(plan, &set, round, until, &mut stage.samples)?;
        learned.games += played;
        let excess = stage.samples.len().saturating_sub(MAX_SAMPLES);
        stage.samples.drain(..excess);
        let samples = stage.samples.len();
        progress(Progress::Played { round: round + 1, games: played, samples });
        let mut players = Vec::new();
        let (mut without, mut with) = (0.0, 0.0);
        for (number, &who) in whose.iter().enumerate() {
            let mut rng = Rng::stream(plan.seed ^ 0x006c_6561_726e, round * 100 + number as u64);
            let found =
                learn_player(&vocabulary, &ground, &stage.samples, who, &[], plan.limits, &mut rng);
            without += found.curve.first().copied().unwrap_or(0.0) / whose.len() as f64;
            with += found.curve.last().copied().unwrap_or(0.0) / whose.len() as f64;
            let features = found.set.features.len();
            let player = (!alike).then_some(number);
            progress(Progress::Learned { player, features, curve: found.curve });
            players.push(found.set);
        }
        let set = FeatureSet { players, reading: Reading::Paper };
        stage.file.player = FeatureFile::entries(&set);
        let mut point = Point {
            round: round + 1,
            samples: samples as u64,
            before: without,
            after: with,
            score: None,
        };
        if plan.matches > 0 {
            let budget = Budget::simulations(plan.simulations);
            let score = check(plan, &Arc::new(set), Use::Prior, plan.matches, budget)?;
            let interval = score.interval();
            point.score = Some([score.mean().unwrap_or(0.5), interval.low, interval.high]);
            progress(Progress::Checked { score });
        }
        learned.curve.push(point);
        learned.rounds = round + 1;
        learned.minutes = earlier + started.elapsed().as_secs_f64() / 60.0;
        stage.file.learned = Some(learned.clone());
        save(&stage)?;
    }
    Ok(stage.file)
}

/// The board that features of a game are on.
pub fn board_of(game: &dyn Game) -> Result<(Ground, &Geometry), ArenaError> {
    let info = game.info();
    let refuse =
        |reason: &str| ArenaError::Game(GameError::Options(format!("{}: {reason}", info.name)));
    let Some(geometry) = game.geometry() else {
        return Err(refuse("features need a board, and this game shows none"));
    };
    if info.hidden {
        return Err(refuse("features are learned only where everybody sees the whole position"));
    }
    Ok((Ground::new(geometry, info.players), geometry))
}

/// Whether players have the same pieces in the same numbers, one kind each: then one set of features does for all.
pub fn are_alike(game: &dyn Game) -> bool {
    let Some(geometry) = game.geometry() else { return false };
    let players = game.info().players as u8;
    let owners = geometry.kinds.iter().map(|kind| kind.owner).collect::<Vec<_>>();
    let one_each = (0..players)
        .all(|player| owners.iter().filter(|owner| **owner == Some(Player(player))).count() == 1);
    let mut view = View::new();
    game.view(&game.start(), None, Detail::Sets, &mut view);
    let count = |player: u8| {
        let words = view.set(SetOf::Owned(Player(player)));
        words.iter().map(|word| word.count_ones()).sum::<u32>()
    };
    one_each && owners.len() == players as usize && (0..players).all(|p| count(p) == count(0))
}

/// New weights for features as they are, by self-play of a game.
pub fn refit(plan: &Plan, set: &FeatureSet) -> Result<FeatureSet, ArenaError> {
    let (ground, _) = board_of(&*plan.game)?;
    let mut samples = Vec::new();
    let until = Instant::now() + plan.time.mul_f64(SHARE_OF_PLAY);
    self_play(plan, set, 0, until, &mut samples)?;
    let mut fitted = set.clone();
    let many = set.players.len() > 1;
    for (player, weighted) in fitted.players.iter_mut().enumerate() {
        let who = if many { Who::One(player) } else { Who::All };
        let mut rng = Rng::stream(plan.seed ^ 0x0066_6974, player as u64);
        *weighted = refit_player(&ground, &samples, who, weighted, &mut rng).set;
    }
    Ok(fitted)
}

/// The share of the time that is for playing; the rest is for learning.
const SHARE_OF_PLAY: f64 = 0.75;

/// Plays a round of games and adds a sample for every decision; returns how many games were played.
fn self_play(
    plan: &Plan,
    set: &FeatureSet,
    round: u64,
    until: Instant,
    samples: &mut Vec<Sample>,
) -> Result<u64, ArenaError> {
    let count = plan.games.div_ceil(plan.rounds.max(1));
    let judge = match set.players.iter().any(has_features) {
        true => Some(set.judge(&*plan.game)?),
        false => None,
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

    /// The agent itself.
    pub fn spec(self, set: &Arc<FeatureSet>) -> AgentSpec {
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
    let agents = [how.spec(set), AgentSpec::Search(Box::default())];
    duel(&plan.game, agents, matches, budget, plan.seed ^ 0x63_6865_636b, plan.threads)
}

/// Plays matches of two agents and returns the score of the first.
pub fn duel(
    game: &Arc<dyn Game>,
    agents: [AgentSpec; 2],
    matches: u64,
    budget: Budget,
    seed: u64,
    threads: usize,
) -> Result<Tally, ArenaError> {
    let contestants = agents.into_iter().map(|spec| Contestant::new(spec, budget)).collect();
    let (game, stop) = (game.clone(), Stop::default());
    let series = Series { game, contestants, matches, seed, threads, stop };
    let tallies = series.play(|_, _| true)?;
    Ok(tallies.into_iter().next().unwrap_or_default())
}
