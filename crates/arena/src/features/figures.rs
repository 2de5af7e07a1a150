//! The figures of the paper that proposed these features, as examples that are checked: what its patterns mean on boards,
//! and what players do who go by them.

use super::explain::picture;
use super::learn::board_of;
use crate::ArenaError;
use crate::catalog::{self, GameSpec, Language, Places};
use ludex_draw::{Sign, Spot};
use ludex_game::features::{
    Anchoring, Ground, MoveEnds, Pattern, Plain, Reading, destinations, instances,
};
use ludex_game::playout::{Patterns, Sampling, Scratch, Style};
use ludex_game::{Detail, Game, Geometry, Player, Rng, SetOf, Turn, View};
use ludex_lang::diagnostic::SourceId;
use ludex_lang::features::Feature;
use ludex_play::features::{FeatureSet, Weighted, pattern};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A figure with what was found.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What the paper says or shows, what we found, and whether that is so.
    pub claims: Vec<(String, String, bool)>,
    /// Pictures, each with the name of its board.
    pub pictures: Vec<(String, String)>,
}

/// The names of all figures.
pub const FIGURES: [&str; 5] = ["knight", "bridge", "lines", "groups", "thin"];

/// Makes a figure and checks what it claims.
pub fn figure(name: &str) -> Result<Figure, ArenaError> {
    match name {
        "knight" => knight(),
        "bridge" => bridge(),
        "lines" => lines(),
        "groups" => groups(),
        "thin" => thin(),
        _ => Err(ArenaError::Rules(format!(
            "there is no figure `{name}`; there are {}",
            FIGURES.join(", ")
        ))),
    }
}

/// A game for its board: stones are placed until there are so many, and nobody wins.
fn sandbox(board: &str, stones: u32) -> Result<Arc<dyn Game>, ArenaError> {
    let text = format!(
        "(game \"Sandbox\" (players 2) (equipment {{(board {board}) (piece \"Stone\" Each)}}) \
         (rules (play (move Add (to (sites Empty)))) \
         (end {{(if (= (count Moves) {stones}) (result Mover Draw)) (if (is Full) (result Mover Draw))}})))"
    );
    let spec = GameSpec::named("sandbox");
    let found = catalog::find_in_text(&text, Language::Lud, &spec, Places::here());
    Ok(found.map_err(|error| ArenaError::Rules(error.to_string()))?.game)
}

fn geometry(game: &Arc<dyn Game>) -> Result<(Ground, &Geometry), ArenaError> {
    board_of(&**game)
}

fn read(text: &str) -> Result<Pattern, ArenaError> {
    match Feature::read(text, SourceId(0)) {
        Ok(Feature::Spatial(spatial)) => Ok(pattern(&spatial)),
        Ok(_) => Err(ArenaError::Rules(format!("{text} is no pattern"))),
        Err(fault) => Err(ArenaError::Rules(fault.to_text(|_| text, |_| "figure"))),
    }
}

fn weighted(features: &[(impl AsRef<str>, f32)]) -> Result<FeatureSet, ArenaError> {
    let mut own = Weighted::default();
    for (text, weight) in features {
        let text = text.as_ref();
        let fault = |found: ludex_lang::diagnostic::Diagnostic| {
            ArenaError::Rules(found.to_text(|_| text, |_| "figure"))
        };
        own.features.push(Feature::read(text, SourceId(0)).map_err(fault)?);
        own.weights.push(*weight);
    }
    Ok(FeatureSet { players: vec![own], reading: Reading::Paper })
}

/// Figure 3: the knight's walk on squares, and on triangles, squares and hexagons.
fn knight() -> Result<Figure, ArenaError> {
    let mut figure =
        Figure { name: "knight", title: "Figure 3: the walk {0, 0, 1/4}", ..Figure::default() };
    let walk = [0.0, 0.0, 0.25];
    let square = sandbox("(square 8)", 64)?;
    let (ground, board) = geometry(&square)?;
    let jumps = |site: u32| -> BTreeSet<u32> {
        let (row, column) = (site as i32 / 8, site as i32 % 8);
        let all = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        all.into_iter()
            .map(|(up, right)| (row + up, column + right))
            .filter(|(row, column)| (0..8).contains(row) && (0..8).contains(column))
            .map(|(row, column)| (8 * row + column) as u32)
            .collect()
    };
    // All legs of such a walk are on the board only if it does not leave it on the way.
    let same = (0..64).filter(|&site| reached(&ground, &walk, site) == jumps(site)).count();
    figure.claims.push((
        "on squares it is the move of a knight".into(),
        format!("the same squares from {same} of 64"),
        same == 64,
    ));
    let from_middle = reached(&ground, &walk, 27);
    figure.pictures.push(("square".into(), walked(board, 27, &from_middle)));
    let tiling = sandbox("(tiling T3464 3)", 64)?;
    let (ground, board) = geometry(&tiling)?;
    let split = (0..ground.len() as u32)
        .flat_map(|site| {
            let sides = ground.sides[site as usize].len();
            (0..sides).map(move |side| (site, side as f32 / sides as f32))
        })
        .filter(|&(site, turned)| {
            let to = destinations(&ground, &walk, site, turned, 1.0, Reading::Paper);
            to.iter().flatten().count() > 1
        })
        .count();
    figure.claims.push((
        "on the semi-regular 3.4.6.4 tiling the turn of 1/4 is ambiguous and is split into two"
            .into(),
        format!("{split} poses lead to more than one cell"),
        split > 0,
    ));
    let most = (0..ground.len() as u32).max_by_key(|&site| reached(&ground, &walk, site).len());
    let most = most.unwrap_or(0);
    let there = reached(&ground, &walk, most);
    figure.claims.push((
        "and the description maps to it directly".into(),
        format!("up to {} cells from one", there.len()),
        !there.is_empty(),
    ));
    figure.pictures.push(("3464".into(), walked(board, most, &there)));
    Ok(figure)
}

/// Where a walk leads from a site in all its rotations and reflections.
fn reached(ground: &Ground, walk: &[f32], site: u32) -> BTreeSet<u32> {
    let sides = ground.sides[site as usize].len();
    let mut found = BTreeSet::new();
    for side in 0..sides {
        for reflection in [1.0, -1.0] {
            let turned = side as f32 / sides as f32;
            let to = destinations(ground, walk, site, turned, reflection, Reading::Paper);
            found.extend(to.into_iter().flatten());
        }
    }
    found
}

fn walked(geometry: &Geometry, from: u32, to: &BTreeSet<u32>) -> String {
    let mut signs = vec![(Spot::On(from), Sign::Friend)];
    signs.extend(to.iter().map(|&site| (Spot::On(site), Sign::Plus)));
    ludex_draw::pattern(geometry, &signs)
}

/// Two disjoint steps away from a friend, and the answer to whoever cuts between (Figures 1 and 4).
const DISJOINT: &str = ".{} .{1/6} .{-1/6} o{1/6, -1/6} -> to {}";
const BRIDGE: &str = ".{} o{0} o{1/3} -> to {} after to {0, 1/3}";

fn bridge() -> Result<Figure, ArenaError> {
    let mut figure = Figure {
        name: "bridge",
        title: "Figures 1 and 4: bridges in Hex, made and completed",
        ..Figure::default()
    };
    for (name, board) in [("hexagonal", "(hex Diamond 7)"), ("square", "(square 7)")] {
        let game = sandbox(board, 49)?;
        let (ground, geometry) = geometry(&game)?;
        for (what, text) in [("made", DISJOINT), ("completed", BRIDGE)] {
            let asked = read(text)?;
            if let Some(drawn) = picture(geometry, &ground, &asked, 1, Reading::Paper, 1.0) {
                figure.pictures.push((format!("{what}-{name}"), drawn));
            }
        }
        let asked = read(BRIDGE)?;
        let (mut count, mut right) = (0, 0);
        instances(&ground, &asked, 1, Reading::Paper, 0..ground.len() as u32, |instance| {
            let (Some(to), Some(last)) = (instance.ends.to, instance.ends.last_to) else { return };
            let friends: Vec<u32> = instance
                .conditions
                .iter()
                .filter(|c| c.ask == ludex_game::features::Ask::Owner(1))
                .map(|condition| condition.site)
                .collect();
            let near = |a: u32, b: u32| ground.sides[a as usize].contains(&Some(b));
            count += 1;
            // Both friends touch both the intruder and the answer, and not one another.
            let [a, b] = friends[..] else { return };
            let touches = [a, b].into_iter().all(|friend| near(friend, to) && near(friend, last));
            right += usize::from(touches && !near(a, b) && a != b);
        })
        .map_err(|error| ArenaError::Rules(error.to_string()))?;
        figure.claims.push((
            format!("on the {name} grid the answer joins what the intruder cut"),
            format!("{right} of {count} instances"),
            count > 0 && right == count,
        ));
    }
    Ok(figure)
}

/// Figure 5: make lines of four, but not of three. A line may have its gap in any place.
const FOURS: [&str; 2] = ["o{0} o{0,0} o{0,0,0} -> to {}", "o{1/2} o{0} o{0,0} -> to {}"];
const THREES: [&str; 2] = ["o{0} o{0,0} -> to {}", "o{1/2} o{0} -> to {}"];

fn lines() -> Result<Figure, ArenaError> {
    let mut figure = Figure {
        name: "lines",
        title: "Figure 5: lines of four are made, lines of three are not (Yavalath)",
        ..Figure::default()
    };
    let load = |name: &str| catalog::load(&GameSpec::named(name));
    let game = load("yavalath").map_err(|error| ArenaError::Rules(error.to_string()))?;
    let (ground, board) = geometry(&game)?;
    let mut patterns = Vec::new();
    for (number, text) in FOURS.iter().chain(&THREES).enumerate() {
        let asked = read(text)?;
        let weight = if number < FOURS.len() { 1.0 } else { -1.0 };
        if let Some(drawn) = picture(board, &ground, &asked, 1, Reading::Paper, weight) {
            figure.pictures.push((format!("{}", number + 1), drawn));
        }
        patterns.push(asked);
    }
    let plain = [1, 2].map(|player| Plain::new(&ground, &patterns, player, Reading::Paper));
    let [Ok(first), Ok(second)] = plain else {
        return Err(ArenaError::Rules("the patterns do not fit the board".to_string()));
    };
    let plain = [first, second];
    let (mut fours, mut won, mut threes, mut lost) = (0, 0, 0, 0);
    let (mut view, mut moves, mut rng) = (View::new(), Vec::new(), Rng::seeded(5));
    for _ in 0..300 {
        let mut state = game.start();
        while let Turn::Players(players) = game.turn(&state) {
            let player = players.first().unwrap_or_default();
            moves.clear();
            game.moves(&state, player, &mut moves);
            game.view(&state, None, Detail::Sets, &mut view);
            for &mv in &moves {
                let Some(to) = game.ends(&state, Some(player), mv).to else { continue };
                let ends = MoveEnds { to: Some(to), ..MoveEnds::default() };
                let at = |site: u32| owner(&view, site);
                let active: Vec<u32> =
                    plain[player.index()].active(ends, Anchoring::Anywhere, at).collect();
                if active.is_empty() {
                    continue;
                }
                let mut after = state.clone();
                game.apply(&mut after, &[mv]);
                let mut payoffs = [0.5; 2];
                if game.turn(&after) == Turn::Over {
                    game.payoffs(&after, &mut payoffs);
                }
                let payoff = payoffs[player.index()];
                match active.iter().any(|&n| (n as usize) < FOURS.len()) {
                    true => {
                        fours += 1;
                        won += u32::from(payoff == 1.0);
                    }
                    false => {
                        threes += 1;
                        lost += u32::from(payoff == 0.0);
                    }
                }
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.apply(&mut state, &[mv]);
        }
    }
    figure.claims.push((
        "making four in a line wins".into(),
        format!("{won} of {fours} moves that the patterns encourage"),
        fours > 0 && won == fours,
    ));
    figure.claims.push((
        "making three without a fourth loses".into(),
        format!("{lost} of {threes} moves that the patterns discourage"),
        threes > 0 && lost == threes,
    ));
    Ok(figure)
}

/// The owner of a site's stone, and the stone, both from one.
fn owner(view: &View, site: u32) -> (u32, u32) {
    let owned = (0..2).find(|&player| view.has(SetOf::Owned(Player(player)), site));
    owned.map_or((0, 0), |player| (u32::from(player) + 1, u32::from(player) + 1))
}

/// Figure 6: groups of three. Stones grow in any direction, and nothing grows beyond three.
fn groups_of_three() -> Vec<(String, f32)> {
    let grow = [("o{0} -> to {}".to_string(), 6.0)];
    grow.into_iter().chain(joined_by_a_move(3).into_iter().map(|text| (text, -12.0))).collect()
}

/// The steps to the six neighbours of a hexagon, clockwise.
const AROUND: [(i32, i32); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

/// The patterns in which a move on hexagons joins so many friends into one group: every connected shape of them and the
/// site of the move, once for all its rotations and reflections.
fn joined_by_a_move(stones: usize) -> Vec<String> {
    let mut shapes: BTreeSet<Vec<(i32, i32)>> = BTreeSet::from([vec![(0, 0)]]);
    for _ in 0..stones {
        let grown = shapes.iter().flat_map(|shape| {
            let beside = shape.iter().flat_map(|(x, y)| AROUND.map(|(dx, dy)| (x + dx, y + dy)));
            let fresh = beside.filter(move |cell| !shape.contains(cell));
            fresh.map(move |cell| [&shape[..], &[cell]].concat())
        });
        shapes = grown.map(|shape| least_of_its_poses(&shape)).collect();
    }
    shapes.iter().map(|shape| pattern_of(shape)).collect()
}

/// The pose of a shape that comes first; the site of the move stays where it is.
fn least_of_its_poses(shape: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let pose = |turns: usize, mirrored: bool| {
        let turned = |&(x, y): &(i32, i32)| {
            let cell = if mirrored { (y, x) } else { (x, y) };
            (0..turns).fold(cell, |(x, y), _| (x + y, -x))
        };
        let mut cells: Vec<(i32, i32)> = shape.iter().map(turned).collect();
        cells.sort_unstable_by_key(|&cell| (cell != (0, 0), cell));
        cells
    };
    let poses = (0..6).flat_map(|turns| [pose(turns, false), pose(turns, true)]);
    poses.min().unwrap_or_default()
}

/// A shape as text: a friend on every cell but the first. Walks go from cell to cell of the shape, so that they stay on
/// the board wherever the shape does.
fn pattern_of(shape: &[(i32, i32)]) -> String {
    let mut walks: Vec<((i32, i32), Vec<usize>)> = vec![((0, 0), Vec::new())];
    let mut at = 0;
    while at < walks.len() {
        let ((x, y), walk) = walks[at].clone();
        for (side, (dx, dy)) in AROUND.iter().enumerate() {
            let cell = (x + dx, y + dy);
            if shape.contains(&cell) && walks.iter().all(|(known, _)| *known != cell) {
                walks.push((cell, [&walk[..], &[side]].concat()));
            }
        }
        at += 1;
    }
    let friends = walks[1..].iter().map(|(_, sides)| {
        let before = std::iter::once(0).chain(sides.iter().copied());
        let turns = sides.iter().zip(before).map(|(side, before)| match (6 + side - before) % 6 {
            turn @ ..=3 => format!("{turn}/6"),
            turn => format!("-{}/6", 6 - turn),
        });
        format!("o{{{}}}", turns.collect::<Vec<_>>().join(", "))
    });
    format!("{} -> to {{}}", friends.collect::<Vec<_>>().join(" "))
}

/// Figure 7: long and thin groups. Single stones grow, pairs grow at their ends, and not beside both stones.
const THIN: [(&str, f32); 3] = [
    ("o{0} !o{0,0} !o{0,1/6} !o{0,-1/6} !o{0,1/3} !o{0,-1/3} -> to {}", 2.0),
    ("o{0} o{0,0} -> to {}", 3.0),
    ("o{0} o{1/6} -> to {}", -6.0),
];

/// What stones look like that were placed in so many games.
#[derive(Default)]
struct Shapes {
    stones: f64,
    /// Stones in groups of three.
    in_threes: f64,
    /// Stones in groups of more than three.
    in_larger: f64,
    /// Pairs of stones that touch.
    pairs: f64,
    /// Triples of stones that all touch.
    triangles: f64,
}

fn shapes(game: &Arc<dyn Game>, set: Option<&FeatureSet>) -> Result<Shapes, ArenaError> {
    let (ground, _) = geometry(game)?;
    let mut sampling = match set {
        Some(set) => {
            Sampling::Patterns(Box::new(Patterns::new(set.judge(&**game)?, 0.0, u32::MAX)))
        }
        None => Sampling::default(),
    };
    let (mut found, mut view, mut rng) = (Shapes::default(), View::new(), Rng::seeded(7));
    let mut scratch = Scratch::default();
    for _ in 0..60 {
        let mut state = game.start();
        game.playout(&mut state, &mut sampling, Style::Standard, &mut scratch, &mut rng);
        game.view(&state, None, Detail::Sets, &mut view);
        for player in [Player(0), Player(1)] {
            found.add(&ground, |site| view.has(SetOf::Owned(player), site));
        }
    }
    Ok(found)
}

impl Shapes {
    fn add(&mut self, ground: &Ground, has: impl Fn(u32) -> bool) {
        let near = |site: u32| ground.sides[site as usize].iter().flatten().copied();
        let mut seen = BTreeSet::new();
        for site in (0..ground.len() as u32).filter(|&site| has(site)) {
            self.stones += 1.0;
            for other in near(site).filter(|&other| other > site && has(other)) {
                self.pairs += 1.0;
                let both = near(site).filter(|&third| third > other && has(third));
                self.triangles +=
                    both.filter(|&third| near(other).any(|n| n == third)).count() as f64;
            }
            if !seen.insert(site) {
                continue;
            }
            let (mut open, mut size) = (vec![site], 0.0);
            while let Some(next) = open.pop() {
                size += 1.0;
                let fresh = near(next).filter(|&other| has(other));
                open.extend(fresh.filter(|&other| seen.insert(other)));
            }
            self.in_threes += if size == 3.0 { size } else { 0.0 };
            self.in_larger += if size > 3.0 { size } else { 0.0 };
        }
    }
}

fn of_stones(
    name: &'static str,
    title: &'static str,
    texts: &[(impl AsRef<str>, f32)],
) -> Result<(Figure, [Shapes; 2]), ArenaError> {
    let mut figure = Figure { name, title, ..Figure::default() };
    let game = sandbox("(hex 5)", 24)?;
    let (ground, board) = geometry(&game)?;
    for (number, (text, weight)) in texts.iter().enumerate() {
        if let Some(drawn) =
            picture(board, &ground, &read(text.as_ref())?, 1, Reading::Paper, *weight)
        {
            figure.pictures.push((format!("{}", number + 1), drawn));
        }
    }
    let by_features = shapes(&game, Some(&weighted(texts)?))?;
    Ok((figure, [by_features, shapes(&game, None)?]))
}

fn percent(part: f64, of: f64) -> f64 {
    100.0 * part / of.max(1.0)
}

fn groups() -> Result<Figure, ArenaError> {
    let title = "Figure 6: groups of three";
    let (mut figure, [ours, any]) = of_stones("groups", title, &groups_of_three())?;
    let [threes, any_threes] = [&ours, &any].map(|s| percent(s.in_threes, s.stones));
    figure.claims.push((
        "whoever goes by these features makes groups of three".into(),
        format!("{threes:.0}% of stones are in groups of three, {any_threes:.0}% at random"),
        threes > 2.0 * any_threes,
    ));
    let [larger, any_larger] = [&ours, &any].map(|s| percent(s.in_larger, s.stones));
    figure.claims.push((
        "and does not let them grow".into(),
        format!("{larger:.0}% of stones are in larger groups, {any_larger:.0}% at random"),
        larger < threes,
    ));
    Ok(figure)
}

fn thin() -> Result<Figure, ArenaError> {
    let title = "Figure 7: long and thin groups";
    let (mut figure, [ours, any]) = of_stones("thin", title, &THIN)?;
    let [pairs, any_pairs] = [&ours, &any].map(|s| s.pairs / s.stones.max(1.0));
    figure.claims.push((
        "whoever goes by these features makes groups".into(),
        format!("{pairs:.2} touching pairs for each stone, {any_pairs:.2} at random"),
        pairs > 1.2 * any_pairs,
    ));
    let [thick, any_thick] = [&ours, &any].map(|s| percent(s.triangles, s.pairs));
    figure.claims.push((
        "and they are thin".into(),
        format!("{thick:.0} triangles for 100 touching pairs, {any_thick:.0} at random"),
        thick < 0.5 * any_thick,
    ));
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_as_the_paper_says() {
        for name in FIGURES {
            let figure = figure(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            for (claim, found, holds) in &figure.claims {
                assert!(holds, "{name}: {claim}: {found}");
            }
            assert!(!figure.claims.is_empty() && !figure.pictures.is_empty(), "{name}");
        }
        assert!(figure("nothing").is_err());
    }
}
