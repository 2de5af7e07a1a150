//! How much memory an agent may take, whatever its line says.

use ludex_play::minimax::Many;
use ludex_play::spec::{AgentSpec, MinimaxSearch};

/// No search keeps more positions.
const MOST_NODES: usize = 4_000_000;

/// No tree that is kept move by move has more of them: they are small, and most lead to no position that is kept.
const MOST_EDGES: u64 = 16_000_000;

/// The agent within these bounds. What `auto` becomes is known only when it was chosen.
pub fn bounded(mut spec: AgentSpec) -> AgentSpec {
    match &mut spec {
        AgentSpec::Search(search) => {
            search.search.max_nodes = search.search.max_nodes.min(MOST_NODES);
        }
        AgentSpec::Minimax(minimax) => match &mut minimax.search {
            MinimaxSearch::AlphaBeta(settings) => {
                settings.table = settings.table.min(u64::from(MOST_NODES.ilog2()));
            }
            MinimaxSearch::BestFirst(settings) => settings.edges = settings.edges.min(MOST_EDGES),
        },
        AgentSpec::Level(agent, _) => **agent = bounded(std::mem::take(agent)),
        AgentSpec::Random | AgentSpec::Scripted(_) | AgentSpec::Evolved(_) | AgentSpec::Auto(_) => {
        }
    }
    spec
}

/// Whether of all moves but the best an agent learns only that they are no better.
pub fn stops_at_the_best(spec: &AgentSpec) -> bool {
    match spec {
        AgentSpec::Minimax(minimax) => {
            matches!(&minimax.search, MinimaxSearch::AlphaBeta(settings) if settings.many == Many::Paranoid)
        }
        AgentSpec::Level(agent, _) => stops_at_the_best(agent),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_asks_for_more_memory_than_there_is() {
        for (asked, given) in [
            ("alphabeta(table=30)", "alphabeta(table=21)"),
            ("ubfm(edges=2000000000)", "ubfm(edges=16000000)"),
            ("uct(nodes=1000000000)", "uct(nodes=4000000)"),
            ("alphabeta(table=30) + level(n=5)", "alphabeta(table=21) + level(n=5)"),
            ("alphabeta(table=12)", "alphabeta(table=12)"),
        ] {
            let read = |line: &str| line.parse::<AgentSpec>().expect("an agent");
            assert_eq!(bounded(read(asked)), read(given), "{asked}");
        }
    }
}
