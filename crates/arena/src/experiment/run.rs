//! Playing what an experiment still lacks.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use ludex_game::Game;
use ludex_play::openings::Openings;
use ludex_play::search::Stop;

use super::openings::{Library, content_key};
use super::{Cell, Experiment, Identity, Share, Store, seed_of_match};
use crate::catalog::{Places, RulesKey};
use crate::engine::PlayerSpec;
use crate::features::{features_in, features_key};
use crate::stats::{Tally, Verdict};
use crate::{ArenaError, Contestant, MatchRecord, auto, catalog, play_match_within, seatings};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// Matches played side by side.
    pub threads: usize,
    /// Where the files that games and agents name are looked for: beside the experiment's own file.
    pub folder: &'a Path,
    /// Where GDL rules are looked for that do not come with the program.
    pub rules: Option<&'a Path>,
    /// Once set, matches under way are finished and kept, and no more are begun.
    pub stop: &'a AtomicBool,
    /// Which matches are played.
    pub share: Share<'a>,
}

/// What a run tells while it works.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// This many matches are planned, and this many were finished before.
    Planned {
        /// All matches.
        total: u64,
        /// Those in the store already.
        finished: u64,
    },
    /// Policies for opening positions are being learned.
    Learning {
        /// The game.
        game: &'a str,
        /// Positions done.
        done: usize,
        /// Positions in all.
        total: usize,
    },
    /// A match was finished and kept.
    Match {
        /// Its cell's key.
        cell: &'a str,
        /// Its number in the cell.
        number: u64,
    },
}

/// What became of a run.
#[derive(Debug, Default)]
pub struct RunSummary {
    /// Matches played and kept now.
    pub played: u64,
    /// The cells of the experiment, by their numbers in the store.
    pub cells: Vec<i64>,
    /// Matches that failed; all others went on.
    pub failures: Vec<ArenaError>,
    /// Whether it was stopped before everything was played.
    pub stopped: bool,
}

/// A cell ready to be played.
struct Bench<'a> {
    cell: &'a Cell,
    id: i64,
    key: String,
    game: Arc<dyn Game>,
    contestants: Vec<Contestant>,
    seatings: Vec<Vec<usize>>,
    /// Matches from this number on are not needed.
    limit: AtomicU64,
}

/// Plays every match of the experiment that the store does not have and keeps each as soon as it ends.
/// What is played depends on the experiment alone: not on threads, not on interruptions.
pub fn run(
    experiment: &Experiment,
    store: &Store,
    options: RunOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<RunSummary, ArenaError> {
    run_until(experiment, store, options, &Stop::default(), progress)
}

/// The same; once `cut` is raised, matches under way are given up and not kept.
pub fn run_until(
    experiment: &Experiment,
    store: &Store,
    options: RunOptions,
    cut: &Stop,
    progress: &mut dyn FnMut(Progress),
) -> Result<RunSummary, ArenaError> {
    let benches = prepare(experiment, store, options, progress)?;
    let mut results = finished(&benches, store)?;
    let jobs = wanted(&benches, &results, options.share);
    let before = results.iter().map(|seen| seen.by_number.len() as u64).sum();
    progress(Progress::Planned { total: before + jobs.len() as u64, finished: before });
    let keeping = Keeping { store, options, cut };
    play_all(&benches, &jobs, &mut results, keeping, progress)
}

/// What a run would play, in order: each match by the place of its cell in the experiment and its number there.
pub fn missing(
    experiment: &Experiment,
    store: &Store,
    options: RunOptions,
) -> Result<Vec<(usize, u64)>, ArenaError> {
    let benches = prepare(experiment, store, options, &mut |_| {})?;
    let results = finished(&benches, store)?;
    Ok(wanted(&benches, &results, options.share))
}

/// What the store has of every cell.
fn finished(benches: &[Bench], store: &Store) -> Result<Vec<Results>, ArenaError> {
    let results = benches.iter().map(|bench| {
        let mut seen = Results::default();
        for finished in store.matches(bench.id)? {
            seen.add(finished.number, finished.points[0]);
        }
        seen.stop_early(bench, store)?;
        Ok(seen)
    });
    results.collect()
}

/// Loads games and agents and enters the cells, so that every fault shows before anything is played.
fn prepare<'a>(
    experiment: &'a Experiment,
    store: &Store,
    options: RunOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Bench<'a>>, ArenaError> {
    let seed = experiment.cells.first().map_or(1, |cell| cell.seed);
    let mut library = Library {
        folder: options.folder,
        simulations: experiment.opening_simulations,
        seed,
        found: HashMap::new(),
    };
    let places = Places { folder: options.folder, rules: options.rules };
    let mut games: HashMap<String, (Arc<dyn Game>, RulesKey)> = HashMap::new();
    let mut benches = Vec::new();
    for cell in &experiment.cells {
        let name = cell.game.to_string();
        let (game, rules) = match games.get(&name) {
            Some(known) => known.clone(),
            None => catalog::find(&cell.game, places)
                .map(|found| (found.game, found.rules))
                .map_err(|source| ArenaError::Catalog { game: name.clone(), source })?,
        };
        games.insert(name.clone(), (game.clone(), rules.clone()));
        let players = game.info().players;
        let seatings = seatings(players, cell.entrants.len());
        if seatings.is_empty() {
            return Err(ArenaError::Seats { game: name, players, seats: cell.entrants.len() });
        }
        let (mut contestants, mut agents) = (Vec::new(), Vec::new());
        for entrant in &cell.entrants {
            let mut learned =
                |done, total| progress(Progress::Learning { game: &name, done, total });
            let openings = library.get(&entrant.spec, &name, &game, &rules, &mut learned)?;
            let spec = entrant.spec.clone().with_files(library.folder)?;
            let budget = entrant.budget.unwrap_or(cell.budget);
            let (spec, _) = auto::resolve(spec, &game, Some(&rules), budget);
            let own = entrant.budget.map(|budget| format!(" at {}", super::budget_text(budget)));
            agents.push(full_text(&spec, openings.as_deref()) + &own.unwrap_or_default());
            let mut contestant = Contestant::new(spec, budget);
            contestant.openings = openings;
            contestants.push(contestant);
        }
        let identity = Identity { rules, agents };
        let id = store.enter_cell(&experiment.title, cell, &identity)?;
        let (key, limit) = (cell.key(&identity), AtomicU64::new(cell.matches));
        benches.push(Bench { cell, id, key, game, contestants, seatings, limit });
    }
    Ok(benches)
}

/// An agent with every setting and with the content of what it learned beforehand.
fn full_text(spec: &PlayerSpec, openings: Option<&Openings>) -> String {
    let mut text = spec.full();
    if let PlayerSpec::Agent(agent) = spec {
        for set in features_in(agent) {
            text += &format!(" features {}", features_key(set));
        }
    }
    if let Some(openings) = openings {
        text += &format!(" openings {}", content_key(openings));
    }
    text
}

/// The first match of every cell, then the second of every cell, and so on: an interrupted run has
/// something to say about all of them.
fn wanted(benches: &[Bench], results: &[Results], share: Share) -> Vec<(usize, u64)> {
    let longest = benches.iter().map(|bench| bench.limit.load(Ordering::Relaxed)).max();
    let all = (0..longest.unwrap_or(0))
        .flat_map(|number| (0..benches.len()).map(move |index| (index, number)));
    let wanted = |&(index, number): &(usize, u64)| {
        let planned = number < benches[index].limit.load(Ordering::Relaxed);
        planned
            && share.has(index, number, benches.len())
            && !results[index].by_number.contains_key(&number)
    };
    all.filter(wanted).collect()
}

/// Where matches go and what ends a run.
#[derive(Clone, Copy)]
struct Keeping<'a> {
    store: &'a Store,
    options: RunOptions<'a>,
    cut: &'a Stop,
}

fn play_all(
    benches: &[Bench],
    jobs: &[(usize, u64)],
    results: &mut [Results],
    Keeping { store, options, cut }: Keeping,
    progress: &mut dyn FnMut(Progress),
) -> Result<RunSummary, ArenaError> {
    let next = AtomicUsize::new(0);
    // Set where the store fails: going on would play matches that nobody keeps.
    let broken = AtomicBool::new(false);
    let stopped = || options.stop.load(Ordering::Relaxed) || cut.is_raised();
    let halted = || stopped() || broken.load(Ordering::Relaxed);
    let cells = benches.iter().map(|bench| bench.id).collect();
    let mut summary = RunSummary { cells, ..RunSummary::default() };
    let outcome = std::thread::scope(|scope| -> Result<(), ArenaError> {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..options.threads.clamp(1, jobs.len().max(1)) {
            let (sender, next, halted) = (sender.clone(), &next, &halted);
            scope.spawn(move || {
                while !halted() {
                    let Some(&(index, number)) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    else {
                        return;
                    };
                    if number >= benches[index].limit.load(Ordering::Relaxed) {
                        continue;
                    }
                    let played = play_one(&benches[index], number, cut);
                    if sender.send((index, number, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, number, played) in receiver {
            let bench = &benches[index];
            if number >= bench.limit.load(Ordering::Relaxed) {
                continue;
            }
            match played {
                Ok(record) => {
                    let contestants = bench.contestants.len();
                    results[index].add(number, record.points(contestants)[0]);
                    let kept = store
                        .keep(bench.id, number, contestants, &record)
                        .and_then(|()| results[index].stop_early(bench, store));
                    kept.inspect_err(|_| broken.store(true, Ordering::Relaxed))?;
                    summary.played += 1;
                    progress(Progress::Match { cell: &bench.key, number });
                }
                Err(ArenaError::Stopped) => {}
                Err(error) => summary.failures.push(error),
            }
        }
        Ok(())
    });
    outcome?;
    let all_begun = next.load(Ordering::Relaxed) >= jobs.len();
    summary.stopped = cut.is_raised() || (stopped() && !all_begun);
    Ok(summary)
}

fn play_one(bench: &Bench, number: u64, cut: &Stop) -> Result<MatchRecord, ArenaError> {
    let seating = &bench.seatings[(number % bench.seatings.len() as u64) as usize];
    let seed = seed_of_match(&bench.key, number);
    let plies = bench.cell.plies;
    play_match_within(&bench.game, &bench.contestants, seating, seed, cut, plies)
}

/// The first entrant's points by match, for a test that may end a cell early. The test looks at matches in
/// the order of their numbers, so that it ends at the same one however they were played.
#[derive(Default)]
struct Results {
    by_number: BTreeMap<u64, f64>,
    /// Matches before this one are counted in `tally`.
    counted: u64,
    tally: Tally,
}

impl Results {
    fn add(&mut self, number: u64, points: f64) {
        self.by_number.insert(number, points);
    }

    fn stop_early(&mut self, bench: &Bench, store: &Store) -> Result<(), ArenaError> {
        let Some(test) = bench.cell.sprt else { return Ok(()) };
        while let Some(&points) = self.by_number.get(&self.counted) {
            self.tally.add(points);
            self.counted += 1;
            // Whole rounds of seatings, so that nobody gains by sitting first.
            let round = self.counted.is_multiple_of(bench.seatings.len() as u64);
            if round && test.verdict(&self.tally) != Verdict::GoOn {
                bench.limit.store(self.counted, Ordering::Relaxed);
                self.by_number.split_off(&self.counted);
                return store.forget_from(bench.id, self.counted);
            }
        }
        Ok(())
    }
}
