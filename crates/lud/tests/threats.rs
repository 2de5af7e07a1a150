//! Whoever asks whether a site is threatened, or whether there is a move at all, does not list all moves:
//! the answers are those of the list.

mod common;

use common::general;
use ludex_game::{Player, Rng, Rules, Turn};
use ludex_lud::Ctx;

/// Steps, slides, leaps, hops, drops from hands, rays as regions, priorities, conditions afterwards.
const GAMES: [&str; 11] = [
    "chess",
    "xiangqi",
    "shogi",
    "tablut",
    "english-draughts",
    "international-draughts",
    "knightthrough",
    "konane",
    "nine-mens-morris",
    "fanorona",
    "nogo",
];

#[test]
fn threats_are_the_ends_of_moves() {
    let mut threats = 0;
    for name in GAMES {
        let game = general(name, &[]);
        let compiled = game.compiled();
        let mut rng = Rng::seeded(5);
        let mut position = game.start();
        let mut moves = Vec::new();
        for _ in 0..60 {
            if game.turn(&position) == Turn::Over {
                position = game.start();
            }
            let state = position.state();
            let play = &compiled.phases[state.phases[state.mover as usize] as usize].play;
            let mut ctx = Ctx::new(compiled, state.clone());
            ctx.in_threat = true;
            let list = ctx.moves(play);
            for site in 0..compiled.board_sites() as i32 {
                let ends_there = list.iter().any(|m| m.to == site);
                assert_eq!(ctx.any_move(play, Some(site)), ends_there, "{name}, site {site}");
                threats += u32::from(ends_there);
            }
            let mut ctx = Ctx::new(compiled, state.clone());
            let any = ctx.moves(play).iter().any(|m| ctx.clone().legal_moves().contains(m));
            assert_eq!(ctx.any_move(play, None), any, "{name}");
            moves.clear();
            game.moves(&position, Player(0), &mut moves);
            let chosen = moves[rng.below(moves.len() as u32) as usize];
            game.apply(&mut position, &[chosen]);
        }
    }
    assert!(threats > 5_000);
}
