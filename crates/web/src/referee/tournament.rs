//! Many matches: several games, several players, so many at once as there are players free.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludex_game::{Rng, mix};

use super::call::ask;
use super::game::{self, Clocks, MatchReport, Seat};
use super::rules::{RefereeError, Ruled};

/// The role that we play ourselves.
const CHANCE: &str = "random";

/// A player that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// What it calls itself, or else its address.
    pub name: String,
    /// Where it is.
    pub address: String,
}

impl Contestant {
    /// Asks a player for its name; one that does not answer is known by its address.
    pub fn at(address: &str) -> Contestant {
        let known = ask(address, "( INFO )", Duration::from_secs(1)).ok();
        let name = known.and_then(|(answer, _)| {
            let words: Vec<&str> =
                answer.split(['(', ')', ' ']).filter(|word| !word.is_empty()).collect();
            let at = words.iter().position(|word| word.eq_ignore_ascii_case("name"))?;
            words.get(at + 1).map(|name| (*name).to_owned())
        });
        Contestant { name: name.unwrap_or_else(|| address.to_owned()), address: address.to_owned() }
    }
}

/// What is to be played.
pub struct Tournament {
    /// The games.
    pub games: Vec<Ruled>,
    /// Who plays. Each plays one match at a time; roles left over are played at random.
    pub players: Vec<Contestant>,
    /// Matches of each game.
    pub matches: usize,
    /// Matches at once.
    pub parallel: usize,
    /// The clocks.
    pub clocks: Clocks,
    /// The seed of everything random.
    pub seed: u64,
    /// What all matches' names begin with.
    pub name: String,
}

/// What happens in a tournament.
pub enum Event<'e> {
    /// A match made a step.
    Stepped {
        /// The match's name.
        id: &'e str,
        /// Steps so far.
        step: usize,
    },
    /// A match ended.
    Ended(&'e MatchReport),
}

/// A match to be played.
struct Fixture {
    game: usize,
    number: usize,
    seats: Vec<Seat>,
}

/// What is left to play and who is free.
struct Hall {
    left: Vec<Fixture>,
    busy: Vec<bool>,
}

impl Tournament {
    /// Plays all matches; `told` hears of everything from the threads that run them.
    pub fn run(&self, told: &(dyn Fn(Event<'_>) + Sync)) -> Result<(), RefereeError> {
        if self.games.is_empty() {
            return Err(RefereeError::Nobody("no game is named"));
        }
        if self.players.is_empty() {
            return Err(RefereeError::Nobody("no player is named: give its HOST:PORT"));
        }
        let left = self.fixtures();
        let hall = Mutex::new(Hall { left, busy: vec![false; self.players.len()] });
        let freed = Condvar::new();
        std::thread::scope(|scope| {
            for _ in 0..self.parallel.max(1) {
                scope.spawn(|| {
                    while let Some(fixture) = next_fixture(&hall, &freed) {
                        told(Event::Ended(&self.play(&fixture, told)));
                        release(&hall, &fixture);
                        freed.notify_all();
                    }
                });
            }
        });
        Ok(())
    }

    fn play(&self, fixture: &Fixture, told: &(dyn Fn(Event<'_>) + Sync)) -> MatchReport {
        let ruled = &self.games[fixture.game];
        let id = format!("{}.{}.{}", self.name, ruled.name, fixture.number);
        let number = (fixture.game as u64) << 32 | fixture.number as u64;
        let seed = mix(self.seed ^ mix(number + 1)) >> 1;
        let stepped = |step| told(Event::Stepped { id: &id, step });
        game::run(ruled, id.clone(), fixture.seats.clone(), self.clocks, seed, &stepped)
    }

    /// All matches, one of each game after another. Over the matches of a game the players go through all
    /// ways to seat them, in an order drawn by the seed.
    fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for (game, ruled) in self.games.iter().enumerate() {
            let mut rng = Rng::seeded(mix(self.seed.wrapping_add(game as u64)));
            let open = ruled.roles().iter().filter(|role| *role != CHANCE).count();
            let seated = open.min(self.players.len());
            let mut order: Vec<usize> = (0..self.players.len()).collect();
            for number in 0..self.matches {
                // Windows of one order seat everybody equally often; each round has a new order.
                let round = number * seated.max(1) % self.players.len().max(1);
                if round < seated {
                    shuffle(&mut order, &mut rng);
                }
                let turn = order.iter().copied().cycle().skip(round).take(seated);
                let mut chosen: Vec<Option<usize>> = turn.map(Some).collect();
                chosen.resize(open, None);
                chosen.rotate_right(number % open.max(1));
                fixtures.push(Fixture { game, number, seats: self.seats(ruled, &chosen) });
            }
        }
        fixtures.sort_by_key(|fixture| (fixture.number, fixture.game));
        fixtures
    }

    fn seats(&self, ruled: &Ruled, chosen: &[Option<usize>]) -> Vec<Seat> {
        let mut chosen = chosen.iter();
        let seat = |role: &String| match role.as_str() {
            CHANCE => Seat::Random,
            _ => match chosen.next().copied().flatten() {
                Some(player) => Seat::Player(player, self.players[player].address.clone()),
                None => Seat::Random,
            },
        };
        ruled.roles().iter().map(seat).collect()
    }
}

fn shuffle(order: &mut [usize], rng: &mut Rng) {
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at as u32 + 1) as usize);
    }
}

fn lock(hall: &Mutex<Hall>) -> MutexGuard<'_, Hall> {
    hall.lock().unwrap_or_else(PoisonError::into_inner)
}

fn players(fixture: &Fixture) -> impl Iterator<Item = usize> + '_ {
    fixture.seats.iter().filter_map(|seat| match seat {
        Seat::Player(number, _) => Some(*number),
        Seat::Random => None,
    })
}

/// The next match whose players are all free; waits for one. Nothing if none is left.
fn next_fixture(hall: &Mutex<Hall>, freed: &Condvar) -> Option<Fixture> {
    let mut hall = lock(hall);
    loop {
        if hall.left.is_empty() {
            return None;
        }
        let ready = |fixture: &Fixture| players(fixture).all(|player| !hall.busy[player]);
        if let Some(at) = hall.left.iter().position(ready) {
            let fixture = hall.left.remove(at);
            players(&fixture).for_each(|player| hall.busy[player] = true);
            return Some(fixture);
        }
        hall = freed.wait(hall).unwrap_or_else(PoisonError::into_inner);
    }
}

fn release(hall: &Mutex<Hall>, fixture: &Fixture) {
    let mut hall = lock(hall);
    players(fixture).for_each(|player| hall.busy[player] = false);
}
