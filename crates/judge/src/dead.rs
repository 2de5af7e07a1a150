//! What is never used: pieces, sites, and rules without which all games would have gone the same way.
//!
//! A rule is tried by taking it out: the remaining rules play the recorded games through again, and where every turn,
//! every number of legal moves and every result is as before, the rule did nothing in those games.

use ludex_arena::stats::Tally;
use ludex_game::geometry::ContainerKind;
use ludex_game::{Game, State, Trial, Turn};
use ludex_lang::lud::table::Type;
use std::ops::Range;

use crate::observe::Counted;
use crate::random;
use crate::sheet::{Holds, Sheet, compile_plainly};

/// Parts of the rules that are tried at most.
const MOST_TRIED: usize = 60;
/// Plies played through again with each part missing: few at first, more for those that seem dead.
const FIRST_PLIES: usize = 600;
const ALL_PLIES: usize = 6_000;

/// Kinds of ludeme that are rules: what may be done, what follows, when it ends.
const RULES: [&str; 8] = ["moves", "bool", "endrule", "Then", "Apply", "metarule", "Meta", "Phase"];

/// A rule that changed nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadRule {
    /// As it is written.
    pub text: String,
    /// Games that went the same way without it.
    pub games: u64,
}

/// What came of looking for dead rules.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Rules without which nothing changed, outermost first.
    pub dead: Vec<DeadRule>,
    /// How many rules were tried, and how many of them did something.
    pub live: Tally,
}

/// Random games that rules are tried on.
const GAMES: u64 = 24;

/// Tries the rules of a game on random games of it. Both forms of the rules are played by the general evaluator: it is
/// ready soonest, and two machines are one more thing that could differ.
pub fn rules(sheet: &Sheet, seed: u64) -> Findings {
    let mut found = Findings::default();
    let Some(game) = compile_plainly(&sheet.text) else { return found };
    let games = &random::records(&*game, seed, GAMES)[..];
    let game = &*game;
    let mut dead_ranges: Vec<Range<usize>> = Vec::new();
    for (range, rest) in parts(sheet).into_iter().take(MOST_TRIED) {
        let inside = |outer: &Range<usize>| outer.start <= range.start && range.end <= outer.end;
        if dead_ranges.iter().any(inside) {
            continue;
        }
        // What cannot be left out is needed by the description itself.
        let Some(without) = compile_plainly(&rest) else { continue };
        let same = same_games(game, &*without, games, FIRST_PLIES)
            .and_then(|_| same_games(game, &*without, games, ALL_PLIES));
        found.live.add(f64::from(u8::from(same.is_none())));
        if let Some(games) = same {
            let text = shortened(&sheet.shown(range.clone()));
            found.dead.push(DeadRule { text, games });
            dead_ranges.push(range);
        }
    }
    found
}

/// The parts that may be left out, each with the description that remains.
fn parts(sheet: &Sheet) -> Vec<(Range<usize>, String)> {
    let mut parts = Vec::new();
    for (index, spot) in sheet.spots.iter().enumerate() {
        let Type::Kind(kind, _) = spot.takes else { continue };
        if !matches!(spot.holds, Holds::Call(_)) || !RULES.contains(&kind) {
            continue;
        }
        if spot.optional {
            parts.push((spot.range.clone(), sheet.without(spot)));
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
            let kept = sheet.text[sibling.range.clone()].to_string();
            parts.push((spot.range.clone(), sheet.replaced(outer.range.clone(), &kept)));
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
fn same_games(a: &dyn Game, b: &dyn Game, games: &[Trial], plies: usize) -> Option<u64> {
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

/// Kinds of piece that never stand anywhere, or stand without ever being moved, taken or changed.
pub fn pieces(game: &dyn Game, counted: &Counted) -> Vec<String> {
    let Some(geometry) = game.geometry() else { return Vec::new() };
    let dead = |kind: &usize| counted.stirred.get(*kind).is_none_or(|times| *times == 0);
    let names =
        (0..geometry.kinds.len()).filter(dead).map(|kind| geometry.kinds[kind].name.clone());
    if counted.positions == 0 { Vec::new() } else { names.collect() }
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
