//! Reading a folder of recorded features: boards, sets, walks, instances, positions.

use crate::ArenaError;
use crate::ludemes::library::read_text;
use ludex_game::features::{Ask, MoveEnds};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::{read_set, read_weights};
use ludex_play::features::Weighted;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// A board as it was recorded.
#[derive(Debug, Deserialize)]
pub(super) struct Board {
    pub key: String,
    pub lud: String,
    pub players: u32,
    pub num_sites: usize,
    pub connectivities: Vec<usize>,
    /// Names of pieces; the first stands for an empty site.
    pub components: Vec<String>,
    pub orthos: Vec<Vec<i64>>,
    pub regions: Vec<Region>,
}

/// A region as it was recorded.
#[derive(Debug, Deserialize)]
pub(super) struct Region {
    pub name: String,
    pub dist: Option<Vec<u32>>,
}

/// Where a walk leads: by site, reflection and rotation.
#[derive(Debug, Deserialize)]
pub(super) struct Walk {
    pub walk: String,
    pub dest: Vec<Vec<Vec<i64>>>,
}

/// Instances of a feature.
#[derive(Debug, Deserialize)]
pub(super) struct Instances {
    pub feature: String,
    pub player: u32,
    pub anchors: String,
    pub instances: Vec<Value>,
}

/// A position with what holds for each of its moves.
#[derive(Debug, Deserialize)]
pub(super) struct Position {
    pub ply: usize,
    pub what: Vec<u32>,
    pub who: Vec<u32>,
    pub mover: u32,
    pub last: (i64, i64),
    pub legal: u64,
    pub moves: Vec<Value>,
}

/// Moves with the same ends.
pub(super) struct Moves {
    pub ends: MoveEnds<Option<u32>>,
    pub count: u64,
    pub active: Vec<u32>,
    /// What holds where patterns are looked for from every site, if that is something else.
    pub anywhere: Option<Vec<u32>>,
    pub probability: f64,
}

impl Position {
    /// A word of the sites that fulfil what is asked.
    pub(super) fn set(&self, ask: Ask, word: usize) -> u64 {
        let sites = self.who.iter().zip(&self.what).skip(64 * word).take(64).enumerate();
        let holds = sites.filter(|(_, (who, what))| ask.holds(**who, **what));
        holds.fold(0, |set, (bit, _)| set | 1 << bit)
    }

    /// The moves, or nothing where the record is no such list.
    pub(super) fn moves(&self) -> Option<Vec<Moves>> {
        let last = (site(self.last.0), site(self.last.1));
        self.moves.iter().map(|entry| read_moves(entry, last)).collect()
    }
}

fn read_moves(entry: &Value, last: (Option<u32>, Option<u32>)) -> Option<Moves> {
    let entry = entry.as_array()?;
    let (from, to) = (site(entry.first()?.as_i64()?), site(entry.get(1)?.as_i64()?));
    let extras = &entry[5.min(entry.len())..];
    let pass = extras.iter().any(|extra| extra == "pass");
    let anywhere = extras.iter().find_map(|extra| extra.get("any")).map(numbers);
    Some(Moves {
        ends: MoveEnds {
            last_from: last.0,
            last_to: last.1,
            from: from.filter(|_| from != to && !pass),
            to: to.filter(|_| !pass),
        },
        count: entry.get(2)?.as_u64()?,
        active: numbers(entry.get(3)?)?,
        anywhere: match anywhere {
            Some(list) => Some(list?),
            None => None,
        },
        probability: entry.get(4)?.as_f64()?,
    })
}

/// A site; minus one stands for none.
pub(super) fn site(number: i64) -> Option<u32> {
    u32::try_from(number).ok()
}

pub(super) fn numbers(list: &Value) -> Option<Vec<u32>> {
    list.as_array()?.iter().map(|n| n.as_u64().map(|n| n as u32)).collect()
}

/// Reads a file of one JSON object.
pub(super) fn read_json<T: for<'d> Deserialize<'d>>(path: &Path) -> Result<T, ArenaError> {
    let wrong = |error| ArenaError::Rules(format!("{}: {error}", path.display()));
    serde_json::from_str(&read_text(path)?).map_err(wrong)
}

/// Reads a file of one JSON object a line; a file that is not there has none.
pub(super) fn read_lines<T: for<'d> Deserialize<'d>>(path: &Path) -> Result<Vec<T>, ArenaError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let wrong = |error| ArenaError::Rules(format!("{}: {error}", path.display()));
    let text = read_text(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(wrong)).collect()
}

/// The features of a player (from 1) and their weights, or nothing where he has none.
pub(super) fn read_player(
    folder: &Path,
    key: &str,
    player: u32,
) -> Result<Option<Weighted>, ArenaError> {
    let file = |end: &str| folder.join(format!("sets/{key}.P{player}.{end}"));
    if !file("fs").exists() {
        return Ok(None);
    }
    let (features, weights) = (read_text(&file("fs"))?, read_text(&file("weights"))?);
    let explain = |fault: ludex_lang::diagnostic::Diagnostic, text: &str, name: &str| {
        ArenaError::Rules(fault.to_text(|_| text, |_| name))
    };
    let entries = read_set(&features, SourceId(0))
        .map_err(|fault| explain(fault, &features, &file("fs").display().to_string()))?;
    let weights = read_weights(&weights, SourceId(0))
        .map_err(|fault| explain(fault, &weights, &file("weights").display().to_string()))?;
    let features = entries.into_iter().map(|entry| entry.feature).collect();
    Ok(Some(Weighted { features, weights: weights.weights }))
}
