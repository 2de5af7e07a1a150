//! Comparing a GDL engine with recorded matches of another system.
//!
//! A record is JSON lines: the game with its first position, then for every step each role's legal
//! moves, the joint move made and the next position, and at the end of a match its goals. Long lists
//! are recorded as a count and a SHA-256 of the sorted items.

use ludex_gdl::Compiled;
use ludex_gdl::Machine;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Where and how an engine differs from a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("match {game_match}, step {step}: {reason}")]
pub struct Difference {
    /// The match, counted as in the record.
    pub game_match: u64,
    /// The step, counted from zero.
    pub step: u64,
    /// What differs.
    pub reason: String,
}

/// Compares a compiled game, whatever its engine; see [`conform`].
pub fn conform_compiled(game: &Compiled, record: &str) -> Result<u64, Difference> {
    match game {
        Compiled::Network(rules) => conform(&**rules, record),
        Compiled::Datalog(rules) => conform(&**rules, record),
    }
}

/// The key of the game that a record is about.
pub fn recorded_game(record: &str) -> Option<String> {
    let first: Value = serde_json::from_str(record.lines().next()?).ok()?;
    first["key"].as_str().map(str::to_owned)
}

/// Plays a record's matches move by move and compares everything; returns the number of steps.
pub fn conform<M: Machine>(machine: &M, record: &str) -> Result<u64, Difference> {
    let mut replay = Replay { machine, position: machine.first_position(), game_match: 0, step: 0 };
    let mut steps = 0;
    for line in record.lines().filter(|line| !line.trim().is_empty()) {
        let entry: Value = match serde_json::from_str(line) {
            Ok(entry) => entry,
            Err(fault) => return replay.differs(format!("unreadable record: {fault}")),
        };
        match entry["type"].as_str() {
            Some("game") => replay.game(&entry)?,
            Some("step") => {
                replay.step(&entry)?;
                steps += 1;
            }
            Some("end") => replay.end(&entry)?,
            _ => return replay.differs("unknown kind of entry".to_owned()),
        }
    }
    Ok(steps)
}

struct Replay<'m, M: Machine> {
    machine: &'m M,
    position: M::Position,
    game_match: u64,
    step: u64,
}

impl<M: Machine> Replay<'_, M> {
    fn differs<T>(&self, reason: String) -> Result<T, Difference> {
        Err(Difference { game_match: self.game_match, step: self.step, reason })
    }

    fn game(&mut self, entry: &Value) -> Result<(), Difference> {
        let roles = strings(&entry["roles"]);
        if roles != self.machine.role_names() {
            let ours = self.machine.role_names();
            return self.differs(format!("roles are {ours:?}, recorded {roles:?}"));
        }
        self.compare_list("the first position", self.machine.facts(&self.position), |digest| {
            (entry["init_count"].as_u64(), entry["init_sha256"].as_str() == Some(digest))
        })
    }

    fn step(&mut self, entry: &Value) -> Result<(), Difference> {
        self.step = entry["step"].as_u64().unwrap_or(0);
        if self.step == 0 {
            self.game_match = entry["match"].as_u64().unwrap_or(0);
            self.position = self.machine.first_position();
        }
        if self.machine.is_terminal(&self.position) {
            return self.differs("the game is over, recorded as going on".to_owned());
        }
        for (role, name) in self.machine.role_names().iter().enumerate() {
            self.compare_legal(role, name, &entry["legal"][name.as_str()])?;
        }
        let joint = strings(&entry["joint"]);
        let texts: Vec<&str> = joint.iter().map(String::as_str).collect();
        if !self.machine.advance(&mut self.position, &texts) {
            return self.differs(format!("the joint move {joint:?} is refused"));
        }
        self.compare_list("the next position", self.machine.facts(&self.position), |digest| {
            (entry["next_count"].as_u64(), entry["next_sha256"].as_str() == Some(digest))
        })
    }

    fn compare_legal(&self, role: usize, name: &str, recorded: &Value) -> Result<(), Difference> {
        let ours = self.machine.legal_moves(&self.position, role);
        let what = format!("the legal moves of {name}");
        match recorded.as_array() {
            None => self.compare_list(&what, ours, |digest| {
                (recorded["count"].as_u64(), recorded["sha256"].as_str() == Some(digest))
            }),
            Some(_) => {
                let mut theirs = strings(recorded);
                let mut ours = ours;
                theirs.sort();
                ours.sort();
                if ours == theirs {
                    return Ok(());
                }
                let missing = theirs.iter().filter(|text| !ours.contains(text)).take(3);
                let extra = ours.iter().filter(|text| !theirs.contains(text)).take(3);
                let (missing, extra): (Vec<_>, Vec<_>) = (missing.collect(), extra.collect());
                self.differs(format!("{what}: missing {missing:?}, not recorded {extra:?}"))
            }
        }
    }

    /// Compares a list with a recorded count and digest, which `recorded` gives and tests.
    fn compare_list(
        &self,
        what: &str,
        mut ours: Vec<String>,
        recorded: impl Fn(&str) -> (Option<u64>, bool),
    ) -> Result<(), Difference> {
        ours.sort();
        let digest = digest(&ours);
        let (count, same) = recorded(&digest);
        if count != Some(ours.len() as u64) {
            let count = count.map_or("nothing".to_owned(), |count| count.to_string());
            return self.differs(format!("{what}: {} items, recorded {count}", ours.len()));
        }
        match same {
            true => Ok(()),
            false => self.differs(format!("{what}: as many items as recorded, but others")),
        }
    }

    fn end(&mut self, entry: &Value) -> Result<(), Difference> {
        if entry["steps"].as_u64() == Some(0) {
            self.position = self.machine.first_position();
        }
        let terminal = self.machine.is_terminal(&self.position);
        if entry["terminal"].as_bool() != Some(terminal) {
            return self.differs(format!("terminal is {terminal}"));
        }
        for (role, name) in self.machine.role_names().iter().enumerate() {
            let mut theirs = strings(&entry["goals"][name.as_str()]);
            let mut ours = self.machine.goal_values(&self.position, role);
            theirs.sort();
            ours.sort();
            if ours != theirs {
                return self.differs(format!("goals of {name}: {ours:?}, recorded {theirs:?}"));
            }
        }
        Ok(())
    }
}

fn strings(value: &Value) -> Vec<String> {
    let text = |item: &Value| match item {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    value.as_array().map(|items| items.iter().map(text).collect()).unwrap_or_default()
}

/// SHA-256 of the items joined by newlines, in hexadecimal.
fn digest(items: &[String]) -> String {
    let mut hasher = Sha256::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            hasher.update(b"\n");
        }
        hasher.update(item.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
