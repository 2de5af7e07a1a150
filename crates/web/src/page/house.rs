//! Everything the page talks to: the shelf of games, opened tables, searches under way. All of it is bounded.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludex_game::{Player, Rng};
use ludex_play::policy::PolicyConfig;
use ludex_play::spec::AgentSpec;

use super::rules::{Fault, Shelf, Spec};
use super::table::{Line, Table};
use super::thought::{Question, Thought, Wanted};

/// So many games are open at once; the one not used for longest is closed, and opened again when it is asked for.
const MOST_TABLES: usize = 48;

/// So many searches run at once.
const MOST_THOUGHTS: usize = 4;

/// So many searches are remembered, finished ones included.
const MOST_REMEMBERED: usize = 64;

/// No search keeps more positions.
const MOST_NODES: usize = 8_000_000;

/// A search that nobody reads is stopped after so long.
const UNREAD: Duration = Duration::from_secs(20);

/// What the page may be told when something is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Rules(#[from] Fault),
    #[error(transparent)]
    Game(#[from] ludex_game::GameError),
    #[error("this game is no longer open; open it again")]
    Closed,
    #[error("{0}")]
    Agent(String),
    #[error("{MOST_THOUGHTS} searches are running already; stop one")]
    Busy,
    #[error("there is no such search")]
    NoThought,
}

/// Where the page lives.
pub struct House {
    pub shelf: Shelf,
    /// Where stores of experiments are, if the page may show them.
    pub experiments: Option<PathBuf>,
    tables: Mutex<VecDeque<(String, Arc<Table>)>>,
    thoughts: Mutex<VecDeque<(String, Arc<Thought>)>>,
    next: AtomicU64,
    seed: u64,
}

impl House {
    /// A house with the built-in games and those of a library folder.
    pub fn new(
        library: Option<&Path>,
        experiments: Option<PathBuf>,
        seed: u64,
    ) -> Result<House, Fault> {
        let shelf = Shelf::new(library)?;
        let (tables, thoughts) = Default::default();
        Ok(House { shelf, experiments, tables, thoughts, next: AtomicU64::new(1), seed })
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A generator for one use.
    fn rng(&self) -> Rng {
        Rng::seeded(ludex_game::mix(self.seed ^ ludex_game::mix(self.number())))
    }

    /// Opens a game; a game that is open already is the same table.
    pub fn open(&self, spec: Spec) -> Result<Arc<Table>, Refusal> {
        if let Some(open) = self.find(|_, table| table.spec() == &spec) {
            return Ok(open);
        }
        let loaded = self.shelf.load(&spec)?;
        let id = format!("t{}", self.number());
        let table = Arc::new(Table::new(id.clone(), spec, loaded));
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.push_back((id, table.clone()));
        while tables.len() > MOST_TABLES {
            tables.pop_front();
        }
        Ok(table)
    }

    fn find(&self, wanted: impl Fn(&str, &Table) -> bool) -> Option<Arc<Table>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tables.iter().position(|(id, table)| wanted(id, table))?;
        let found = tables.remove(at)?;
        tables.push_back(found.clone());
        Some(found.1)
    }

    /// An opened game by its number.
    pub fn table(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        self.find(|known, _| known == id).ok_or(Refusal::Closed)
    }

    /// Draws what chance gives.
    pub fn chance(&self, table: &str, line: &Line) -> Result<String, Refusal> {
        Ok(self.table(table)?.chance(line, &mut self.rng())?)
    }

    /// Starts a search and gives its number.
    pub fn think(
        &self,
        table: &str,
        line: Line,
        player: usize,
        agent: &str,
        wanted: Wanted,
    ) -> Result<String, Refusal> {
        let table = self.table(table)?;
        if player >= table.game.info().players {
            return Err(Refusal::Agent(format!("this game has no player {}", player + 1)));
        }
        let spec = agent_of(agent)?;
        let seed = self.rng().next();
        let mut thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, thought) in thoughts.iter() {
            if !thought.read.load(Ordering::Relaxed) && thought.begun.elapsed() > UNREAD {
                thought.stop.raise();
            }
        }
        if thoughts.iter().filter(|(_, thought)| !thought.is_over()).count() >= MOST_THOUGHTS {
            return Err(Refusal::Busy);
        }
        let player = Player(player as u8);
        let question =
            Question { table, line, player, text: agent.to_string(), spec, wanted, seed };
        let id = format!("s{}", self.number());
        thoughts.push_back((id.clone(), Arc::new(Thought::begin(question))));
        while thoughts.len() > MOST_REMEMBERED {
            let Some(at) = thoughts.iter().position(|(_, thought)| thought.is_over()) else {
                break;
            };
            thoughts.remove(at);
        }
        Ok(id)
    }

    /// A search by its number.
    pub fn thought(&self, id: &str) -> Result<Arc<Thought>, Refusal> {
        let thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            thoughts.iter().find(|(known, _)| known == id).map(|(_, thought)| thought.clone());
        found.ok_or(Refusal::NoThought)
    }
}

/// An agent's line that may come from a page: none that opens files, or takes more than its share of the machine.
fn agent_of(text: &str) -> Result<AgentSpec, Refusal> {
    let refuse = |reason: &str| Err(Refusal::Agent(reason.to_string()));
    let mut spec: AgentSpec = text.parse().map_err(|fault| Refusal::Agent(format!("{fault}")))?;
    let from_file = match &spec {
        AgentSpec::Evolved(_) => true,
        AgentSpec::Search(search) => {
            let features = matches!(search.policy.base, PolicyConfig::Features(_));
            features || search.prior.is_some() || search.initial.is_some() || search.eval.is_some()
        }
        AgentSpec::Minimax(minimax) => minimax.eval.is_some(),
        AgentSpec::Random | AgentSpec::Scripted(_) | AgentSpec::Auto(_) => false,
        AgentSpec::Level(agent, _) => !matches!(**agent, AgentSpec::Auto(_) | AgentSpec::Random),
    };
    if from_file {
        return refuse("agents that read files are not for the page");
    }
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    if spec.threads() > processors {
        return refuse(&format!("this machine has {processors} processors"));
    }
    if let AgentSpec::Search(search) = &mut spec {
        search.search.max_nodes = search.search.max_nodes.min(MOST_NODES);
    }
    Ok(spec)
}
