//! One match from the first move to the payoffs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_game::{Game, Move, Player, PlayerSet, Rng, State, Trial, Turn};
use ludex_play::agent::Agent;
use ludex_play::openings::Openings;
use ludex_play::search::{Budget, Stop};

use crate::engine::{Engine, Fault, PlayerSpec};
use crate::{ArenaError, Thought};

/// Somebody who takes part in matches.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// How he plays.
    pub spec: PlayerSpec,
    /// How long he may think about a move.
    pub budget: Budget,
    /// Policies learned beforehand, where his spec names some.
    pub openings: Option<Arc<Openings>>,
}

impl Contestant {
    /// A contestant without learned openings.
    pub fn new(spec: impl Into<PlayerSpec>, budget: Budget) -> Self {
        Contestant { spec: spec.into(), budget, openings: None }
    }

    /// He sits down.
    fn seat(&self, game: &Arc<dyn Game>, rng: &mut Rng, stop: &Stop) -> Result<Seat, Ending> {
        Ok(match &self.spec {
            PlayerSpec::Agent(spec) => {
                let mut agent = spec.build(game, self.openings.clone(), rng)?;
                agent.obey(stop.clone());
                Seat::Agent(agent)
            }
            PlayerSpec::Guest(guest) => {
                let mut agent = guest.sit(game, rng);
                agent.obey(stop.clone());
                Seat::Agent(agent)
            }
            PlayerSpec::Engine(spec) => Seat::Engine(Engine::start(spec, &**game, stop.clone())?),
        })
    }
}

/// Whoever sits at a seat.
enum Seat {
    Agent(Box<dyn Agent>),
    Engine(Engine),
}

/// Why a match does not go on as its game would.
enum Ending {
    Error(ArenaError),
    Fault(Fault),
}

impl From<ludex_game::GameError> for Ending {
    fn from(error: ludex_game::GameError) -> Self {
        Ending::Error(error.into())
    }
}

impl From<Fault> for Ending {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Stopped => Ending::Error(ArenaError::Stopped),
            fault => Ending::Fault(fault),
        }
    }
}

/// What one seat did in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatReport {
    /// Moves chosen.
    pub choices: u64,
    /// Time spent choosing them: the processor's where one thread thinks, the clock's where several do.
    pub thinking: Duration,
    /// Simulations run for them.
    pub simulations: u64,
}

/// A match that somebody lost by other things than the rules of its game: a program that hung, ended, cheated,
/// said nothing that makes sense, or resigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Who lost.
    pub seat: usize,
    /// Why, as a sentence about him.
    pub reason: String,
}

/// A finished match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// Which contestant sat at each seat.
    pub seating: Vec<usize>,
    /// Every move in its text form, the seed, the payoffs.
    pub trial: Trial,
    /// The payoffs by seat.
    pub payoffs: Vec<f32>,
    /// How many plies were played, chance included.
    pub plies: u32,
    /// What each seat did.
    pub seats: Vec<SeatReport>,
    /// What was thought about each choice, in the order of the players' moves in the trial.
    pub thoughts: Vec<Thought>,
    /// Whether it ended before the game did, and through whom.
    pub forfeit: Option<Forfeit>,
}

impl MatchRecord {
    /// Each contestant's share of the point.
    pub fn points(&self, contestants: usize) -> Vec<f64> {
        crate::points(contestants, &self.seating, &self.payoffs)
    }
}

/// Plays one match. `seating[p]` is the contestant who plays as player `p`; everything random comes from
/// `seed`. A match that reaches the game's ply limit ends as a tie; one whose `stop` is raised ends soon
/// after, with [`ArenaError::Stopped`]. A panic of the game or of a player is an error of this match alone.
pub fn play_match(
    game: &Arc<dyn Game>,
    contestants: &[Contestant],
    seating: &[usize],
    seed: u64,
    stop: &Stop,
) -> Result<MatchRecord, ArenaError> {
    play_match_within(game, contestants, seating, seed, stop, None)
}

/// The same; a match of so many plies ends as a tie even where the game would let it go on.
pub fn play_match_within(
    game: &Arc<dyn Game>,
    contestants: &[Contestant],
    seating: &[usize],
    seed: u64,
    stop: &Stop,
    plies: Option<u32>,
) -> Result<MatchRecord, ArenaError> {
    let most = game.info().max_plies;
    let limit = plies.map_or(most, |plies| plies.min(most));
    let play = || play_to_the_end(game, contestants, seating, seed, stop, limit);
    catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        let reason = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(ArenaError::Panicked { game: game.info().name.clone(), seed, reason })
    })
}

fn play_to_the_end(
    game: &Arc<dyn Game>,
    contestants: &[Contestant],
    seating: &[usize],
    seed: u64,
    stop: &Stop,
    limit: u32,
) -> Result<MatchRecord, ArenaError> {
    let info = game.info();
    let seats = seating.len();
    if seats != info.players {
        return Err(ArenaError::Seats { game: info.name.clone(), players: info.players, seats });
    }
    let mut table = Table {
        game,
        contestants,
        seating,
        stop,
        rng: Rng::seeded(seed),
        seats: Vec::new(),
        trial: Trial::new(info.name.clone(), seed),
        reports: vec![SeatReport::default(); seats],
        thoughts: Vec::new(),
        limit,
        state: game.start(),
        plies: 0,
    };
    let forfeit = match table.play() {
        Ok(()) => None,
        Err((_, Ending::Error(error))) => return Err(error),
        Err((seat, Ending::Fault(Fault::Unfit(reason)))) => {
            let engine = contestants[seating[seat]].spec.to_string();
            return Err(ArenaError::Unfit { engine, reason });
        }
        Err((seat, Ending::Fault(fault))) => Some(Forfeit { seat, reason: fault.to_string() }),
    };
    Ok(table.record(forfeit))
}

/// A match under way.
struct Table<'a> {
    game: &'a Arc<dyn Game>,
    contestants: &'a [Contestant],
    seating: &'a [usize],
    stop: &'a Stop,
    rng: Rng,
    seats: Vec<Seat>,
    trial: Trial,
    reports: Vec<SeatReport>,
    thoughts: Vec<Thought>,
    limit: u32,
    state: State,
    plies: u32,
}

impl Table<'_> {
    /// Plays to the end of the game, or to the fault of a seat.
    fn play(&mut self) -> Result<(), (usize, Ending)> {
        for (seat, &who) in self.seating.iter().enumerate() {
            let seated = self.contestants[who].seat(self.game, &mut self.rng, self.stop);
            self.seats.push(seated.map_err(|ending| (seat, ending))?);
        }
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        while self.plies < self.limit {
            let count = match self.game.turn(&self.state) {
                Turn::Over => break,
                Turn::Chance => {
                    joint[0] = self.game.sample_chance(&self.state, &mut self.rng);
                    1
                }
                Turn::Players(players) => {
                    for (slot, player) in joint.iter_mut().zip(players) {
                        *slot = self.choose(player).map_err(|ending| (player.index(), ending))?;
                    }
                    players.len()
                }
            };
            if self.stop.is_raised() {
                return Err((0, Ending::Error(ArenaError::Stopped)));
            }
            self.apply(&joint[..count])?;
        }
        Ok(())
    }

    fn choose(&mut self, player: Player) -> Result<Move, Ending> {
        let seat = player.index();
        let contestant = &self.contestants[self.seating[seat]];
        let (clock, processor) = (Instant::now(), ThreadTime::now());
        let report = &mut self.reports[seat];
        let mut thought = Thought::default();
        let (mv, simulations, on_this_thread) = match &mut self.seats[seat] {
            Seat::Agent(agent) => {
                let choice = agent.choose(&self.state, player, contestant.budget);
                thought = choice.report.as_ref().map_or(thought, Thought::of);
                let simulations = choice.report.map_or(0, |report| report.simulations);
                (choice.mv, simulations, contestant.spec.threads() == 1)
            }
            Seat::Engine(engine) => {
                let mv = engine.choose(&**self.game, &self.state, player, contestant.budget)?;
                (mv, 0, false)
            }
        };
        report.thinking += if on_this_thread { processor.elapsed() } else { clock.elapsed() };
        report.choices += 1;
        report.simulations += simulations;
        self.thoughts.push(thought);
        Ok(mv)
    }

    fn apply(&mut self, joint: &[Move]) -> Result<(), (usize, Ending)> {
        self.trial.push(&**self.game, &self.state, joint);
        for (at, seat) in self.seats.iter_mut().enumerate() {
            match seat {
                Seat::Agent(agent) => agent.played(&self.state, joint),
                Seat::Engine(engine) => engine
                    .played(&**self.game, &self.state, Player(at as u8), joint)
                    .map_err(|fault| (at, fault.into()))?,
            }
        }
        self.game.apply(&mut self.state, joint);
        self.plies += 1;
        Ok(())
    }

    fn record(mut self, forfeit: Option<Forfeit>) -> MatchRecord {
        let mut payoffs = vec![0.0; self.seating.len()];
        match &forfeit {
            None => {
                self.game.payoffs(&self.state, &mut payoffs);
                self.trial.result = Some(payoffs.clone());
            }
            Some(Forfeit { seat, reason }) => {
                let others = payoffs.iter_mut().enumerate().filter(|(at, _)| at != seat);
                others.for_each(|(_, payoff)| *payoff = 1.0);
                self.trial.notes.push(format!("P{} lost: {reason}", seat + 1));
            }
        }
        MatchRecord {
            seating: self.seating.to_vec(),
            trial: self.trial,
            payoffs,
            plies: self.plies,
            seats: self.reports,
            thoughts: self.thoughts,
            forfeit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestant(text: &str, simulations: u64) -> Contestant {
        let spec: PlayerSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        Contestant::new(spec, Budget::simulations(simulations))
    }

    fn breakthrough() -> Arc<dyn Game> {
        let size = Some("5x5".parse().unwrap());
        ludex_games::builtin("breakthrough", &ludex_games::Options { size, ..Default::default() })
            .unwrap()
    }

    #[test]
    fn the_seed_decides_everything() {
        let game = breakthrough();
        // One thread each: several that search one tree come to it in whatever order they are scheduled.
        let pair = [contestant("uct + ppa", 50), contestant("uct + mast", 50)];
        let play = |seed| {
            let mut record = play_match(&game, &pair, &[0, 1], seed, &Stop::default()).unwrap();
            record.seats.iter_mut().for_each(|seat| seat.thinking = Duration::ZERO);
            record
        };
        assert_eq!(play(4), play(4));
        assert_ne!(play(4).trial.moves, play(5).trial.moves);
        let record = play(4);
        assert_eq!(record.seats[0].simulations, 50 * record.seats[0].choices);
        let replayed = record.trial.replay(&*game).unwrap();
        assert_eq!(replayed.len() as u32, record.plies + 1);
    }

    #[test]
    fn searching_beats_guessing_from_both_seats() {
        let game = breakthrough();
        let pair = [contestant("uct", 200), contestant("random", 0)];
        let play = |seating: &[usize], seed| {
            play_match(&game, &pair, seating, seed, &Stop::default()).unwrap()
        };
        let mut won = 0.0;
        for seed in 0..5 {
            for seating in crate::seatings(2, 2) {
                won += play(&seating, seed).points(2)[0];
            }
        }
        assert!(won >= 9.0, "{won} of 10");
    }

    #[test]
    fn a_wrong_number_of_seats_is_refused() {
        let alone = [contestant("random", 0)];
        let error = play_match(&breakthrough(), &alone, &[0], 1, &Stop::default()).unwrap_err();
        assert_eq!(error.to_string(), "breakthrough has 2 players, not 1");
    }

    #[test]
    fn a_match_ends_when_it_is_told_to() {
        let stop = Stop::default();
        stop.raise();
        let pair = [contestant("uct", u64::MAX), contestant("uct", u64::MAX)];
        let ended = play_match(&breakthrough(), &pair, &[0, 1], 1, &stop);
        assert!(matches!(ended, Err(ArenaError::Stopped)));
    }
}
