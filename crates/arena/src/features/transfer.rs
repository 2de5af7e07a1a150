//! Features carried over from one game to another: what has a place there, and how alike rules are.

use super::file::FeatureFile;
use crate::ArenaError;
use crate::catalog::{self, GameSpec, Places};
use ludex_game::features::{FeatureError, Ground, instances};
use ludex_game::{Game, Geometry};
use ludex_lang::features::{Feature, Notation, Spatial, Test};
use ludex_play::features::{FeatureSet, Weighted, pattern};
use std::collections::BTreeMap;

/// What was carried over, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// The features that have a place in the other game.
    pub set: FeatureSet,
    /// The others, each with the reason.
    pub left: Vec<String>,
}

/// Carries features over to a game. Pieces and regions are found again by their names and owners; patterns that
/// ask for what the other game has not stay behind, and so do those that fit nowhere on its board.
pub fn carry(set: &FeatureSet, from: Option<&dyn Game>, to: &dyn Game) -> Carried {
    let mut carried = Carried::default();
    let Some(geometry) = to.geometry() else {
        carried.left.push("all: the game shows no board".to_string());
        return carried;
    };
    let players = to.info().players;
    let ground = Ground::new(geometry, players);
    let names = from.and_then(|game| game.geometry());
    carried.set.reading = set.reading;
    // Whoever has no set of his own goes by the last one.
    let count = set.players.len().min(players);
    for (player, own) in set.players[..count].iter().enumerate() {
        let mut kept = Weighted::default();
        for (feature, &weight) in own.features.iter().zip(&own.weights) {
            match place_of(feature, names, geometry, &ground, player as u32 + 1, set) {
                Ok(feature) => {
                    kept.features.push(feature);
                    kept.weights.push(weight);
                }
                Err(reason) => {
                    carried.left.push(format!("{}: {reason}", feature.write(Notation::Ludii)))
                }
            }
        }
        carried.set.players.push(kept);
    }
    carried
}

/// A feature as the other game has it.
fn place_of(
    feature: &Feature,
    from: Option<&Geometry>,
    to: &Geometry,
    ground: &Ground,
    player: u32,
    set: &FeatureSet,
) -> Result<Feature, String> {
    let Feature::Spatial(spatial) = feature else { return Ok(feature.clone()) };
    let spatial = renamed(spatial, from, to)?;
    let asked = pattern(&spatial);
    if asked.is_absolute() {
        return Err("it is about certain sites of one board".to_string());
    }
    let mut found = false;
    let anchors = 0..ground.len() as u32;
    match instances(ground, &asked, player, set.reading, anchors, |_| found = true) {
        Ok(()) if found => Ok(Feature::Spatial(spatial)),
        Ok(()) => Err("it fits nowhere on the board".to_string()),
        Err(error @ FeatureError::NoRegion { .. }) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// The feature with the other game's numbers of pieces and regions.
fn renamed(feature: &Spatial, from: Option<&Geometry>, to: &Geometry) -> Result<Spatial, String> {
    let mut feature = feature.clone();
    for element in &mut feature.pattern.elements {
        element.test = match element.test {
            Test::Item(n) => Test::Item(piece(n, from, to)?),
            Test::SeesOrthogonally(n) => Test::SeesOrthogonally(piece(n, from, to)?),
            Test::SeesDiagonally(n) => Test::SeesDiagonally(piece(n, from, to)?),
            Test::Nearer(n) => Test::Nearer(region(n, from, to)?),
            other => other,
        };
    }
    Ok(feature)
}

fn piece(number: u32, from: Option<&Geometry>, to: &Geometry) -> Result<u32, String> {
    let known = from.and_then(|from| from.kinds.get((number as usize).wrapping_sub(1)));
    let Some(known) = known else { return Err(format!("nothing is known of piece {number}")) };
    let same =
        to.kinds.iter().position(|kind| (&kind.name, kind.owner) == (&known.name, known.owner));
    let alone =
        |geometry: &Geometry| geometry.kinds.iter().filter(|k| k.owner == known.owner).count() == 1;
    // The only kind of a player is the only kind of the same player there.
    let only = || {
        let both = from.is_some_and(alone) && alone(to);
        to.kinds.iter().position(|kind| kind.owner == known.owner).filter(|_| both)
    };
    let found = same.or_else(only);
    found.map(|at| at as u32 + 1).ok_or_else(|| format!("the game has no {}", known.name))
}

fn region(number: u32, from: Option<&Geometry>, to: &Geometry) -> Result<u32, String> {
    let known = from.and_then(|from| from.regions.get(number as usize));
    let Some(known) = known else { return Err(format!("nothing is known of region {number}")) };
    let same = |region: &&ludex_game::geometry::Region| {
        (&region.name, region.owner) == (&known.name, known.owner) && region.sites.is_some()
    };
    let found = to.regions.iter().enumerate().find(|(_, region)| same(region));
    found.map(|(at, _)| at as u32).ok_or_else(|| match known.name.is_empty() {
        true => format!("the game has no region like region {number}"),
        false => format!("the game has no region {}", known.name),
    })
}

/// How alike the rules of the game of a file and of another game are, from nought to one: the ludemes that both
/// have, each as often as both have it, beside all that either has.
pub fn likeness(file: &FeatureFile, other: &GameSpec) -> Result<f64, ArenaError> {
    let own = GameSpec { options: file.options.clone(), ..GameSpec::named(file.game.clone()) };
    let (Some(a), Some(b)) = (ludemes(&own)?, ludemes(other)?) else { return Ok(0.0) };
    let (mut common, mut all) = (0.0, 0.0);
    for word in a.keys().chain(b.keys().filter(|word| !a.contains_key(*word))) {
        let count =
            |words: &BTreeMap<String, u32>| f64::from(words.get(word).copied().unwrap_or(0)).sqrt();
        // What the game is won by says more than what it is played with.
        let weight = if word.contains(' ') { 3.0 } else { 1.0 };
        common += weight * count(&a).min(count(&b));
        all += weight * count(&a).max(count(&b));
    }
    Ok(if all > 0.0 { common / all } else { 0.0 })
}

/// The ludemes of a description, each with its first word (`is Line`, `move Step`); nothing where there is none.
fn ludemes(spec: &GameSpec) -> Result<Option<BTreeMap<String, u32>>, ArenaError> {
    // Games written in Rust have a description as well.
    let described =
        GameSpec { name: format!("{}.lud", spec.name.trim_end_matches(".lud")), ..spec.clone() };
    let text = catalog::ludeme_text(&described, Places::here());
    let Ok(Some(text)) = text else { return Ok(None) };
    let rules = text.find("(rules").map_or(&text[..], |at| &text[at..]);
    let mut found = BTreeMap::new();
    for part in rules.split('(').skip(1) {
        let mut words =
            part.split(|c: char| !(c.is_alphanumeric() || c == ':')).filter(|w| !w.is_empty());
        let Some(name) = words.next() else { continue };
        *found.entry(name.to_string()).or_insert(0) += 1;
        if let Some(kind) = words.next().filter(|word| word.starts_with(char::is_uppercase)) {
            *found.entry(format!("{name} {kind}")).or_insert(0) += 1;
        }
    }
    Ok(Some(found))
}
