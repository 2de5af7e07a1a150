//! Walks, instances, active features and probabilities against recorded ones, on the boards of our own games.

use super::data::{
    self, Board, Instances, Moves, Position, Walk, read_json, read_lines, read_player, site,
};
use crate::ArenaError;
use crate::ludemes::Defines;
use crate::ludemes::library::read_text;
use ludex_game::features::{
    Anchoring, Ask, Ground, Instance, Layers, MoveEnds, Pattern, Plain, Reading, Weights,
    destinations, instances,
};
use ludex_game::{Geometry, Rules};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::{Feature, Place};
use ludex_lud::Ludemes;
use ludex_play::features::{Weighted, pattern};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// Probabilities differ by no more than this.
pub const TOLERANCE: f64 = 2e-6;

/// Of features that look along lines so many instances are recorded.
const RECORDED_SIGHTS: usize = 400;

/// What came of comparing one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conformity {
    /// The game.
    pub game: String,
    /// How many things were compared: sites, destinations of walks, instances, moves.
    pub checked: u64,
    /// How many of them differ.
    pub wrong: u64,
    /// The first difference, or why nothing could be compared.
    pub reason: String,
    /// How many legal moves are among what was compared.
    pub moves: u64,
}

impl Conformity {
    /// Whether everything is as recorded.
    pub fn ok(&self) -> bool {
        self.wrong == 0 && self.reason.is_empty()
    }

    fn compare(&mut self, same: bool, difference: impl FnOnce() -> String) {
        self.checked += 1;
        if !same {
            self.wrong += 1;
            if self.reason.is_empty() {
                self.reason = difference();
            }
        }
    }
}

/// The names of the games that a folder has records of.
pub fn games(folder: &Path) -> Result<Vec<String>, ArenaError> {
    let mut files = Vec::new();
    crate::ludemes::library::files_below(&folder.join("boards"), "json", &mut files)?;
    let name = |file: &std::path::PathBuf| Some(file.file_stem()?.to_str()?.to_owned());
    Ok(files.iter().filter_map(name).collect())
}

/// Compares everything that is recorded of one game.
pub fn conform(defines: &Defines, library: &Path, folder: &Path, key: &str) -> Conformity {
    let mut found = Conformity { game: key.to_owned(), ..Conformity::default() };
    if let Err(error) = compare_all(defines, library, folder, key, &mut found) {
        found.reason = error.to_string();
    }
    found
}

fn compare_all(
    defines: &Defines,
    library: &Path,
    folder: &Path,
    key: &str,
    found: &mut Conformity,
) -> Result<(), ArenaError> {
    let board: Board = read_json(&folder.join(format!("boards/{key}.json")))?;
    let path = library.join(format!("lud/{}.lud", board.lud));
    let text = read_text(&path)?;
    let explain = |fault| ArenaError::Rules(defines.explain(&fault, &board.lud, &text));
    let compiled = defines.compile(&text, &[]).map_err(|fault| explain(*fault))?;
    let game = Ludemes::new(compiled)?;
    let Some(geometry) = game.geometry() else {
        return Err(ArenaError::Rules(format!("{} has no board", board.key)));
    };
    let ground = Ground::new(geometry, game.info().players);
    compare_board(&board, geometry, &ground, found);
    for walk in read_lines::<Walk>(&folder.join(format!("walks/{key}.jsonl")))? {
        compare_walk(&ground, &walk, found)?;
    }
    for recorded in read_lines::<Instances>(&folder.join(format!("instances/{key}.jsonl")))? {
        compare_instances(&ground, &recorded, found)?;
    }
    compare_positions(folder, key, &board, &ground, found)
}

fn compare_board(board: &Board, geometry: &Geometry, ground: &Ground, found: &mut Conformity) {
    let sites = ground.len();
    found.compare(sites == board.num_sites, || {
        format!("{sites} sites, recorded {}", board.num_sites)
    });
    let players = ground.players;
    found.compare(players == board.players, || {
        format!("{players} players, recorded {}", board.players)
    });
    let ours = ground.connectivities();
    found.compare(ours == board.connectivities, || {
        format!("sites have {ours:?} sides, recorded {:?}", board.connectivities)
    });
    for (number, recorded) in board.orthos.iter().enumerate() {
        let recorded: Vec<Option<u32>> = recorded.iter().map(|&next| site(next)).collect();
        let ours = ground.sides.get(number);
        found.compare(ours == Some(&recorded), || {
            format!("around site {number} are {ours:?}, recorded {recorded:?}")
        });
    }
    for (number, recorded) in board.regions.iter().enumerate() {
        let ours = ground.distances.get(number);
        found.compare(ours == Some(&recorded.dist), || {
            format!(
                "region {number} ({}) is {ours:?} away, recorded {:?}",
                recorded.name, recorded.dist
            )
        });
    }
    for (number, name) in board.components.iter().enumerate().skip(1) {
        let ours = geometry.kinds.get(number - 1).map(|kind| &kind.name);
        found
            .compare(ours == Some(name), || format!("piece {number} is {ours:?}, recorded {name}"));
    }
}

fn read_feature(text: &str) -> Result<Feature, ArenaError> {
    let wrong = |fault: ludex_lang::diagnostic::Diagnostic| {
        ArenaError::Rules(fault.to_text(|_| text, |_| "feature"))
    };
    Feature::read(text, SourceId(0)).map_err(wrong)
}

fn compare_walk(ground: &Ground, walk: &Walk, found: &mut Conformity) -> Result<(), ArenaError> {
    let feature = read_feature(&format!("rel:to=<{}>:pat=<els=[]>", walk.walk))?;
    let Feature::Spatial(feature) = feature else { return Ok(()) };
    let Some(Place::Walk(turns)) = feature.to else { return Ok(()) };
    let turns: Vec<f32> = turns.iter().map(|turn| turn.0).collect();
    for (anchor, by_reflection) in walk.dest.iter().enumerate().take(ground.len()) {
        for (reflection, by_rotation) in [1.0, -1.0].into_iter().zip(by_reflection) {
            let sides = by_rotation.len();
            for (number, &recorded) in by_rotation.iter().enumerate() {
                let rotation = number as f32 / sides as f32;
                let ours = destinations(
                    ground,
                    &turns,
                    anchor as u32,
                    rotation,
                    reflection,
                    Reading::Ludii,
                );
                found.compare(ours == [site(recorded)], || {
                    format!(
                        "walk {} from {anchor}, rotation {rotation}, reflection {reflection}: {ours:?}, recorded {recorded}",
                        walk.walk
                    )
                });
            }
        }
    }
    Ok(())
}

/// An instance in a form that can be compared: the place and pose, the ends, and the conditions in order.
type Plainly = (i64, i64, u32, [i64; 4], Vec<(u32, Ask)>);

fn plainly(instance: &Instance) -> Plainly {
    let number = |site: Option<u32>| site.map_or(-1, i64::from);
    let MoveEnds { last_from, last_to, from, to } = instance.ends;
    let mut conditions: Vec<(u32, Ask)> =
        instance.conditions.iter().map(|condition| (condition.site, condition.ask)).collect();
    conditions.sort_unstable();
    (
        number(instance.anchor),
        i64::from(instance.reflection),
        instance.rotation.to_bits(),
        [last_from, last_to, from, to].map(number),
        conditions,
    )
}

fn recorded_plainly(recorded: &Value) -> Option<Plainly> {
    let list = recorded.as_array()?;
    let number = |at: usize| list.get(at)?.as_i64();
    let mut conditions = Vec::new();
    for site in data::numbers(list.get(7)?)? {
        conditions.push((site, Ask::Empty));
    }
    for site in data::numbers(list.get(8)?)? {
        conditions.push((site, Ask::Occupied));
    }
    let asks: [fn(u32) -> Ask; 4] = [Ask::Owner, Ask::NotOwner, Ask::Piece, Ask::NotPiece];
    for (at, ask) in (9..).zip(asks) {
        for pair in list.get(at)?.as_array()? {
            let pair = data::numbers(pair)?;
            conditions.push((*pair.first()?, ask(*pair.get(1)?)));
        }
    }
    conditions.sort_unstable();
    let rotation = list.get(2)?.as_f64()? as f32;
    let ends = [number(3)?, number(4)?, number(5)?, number(6)?];
    Some((number(0)?, number(1)?, rotation.to_bits(), ends, conditions))
}

fn compare_instances(
    ground: &Ground,
    recorded: &Instances,
    found: &mut Conformity,
) -> Result<(), ArenaError> {
    let Feature::Spatial(feature) = read_feature(&recorded.feature)? else { return Ok(()) };
    let step = recorded.anchors.rsplit('+').next().and_then(|step| step.parse().ok());
    let anchors = (0..ground.len() as u32).step_by(step.filter(|&step| step > 0).unwrap_or(1));
    let mut ours = HashSet::new();
    let result = instances(
        ground,
        &pattern(&feature),
        recorded.player,
        Reading::Ludii,
        anchors,
        |instance| {
            ours.insert(plainly(&instance));
        },
    );
    result.map_err(|error| ArenaError::Rules(format!("{}: {error}", recorded.feature)))?;
    let text = &recorded.feature;
    let mut theirs = HashSet::new();
    for entry in &recorded.instances {
        let Some(entry) = recorded_plainly(entry) else {
            return Err(ArenaError::Rules(format!("{text}: an instance cannot be read")));
        };
        found.compare(ours.contains(&entry), || format!("{text}: no instance {entry:?}"));
        theirs.insert(entry);
    }
    let cut = text.contains("LOS") && theirs.len() >= RECORDED_SIGHTS;
    for instance in ours.iter().filter(|_| !cut) {
        if !theirs.contains(instance) {
            found.compare(false, || format!("{text}: {instance:?} is not recorded"));
        }
    }
    Ok(())
}

/// A player's features ready to be asked.
struct Known {
    set: Weighted,
    plain: Plain,
}

impl Known {
    fn new(ground: &Ground, set: Weighted, player: u32) -> Result<Self, ArenaError> {
        let patterns: Vec<Pattern> = set
            .features
            .iter()
            .map(|feature| match feature {
                Feature::Spatial(spatial) => pattern(spatial),
                _ => Pattern::default(),
            })
            .collect();
        let plain = Plain::new(ground, &patterns, player, Reading::Ludii);
        let plain = plain.map_err(|error| ArenaError::Rules(error.to_string()))?;
        Ok(Known { set, plain })
    }
}

fn compare_positions(
    folder: &Path,
    key: &str,
    board: &Board,
    ground: &Ground,
    found: &mut Conformity,
) -> Result<(), ArenaError> {
    let (mut known, mut weighed) = (Vec::new(), Vec::new());
    for player in 1..=board.players {
        let set = read_player(folder, key, player)?;
        weighed.push(set.as_ref().map(Weighted::weighed).unwrap_or_default());
        known.push(set.map(|set| Known::new(ground, set, player)).transpose()?);
    }
    let layers = Layers::new(ground, &weighed, Reading::Ludii);
    let layers = layers.map_err(|error| ArenaError::Rules(error.to_string()))?;
    let mut fast = Weights::new(&layers);
    for position in read_lines::<Position>(&folder.join(format!("positions/{key}.jsonl")))? {
        let player = (position.mover as usize).wrapping_sub(1);
        let Some(set) = known.get(player).and_then(Option::as_ref) else {
            return Err(ArenaError::Rules(format!("player {} has no features", position.mover)));
        };
        let moves = position.moves();
        let moves = moves
            .ok_or_else(|| ArenaError::Rules(format!("ply {} cannot be read", position.ply)))?;
        compare_position(set, &position, &moves, found);
        fast.see(&layers, |ask, word| position.set(ask, word));
        fast.weigh(&layers, player, site(position.last.0), site(position.last.1));
        compare_weights(set, &position, &moves, |ends| fast.of_move(&layers, player, ends), found);
    }
    Ok(())
}

fn compare_position(known: &Known, position: &Position, moves: &[Moves], found: &mut Conformity) {
    let ply = position.ply;
    let at = |site: u32| (position.who[site as usize], position.what[site as usize]);
    for entry in moves {
        let MoveEnds { from, to, .. } = entry.ends;
        let active: Vec<u32> = known.plain.active(entry.ends, Anchoring::Ends, at).collect();
        found.compare(active == entry.active, || {
            format!("ply {ply}, {from:?} to {to:?}: {active:?}, recorded {:?}", entry.active)
        });
        let anywhere: Vec<u32> = known.plain.active(entry.ends, Anchoring::Anywhere, at).collect();
        let recorded = entry.anywhere.as_ref().unwrap_or(&entry.active);
        found.compare(anywhere == *recorded, || {
            format!(
                "ply {ply}, {from:?} to {to:?}, from anywhere: {anywhere:?}, recorded {recorded:?}"
            )
        });
        found.moves += entry.count;
    }
    let count: u64 = moves.iter().map(|entry| entry.count).sum();
    found.compare(count == position.legal, || {
        format!("ply {ply}: {count} legal moves, recorded {}", position.legal)
    });
}

/// Compares what playouts go by: the weight of each move as sets find it, and the probabilities.
fn compare_weights(
    known: &Known,
    position: &Position,
    moves: &[Moves],
    weight: impl Fn(MoveEnds<Option<u32>>) -> f64,
    found: &mut Conformity,
) {
    let ply = position.ply;
    let weights: Vec<f64> = moves.iter().map(|entry| weight(entry.ends)).collect();
    for (entry, ours) in moves.iter().zip(&weights) {
        let active = entry.active.iter();
        let recorded: f64 = active.map(|&n| f64::from(known.set.weights[n as usize])).sum();
        found.compare((ours - recorded).abs() < TOLERANCE, || {
            let MoveEnds { from, to, .. } = entry.ends;
            format!("ply {ply}, {from:?} to {to:?}: weight {ours}, recorded {recorded}")
        });
    }
    let top = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = weights.iter().map(|weight| (weight - top).exp()).collect();
    let total: f64 = odds.iter().zip(moves).map(|(odds, entry)| odds * entry.count as f64).sum();
    for (odds, entry) in odds.iter().zip(moves) {
        let ours = odds / total;
        found.compare((ours - entry.probability).abs() <= TOLERANCE, || {
            format!("ply {ply}: probability {ours}, recorded {}", entry.probability)
        });
    }
}
