//! Everything the page talks to: the desk with its games, searches under way, stores of experiments. All of it is bounded.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludex_arena::ArenaError;
use ludex_arena::engine::PlayerSpec;
use ludex_desk::{Desk, Library, Refusal, Shelf, files};
use ludex_play::spec::AgentSpec;
use serde_json::Value;

use super::library::{Folder, within};
use super::thought::Thought;

/// So many searches run at once.
const MOST_THOUGHTS: usize = 4;

/// So many searches are remembered, finished ones included.
const MOST_REMEMBERED: usize = 64;

/// A search that nobody reads is stopped after so long.
const UNREAD: Duration = Duration::from_secs(20);

/// Where the page lives.
pub struct House {
    /// What is asked about games.
    pub desk: Desk,
    /// Where stores of experiments are, if the page may show them.
    pub experiments: Option<PathBuf>,
    /// Where the files are that agents' lines may name, if there is such a folder.
    agents: Option<PathBuf>,
    thoughts: Mutex<VecDeque<(String, Arc<Thought>)>>,
}

/// Folders that the page may look into; nothing outside them can be reached.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// A folder with `lud/` and `def/`.
    pub library: Option<PathBuf>,
    /// A folder with stores of experiments.
    pub experiments: Option<PathBuf>,
    /// A folder with files that agents' lines may name.
    pub agents: Option<PathBuf>,
}

impl House {
    /// A house with the built-in games and what the folders hold.
    pub fn new(folders: Folders, seed: u64) -> Result<House, ArenaError> {
        let Folders { library, experiments, agents } = folders;
        let library = match library {
            Some(folder) => Some(Box::new(Folder::new(&folder)?) as Box<dyn Library>),
            None => None,
        };
        for folder in [&experiments, &agents].into_iter().flatten() {
            std::fs::read_dir(folder).map_err(|error| ArenaError::file(folder, error))?;
        }
        let desk = Desk::new(Shelf::new(library), seed);
        Ok(House { desk, experiments, agents, thoughts: Mutex::default() })
    }

    /// Starts a search and gives its number.
    pub fn think(&self, asked: Value) -> Result<String, Refusal> {
        let question = self.desk.question(asked, |text| self.agent(text))?;
        let mut thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, thought) in thoughts.iter() {
            if !thought.read.load(Ordering::Relaxed) && thought.begun.elapsed() > UNREAD {
                thought.stop.raise();
            }
        }
        if thoughts.iter().filter(|(_, thought)| !thought.is_over()).count() >= MOST_THOUGHTS {
            let reason = format!("{MOST_THOUGHTS} searches are running already; stop one");
            return Err(Refusal::Asked(reason));
        }
        let id = format!("s{}", self.desk.number());
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
    pub fn thought(&self, id: &str) -> Option<Arc<Thought>> {
        let thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        thoughts.iter().find(|(known, _)| known == id).map(|(_, thought)| thought.clone())
    }

    /// An agent's line that may come from a page: none that starts programs, and files of one folder only.
    fn agent(&self, text: &str) -> Result<AgentSpec, Refusal> {
        let refuse = |reason: String| Err(Refusal::Asked(reason));
        let spec = match text.parse::<PlayerSpec>() {
            Ok(PlayerSpec::Agent(spec)) => spec,
            Ok(_) => return refuse("the page starts no programs; `ludex match` does".to_string()),
            Err(fault) => return refuse(fault.to_string()),
        };
        let named = files(&spec);
        if named.is_empty() {
            return Ok(spec);
        }
        let Some(folder) = &self.agents else {
            let hint = "agents' files are read from the folder that `ludex serve --agents` names";
            return refuse(hint.to_string());
        };
        if let Some(file) = named.iter().find(|file| within(folder, file).is_none()) {
            return refuse(format!("there is no file {file} in the folder of agents"));
        }
        match PlayerSpec::Agent(spec).with_files(Path::new(folder)) {
            Ok(PlayerSpec::Agent(spec)) => Ok(spec),
            Ok(_) => refuse("the page starts no programs".to_string()),
            Err(error) => refuse(error.to_string()),
        }
    }
}
