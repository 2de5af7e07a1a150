//! From an agent's text to an agent.

use std::sync::Arc;

use ludex_game::{Game, Rng};
use ludex_play::agent::{Agent, RandomAgent, SearchAgent};
use ludex_play::policy::Uniform;
use ludex_play::search::SearchConfig;

/// Builds the agent a text describes.
pub fn build(text: &str, game: &Arc<dyn Game>, rng: &mut Rng) -> anyhow::Result<Box<dyn Agent>> {
    match text {
        "random" => Ok(Box::new(RandomAgent::new(game.clone(), rng))),
        "uct" => Ok(Box::new(SearchAgent::new(
            game.clone(),
            SearchConfig::default(),
            || Box::new(Uniform::default()),
            rng,
        ))),
        _ => anyhow::bail!("unknown agent `{text}`"),
    }
}
