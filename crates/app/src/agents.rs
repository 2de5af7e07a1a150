//! From an agent's text to an agent.

use std::path::Path;

use anyhow::bail;
use ludex_arena::Contestant;
use ludex_arena::auto;
use ludex_arena::catalog::Found;
use ludex_arena::engine::PlayerSpec;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;

/// Reads an agent's text, and the files that it names, if it does.
pub fn parse(text: &str) -> anyhow::Result<AgentSpec> {
    match text.parse::<PlayerSpec>()?.with_files(Path::new(""))? {
        PlayerSpec::Agent(spec) => Ok(spec),
        _ => bail!("only `ludex match` and experiments seat other programs"),
    }
}

/// The agent that a text means for a game, and a sentence where it had to be chosen.
pub fn for_game(
    text: &str,
    found: &Found,
    budget: Budget,
) -> anyhow::Result<(AgentSpec, Option<String>)> {
    Ok(auto::resolve_agent(parse(text)?, &found.game, Some(&found.rules), budget))
}

/// Somebody who takes part in matches of a game: an agent of ours or another program; and a sentence where he had to be
/// chosen.
pub fn contestant(
    text: &str,
    found: &Found,
    budget: Budget,
) -> anyhow::Result<(Contestant, Option<String>)> {
    let player = text.parse::<PlayerSpec>()?.with_files(Path::new(""))?;
    let (player, why) = auto::resolve(player, &found.game, Some(&found.rules), budget);
    Ok((Contestant::new(player, budget), why))
}
