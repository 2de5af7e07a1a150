//! Files of policies learned for opening positions.
//!
//! A first line names the format, a second says in JSON what was learned and how, then come the
//! positions' hashes and weights in binary. A file that was learned for something else is refused.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use ludex_game::Game;
use ludex_play::openings::Openings;
use ludex_play::spec::{AgentSpec, SearchSpec};
use serde::{Deserialize, Serialize};

use crate::ArenaError;
use crate::catalog::RulesKey;
use crate::engine::PlayerSpec;

const MAGIC: &[u8] = b"ludex openings 1\n";

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Header {
    game: String,
    /// The key of the game's rules; empty in files of earlier versions.
    #[serde(default)]
    rules: String,
    policy: String,
    simulations: u64,
    positions: usize,
    /// Weights for each position.
    weights: usize,
}

/// Writes what was learned about a game by a policy; the file is replaced whole or not at all.
pub fn write_openings(
    path: &Path,
    (game, rules): (&str, &RulesKey),
    policy: &str,
    simulations: u64,
    openings: &Openings,
) -> Result<(), ArenaError> {
    let entries = openings.entries();
    let weights = entries.first().map_or(0, |(_, weights)| weights.len());
    let (game, rules, policy) = (game.to_string(), rules.to_string(), policy.to_string());
    let header = Header { game, rules, policy, simulations, positions: entries.len(), weights };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(serde_json::to_string(&header).expect("a header has a JSON form").bytes());
    bytes.push(b'\n');
    for (position, weights) in entries {
        bytes.extend(position.to_le_bytes());
        bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
    }
    let fault = |source| ArenaError::File { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(fault)?;
    }
    let draft = path.with_extension("part");
    let mut file = std::fs::File::create(&draft).map_err(fault)?;
    file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(fault)?;
    std::fs::rename(&draft, path).map_err(fault)
}

/// Reads what was learned about a game by a policy.
pub fn read_openings(
    path: &Path,
    (game, rules): (&str, &RulesKey),
    policy: &str,
) -> Result<Openings, ArenaError> {
    let bytes = std::fs::read(path)
        .map_err(|source| ArenaError::File { path: path.to_path_buf(), source })?;
    let refuse = |reason: &str| ArenaError::Openings { path: path.into(), reason: reason.into() };
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| refuse("not a file of learned openings"))?;
    let end = rest.iter().position(|&byte| byte == b'\n');
    let (header, data) = rest.split_at(end.ok_or_else(|| refuse("the file is cut short"))?);
    let header: Header =
        serde_json::from_slice(header).map_err(|_| refuse("the header cannot be read"))?;
    if header.game != game || header.policy != policy {
        let reason =
            format!("learned for {} by {}, not for {game} by {policy}", header.game, header.policy);
        return Err(refuse(&reason));
    }
    if !header.rules.is_empty() && header.rules != rules.to_string() {
        let reason = format!("learned for other rules of {game}; remove it to learn anew");
        return Err(refuse(&reason));
    }
    let (data, size) = (&data[1..], header.weights.checked_mul(4).and_then(|w| w.checked_add(8)));
    if size.and_then(|size| size.checked_mul(header.positions)) != Some(data.len()) {
        return Err(refuse("the file is cut short"));
    }
    let mut openings = Openings::default();
    for entry in data.chunks_exact(header.weights * 4 + 8) {
        let (position, weights) = entry.split_at(8);
        let weights = weights.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let position = u64::from_le_bytes(position.try_into().expect("eight bytes"));
        openings.insert(position, weights.collect());
    }
    Ok(openings)
}

/// Finds the openings that agents ask for: read once, learned where an experiment says how long.
pub(super) struct Library<'a> {
    /// Where relative paths begin.
    pub folder: &'a Path,
    pub simulations: Option<u64>,
    pub seed: u64,
    pub found: HashMap<(String, String), Arc<Openings>>,
}

impl Library<'_> {
    /// The openings of an agent in a game, if its spec names any.
    pub fn get(
        &mut self,
        spec: &PlayerSpec,
        name: &str,
        game: &Arc<dyn Game>,
        rules: &RulesKey,
        learned: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<Arc<Openings>>, ArenaError> {
        let PlayerSpec::Agent(AgentSpec::Search(search)) = spec else { return Ok(None) };
        let Some(initial) = &search.initial else { return Ok(None) };
        let safe: String =
            name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let path = self.folder.join(initial.replace("{game}", &safe));
        // What was learned from fewer or more simulations is something else.
        let path = match self.simulations {
            Some(simulations) => path.with_extension(format!("{simulations}.openings")),
            None => path,
        };
        let policy = policy_text(search);
        let key = (path.to_string_lossy().into_owned(), policy.clone());
        if let Some(openings) = self.found.get(&key) {
            return Ok(Some(openings.clone()));
        }
        let openings = match self.simulations {
            Some(simulations) if !path.exists() => {
                let openings = Openings::learn(game, search, simulations, self.seed, learned);
                write_openings(&path, (name, rules), &policy, simulations, &openings)?;
                openings
            }
            _ => read_openings(&path, (name, rules), &policy)?,
        };
        let openings = Arc::new(openings);
        self.found.insert(key, openings.clone());
        Ok(Some(openings))
    }
}

/// The key of what was learned.
pub(super) fn content_key(openings: &Openings) -> RulesKey {
    let mut text = String::new();
    for (position, weights) in openings.entries() {
        let _ = write!(text, "{position:x}");
        for weight in weights {
            let _ = write!(text, " {:x}", weight.to_bits());
        }
    }
    RulesKey::of(&text)
}

/// The agent without the name of the file, which does not change what is learned.
fn policy_text(search: &SearchSpec) -> String {
    let spec = SearchSpec { initial: None, ..search.clone() };
    AgentSpec::Search(Box::new(spec)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_survive_a_file_and_strange_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/nogo.openings");
        let mut openings = Openings::default();
        openings.insert(7, vec![0.5, -1.25]);
        openings.insert(u64::MAX, vec![f32::MIN_POSITIVE, 3.0]);
        let (rules, edited) = (RulesKey::of("nogo"), RulesKey::of("nogo with a twist"));
        write_openings(&path, ("nogo", &rules), "uct + ppa", 100, &openings).unwrap();
        assert_eq!(read_openings(&path, ("nogo", &rules), "uct + ppa").unwrap(), openings);
        let refused = |result: Result<Openings, ArenaError>| result.unwrap_err().to_string();
        let other_game = read_openings(&path, ("go", &rules), "uct + ppa");
        assert!(refused(other_game).contains("learned for nogo"));
        let other_rules = read_openings(&path, ("nogo", &edited), "uct + ppa");
        assert!(refused(other_rules).contains("other rules"));
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(refused(read_openings(&path, ("nogo", &rules), "uct + ppa")).contains("cut short"));
        std::fs::write(&path, b"something else").unwrap();
        assert!(refused(read_openings(&path, ("nogo", &rules), "uct")).contains("not a file"));
    }

    #[test]
    fn a_first_search_starts_from_what_was_learned() {
        let folder = tempfile::tempdir().unwrap();
        let size = Some("4x4".parse().unwrap());
        let options = ludex_games::Options { size, ..Default::default() };
        let game = ludex_games::builtin("nogo", &options).unwrap();
        let spec: PlayerSpec = "uct(initial=\"{game}.openings\") + ppafm".parse().unwrap();
        let (simulations, found) = (Some(200), HashMap::new());
        let mut library = Library { folder: folder.path(), simulations, seed: 1, found };
        let rules = RulesKey::of("nogo");
        let mut steps = 0;
        let openings =
            library.get(&spec, "nogo", &game, &rules, &mut |_, _| steps += 1).unwrap().unwrap();
        // The start and sixteen replies.
        assert_eq!((openings.entries().len(), steps), (17, 17));
        let state = game.start();
        let weights = openings.get(game.hash(&state)).unwrap();
        assert!(weights.iter().any(|&weight| weight != 0.0));
        assert!(folder.path().join("nogo.200.openings").exists());
        let again = Library { found: HashMap::new(), ..library }
            .get(&spec, "nogo", &game, &rules, &mut |_, _| unreachable!("nothing is learned twice"))
            .unwrap()
            .unwrap();
        assert_eq!(again, openings);
    }
}
