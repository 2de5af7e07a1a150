//! What a correct game is, as one test that every game of every language goes through.
//!
//! [`check`] plays random games and looks at each position: texts read back as the moves they name,
//! hashes and listings repeat, a clone lives its own life, codes and payoffs stay within their bounds,
//! records replay, views partition the sites of a geometry on which moves start and end, playouts of all
//! kinds end and agree with each other, and random moves are uniform by a chi-squared test. Everything is drawn from the seed, so a verdict repeats.

mod agreement;
mod draws;
mod playouts;
mod position;
mod sites;

pub use agreement::agree;
pub use draws::chi_squared_bound;
pub use position::EACH_ONCE;
pub use sites::flaw;

use crate::{Game, Move, Player, Rng, State, Trial, Turn};

/// A law of the contract that a game broke.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} breaks the law \"{law}\": {detail}{}", after(.moves))]
pub struct Fault {
    /// The game's name.
    pub game: String,
    /// The law.
    pub law: &'static str,
    /// What was found.
    pub detail: String,
    /// The moves that lead there from the start, one item for each mover's move.
    pub moves: Vec<String>,
}

fn after(moves: &[String]) -> String {
    if moves.is_empty() {
        " (at the start)".into()
    } else {
        format!(" (after {})", moves.join(", "))
    }
}

/// How much work a check does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Random games that are followed position by position.
    pub games: u32,
    /// Positions of each that are looked at; longer games are left there.
    pub plies: u32,
    /// Random moves drawn in each position where their uniformity is tested.
    pub draws: u32,
    /// Playouts of each kind whose results are compared.
    pub playouts: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { games: 6, plies: 500, draws: 4000, playouts: 2000 }
    }
}

/// Checks every law with the usual effort.
pub fn check(game: &dyn Game, seed: u64) -> Result<(), Fault> {
    check_with(game, seed, Effort::default())
}

/// Checks the laws of geometry, views and ends of moves alone, along one random game.
pub fn check_sites(game: &dyn Game, seed: u64, plies: u32) -> Result<(), Fault> {
    let mut walk = Walk::new(game, Rng::seeded(seed));
    sites::geometry(&walk)?;
    for _ in 0..plies {
        sites::views(&walk)?;
        if let Turn::Players(players) = game.turn(&walk.state) {
            for player in players {
                sites::ends(&walk, Some(player), &walk.moves(player))?;
            }
        }
        if !walk.step()? {
            break;
        }
    }
    Ok(())
}

/// Checks alone what a game says of moves that win at once, along one random game.
pub fn check_wins(game: &dyn Game, seed: u64, plies: u32) -> Result<(), Fault> {
    let mut walk = Walk::new(game, Rng::seeded(seed));
    for _ in 0..plies {
        position::wins(&walk)?;
        if !walk.step()? {
            break;
        }
    }
    Ok(())
}

/// Checks every law.
pub fn check_with(game: &dyn Game, seed: u64, effort: Effort) -> Result<(), Fault> {
    for index in 0..effort.games {
        let mut walk = Walk::new(game, Rng::stream(seed, u64::from(index)));
        if index == 0 {
            sites::geometry(&walk)?;
        }
        // Laws that take many draws are tested in a few positions: at the start and somewhere in each game.
        let sampled = if index == 0 { 0 } else { walk.rng.below(1 << index.min(8)) };
        for ply in 0..effort.plies {
            position::check(&mut walk)?;
            if ply == sampled {
                draws::check(&mut walk, effort.draws)?;
                playouts::check(&mut walk, if index < 2 { effort.playouts } else { 0 })?;
            }
            if !walk.step()? {
                break;
            }
        }
        walk.check_record()?;
    }
    Ok(())
}

/// A random game on its way.
struct Walk<'a> {
    game: &'a dyn Game,
    state: State,
    rng: Rng,
    trial: Trial,
    hashes: Vec<u64>,
}

impl<'a> Walk<'a> {
    fn new(game: &'a dyn Game, rng: Rng) -> Self {
        let state = game.start();
        let hashes = vec![game.hash(&state)];
        Walk { game, state, rng, trial: Trial::new(game.info().name.clone(), 0), hashes }
    }

    fn fault(&self, law: &'static str, detail: impl Into<String>) -> Fault {
        let moves = self.trial.moves.iter().map(|(who, text)| match who {
            Some(player) => format!("{player} {text}"),
            None => format!("chance {text}"),
        });
        let game = self.game.info().name.clone();
        Fault { game, law, detail: detail.into(), moves: moves.collect() }
    }

    fn hold(
        &self,
        holds: bool,
        law: &'static str,
        detail: impl Fn() -> String,
    ) -> Result<(), Fault> {
        if holds { Ok(()) } else { Err(self.fault(law, detail())) }
    }

    fn moves(&self, player: Player) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, player, &mut moves);
        moves
    }

    /// Plays a random joint move; `false` at the end of the game.
    fn step(&mut self) -> Result<bool, Fault> {
        let joint = match self.game.turn(&self.state) {
            Turn::Over => return Ok(false),
            Turn::Chance => vec![self.game.sample_chance(&self.state, &mut self.rng)],
            Turn::Players(players) => {
                let mut joint = Vec::new();
                for player in players {
                    let moves = self.moves(player);
                    joint.push(moves[self.rng.below(moves.len() as u32) as usize]);
                }
                joint
            }
        };
        let before = self.state.clone();
        let untouched = position::Look::new(self.game, &before);
        self.trial.push(self.game, &before, &joint);
        self.game.apply(&mut self.state, &joint);
        let still = position::Look::new(self.game, &before);
        self.hold(untouched == still, "a clone lives its own life", || {
            "playing on changed the position it was cloned from".to_string()
        })?;
        sites::last(self, &before, joint[0])?;
        self.hashes.push(self.game.hash(&self.state));
        Ok(true)
    }

    /// The record of the game reads back and replays to the same positions.
    fn check_record(&mut self) -> Result<(), Fault> {
        let law = "records read back and replay";
        if self.game.turn(&self.state) == Turn::Over {
            let mut payoffs = vec![-1.0; self.game.info().players];
            self.game.payoffs(&self.state, &mut payoffs);
            self.trial.result = Some(payoffs);
        }
        let text = self.trial.to_string();
        let read = Trial::read(&text).map_err(|error| self.fault(law, error.to_string()))?;
        self.hold(read == self.trial, law, || format!("this changed when read back:\n{text}"))?;
        let states = read.replay(self.game).map_err(|error| self.fault(law, error.to_string()))?;
        let hashes: Vec<u64> = states.iter().map(|state| self.game.hash(state)).collect();
        self.hold(hashes == self.hashes, law, || "replaying gives other positions".to_string())
    }
}
