//! Tier 0: complete random games, counted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use cpu_time::ThreadTime;

use ludex_game::{Game, Rng, State, Trial, Turn};

use crate::observe::{Attention, Counted, Observer};

/// Games of one block; a block is played by one thread from one stream of random numbers, so that what is counted
/// depends on the number of blocks alone.
pub const BLOCK: u64 = 16;
/// Games of a block that are looked at with the board.
const WITH_BOARD: u64 = 4;
/// Random games are given up after so many plies.
pub const MOST_PLIES: u32 = 2_000;

/// How many random games.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// At most so many games, rounded up to whole blocks.
    pub games: u64,
    /// At most about so much processor time of each thread; at least one block is played by each.
    pub time: Duration,
    /// Threads.
    pub threads: usize,
    /// Once set, no further block is begun.
    pub stop: &'a AtomicBool,
}

/// Plays random games from block `first` on and returns what was counted and the number of the next block.
/// `done` is told how many games there are so far.
pub fn sample(
    game: &dyn Game,
    seed: u64,
    first: u64,
    limits: Limits,
    done: &mut dyn FnMut(u64),
) -> (Counted, u64) {
    let blocks = limits.games.div_ceil(BLOCK);
    let next = AtomicU64::new(first);
    let go_on = |begun: ThreadTime| {
        let late = begun.elapsed() >= limits.time;
        !late && !limits.stop.load(Ordering::Relaxed)
    };
    let mut all = Counted::default();
    // Blocks are added in the order of their numbers: sums must not depend on which thread was faster.
    let mut waiting: BTreeMap<u64, Counted> = BTreeMap::new();
    let mut wanted = first;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..limits.threads.max(1) {
            let (sender, next, go_on) = (sender.clone(), &next, &go_on);
            scope.spawn(move || {
                let mut observer = Observer::new(game);
                let (mut fresh, begun) = (true, ThreadTime::now());
                while fresh || go_on(begun) {
                    fresh = false;
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= blocks {
                        return;
                    }
                    block(game, &mut observer, seed, number);
                    if sender.send((number, observer.take())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (number, counted) in receiver {
            waiting.insert(number, counted);
            while let Some(counted) = waiting.remove(&wanted) {
                all.join(&counted);
                wanted += 1;
            }
            done(wanted * BLOCK);
        }
    });
    (all, wanted)
}

fn block(game: &dyn Game, observer: &mut Observer, seed: u64, number: u64) {
    let mut rng = Rng::stream(seed, number);
    for index in 0..BLOCK {
        let attention = if index < WITH_BOARD { Attention::Board } else { Attention::Counts };
        observer.begin(attention);
        let state = play(game, &mut rng, Some(observer), None);
        observer.end(&state);
    }
}

/// A random game from the start; it is shown to the observer and written to the record.
fn play(
    game: &dyn Game,
    rng: &mut Rng,
    mut observer: Option<&mut Observer>,
    mut record: Option<&mut Trial>,
) -> State {
    let limit = MOST_PLIES.min(game.info().max_plies);
    let mut state = game.start();
    let (mut joint, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..limit {
        joint.clear();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => joint.push(game.sample_chance(&state, rng)),
            Turn::Players(players) => {
                for player in players {
                    let legal = match &mut observer {
                        Some(observer) => observer.legal(&state, player),
                        None => {
                            moves.clear();
                            game.moves(&state, player, &mut moves);
                            &moves[..]
                        }
                    };
                    joint.push(legal[rng.below(legal.len() as u32) as usize]);
                }
            }
        }
        if let Some(observer) = &mut observer {
            observer.ply(&state, &joint);
        }
        if let Some(record) = &mut record {
            record.push(game, &state, &joint);
        }
        game.apply(&mut state, &joint);
    }
    state
}

/// Random games written down, for whoever wants to play them through again: so many, or as many as have so many plies
/// together, or as many as this time allows; at least one.
pub fn records(game: &dyn Game, seed: u64, games: u64, plies: usize, time: Duration) -> Vec<Trial> {
    let (begun, mut left, mut all) = (ThreadTime::now(), plies, Vec::new());
    for number in 0..games {
        if number > 0 && (left == 0 || begun.elapsed() >= time) {
            break;
        }
        let mut trial = Trial::new(game.info().name.clone(), seed);
        let mut rng = Rng::stream(seed ^ 0x7265_636f_7264, number);
        let state = play(game, &mut rng, None, Some(&mut trial));
        if matches!(game.turn(&state), Turn::Over) {
            let mut payoffs = vec![0.0; game.info().players];
            game.payoffs(&state, &mut payoffs);
            trial.result = Some(payoffs);
        }
        left = left.saturating_sub(trial.moves.len());
        all.push(trial);
    }
    all
}
