//! One match from the first move to the payoffs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludex_game::{Game, Move, PlayerSet, Rng, Trial, Turn};
use ludex_play::agent::Agent;
use ludex_play::openings::Openings;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

use crate::ArenaError;

/// Somebody who takes part in matches.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// How he plays.
    pub spec: AgentSpec,
    /// How long he may think about a move.
    pub budget: Budget,
    /// Policies learned beforehand, where his spec names some.
    pub openings: Option<Arc<Openings>>,
}

impl Contestant {
    /// A contestant without learned openings.
    pub fn new(spec: AgentSpec, budget: Budget) -> Self {
        Contestant { spec, budget, openings: None }
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
}

impl MatchRecord {
    /// Each contestant's share of the point.
    pub fn points(&self, contestants: usize) -> Vec<f64> {
        crate::points(contestants, &self.seating, &self.payoffs)
    }
}

/// Plays one match. `seating[p]` is the contestant who plays as player `p`; everything random comes from
/// `seed`. A match that reaches the game's ply limit ends as a tie.
pub fn play_match(
    game: &Arc<dyn Game>,
    contestants: &[Contestant],
    seating: &[usize],
    seed: u64,
) -> Result<MatchRecord, ArenaError> {
    let info = game.info();
    let seats = seating.len();
    if seats != info.players {
        return Err(ArenaError::Seats { game: info.name.clone(), players: info.players, seats });
    }
    let mut rng = Rng::seeded(seed);
    let mut agents: Vec<Box<dyn Agent>> = seating
        .iter()
        .map(|&who| contestants[who].spec.build(game, contestants[who].openings.clone(), &mut rng))
        .collect::<Result<_, _>>()?;
    let mut state = game.start();
    let mut trial = Trial::new(info.name.clone(), seed);
    let mut reports = vec![SeatReport::default(); seats];
    let mut joint = [Move::default(); PlayerSet::CAPACITY];
    let mut plies = 0;
    while plies < info.max_plies {
        let count = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                joint[0] = game.sample_chance(&state, &mut rng);
                1
            }
            Turn::Players(players) => {
                for (slot, player) in joint.iter_mut().zip(players) {
                    let seat = player.index();
                    let budget = contestants[seating[seat]].budget;
                    let ask = |agent: &mut dyn Agent| agent.choose(&state, player, budget);
                    let threads = contestants[seating[seat]].spec.threads();
                    *slot = timed_choice(&mut *agents[seat], threads, ask, &mut reports[seat]);
                }
                players.len()
            }
        };
        let joint = &joint[..count];
        trial.push(&**game, &state, joint);
        agents.iter_mut().for_each(|agent| agent.played(&state, joint));
        game.apply(&mut state, joint);
        plies += 1;
    }
    let mut payoffs = vec![0.0; seats];
    game.payoffs(&state, &mut payoffs);
    trial.result = Some(payoffs.clone());
    Ok(MatchRecord { seating: seating.to_vec(), trial, payoffs, plies, seats: reports })
}

fn timed_choice(
    agent: &mut dyn Agent,
    threads: usize,
    ask: impl FnOnce(&mut dyn Agent) -> ludex_play::agent::Choice,
    report: &mut SeatReport,
) -> Move {
    let (clock, processor) = (Instant::now(), ThreadTime::now());
    let choice = ask(agent);
    report.thinking += if threads == 1 { processor.elapsed() } else { clock.elapsed() };
    report.choices += 1;
    report.simulations += choice.report.map_or(0, |report| report.simulations);
    choice.mv
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestant(text: &str, simulations: u64) -> Contestant {
        let spec = text.parse().unwrap_or_else(|error| panic!("{error}"));
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
        let pair = [contestant("uct + ppa", 50), contestant("uct(threads=2) + mast", 50)];
        let play = |seed| {
            let mut record = play_match(&game, &pair, &[0, 1], seed).unwrap();
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
        let mut won = 0.0;
        for seed in 0..5 {
            for seating in crate::seatings(2, 2) {
                won += play_match(&game, &pair, &seating, seed).unwrap().points(2)[0];
            }
        }
        assert!(won >= 9.0, "{won} of 10");
    }

    #[test]
    fn a_wrong_number_of_seats_is_refused() {
        let error = play_match(&breakthrough(), &[contestant("random", 0)], &[0], 1).unwrap_err();
        assert_eq!(error.to_string(), "breakthrough has 2 players, not 1");
    }
}
