//! Tier 1: games between searches, with the search's own value of every position.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;

use ludex_arena::catalog::GameSpec;
use ludex_arena::engine::PlayerSpec;
use ludex_arena::experiment::{
    Cell, Entrant, Experiment, Progress, RunOptions, Share, Store, StoredGame, run_until,
};
use ludex_arena::stats::Tally;
use ludex_game::{Game, Player, Rng, Turn};
use ludex_play::search::{Budget, Stop};
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::JudgeError;
use crate::figure::Moments;
use crate::observe::{Attention, Counted, Finish, Observer};
use crate::work::Hands;
use ludex_arena::course::{Course, Payoffs};

/// Games of a cell that are played through again to look at their boards; the others are counted from the store.
const REPLAYED: u64 = 300;

/// Games between agents that are to be played.
#[derive(Clone, Debug)]
pub struct Series {
    /// The game.
    pub game: GameSpec,
    /// Who sits at the table, each with his simulations; one entrant takes all seats.
    pub agents: Vec<(AgentSpec, u64)>,
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// A game of so many plies is given up as a tie.
    pub plies: u32,
}

impl Series {
    fn cell(&self) -> Cell {
        let entrant = |(spec, simulations): &(AgentSpec, u64)| Entrant {
            name: format!("{spec} ({simulations})"),
            spec: PlayerSpec::Agent(spec.clone()),
            budget: Some(Budget::simulations(*simulations)),
        };
        Cell {
            game: self.game.clone(),
            entrants: self.agents.iter().map(entrant).collect(),
            budget: Budget::simulations(self.agents[0].1),
            plies: Some(self.plies),
            matches: self.games,
            seed: self.seed,
            sprt: None,
            paper: None,
        }
    }
}

/// How series are played.
pub struct Conduct<'a> {
    /// Keeps every game.
    pub store: &'a Store,
    /// Games side by side.
    pub threads: usize,
    /// Once set, games under way are finished and no more are begun.
    pub stop: &'a AtomicBool,
    /// No game is begun after so much processor time of each thread, and after a quarter more those under way are given
    /// up: a busy machine plays as many games as a quiet one.
    pub time: Duration,
    /// What tables call the experiment.
    pub title: &'a str,
}

/// Games of a series in the store.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The series there.
    pub cell: i64,
    /// How many count: those before the first that is missing, so that long games that were given up for want of time
    /// do not leave the short ones of a moment.
    pub games: u64,
}

/// Between two looks at the clock.
const MOMENT: Duration = Duration::from_millis(20);

/// Plays all series side by side as far as time allows and returns what the store has of each.
pub fn play(
    series: &[Series],
    conduct: &Conduct,
    done: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Played>, JudgeError> {
    let experiment = Experiment {
        title: conduct.title.to_string(),
        cells: series.iter().map(Series::cell).collect(),
        opening_simulations: None,
    };
    let begun = ProcessTime::now();
    let time = conduct.time * conduct.threads.max(1) as u32;
    let (halted, cut, over) = (AtomicBool::new(false), Stop::default(), AtomicBool::new(false));
    let watch = || {
        while !over.load(Ordering::Relaxed) {
            let spent = begun.elapsed();
            if spent >= time || conduct.stop.load(Ordering::Relaxed) {
                halted.store(true, Ordering::Relaxed);
            }
            if spent >= time + time / 4 {
                cut.raise();
            }
            std::thread::park_timeout(MOMENT);
        }
    };
    let options = RunOptions {
        threads: conduct.threads,
        folder: std::path::Path::new(""),
        rules: None,
        share: Share::All,
        stop: &halted,
    };
    let (mut finished, mut planned) = (0, 0);
    let summary = std::thread::scope(|scope| {
        let watcher = scope.spawn(watch);
        let summary = run_until(&experiment, conduct.store, options, &cut, &mut |progress| {
            match progress {
                Progress::Planned { total, finished: before } => {
                    (planned, finished) = (total, before);
                }
                Progress::Match { .. } => finished += 1,
                Progress::Learning { .. } => {}
            }
            done(finished, planned);
            if conduct.stop.load(Ordering::Relaxed) {
                halted.store(true, Ordering::Relaxed);
            }
        });
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        summary
    })?;
    if conduct.stop.load(Ordering::Relaxed) {
        return Err(JudgeError::Stopped);
    }
    if let Some(failure) = summary.failures.into_iter().next() {
        return Err(failure.into());
    }
    let unbroken = |(cell, series): (i64, &Series)| {
        let numbers = conduct.store.matches(cell)?.into_iter().map(|stored| stored.number);
        let games = (0..).zip(numbers).take_while(|(wanted, number)| wanted == number).count();
        Ok(Played { cell, games: series.games.min(games as u64) })
    };
    summary.cells.into_iter().zip(series).map(unbroken).collect()
}

/// What the games of a series say.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// Turns, boards and results, of the games that were played through again.
    pub counted: Counted,
    /// Results of all games.
    pub results: Counted,
    /// How far the later winner was behind.
    pub drama: Tally,
    /// How open the result was.
    pub uncertainty: Tally,
    /// When it was decided.
    pub decided_at: Tally,
    /// Changes of the lead.
    pub lead_changes: Moments,
    /// Killer moves.
    pub killers: Moments,
    /// The share of killer moves whose gain stayed, game by game.
    pub permanence: Tally,
    /// How little one move stood out.
    pub clarity: Tally,
    /// Values by step of the first games.
    pub ribbons: Vec<Course>,
    /// The game with most drama, the shortest and the longest, by their numbers.
    pub examples: Examples,
}

/// Games worth looking at, each with its number in the series.
#[derive(Clone, Copy, Debug, Default)]
pub struct Examples {
    /// Most drama.
    pub dramatic: Option<(u64, f64)>,
    /// Fewest plies.
    pub shortest: Option<(u64, u32)>,
    /// Most plies.
    pub longest: Option<(u64, u32)>,
}

/// Courses kept for drawing.
const RIBBONS: usize = 20;

impl Searched {
    /// Reads a series from the store.
    pub fn read(
        store: &Store,
        played: Played,
        game: &dyn Game,
        limit: u32,
    ) -> Result<Searched, JudgeError> {
        let mut all = Searched::default();
        let Played { cell, games } = played;
        if games == 0 {
            return Ok(all);
        }
        let kind = payoff_kind(store, cell)?;
        let (mut observer, mut results) = (Observer::new(game), Observer::new(game));
        let mut seen = 0;
        store.games(cell, |stored| {
            all.take(&stored, kind, limit);
            results.begin(Attention::Counts);
            let finish = if stored.plies >= limit { Finish::Limit } else { Finish::Ended };
            results.end_with(&stored.payoffs, finish);
            if seen < REPLAYED {
                replay(game, &mut observer, &stored, limit);
            }
            seen += 1;
            seen < games
        })?;
        all.counted = observer.take();
        all.results = results.take();
        Ok(all)
    }

    fn take(&mut self, stored: &StoredGame, kind: Payoffs, limit: u32) {
        let choosers = stored.moves.iter().filter_map(|(who, _)| *who);
        let choices = choosers.zip(stored.thoughts.iter().copied());
        let course = Course::new(choices, &stored.payoffs, kind);
        let add = |tally: &mut Tally, value: Option<f64>| {
            if let Some(value) = value {
                tally.add(value);
            }
        };
        // Whoever won only because the limit came has not won.
        let drama = course.drama().filter(|_| stored.plies < limit);
        add(&mut self.drama, drama);
        add(&mut self.uncertainty, course.uncertainty());
        add(&mut self.decided_at, course.decided_at());
        add(&mut self.clarity, course.clarity());
        if let Some(changes) = course.lead_changes() {
            self.lead_changes.add(changes);
            let killers = course.killers();
            self.killers.add(killers.len() as f64);
            if !killers.is_empty() {
                let stayed = killers.iter().filter(|killer| course.is_permanent(**killer)).count();
                self.permanence.add(stayed as f64 / killers.len() as f64);
            }
        }
        self.examples.take(stored, drama);
        if self.ribbons.len() < RIBBONS {
            self.ribbons.push(course);
        }
    }
}

impl Examples {
    fn take(&mut self, stored: &StoredGame, drama: Option<f64>) {
        let (number, plies) = (stored.number, stored.plies);
        if let Some(drama) = drama
            && self.dramatic.is_none_or(|(_, most)| drama > most)
        {
            self.dramatic = Some((number, drama));
        }
        if self.shortest.is_none_or(|(_, least)| plies < least) {
            self.shortest = Some((number, plies));
        }
        if self.longest.is_none_or(|(_, most)| plies > most) {
            self.longest = Some((number, plies));
        }
    }
}

/// Whether all games of a series share one point between two.
fn payoff_kind(store: &Store, cell: i64) -> Result<Payoffs, JudgeError> {
    let mut kind = Payoffs::Shared;
    store.games(cell, |stored| {
        kind = Payoffs::of(&stored.payoffs);
        kind == Payoffs::Shared
    })?;
    Ok(kind)
}

/// Shows a stored game to an observer; one that does not replay is left out.
fn replay(game: &dyn Game, observer: &mut Observer, stored: &StoredGame, limit: u32) {
    observer.begin(Attention::Board);
    let mut state = game.start();
    let mut joint = Vec::new();
    let mut lines = stored.moves.iter();
    for _ in 0..stored.plies.min(limit) {
        joint.clear();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let Some((_, text)) = lines.next() else { return };
                let Some(outcome) = game.parse_chance(&state, text) else { return };
                joint.push(outcome);
            }
            Turn::Players(players) => {
                for player in players {
                    let Some((_, text)) = lines.next() else { return };
                    observer.legal(&state, player);
                    let Ok(mv) = game.parse_move(&state, player, text) else { return };
                    joint.push(mv);
                }
            }
        }
        observer.ply(&state, &joint);
        game.apply(&mut state, &joint);
    }
    observer.end(&state);
}

/// What a longer look at the first moves says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FirstMoves {
    /// The standard deviation of their values, one number for each look.
    pub spread: Moments,
    /// How many are within 0.05 of the best, one number for each look.
    pub good: Moments,
    /// Their texts with their mean values and the share of simulations.
    pub moves: Vec<(String, f64, f64)>,
}

/// A first move's value counts from so many simulations on, or where it is proved: that of fewer is mostly chance.
const ENOUGH_VISITS: u64 = 30;

/// A first move is as good as the best within this.
const GOOD: f64 = 0.05;

/// A first move in one look: its text, its value, its share of simulations, whether its value counts.
type Seen = (String, f64, f64, bool);

/// Searches the start several times; nothing where nobody chooses there.
pub fn first_moves(
    game: &std::sync::Arc<dyn Game>,
    agent: &AgentSpec,
    simulations: u64,
    looks: usize,
    seed: u64,
    hands: Hands,
) -> Result<FirstMoves, JudgeError> {
    let mut found = FirstMoves::default();
    let mut table: std::collections::BTreeMap<String, (f64, f64)> = Default::default();
    let looked = hands.each(looks, |look| one_look(game, agent, simulations, seed, look as u64))?;
    for seen in looked {
        let Some(seen) = seen? else { return Ok(FirstMoves::default()) };
        let counting = seen.iter().filter(|(.., counts)| *counts).map(|(_, mean, ..)| *mean);
        let values: Vec<f64> = counting.collect();
        for (text, mean, share, _) in seen {
            let entry = table.entry(text).or_default();
            entry.0 += mean / looks as f64;
            entry.1 += share / looks as f64;
        }
        if !values.is_empty() {
            let mut moments = Moments::default();
            values.iter().for_each(|&value| moments.add(value));
            found.spread.add(moments.deviation().unwrap_or(0.0));
            let good = values.iter().filter(|value| **value >= moments.most - GOOD).count();
            found.good.add(good as f64);
        }
    }
    found.moves = table.into_iter().map(|(text, (mean, share))| (text, mean, share)).collect();
    Ok(found)
}

fn one_look(
    game: &std::sync::Arc<dyn Game>,
    agent: &AgentSpec,
    simulations: u64,
    seed: u64,
    look: u64,
) -> Result<Option<Vec<Seen>>, JudgeError> {
    let mut rng = Rng::stream(seed ^ 0x6669_7273, look);
    let mut state = game.start();
    let mut dice = 0;
    while let (Turn::Chance, true) = (game.turn(&state), dice < 64) {
        let outcome = game.sample_chance(&state, &mut rng);
        game.apply(&mut state, &[outcome]);
        dice += 1;
    }
    let Turn::Players(players) = game.turn(&state) else { return Ok(None) };
    let Some(player): Option<Player> = players.first() else { return Ok(None) };
    let mut agent = agent.build(game, None, &mut rng)?;
    let choice = agent.choose(&state, player, Budget::simulations(simulations));
    let Some(report) = choice.report else { return Ok(None) };
    let tried = report.moves.iter().filter(|mv| mv.visits > 0 || mv.proved);
    let total: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    let seen = tried.map(|mv| {
        let share = mv.visits as f64 / total.max(1) as f64;
        let text = game.move_text(&state, Some(player), mv.mv);
        (text, mv.mean, share, mv.proved || mv.visits >= ENOUGH_VISITS)
    });
    Ok(Some(seen.collect()))
}
