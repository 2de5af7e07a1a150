//! Features explained: a picture, a sentence, how often they hold, what they are worth, which rules they serve.

use super::learn::{Use, duel};
use crate::stats::Tally;
use crate::{ArenaError, catalog, match_seed};
use ludex_draw::{Sign, Spot};
use ludex_game::features::{
    Anchoring, Ground, Instance, MoveEnds, Pattern, Place, Plain, Reading, Test, WalkEnd,
    end_of_walk, instances,
};
use ludex_game::{Coding, Detail, Game, Geometry, Move, Player, PlayerSet, Rng, SetOf, Turn, View};
use ludex_lang::features::{Feature, Notation};
use ludex_play::features::{FeatureSet, Names, Strategy, pattern, sentence, strategies};
use ludex_play::search::Budget;
use std::sync::Arc;

/// A feature with what is known about it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Whose moves it weighs, from nought.
    pub player: usize,
    /// Its place in his set.
    pub number: usize,
    /// The feature as text.
    pub text: String,
    /// Its weight.
    pub weight: f32,
    /// What it says.
    pub sentence: String,
    /// Its picture on the board of its game, and on another grid; missing where it fits nowhere.
    pub pictures: [Option<String>; 2],
    /// How often it holds.
    pub fires: Fires,
    /// The score of the whole set against the set without it.
    pub worth: Option<Tally>,
    /// The parts of the rules that it serves.
    pub serves: Vec<String>,
}

/// How often a feature held in games played by its set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fires {
    /// Positions that were looked at.
    pub positions: u64,
    /// Positions in which it held for some move.
    pub somewhere: u64,
    /// Legal moves in all of them, and those it held for.
    pub moves: u64,
    /// Moves it held for.
    pub held: u64,
    /// Positions in which it held for the move that was played.
    pub played: u64,
}

/// The names that sentences about a game use.
pub fn names(geometry: &Geometry) -> Names {
    Names {
        pieces: geometry.kinds.iter().map(|kind| kind.name.clone()).collect(),
        regions: geometry.regions.iter().map(|region| region.name.clone()).collect(),
    }
}

/// Explains all features of a set on the board of a game, with how often they hold in so many games.
pub fn explain(
    game: &Arc<dyn Game>,
    set: &FeatureSet,
    games: u64,
    seed: u64,
) -> Result<Vec<Explained>, ArenaError> {
    // What does not fit the game is refused in words.
    set.judge(&**game)?;
    let Some(geometry) = game.geometry() else { return Ok(Vec::new()) };
    let players = game.info().players;
    let ground = Ground::new(geometry, players);
    let other = other_grid(&ground);
    let other_ground = other.as_ref().map(|geometry| Ground::new(geometry, players));
    let names = names(geometry);
    let fires = count_fires(game, set, &ground, games, seed)?;
    let mut explained = Vec::new();
    for (player, of_player) in set.players.iter().enumerate() {
        for (number, (feature, &weight)) in
            of_player.features.iter().zip(&of_player.weights).enumerate()
        {
            let mut pictures = [None, None];
            if let Feature::Spatial(spatial) = feature {
                let asked = pattern(spatial);
                let on = |geometry, ground: &Ground| {
                    picture(geometry, ground, &asked, player as u32 + 1, set.reading, weight)
                };
                pictures[0] = on(geometry, &ground);
                pictures[1] =
                    other.as_ref().zip(other_ground.as_ref()).and_then(|(g, ground)| on(g, ground));
            }
            explained.push(Explained {
                player,
                number,
                text: feature.write(Notation::Ludii),
                weight,
                sentence: sentence(feature, weight, &names),
                pictures,
                fires: fires
                    .get(player)
                    .and_then(|own| own.get(number))
                    .copied()
                    .unwrap_or_default(),
                worth: None,
                serves: Vec::new(),
            });
        }
    }
    Ok(explained)
}

/// The strategies of each player's features.
pub fn plans(set: &FeatureSet) -> Vec<Vec<Strategy>> {
    let of_player = |weighted: &ludex_play::features::Weighted| {
        let pairs: Vec<(&Feature, f32)> =
            weighted.features.iter().zip(weighted.weights.iter().copied()).collect();
        strategies(&pairs)
    };
    set.players.iter().map(of_player).collect()
}

/// A board of another kind: hexagons where sites have four sides, squares elsewhere.
fn other_grid(ground: &Ground) -> Option<Geometry> {
    let most = ground.connectivities().into_iter().max().unwrap_or(0);
    match most {
        4 => catalog::load(&catalog::GameSpec::named("hex")).ok()?.geometry().cloned(),
        _ => Some(Geometry::rectangle(9, 9)),
    }
}

/// A picture of a pattern where it fits best: as it is written if it can be, near the middle of the board.
pub fn picture(
    geometry: &Geometry,
    ground: &Ground,
    pattern: &Pattern,
    player: u32,
    reading: Reading,
    weight: f32,
) -> Option<String> {
    let middle = |site: u32| geometry.sites[site as usize].at;
    let count = ground.len().max(1) as f32;
    let (x, y) = (0..ground.len() as u32)
        .map(|site| (middle(site).x, middle(site).y))
        .fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / count, sum.1 + at.1 / count));
    let cost = |instance: &Instance| {
        let away =
            instance.anchor.map_or(0.0, |site| (middle(site).x - x).hypot(middle(site).y - y));
        let turned = instance.rotation.abs() + f32::from(1 - instance.reflection);
        // As it is written comes before the middle of the board.
        f64::from(turned * 1e3 + away * 16.0 / count.sqrt())
    };
    let mut best: Option<(f64, Instance)> = None;
    let anchors = 0..ground.len() as u32;
    instances(ground, pattern, player, reading, anchors, |instance| {
        let cost = cost(&instance);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, instance));
        }
    })
    .ok()?;
    let (_, instance) = best?;
    Some(ludex_draw::pattern(geometry, &signs(ground, pattern, &instance, reading, weight)))
}

/// The signs of an instance.
fn signs(
    ground: &Ground,
    pattern: &Pattern,
    instance: &Instance,
    reading: Reading,
    weight: f32,
) -> Vec<(Spot, Sign)> {
    let pose = (instance.rotation, f32::from(instance.reflection));
    let mut signs = Vec::new();
    for element in &pattern.elements {
        let spot = match &element.place {
            Place::Site(site) => Spot::On(*site),
            Place::Walk(turns) => {
                let Some(anchor) = instance.anchor else { continue };
                match end_of_walk(ground, turns, anchor, pose, reading) {
                    Some(WalkEnd::On(site)) => Spot::On(site),
                    Some(WalkEnd::Beyond(site, side)) => Spot::Beyond(site, side),
                    None => continue,
                }
            }
        };
        let sign = sign(element.test);
        let sign = if element.negated { Sign::Not(Box::new(sign)) } else { sign };
        if !signs.contains(&(spot, sign.clone())) {
            signs.push((spot, sign));
        }
    }
    let MoveEnds { last_from, last_to, from, to } = instance.ends;
    let end = if weight < 0.0 { Sign::Minus } else { Sign::Plus };
    let starts = if to.is_none() { end.clone() } else { Sign::Start };
    // Where the move before ended stands whatever it moved: an enemy, unless the pattern says otherwise.
    if let Some(site) = last_to {
        if !signs.iter().any(|(spot, _)| *spot == Spot::On(site)) {
            signs.push((Spot::On(site), Sign::Enemy));
        }
        signs.push((Spot::On(site), Sign::LastEnd));
    }
    let ends = [(last_from, Sign::LastStart), (from, starts), (to, end)];
    signs.extend(ends.into_iter().filter_map(|(site, sign)| Some((Spot::On(site?), sign))));
    signs
}

fn sign(test: Test) -> Sign {
    match test {
        Test::Empty => Sign::Empty,
        Test::Friend => Sign::Friend,
        Test::Enemy => Sign::Enemy,
        Test::Off => Sign::Off,
        Test::Any => Sign::Word("any".into()),
        Test::Player(n) => Sign::Word(format!("P{n}")),
        Test::Item(n) => Sign::Word(format!("I{n}")),
        Test::Position(n) => Sign::Word(format!("={n}")),
        Test::Connectivity(n) => Sign::Word(format!("N{n}")),
        Test::Nearer(n) => Sign::Word(format!("→R{n}")),
        Test::SeesOrthogonally(n) => Sign::Word(format!("┼I{n}")),
        Test::SeesDiagonally(n) => Sign::Word(format!("╳I{n}")),
    }
}

/// The features of a set that hold for a move, each with its sentence and weight, the heaviest first.
pub fn speakers(
    game: &dyn Game,
    state: &ludex_game::State,
    player: Player,
    mv: Move,
    set: &FeatureSet,
) -> Result<Vec<(String, f32)>, ArenaError> {
    let (Some(geometry), Some(own)) = (game.geometry(), set.of(player.index())) else {
        return Ok(Vec::new());
    };
    let ground = Ground::new(geometry, game.info().players);
    let plain = Plain::new(&ground, &patterns_of(own), u32::from(player.0) + 1, set.reading);
    let plain = plain.map_err(|error| ArenaError::Rules(error.to_string()))?;
    let mut view = View::new();
    game.view(state, None, Detail::Sets, &mut view);
    let (last, ends) =
        (game.last_move(state).unwrap_or_default(), game.ends(state, Some(player), mv));
    let ends = MoveEnds { last_from: last.from, last_to: last.to, from: ends.from, to: ends.to };
    let names = names(geometry);
    let active = plain.active(ends, set.reading.anchoring(), |site| at(&view, site));
    let mut found: Vec<(String, f32)> = active
        .map(|number| (&own.features[number as usize], own.weights[number as usize]))
        .filter(|(feature, _)| matches!(feature, Feature::Spatial(_)))
        .map(|(feature, weight)| (sentence(feature, weight, &names), weight))
        .collect();
    found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    Ok(found)
}

/// The patterns of a player's features; those that are none never hold.
fn patterns_of(own: &ludex_play::features::Weighted) -> Vec<Pattern> {
    let asked = |feature: &Feature| match feature {
        Feature::Spatial(spatial) => pattern(spatial),
        _ => Pattern::default(),
    };
    own.features.iter().map(asked).collect()
}

/// The most positions of one game that are looked at.
const MAX_PLIES: u32 = 400;

/// Plays games by a set alone and counts how often its features hold.
fn count_fires(
    game: &Arc<dyn Game>,
    set: &FeatureSet,
    ground: &Ground,
    games: u64,
    seed: u64,
) -> Result<Vec<Vec<Fires>>, ArenaError> {
    let mut judge = set.judge(&**game)?;
    let players = game.info().players;
    let mut plain = Vec::new();
    for player in 0..players {
        let patterns = set.of(player).map(patterns_of).unwrap_or_default();
        let found = Plain::new(ground, &patterns, player as u32 + 1, set.reading);
        plain.push(found.map_err(|error| ArenaError::Rules(error.to_string()))?);
    }
    let mut fires: Vec<Vec<Fires>> =
        set.players.iter().map(|own| vec![Fires::default(); own.features.len()]).collect();
    let last_set = fires.len().saturating_sub(1);
    let (mut moves, mut odds, mut view) = (Vec::new(), Vec::new(), View::new());
    for number in 0..games {
        let (mut state, mut rng) = (game.start(), Rng::seeded(match_seed(seed, number)));
        for _ in 0..MAX_PLIES {
            let mut joint = [Move::default(); PlayerSet::CAPACITY];
            let count = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    joint[0] = game.sample_chance(&state, &mut rng);
                    1
                }
                Turn::Players(movers) => {
                    game.view(&state, None, Detail::Sets, &mut view);
                    judge.view.clone_from(&view);
                    judge.look();
                    let last = game.last_move(&state);
                    for (slot, player) in joint.iter_mut().zip(movers) {
                        moves.clear();
                        odds.clear();
                        game.moves(&state, player, &mut moves);
                        judge.weigh(player, last);
                        let ends = |&mv: &Move| {
                            let code = game.code(&state, player, mv, Coding::Plain);
                            let known = judge.codes().ends(player, code);
                            known.unwrap_or_else(|| game.ends(&state, Some(player), mv))
                        };
                        let all: Vec<ludex_game::Ends> = moves.iter().map(ends).collect();
                        let keys = all.iter().map(|&ends| judge.keys(player, ends));
                        judge.add_odds(player, keys, &mut odds);
                        let (chosen, _) = ludex_game::playout::draw(&odds[..], &mut rng);
                        let last = last.unwrap_or_default();
                        let counted = &mut fires[player.index().min(last_set)];
                        tally(
                            counted,
                            &plain[player.index()],
                            set.reading.anchoring(),
                            chosen,
                            &view,
                            all.iter().map(|ends| MoveEnds {
                                last_from: last.from,
                                last_to: last.to,
                                from: ends.from,
                                to: ends.to,
                            }),
                        );
                        *slot = moves[chosen];
                    }
                    movers.len()
                }
            };
            game.apply(&mut state, &joint[..count]);
        }
    }
    Ok(fires)
}

/// Counts which features hold for the moves of one position.
fn tally(
    fires: &mut [Fires],
    plain: &Plain,
    anchoring: Anchoring,
    chosen: usize,
    view: &View,
    moves: impl Iterator<Item = MoveEnds<Option<u32>>>,
) {
    let mut somewhere = vec![false; fires.len()];
    let mut count = 0;
    for (number, ends) in moves.enumerate() {
        count += 1;
        for feature in plain.active(ends, anchoring, |site| at(view, site)) {
            let Some(fires) = fires.get_mut(feature as usize) else { continue };
            somewhere[feature as usize] = true;
            fires.held += 1;
            fires.played += u64::from(number == chosen);
        }
    }
    for (fires, somewhere) in fires.iter_mut().zip(somewhere) {
        fires.positions += 1;
        fires.moves += count;
        fires.somewhere += u64::from(somewhere);
    }
}

/// The owner and the piece of a site, as features number them.
fn at(view: &View, site: u32) -> (u32, u32) {
    let players = view.seats.len() as u8;
    let owner = (0..players).find(|&player| view.has(SetOf::Owned(Player(player)), site));
    let kind = (0..u16::MAX)
        .take_while(|&kind| !view.set(SetOf::Kind(kind)).is_empty())
        .find(|&kind| view.has(SetOf::Kind(kind), site));
    (owner.map_or(0, |owner| u32::from(owner) + 1), kind.map_or(0, |kind| u32::from(kind) + 1))
}

/// Plays the whole set against the set without each of its features.
pub fn ablate(
    game: &Arc<dyn Game>,
    set: &FeatureSet,
    explained: &mut [Explained],
    how: Use,
    (matches, budget): (u64, Budget),
    (seed, threads): (u64, usize),
    mut done: impl FnMut(&Explained),
) -> Result<(), ArenaError> {
    let whole = Arc::new(set.clone());
    for feature in explained {
        let mut without = set.clone();
        let own = &mut without.players[feature.player];
        own.features.remove(feature.number);
        own.weights.remove(feature.number);
        let agents = [how.spec(&whole), how.spec(&Arc::new(without))];
        feature.worth = Some(duel(game, agents, matches, budget, seed, threads)?);
        done(feature);
    }
    Ok(())
}
