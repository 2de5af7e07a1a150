//! Fitness by matches, all formulas on the same ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludex_game::{Game, Move, PlayerSet, Rng, State, Turn};
use ludex_play::agent::Agent;
use ludex_play::evolve::{Formula, Judged};
use ludex_play::expectimax::ExpectimaxAgent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

use crate::ArenaError;
use crate::stats::Tally;

/// What makes up the matches of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Who plays all other seats.
    pub opponent: AgentSpec,
    /// How long they may think.
    pub budget: Budget,
    /// How many draws judge a decision.
    pub samples: usize,
    /// How many outcomes of the game's first chance turn are trained on: boards, in 7 Wonders.
    pub configurations: u64,
    /// How many matches are played with each: deals, in 7 Wonders.
    pub deals: u64,
    /// Where all random numbers come from.
    pub seed: u64,
    /// How many matches are played side by side.
    pub threads: usize,
}

/// A plan for a game.
pub struct Training {
    game: Arc<dyn Game>,
    plan: Plan,
}

/// Where one match gets its random numbers from.
#[derive(Clone, Copy)]
struct Sources {
    /// The first chance turn.
    configuration: u64,
    /// All else.
    rest: u64,
    /// Where the formula sits.
    seat: usize,
}

impl Training {
    /// A training; fails where the game refuses the opponent.
    pub fn new(game: Arc<dyn Game>, plan: Plan) -> Result<Training, ArenaError> {
        plan.opponent.build(&game, None, &mut Rng::seeded(0))?;
        Ok(Training { game, plan })
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// What it was made from.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Matches that make up one fitness.
    pub fn matches(&self) -> u64 {
        self.plan.configurations * self.plan.deals
    }

    /// How a formula does: the mean share of the win, over the same matches for every formula, and in which
    /// of them it had a share.
    pub fn judge(&self, formula: &Formula) -> Judged {
        // Multiplied out, most formulas are shorter.
        let simple = formula.simplified();
        let formula = if simple.size() < formula.size() { &simple } else { formula };
        let points = self.play_all(formula, self.matches(), |index| self.trained(index));
        let total: f64 = points.iter().map(|&points| f64::from(points)).sum();
        Judged {
            fitness: total / points.len().max(1) as f64,
            achieved: points.iter().map(|&points| points > 0.0).collect(),
        }
    }

    /// Matches that no training saw: half of them on the configurations of the training, half on new
    /// ones, all with new deals.
    pub fn validate(&self, formula: &Formula, matches: u64) -> Tally {
        let known = matches / 2;
        let points = self.play_all(formula, matches, |index| {
            let mut sources = self.trained(index % self.matches().max(1));
            sources.rest = stream(self.plan.seed, 3, index);
            sources.seat = (index % self.game.info().players as u64) as usize;
            if index >= known {
                sources.configuration = stream(self.plan.seed, 4, index);
            }
            sources
        });
        let mut tally = Tally::default();
        points.iter().for_each(|&points| tally.add(f64::from(points)));
        tally
    }

    fn trained(&self, index: u64) -> Sources {
        let players = self.game.info().players as u64;
        let (configuration, deal) =
            (index / self.plan.deals.max(1), index % self.plan.deals.max(1));
        Sources {
            configuration: stream(self.plan.seed, 1, configuration),
            rest: stream(self.plan.seed, 2, index),
            seat: ((configuration + deal) % players) as usize,
        }
    }

    /// Each match's points, in order, whichever thread played it.
    fn play_all(
        &self,
        formula: &Formula,
        matches: u64,
        sources: impl Fn(u64) -> Sources + Sync,
    ) -> Vec<f32> {
        let next = AtomicU64::new(0);
        let work = || {
            let mut played = Vec::new();
            loop {
                // A few at a time, so that threads do not wait for each other's counting.
                let first = next.fetch_add(4, Ordering::Relaxed);
                if first >= matches {
                    return played;
                }
                for index in first..(first + 4).min(matches) {
                    played.push((index, self.play(formula, sources(index))));
                }
            }
        };
        let mut points = vec![0.0; matches as usize];
        let mut keep = |played: Vec<(u64, f32)>| {
            played.into_iter().for_each(|(index, share)| points[index as usize] = share);
        };
        if self.plan.threads <= 1 {
            keep(work());
            return points;
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.plan.threads).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                match thread.join() {
                    Ok(played) => keep(played),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        points
    }

    /// One match: the formula's share of the win.
    fn play(&self, formula: &Formula, sources: Sources) -> f32 {
        let game = &self.game;
        let mut rng = Rng::seeded(sources.rest);
        let mut agents: Vec<Box<dyn Agent>> = Vec::new();
        for seat in 0..game.info().players {
            agents.push(if seat == sources.seat {
                let samples = self.plan.samples;
                Box::new(ExpectimaxAgent::new(game.clone(), formula.clone(), samples, &mut rng))
            } else {
                match self.plan.opponent.build(game, None, &mut rng) {
                    Ok(agent) => agent,
                    // The opponent was built once before, when the training was made.
                    Err(_) => return 0.0,
                }
            });
        }
        let mut state = game.start();
        let mut first_chance = Some(Rng::seeded(sources.configuration));
        let mut joint = [Move::default(); PlayerSet::CAPACITY];
        for _ in 0..game.info().max_plies {
            let count = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let rng = first_chance.as_mut().unwrap_or(&mut rng);
                    joint[0] = game.sample_chance(&state, rng);
                    first_chance = None;
                    1
                }
                Turn::Players(players) => {
                    for (slot, player) in joint.iter_mut().zip(players) {
                        let agent = &mut agents[player.index()];
                        *slot = agent.choose(&state, player, self.plan.budget).mv;
                    }
                    players.len()
                }
            };
            agents.iter_mut().for_each(|agent| agent.played(&state, &joint[..count]));
            game.apply(&mut state, &joint[..count]);
        }
        self.share(&state, sources.seat)
    }

    /// The winners share one point.
    fn share(&self, state: &State, seat: usize) -> f32 {
        let mut payoffs = [0.0; PlayerSet::CAPACITY];
        let payoffs = &mut payoffs[..self.game.info().players];
        self.game.payoffs(state, payoffs);
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let winners = payoffs.iter().filter(|&&payoff| payoff == best).count();
        if payoffs[seat] == best { 1.0 / winners as f32 } else { 0.0 }
    }
}

fn stream(seed: u64, kind: u64, index: u64) -> u64 {
    Rng::stream(seed, kind << 48 | index).next()
}
