//! What is never used: pieces, sites, and rules without which all games would have gone the same way.
//!
//! A rule is tried by taking it out wherever it stands: the remaining rules play the recorded games through again, and
//! where every turn, every number of legal moves and every result is as before, the rule did nothing in those games.
//! Either it never came to bear or others say the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use cpu_time::ThreadTime;
use ludex_game::geometry::ContainerKind;
use ludex_game::{Game, Geometry, State, Trial, Turn};
use ludex_lang::lud::table::Type;
use serde::{Deserialize, Serialize};

use crate::observe::Counted;
use crate::sheet::{Holds, Sheet, compile_plainly};
use crate::work::Hands;
use crate::{JudgeError, random};

/// Plies played through again with each part missing: few at first, more for those that seem dead.
const FIRST_PLIES: usize = 600;
const ALL_PLIES: usize = 6_000;
/// Random games that rules are tried on.
const GAMES: u64 = 24;

/// Kinds of ludeme that are rules: what may be done, what follows, when it ends.
const RULES: [&str; 8] = ["moves", "bool", "endrule", "Then", "Apply", "metarule", "Meta", "Phase"];

/// A rule that changed nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeadRule {
    /// As it is written.
    pub text: String,
    /// Games that went the same way without it.
    pub games: u64,
}

/// What came of looking for dead rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Rules without which nothing changed, none inside another.
    pub dead: Vec<DeadRule>,
    /// Rules that were tried, or that the description needs.
    pub tried: u64,
    /// Rules for which there was no time.
    pub untried: u64,
    /// Games they were tried on.
    pub games: u64,
}

/// A part of the rules that may be left out, and what then stands in its place.
#[derive(Clone, Debug)]
struct Part {
    range: Range<usize>,
    cut: Range<usize>,
    rest: String,
}

/// What leaving out a part does.
enum Without {
    /// There was no time to see.
    Unknown,
    /// The description needs it, or games went another way.
    Alive,
    /// So many games went the same way.
    Same(u64),
}

/// Tries the rules of a game on random games of it, about as long as `time` on each thread. Both forms of the rules are
/// played by the general evaluator: it is ready soonest, and two machines are one more thing that could differ.
pub fn rules(
    sheet: &Sheet,
    seed: u64,
    hands: Hands,
    time: Duration,
) -> Result<Findings, JudgeError> {
    let mut found = Findings::default();
    let Some(game) = compile_plainly(&sheet.text) else { return Ok(found) };
    let games = &random::records(&*game, seed, GAMES, ALL_PLIES, time / 4)[..];
    let (game, rules) = (&*game, by_text(sheet));
    let outcomes = hands.each(rules.len(), |number| {
        if ThreadTime::now().as_duration() >= time {
            return Without::Unknown;
        }
        let Some(without) = compile_plainly(&left_out(sheet, &rules[number].1)) else {
            return Without::Alive;
        };
        let same = same_games(game, &*without, games, FIRST_PLIES)
            .and_then(|_| same_games(game, &*without, games, ALL_PLIES));
        same.map_or(Without::Alive, Without::Same)
    })?;
    found.games = games.len() as u64;
    let mut dead: Vec<&Part> = Vec::new();
    for ((text, parts), outcome) in rules.iter().zip(outcomes) {
        match outcome {
            Without::Unknown => found.untried += 1,
            Without::Alive => found.tried += 1,
            Without::Same(games) => {
                found.tried += 1;
                let inside =
                    |part: &Part| dead.iter().any(|outer| holds(&outer.range, &part.range));
                if !parts.iter().all(inside) {
                    found.dead.push(DeadRule { text: shortened(text), games });
                    dead.extend(parts);
                }
            }
        }
    }
    Ok(found)
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The rules that may be left out, each with all its places: a rule that a define writes into several is one rule.
fn by_text(sheet: &Sheet) -> Vec<(String, Vec<Part>)> {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut rules: Vec<(String, Vec<Part>)> = Vec::new();
    for part in parts(sheet) {
        let text = sheet.shown(part.range.clone());
        let at = *order.entry(text.clone()).or_insert_with(|| {
            rules.push((text, Vec::new()));
            rules.len() - 1
        });
        rules[at].1.push(part);
    }
    rules
}

/// The description without a rule in any of its places.
fn left_out(sheet: &Sheet, parts: &[Part]) -> String {
    let mut parts: Vec<&Part> = parts.iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.cut.start));
    let (mut text, mut end) = (sheet.text.clone(), usize::MAX);
    for part in parts {
        // Two alternatives that read the same: one of them stays.
        if part.cut.end <= end {
            text.replace_range(part.cut.clone(), &part.rest);
            end = part.cut.start;
        }
    }
    text
}

/// The parts that may be left out.
fn parts(sheet: &Sheet) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, spot) in sheet.spots.iter().enumerate() {
        let Type::Kind(kind, _) = spot.takes else { continue };
        if !matches!(spot.holds, Holds::Call(_)) || !RULES.contains(&kind) {
            continue;
        }
        let range = spot.range.clone();
        if spot.optional {
            parts.push(Part { range, cut: sheet.extent(spot), rest: String::new() });
            continue;
        }
        // One of two alternatives, such as the arguments of `or`: the other stands for both.
        let outer = sheet.spots[..index]
            .iter()
            .rev()
            .find(|outer| outer.range.start < spot.range.start && spot.range.end < outer.range.end);
        let siblings = sheet.spots.iter().filter(|other| {
            other.parent == spot.parent
                && other.takes == spot.takes
                && other.range != spot.range
                && outer.is_some_and(|outer| {
                    outer.range.start < other.range.start && other.range.end < outer.range.end
                })
        });
        let siblings: Vec<_> = siblings.collect();
        if let (Some(outer), [sibling]) = (outer, &siblings[..])
            && outer.takes == spot.takes
        {
            let rest = sheet.text[sibling.range.clone()].to_string();
            parts.push(Part { range, cut: outer.range.clone(), rest });
        }
    }
    parts
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(90) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// How many recorded games go the same way in two rule sets; nothing where one does not.
pub fn same_games(a: &dyn Game, b: &dyn Game, games: &[Trial], plies: usize) -> Option<u64> {
    let (mut left, mut same) = (plies, 0);
    for trial in games {
        if left == 0 {
            break;
        }
        left -= same_game(a, b, trial, left)?;
        same += 1;
    }
    Some(same)
}

/// Plays a recorded game through in both; the number of plies, or nothing where they differ.
fn same_game(a: &dyn Game, b: &dyn Game, trial: &Trial, plies: usize) -> Option<usize> {
    let (mut ours, mut theirs) = (a.start(), b.start());
    let mut lines = trial.moves.iter();
    let (mut mine, mut other) = (Vec::new(), Vec::new());
    for ply in 0..plies {
        if !same_turn(a, b, &ours, &theirs) {
            return None;
        }
        mine.clear();
        other.clear();
        match a.turn(&ours) {
            Turn::Over => return Some(ply),
            Turn::Chance => {
                let Some((_, text)) = lines.next() else { return Some(ply) };
                mine.push(a.parse_chance(&ours, text)?);
                other.push(b.parse_chance(&theirs, text)?);
            }
            Turn::Players(players) => {
                for player in players {
                    let Some((_, text)) = lines.next() else { return Some(ply) };
                    mine.push(a.parse_move(&ours, player, text).ok()?);
                    other.push(b.parse_move(&theirs, player, text).ok()?);
                }
            }
        }
        a.apply(&mut ours, &mine);
        b.apply(&mut theirs, &other);
    }
    Some(plies)
}

fn same_turn(a: &dyn Game, b: &dyn Game, ours: &State, theirs: &State) -> bool {
    let (turn, players) = (a.turn(ours), a.info().players);
    if turn != b.turn(theirs) || players != b.info().players {
        return false;
    }
    match turn {
        Turn::Over => {
            let (mut mine, mut other) = (vec![0.0; players], vec![0.0; players]);
            a.payoffs(ours, &mut mine);
            b.payoffs(theirs, &mut other);
            mine == other
        }
        Turn::Chance => true,
        Turn::Players(movers) => movers.into_iter().all(|player| {
            let (mut mine, mut other) = (Vec::new(), Vec::new());
            a.moves(ours, player, &mut mine);
            b.moves(theirs, player, &mut other);
            mine.len() == other.len()
        }),
    }
}

/// Kinds of piece that never stand anywhere, or stand without ever being moved, taken or changed. Dice are thrown.
pub fn pieces(game: &dyn Game, counted: &Counted) -> Vec<String> {
    let Some(geometry) = game.geometry() else { return Vec::new() };
    let dead = |kind: &usize| {
        counted.stirred.get(*kind).is_none_or(|times| *times == 0)
            && !is_die(geometry, &geometry.kinds[*kind].name)
    };
    let names =
        (0..geometry.kinds.len()).filter(dead).map(|kind| geometry.kinds[kind].name.clone());
    if counted.positions == 0 { Vec::new() } else { names.collect() }
}

/// Dice are kinds of piece by the name of `Die` and a number.
fn is_die(geometry: &Geometry, name: &str) -> bool {
    let number = name.strip_prefix("Die").and_then(|number| number.parse::<u32>().ok());
    let dice = || geometry.containers.iter().any(|one| one.kind == ContainerKind::Dice);
    number.is_some() && dice()
}

/// Sites of the board that never held anything and that no move ended on.
pub fn sites(game: &dyn Game, counted: &Counted) -> Vec<String> {
    let Some(geometry) = game.geometry() else { return Vec::new() };
    let own = geometry.sites.first().map(|site| site.element);
    let unused = |list: &[u64], site: usize| list.get(site).is_none_or(|times| *times == 0);
    let dead = |site: &usize| {
        let place = &geometry.sites[*site];
        let container = geometry.containers.get(place.container as usize);
        container.is_some_and(|container| container.kind == ContainerKind::Board)
            && Some(place.element) == own
            && unused(&counted.occupied, *site)
            && unused(&counted.visited, *site)
    };
    let names = (0..geometry.len()).filter(dead).map(|site| geometry.sites[site].label.clone());
    if counted.positions == 0 { Vec::new() } else { names.collect() }
}
