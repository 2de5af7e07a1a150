//! 7 Wonders held to its rules: facts gathered elsewhere, laws of random games, an independent scorer,
//! what players know, and faults in components files.
//!
//! The laws are tried on a few hundred games; `LUDEX_WONDERS_GAMES=100000 cargo test --release -p
//! ludex-games --test seven_wonders` tries them on as many as wanted.

mod components;
mod knowledge;
mod laws;
mod naive;
mod vectors;

use ludex_game::{Move, Player, Rng, Rules, Turn};
use ludex_games::seven_wonders::action::{Action, Way};
use ludex_games::seven_wonders::state::State;
use ludex_games::seven_wonders::{Payments, SevenWonders, Sides};

/// Every number of players on every choice of sides.
fn variants() -> impl Iterator<Item = SevenWonders> {
    let sides = [Sides::A, Sides::B, Sides::Mixed];
    (3..=7).flat_map(move |players| {
        sides.map(|sides| SevenWonders::new(players, sides, Payments::Cheapest))
    })
}

/// Games to try in each of the 15 variants.
fn games_per_variant(usual: u64) -> u64 {
    let wanted =
        std::env::var("LUDEX_WONDERS_GAMES").ok().and_then(|text| text.parse::<u64>().ok());
    wanted.map_or(usual, |games| games.div_ceil(15))
}

/// Plays a random game, showing every position and the joint move chosen in it. Players build with
/// probability `eagerness` when they can, and otherwise move at random.
fn play(
    rules: &SevenWonders,
    seed: u64,
    eagerness: f64,
    mut before: impl FnMut(&State, &[Move]),
) -> State {
    let rng = &mut Rng::seeded(seed);
    let mut state = rules.start();
    let mut moves = Vec::new();
    loop {
        let joint: Vec<Move> = match rules.turn(&state) {
            Turn::Over => return state,
            Turn::Chance => vec![rules.sample_chance(&state, rng)],
            Turn::Players(players) => {
                let choose = |player| choose(rules, &state, player, eagerness, rng, &mut moves);
                players.into_iter().map(choose).collect()
            }
        };
        before(&state, &joint);
        rules.apply(&mut state, &joint);
    }
}

fn choose(
    rules: &SevenWonders,
    state: &State,
    player: Player,
    eagerness: f64,
    rng: &mut Rng,
    moves: &mut Vec<Move>,
) -> Move {
    moves.clear();
    rules.moves(state, player, moves);
    assert!(!moves.is_empty());
    if rng.unit() < eagerness {
        let builds = |mv: &Move| !matches!(Action::of(*mv).way, Way::Discard | Way::Stage);
        let built: Vec<Move> = moves.iter().copied().filter(builds).collect();
        if !built.is_empty() {
            return built[rng.below(built.len() as u32) as usize];
        }
    }
    moves[rng.below(moves.len() as u32) as usize]
}
