//! Whoever chooses moves in a match.

use std::sync::Arc;

use ludex_game::{Game, GameError, Move, Player, Rng, State};

use crate::expectimax::ExpectimaxAgent;
use crate::scripted::ScriptedAgent;

use crate::levels::Weaker;
use crate::minimax::{AlphaBetaAgent, BestFirstAgent};
use crate::openings::Openings;
use crate::policy::PlayoutPolicy;
use crate::search::{Budget, Report, Search, SearchConfig, Stop, Watch};
use crate::spec::{AgentSpec, MinimaxSearch, SearchSpec, evaluations};

/// A choice and, where the agent has any, its evidence.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// What a search found.
    pub report: Option<Report>,
}

/// A player of one match: asked for moves, told what everybody played.
pub trait Agent: Send {
    /// Chooses a move for `player`, whose turn it is. The agent may look only at what `player` knows.
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice;

    /// Thinks unasked about a position where `player` is to move, for whatever that may be worth later.
    fn ponder(&mut self, _state: &State, _player: Player, _budget: Budget) {}

    /// Ends thinking early when the signal is raised, where it takes long at all.
    fn obey(&mut self, _stop: Stop) {}

    /// Tells somebody who looks on what is found while the agent thinks, where it finds anything by and by.
    fn watched(&mut self, _watch: Option<Watch>) {}

    /// Learns which joint move was played in `state`, its own included.
    fn played(&mut self, _state: &State, _joint: &[Move]) {}
}

/// Plays every legal move with the same probability.
pub struct RandomAgent {
    game: Arc<dyn Game>,
    rng: Rng,
    moves: Vec<Move>,
}

impl RandomAgent {
    /// A random player of a game.
    pub fn new(game: Arc<dyn Game>, rng: &mut Rng) -> Self {
        RandomAgent { game, rng: rng.split(), moves: Vec::new() }
    }
}

impl Agent for RandomAgent {
    fn choose(&mut self, state: &State, player: Player, _: Budget) -> Choice {
        self.moves.clear();
        self.game.moves(state, player, &mut self.moves);
        let drawn = self.rng.below(self.moves.len() as u32) as usize;
        Choice { mv: self.moves[drawn], report: None }
    }
}

/// Plays what a tree search finds.
pub struct SearchAgent {
    game: Arc<dyn Game>,
    search: Search,
    /// The budget of each part of the game, as a factor.
    parts: [f32; 3],
    /// Weights for the first search of the match; gone once it began.
    openings: Option<Arc<Openings>>,
}

impl SearchAgent {
    /// A searching player of a game; `policy` makes one playout policy for each thread.
    pub fn new(
        game: Arc<dyn Game>,
        config: SearchConfig,
        policy: impl FnMut() -> Box<dyn PlayoutPolicy>,
        rng: &mut Rng,
    ) -> Self {
        let search = Search::new(game.clone(), config, policy, rng);
        SearchAgent { game, search, parts: config.parts, openings: None }
    }

    /// Starts the first search from weights learned beforehand, if there are any for its position.
    pub fn with_openings(mut self, openings: Arc<Openings>) -> Self {
        self.openings = Some(openings);
        self
    }
}

impl Agent for SearchAgent {
    fn choose(&mut self, state: &State, player: Player, budget: Budget) -> Choice {
        if let Some(openings) = self.openings.take()
            && let Some(weights) = openings.get(self.game.hash(state))
        {
            self.search.policies_mut().for_each(|policy| {
                policy.set_weights(weights);
            });
        }
        let part = self.game.course().map_or(0, |course| course.part(state));
        let part = part.min(self.parts.len() - 1);
        let budget = budget.scaled(f64::from(self.parts[part]));
        let report = self.search.think(state, player, budget);
        Choice { mv: report.best, report: Some(report) }
    }

    fn ponder(&mut self, state: &State, player: Player, budget: Budget) {
        self.search.ponder(state, player, budget);
    }

    fn obey(&mut self, stop: Stop) {
        self.search.obey(stop);
    }

    fn watched(&mut self, watch: Option<Watch>) {
        self.search.watched(watch);
    }

    fn played(&mut self, _: &State, joint: &[Move]) {
        self.search.played(joint);
    }
}

impl AgentSpec {
    /// An agent for one match. `openings` are the policies the spec's `initial` names, if it names any.
    /// Fails where the game has no such scripted player or no such attributes.
    pub fn build(
        &self,
        game: &Arc<dyn Game>,
        openings: Option<Arc<Openings>>,
        rng: &mut Rng,
    ) -> Result<Box<dyn Agent>, GameError> {
        Ok(match self {
            AgentSpec::Auto(settings) => {
                let search = SearchConfig {
                    solve: true,
                    threads: settings.threads as usize,
                    ..SearchConfig::default()
                };
                let spec = SearchSpec { search, ..SearchSpec::default() };
                return AgentSpec::Search(Box::new(spec)).build(game, openings, rng);
            }
            AgentSpec::Level(agent, level) => {
                let agent = agent.build(game, openings, rng)?;
                Box::new(Weaker::new(game.clone(), agent, *level, rng))
            }
            AgentSpec::Random => Box::new(RandomAgent::new(game.clone(), rng)),
            AgentSpec::Scripted(text) => Box::new(ScriptedAgent::new(game.clone(), text, rng)?),
            AgentSpec::Evolved(spec) => {
                let (formula, samples) = (spec.read(&**game)?, spec.samples as usize);
                Box::new(ExpectimaxAgent::new(game.clone(), formula, samples, rng))
            }
            AgentSpec::Minimax(spec) => {
                refuse_hidden(&**game, spec.search.name())?;
                let threads = spec.search.threads();
                let mut evaluations = evaluations(spec.eval.as_ref(), &**game, threads)?;
                let mut evaluation = || evaluations.pop().expect("one for each thread");
                match spec.search {
                    MinimaxSearch::AlphaBeta(settings) => {
                        Box::new(AlphaBetaAgent::new(game.clone(), settings, evaluation, rng))
                    }
                    MinimaxSearch::BestFirst(settings) => {
                        Box::new(BestFirstAgent::new(game.clone(), settings, evaluation(), rng))
                    }
                }
            }
            AgentSpec::Search(spec) => {
                spec.policy.check(&**game)?;
                if spec.search.selection.counts_moves() && spec.policy.tells_patterns() {
                    let reason = "selection that counts moves does so by plain codes: it does not go with `ppa(patterns=FILE)`";
                    return Err(GameError::Options(reason.to_string()));
                }
                let prior = spec.prior.as_ref();
                if prior.is_some() && game.info().hidden {
                    let reason = "a prior of features needs positions that everybody sees whole";
                    return Err(GameError::Options(reason.to_string()));
                }
                let judge = prior.map(|prior| prior.features()?.judge(&**game)).transpose()?;
                let start = match &spec.start {
                    Some(start) => Some(spec.start_judge(start, &**game)?),
                    None => None,
                };
                let policy = || spec.policy.build(&**game);
                let mut agent = SearchAgent::new(game.clone(), spec.search, policy, rng);
                let search = agent.search.with_prior(judge.as_ref());
                agent.search = search.with_start(start.as_ref());
                let threads = spec.search.threads;
                let judges = || evaluations(spec.eval.as_ref(), &**game, threads);
                if let Some(cut) = spec.cut {
                    refuse_hidden(&**game, "cut")?;
                    agent.search = agent.search.with_cut(cut, judges()?);
                }
                if spec.judges_in_tree() {
                    refuse_hidden(&**game, "an evaluation")?;
                    if spec.search.implicit > 0.0 && game.info().players > 2 {
                        let reason = "`implicit` is for games of one or two players";
                        return Err(GameError::Options(reason.to_string()));
                    }
                    agent.search = agent.search.with_evaluations(judges()?, spec.prior_judged);
                }
                agent.openings = openings;
                Box::new(agent)
            }
        })
    }
}

/// An evaluation looks at whole positions.
fn refuse_hidden(game: &dyn Game, what: &str) -> Result<(), GameError> {
    let info = game.info();
    match info.hidden {
        true => {
            let reason = format!("{what} cannot play {}: parts of it are hidden", info.name);
            Err(GameError::Options(reason))
        }
        false => Ok(()),
    }
}
