//! From an agent's text to an agent.

use std::path::Path;
use std::sync::Arc;

use ludex_arena::Contestant;
use ludex_arena::features::with_files;
use ludex_game::{Game, Rng};
use ludex_play::agent::Agent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

/// Reads an agent's text, and the files that it names, if it does.
pub fn parse(text: &str) -> anyhow::Result<AgentSpec> {
    Ok(with_files(text.parse()?, Path::new(""))?)
}

/// Builds the agent a text describes, for one match.
pub fn build(text: &str, game: &Arc<dyn Game>, rng: &mut Rng) -> anyhow::Result<Box<dyn Agent>> {
    Ok(parse(text)?.build(game, None, rng)?)
}

/// Somebody who takes part in matches.
pub fn contestant(text: &str, budget: Budget) -> anyhow::Result<Contestant> {
    Ok(Contestant::new(parse(text)?, budget))
}
