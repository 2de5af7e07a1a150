//! Tier 1: games between searches, with the search's own value of every position.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ProcessTime;

use ludex_arena::catalog::GameSpec;
use ludex_arena::engine::PlayerSpec;
use ludex_arena::experiment::{
    Cell, Entrant, Experiment, Progress, RunOptions, Share, Store, StoredGame, run,
};
use ludex_arena::stats::Tally;
use ludex_game::{Game, Player, Rng, Turn};
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

use crate::JudgeError;
use crate::figure::Moments;
use crate::observe::{Attention, Counted, Finish, Observer};
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
    /// No game is begun after so much processor time of each thread: a busy machine plays as many games as a quiet one.
    pub time: Duration,
    /// What tables call the experiment.
    pub title: &'a str,
}

/// Plays all series side by side as far as time allows and returns their numbers in the store.
pub fn play(
    series: &[Series],
    conduct: &Conduct,
    done: &mut dyn FnMut(u64, u64),
) -> Result<Vec<i64>, JudgeError> {
    let experiment = Experiment {
        title: conduct.title.to_string(),
        cells: series.iter().map(Series::cell).collect(),
        opening_simulations: None,
    };
    let (begun, late) = (ProcessTime::now(), AtomicBool::new(false));
    let time = conduct.time * conduct.threads.max(1) as u32;
    let halted = AtomicBool::new(conduct.stop.load(Ordering::Relaxed));
    let options = RunOptions {
        threads: conduct.threads,
        folder: std::path::Path::new(""),
        rules: None,
        share: Share::All,
        stop: &halted,
    };
    let (mut finished, mut planned) = (0, 0);
    let summary = run(&experiment, conduct.store, options, &mut |progress| {
        match progress {
            Progress::Planned { total, finished: before } => (planned, finished) = (total, before),
            Progress::Match { .. } => finished += 1,
            Progress::Learning { .. } => {}
        }
        done(finished, planned);
        if begun.elapsed() >= time {
            late.store(true, Ordering::Relaxed);
        }
        if late.load(Ordering::Relaxed) || conduct.stop.load(Ordering::Relaxed) {
            halted.store(true, Ordering::Relaxed);
        }
    })?;
    if conduct.stop.load(Ordering::Relaxed) {
        return Err(JudgeError::Stopped);
    }
    match summary.failures.into_iter().next() {
        Some(failure) => Err(failure.into()),
        None => Ok(summary.cells),
    }
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
    /// Killer moves whose gain stayed.
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
    /// Reads a series from the store, at most so many games of it.
    pub fn read(
        store: &Store,
        cell: i64,
        game: &dyn Game,
        limit: u32,
        most: u64,
    ) -> Result<Searched, JudgeError> {
        let mut all = Searched::default();
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
            seen < most
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
            for killer in killers {
                self.permanence.add(f64::from(u8::from(course.is_permanent(killer))));
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
#[derive(Clone, Debug, Default)]
pub struct FirstMoves {
    /// The standard deviation of their values, one number for each look.
    pub spread: Moments,
    /// How many are within 0.05 of the best, one number for each look.
    pub good: Moments,
    /// Their texts with their mean values and the share of simulations.
    pub moves: Vec<(String, f64, f64)>,
}

/// Searches the start several times; nothing where nobody chooses there.
pub fn first_moves(
    game: &std::sync::Arc<dyn Game>,
    agent: &AgentSpec,
    simulations: u64,
    looks: u64,
    seed: u64,
) -> Result<FirstMoves, JudgeError> {
    let mut found = FirstMoves::default();
    let mut table: std::collections::BTreeMap<String, (f64, f64)> = Default::default();
    for look in 0..looks {
        let mut rng = Rng::stream(seed ^ 0x6669_7273, look);
        let mut state = game.start();
        let mut dice = 0;
        while let (Turn::Chance, true) = (game.turn(&state), dice < 64) {
            let outcome = game.sample_chance(&state, &mut rng);
            game.apply(&mut state, &[outcome]);
            dice += 1;
        }
        let Turn::Players(players) = game.turn(&state) else { return Ok(found) };
        let Some(player): Option<Player> = players.first() else { return Ok(found) };
        let mut agent = agent.build(game, None, &mut rng)?;
        let choice = agent.choose(&state, player, Budget::simulations(simulations));
        let Some(report) = choice.report else { return Ok(found) };
        let tried: Vec<_> = report.moves.iter().filter(|mv| mv.visits > 0).collect();
        let total: u64 = tried.iter().map(|mv| mv.visits).sum();
        let mut values = Moments::default();
        let best = tried.iter().map(|mv| mv.mean).fold(0.0, f64::max);
        for mv in &tried {
            values.add(mv.mean);
            let entry = table.entry(game.move_text(&state, Some(player), mv.mv)).or_default();
            entry.0 += mv.mean / looks as f64;
            entry.1 += mv.visits as f64 / total.max(1) as f64 / looks as f64;
        }
        found.spread.add(values.deviation().unwrap_or(0.0));
        found.good.add(tried.iter().filter(|mv| mv.mean >= best - 0.05).count() as f64);
    }
    found.moves = table.into_iter().map(|(text, (mean, share))| (text, mean, share)).collect();
    Ok(found)
}
