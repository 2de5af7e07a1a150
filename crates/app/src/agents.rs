//! From an agent's text to an agent.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use ludex_arena::Contestant;
use ludex_arena::engine::PlayerSpec;
use ludex_game::{Game, Rng};
use ludex_play::agent::Agent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

/// Reads an agent's text, and the files that it names, if it does.
pub fn parse(text: &str) -> anyhow::Result<AgentSpec> {
    match text.parse::<PlayerSpec>()?.with_files(Path::new(""))? {
        PlayerSpec::Agent(spec) => Ok(spec),
        _ => bail!("only `ludex match` and experiments seat other programs"),
    }
}

/// Builds the agent a text describes, for one match.
pub fn build(text: &str, game: &Arc<dyn Game>, rng: &mut Rng) -> anyhow::Result<Box<dyn Agent>> {
    Ok(parse(text)?.build(game, None, rng)?)
}

/// Somebody who takes part in matches: an agent of ours or another program.
pub fn contestant(text: &str, budget: Budget) -> anyhow::Result<Contestant> {
    Ok(Contestant::new(text.parse::<PlayerSpec>()?.with_files(Path::new(""))?, budget))
}
