//! Many matches between the same contestants, on several threads, with the same results on any number.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use ludex_game::{Game, Rng};
use ludex_play::search::Stop;

use crate::stats::Tally;
use crate::{ArenaError, Contestant, MatchRecord, play_match, seatings};

/// A plan of matches: every seating in turn, each match with a seed of its own.
pub struct Series {
    /// The game.
    pub game: Arc<dyn Game>,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// How many matches.
    pub matches: u64,
    /// What all seeds come from.
    pub seed: u64,
    /// How many matches are played side by side.
    pub threads: usize,
    /// Ends the series: matches under way are given up, those that are finished count.
    pub stop: Stop,
}

/// The seed of one match of a series; the same whichever thread plays it, and in whatever order.
pub fn match_seed(seed: u64, index: u64) -> u64 {
    Rng::stream(seed, index).next()
}

impl Series {
    /// Plays all matches and hands each to `finished` as soon as it ends, with its number; returns the
    /// points of each contestant. `finished` returns whether to go on.
    pub fn play(
        &self,
        mut finished: impl FnMut(u64, MatchRecord) -> bool,
    ) -> Result<Vec<Tally>, ArenaError> {
        let seatings = seatings(self.game.info().players, self.contestants.len());
        if seatings.is_empty() {
            return Err(ArenaError::Seats {
                game: self.game.info().name.clone(),
                players: self.game.info().players,
                seats: self.contestants.len(),
            });
        }
        let (next, halted) = (AtomicU64::new(0), AtomicBool::new(false));
        let ended = || halted.load(Ordering::Relaxed) || self.stop.is_raised();
        let play_next = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            (index < self.matches && !ended()).then(|| {
                let seating = &seatings[(index % seatings.len() as u64) as usize];
                let seed = match_seed(self.seed, index);
                (index, play_match(&self.game, &self.contestants, seating, seed, &self.stop))
            })
        };
        let mut tallies = vec![Tally::default(); self.contestants.len()];
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some(result) = play_next() {
                        if sender.send(result).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, result) in receiver {
                let record = match result {
                    Err(ArenaError::Stopped) => continue,
                    result => result.inspect_err(|_| halted.store(true, Ordering::Relaxed))?,
                };
                // Where there are more contestants than seats, some sit a match out.
                let points = record.points(self.contestants.len());
                for (who, (tally, points)) in tallies.iter_mut().zip(points).enumerate() {
                    if record.seating.contains(&who) {
                        tally.add(points);
                    }
                }
                if !finished(index, record) {
                    halted.store(true, Ordering::Relaxed);
                }
            }
            Ok(tallies)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_play::search::Budget;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let play = |threads| {
            let contestant = |text: &str| {
                let spec: crate::engine::PlayerSpec = text.parse().unwrap();
                Contestant::new(spec, Budget::simulations(30))
            };
            let series = Series {
                game: ludex_games::builtin("nogo", &Default::default()).unwrap(),
                contestants: vec![contestant("uct"), contestant("random")],
                matches: 6,
                seed: 9,
                threads,
                stop: Stop::default(),
            };
            let mut games = vec![Vec::new(); 6];
            let tallies = series.play(|index, record| {
                games[index as usize] = record.trial.moves;
                true
            });
            (games, tallies.unwrap())
        };
        assert_eq!(play(1), play(3));
    }
}
