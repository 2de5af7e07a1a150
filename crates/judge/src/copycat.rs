//! Whether the second player can copy the first: every move answered by its mirror image.

use std::sync::Arc;

use ludex_arena::stats::Tally;
use ludex_game::geometry::{ContainerKind, SiteId};
use ludex_game::{Ends, Game, Geometry, Move, Player, Rng, State, Turn};
use ludex_play::agent::Agent;
use ludex_play::search::Budget;
use ludex_play::spec::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::JudgeError;
use crate::work::Hands;

/// Games against a random first player that decide which symmetry is worth a search.
const RANDOM_GAMES: u64 = 24;
/// Copying must be possible at so many of the second player's turns.
const MOSTLY: f64 = 0.9;
/// Games are given up after so many plies.
const MOST_PLIES: u32 = 400;

/// What copying is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copycat {
    /// The symmetry in words.
    pub symmetry: String,
    /// The second player's share of the point, by copying alone, against a search.
    pub score: Tally,
    /// The share of his turns at which he could copy.
    pub possible: f64,
}

/// What a game shows of copying: the points of the second player, his copies, his turns.
type Copied = (Tally, u64, u64);

/// Looks for a symmetry of the board by which the second player does well against a search that does not know what
/// he is doing. Nothing where there is none, or where it is no game for two in turn.
pub fn look(
    game: &Arc<dyn Game>,
    agent: &AgentSpec,
    simulations: u64,
    games: u64,
    seed: u64,
    hands: Hands,
) -> Result<Option<Copycat>, JudgeError> {
    let Some(geometry) = game.geometry() else { return Ok(None) };
    if game.info().players != 2 || game.info().hidden {
        return Ok(None);
    }
    let mut best: Option<Copycat> = None;
    for (name, images) in symmetries(geometry) {
        let played = |first: &AgentSpec, seed: u64, simulations: u64, games: u64| {
            let budget = Budget::simulations(simulations);
            let one = |number: usize| -> Result<Copied, JudgeError> {
                let mut rng = Rng::stream(seed, number as u64);
                let mut first = first.build(game, None, &mut rng)?;
                let mut copied = Copied::default();
                one_game(&**game, &mut *first, budget, &images, &mut rng, &mut copied);
                Ok(copied)
            };
            let mut all = Copied::default();
            for copied in hands.each(games as usize, one)? {
                let copied = copied?;
                all.0.join(&copied.0);
                all.1 += copied.1;
                all.2 += copied.2;
            }
            Ok::<_, JudgeError>(all)
        };
        let random = played(&AgentSpec::Random, seed ^ 0x636f_7079, 1, RANDOM_GAMES)?;
        if (random.1 as f64 / random.2.max(1) as f64) < MOSTLY {
            continue;
        }
        let (score, copied, turns) = played(agent, seed ^ 0x636f_7078, simulations, games)?;
        let possible = copied as f64 / turns.max(1) as f64;
        let found = Copycat { symmetry: name.to_string(), score, possible };
        if best.as_ref().is_none_or(|best| found.score.mean() > best.score.mean()) {
            best = Some(found);
        }
    }
    Ok(best)
}

impl Copycat {
    /// Whether copying surely does better than even.
    pub fn succeeds(&self) -> bool {
        self.possible >= MOSTLY && self.score.interval().low > 0.5
    }
}

/// The second player copies where he can and plays any move where he cannot.
fn one_game(
    game: &dyn Game,
    first: &mut dyn Agent,
    budget: Budget,
    images: &[SiteId],
    rng: &mut Rng,
    (score, copied, turns): &mut Copied,
) {
    let mut state = game.start();
    let mut shown: Option<Ends> = None;
    for _ in 0..MOST_PLIES.min(game.info().max_plies) {
        let mv = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.sample_chance(&state, rng),
            Turn::Players(players) if players.len() > 1 => return,
            Turn::Players(players) => match players.first() {
                Some(Player(1)) => {
                    let mut moves = Vec::new();
                    game.moves(&state, Player(1), &mut moves);
                    let copy = shown.and_then(|ends| mirrored(game, &state, &moves, ends, images));
                    *turns += 1;
                    *copied += u64::from(copy.is_some());
                    copy.unwrap_or_else(|| moves[rng.below(moves.len() as u32) as usize])
                }
                Some(player) => {
                    let mv = first.choose(&state, player, budget).mv;
                    shown = Some(game.ends(&state, Some(player), mv));
                    mv
                }
                None => return,
            },
        };
        first.played(&state, &[mv]);
        game.apply(&mut state, &[mv]);
    }
    let mut payoffs = [0.0; 2];
    game.payoffs(&state, &mut payoffs);
    score.add(ludex_arena::points(2, &[0, 1], &payoffs)[1]);
}

fn mirrored(
    game: &dyn Game,
    state: &State,
    moves: &[Move],
    shown: Ends,
    images: &[SiteId],
) -> Option<Move> {
    let image = |site: Option<SiteId>| site.and_then(|site| images.get(site as usize).copied());
    let (from, to) = (image(shown.from), image(shown.to));
    to?;
    let copies = |mv: &&Move| {
        let ends = game.ends(state, Some(Player(1)), **mv);
        ends.from == from && ends.to == to
    };
    moves.iter().find(copies).copied()
}

/// The turns and reflections of the plane that send the board onto itself, and where they send each site.
fn symmetries(geometry: &Geometry) -> Vec<(&'static str, Vec<SiteId>)> {
    const PLANE: [(&str, [f32; 4]); 5] = [
        ("through the centre", [-1.0, 0.0, 0.0, -1.0]),
        ("left and right", [-1.0, 0.0, 0.0, 1.0]),
        ("top and bottom", [1.0, 0.0, 0.0, -1.0]),
        ("along a diagonal", [0.0, 1.0, 1.0, 0.0]),
        ("along the other diagonal", [0.0, -1.0, -1.0, 0.0]),
    ];
    let board: Vec<usize> = (0..geometry.len())
        .filter(|&site| {
            let container = geometry.sites[site].container as usize;
            geometry.containers.get(container).is_some_and(|c| c.kind == ContainerKind::Board)
        })
        .collect();
    let n = board.len().max(1) as f32;
    let middle = |of: fn(&ludex_game::geometry::Site) -> f32| {
        board.iter().map(|&site| of(&geometry.sites[site])).sum::<f32>() / n
    };
    let (cx, cy) = (middle(|site| site.at.x), middle(|site| site.at.y));
    let image = |site: usize, m: [f32; 4]| {
        let place = &geometry.sites[site];
        let (x, y) = (place.at.x - cx, place.at.y - cy);
        let (x, y) = (cx + m[0] * x + m[1] * y, cy + m[2] * x + m[3] * y);
        let near = |&&other: &&usize| {
            let there = &geometry.sites[other];
            there.element == place.element
                && there.container == place.container
                && (there.at.x - x).abs() + (there.at.y - y).abs() < 1e-3
                && (there.at.z - place.at.z).abs() < 1e-3
        };
        board.iter().find(near).map(|&other| other as SiteId)
    };
    let whole = |(name, matrix): (&'static str, [f32; 4])| {
        let mut images: Vec<SiteId> = (0..geometry.len() as SiteId).collect();
        for &site in &board {
            images[site] = image(site, matrix)?;
        }
        Some((name, images))
    };
    PLANE.into_iter().filter_map(whole).collect()
}
