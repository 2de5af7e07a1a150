//! Playouts in which winning moves are played first: machines that do so by themselves play the same game as those that are asked
//! at every ply, which is what happens where moves are recorded.

use std::collections::BTreeMap;

use ludex_arena::catalog::{self, GameSpec};
use ludex_game::conformance::chi_squared_bound;
use ludex_game::playout::{Composed, Decisive, Recording, Sampling, Scratch, Style};
use ludex_game::{Game, Rng};

const PLAYOUTS: u32 = 1500;

/// How often each seat won after about how many plies.
fn results(game: &dyn Game, recording: Recording, seed: u64) -> BTreeMap<(u32, u32), f64> {
    let composed = Composed::new(Sampling::default(), None, Decisive::Wins);
    let mut sampling = Sampling::Composed(Box::new(composed));
    let mut scratch = Scratch::default();
    scratch.recording = recording;
    let mut rng = Rng::seeded(seed);
    let mut all = BTreeMap::new();
    for _ in 0..PLAYOUTS {
        let mut state = game.start();
        scratch.record.clear();
        let plies =
            game.playout(&mut state, &mut sampling, Style::Optimised, &mut scratch, &mut rng);
        let mut payoffs = vec![0.0; game.info().players];
        game.payoffs(&state, &mut payoffs);
        *all.entry(((2.0 * payoffs[0]) as u32, plies.ilog2())).or_insert(0.0) += 1.0;
        *all.entry((10 + plies % 2, 0)).or_insert(0.0) += 1.0;
    }
    all
}

#[test]
fn machines_that_look_for_wins_play_the_same_game() {
    let games = [
        "breakthrough --size 5x5",
        "misere-breakthrough --size 4x4",
        "knightthrough --size 5x5",
        "breakthrough.lud",
        "domineering.lud",
        "hex --option \"Board Size/7x7\"",
        "connect-four",
        "tic-tac-toe",
        "yavalath",
        "three-mens-morris",
        "tablut",
        "brandub",
        "dodgem",
        "konane",
        "reversi",
        "surakarta",
        "royal-game-of-ur",
    ];
    for name in games {
        let spec: GameSpec = name.parse().expect("a game");
        let game = catalog::load(&spec).expect(name);
        let asked = results(&*game, Recording::Chosen, 1);
        let own = results(&*game, Recording::Nothing, 2);
        let mut cells: BTreeMap<(u32, u32), [f64; 2]> = BTreeMap::new();
        for (at, all) in [&asked, &own].into_iter().enumerate() {
            all.iter().for_each(|(&cell, count)| cells.entry(cell).or_default()[at] = *count);
        }
        // Rare cells are pooled.
        let (rare, common): (Vec<[f64; 2]>, Vec<[f64; 2]>) =
            cells.values().copied().partition(|c: &[f64; 2]| c[0] + c[1] < 20.0);
        let pooled =
            rare.iter().fold([0.0, 0.0], |sum: [f64; 2], c| [sum[0] + c[0], sum[1] + c[1]]);
        let cells = common.iter().copied().chain((pooled[0] + pooled[1] > 0.0).then_some(pooled));
        let chi: f64 = cells.map(|[x, y]| (x - y) * (x - y) / (x + y)).sum();
        let bound = chi_squared_bound(common.len());
        assert!(chi <= bound, "{name}: {chi:.1} above {bound:.1}: {asked:?} {own:?}");
    }
}
