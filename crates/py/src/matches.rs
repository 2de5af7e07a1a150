//! Matches between agents of ours, other programs and players written in Python.

use std::sync::Arc;

use ludex_arena::engine::PlayerSpec;
use ludex_arena::stats::Tally;
use ludex_arena::{Contestant, Series};
use ludex_play::search::{Budget, Stop};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::agent::{self, Agent};
use crate::error::plain;
use crate::game::Game;
use crate::guest::{Raised, guest};
use crate::network;
use crate::patience;

/// How a series of games went.
#[pyclass(module = "ludex", frozen)]
pub struct MatchResult {
    /// The players as text.
    #[pyo3(get)]
    players: Vec<String>,
    /// Each game as text that replays, in order.
    #[pyo3(get)]
    records: Vec<String>,
    /// Which player sat at each seat, game by game.
    #[pyo3(get)]
    seatings: Vec<Vec<usize>>,
    /// What each seat got, game by game, from 0 to 1.
    #[pyo3(get)]
    payoffs: Vec<Vec<f32>>,
    tallies: Vec<Tally>,
}

#[pymethods]
impl MatchResult {
    /// A player's mean share of the point, from 0 to 1; None where no game was played.
    #[pyo3(signature = (player=0))]
    fn score(&self, player: usize) -> PyResult<Option<f64>> {
        Ok(self.tally(player)?.mean())
    }

    /// The 95% interval of that.
    #[pyo3(signature = (player=0))]
    fn interval(&self, player: usize) -> PyResult<(f64, f64)> {
        let interval = self.tally(player)?.interval();
        Ok((interval.low, interval.high))
    }

    /// Games won, drawn and lost.
    #[pyo3(signature = (player=0))]
    fn counts(&self, player: usize) -> PyResult<(u64, u64, u64)> {
        let tally = self.tally(player)?;
        Ok((tally.wins, tally.draws, tally.losses))
    }

    /// How many games were played.
    #[getter]
    fn games(&self) -> usize {
        self.records.len()
    }

    /// All of it for people.
    fn table(&self) -> String {
        let width = self.players.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |(name, tally): (&String, &Tally)| {
            let (mean, interval) = (tally.mean().unwrap_or(0.0), tally.interval());
            format!(
                "{name:width$}  {:5.1}%  [{:5.1}, {:5.1}]  {} won, {} drawn, {} lost\n",
                100.0 * mean,
                100.0 * interval.low,
                100.0 * interval.high,
                tally.wins,
                tally.draws,
                tally.losses
            )
        };
        self.players.iter().zip(&self.tallies).map(line).collect()
    }

    fn __repr__(&self) -> String {
        format!("<ludex.MatchResult of {} games>", self.records.len())
    }
}

impl MatchResult {
    fn tally(&self, player: usize) -> PyResult<&Tally> {
        let error = || plain(format!("there is no player {player} of {}", self.tallies.len()));
        self.tallies.get(player).ok_or_else(error)
    }
}

/// Plays a series over all seatings.
#[pyfunction]
#[pyo3(signature = (game, players, *, games=100, simulations=None, time=None, clock="wall", seed=1,
    threads=1))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn play_series(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    players: Vec<Bound<'_, PyAny>>,
    games: u64,
    simulations: Option<u64>,
    time: Option<f64>,
    clock: &str,
    seed: u64,
    threads: usize,
) -> PyResult<MatchResult> {
    let core = game.get().core.clone();
    let (stop, raised) = (Stop::default(), Raised::default());
    let info = core.game.info();
    if players.len() == 1 && info.players > 1 {
        return Err(plain(format!(
            "{} has {} players and one player would have every seat: name another, or the same one again to let him \
             play against himself",
            info.name, info.players
        )));
    }
    let budget = agent::budget(simulations, time)?;
    let clock = agent::clock(clock)?;
    let contestants = players
        .iter()
        .map(|player| {
            let mut one = contestant(player, budget, &core, &stop, &raised)?;
            one.budget.clock = clock;
            Ok(one)
        })
        .collect::<PyResult<Vec<_>>>()?;
    let names = contestants.iter().map(|one| one.spec.to_string()).collect();
    let series = Series {
        game: core.game.clone(),
        contestants,
        matches: games,
        seed,
        threads: crate::given::threads(threads)?,
        stop: stop.clone(),
    };
    let outcome = patience::wait(
        py,
        || stop.raise(),
        move || {
            let mut played = Vec::new();
            let tallies = series.play(|number, record| {
                played.push((number, record));
                true
            });
            Ok((tallies.map_err(plain)?, played))
        },
    );
    if let Some(error) = raised.lock().ok().and_then(|mut raised| raised.take()) {
        return Err(error);
    }
    let (tallies, mut played) = outcome?;
    played.sort_by_key(|(number, _)| *number);
    Ok(MatchResult {
        players: names,
        records: played.iter().map(|(_, record)| record.trial.to_string()).collect(),
        seatings: played.iter().map(|(_, record)| record.seating.clone()).collect(),
        payoffs: played.iter().map(|(_, record)| record.payoffs.clone()).collect(),
        tallies,
    })
}

fn contestant(
    player: &Bound<'_, PyAny>,
    budget: Budget,
    core: &Arc<crate::source::Core>,
    stop: &Stop,
    raised: &Raised,
) -> PyResult<Contestant> {
    if let Ok(text) = player.extract::<String>() {
        return Ok(Contestant::new(agent::player(&text)?, budget));
    }
    if let Ok(agent) = player.cast::<Agent>() {
        let agent = agent.get();
        if let Some((callable, settings)) = &agent.prior {
            let name = agent.text.clone();
            let guest = network::guest(name, callable, core, *settings, stop, raised)?;
            return Ok(Contestant::new(PlayerSpec::Guest(guest), agent.budget));
        }
        return Ok(Contestant::new(agent.spec.clone(), agent.budget));
    }
    if !player.hasattr("choose")? {
        let text = "a player is a text, a ludex.Agent, or an object with `choose(state, budget)`";
        return Err(PyTypeError::new_err(text));
    }
    let name = player.get_type().name()?.to_string();
    let guest = guest(name, player.clone().unbind(), core, stop, raised);
    Ok(Contestant::new(PlayerSpec::Guest(guest), budget))
}
