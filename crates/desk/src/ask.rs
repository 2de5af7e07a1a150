//! The questions of the page and their answers, as JSON.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ludex_game::{Player, Rng};
use ludex_lang::lud::reference::{self, Answer};
use ludex_play::policy::PolicyConfig;
use ludex_play::spec::{AgentSpec, EvalSpec, catalogue};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::course::Line;
use crate::records;
use crate::seats::Seats;
use crate::shelf::{Fault, Shelf, Spec};
use crate::table::Table;
use crate::thought::{Question, Wanted};

/// So many games are open at once; the one not used for longest is closed, and opened again when it is asked for.
const MOST_TABLES: usize = 48;

/// What the page may be told when something is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Rules cannot be played.
    #[error(transparent)]
    Rules(#[from] Fault),
    /// A game has no such move, or no such anything.
    #[error(transparent)]
    Game(#[from] ludex_game::GameError),
    /// The game was closed to make room for others.
    #[error("this game is no longer open; open it again")]
    Closed,
    /// Whatever else cannot be had as asked.
    #[error("{0}")]
    Asked(String),
    /// The question is not what it should be made of.
    #[error("this is not what the request is made of: {0}")]
    Malformed(String),
    /// There is no such question.
    #[error("there is nothing of that name")]
    Nothing,
}

impl Refusal {
    /// The refusal as the page reads it.
    pub fn answer(&self) -> Value {
        let findings = match self {
            Refusal::Rules(Fault::Rules { findings, .. }) => Some(findings),
            _ => None,
        };
        let closed = matches!(self, Refusal::Closed);
        json!({ "error": self.to_string(), "findings": findings, "closed": closed })
    }
}

/// Everything the page talks to. All of it is bounded.
pub struct Desk {
    /// Where games come from.
    pub shelf: Shelf,
    tables: Mutex<VecDeque<(String, Arc<Table>)>>,
    seats: Arc<Seats>,
    next: AtomicU64,
    seed: u64,
}

#[derive(Deserialize)]
struct PositionOf {
    table: String,
    /// The name of a position on the way; `line` has the moves after it.
    after: Option<u64>,
    line: Line,
    viewer: Option<usize>,
    /// How many of the moves whoever looks was told of before.
    #[serde(default)]
    told: usize,
    /// Whether chance shall decide what it is its turn to decide.
    #[serde(default)]
    draw: bool,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Written {
    table: String,
    line: Line,
    #[serde(default)]
    format: records::Format,
}

#[derive(Deserialize)]
struct ThinkAbout {
    table: String,
    line: Line,
    player: usize,
    agent: String,
    budget: Wanted,
    /// The same question with the same seed and a budget of simulations has the same answer.
    seed: Option<u64>,
}

impl Desk {
    /// A desk with these games; everything random comes from the seed.
    pub fn new(shelf: Shelf, seed: u64) -> Desk {
        let (tables, seats) = (Mutex::default(), Arc::default());
        Desk { shelf, tables, seats, next: AtomicU64::new(1), seed }
    }

    /// A number that was not given before.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A generator for one use.
    fn rng(&self) -> Rng {
        Rng::seeded(ludex_game::mix(self.seed ^ ludex_game::mix(self.number())))
    }

    /// Answers a question of the page.
    pub fn ask(&self, what: &str, asked: Value) -> Result<Value, Refusal> {
        Ok(match what {
            "about" => {
                let agents = agents();
                json!({
                    "version": env!("CARGO_PKG_VERSION"),
                    "agent": agents.first(),
                    "agents": agents,
                    "threads": processors(),
                    "library": self.shelf.has_library(),
                })
            }
            "games" => json!(*self.shelf.entries()),
            "open" => json!(self.open(read(asked)?)?.about()),
            // Rules that cannot be played have no picture, which is no fault of whoever looks at the list.
            "picture" => json!({ "svg": self.shelf.picture(&read(asked)?).unwrap_or_default() }),
            "position" => {
                let PositionOf { table, after, line, viewer, told, draw } = read(asked)?;
                let table = self.table(&table)?;
                let viewer = viewer.filter(|&seat| seat < table.game.info().players);
                let viewer = viewer.map(|seat| Player(seat as u8));
                let mut rng = draw.then(|| self.rng());
                match table.position(after, line, viewer, told, rng.as_mut())? {
                    Some(position) => json!(position),
                    None => json!({ "forgotten": true }),
                }
            }
            "check" => {
                let findings = self.shelf.findings(&read(asked)?)?;
                json!({ "ok": findings.is_empty(), "findings": findings })
            }
            "ludeme" => {
                let Named { name } = read(asked)?;
                match reference::look_up(&name) {
                    Answer::Found(text) => json!([{ "name": name, "text": text }]),
                    Answer::Near(_) => json!([]),
                }
            }
            "record/read" => {
                let Text { text } = read(asked)?;
                let (spec, line) = records::read(self, &text)?;
                json!({ "spec": spec, "line": line })
            }
            "record/write" => {
                let Written { table, line, format } = read(asked)?;
                json!({ "text": records::write(&self.shelf, &*self.table(&table)?, &line, format)? })
            }
            _ => return Err(Refusal::Nothing),
        })
    }

    /// Opens a game; a game that is open already is the same table.
    pub fn open(&self, spec: Spec) -> Result<Arc<Table>, Refusal> {
        if let Some(open) = self.find(|_, table| table.spec() == &spec) {
            return Ok(open);
        }
        let loaded = self.shelf.load(&spec)?;
        let id = format!("t{}", self.number());
        let table = Arc::new(Table::new(id.clone(), spec, loaded, self.seats.clone()));
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

    /// A question to an agent; `agent` reads its line.
    pub fn question(
        &self,
        asked: Value,
        agent: impl FnOnce(&str) -> Result<AgentSpec, Refusal>,
    ) -> Result<Question, Refusal> {
        let ThinkAbout { table, line, player, agent: text, budget: wanted, seed } = read(asked)?;
        let table = self.table(&table)?;
        if player >= table.game.info().players {
            return Err(Refusal::Asked(format!("this game has no player {}", player + 1)));
        }
        let spec = agent(&text)?;
        if spec.threads() > processors() {
            let reason = format!("more threads than the {} processors here", processors());
            return Err(Refusal::Asked(reason));
        }
        let player = Player(player as u8);
        let seed = seed.unwrap_or_else(|| self.rng().next());
        Ok(Question { table, line, player, text, spec, wanted, seed })
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

fn read<T: DeserializeOwned>(asked: Value) -> Result<T, Refusal> {
    serde_json::from_value(asked).map_err(|error| Refusal::Malformed(error.to_string()))
}

/// Reads the line of an agent that needs no files.
pub fn agent_without_files(text: &str) -> Result<AgentSpec, Refusal> {
    let spec: AgentSpec = text.parse().map_err(|fault| Refusal::Asked(format!("{fault}")))?;
    match files(&spec).is_empty() {
        true => Ok(spec),
        false => Err(Refusal::Asked("agents that read files are not for this page".to_string())),
    }
}

/// The files that an agent's line names.
pub fn files(spec: &AgentSpec) -> Vec<String> {
    let judged = |eval: &Option<EvalSpec>| eval.as_ref().and_then(|eval| eval.file.clone());
    let named = match spec {
        AgentSpec::Evolved(evolved) => vec![evolved.file.clone()],
        AgentSpec::Search(search) => {
            let policy = match &search.policy.base {
                PolicyConfig::Features(features) => Some(features),
                PolicyConfig::Ppa(settings) => settings.patterns.as_ref(),
                _ => None,
            };
            let features = [policy, search.prior.as_ref(), search.start.as_ref()];
            let features = features.map(|found| found.and_then(|found| found.file.clone()));
            let others = [search.initial.clone(), judged(&search.eval)];
            features.into_iter().chain(others).collect()
        }
        AgentSpec::Minimax(minimax) => vec![judged(&minimax.eval)],
        AgentSpec::Level(agent, _) => return files(agent),
        AgentSpec::Random | AgentSpec::Scripted(_) | AgentSpec::Auto(_) => Vec::new(),
    };
    named.into_iter().flatten().collect()
}

/// Lines that suggest themselves for a seat, the usual one first: every search and policy that `ludex agents` lists and
/// that needs no file.
pub fn agents() -> Vec<String> {
    let parts: Vec<&str> = catalogue().iter().map(|part| part.name).collect();
    let alone = parts.iter().map(|name| name.to_string());
    let after_uct = parts.iter().map(|name| format!("uct + {name}"));
    let others = ["auto", "uct"].into_iter().map(str::to_string).chain(alone).chain(after_uct);
    let mut all: Vec<String> = Vec::new();
    for line in others.chain(["uct(solve)", "uct(threads=2)", "random"].map(str::to_string)) {
        let plain = agent_without_files(&line).is_ok_and(|spec| spec.threads() <= processors());
        if plain && !all.contains(&line) {
            all.push(line);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is added to the lines of agents: what names a file is known as such here.
    #[test]
    fn every_file_that_a_line_names_is_seen() {
        let mut tried = 0;
        for part in catalogue() {
            for setting in part.settings.iter().filter(|setting| setting.help.contains("file")) {
                let (name, given) =
                    (part.name, setting.usual.split('=').next().unwrap_or_default());
                let values = ["x.toml", "features(x.toml)"];
                let parts = values.map(|value| format!("{name}({given}={value})"));
                let lines = parts.iter().flat_map(|part| {
                    [
                        part.clone(),
                        format!("{part} + ppa"),
                        format!("uct + {part}"),
                        format!("alphabeta + {part}"),
                    ]
                });
                let read: Vec<AgentSpec> = lines.filter_map(|line| line.parse().ok()).collect();
                assert!(!read.is_empty(), "no line with {name}({given}=…)");
                for spec in read {
                    assert!(files(&spec).iter().any(|file| file.contains("x.toml")), "{spec}");
                    tried += 1;
                }
            }
        }
        assert!(tried >= 8, "{tried}");
    }
}
